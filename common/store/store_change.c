/* store_change.c: the write transaction used by batches, removing, merging and copying from other stores; the numbers by which
 * segments refer to strings and companies. */
#include "store/store_change.h"
#include "store/store_batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* ---- the write transaction used by batches, removing, merging and copying from other stores ---- */

int store_change_put_raw(struct store_change *c, enum store_table t, const void *key, size_t key_len,
                         const void *data, size_t len, unsigned flags) {
  MDB_val k = {key_len, (void *)(uintptr_t)key}, v = {len, (void *)(uintptr_t)data};
  return mdb_put(c->txn, c->store->dbi[t], &k, &v, flags);
}

int store_change_get_raw(struct store_change *c, enum store_table t, const void *key, size_t key_len,
                         MDB_val *v) {
  MDB_val k = {key_len, (void *)(uintptr_t)key};
  return mdb_get(c->txn, c->store->dbi[t], &k, v);
}

int store_change_put(struct store_change *c, enum store_table t, const void *key, size_t key_len,
                     const void *data, size_t len) {
  return store_put_sealed(c->txn, c->store->dbi[t], key, key_len, data, len);
}

int store_change_get(struct store_change *c, enum store_table t, const void *key, size_t key_len,
                     MDB_val *v) {
  return store_get_sealed(c->txn, c->store->dbi[t], key, key_len, v);
}

int store_change_drop(struct store_change *c, enum store_table t, const void *key, size_t key_len) {
  MDB_val k = {key_len, (void *)(uintptr_t)key};
  int rc = mdb_del(c->txn, c->store->dbi[t], &k, NULL);
  return rc == MDB_NOTFOUND ? 0 : rc;
}

static int change_load(struct store_change *c) {
  struct slice v;
  int rc = store_meta(c->store, c->txn, "counters", &v);
  if (rc || v.len != sizeof c->counters)
    return rc ? rc : MDB_CORRUPTED;
  memcpy(&c->counters, v.data, sizeof c->counters);
  if ((rc = store_meta(c->store, c->txn, "segments", &v)))
    return rc;
  /* The manifest is lost: writing a new one would lose the documents too. */
  if (!v.data && c->counters.next_segment > 1)
    return MDB_CORRUPTED;
  c->count = v.len / sizeof *c->entries;
  c->entries = xcalloc(c->count + 1, sizeof *c->entries);
  c->dead = xcalloc(c->count + 1, sizeof *c->dead);
  if (v.len)
    memcpy(c->entries, v.data, c->count * sizeof *c->entries);
  c->own_first = UINT64_MAX;
  return 0;
}

void store_change_release(struct store_change *c) {
  for (size_t i = 0; i < c->count; i++)
    free(c->dead[i]);
  free(c->dead);
  free(c->entries);
  free(c->own_dead);
}

enum store_status store_change_begin(struct store_change *c, struct store *s, size_t bytes,
                                     struct error_text *e) {
  memset(c, 0, sizeof *c);
  c->store = s;
  enum store_status status = store_begin(s, bytes, &c->txn, e);
  if (status)
    return status;
  int rc = change_load(c);
  if (!rc)
    return STORE_OK;
  status = store_finish(s, c->txn, store_fail(e, s, rc, "reading"), e);
  store_change_release(c);
  return status;
}

/* ---- collections ---- */

int store_change_flush_collection(struct store_change *c) {
  if (!c->name[0])
    return 0;
  c->collection.updated = (int64_t)time(NULL);
  return store_change_put(c, T_COLLECTIONS, c->name, strlen(c->name), &c->collection, sizeof c->collection);
}

int store_change_enter_collection(struct store_change *c, const char *name, int create) {
  MDB_val v;
  if (strcmp(c->name, name) == 0)
    return 0;
  int rc = store_change_flush_collection(c);
  c->name[0] = '\0';
  if (rc)
    return rc;
  rc = store_change_get(c, T_COLLECTIONS, name, strlen(name), &v);
  if (rc == 0 && v.mv_size == sizeof c->collection)
    memcpy(&c->collection, v.mv_data, sizeof c->collection);
  else if (rc == MDB_NOTFOUND && create)
    c->collection = (struct store_collection_value){.id = c->counters.next_collection++};
  else
    return rc ? rc : MDB_CORRUPTED;
  snprintf(c->name, sizeof c->name, "%s", name);
  return 0;
}

struct by_id {
  struct store_change *change;
  uint32_t id;
};

