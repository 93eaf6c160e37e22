/* vector.c: the search for the nearest rows: how many to compare, by sketches first, the best kept in order. */
#include "vector/vector.h"
#include "base/buf.h"
#include "vector/vector_kernels.h"
#include "vector/vector_rows.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VECTOR_RUN = 1024, VECTOR_THREADS = 8 };

/* The best k hits, as a heap with the worst of them on top.  Initialised as {hits[k], 0, k}. */
struct vector_top {
  struct vector_hit *hits;
  size_t count, k;
};

struct vector_probe;

/* Computes scores of rows [from, to) of part `index`, at most VECTOR_RUN, into room; returns the position of the first. */
#define VECTOR_PROBE_ROOM (VECTOR_RUN + 16)
typedef const float *vector_probe_function(const struct vector_probe *p, const struct vector_rows *r,
                                           uint32_t index, uint32_t from, uint32_t to,
                                           float room[VECTOR_PROBE_ROOM]);

/* Takes rows [from, to) of part `index`, at most VECTOR_RUN; a bitmap has still to be asked for each row. */
typedef void vector_scan_function(void *state, const struct vector_part *part, uint32_t index, uint32_t from,
                                  uint32_t to);

/* ---- walking over the allowed rows of a search space in runs, by one thread or several ---- */

#define ROWS_OF_THREAD 131072

/* The end of the run that starts at `from`: VECTOR_RUN rows on, or before an empty word of the bitmap. */
static uint32_t vector_run_end(const struct vector_part *part, uint32_t from) {
  uint32_t end = from / VECTOR_RUN * VECTOR_RUN + VECTOR_RUN, to = part->to < end ? part->to : end;
  if (!part->allow)
    return to;
  uint32_t word = from / 64;
  while (word * 64 < to && part->allow[word])
    word++;
  return word * 64 < to ? word * 64 : to;
}

static void each_chunk_of(const struct vector_part *part, uint32_t index, vector_scan_function *f,
                          void *state) {
  for (uint32_t from = part->from, to; from < part->to; from = to) {
    if (part->allow && !part->allow[from / 64]) {
      to = from / 64 * 64 + 64;
      continue;
    }
    to = vector_run_end(part, from);
    f(state, part, index, from, to);
  }
}

/* Calls f for all runs, in order; where there is a bitmap only for words of it that have a bit set. */
static void vector_scan(const struct vector_part *parts, size_t count, vector_scan_function *f, void *state) {
  for (size_t p = 0; p < count; p++)
    each_chunk_of(&parts[p], (uint32_t)p, f, state);
}

/* Number of rows, allowed or not. */
static size_t vector_scan_rows(const struct vector_part *parts, size_t count) {
  size_t n = 0;
  for (size_t i = 0; i < count; i++)
    n += parts[i].to - parts[i].from;
  return n;
}

/* A thread's share: the rows [from, to), counted over all parts. */
struct share {
  const struct vector_part *parts;
  size_t count, from, to;
  vector_scan_function *f;
  void *state;
};

static void *do_share(void *arg) {
  const struct share *s = arg;
  size_t base = 0;
  for (size_t p = 0; p < s->count; p++) {
    struct vector_part part = s->parts[p];
    size_t rows = part.to - part.from, low = s->from > base ? s->from - base : 0;
    size_t high = s->to > base ? s->to - base : 0;
    part.to = part.from + (uint32_t)(high < rows ? high : rows);
    part.from += (uint32_t)(low < rows ? low : rows);
    if (part.from < part.to)
      each_chunk_of(&part, (uint32_t)p, s->f, s->state);
    base += rows;
  }
  return NULL;
}

