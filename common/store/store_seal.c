/* store_seal.c: checksums: one for a small value, one for each block of a segment, verified before its first read. */
#include "store/store_private.h"
#include "base/hash.h"

#include <stdlib.h>

#define SEAL sizeof(uint64_t)

static uint64_t seal_of(const MDB_val *key, const void *data, size_t len) {
  return hash_seeded(data, len, hash_bytes(key->mv_data, key->mv_size));
}

int store_unseal(const MDB_val *key, MDB_val *value) {
  uint64_t seal;
  if (value->mv_size < SEAL)
    return MDB_CORRUPTED;
  size_t len = value->mv_size - SEAL;
  memcpy(&seal, (const char *)value->mv_data + len, SEAL);
  if (seal != seal_of(key, value->mv_data, len))
    return MDB_CORRUPTED;
  value->mv_size = len;
  return 0;
}

int store_get_sealed(MDB_txn *txn, MDB_dbi dbi, const void *key, size_t key_len, MDB_val *value) {
  MDB_val k = {key_len, (void *)(uintptr_t)key};
  int rc = mdb_get(txn, dbi, &k, value);
  return rc ? rc : store_unseal(&k, value);
}

int store_put_sealed(MDB_txn *txn, MDB_dbi dbi, const void *key, size_t key_len, const void *data,
                     size_t len) {
  MDB_val k = {key_len, (void *)(uintptr_t)key}, v = {len + SEAL, NULL};
  uint64_t seal = seal_of(&k, data, len);
  int rc = mdb_put(txn, dbi, &k, &v, MDB_RESERVE);
  if (rc)
    return rc;
  if (len)
    memcpy(v.mv_data, data, len);
  memcpy((char *)v.mv_data + len, &seal, SEAL);
  return 0;
}

int store_meta(const struct store *s, MDB_txn *txn, const char *name, struct slice *out) {
  MDB_val v;
  int rc = store_get_sealed(txn, s->dbi[T_META], name, strlen(name), &v);
  *out = rc ? slice_of(NULL, 0) : slice_of(v.mv_data, v.mv_size);
  return rc == MDB_NOTFOUND ? 0 : rc;
}

int store_put_meta(const struct store *s, MDB_txn *txn, const char *name, const void *data, size_t len) {
  return store_put_sealed(txn, s->dbi[T_META], name, strlen(name), data, len);
}

int store_each_sealed(const struct store *s, MDB_txn *txn, enum store_table table,
                      int (*f)(void *arg, struct slice key, struct slice value), void *arg) {
  MDB_cursor *cursor;
  MDB_stat st;
  MDB_val k, v;
  size_t count = 0;
  int rc = mdb_stat(txn, s->dbi[table], &st);
  if (!rc)
    rc = mdb_cursor_open(txn, s->dbi[table], &cursor);
  if (rc)
    return rc;
  while (!rc && (rc = mdb_cursor_get(cursor, &k, &v, MDB_NEXT)) == 0) {
    if (count++ == st.ms_entries || store_unseal(&k, &v))
      rc = MDB_CORRUPTED;
    else
      rc = f(arg, slice_of(k.mv_data, k.mv_size), slice_of(v.mv_data, v.mv_size));
  }
  mdb_cursor_close(cursor);
  if (rc == MDB_NOTFOUND)
    rc = count == st.ms_entries ? 0 : MDB_CORRUPTED;
  return rc;
}

/* ---- the blocks of a segment ---- */

static const struct store_segment_directory *directory_of(const void *value) {
  return (const void *)((const char *)value + sizeof(struct store_segment_head));
}

uint64_t store_segment_block_count(uint64_t bytes) {
  return (bytes + SEGMENT_BLOCK - 1) / SEGMENT_BLOCK;
}

const char *store_segment_part_name(enum store_segment_part part) {
  static const char *const names[PART_COUNT] = {"documents", "ids",    "lengths", "items",    "flags",
                                                "high",      "low",    "scales",  "sketches", "factors",
                                                "axis",      "hashes", "where",   "postings", "sums"};
  return names[part];
}

static uint32_t block_sum(const char *part, uint64_t bytes, uint64_t block) {
  uint64_t from = block * SEGMENT_BLOCK, len = bytes - from < SEGMENT_BLOCK ? bytes - from : SEGMENT_BLOCK;
  return (uint32_t)hash_block(part + from, len);
}