static int take_collection(void *arg, struct slice key, struct slice value) {
  struct by_id *x = arg;
  struct store_change *c = x->change;
  struct store_collection_value v;
  if (value.len != sizeof v || key.len >= sizeof c->name)
    return MDB_CORRUPTED;
  memcpy(&v, value.data, sizeof v);
  if (v.id != x->id)
    return 0;
  c->collection = v;
  memcpy(c->name, key.data, key.len);
  c->name[key.len] = '\0';
  return 0;
}

int store_change_enter_collection_id(struct store_change *c, uint32_t id) {
  struct by_id x = {c, id};
  if (c->name[0] && c->collection.id == id)
    return 0;
  int rc = store_change_flush_collection(c);
  c->name[0] = '\0';
  if (!rc)
    rc = store_each_sealed(c->store, c->txn, T_COLLECTIONS, take_collection, &x);
  return rc || c->name[0] ? rc : MDB_NOTFOUND;
}

struct of_model {
  uint32_t model, dims;
};

static int take_dims(void *arg, struct slice key, struct slice value) {
  struct of_model *x = arg;
  struct store_collection_value v;
  (void)key;
  if (value.len != sizeof v)
    return MDB_CORRUPTED;
  memcpy(&v, value.data, sizeof v);
  if (v.model == x->model && v.documents)
    x->dims = v.dims;
  return 0;
}

int store_change_model_dims(struct store_change *c, uint32_t model, uint32_t *dims) {
  struct of_model x = {model, 0};
  int rc = store_change_flush_collection(c);
  if (!rc)
    rc = store_each_sealed(c->store, c->txn, T_COLLECTIONS, take_dims, &x);
  *dims = x.dims;
  return rc;
}

/* ---- removing ---- */

int store_change_attach(struct store_change *c, size_t i, struct store_segment *seg,
                        struct store_terms *terms, int whole) {
  MDB_val v;
  struct error_text e;
  int rc = store_change_get_raw(c, T_SEGMENTS, &c->entries[i].id, sizeof c->entries[i].id, &v);
  if (rc)
    return rc == MDB_NOTFOUND ? MDB_CORRUPTED : rc;
  if (store_segment_attach(seg, terms, v.mv_data, v.mv_size, &e))
    return MDB_CORRUPTED;
  if (seg->id != c->entries[i].id || seg->docs != c->entries[i].docs)
    return MDB_CORRUPTED;
  int sound = whole ? store_segment_is_sound(seg, v.mv_data) : store_segment_docs_are_sound(seg, v.mv_data);
  return sound ? 0 : MDB_CORRUPTED;
}

int store_change_load_dead(struct store_change *c, size_t i) {
  MDB_val v;
  if (c->dead[i])
    return 0;
  size_t words = c->entries[i].docs / 64 + 1;
  c->dead[i] = xcalloc(words, sizeof **c->dead);
  int rc = store_change_get(c, T_DEAD, &c->entries[i].id, sizeof c->entries[i].id, &v);
  if (rc == 0)
    memcpy(c->dead[i], v.mv_data, v.mv_size < words * 8 ? v.mv_size : words * 8);
  if (rc == MDB_NOTFOUND) /* no document is removed, or the bitmap is lost */
    rc = c->entries[i].live_docs == c->entries[i].docs ? 0 : MDB_CORRUPTED;
  return rc;
}

uint64_t store_change_length_of(const struct store_segment *seg, const struct store_doc *d) {
  uint64_t sum = 0;
  for (uint32_t r = d->first; r < store_segment_doc_end(seg, d); r++)
    sum += seg->length[r];
  return sum;
}

/* The location of a stored document. */
struct change_place {
  struct store_segment seg;
  struct store_terms terms;
  size_t entry;
  uint32_t doc;
};

static int change_place_of(struct store_change *c, uint64_t id, struct change_place *at) {
  for (size_t i = 0; i < c->count; i++) {
    if (id < c->entries[i].first_doc || id > c->entries[i].last_doc)
      continue;
    int rc = store_change_attach(c, i, &at->seg, &at->terms, 0);
    if (rc)
      return rc;
    at->entry = i;
    at->doc = store_doc_index(&at->seg, id);
    if (at->doc < at->seg.docs)
      return 0;
  }
  return MDB_CORRUPTED;
}

int store_change_find_version(struct store_change *c, const struct store_url_key *key,
                              struct store_version *out) {
  struct store_document_view view;
  struct change_place at;
  MDB_val v;
  *out = (struct store_version){0, {0, 0}, STORE_NO_TIME};
  int rc = store_change_get(c, T_URLS, key, sizeof *key, &v);
  if (rc)
    return rc == MDB_NOTFOUND ? 0 : rc;
  if (v.mv_size != sizeof out->id)
    return MDB_CORRUPTED;
  memcpy(&out->id, v.mv_data, sizeof out->id);
  rc = store_change_get_raw(c, T_DOCUMENTS, &out->id, sizeof out->id, &v);
  if (rc || store_document_attach(&view, out->id, v.mv_data, v.mv_size))
    return MDB_CORRUPTED;
  memcpy(out->hash, view.head.hash, sizeof out->hash);
  if (out->id >= c->own_first)
    out->captured = c->batch->segment.doc[out->id - c->own_first].captured;
  else if (!(rc = change_place_of(c, out->id, &at)))
    out->captured = at.seg.doc[at.doc].captured;
  return rc;
}