/* The same with several threads, each with its own state.  The share of a thread that can't be started is done here. */
static void vector_scan_shared(const struct vector_part *parts, size_t count, vector_scan_function *f,
                               void *const states[VECTOR_THREADS], size_t threads) {
  struct share shares[VECTOR_THREADS] = {{0}};
  pthread_t thread[VECTOR_THREADS];
  size_t rows = vector_scan_rows(parts, count), started = 1;
  for (size_t i = 0; i < threads; i++)
    shares[i] = (struct share){parts, count, rows * i / threads, rows * (i + 1) / threads, f, states[i]};
  while (started < threads && pthread_create(&thread[started], NULL, do_share, &shares[started]) == 0)
    started++;
  do_share(&shares[0]);
  for (size_t i = started; i < threads; i++)
    do_share(&shares[i]);
  for (size_t i = 1; i < started; i++)
    pthread_join(thread[i], NULL);
}

/* The number of threads that pay off, at most VECTOR_THREADS; asked: the maximum, or 0 for all cores. */
static size_t vector_scan_threads(int asked, size_t rows) {
  long cores = asked ? asked : sysconf(_SC_NPROCESSORS_ONLN);
  size_t most = rows / ROWS_OF_THREAD + 1;
  most = most < VECTOR_THREADS ? most : VECTOR_THREADS;
  return cores > 0 && (size_t)cores < most ? (size_t)cores : most;
}

/* ---- selecting the best: a heap of k hits, and the n-th largest of many scores ---- */

/* Whether a follows b in the result. */
static inline int worse(const struct vector_hit *a, const struct vector_hit *b) {
  if (a->score != b->score)
    return a->score < b->score;
  return a->part != b->part ? a->part > b->part : a->row > b->row;
}

static void vector_sift_down(struct vector_top *t, size_t i) {
  for (;;) {
    size_t child = 2 * i + 1;
    if (child >= t->count)
      return;
    if (child + 1 < t->count && worse(&t->hits[child + 1], &t->hits[child]))
      child++;
    if (!worse(&t->hits[child], &t->hits[i]))
      return;
    struct vector_hit h = t->hits[i];
    t->hits[i] = t->hits[child];
    t->hits[child] = h;
    i = child;
  }
}

static void vector_top_add(struct vector_top *t, struct vector_hit h) {
  if (t->count == t->k) {
    if (!worse(&t->hits[0], &h))
      return;
    t->hits[0] = h;
    vector_sift_down(t, 0);
    return;
  }
  size_t i = t->count++;
  for (; i > 0 && worse(&h, &t->hits[(i - 1) / 2]); i = (i - 1) / 2)
    t->hits[i] = t->hits[(i - 1) / 2];
  t->hits[i] = h;
}

static int compare_hits(const void *a, const void *b) {
  return worse(a, b) - worse(b, a);
}

/* The score that a hit has to exceed. */
static float vector_top_worst(const struct vector_top *t) {
  return t->count < t->k ? -INFINITY : t->hits[0].score;
}

/* Best first, ties by part and row.  The heap is no heap any more. */
static void vector_top_sort(struct vector_top *t) {
  qsort(t->hits, t->count, sizeof *t->hits, compare_hits);
}

static int by_size(const void *a, const void *b) {
  float x = *(const float *)a, y = *(const float *)b;
  return (x < y) - (x > y);
}

/* Keeps those of x[count] in the same 256th of the range as the n-th largest; *n becomes its rank among them.  No
 * branch depends on a value, which makes this faster than quickselect. */
static size_t narrow_range(float *x, size_t count, size_t *n, float min, float scale) {
  size_t of[256] = {0}, bucket = 256, kept = 0;
  for (size_t i = 0; i < count; i++)
    of[(size_t)((x[i] - min) * scale)]++;
  while (*n > of[--bucket])
    *n -= of[bucket];
  for (size_t i = 0; i < count; i++) {
    float v = x[i];
    x[kept] = v;
    kept += (size_t)((v - min) * scale) == bucket;
  }
  return kept;
}

/* The n-th largest of x[count], n from 1; modifies x. */
static float vector_nth_largest(float *x, size_t count, size_t n) {
  while (count > 32) {
    float min = x[0], max = x[0];
    for (size_t i = 1; i < count; i++) {
      min = x[i] < min ? x[i] : min;
      max = x[i] > max ? x[i] : max;
    }
    float scale = 255 / (max - min);
    if (!(max > min))
      return min;
    if (!isnormal(scale)) /* the range overflows a float, or is almost zero */
      break;
    count = narrow_range(x, count, &n, min, scale);
  }
  qsort(x, count, sizeof *x, by_size);
  return x[n - 1];
}

