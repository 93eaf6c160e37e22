#include "vector/vector_probe.h"
#include "vector/vector_kernels.h"
#include "vector/vector_rows.h"
#include "vector/vector_sketch.h"

#include "base/buf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Bound for candidates of sketches: with 4.5 deviations 967 of 1,200 were compared by 12 bits for eighty neighbours;
 * 3 find the same (test/bench/store.sh), 2 lost 4 of 1,000. */
#define LIKELY (3.0F * 73.9F)

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

struct vector_probe *vector_probe_new(const struct vector_part *parts, size_t count, const float *query,
                                      int sketches) {
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

void vector_probe_free(struct vector_probe *p) {
  for (size_t i = 0; i < p->parts; i++)
    vector_sketch_query_release(&p->sketch[i]);
  free(p->sketch);
  free(p);
}

const float *vector_probe_sketches(const struct vector_probe *p, const struct vector_rows *r, uint32_t index,
                                   uint32_t from, uint32_t to, float *room) {
  const struct vector_sketch_query *q = &p->sketch[index];
  size_t first = from / 8, end = (to + 7) / 8;
  vector_touch(r, VECTOR_SKETCHES, first, end, r->width);
  vector_touch(r, VECTOR_FACTORS, first, end, 32);
  vector_kernels_used()->sketches(r->sketch + first * (r->width / 8), end - first, r->width / 64, q->planes,
                                  r->factor + 16 * first, &q->scale, room);
  return room + from % 8;
}

/* Computes upper bounds of scores. */
const float *vector_probe_bounds(const struct vector_probe *p, const struct vector_rows *r, uint32_t index,
                                 uint32_t from, uint32_t to, float *room) {
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

const float *vector_probe_scores(const struct vector_probe *p, const struct vector_rows *r, uint32_t index,
                                 uint32_t from, uint32_t to, float *room) {
  (void)index;
  for (uint32_t i = 0; i < to - from; i++)
    room[i] = vector_score_padded(r, from + i, p->query);
  return room;
}

float vector_probe_likely(const struct vector_probe *p, const struct vector_rows *r, uint32_t row) {
  float room[VECTOR_PROBE_ROOM];
  float above = p->unit * r->scale[row] * p->bound * (1 - LIKELY / BOUND);
  return *vector_probe_bounds(p, r, 0, row, row + 1, room) - above;
}

void vector_probe_fetch(const struct vector_rows *r, uint32_t row) {
  vector_prefetch(r->high + row * (r->width / 2), r->width / 2);
  __builtin_prefetch(r->scale + row);
}

float vector_probe_score(const struct vector_probe *p, const struct vector_rows *r, uint32_t row) {
  return vector_score_padded(r, row, p->query);
}
