/* store_merge.c: merges segments, so that they stay few and removed documents take no space.
 *
 * Each merge is a transaction of its own that changes nothing visible to readers.
 */
#include "store/store_change.h"

enum { MERGE_FACTOR = 8 }; /* segments that are merged into one */

static int level_of_rows(const struct store_segment_entry *entry) {
  uint32_t rows = entry->live_rows;
  int level = 0;
  for (uint32_t limit = SEGMENT_ROWS_MAX / 512; level < 4 && rows >= limit; limit *= 8)
    level++;
  return level;
}

/* Dimensions of an entry's vectors; 0 if it can't be read, which is reported when it is attached. */
static uint32_t dims_of(struct store_change *c, size_t i) {
  struct store_segment_head head = {.dims = 0};
  MDB_val v;
  if (store_change_get_raw(c, T_SEGMENTS, &c->entries[i].id, sizeof c->entries[i].id, &v) == 0 &&
      v.mv_size >= sizeof head)
    memcpy(&head, v.mv_data, sizeof head);
  return head.dims;
}

/* Whether two entries may be merged into one segment, whose vectors all have the same length.  Until November
 * 2026 a model's vectors could have several lengths. */
static int are_alike(struct store_change *c, size_t a, size_t b) {
  return c->entries[a].model == c->entries[b].model && (a == b || dims_of(c, a) == dims_of(c, b));
}

/* Selects the next run of segments to merge: indexes of up to MERGE_FACTOR adjacent entries like entry `like`.  0 where
 * there is nothing to do. */
static size_t pick_run(struct store_change *c, size_t like, int level, size_t *run) {
  size_t n = 0;
  uint64_t rows = 0;
  for (size_t i = 0; i < c->count; i++) {
    const struct store_segment_entry *entry = &c->entries[i];
    if (!are_alike(c, i, like))
      continue;
    if (level_of_rows(entry) > level) {
      n = rows = 0;
      continue;
    }
    if (rows + entry->live_rows > SEGMENT_ROWS_MAX) {
      if (n >= MERGE_FACTOR / 2)
        return n;
      n = rows = 0;
    }
    run[n++] = i;
    rows += entry->live_rows;
    if (n == MERGE_FACTOR)
      return n;
  }
  return 0;
}

static size_t store_write_pick(struct store_change *c, int all, size_t *run) {
  for (size_t i = 0; i < c->count; i++)
    if (c->entries[i].live_rows * 2 <= c->entries[i].rows ||
        (all && c->entries[i].live_rows < c->entries[i].rows)) {
      run[0] = i;
      return 1;
    }
  for (size_t i = 0; i < c->count; i++)
    for (int level = 0; level < 4; level++) {
      size_t n = pick_run(c, i, level, run);
      if (n)
        return n;
    }
  return 0;
}

/* Selects two adjacent entries that fit together, for merging everything. */
static size_t pick_pair(struct store_change *c, size_t *run) {
  for (size_t i = 0; i < c->count; i++) {
    uint64_t rows = c->entries[i].live_rows;
    size_t n = 0;
    run[n++] = i;
    for (size_t k = i + 1; k < c->count && n < MERGE_FACTOR; k++) {
      if (!are_alike(c, i, k))
        continue;
      if ((rows += c->entries[k].live_rows) > SEGMENT_ROWS_MAX)
        break;
      run[n++] = k;
    }
    if (n > 1)
      return n;
  }
  return 0;
}

static int merge_run(struct store_change *c, const size_t *run, size_t n) {
  struct store_segment seg[MERGE_FACTOR];
  struct store_terms terms[MERGE_FACTOR];
  const struct store_segment *from[MERGE_FACTOR];
  int rc = 0;
  for (size_t i = 0; !rc && i < n; i++) {
    from[i] = &seg[i];
    rc = store_change_attach(c, run[i], &seg[i], &terms[i], 1);
    if (!rc)
      rc = store_change_load_dead(c, run[i]);
    seg[i].dead_docs = c->dead[run[i]];
  }
  if (rc)
    return rc;
  struct store_segment_builder b;
  store_segment_builder_init(&b, (uint32_t)seg[0].vectors.dims);
  store_segment_merge(&b, from, n);
  uint32_t model = c->entries[run[0]].model;
  rc = store_change_put_segment(c, &b, store_segment_seal(&b), model, run[n - 1] + 1, NULL);
  store_segment_builder_release(&b);
  for (size_t i = n; !rc && i-- > 0;)
    rc = store_change_drop_segment(c, run[i]);
  return rc;
}

enum store_status store_merge(struct store *s, int all, struct error_text *e) {
  for (;;) {
    struct store_change c;
    size_t run[MERGE_FACTOR], n;
    enum store_status status = store_change_begin(&c, s, (size_t)256 << 20, e);
    if (status)
      return status;
    n = store_write_pick(&c, all, run);
    if (!n && all)
      n = pick_pair(&c, run);
    int rc = n ? merge_run(&c, run, n) : 0;
    if (n == 0) {
      store_abandon(s, c.txn);
      store_change_release(&c);
      return STORE_OK;
    }
    status = store_change_end(&c, rc, e);
    if (status)
      return status;
  }
}