/* ---- the scores of rows: estimates by sketches, upper bounds by the upper 4 bits, and exact ones by all 12 ----
 *
 * The query is prepared once, in the form that the kernels take. */

struct vector_probe {
  float query[VECTOR_DIMS_MAX];    /* [width] */
  int8_t nibbles[VECTOR_DIMS_MAX]; /* unit * nibbles[] approximates the query, in the order of `high` */
  float unit;
  float zero;                         /* sum of nibbles[] times VECTOR_ZERO */
  float bound;                        /* maximum error of 4 bits */
  struct vector_sketch_query *sketch; /* per part, or NULL */
  size_t parts;
};

/* The high nibbles are off by at most 128 per component, evenly distributed: the standard deviation of the sum is 256
 * / sqrt(12) |query|. */
#define BOUND (4.5F * 73.9F)

static void quantize_query(struct vector_probe *p, size_t width) {
  float max = vector_largest(p->query, width), inverse = max > 0 ? 127 / max : 0;
  int sum = 0;
  for (size_t i = 0; i < width; i++) {
    int v = isfinite(p->query[i]) ? (int)rintf(p->query[i] * inverse) : 0;
    p->nibbles[vector_byte_of(i) + (vector_shift_of(i) ? width / 2 : 0)] = (int8_t)v;
    sum += v;
  }
  p->unit = max / 127;
  p->zero = (float)VECTOR_ZERO * (float)sum;
  p->bound = max > 0 ? BOUND * sqrtf(vector_dot(p->query, p->query, width)) / p->unit : 0;
}

static void sketch_query(struct vector_probe *p, const struct vector_part *parts, size_t count) {
  struct vector_sketch_rotation t;
  float rotated[VECTOR_DIMS_MAX];
  size_t width = parts[0].rows->width;
  vector_sketch_rotation_init(&t, width);
  memcpy(rotated, p->query, width * sizeof *rotated);
  vector_sketch_rotate(&t, rotated);
  vector_sketch_rotation_release(&t);
  p->sketch = xcalloc(count, sizeof *p->sketch);
  for (p->parts = 0; p->parts < count; p->parts++)
    vector_sketch_query_init(&p->sketch[p->parts], rotated, parts[p->parts].rows->axis, width);
}

/* sketches: also for vector_probe_sketches(). */
static struct vector_probe *vector_probe_new(const struct vector_part *parts, size_t count,
                                             const float *query, int sketches) {
  const struct vector_rows *r = parts[0].rows;
  struct vector_probe *p = xmalloc(sizeof *p);
  memcpy(p->query, query, r->dims * sizeof *p->query);
  memset(p->query + r->dims, 0, (r->width - r->dims) * sizeof *p->query);
  quantize_query(p, r->width);
  p->sketch = NULL;
  p->parts = 0;
  if (sketches)
    sketch_query(p, parts, count);
  return p;
}

static void vector_probe_free(struct vector_probe *p) {
  for (size_t i = 0; i < p->parts; i++)
    vector_sketch_query_release(&p->sketch[i]);
  free(p->sketch);
  free(p);
}

static const float *vector_probe_sketches(const struct vector_probe *p, const struct vector_rows *r,
                                          uint32_t index, uint32_t from, uint32_t to, float *room) {
  const struct vector_sketch_query *q = &p->sketch[index];
  size_t first = from / 8, end = (to + 7) / 8;
  vector_touch(r, VECTOR_SKETCHES, first, end, r->width);
  vector_touch(r, VECTOR_FACTORS, first, end, 32);
  vector_kernels_used()->sketches(r->sketch + first * (r->width / 8), end - first, r->width / 64, q->planes,
                                  r->factor + 16 * first, &q->scale, room);
  return room + from % 8;
}

