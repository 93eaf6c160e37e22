/* store_snapshot.c: snapshots: the segments of a transaction's manifest, attached and verified; what unpacks their texts. */
#include "store/store_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- decompression: the dictionaries of a store, the contexts of a snapshot ---- */

void store_dictionary_name(uint32_t number, char name[24]) {
  snprintf(name, 24, number ? "dictionary.%u" : "dictionary", number);
}

/* Loads a dictionary into s->ddicts; the caller holds s->mutex.  An LMDB code. */
static int store_unpack_load_dictionary(struct store_snapshot *snap, uint32_t number) {
  struct store *s = snap->store;
  char name[24];
  struct slice v;
  if (number < s->ddict_count && s->ddicts[number])
    return 0;
  while (s->ddict_count <= number && number < STORE_DICTIONARIES_MAX) {
    s->ddicts = xreallocarray(s->ddicts, s->ddict_count + 1, sizeof(ZSTD_DDict *));
    s->ddicts[s->ddict_count++] = NULL;
  }
  if (number >= s->ddict_count)
    return MDB_CORRUPTED;
  store_dictionary_name(number, name);
  int rc = store_meta(s, snap->txn, name, &v);
  if (!rc && v.len && !(s->ddicts[number] = ZSTD_createDDict(v.data, v.len)))
    diag_oom();
  return rc;
}

int store_unpack(ZSTD_DCtx *ctx, const ZSTD_DDict *dict, struct slice packed, struct buf *out, size_t max) {
  unsigned long long size = ZSTD_getFrameContentSize(packed.data, packed.len);
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > max ||
      buf_reserve(out, (size_t)size))
    return -1;
  size_t n = dict ? ZSTD_decompress_usingDDict(ctx, out->data + out->len, (size_t)size, packed.data,
                                               packed.len, dict)
                  : ZSTD_decompressDCtx(ctx, out->data + out->len, (size_t)size, packed.data, packed.len);
  if (ZSTD_isError(n) || n != size)
    return -1;
  out->len += n;
  out->data[out->len] = '\0';
  return 0;
}

const ZSTD_DDict *store_unpack_dictionary(const struct store_snapshot *snap,
                                          const struct store_document_head *h) {
  struct store_snapshot *own = (struct store_snapshot *)(uintptr_t)snap;
  struct store *s = snap->store;
  uint32_t number = h->packed >> 8;
  const ZSTD_DDict *found = NULL;
  if (!(h->packed & 1))
    return NULL;
  pthread_mutex_lock(&own->mutex); /* guards the transaction */
  pthread_mutex_lock(&s->mutex);
  int rc = store_unpack_load_dictionary(own, number);
  if (!rc)
    found = s->ddicts[number];
  pthread_mutex_unlock(&s->mutex);
  pthread_mutex_unlock(&own->mutex);
  if (rc)
    atomic_store(&own->damaged, rc);
  return found;
}

ZSTD_DCtx *store_unpack_new(void) {
  ZSTD_DCtx *ctx = ZSTD_createDCtx();
  if (!ctx)
    diag_oom();
  return ctx;
}

ZSTD_DCtx *store_unpack_take(const struct store_snapshot *snap) {
  struct store_snapshot *own = (struct store_snapshot *)(uintptr_t)snap;
  pthread_mutex_lock(&own->mutex);
  ZSTD_DCtx *ctx = own->unpacker_count ? own->unpackers[--own->unpacker_count] : NULL;
  pthread_mutex_unlock(&own->mutex);
  return ctx ? ctx : store_unpack_new();
}

void store_unpack_give(const struct store_snapshot *snap, ZSTD_DCtx *ctx) {
  struct store_snapshot *own = (struct store_snapshot *)(uintptr_t)snap;
  pthread_mutex_lock(&own->mutex);
  int room = own->unpacker_count < SNAPSHOT_UNPACKERS;
  if (room)
    own->unpackers[own->unpacker_count++] = ctx;
  pthread_mutex_unlock(&own->mutex);
  if (!room)
    ZSTD_freeDCtx(ctx);
}

/* ---- segments ---- */

#define LARGE_EXTENT ((size_t)4 << 20) /* bytes */