/* Marks a document in a stored segment as removed. */
static int kill_stored(struct store_change *c, uint64_t id) {
  struct change_place at;
  int rc = change_place_of(c, id, &at);
  if (rc || (rc = store_change_load_dead(c, at.entry)))
    return rc;
  struct store_segment_entry *entry = &c->entries[at.entry];
  uint64_t *word = &c->dead[at.entry][at.doc / 64], bit = (uint64_t)1 << (at.doc % 64);
  if (!(*word & bit)) {
    entry->live_docs--;
    entry->live_rows -= at.seg.doc[at.doc].rows;
    entry->live_length -= store_change_length_of(&at.seg, &at.seg.doc[at.doc]);
    *word |= bit;
  }
  return 0;
}

/* Marks a document of the current batch that is replaced within it. */
static void kill_own(struct store_change *c, uint64_t id) {
  uint64_t i = id - c->own_first; /* ids were assigned in the segment's order */
  c->own_dead[i / 64] |= (uint64_t)1 << (i % 64);
}

/* Removes a document of the current collection; *rows: number of its passages. */
int store_change_remove_document(struct store_change *c, uint64_t id, uint32_t *rows) {
  MDB_val v;
  struct store_document_view view;
  int rc = store_change_get_raw(c, T_DOCUMENTS, &id, sizeof id, &v);
  if (rc)
    return rc == MDB_NOTFOUND ? MDB_CORRUPTED : rc;
  if (store_document_attach(&view, id, v.mv_data, v.mv_size))
    return MDB_CORRUPTED;
  *rows = view.head.rows;
  struct store_url_key key = store_url_key(view.head.collection, view.url);
  if (id >= c->own_first)
    kill_own(c, id);
  else if ((rc = kill_stored(c, id)))
    return rc;
  if (c->name[0] && c->collection.id == view.head.collection) {
    c->collection.documents--;
    c->collection.passages -= *rows;
  }
  rc = store_change_drop(c, T_DOCUMENTS, &id, sizeof id);
  return rc ? rc : store_change_drop(c, T_URLS, &key, sizeof key);
}

/* ---- the manifest ---- */

int store_change_drop_segment(struct store_change *c, size_t i) {
  int rc = store_change_drop(c, T_SEGMENTS, &c->entries[i].id, sizeof c->entries[i].id);
  if (!rc)
    rc = store_change_drop(c, T_DEAD, &c->entries[i].id, sizeof c->entries[i].id);
  free(c->dead[i]);
  memmove(&c->entries[i], &c->entries[i + 1], (c->count - i - 1) * sizeof *c->entries);
  memmove(&c->dead[i], &c->dead[i + 1], (c->count - i - 1) * sizeof *c->dead);
  c->count--;
  return rc;
}

void store_change_insert_entry(struct store_change *c, size_t at, const struct store_segment_entry *entry,
                               uint64_t *dead) {
  c->entries = xreallocarray(c->entries, c->count + 2, sizeof *c->entries);
  c->dead = xreallocarray(c->dead, c->count + 2, sizeof *c->dead);
  memmove(&c->entries[at + 1], &c->entries[at], (c->count - at) * sizeof *c->entries);
  memmove(&c->dead[at + 1], &c->dead[at], (c->count - at) * sizeof *c->dead);
  c->entries[at] = *entry;
  c->dead[at] = dead;
  c->count++;
}

/* Writes all changes except segments; drops segments without live documents. */
static int change_save(struct store_change *c) {
  int rc = store_change_flush_collection(c);
  for (size_t i = c->count; !rc && i-- > 0;) {
    if (c->entries[i].live_docs == 0)
      rc = store_change_drop_segment(c, i);
    else if (c->dead[i])
      rc = store_change_put(c, T_DEAD, &c->entries[i].id, sizeof c->entries[i].id, c->dead[i],
                            (c->entries[i].docs / 64 + (size_t)1) * 8);
  }
  if (!rc)
    rc = store_put_meta(c->store, c->txn, "segments", c->entries, c->count * sizeof *c->entries);
  return rc ? rc : store_put_meta(c->store, c->txn, "counters", &c->counters, sizeof c->counters);
}