/* Computes upper bounds of scores. */
static const float *vector_probe_bounds(const struct vector_probe *p, const struct vector_rows *r,
                                        uint32_t index, uint32_t from, uint32_t to, float *room) {
  int32_t dots[VECTOR_RUN];
  size_t half = r->width / 2;
  float offset = p->bound - p->zero + p->zero / 16; /* 128 is the middle of the dropped bits' range */
  (void)index;
  vector_touch(r, VECTOR_HIGH, from, to, half);
  vector_kernels_used()->nibbles(r->high + from * half, to - from, half, p->nibbles, dots);
  for (uint32_t i = 0; i < to - from; i++)
    room[i] = p->unit * r->scale[from + i] * (256 * (float)dots[i] + offset);
  return room;
}

static const float *vector_probe_scores(const struct vector_probe *p, const struct vector_rows *r,
                                        uint32_t index, uint32_t from, uint32_t to, float *room) {
  (void)index;
  for (uint32_t i = 0; i < to - from; i++)
    room[i] = vector_score_padded(r, from + i, p->query);
  return room;
}

/* The score of one row. */
static float vector_probe_score(const struct vector_probe *p, const struct vector_rows *r, uint32_t row) {
  return vector_score_padded(r, row, p->query);
}

/* ---- searching by scanning ----
 *
 * A search narrows in stages.  The first one scans all allowed rows, reading 36 bytes (sketches) or 128 bytes (the
 * upper 4 bits) per 256 components, and selects some hundred candidates; the last one compares all 12 bits of the
 * best.  The error of the upper 4 bits is known to be spread evenly over 1/16 of the range, so rows are selected by
 * the upper bound of their score, and where the last candidate could still beat the k-th best, the scan is repeated
 * with that score as the limit.  So the exact search reads half of what int8 rows would take.  The candidates of
 * sketches are few, so all of them are compared by 12 bits.
 *
 * Scores are written to an array of a chunk's length and selected afterwards, so that the inner loops have no
 * branches. */

enum {
  DEFAULT_CANDIDATES = 400,
  EXACT_CANDIDATES = 1024,
  RESCORE_MIN = 40,
  SKETCH_WORTH = 8,
  SAMPLE_ROWS = 8192,
  RESCORE_AHEAD = 12, /* prefetched */
};

/* ---- selecting ---- */

static inline int allowed(const struct vector_part *part, uint32_t row) {
  return !part->allow || (part->allow[row / 64] >> (row % 64) & 1);
}

static size_t at_least(size_t a, size_t b) {
  return a > b ? a : b;
}

/* Selects the best `wanted` rows by a score, in row order.  Every score of at least `least` is collected; when there
 * are many, only the best are kept and `least` is raised to the worst of them. */
struct picker {
  const struct vector_probe *probe;
  vector_probe_function *score;
  size_t wanted; /* SIZE_MAX: all with a score of at least `least` */
  float least;
  struct vector_hit *hits;
  size_t count, cap;
  size_t chunk, stride; /* of a sample: every stride-th chunk */
};

/* Keeps the best `wanted` hits; of equal ones the first. */
static void keep_best(struct picker *p) {
  if (p->count <= p->wanted)
    return;
  float *scores = xreallocarray(NULL, p->count, sizeof *scores);
  for (size_t i = 0; i < p->count; i++)
    scores[i] = p->hits[i].score;
  float limit = vector_nth_largest(scores, p->count, p->wanted);
  size_t kept = 0, spare = p->wanted;
  free(scores);
  for (size_t i = 0; i < p->count; i++)
    spare -= p->hits[i].score > limit;
  for (size_t i = 0; i < p->count; i++) {
    int above = p->hits[i].score > limit, equal = !above & (p->hits[i].score >= limit) & (spare > 0);
    spare -= (size_t)equal;
    p->hits[kept] = p->hits[i];
    kept += (size_t)(above | equal);
  }
  p->count = kept;
  p->least = limit;
}

static void vector_make_room(struct picker *p) {
  if (p->cap - p->count >= VECTOR_RUN)
    return;
  keep_best(p);
  if (p->cap - p->count >= VECTOR_RUN)
    return;
  p->cap = 2 * p->cap + VECTOR_RUN;
  p->hits = xreallocarray(p->hits, p->cap, sizeof *p->hits);
}