/* Copies the bitmap of removed documents (it may be unaligned) and marks the live rows. */
static int store_load_dead(struct store_snapshot *snap, struct store_segment *seg) {
  MDB_val v;
  int rc = store_get_sealed(snap->txn, snap->store->dbi[T_DEAD], &seg->id, sizeof seg->id, &v);
  if (rc)
    return rc == MDB_NOTFOUND ? 0 : rc;
  size_t words = seg->docs / 64 + 1;
  uint64_t *dead = xcalloc(words, sizeof *dead);
  uint64_t *live = xmalloc((seg->rows / 64 + (size_t)1) * sizeof *live);
  memcpy(dead, v.mv_data, v.mv_size < words * 8 ? v.mv_size : words * 8);
  memset(live, 255, (seg->rows / 64 + (size_t)1) * sizeof *live);
  for (uint32_t d = 0; d < seg->docs; d++)
    if (dead[d / 64] >> (d % 64) & 1)
      for (uint32_t r = seg->doc[d].first; r < store_segment_doc_end(seg, &seg->doc[d]); r++)
        live[r / 64] &= ~((uint64_t)1 << (r % 64));
  seg->dead_docs = dead;
  seg->live_bits = live;
  return 0;
}

/* Address range of the segments in the map: [from, until). */
struct extent {
  uintptr_t from, until;
};

static void extend(struct extent *x, MDB_val value) {
  uintptr_t from = (uintptr_t)value.mv_data, until = from + value.mv_size;
  x->from = x->until == 0 || from < x->from ? from : x->from;
  x->until = until > x->until ? until : x->until;
}

/* Reads pages that are not in memory yet in units of 2 MiB and maps them so: the kernel's read-ahead of a mapped file
 * makes 4 KiB pages, each of which costs every process that maps it 200 ns.  Harmless where the kernel doesn't
 * support it. */
static void want_large_pages(const struct extent *x) {
#ifdef MADV_HUGEPAGE
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uintptr_t from = x->from / page * page, until = (x->until + page - 1) / page * page;
  if (until - from >= LARGE_EXTENT)
    (void)madvise((void *)from, until - from, MADV_HUGEPAGE);
#else
  (void)x;
#endif
}

/* Locates all segments in the map before reading any. */
static enum store_status find_segments(struct store_snapshot *snap, MDB_val *values, struct error_text *e) {
  struct extent extent = {0, 0};
  for (size_t i = 0; i < snap->count; i++) {
    uint32_t id = snap->entries[i].id;
    MDB_val k = {sizeof id, &id};
    int rc = mdb_get(snap->txn, snap->store->dbi[T_SEGMENTS], &k, &values[i]);
    if (rc)
      return store_fail(e, snap->store, rc == MDB_NOTFOUND ? MDB_CORRUPTED : rc, "reading a segment");
    extend(&extent, values[i]);
  }
  want_large_pages(&extent);
  return STORE_OK;
}

static uint32_t count_dead(const struct store_segment *seg) {
  uint32_t n = 0;
  for (uint32_t i = 0; seg->dead_docs && i <= seg->docs / 64; i++)
    n += (uint32_t)__builtin_popcountll(seg->dead_docs[i]);
  return n;
}

/* Whether a segment's numbers of forms, items and companies are in the lists in which readers look them up; a
 * forged segment can have a correct checksum. */
static int numbers_are_known(const struct store_snapshot *snap, const struct store_segment *seg) {
  const char *const *list;
  size_t forms = store_forms(snap, &list), items = store_items(snap, &list);
  size_t companies = store_list_largest(snap, T_COMPANIES);
  uint16_t item = 0;
  for (uint32_t d = 0; d < seg->docs; d++)
    if (seg->doc[d].form >= forms || seg->doc[d].company > companies)
      return 0;
  for (uint32_t r = 0; r < seg->rows; r++)
    item = seg->item[r] > item ? seg->item[r] : item;
  return item < items;
}