enum store_status store_change_end(struct store_change *c, int rc, struct error_text *e) {
  if (!rc)
    rc = change_save(c);
  enum store_status status = rc ? store_fail(e, c->store, rc, "writing") : STORE_OK;
  status = store_finish(c->store, c->txn, status, e);
  store_change_release(c);
  return status;
}

int store_change_put_segment(struct store_change *c, struct store_segment_builder *b, size_t size,
                             uint32_t model, size_t at, uint64_t *dead) {
  if (b->docs == 0) { /* merged from a forged store, whose manifest counts documents that are removed */
    free(dead);
    return 0;
  }
  struct store_segment_entry entry = {.id = c->counters.next_segment++,
                                      .model = model,
                                      .rows = b->rows,
                                      .docs = b->docs,
                                      .first_doc = b->doc[0].id,
                                      .last_doc = b->doc[b->docs - 1].id,
                                      .bytes = size};
  for (uint32_t i = 0; i < b->docs; i++) {
    if (dead && (dead[i / 64] >> (i % 64) & 1))
      continue;
    entry.live_docs++;
    entry.live_rows += b->doc[i].rows;
    for (uint32_t r = b->doc[i].first; r < b->doc[i].first + b->doc[i].rows; r++)
      entry.live_length += b->length[r];
  }
  MDB_val k = {sizeof entry.id, &entry.id}, v = {size, NULL};
  int rc = mdb_put(c->txn, c->store->dbi[T_SEGMENTS], &k, &v, MDB_RESERVE | MDB_APPEND);
  if (!rc)
    store_segment_write(b, entry.id, v.mv_data);
  store_change_insert_entry(c, at, &entry, dead);
  return rc;
}

/* ---- the numbers by which segments refer to strings and companies, given out within a transaction ---- */

int store_change_string_number(struct store_change *c, char kind, const char *text, uint32_t *number) {
  char key[512];
  MDB_val v;
  uint32_t limit = kind == 'm' ? UINT32_MAX : UINT16_MAX;
  *number = 0;
  if (!*text)
    return 0;
  int n = snprintf(key, 500, "%c%s", kind, text);
  size_t len = n < 500 ? (size_t)n : 499;
  int rc = store_change_get(c, T_STRINGS, key, len, &v);
  if (rc == 0 && v.mv_size == sizeof *number) {
    memcpy(number, v.mv_data, sizeof *number);
    return 0;
  }
  if (rc != MDB_NOTFOUND)
    return rc ? rc : MDB_CORRUPTED;
  char name[3] = {'#', kind, 0}; /* the counter of a kind: numbers start at 1 */
  uint32_t next = 1;
  struct slice m;
  if ((rc = store_meta(c->store, c->txn, name, &m)))
    return rc;
  if (m.len == sizeof next)
    memcpy(&next, m.data, sizeof next);
  if (next > limit)
    return 0;
  *number = next++;
  rc = store_change_put(c, T_STRINGS, key, len, number, sizeof *number);
  return rc ? rc : store_put_meta(c->store, c->txn, name, &next, sizeof next);
}

enum { COMPANY_PART = 431 };

/* parts: as in store_change_company_number(). */
static size_t company_key(char key[460], const char *const parts[3]) {
  int n = 0;
  if (*parts[2])
    n = snprintf(key, 460, "c%s", parts[2]);
  else if (*parts[1])
    n = snprintf(key, 460, "t%s", parts[1]);
  else if (*parts[0])
    n = snprintf(key, 460, "n%s", parts[0]);
  return n < 460 ? (size_t)n : 459;
}

int store_change_company_number(struct store_change *c, const char *const parts[3], uint32_t *number) {
  char key[460], value[sizeof *number + 3 * (COMPANY_PART + 1)];
  size_t len = company_key(key, parts);
  MDB_val v;
  *number = 0;
  if (len == 0)
    return 0;
  int rc = store_change_get(c, T_COMPANIES, key, len, &v), known = rc == 0;
  if (rc && rc != MDB_NOTFOUND)
    return rc;
  if (known && v.mv_size < sizeof *number)
    return MDB_CORRUPTED;
  if (known)
    memcpy(number, v.mv_data, sizeof *number);
  else
    *number = c->counters.next_company++;
  size_t at = sizeof *number;
  memcpy(value, number, at);
  for (int i = 0; i < 3; i++) { /* longer ones are only in forged stores that are merged */
    size_t n = strnlen(parts[i], COMPANY_PART);
    memcpy(value + at, parts[i], n);
    value[at + n] = '\0';
    at += n + 1;
  }
  if (known && at <= v.mv_size)
    return 0;
  return store_change_put(c, T_COMPANIES, key, len, value, at);
}