uint64_t store_segment_write_sums(void *value, const struct store_segment_directory *dir) {
  char *base = value;
  uint32_t *sums = (void *)(base + dir->part[PART_SUMS].offset);
  for (int p = 0; p < PART_SUMS; p++)
    for (uint64_t b = 0; b < store_segment_block_count(dir->part[p].bytes); b++)
      sums[dir->part[p].first_sum + b] = block_sum(base + dir->part[p].offset, dir->part[p].bytes, b);
  return hash_bytes(sums, dir->part[PART_SUMS].bytes);
}

int store_segment_blocks_are_right(const void *value, enum store_segment_part part, uint64_t from,
                                   uint64_t to) {
  const char *base = value;
  const struct store_segment_directory *dir = directory_of(value);
  const uint32_t *sums = (const void *)(base + dir->part[PART_SUMS].offset);
  for (uint64_t b = from; b < to; b++)
    if (block_sum(base + dir->part[part].offset, dir->part[part].bytes, b) !=
        sums[dir->part[part].first_sum + b])
      return 0;
  return 1;
}

/* ---- during reading ---- */

void store_segment_guard_blame(struct store_segment_guard *g, enum store_segment_part part) {
  int none = 0;
  atomic_compare_exchange_strong(&g->damaged, &none, (int)part + 1);
}

static int guard_check_block(struct store_segment_guard *g, enum store_segment_part part, uint64_t block) {
  if (!store_segment_blocks_are_right(g->value, part, block, block + 1)) {
    store_segment_guard_blame(g, part);
    return -1;
  }
  uint64_t bit = g->dir->part[part].first_sum + block;
  atomic_fetch_or_explicit(&g->seen[bit / 64], (uint64_t)1 << (bit % 64), memory_order_relaxed);
  return 0;
}

int store_segment_guard_check(struct store_segment_guard *g, enum store_segment_part part, uint64_t from,
                              uint64_t to) {
  int rc = 0;
  if (!g || from >= to)
    return 0;
  if (to > g->dir->part[part].bytes)
    return -1;
  uint64_t first = g->dir->part[part].first_sum;
  for (uint64_t b = from / SEGMENT_BLOCK; b <= (to - 1) / SEGMENT_BLOCK; b++) {
    uint64_t bit = first + b;
    if (!(atomic_load_explicit(&g->seen[bit / 64], memory_order_relaxed) >> (bit % 64) & 1))
      rc |= guard_check_block(g, part, b);
  }
  return rc;
}

/* Callback of vector.h: its arrays are parts of the segment. */
static void touch_vectors(void *arg, enum vector_array array, size_t from, size_t to) {
  struct store_segment_guard *g = arg;
  static const enum store_segment_part parts[] = {PART_HIGH, PART_LOW, PART_SKETCH, PART_FACTOR};
  store_segment_guard_check(g, parts[array], from, to);
}

int store_segment_guard_start(struct store_segment_guard *g, struct store_segment *seg, const void *value,
                              struct error_text *e) {
  static const enum store_segment_part everywhere[] = {PART_DOCS,  PART_LENGTHS, PART_ITEMS,
                                                       PART_FLAGS, PART_SCALE,   PART_AXIS};
  g->value = value;
  g->dir = directory_of(value);
  g->sums = (const void *)(g->value + g->dir->part[PART_SUMS].offset);
  g->seen = xcalloc(g->dir->part[PART_SUMS].bytes / sizeof(uint32_t) / 64 + 1, sizeof *g->seen);
  seg->guard = g;
  seg->vectors.touch = touch_vectors;
  seg->vectors.touch_arg = g;
  for (size_t i = 0; i < sizeof everywhere / sizeof *everywhere; i++)
    if (store_segment_guard_check(g, everywhere[i], 0, g->dir->part[everywhere[i]].bytes)) {
      error_set(e, "segment %u: its %s are damaged", seg->id, store_segment_part_name(everywhere[i]));
      return -1;
    }
  return 0;
}

void store_segment_guard_release(struct store_segment_guard *g) {
  free((void *)g->seen);
  g->seen = NULL;
}

const uint8_t *store_row_id(const struct store_segment *seg, uint32_t row) {
  store_segment_guard_check(seg->guard, PART_IDS, (uint64_t)row * 16, (uint64_t)row * 16 + 16);
  return seg->ids + (size_t)row * 16;
}
