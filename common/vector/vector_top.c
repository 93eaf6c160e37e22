#include "vector/vector_top.h"

#include <math.h>
#include <stdlib.h>

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

void vector_top_add(struct vector_top *t, struct vector_hit h) {
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

float vector_top_worst(const struct vector_top *t) {
  return t->count < t->k ? -INFINITY : t->hits[0].score;
}

void vector_top_sort(struct vector_top *t) {
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

float vector_nth_largest(float *x, size_t count, size_t n) {
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