static enum store_status load_segment(struct store_snapshot *snap, size_t i, MDB_val value,
                                      struct error_text *e) {
  const struct store_segment_entry *entry = &snap->entries[i];
  struct store_segment *seg = &snap->segments[i];
  struct error_text why;
  int failed = store_segment_attach(seg, &snap->terms[i], value.mv_data, value.mv_size, &why);
  if (!failed && (seg->id != entry->id || seg->docs != entry->docs || seg->rows != entry->rows)) {
    error_set(&why, "segment %u is another than the manifest names", entry->id);
    failed = -1;
  }
  if (failed || store_segment_guard_start(&snap->guards[i], seg, value.mv_data, &why))
    return store_damaged(e, snap->store, why.text);
  if (!numbers_are_known(snap, seg))
    return store_damaged(e, snap->store, "a segment's numbers are in no list");
  int rc = store_load_dead(snap, seg);
  if (!rc && seg->docs - count_dead(seg) != entry->live_docs) /* the bitmap is lost */
    rc = MDB_CORRUPTED;
  if (rc)
    return store_fail(e, snap->store, rc, "reading");
  seg->live_rows = entry->live_rows;
  seg->live_docs = entry->live_docs;
  seg->live_length = entry->live_length;
  seg->model = store_list_model(snap, entry->model);
  return STORE_OK;
}

/* Keys in LMDB's pages have no checksum, and a damaged key makes its value appear missing; so everything that could
 * be missing is also counted elsewhere. */
static enum store_status check_manifest(const struct store_snapshot *snap, int is_there,
                                        struct error_text *e) {
  struct store_counters counters;
  uint64_t documents = 0, passages = 0;
  int rc = store_list_counters(snap, &counters);
  if (rc || (!is_there && counters.next_segment > 1))
    return store_fail(e, snap->store, rc ? rc : MDB_CORRUPTED, "reading the manifest");
  const struct store_collection *list;
  store_collections(snap, &list);
  for (size_t i = 0; i < snap->collection_all; i++) {
    documents += list[i].documents;
    passages += list[i].passages;
  }
  for (size_t i = 0; i < snap->count; i++) {
    documents -= snap->entries[i].live_docs;
    passages -= snap->entries[i].live_rows;
  }
  if (documents || passages)
    return store_damaged(e, snap->store, "its collections and its segments count different documents");
  return STORE_OK;
}

/* Attaches the segments of a transaction's manifest; store_snapshot_end() releases them. */
static enum store_status store_load_segments(struct store_snapshot *snap, struct error_text *e) {
  struct slice v;
  int rc = store_meta(snap->store, snap->txn, "segments", &v);
  if (rc)
    return store_fail(e, snap->store, rc, "reading the manifest");
  snap->count = v.len / sizeof(struct store_segment_entry);
  struct store_segment_entry *entries = xcalloc(snap->count + 1, sizeof *entries);
  if (v.len)
    memcpy(entries, v.data, snap->count * sizeof *entries);
  snap->entries = entries;
  snap->segments = xcalloc(snap->count + 1, sizeof *snap->segments);
  snap->terms = xcalloc(snap->count + 1, sizeof *snap->terms);
  snap->guards = xcalloc(snap->count + 1, sizeof *snap->guards);
  MDB_val *values = xcalloc(snap->count + 1, sizeof *values);
  enum store_status status = find_segments(snap, values, e);
  for (size_t i = 0; i < snap->count && status == STORE_OK; i++)
    status = load_segment(snap, i, values[i], e);
  free(values);
  if (!status)
    status = check_manifest(snap, v.data != NULL, e); /* loads the collections, which every caller needs */
  return status ? status : store_snapshot_check(snap, e);
}

static int begin_reading(struct store *s, MDB_txn **txn) {
  int rc = mdb_txn_begin(s->env, NULL, MDB_RDONLY, txn);
  if (rc == MDB_MAP_RESIZED && s->snapshots == 0 && !(rc = mdb_env_set_mapsize(s->env, 0)))
    rc = mdb_txn_begin(s->env, NULL, MDB_RDONLY, txn);
  return rc;
}

