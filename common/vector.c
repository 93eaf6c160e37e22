/* vector.c: quantising, and searching by scanning.
 *
 * A search keeps what it has in three widening circles: the sketches of all rows that are allowed (32 bytes a
 * row of 256), the int8 rows of the best few hundred (256 bytes), all 12 bits of the best few dozen (384
 * bytes). Without sketches the second circle is every row.  Distances go to an array of a chunk's length and
 * are chosen from afterwards: the inner loops have no branch.
 */
#include "vector.h"
#include "vector_kernels.h"

#include "buf.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  QUANTUM_MAX = 2039,
  CHUNK = 1024,
  DEFAULT_CANDIDATES = 400,
  RESCORE_MIN = 40,
  SKETCH_WORTH = 8,
  THREADS_MAX = 8,
  ROWS_OF_THREAD = 131072
};

static const struct vector_kernels *chosen;

static const struct vector_kernels *best_here(void) {
  const struct vector_kernels *k = vector_kernel_list;
  while (!k->runs_here())
    k++;
  return k;
}

/* Before there are threads: all of them read it. */
__attribute__((constructor)) static void choose(void) {
  chosen = best_here();
}

static inline const struct vector_kernels *kernels(void) {
  return chosen;
}

const char *vector_kernels(void) {
  return kernels()->name;
}

int vector_force(const char *name) {
  chosen = best_here();
  for (const struct vector_kernels *k = vector_kernel_list; name && k->name; k++)
    if (strcmp(k->name, name) == 0 && k->runs_here()) {
      chosen = k;
      return 0;
    }
  return name ? -1 : 0;
}

static int32_t sum_of(const int8_t *q, size_t width) {
  int32_t sum = 0;
  for (size_t i = 0; i < width; i++)
    sum += q[i];
  return sum;
}

void vector_dots_int8(const int8_t *rows, size_t from, size_t to, size_t width, const int8_t *q,
                      int32_t *out) {
  kernels()->dots(rows + from * width, to - from, width, q, sum_of(q, width), out);
}

void vector_sketches(const uint64_t *rows, size_t from, size_t to, size_t words, const uint64_t *planes,
                     uint16_t *out) {
  kernels()->sketches(rows + from * words, to - from, words, planes, out);
}

float vector_dot(const float *a, const float *b, size_t dims) {
  float sum[8] = {0};
  size_t i = 0;
  for (; i + 8 <= dims; i += 8)
    for (size_t j = 0; j < 8; j++)
      sum[j] += a[i + j] * b[i + j];
  float total = 0;
  for (; i < dims; i++)
    total += a[i] * b[i];
  for (size_t j = 0; j < 8; j++)
    total += sum[j];
  return total;
}

/* ---- quantising ---- */

static float largest(const float *x, size_t dims) {
  float max = 0;
  for (size_t i = 0; i < dims; i++)
    max = fabsf(x[i]) > max && isfinite(x[i]) ? fabsf(x[i]) : max;
  return max;
}

/* A scale of 12 significant bits, rounded up: its products with 12-bit integers are exact floats, which is
 * what makes quantising what was restored give the same row. */
static float choose_scale(float max) {
  if (!(max > 1e-30f))
    return 0;
  float scale = max / QUANTUM_MAX;
  uint32_t bits;
  memcpy(&bits, &scale, 4);
  bits = (bits + 0xfff) & ~(uint32_t)0xfff;
  memcpy(&scale, &bits, 4);
  return scale;
}

float vector_quantize(const float *x, size_t dims, float scale, int8_t *high, uint8_t *low,
                      uint64_t *sketch) {
  size_t width = vector_width(dims);
  if (!(scale > 0))
    scale = choose_scale(largest(x, dims));
  float inverse = scale > 0 ? 1 / scale : 0;
  memset(high, 0, width);
  memset(low, 0, width / 2);
  memset(sketch, 0, width / 8);
  for (size_t i = 0; i < dims; i++) {
    float v = isfinite(x[i]) ? rintf(x[i] * inverse) : 0;
    int q = (int)fminf(fmaxf(v, -QUANTUM_MAX), QUANTUM_MAX);
    int h = (q + 2056) / 16 - 128; /* floor((q + 8) / 16) */
    high[i] = (int8_t)h;
    low[i / 2] = (uint8_t)(low[i / 2] | (unsigned)((q - 16 * h) & 15) << (i % 2 * 4));
    sketch[i / 64] |= (uint64_t)(q > 0) << (i % 64);
  }
  return scale;
}

