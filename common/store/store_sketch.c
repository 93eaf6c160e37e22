/* store_sketch.c: decides whether 1-bit sketches may be used on this store, and with how many candidates.
 *
 * Sketches find the nearest neighbours of real passages but lose those of unstructured vectors, so their accuracy is
 * measured on the stored data.  Real questions aren't known here.  The calibration queries are sums of two passages,
 * which are farther from everything than single passages, and passages minus the mean of some (what all have in
 * common), since questions have half as much of that as passages.  Analysts' questions are harder still: 400 of them
 * needed 800 candidates among 100,000 passages for the recall@10 of 0.99 that calibration queries reach with 200, and
 * 1,600 instead of 413 among 1,000,000 (test/bench/store.sh).  So SURE times the measured number is used.  The
 * measurement is repeated whenever the store has grown by a quarter.
 */
#include "store/store_private.h"

#include <stdlib.h>

/* More than 6,400 candidates cost as much as scanning 300,000 rows. */
enum { QUERIES = 48, K = 10, SURE = 6, ROWS_LEAST = 5000, SKETCHES_MAX = 64 };
#define MEAN_OF 64
static const uint32_t steps[] = {200, 300, 400, 600, 800, 1200, 1600, 2400, 3200, 4800, 6400, 12800, 25600};

struct trial {
  struct vector_part *parts;
  size_t count, rows;
  uint32_t dims;
  float mean[VECTOR_DIMS_MAX]; /* of a sample of rows */
};

static void load_parts(const struct store_snapshot *snap, uint32_t model, struct trial *t) {
  t->parts = xcalloc(snap->count + 1, sizeof *t->parts);
  for (size_t i = 0; i < snap->count; i++) {
    const struct store_segment *seg = &snap->segments[i];
    if (snap->entries[i].model != model || seg->live_rows == 0)
      continue;
    if (t->count && seg->vectors.dims != t->dims)
      continue;
    t->dims = (uint32_t)seg->vectors.dims;
    t->parts[t->count++] = (struct vector_part){&seg->vectors, 0, seg->rows, seg->live_bits};
    t->rows += seg->live_rows;
  }
}

/* Adds row `at` (counted over all parts) to x. */
static void store_sketch_add_row(const struct trial *t, uint64_t at, float *x) {
  float y[VECTOR_DIMS_MAX];
  size_t part = 0;
  uint64_t total = 0;
  for (size_t i = 0; i < t->count; i++)
    total += t->parts[i].rows->rows;
  if (total == 0)
    return;
  for (at %= total; at >= t->parts[part].rows->rows; part++)
    at -= t->parts[part].rows->rows;
  vector_restore(t->parts[part].rows, at, y);
  for (uint32_t i = 0; i < t->dims; i++)
    x[i] += y[i];
}

static uint64_t store_sketch_spread(uint64_t number) {
  uint64_t x = 0x9e3779b97f4a7c15u * (number + 1);
  return (x ^ x >> 29) * 0xbf58476d1ce4e5b9u >> 16;
}

static void find_mean(struct trial *t) {
  memset(t->mean, 0, sizeof t->mean);
  for (uint64_t i = 0; i < MEAN_OF; i++)
    store_sketch_add_row(t, store_sketch_spread(1000 + i), t->mean);
  for (uint32_t i = 0; i < t->dims; i++)
    t->mean[i] /= MEAN_OF;
}

static void make_query(const struct trial *t, uint64_t number, float *x) {
  memset(x, 0, t->dims * sizeof *x);
  store_sketch_add_row(t, store_sketch_spread(number), x);
  if (number % 2)
    store_sketch_add_row(t, store_sketch_spread(number + QUERIES), x);
  else
    for (uint32_t i = 0; i < t->dims; i++)
      x[i] -= t->mean[i];
}

static size_t overlap(const struct vector_hit *a, size_t n, const struct vector_hit *b, size_t m) {
  size_t same = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < m; k++)
      same += a[i].part == b[k].part && a[i].row == b[k].row;
  return same;
}

/* Recall@10 of a search with `candidates` sketches, relative to the int8 scan, which is exact in practice. */
static double recall_of(const struct trial *t, uint32_t candidates, struct vector_hit truth[QUERIES][K],
                        const size_t *found) {
  float x[VECTOR_DIMS_MAX];
  struct vector_hit hits[K] = {{0}};
  size_t same = 0, all = 0;
  for (size_t i = 0; i < QUERIES; i++) {
    struct vector_query q = {.query = x, .k = K, .how = VECTOR_SKETCH, .candidates = candidates};
    make_query(t, i, x);
    same += overlap(hits, vector_search(t->parts, t->count, &q, hits), truth[i], found[i]);
    all += found[i];
  }
  return all ? (double)same / (double)all : 0;
}

static struct store_sketch_entry try_sketches(const struct trial *t, uint32_t model) {
  struct store_sketch_entry result = {.model = model, .rows = t->rows};
  struct vector_hit truth[QUERIES][K] = {{{0}}};
  size_t found[QUERIES];
  float x[VECTOR_DIMS_MAX];
  for (size_t i = 0; i < QUERIES; i++) {
    struct vector_query q = {.query = x, .k = K, .how = VECTOR_PRUNED};
    make_query(t, i, x);
    found[i] = vector_search(t->parts, t->count, &q, truth[i]);
  }
  for (size_t i = 0;
       i < sizeof steps / sizeof *steps && steps[i] * (size_t)(steps[i] > 6400 ? 32 : 8) <= t->rows; i++) {
    result.recall = recall_of(t, steps[i], truth, found);
    if (result.recall < 0.99)
      continue;
    result.candidates = SURE * steps[i];
    break;
  }
  return result;
}