static void pick_chunk(void *state, const struct vector_part *part, uint32_t index, uint32_t from,
                       uint32_t to) {
  struct picker *p = state;
  float room[VECTOR_PROBE_ROOM];
  uint32_t good[VECTOR_RUN];
  if (p->chunk++ % p->stride)
    return;
  const float *scores = p->score(p->probe, part->rows, index, from, to, room);
  size_t n = vector_kernels_used()->reach(scores, to - from, p->least, good);
  vector_make_room(p);
  for (size_t i = 0; i < n; i++) {
    float score = scores[good[i]];
    if (allowed(part, from + good[i]))
      p->hits[p->count++] = (struct vector_hit){isnan(score) ? -FLT_MAX : score, index, from + good[i]};
  }
}

static void picker_init(struct picker *p, const struct vector_probe *probe, vector_probe_function *score,
                        size_t wanted) {
  size_t most = wanted < (size_t)1 << 20 ? wanted : VECTOR_RUN;
  *p = (struct picker){.probe = probe, .score = score, .wanted = wanted, .least = -INFINITY, .stride = 1};
  p->cap = 2 * most + 2 * VECTOR_RUN;
  p->hits = xreallocarray(NULL, p->cap, sizeof *p->hits);
}

/* Estimates from a sample the score that the best `wanted` rows reach, rather too low than too high, so that the scan
 * collects few rows that it will drop. */
static float guess_least(const struct picker *p, const struct vector_part *parts, size_t count, size_t rows) {
  struct picker sample;
  size_t stride = rows / SAMPLE_ROWS, share = p->wanted / (stride ? stride : 1) * 3 / 2 + 12;
  if (stride < 4)
    return -INFINITY;
  picker_init(&sample, p->probe, p->score, share);
  sample.stride = stride;
  vector_scan(parts, count, pick_chunk, &sample);
  keep_best(&sample);
  float least = sample.count == share ? sample.least : -INFINITY;
  free(sample.hits);
  return least;
}

/* Collects the rows with a score of at least p->least, with several threads. */
static void pick_all(struct picker *p, const struct vector_part *parts, size_t count, size_t threads) {
  struct picker own[VECTOR_THREADS] = {{0}};
  void *states[VECTOR_THREADS] = {NULL};
  for (size_t i = 0; i < threads; i++) {
    picker_init(&own[i], p->probe, p->score, p->wanted);
    own[i].least = p->least;
    states[i] = &own[i];
  }
  vector_scan_shared(parts, count, pick_chunk, states, threads);
  free(p->hits);
  p->hits = own[0].hits;
  p->count = own[0].count;
  p->cap = own[0].cap;
  p->least = own[0].least;
  for (size_t i = 1; i < threads; i++) {
    if (p->cap < p->count + own[i].count) {
      p->cap = p->count + own[i].count;
      p->hits = xreallocarray(p->hits, p->cap, sizeof *p->hits);
    }
    memcpy(p->hits + p->count, own[i].hits, own[i].count * sizeof *p->hits);
    p->count += own[i].count;
    p->least = own[i].least > p->least ? own[i].least : p->least;
    free(own[i].hits);
  }
  keep_best(p);
}

/* Selects the best p->wanted rows, or all allowed ones where there are fewer. */
static void vector_pick(struct picker *p, const struct vector_part *parts, size_t count, size_t threads) {
  float guess = guess_least(p, parts, count, vector_scan_rows(parts, count));
  p->least = guess;
  pick_all(p, parts, count, threads);
  if (p->count >= p->wanted || isinf(guess))
    return;
  p->least = -INFINITY; /* the sample was not representative */
  pick_all(p, parts, count, threads);
}

/* ---- narrowing ---- */