void vector_planes(const float *query, size_t dims, uint64_t *planes) {
  size_t words = vector_width(dims) / 64;
  float max = largest(query, dims), unit = max > 0 ? 7 / max : 0;
  memset(planes, 0, 4 * words * sizeof *planes);
  for (size_t i = 0; i < dims; i++) {
    unsigned q = isfinite(query[i]) ? (unsigned)(int)rintf(query[i] * unit) : 0;
    for (size_t p = 0; p < 4; p++)
      planes[p * words + i / 64] |= (uint64_t)(q >> p & 1) << (i % 64);
  }
}

static inline int low_of(const uint8_t *low, size_t i) {
  int v = low[i / 2] >> (i % 2 * 4) & 15;
  return v - (v & 8) * 2;
}

void vector_restore(const struct vector_rows *r, size_t row, float *out) {
  const int8_t *high = r->high + row * r->width;
  const uint8_t *low = r->low + row * (r->width / 2);
  for (size_t i = 0; i < r->dims; i++)
    out[i] = r->scale[row] * (float)(16 * high[i] + low_of(low, i));
}

float vector_score(const struct vector_rows *r, size_t row, const float *query) {
  const int8_t *high = r->high + row * r->width;
  const uint8_t *low = r->low + row * (r->width / 2);
  float sum[8] = {0}, total = 0;
  size_t i = 0;
  for (; i + 8 <= r->dims; i += 8)
    for (size_t j = 0; j < 8; j++)
      sum[j] += query[i + j] * (float)(16 * high[i + j] + low_of(low, i + j));
  for (; i < r->dims; i++)
    total += query[i] * (float)(16 * high[i] + low_of(low, i));
  for (size_t j = 0; j < 8; j++)
    total += sum[j];
  return r->scale[row] * total;
}

/* ---- the best k: a heap whose top is the worst that is kept ---- */

struct top {
  struct vector_hit *hits;
  size_t count, k;
};

/* Whether a comes after b in the result. */
static inline int worse(const struct vector_hit *a, const struct vector_hit *b) {
  if (a->score != b->score)
    return a->score < b->score;
  return a->part != b->part ? a->part > b->part : a->row > b->row;
}