enum store_status store_snapshot_begin(struct store *s, struct store_snapshot **out, struct error_text *e) {
  struct store_snapshot *snap = xcalloc(1, sizeof *snap);
  *out = NULL;
  snap->store = s;
  pthread_mutex_init(&snap->mutex, NULL);
  pthread_mutex_lock(&s->mutex);
  int rc = begin_reading(s, &snap->txn);
  if (!rc) {
    s->snapshots++;
    rc = store_unpack_load_dictionary(snap, 0);
  }
  pthread_mutex_unlock(&s->mutex);
  enum store_status status = rc ? store_fail(e, s, rc, "reading") : store_load_segments(snap, e);
  if (status)
    store_snapshot_end(snap);
  else
    *out = snap;
  return status;
}

/* Ends the parts of a joint snapshot and frees its copies of their segments' data. */
static void end_parts(struct store_snapshot *snap) {
  for (size_t i = 0; snap->parts && i < snap->count; i++) {
    free((void *)(uintptr_t)snap->segments[i].doc);
    free((void *)(uintptr_t)snap->segments[i].item);
  }
  for (size_t i = 0; i < snap->part_count; i++)
    store_snapshot_end(snap->parts[i]);
  free(snap->parts);
}

void store_snapshot_end(struct store_snapshot *snap) {
  if (!snap)
    return;
  for (size_t i = 0; snap->segments && i < snap->count; i++) {
    free((void *)(uintptr_t)snap->segments[i].dead_docs);
    free((void *)(uintptr_t)snap->segments[i].live_bits);
    if (!snap->parts)
      store_segment_guard_release(&snap->guards[i]);
  }
  end_parts(snap);
  if (snap->txn) {
    mdb_txn_abort(snap->txn);
    pthread_mutex_lock(&snap->store->mutex);
    snap->store->snapshots--;
    pthread_mutex_unlock(&snap->store->mutex);
  }
  free(snap->segments);
  free(snap->terms);
  free(snap->guards);
  free((void *)(uintptr_t)snap->entries);
  for (size_t i = 0; i < snap->collection_all; i++)
    free((void *)(uintptr_t)snap->collections[i].name);
  free(snap->collections);
  store_list_free_strings(&snap->forms);
  store_list_free_strings(&snap->items);
  store_list_free_strings(&snap->models);
  store_list_free_companies(snap);
  while (snap->unpacker_count)
    ZSTD_freeDCtx(snap->unpackers[--snap->unpacker_count]);
  pthread_mutex_destroy(&snap->mutex);
  free(snap);
}

enum store_status store_snapshot_check(const struct store_snapshot *snap, struct error_text *e) {
  char text[80];
  int rc = atomic_load(&snap->damaged);
  if (rc)
    return store_fail(e, snap->store, rc, "reading its lists");
  for (size_t i = 0; i < snap->part_count; i++) {
    enum store_status status = store_snapshot_check(snap->parts[i], e);
    if (status)
      return status;
  }
  for (size_t i = 0; !snap->parts && i < snap->count; i++) {
    int part = atomic_load(&snap->guards[i].damaged);
    if (!part)
      continue;
    snprintf(text, sizeof text, "segment %u: its %s are damaged", snap->entries[i].id,
             store_segment_part_name((enum store_segment_part)(part - 1)));
    return store_damaged(e, snap->store, text);
  }
  return STORE_OK;
}

int store_is_outdated(const struct store *s, const struct store_snapshot *snap) {
  MDB_envinfo info;
  for (size_t i = 0; i < snap->part_count; i++)
    if (snap->parts[i]->store == s)
      return store_is_outdated(s, snap->parts[i]);
  return mdb_env_info(s->env, &info) != 0 || info.me_last_txnid != mdb_txn_id(snap->txn) ||
         store_lock_is_wanted(s->fd) || store_lock_is_at_path(s->fd, s->path) == 0;
}

size_t store_segments(const struct store_snapshot *snap, const struct store_segment **list) {
  *list = snap->segments;
  return snap->count;
}

void store_totals(const struct store_snapshot *snap, uint64_t *rows, uint64_t *length) {
  *rows = *length = 0;
  for (size_t i = 0; i < snap->count; i++) {
    *rows += snap->segments[i].live_rows;
    *length += snap->segments[i].live_length;
  }
}