struct sketch_list {
  struct store_sketch_entry entry[SKETCHES_MAX];
  size_t count;
};

static void load_list(struct store *s, MDB_txn *txn, struct sketch_list *l) {
  struct slice v;
  store_meta(s, txn, "sketch", &v); /* a damaged one is replaced */
  l->count = v.len / sizeof *l->entry;
  l->count = l->count < SKETCHES_MAX ? l->count : SKETCHES_MAX;
  if (v.len)
    memcpy(l->entry, v.data, l->count * sizeof *l->entry);
}

static struct store_sketch_entry *store_sketch_entry_of(struct sketch_list *l, uint32_t model) {
  for (size_t i = 0; i < l->count; i++)
    if (l->entry[i].model == model)
      return &l->entry[i];
  if (l->count == SKETCHES_MAX)
    return NULL;
  l->entry[l->count] = (struct store_sketch_entry){.model = model};
  return &l->entry[l->count++];
}

/* Measures models whose passages have grown; returns how many entries changed. */
static int measure_models(struct store *s, const struct store_snapshot *snap, struct sketch_list *l) {
  int changed = 0;
  load_list(s, snap->txn, l);
  for (size_t i = 0; i < snap->count; i++) {
    uint32_t model = snap->entries[i].model;
    struct trial t = {0};
    load_parts(snap, model, &t);
    find_mean(&t);
    struct store_sketch_entry *entry = store_sketch_entry_of(l, model);
    if (entry && t.rows >= ROWS_LEAST && t.rows >= entry->rows + entry->rows / 4) {
      *entry = try_sketches(&t, model);
      changed++;
    }
    free(t.parts);
  }
  return changed;
}

enum store_status store_measure_sketches(struct store *s, struct error_text *e) {
  struct store_snapshot *snap;
  struct sketch_list list = {.count = 0};
  MDB_txn *txn;
  enum store_status status = store_snapshot_begin(s, &snap, e);
  if (status)
    return status;
  int changed = measure_models(s, snap, &list);
  status = store_snapshot_check(snap, e);
  store_snapshot_end(snap);
  if (!changed || status)
    return status;
  status = store_begin(s, 1 << 20, &txn, e);
  if (status)
    return status;
  int rc = store_put_meta(s, txn, "sketch", list.entry, list.count * sizeof *list.entry);
  return store_finish(s, txn, rc ? store_fail(e, s, rc, "writing") : STORE_OK, e);
}

/* ---- the measured numbers ---- */

/* More rows than were measured need proportionally more candidates. */
static size_t scale_candidates(const struct store_snapshot *snap, const struct store_sketch_entry *s) {
  uint64_t rows = 0;
  for (size_t i = 0; i < snap->count; i++)
    if (snap->entries[i].model == s->model)
      rows += snap->entries[i].live_rows;
  return rows > s->rows && s->rows ? (size_t)(s->candidates * rows / s->rows) : s->candidates;
}

/* The measurement for a model: 1, or 0 where there is none. */
static int find_sketch(const struct store_snapshot *snap, const char *model, struct store_sketch_entry *out) {
  struct store_snapshot *own = store_list_with_strings(snap);
  struct slice v;
  pthread_mutex_lock(&own->mutex);
  int rc = store_meta(snap->store, snap->txn, "sketch", &v);
  pthread_mutex_unlock(&own->mutex);
  if (rc)
    atomic_store(&own->damaged, rc);
  for (size_t i = 0; i + 1 <= v.len / sizeof *out; i++) {
    memcpy(out, v.data + i * sizeof *out, sizeof *out);
    if (out->model < own->models.count && strcmp(own->models.list[out->model], model) == 0)
      return 1;
  }
  return 0;
}

/* For several stores: the number for the store that needs most, scaled to the rows of all.  A store too small to be
 * measured is ignored; one where sketches are not accurate enough excludes them. */
static size_t joint_candidates(const struct store_snapshot *snap, const char *model) {
  uint64_t rows = 0, most = 0;
  for (size_t i = 0; i < snap->count; i++)
    rows += strcmp(snap->segments[i].model, model) == 0 ? snap->segments[i].live_rows : 0;
  for (size_t i = 0; i < snap->part_count; i++) {
    struct store_sketch_entry s;
    if (!find_sketch(snap->parts[i], model, &s) || s.rows == 0)
      continue;
    if (s.candidates == 0)
      return 0;
    uint64_t need = rows > s.rows ? s.candidates * rows / s.rows : s.candidates;
    most = need > most ? need : most;
  }
  return (size_t)most;
}

size_t store_sketch_candidates(const struct store_snapshot *snap, const char *model) {
  struct store_sketch_entry s;
  if (snap->parts)
    return joint_candidates(snap, model);
  return find_sketch(snap, model, &s) ? scale_candidates(snap, &s) : 0;
}