static void sift_down(struct top *t, size_t i) {
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

static void top_add(struct top *t, struct vector_hit h) {
  if (t->count == t->k) {
    if (!worse(&t->hits[0], &h))
      return;
    t->hits[0] = h;
    sift_down(t, 0);
    return;
  }
  size_t i = t->count++;
  for (; i > 0 && worse(&h, &t->hits[(i - 1) / 2]); i = (i - 1) / 2)
    t->hits[i] = t->hits[(i - 1) / 2];
  t->hits[i] = h;
}

static inline float top_bound(const struct top *t) {
  return t->count < t->k ? -INFINITY : t->hits[0].score;
}

static int compare_hits(const void *a, const void *b) {
  return worse(a, b) - worse(b, a);
}

static void top_sort(struct top *t) {
  qsort(t->hits, t->count, sizeof *t->hits, compare_hits);
}

/* ---- scanning ---- */

/* The query as the kernels want it. */
struct probe {
  const float *query;
  int8_t high[VECTOR_DIMS_MAX];
  uint64_t planes[4 * VECTOR_DIMS_MAX / 64];
  int32_t sum; /* of high */
  float scale; /* of high alone: component i is about scale * high[i] */
};

static void probe_init(struct probe *p, const float *query, size_t dims) {
  uint8_t low[VECTOR_DIMS_MAX / 2];
  uint64_t sketch[VECTOR_DIMS_MAX / 64];
  p->query = query;
  p->scale = 16 * vector_quantize(query, dims, 0, p->high, low, sketch);
  p->sum = sum_of(p->high, vector_width(dims));
  vector_planes(query, dims, p->planes);
}

static inline int allowed(const struct vector_part *part, uint32_t row) {
  return !part->allow || (part->allow[row / 64] >> (row % 64) & 1);
}

/* Calls f for runs of at most CHUNK rows; of a bitmap only for words that have a bit set. */
typedef void chunk_function(void *state, const struct vector_part *part, uint32_t index, uint32_t from,
                            uint32_t to);

/* The end of the run that starts at `from`: CHUNK rows on, or before a word of the bitmap that is empty. */
static uint32_t run_end(const struct vector_part *part, uint32_t from) {
  uint32_t end = from / CHUNK * CHUNK + CHUNK, to = part->to < end ? part->to : end;
  if (!part->allow)
    return to;
  uint32_t word = from / 64;
  while (word * 64 < to && part->allow[word])
    word++;
  return word * 64 < to ? word * 64 : to;
}

static void each_chunk_of(const struct vector_part *part, uint32_t index, chunk_function *f, void *state) {
  for (uint32_t from = part->from, to; from < part->to; from = to) {
    if (part->allow && !part->allow[from / 64]) {
      to = from / 64 * 64 + 64;
      continue;
    }
    to = run_end(part, from);
    f(state, part, index, from, to);
  }
}

static void each_chunk(const struct vector_part *parts, size_t count, chunk_function *f, void *state) {
  for (size_t p = 0; p < count; p++)
    each_chunk_of(&parts[p], (uint32_t)p, f, state);
}

static size_t rows_of(const struct vector_part *parts, size_t count) {
  size_t n = 0;
  for (size_t i = 0; i < count; i++)
    n += parts[i].to - parts[i].from;
  return n;
}

/* A thread's share: the rows [from, to), counted over all parts. */
struct share {
  const struct vector_part *parts;
  size_t count, from, to;
  chunk_function *f;
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

/* each_chunk() by several threads, each with a state of its own.  A thread that can't be had is done here. */
static void each_chunk_shared(const struct vector_part *parts, size_t count, chunk_function *f,
                              void *const states[THREADS_MAX], size_t threads) {
  struct share shares[THREADS_MAX] = {{0}};
  pthread_t thread[THREADS_MAX];
  size_t rows = rows_of(parts, count), started = 1;
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

/* A thread pays from some 100,000 rows on. */
static size_t threads_for(const struct vector_query *q, size_t rows) {
  long cores = q->threads ? q->threads : sysconf(_SC_NPROCESSORS_ONLN);
  size_t most = rows / ROWS_OF_THREAD + 1;
  most = most < THREADS_MAX ? most : THREADS_MAX;
  return cores > 0 && (size_t)cores < most ? (size_t)cores : most;
}

struct scan {
  const struct probe *probe;
  struct top top;
};

static void scan_float(void *state, const struct vector_part *part, uint32_t index, uint32_t from,
                       uint32_t to) {
  struct scan *s = state;
  for (uint32_t r = from; r < to; r++)
    if (allowed(part, r))
      top_add(&s->top, (struct vector_hit){vector_score(part->rows, r, s->probe->query), index, r});
}

static void scan_int8(void *state, const struct vector_part *part, uint32_t index, uint32_t from,
                      uint32_t to) {
  struct scan *s = state;
  const struct vector_rows *rows = part->rows;
  int32_t dots[CHUNK];
  float scores[CHUNK];
  kernels()->dots(rows->high + (size_t)from * rows->width, to - from, rows->width, s->probe->high,
                  s->probe->sum, dots);
  for (uint32_t i = 0; i < to - from; i++)
    scores[i] = (float)dots[i] * rows->scale[from + i];
  float bound = top_bound(&s->top);
  for (uint32_t i = 0; i < to - from; i++)
    if (scores[i] >= bound && allowed(part, from + i)) {
      top_add(&s->top, (struct vector_hit){scores[i], index, from + i});
      bound = top_bound(&s->top);
    }
}

/* The best sketches.  What score is worth taking is guessed from a sample of the rows, so that one pass over
 * all of them takes a few more than are wanted; these are counted by score and the best are kept.  A guess
 * that proves wrong (too few) is lowered and the pass repeated. */
struct sketch_scan {
  const struct probe *probe;
  uint32_t *histogram; /* by score */
  size_t scores;       /* how many there can be */
  uint32_t stride;     /* of the sample, in chunks */
  size_t chunk;
  uint16_t least; /* take scores from here on */
  struct vector_hit *hits;
  size_t count, cap;
};

static void sketch_sample(void *state, const struct vector_part *part, uint32_t index, uint32_t from,
                          uint32_t to) {
  struct sketch_scan *s = state;
  uint16_t scores[CHUNK];
  (void)index;
  if (s->chunk++ % s->stride)
    return;
  vector_sketches(part->rows->sketch, from, to, part->rows->width / 64, s->probe->planes, scores);
  for (uint32_t i = 0; i < to - from; i++)
    if (allowed(part, from + i)) {
      s->histogram[scores[i]]++;
      s->count++;
    }
}

/* The score that `wanted` of the counted rows reach. */
static uint16_t score_reached(const struct sketch_scan *s, size_t wanted) {
  size_t seen = 0, score = s->scores;
  while (score > 0 && seen < wanted)
    seen += s->histogram[--score];
  return (uint16_t)score;
}

static void take_hit(struct sketch_scan *s, uint32_t index, uint32_t row, uint16_t score) {
  if (s->count == s->cap) {
    s->cap *= 2;
    s->hits = xreallocarray(s->hits, s->cap, sizeof *s->hits);
  }
  s->hits[s->count++] = (struct vector_hit){(float)score, index, row};
}

static void sketch_take(void *state, const struct vector_part *part, uint32_t index, uint32_t from,
                        uint32_t to) {
  struct sketch_scan *s = state;
  uint16_t scores[CHUNK];
  uint32_t good[CHUNK];
  vector_sketches(part->rows->sketch, from, to, part->rows->width / 64, s->probe->planes, scores);
  size_t n = kernels()->reach(scores, to - from, s->least, good);
  for (size_t i = 0; i < n; i++)
    if (allowed(part, from + good[i]))
      take_hit(s, index, from + good[i], scores[good[i]]);
}

static void guess_least(struct sketch_scan *s, const struct vector_part *parts, size_t count, size_t wanted) {
  size_t rows = rows_of(parts, count);
  s->stride = (uint32_t)(rows / 16384 + 1);
  s->chunk = s->count = 0;
  each_chunk(parts, count, sketch_sample, s);
  size_t share = s->stride == 1 ? wanted : (wanted + wanted / 4) / s->stride + 8;
  s->least = score_reached(s, share);
}

/* Keeps the best `wanted` of the hits: those above the score that so many reach, and of those at it the
 * first. */
static void keep_best(struct sketch_scan *s, size_t wanted) {
  if (s->count <= wanted)
    return;
  memset(s->histogram, 0, s->scores * sizeof *s->histogram);
  for (size_t i = 0; i < s->count; i++)
    s->histogram[(size_t)s->hits[i].score]++;
  float limit = (float)score_reached(s, wanted);
  size_t kept = 0, spare = wanted;
  for (size_t i = 0; i < s->count; i++)
    spare -= s->hits[i].score > limit;
  for (size_t i = 0; i < s->count; i++) {
    int equal = s->hits[i].score >= limit && s->hits[i].score <= limit;
    if (s->hits[i].score > limit || (equal && spare > 0)) {
      spare -= (size_t)equal;
      s->hits[kept++] = s->hits[i];
    }
  }
  s->count = kept;
}

/* Takes all rows that reach s->least, by several threads; their order is that of the rows. */
static void take_all(struct sketch_scan *s, const struct vector_part *parts, size_t count, size_t threads) {
  struct sketch_scan own[THREADS_MAX] = {{0}};
  void *states[THREADS_MAX] = {NULL};
  s->count = 0;
  for (size_t i = 0; i < threads; i++) {
    own[i] = *s;
    if (i > 0)
      own[i].hits = xmalloc(own[i].cap * sizeof *own[i].hits);
    states[i] = &own[i];
  }
  each_chunk_shared(parts, count, sketch_take, states, threads);
  *s = own[0];
  for (size_t i = 1; i < threads; i++) {
    for (size_t k = 0; k < own[i].count; k++)
      take_hit(s, own[i].hits[k].part, own[i].hits[k].row, (uint16_t)own[i].hits[k].score);
    free(own[i].hits);
  }
}

/* Fills t (k is the number of candidates) with the rows of the best sketches, in no order. */
static void best_sketches(const struct vector_part *parts, size_t count, const struct probe *probe,
                          size_t threads, struct top *t) {
  size_t scores = 15 * parts[0].rows->width + 1;
  struct sketch_scan s = {.probe = probe, .scores = scores, .cap = 2 * t->k + 64};
  s.histogram = xcalloc(scores, sizeof *s.histogram);
  s.hits = xmalloc(s.cap * sizeof *s.hits);
  guess_least(&s, parts, count, t->k);
  for (;;) {
    take_all(&s, parts, count, threads);
    if (s.count >= t->k || s.least == 0)
      break;
    s.least = (uint16_t)(s.least > 64 ? s.least - 64 : 0);
  }
  keep_best(&s, t->k);
  free(s.histogram);
  free(t->hits);
  t->hits = s.hits;
  t->count = s.count;
}

/* Fills t with the best rows by f, which is scan_int8 or scan_float. */
static void scan_all(const struct vector_part *parts, size_t count, chunk_function *f,
                     const struct probe *probe, size_t threads, struct top *t) {
  struct scan own[THREADS_MAX] = {{0}};
  void *states[THREADS_MAX] = {NULL};
  for (size_t i = 0; i < threads; i++) {
    own[i] = (struct scan){probe, *t};
    if (i > 0)
      own[i].top.hits = xmalloc((t->k + 1) * sizeof *t->hits);
    states[i] = &own[i];
  }
  each_chunk_shared(parts, count, f, states, threads);
  *t = own[0].top;
  for (size_t i = 1; i < threads; i++) {
    for (size_t k = 0; k < own[i].top.count; k++)
      top_add(t, own[i].top.hits[k]);
    free(own[i].top.hits);
  }
}

/* Scores the candidates with int8 and leaves the best `keep` in t. */
static void narrow_int8(const struct vector_part *parts, const struct probe *probe, struct top *t,
                        size_t keep) {
  struct vector_hit *all = t->hits;
  size_t n = t->count;
  struct top best = {xmalloc((keep + 1) * sizeof *all), 0, keep};
  for (size_t i = 0; i < n; i++) {
    const struct vector_rows *rows = parts[all[i].part].rows;
    int32_t dot;
    if (i + 8 < n) {
      const struct vector_rows *ahead = parts[all[i + 8].part].rows;
      const int8_t *row = ahead->high + (size_t)all[i + 8].row * ahead->width;
      for (size_t b = 0; b < ahead->width; b += 64)
        __builtin_prefetch(row + b);
    }
    kernels()->dots(rows->high + (size_t)all[i].row * rows->width, 1, rows->width, probe->high, probe->sum,
                    &dot);
    all[i].score = (float)dot * rows->scale[all[i].row];
    top_add(&best, all[i]);
  }
  free(all);
  *t = best;
}

static void rescore(const struct vector_part *parts, const struct probe *probe, struct top *t) {
  for (size_t i = 0; i < t->count; i++)
    t->hits[i].score = vector_score(parts[t->hits[i].part].rows, t->hits[i].row, probe->query);
}

static size_t at_least(size_t a, size_t b) {
  return a > b ? a : b;
}

size_t vector_search(const struct vector_part *parts, size_t count, const struct vector_query *q,
                     struct vector_hit *hits) {
  if (count == 0 || q->k == 0)
    return 0;
  struct probe *probe = xmalloc(sizeof *probe);
  probe_init(probe, q->query, parts[0].rows->dims);
  size_t keep = at_least(q->rescore ? q->rescore : at_least(4 * q->k, RESCORE_MIN), q->k);
  size_t candidates = at_least(q->candidates ? q->candidates : DEFAULT_CANDIDATES, keep);
  enum vector_how how = q->how;
  if (how == VECTOR_SKETCH && rows_of(parts, count) < SKETCH_WORTH * candidates)
    how = VECTOR_EXACT;
  size_t k = how == VECTOR_SKETCH ? candidates : how == VECTOR_EXACT ? keep : q->k;
  struct top top = {xmalloc((k + 1) * sizeof *hits), 0, k};
  size_t threads = threads_for(q, rows_of(parts, count));
  if (how == VECTOR_SKETCH) {
    best_sketches(parts, count, probe, threads, &top);
    narrow_int8(parts, probe, &top, keep);
  } else
    scan_all(parts, count, how == VECTOR_EXACT ? scan_int8 : scan_float, probe, threads, &top);
  if (how != VECTOR_FLOAT)
    rescore(parts, probe, &top);
  top_sort(&top);
  size_t n = top.count < q->k ? top.count : q->k;
  memcpy(hits, top.hits, n * sizeof *hits);
  free(top.hits);
  free(probe);
  return n;
}
