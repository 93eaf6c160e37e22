/* store_absorb.c: copies the contents of another store without indexing them again.
 *
 * Segments are immutable, and the numbers in them that are specific to a store (documents, collections, companies,
 * forms, items) are confined to two columns.  So a segment is copied as it is, with these two columns translated and
 * their checksums recomputed.  A document's value is copied with its collection's new number.  Texts stay compressed
 * with their dictionary, which is copied under a number of its own (store_format.h).
 *
 * A segment and its documents are copied in one transaction: if the process is killed, some segments are copied
 * completely and the others not at all; repeating it continues, since documents already stored with the same content
 * are skipped.  Other writers may write between two segments.  Of two versions of a document (a URL in a collection)
 * the one captured later is kept; if captured at the same time, the one that comes last, as if it had been indexed
 * last.
 */
#include "store/store_change.h"

#include <stdlib.h>

#define UNKNOWN UINT32_MAX /* not translated yet */

/* Maps numbers of the source store to those of the destination. */
struct translation {
  uint32_t *to;
  size_t count;
};

struct absorber {
  struct store *into;
  struct store_snapshot *from;
  struct store_absorbed *sum;
  struct translation companies, forms, items, dictionaries;
  const char **collections; /* names by number; NULL: none, or skipped */
  size_t collection_count;
  enum store_status status; /* of an error that doesn't come from LMDB; its message is in e */
  struct error_text e;
};

/* A segment being copied. */
struct taken {
  const struct store_segment *seg;
  struct store_doc *docs; /* [seg->docs] with their new numbers */
  uint16_t *items;        /* [seg->rows] */
  uint64_t *dead;         /* bitmap of docs that are skipped */
  struct store_segment_entry entry;
};

static struct translation translation_new(size_t count) {
  struct translation t = {xmalloc((count + 1) * sizeof *t.to), count};
  for (size_t i = 0; i <= count; i++)
    t.to[i] = UNKNOWN;
  t.to[0] = 0; /* "unknown" is 0 in every store */
  return t;
}

/* The translation slot of a number, or NULL where the source store doesn't have that number. */
static uint32_t *translation_of(struct translation *t, uint32_t number) {
  return number < t->count || number == 0 ? &t->to[number] : NULL;
}

static int refuse(struct absorber *x, enum store_status status) {
  x->status = status;
  return MDB_CORRUPTED; /* any error aborts the transaction */
}

/* ---- numbers ---- */

static int translate_company(struct absorber *x, struct store_change *c, uint32_t number, uint32_t *out) {
  const struct store_company *list;
  size_t count = store_companies(x->from, &list);
  uint32_t *known = translation_of(&x->companies, number);
  if (!known || (number && number >= count))
    return MDB_CORRUPTED;
  if (*known == UNKNOWN) {
    const char *parts[3] = {list[number].name, list[number].ticker, list[number].cik};
    int rc = store_change_company_number(c, parts, known);
    if (rc)
      return rc;
  }
  *out = *known;
  return 0;
}

static int translate_string(struct store_change *c, char kind, struct translation *t, const char *const *list,
                            uint16_t number, uint16_t *out) {
  uint32_t *known = translation_of(t, number);
  if (!known)
    return MDB_CORRUPTED;
  if (*known == UNKNOWN) {
    int rc = store_change_string_number(c, kind, list[number], known);
    if (rc)
      return rc;
  }
  *out = (uint16_t)*known;
  return 0;
}

/* ---- dictionaries ---- */

/* The number under which the destination has these bytes, or the first free one. */
static int find_dictionary(struct store_change *c, struct slice bytes, uint32_t *number, int *found) {
  struct slice v;
  char name[24];
  *found = 0;
  for (*number = 0; *number < STORE_DICTIONARIES_MAX; ++*number) {
    store_dictionary_name(*number, name);
    int rc = store_meta(c->store, c->txn, name, &v);
    if (rc)
      return rc;
    *found = v.len && slice_eq(v, bytes);
    if (*found || v.len == 0)
      return 0;
  }
  return 0;
}

/* A store with several dictionaries gets a new format version, since older versions of BID know only one. */
static int share_format(struct store_change *c) {
  struct slice v;
  struct store_format_head head;
  int rc = store_meta(c->store, c->txn, "format", &v);
  if (rc || v.len != sizeof head)
    return rc ? rc : MDB_CORRUPTED;
  memcpy(&head, v.data, sizeof head);
  head.version = STORE_FORMAT_SHARED;
  return store_put_meta(c->store, c->txn, "format", &head, sizeof head);
}

