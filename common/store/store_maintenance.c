/* store_maintenance.c: verifying, backing up, compacting, measuring sizes. */
#include "store/store_private.h"

#include "base/hash.h"
#include "base/clock.h"
#include "base/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- verifying ---- */

struct check {
  struct store_snapshot *snap;
  void (*f)(void *, const char *);
  void *arg;
  uint64_t faults, documents, passages;
};

static void store_maintenance_fault(struct check *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void store_maintenance_fault(struct check *c, const char *format, ...) {
  char text[256];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  c->faults++;
  c->f(c->arg, text);
}

/* Checks the postings of term i: rows ascend, every block keeps its bounds, and none is missing. */
static void check_postings(struct check *c, const struct store_segment *seg, uint32_t i) {
  struct store_postings p;
  uint32_t rows[STORE_BLOCK], n = 0, before = UINT32_MAX;
  uint8_t text[STORE_BLOCK], context[STORE_BLOCK];
  for (int more = store_postings_open(&p, seg, seg->terms->hashes[i]); more; more = store_postings_next(&p)) {
    store_postings_decode(&p, rows, text, context);
    for (uint32_t k = 0; k < p.count; k++, n++) {
      if (before != UINT32_MAX && rows[k] <= before) {
        store_maintenance_fault(c, "segment %u: rows don't ascend in the postings of term %u", seg->id, i);
        return;
      }
      before = rows[k];
      if (text[k] > p.max_text || context[k] > p.max_context || rows[k] > p.last ||
          seg->length[rows[k]] < p.min_length) {
        store_maintenance_fault(c, "segment %u: a block's bounds are off in the postings of term %u", seg->id,
                                i);
        return;
      }
    }
  }
  if (n == 0 || n != p.total)
    store_maintenance_fault(c, "segment %u: postings are cut short: term %u", seg->id, i);
}

static void check_segment(struct check *c, const struct store_segment *seg, const void *value) {
  uint64_t faults = c->faults;
  for (enum store_segment_part p = 0; p < PART_SUMS; p++)
    if (!store_segment_part_is_right(value, p))
      store_maintenance_fault(c, "segment %u: checksum of its %s is off", seg->id,
                              store_segment_part_name(p));
  if (!store_segment_docs_fill(seg))
    store_maintenance_fault(c, "segment %u: its documents don't fill its rows", seg->id);
  else if (faults == c->faults)
    for (uint32_t i = 0; i < seg->terms->count; i++) {
      if (i && seg->terms->hashes[i] <= seg->terms->hashes[i - 1])
        store_maintenance_fault(c, "segment %u: hashes don't ascend at term %u", seg->id, i);
      check_postings(c, seg, i);
    }
}

static void check_segments(struct check *c) {
  struct store_snapshot *s = c->snap;
  for (size_t i = 0; i < s->count; i++) {
    const struct store_segment *seg = &s->segments[i];
    MDB_val k = {sizeof s->entries[i].id, (void *)(uintptr_t)&s->entries[i].id}, v;
    if (mdb_get(s->txn, s->store->dbi[T_SEGMENTS], &k, &v) == 0)
      check_segment(c, seg, v.mv_data);
    uint64_t rows = 0, docs = 0, length = 0;
    for (uint32_t d = 0; d < seg->docs; d++) {
      if (store_segment_doc_is_dead(seg, d))
        continue;
      docs++;
      rows += seg->doc[d].rows;
      for (uint32_t r = seg->doc[d].first; r < store_segment_doc_end(seg, &seg->doc[d]); r++)
        length += seg->length[r];
    }
    if (rows != seg->live_rows || docs != seg->live_docs || length != seg->live_length)
      store_maintenance_fault(c, "segment %u: the manifest counts %u live passages, there are %llu", seg->id,
                              seg->live_rows, (unsigned long long)rows);
    c->documents += docs;
    c->passages += rows;
  }
}

static void check_texts(struct check *c, const struct store_segment *seg, const struct store_doc *doc,
                        struct slice url, struct store_text *text) {
  struct error_text e;
  for (uint32_t r = doc->first; r < store_segment_doc_end(seg, doc); r++)
    if (store_get_text(c->snap, seg, r, text, &e)) {
      store_maintenance_fault(c, "document %llu, %.*s: passage %u can't be read", (unsigned long long)doc->id,
                              (int)url.len, url.data, r - doc->first);
      return;
    }
}

static void check_json(struct check *c, const struct store_doc *doc, struct slice url) {
  struct buf json;
  struct error_text e;
  buf_init(&json, (size_t)1 << 31);
  if (store_get_document(c->snap, doc->id, &json, &e))
    store_maintenance_fault(c, "document %llu, %.*s: its fields can't be read", (unsigned long long)doc->id,
                            (int)url.len, url.data);
  buf_release(&json);
}

static void store_maintenance_check_url(struct check *c, const struct store_doc *doc, struct slice url) {
  struct store_url_key key = store_url_key(doc->collection, url);
  uint64_t id = 0;
  MDB_val v;
  if (store_get_sealed(c->snap->txn, c->snap->store->dbi[T_URLS], &key, sizeof key, &v) == 0 &&
      v.mv_size == sizeof id)
    memcpy(&id, v.mv_data, sizeof id);
  if (id != doc->id)
    store_maintenance_fault(c, "document %llu: its URL leads to %llu", (unsigned long long)doc->id,
                            (unsigned long long)id);
}

/* Checks that a live document has a value that agrees with its segment. */
static void check_value(struct check *c, const struct store_segment *seg, const struct store_doc *doc,
                        struct store_text *text) {
  struct store_document_view v;
  MDB_val key = {sizeof doc->id, (void *)(uintptr_t)&doc->id}, value;
  int rc = mdb_get(c->snap->txn, c->snap->store->dbi[T_DOCUMENTS], &key, &value);
  if (rc || store_document_attach(&v, doc->id, value.mv_data, value.mv_size)) {
    store_maintenance_fault(c, "document %llu: its value is %s", (unsigned long long)doc->id,
                            rc ? "missing" : "damaged");
    return;
  }
  if (v.head.rows != doc->rows || v.head.collection != doc->collection)
    store_maintenance_fault(c, "document %llu: value and segment disagree", (unsigned long long)doc->id);
  else
    check_texts(c, seg, doc, v.url, text);
  check_json(c, doc, v.url);
  store_maintenance_check_url(c, doc, v.url);
}

static void check_values(struct check *c) {
  struct store_text text;
  store_text_init(&text);
  for (size_t i = 0; i < c->snap->count; i++)
    for (uint32_t d = 0; d < c->snap->segments[i].docs; d++)
      if (!store_segment_doc_is_dead(&c->snap->segments[i], d))
        check_value(c, &c->snap->segments[i], &c->snap->segments[i].doc[d], &text);
  store_text_release(&text);
}

static uint64_t entries_of(const struct check *c, enum store_table t) {
  MDB_stat st;
  return mdb_stat(c->snap->txn, c->snap->store->dbi[t], &st) ? 0 : st.ms_entries;
}

struct collection_counts {
  uint64_t documents, passages;
};

static int count_collection(void *arg, struct slice key, struct slice value) {
  struct collection_counts *n = arg;
  struct store_collection_value v;
  (void)key;
  if (value.len != sizeof v)
    return MDB_CORRUPTED;
  memcpy(&v, value.data, sizeof v);
  n->documents += v.documents;
  n->passages += v.passages;
  return 0;
}

static int pass_entry(void *arg, struct slice key, struct slice value) {
  (void)arg, (void)key, (void)value;
  return 0;
}

/* Verifies the checksums of the small tables. */
static void check_tables(struct check *c) {
  static const struct {
    enum store_table table;
    const char *name;
  } sealed[] = {{T_META, "meta"},           {T_STRINGS, "strings"},
                {T_COMPANIES, "companies"}, {T_COLLECTIONS, "collections"},
                {T_URLS, "urls"},           {T_DEAD, "dead"}};
  for (size_t i = 0; i < sizeof sealed / sizeof *sealed; i++)
    if (store_each_sealed(c->snap->store, c->snap->txn, sealed[i].table, pass_entry, NULL))
      store_maintenance_fault(c, "the table %s is damaged", sealed[i].name);
}

static void check_counts(struct check *c) {
  struct collection_counts n = {0, 0};
  store_each_sealed(c->snap->store, c->snap->txn, T_COLLECTIONS, count_collection, &n);
  if (n.documents != c->documents || n.passages != c->passages)
    store_maintenance_fault(c,
                            "collections count %llu documents and %llu passages, segments hold %llu and %llu",
                            (unsigned long long)n.documents, (unsigned long long)n.passages,
                            (unsigned long long)c->documents, (unsigned long long)c->passages);
  if (entries_of(c, T_DOCUMENTS) != c->documents || entries_of(c, T_URLS) != c->documents)
    store_maintenance_fault(c, "%llu documents, but %llu values and %llu URLs",
                            (unsigned long long)c->documents, (unsigned long long)entries_of(c, T_DOCUMENTS),
                            (unsigned long long)entries_of(c, T_URLS));
  if (entries_of(c, T_SEGMENTS) != c->snap->count)
    store_maintenance_fault(c, "the manifest names %zu segments, there are %llu", c->snap->count,
                            (unsigned long long)entries_of(c, T_SEGMENTS));
}

enum store_status store_verify(struct store *s, void (*f)(void *arg, const char *fault), void *arg,
                               struct error_text *e) {
  struct check c = {.f = f, .arg = arg};
  enum store_status status = store_snapshot_begin(s, &c.snap, e);
  if (status)
    return status;
  check_tables(&c);
  check_segments(&c);
  check_values(&c);
  check_counts(&c);
  store_snapshot_end(c.snap);
  if (c.faults == 0)
    return STORE_OK;
  error_set(e, "%s: %llu fault%s; restore a backup, or index the sources again into a new store", s->path,
            (unsigned long long)c.faults, c.faults == 1 ? "" : "s");
  return STORE_CORRUPT;
}

/* ---- copies ---- */

/* Removes orphaned temporary copies beside `path`: those without a lock, which a running copy holds. */
static void drop_leftovers_of(const char *path) {
  struct buf pattern;
  glob_t found;
  buf_init(&pattern, 16384);
  for (const char *p = path; *p; p++) { /* escape characters that glob(3) would interpret */
    if (strchr("*?[]\\", *p))
      buf_add_char(&pattern, '\\');
    buf_add_char(&pattern, *p);
  }
  buf_add_str(&pattern, ".*.part");
  int failed = glob(pattern.data, GLOB_NOSORT, NULL, &found);
  for (size_t i = 0; !failed && i < found.gl_pathc; i++) {
    int fd = open(found.gl_pathv[i], O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
      unlink(found.gl_pathv[i]);
    if (fd >= 0)
      close(fd);
  }
  if (!failed)
    globfree(&found);
  buf_release(&pattern);
}

/* Copies into a temporary file beside `path` that is renamed once it is complete and synced. */
static enum store_status copy_to(struct store *s, const char *path, struct error_text *e) {
  struct buf temporary;
  buf_init(&temporary, 4200);
  buf_printf(&temporary, "%s.%ld.part", path, (long)getpid());
  drop_leftovers_of(path);
  int fd = open(temporary.data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd >= 0)
    (void)flock(fd, LOCK_EX | LOCK_NB);
  int rc = fd < 0 ? errno : mdb_env_copyfd2(s->env, fd, MDB_CP_COMPACT);
  if (!rc && fsync(fd))
    rc = errno;
  if (fd >= 0)
    close(fd);
  if (!rc && rename(temporary.data, path))
    rc = errno;
  if (rc)
    unlink(temporary.data);
  else if (paths_sync_folder_of(
               path)) /* otherwise a power failure could restore the old file, without later commits */
    rc = errno;
  buf_clear(&temporary);
  buf_printf(&temporary, "copying to %s", path);
  enum store_status status = rc ? store_fail(e, s, rc, temporary.data) : STORE_OK;
  buf_release(&temporary);
  return status;
}

enum store_status store_backup(struct store *s, const char *path, struct error_text *e) {
  struct stat st;
  if (stat(path, &st) == 0) {
    error_set(e, "%s: exists already", path);
    return STORE_IO;
  }
  return copy_to(s, path, e);
}

/* The size of the store's file, in bytes. */
static enum store_status file_size(const struct store *s, uint64_t *bytes, struct error_text *e) {
  struct stat st;
  if (stat(s->path, &st))
    return store_fail(e, s, errno, "reading the size");
  *bytes = (uint64_t)st.st_size;
  return STORE_OK;
}

enum store_status store_compact(struct store *s, uint64_t *before, uint64_t *after, struct error_text *e) {
  enum store_status status = file_size(s, before, e);
  if (!status)
    status = store_merge(s, 1, e);
  if (!status)
    status = store_alone(s, e);
  if (!status)
    status = copy_to(s, s->path, e);
  if (!status)
    store_forget_lock(s);
  if (!status)
    status = file_size(s, after, e);
  return status;
}

/* ---- measuring ---- */

static void add_segment(struct store_sizes *out, const struct store_segment *seg) {
  const struct vector_rows *v = &seg->vectors;
  uint64_t rows = seg->rows;
  out->vectors += rows * (v->width / 2 * 3 + 4);
  out->sketches += rows * (v->width / 8 + 4);
  out->postings += seg->terms->count * 12ull + seg->terms->postings_len;
  out->columns += rows * 21 + seg->docs * 64ull;
  out->passages += seg->live_rows;
  out->documents += seg->live_docs;
  out->dead += rows - seg->live_rows;
}

/* The bytes of one table's pages. */
static enum store_status table_size(const struct store_snapshot *snap, enum store_table t, uint64_t *bytes,
                                    struct error_text *e) {
  MDB_stat st;
  int rc = mdb_stat(snap->txn, snap->store->dbi[t], &st);
  if (rc)
    return store_fail(e, snap->store, rc, "reading the size of a table");
  *bytes = (st.ms_branch_pages + st.ms_leaf_pages + st.ms_overflow_pages) * (uint64_t)st.ms_psize;
  return STORE_OK;
}

enum store_status store_measure(const struct store_snapshot *snap, struct store_sizes *out,
                                struct error_text *e) {
  memset(out, 0, sizeof *out);
  enum store_status status = file_size(snap->store, &out->file, e);
  for (int t = 0; !status && t < T_COUNT; t++) {
    uint64_t bytes = 0;
    status = table_size(snap, (enum store_table)t, &bytes, e);
    out->used += bytes;
    if (t == T_DOCUMENTS)
      out->texts = bytes;
  }
  out->free_bytes = out->file > out->used ? out->file - out->used : 0;
  out->segments = snap->count;
  for (size_t i = 0; i < snap->count; i++)
    add_segment(out, &snap->segments[i]);
  return status;
}
