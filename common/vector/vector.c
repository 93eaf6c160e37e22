/* vector.c: searching by scanning.
 *
 * A search narrows in stages.  The first one scans all allowed rows, reading 36 bytes (sketches) or 128 bytes (the
 * upper 4 bits) per 256 components, and selects some hundred candidates; the last one compares all 12 bits of the
 * best.  The error of the upper 4 bits is known to be spread evenly over 1/16 of the range, so rows are selected by
 * the upper bound of their score, and where the last candidate could still beat the k-th best, the scan is repeated
 * with that score as the limit.  So the exact search reads half of what int8 rows would take; with sketches the same
 * search runs among their candidates.
 *
 * Scores are written to an array of a chunk's length and selected afterwards, so that the inner loops have no
 * branches.
 */
#include "vector/vector.h"
#include "vector/vector_kernels.h"
#include "vector/vector_probe.h"
#include "vector/vector_scan.h"
#include "vector/vector_top.h"

#include "base/buf.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  DEFAULT_CANDIDATES = 400,
  EXACT_CANDIDATES = 1024,
  RESCORE_MIN = 40,
  SKETCH_WORTH = 8,
  SAMPLE_ROWS = 8192,
  AHEAD = 12,
  RESCORE_AHEAD = 40, /* prefetched, of which a few are compared */
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

/* Replaces the estimates of sketch candidates by likely bounds from 4 bits. */
static void bound_candidates(struct picker *p, const struct vector_part *parts) {
  for (size_t i = 0; i < p->count; i++) {
    struct vector_hit *h = &p->hits[i];
    if (i + AHEAD < p->count)
      vector_probe_fetch(parts[h[AHEAD].part].rows, h[AHEAD].row);
    h->score = vector_probe_likely(p->probe, parts[h->part].rows, h->row);
  }
}

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
                            size_t threads, size_t candidates, size_t keep, struct vector_top *t) {
  struct picker p;
  picker_init(&p, probe, vector_probe_sketches, candidates);
  vector_pick(&p, parts, count, threads);
  bound_candidates(&p, parts);
  vector_settle(&p, parts, keep, t);
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
    search_sketches(probe, parts, count, threads, candidates, keep, &top);
  else if (how == VECTOR_PRUNED)
    search_exactly(probe, parts, count, threads, keep, &top);
  else
    search_floats(probe, parts, count, threads, &top);
  vector_top_sort(&top);
  vector_probe_free(probe);
  return top.count;
}