static int bring_dictionary(struct absorber *x, struct store_change *c, struct slice bytes,
                            uint32_t *number) {
  char name[24];
  int found, rc = find_dictionary(c, bytes, number, &found);
  if (rc || found)
    return rc;
  if (*number == STORE_DICTIONARIES_MAX) {
    error_set(&x->e, "%s: has %d dictionaries, and no room for another store's; dump and load it",
              c->store->path, STORE_DICTIONARIES_MAX);
    return refuse(x, STORE_LIMIT);
  }
  store_dictionary_name(*number, name);
  rc = store_put_meta(c->store, c->txn, name, bytes.data, bytes.len);
  return rc || *number == 0 ? rc : share_format(c);
}

static int translate_dictionary(struct absorber *x, struct store_change *c, uint32_t number, uint32_t *out) {
  struct slice v;
  char name[24];
  while (x->dictionaries.count <= number && number < STORE_DICTIONARIES_MAX) {
    x->dictionaries.to = xreallocarray(x->dictionaries.to, x->dictionaries.count + 1, sizeof(uint32_t));
    x->dictionaries.to[x->dictionaries.count++] = UNKNOWN;
  }
  if (number >= x->dictionaries.count)
    return MDB_CORRUPTED;
  uint32_t *known = &x->dictionaries.to[number];
  if (*known == UNKNOWN) {
    store_dictionary_name(number, name);
    int rc = store_meta(x->from->store, x->from->txn, name, &v);
    if (!rc && v.len == 0)
      rc = MDB_CORRUPTED;
    if (!rc)
      rc = bring_dictionary(x, c, v, known);
    if (rc)
      return rc;
  }
  *out = *known;
  return 0;
}

/* ---- documents ---- */

/* Selects the destination collection of the document. */
static int enter(struct absorber *x, struct store_change *c, const char *name,
                 const struct store_segment *seg) {
  uint32_t model, dims = (uint32_t)seg->vectors.dims;
  int rc = store_change_enter_collection(c, name, 1);
  if (!rc)
    rc = store_change_string_number(c, 'm', seg->model, &model);
  if (rc)
    return rc;
  if (c->collection.documents && c->collection.model != model) {
    error_set(&x->e, "%s: collection %s holds vectors of another model than %s, which %s has", c->store->path,
              name, seg->model, x->from->store->path);
    return refuse(x, STORE_MODEL);
  }
  c->collection.model = model;
  c->collection.dims = dims;
  return 0;
}

/* Copies a document's value under its new id. */
static int put_value(struct absorber *x, struct store_change *c, const struct store_doc *d,
                     const MDB_val *value) {
  struct store_document_head head;
  MDB_val k = {sizeof d->id, (void *)(uintptr_t)&d->id}, v = {value->mv_size, NULL};
  memcpy(&head, value->mv_data, sizeof head);
  if (head.packed & 1) {
    uint32_t number;
    int rc = translate_dictionary(x, c, head.packed >> 8, &number);
    if (rc)
      return rc;
    head.packed = 1 | number << 8;
  }
  int rc = mdb_put(c->txn, c->store->dbi[T_DOCUMENTS], &k, &v, MDB_RESERVE | MDB_APPEND);
  if (rc)
    return rc;
  head.collection = d->collection;
  memcpy(v.mv_data, value->mv_data, value->mv_size);
  memcpy(v.mv_data, &head, sizeof head);
  head.check = store_document_check(d->id, v.mv_data, v.mv_size);
  memcpy(v.mv_data, &head, sizeof head);
  return 0;
}

static int absorb_put(struct absorber *x, struct store_change *c, struct store_doc *d,
                      const struct store_url_key *key, const MDB_val *value) {
  const char *const *forms;
  store_forms(x->from, &forms);
  d->collection = c->collection.id;
  int rc = translate_company(x, c, d->company, &d->company);
  if (!rc)
    rc = translate_string(c, 'f', &x->forms, forms, d->form, &d->form);
  if (!rc)
    rc = put_value(x, c, d, value);
  if (!rc)
    rc = store_change_put(c, T_URLS, key, sizeof *key, &d->id, sizeof d->id);
  if (rc)
    return rc;
  c->collection.documents++;
  c->collection.passages += d->rows;
  x->sum->documents++;
  x->sum->passages += d->rows;
  return 0;
}

/* 1 where the document is skipped, since the destination has it or a newer one. */
static int is_passed_over(struct absorber *x, const struct store_version *old, const struct store_doc *d,
                          const uint64_t hash[2]) {
  if (old->id == 0)
    return 0;
  if (memcmp(old->hash, hash, sizeof old->hash) == 0) {
    x->sum->unchanged++;
    return 1;
  }
  x->sum->older += old->captured > d->captured;
  return old->captured > d->captured;
}