/* Scores hits whose bound is in [least, below) with 12 bits and adds them to `best`. */
static void rescore(const struct picker *p, const struct vector_part *parts, float least, float below,
                    struct vector_top *best) {
  size_t ahead = 0;
  for (size_t i = 0; i < p->count; i++) {
    for (; ahead < p->count && ahead < i + RESCORE_AHEAD; ahead++) {
      const struct vector_hit *h = &p->hits[ahead];
      if (h->score >= least && h->score < below)
        vector_fetch(parts[h->part].rows, h->row);
    }
    struct vector_hit h = p->hits[i];
    if (!(h.score >= least && h.score < below))
      continue;
    h.score = vector_probe_score(p->probe, parts[h.part].rows, h.row);
    vector_top_add(best, h);
  }
}

/* Fills `best` from the selected rows, whose scores are upper bounds: first the `keep` highest bounds, then all that
 * could still be better. */
static void vector_settle(const struct picker *p, const struct vector_part *parts, size_t keep,
                          struct vector_top *best) {
  float limit = -INFINITY;
  best->count = 0;
  if (p->count > keep) {
    float *bounds = xreallocarray(NULL, p->count, sizeof *bounds);
    for (size_t i = 0; i < p->count; i++)
      bounds[i] = p->hits[i].score;
    limit = vector_nth_largest(bounds, p->count, keep);
    free(bounds);
  }
  rescore(p, parts, limit, INFINITY, best);
  if (vector_top_worst(best) < limit)
    rescore(p, parts, vector_top_worst(best), limit, best);
}

/* Fills t; compares at least `keep` rows by 12 bits. */
static void search_exactly(const struct vector_probe *probe, const struct vector_part *parts, size_t count,
                           size_t threads, size_t keep, struct vector_top *t) {
  struct picker p;
  picker_init(&p, probe, vector_probe_bounds, at_least(EXACT_CANDIDATES, 4 * keep));
  vector_pick(&p, parts, count, threads);
  vector_settle(&p, parts, keep, t);
  if (p.count == p.wanted && vector_top_worst(t) < p.least) {
    p.wanted = SIZE_MAX; /* rows that were not selected could be better */
    p.least = vector_top_worst(t);
    pick_all(&p, parts, count, threads);
    vector_settle(&p, parts, keep, t);
  }
  free(p.hits);
}

static void search_sketches(const struct vector_probe *probe, const struct vector_part *parts, size_t count,
                            size_t threads, size_t candidates, struct vector_top *t) {
  struct picker p;
  picker_init(&p, probe, vector_probe_sketches, candidates);
  vector_pick(&p, parts, count, threads);
  rescore(&p, parts, -INFINITY, INFINITY, t);
  free(p.hits);
}

static void search_floats(const struct vector_probe *probe, const struct vector_part *parts, size_t count,
                          size_t threads, struct vector_top *t) {
  struct picker p;
  picker_init(&p, probe, vector_probe_scores, t->k);
  pick_all(&p, parts, count, threads);
  for (size_t i = 0; i < p.count; i++)
    vector_top_add(t, p.hits[i]);
  free(p.hits);
}

size_t vector_search(const struct vector_part *parts, size_t count, const struct vector_query *q,
                     struct vector_hit *hits) {
  if (count == 0 || q->k == 0)
    return 0;
  size_t keep = at_least(q->rescore ? q->rescore : at_least(4 * q->k, RESCORE_MIN), q->k);
  size_t candidates = at_least(q->candidates ? q->candidates : DEFAULT_CANDIDATES, keep);
  enum vector_how how = q->how;
  if (how == VECTOR_SKETCH && vector_scan_rows(parts, count) < SKETCH_WORTH * candidates)
    how = VECTOR_PRUNED;
  struct vector_probe *probe = vector_probe_new(parts, count, q->query, how == VECTOR_SKETCH);
  struct vector_top top = {hits, 0, q->k};
  size_t threads = vector_scan_threads(q->threads, vector_scan_rows(parts, count));
  if (how == VECTOR_SKETCH)
    search_sketches(probe, parts, count, threads, candidates, &top);
  else if (how == VECTOR_PRUNED)
    search_exactly(probe, parts, count, threads, keep, &top);
  else
    search_floats(probe, parts, count, threads, &top);
  vector_top_sort(&top);
  vector_probe_free(probe);
  return top.count;
}