/* *stays: set where the document is copied. */
static int absorb_document(struct absorber *x, struct store_change *c, const struct store_segment *seg,
                           struct store_doc *d, uint64_t from_id, int *stays) {
  struct store_document_view view;
  struct store_version old;
  MDB_val k = {sizeof from_id, &from_id}, value;
  const char *name = d->collection < x->collection_count ? x->collections[d->collection] : NULL;
  *stays = 0;
  if (!name) /* a collection in progress ("bid-store reembed") */
    return 0;
  int rc = mdb_get(x->from->txn, x->from->store->dbi[T_DOCUMENTS], &k, &value);
  if (rc || store_document_attach(&view, from_id, value.mv_data, value.mv_size)) {
    store_damaged(&x->e, x->from->store, "a document's value");
    return refuse(x, STORE_CORRUPT);
  }
  if ((rc = enter(x, c, name, seg)))
    return rc;
  struct store_url_key key = store_url_key(c->collection.id, view.url);
  if ((rc = store_change_find_version(c, &key, &old)) || is_passed_over(x, &old, d, view.head.hash))
    return rc;
  uint32_t rows = 0;
  if (old.id && (rc = store_change_remove_document(c, old.id, &rows)))
    return rc;
  x->sum->replaced += old.id != 0;
  *stays = 1;
  return absorb_put(x, c, d, &key, &value);
}

/* ---- segments ---- */

static void count_live(struct taken *t, uint32_t i) {
  t->entry.live_docs++;
  t->entry.live_rows += t->docs[i].rows;
  t->entry.live_length += store_change_length_of(t->seg, &t->docs[i]);
}

static int absorb_documents(struct absorber *x, struct store_change *c, struct taken *t) {
  const struct store_segment *seg = t->seg;
  int rc = 0;
  for (uint32_t i = 0; !rc && i < seg->docs; i++) {
    struct store_doc *d = &t->docs[i];
    int stays = 0;
    *d = seg->doc[i];
    d->id = c->counters.next_doc++;
    if (!seg->dead_docs || !(seg->dead_docs[i / 64] >> (i % 64) & 1))
      rc = absorb_document(x, c, seg, d, seg->doc[i].id, &stays);
    if (stays)
      count_live(t, i);
    else
      t->dead[i / 64] |= (uint64_t)1 << (i % 64);
  }
  return rc;
}

static int translate_items(struct absorber *x, struct store_change *c, struct taken *t) {
  const char *const *items;
  store_items(x->from, &items);
  for (uint32_t r = 0; r < t->seg->rows; r++) {
    int rc = translate_string(c, 'i', &x->items, items, t->seg->item[r], &t->items[r]);
    if (rc)
      return rc;
  }
  return 0;
}

static int put_copy(struct store_change *c, struct taken *t, const MDB_val *value) {
  struct store_segment_entry *entry = &t->entry;
  entry->id = c->counters.next_segment++;
  entry->first_doc = t->docs[0].id;
  entry->last_doc = t->docs[entry->docs - 1].id;
  MDB_val k = {sizeof entry->id, &entry->id}, v = {value->mv_size, NULL};
  int rc = mdb_put(c->txn, c->store->dbi[T_SEGMENTS], &k, &v, MDB_RESERVE | MDB_APPEND);
  if (rc)
    return rc;
  store_segment_copy(value->mv_data, value->mv_size, entry->id, t->docs, t->items, v.mv_data);
  uint64_t *dead = NULL;
  if (entry->live_docs < entry->docs) {
    dead = t->dead;
    t->dead = NULL;
  }
  store_change_insert_entry(c, c->count, entry, dead);
  return 0;
}

/* Total size of the documents' values. */
static size_t values_of(const struct absorber *x, const struct store_segment *seg) {
  size_t bytes = 0;
  for (uint32_t i = 0; i < seg->docs; i++) {
    uint64_t id = seg->doc[i].id;
    MDB_val k = {sizeof id, &id}, v;
    if (mdb_get(x->from->txn, x->from->store->dbi[T_DOCUMENTS], &k, &v) == 0)
      bytes += v.mv_size + 8192;
  }
  return bytes;
}

static int check_dims(struct absorber *x, struct store_change *c, const struct taken *t) {
  uint32_t ours, theirs = (uint32_t)t->seg->vectors.dims;
  int rc = store_change_model_dims(c, t->entry.model, &ours);
  if (rc || !ours || ours == theirs)
    return rc;
  error_set(&x->e, "%s: has vectors of %s with %u dimensions, %s with %u", c->store->path, t->seg->model,
            ours, x->from->store->path, theirs);
  return refuse(x, STORE_MODEL);
}

static int absorb_into(struct absorber *x, struct store_change *c, struct taken *t, const MDB_val *value) {
  int rc = store_change_string_number(c, 'm', t->seg->model, &t->entry.model);
  if (!rc)
    rc = check_dims(x, c, t);
  if (!rc)
    rc = absorb_documents(x, c, t);
  if (rc || t->entry.live_docs == 0)
    return rc;
  rc = translate_items(x, c, t);
  return rc ? rc : put_copy(c, t, value);
}

static enum store_status absorb_segment(struct absorber *x, const struct store_segment *seg,
                                        struct error_text *e) {
  struct store_change c;
  uint32_t id = seg->id;
  MDB_val k = {sizeof id, &id}, value;
  int rc = mdb_get(x->from->txn, x->from->store->dbi[T_SEGMENTS], &k, &value);
  if (rc || !store_segment_is_sound(seg, value.mv_data))
    return store_damaged(e, x->from->store, "a segment");
  enum store_status status = store_change_begin(&c, x->into, value.mv_size + values_of(x, seg), e);
  if (status)
    return status;
  struct taken t = {.seg = seg,
                    .docs = xcalloc(seg->docs + (size_t)1, sizeof *t.docs),
                    .items = xcalloc(seg->rows + (size_t)1, sizeof *t.items),
                    .dead = xcalloc(seg->docs / 64 + (size_t)1, sizeof *t.dead),
                    .entry = {.rows = seg->rows, .docs = seg->docs, .bytes = value.mv_size}};
  struct store_absorbed before = *x->sum;
  rc = absorb_into(x, &c, &t, &value);
  status = store_change_end(&c, rc, e);
  if (x->status) {
    status = x->status;
    *e = x->e;
  }
  if (status)
    *x->sum = before;
  free(t.docs);
  free(t.items);
  free(t.dead);
  return status;
}

/* ---- the store ---- */

/* Collections get consecutive numbers; a larger one is forged, and would allocate memory in proportion to it. */
#define COLLECTIONS_MAX (1u << 24)

static void name_collections(struct absorber *x) {
  const struct store_collection *list;
  size_t count = store_collections(x->from, &list), most = 0;
  for (size_t i = 0; i < count; i++)
    most = list[i].id > most && list[i].id < COLLECTIONS_MAX ? list[i].id : most;
  x->collections = xcalloc(most + 1, sizeof *x->collections);
  x->collection_count = most + 1;
  for (size_t i = 0; i < count; i++)
    if (list[i].id <= most)
      x->collections[list[i].id] = list[i].name;
}

static void absorber_init(struct absorber *x) {
  const struct store_company *companies;
  const char *const *list;
  x->companies = translation_new(store_companies(x->from, &companies));
  x->forms = translation_new(store_forms(x->from, &list));
  x->items = translation_new(store_items(x->from, &list));
  name_collections(x);
}

static void absorber_release(struct absorber *x) {
  free(x->companies.to);
  free(x->forms.to);
  free(x->items.to);
  free(x->dictionaries.to);
  free(x->collections);
}

/* Checked before anything is written: a collection in both stores must have one model. */
static enum store_status models_agree(const struct absorber *x, struct error_text *e) {
  struct store_snapshot *snap;
  const struct store_collection *list;
  enum store_status status = store_snapshot_begin(x->into, &snap, e);
  if (status)
    return status;
  size_t count = store_collections(x->from, &list);
  for (size_t i = 0; i < count && !status; i++) {
    const struct store_collection *ours = store_collection(snap, list[i].name);
    if (!ours || !ours->documents || !list[i].documents || strcmp(ours->model, list[i].model) == 0)
      continue;
    error_set(e, "%s: collection %s holds vectors of %s, in %s of %s; nothing was taken in", x->into->path,
              list[i].name, ours->model, x->from->store->path, list[i].model);
    status = STORE_MODEL;
  }
  store_snapshot_end(snap);
  return status;
}

enum store_status store_absorb(struct store *into, struct store *from, struct store_absorbed *sum,
                               struct error_text *e) {
  struct absorber x = {.into = into, .sum = sum};
  const struct store_segment *list;
  memset(sum, 0, sizeof *sum);
  enum store_status status = store_snapshot_begin(from, &x.from, e);
  if (status)
    return status;
  absorber_init(&x);
  status = store_snapshot_check(x.from, e);
  if (!status)
    status = models_agree(&x, e);
  size_t count = store_segments(x.from, &list);
  for (size_t i = 0; i < count && !status; i++)
    status = absorb_segment(&x, &list[i], e);
  absorber_release(&x);
  store_snapshot_end(x.from);
  return status;
}

enum store_status store_absorb_end(struct store *into, struct error_text *e) {
  enum store_status status = store_merge(into, 0, e);
  return status ? status : store_measure_sketches(into, e);
}
