/* vector_rows.c: a row of a vector table: quantized, restored, compared, and the 1-bit sketch of it. */
#include "vector/vector_rows.h"
#include "base/buf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- quantising, restoring and scoring single rows; selection of the kernels ---- */

#define QUANTUM_MAX 2039

static const struct vector_kernels *chosen;

static const struct vector_kernels *best_here(void) {
  const struct vector_kernels *k = vector_kernel_list;
  while (!k->runs_here())
    k++;
  return k;
}

/* Runs before there are threads, since all of them read it. */
__attribute__((constructor)) static void choose(void) {
  chosen = best_here();
}

const struct vector_kernels *vector_kernels_used(void) {
  return chosen;
}

const char *vector_kernels(void) {
  return vector_kernels_used()->name;
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

float vector_largest(const float *x, size_t dims) {
  float max = 0;
  for (size_t i = 0; i < dims; i++)
    max = fabsf(x[i]) > max && isfinite(x[i]) ? fabsf(x[i]) : max;
  return max;
}

/* A scale with 12 significant bits, rounded up: its products with 12-bit integers are exact floats, so quantising a
 * restored row gives the same row. */
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

/* Whether each component is a multiple of the scale, as in a restored row. */
static int is_scale_of(float scale, const float *x, size_t dims) {
  float inverse = 1 / scale;
  if (!(scale > 0) || !isfinite(scale) || !isfinite(inverse))
    return 0;
  for (size_t i = 0; i < dims; i++) {
    float f = isfinite(x[i]) ? rintf(x[i] * inverse) : 0;
    if (fabsf(f) > QUANTUM_MAX || (isfinite(x[i]) && f * scale != x[i]))
      return 0;
  }
  return 1;
}

float vector_quantize(const float *x, size_t dims, float scale, uint8_t *high, uint8_t *low) {
  size_t width = vector_width(dims);
  if (!is_scale_of(scale, x, dims))
    scale = choose_scale(vector_largest(x, dims));
  float inverse = scale > 0 ? 1 / scale : 0;
  memset(high, (VECTOR_ZERO >> 8) * 17, width / 2);
  memset(low, 0, width);
  for (size_t i = 0; i < dims; i++) {
    float f = isfinite(x[i]) ? rintf(x[i] * inverse) : 0;
    unsigned v = (unsigned)(VECTOR_ZERO + (int)fminf(fmaxf(f, -QUANTUM_MAX), QUANTUM_MAX)),
             shift = vector_shift_of(i);
    uint8_t *byte = high + vector_byte_of(i);
    *byte = (uint8_t)((*byte & (0xf0u >> shift)) | ((uint32_t)v >> 8) << shift);
    low[i] = (uint8_t)v;
  }
  return scale;
}

void vector_restore(const struct vector_rows *r, size_t row, float *out) {
  vector_touch(r, VECTOR_HIGH, row, row + 1, r->width / 2);
  vector_touch(r, VECTOR_LOW, row, row + 1, r->width);
  const uint8_t *high = r->high + row * (r->width / 2), *low = r->low + row * r->width;
  float scale = r->scale[row];
  for (size_t i = 0; i < r->dims; i += 32) {
    size_t at = i / 64 * 32, n = r->dims - i < 32 ? r->dims - i : 32;
    unsigned shift = vector_shift_of(i);
    for (size_t k = 0; k < n; k++)
      out[i + k] = scale * (float)(((high[at + k] >> shift & 15) << 8 | low[i + k]) - VECTOR_ZERO);
  }
}

void vector_fetch(const struct vector_rows *r, size_t row) {
  vector_prefetch(r->high + row * (r->width / 2), r->width / 2);
  vector_prefetch(r->low + row * r->width, r->width);
}

float vector_score_padded(const struct vector_rows *r, size_t row, const float *query) {
  vector_touch(r, VECTOR_HIGH, row, row + 1, r->width / 2);
  vector_touch(r, VECTOR_LOW, row, row + 1, r->width);
  size_t half = r->width / 2;
  return r->scale[row] *
         vector_kernels_used()->score(r->high + row * half, r->low + row * r->width, half, query);
}

float vector_score(const struct vector_rows *r, size_t row, const float *query) {
  float padded[VECTOR_DIMS_MAX];
  if (r->dims == r->width)
    return vector_score_padded(r, row, query);
  memcpy(padded, query, r->dims * sizeof *padded);
  memset(padded + r->dims, 0, (r->width - r->dims) * sizeof *padded);
  return vector_score_padded(r, row, padded);
}

/* ---- rotation, and sketches of rows and queries ---- */

/* splitmix64 (Steele, Lea, Flood 2014). */
static uint64_t vector_sketch_spread(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

void vector_sketch_rotation_init(struct vector_sketch_rotation *t, size_t width) {
  t->width = width;
  for (t->power = 64; t->power * 2 <= width;)
    t->power *= 2;
  t->sign = xreallocarray(NULL, SKETCH_ROUNDS * width, sizeof *t->sign);
  for (size_t round = 0; round < SKETCH_ROUNDS; round++)
    for (size_t word = 0; word < width / 64; word++) {
      uint64_t bits = vector_sketch_spread(round << 32 | word);
      for (size_t i = 0; i < 64; i++)
        t->sign[round * width + 64 * word + i] = bits >> i & 1 ? -1 : 1;
    }
}

void vector_sketch_rotation_release(struct vector_sketch_rotation *t) {
  free(t->sign);
}

/* Hadamard butterflies over distances n / 2, n / 4, ... 8 of x[n], n a power of 2, each scaled to preserve lengths. */
static void vector_sketch_butterflies(float *x, size_t n) {
  for (size_t distance = n / 2; distance >= 8; distance /= 2)
    for (size_t at = 0; at < n; at += 2 * distance)
      for (size_t i = at; i < at + distance; i++) {
        float a = x[i], b = x[i + distance];
        x[i] = (a + b) * 0.70710678F;
        x[i + distance] = (a - b) * 0.70710678F;
      }
}

/* Butterflies omit distances below 8, which the transposition between rounds compensates; a width that is not a power
 * of 2 is covered by its first and its last `power` components in turn. */
void vector_sketch_rotate(const struct vector_sketch_rotation *t, float *x) {
  float y[VECTOR_DIMS_MAX];
  size_t width = t->width, eighth = width / 8;
  for (size_t round = 0; round < SKETCH_ROUNDS; round++) {
    const float *sign = t->sign + round * width;
    for (size_t k = 0; k < 8; k++)
      for (size_t i = 0; i < eighth; i++)
        y[k * eighth + i] = x[8 * i + k] * sign[8 * i + k];
    vector_sketch_butterflies(y + (round % 2 ? width - t->power : 0), t->power);
    memcpy(x, y, width * sizeof *x);
  }
}

/* ---- rows ---- */

/* The direction of the rows' mean, rotated; zero where there is none. */
static void find_axis(const struct vector_rows *r, const struct vector_sketch_rotation *t, float *axis) {
  double sum[VECTOR_DIMS_MAX] = {0};
  float x[VECTOR_DIMS_MAX];
  for (size_t row = 0; row < r->rows; row++) {
    vector_restore(r, row, x);
    for (size_t i = 0; i < r->dims; i++)
      sum[i] += (double)x[i];
  }
  double square = 0;
  for (size_t i = 0; i < r->dims; i++)
    square += sum[i] * sum[i];
  memset(axis, 0, r->width * sizeof *axis);
  for (size_t i = 0; i < r->dims && square > 0 && isfinite(square); i++)
    axis[i] = (float)(sum[i] / sqrt(square));
  vector_sketch_rotate(t, axis);
}

/* Removes x's component along the axis and returns it. */
static float part_along(float *x, const float *axis, size_t width) {
  float along = vector_dot(x, axis, width);
  for (size_t i = 0; i < width; i++)
    x[i] -= along * axis[i];
  return along;
}

/* Writes a row's bits to its place in its group; returns its factor. */
static float make_sketch(const float *x, size_t width, size_t row, uint64_t *sketch) {
  uint64_t *group = sketch + row / 8 * width / 8;
  float square = 0, sum = 0;
  for (size_t word = 0; word < width / 64; word++) {
    uint64_t bits = 0;
    for (size_t i = 0; i < 64; i++) {
      float v = x[64 * word + i];
      bits |= (uint64_t)(v > 0) << i;
      square += v * v;
      sum += fabsf(v);
    }
    group[8 * word + row % 8] = bits;
  }
  return sum > 0 && isfinite(square / sum) ? square / sum : 0;
}

/* The upper half of a float, rounded. */
static uint16_t halve(float f) {
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return (uint16_t)(isfinite(f) ? (bits + 0x8000) >> 16 : 0);
}

void vector_make_sketches(const struct vector_rows *r, uint64_t *sketch, uint16_t *factor, float *axis) {
  struct vector_sketch_rotation t;
  float x[VECTOR_DIMS_MAX];
  vector_sketch_rotation_init(&t, r->width);
  find_axis(r, &t, axis);
  memset(sketch, 0, vector_groups(r->rows) * r->width);
  memset(factor, 0, vector_groups(r->rows) * 16 * sizeof *factor);
  memset(x, 0, r->width * sizeof *x);
  for (size_t row = 0; row < r->rows; row++) {
    uint16_t *to = factor + row / 8 * 16 + row % 8;
    vector_restore(r, row, x);
    memset(x + r->dims, 0, (r->width - r->dims) * sizeof *x);
    vector_sketch_rotate(&t, x);
    to[8] = halve(part_along(x, axis, r->width));
    to[0] = halve(make_sketch(x, r->width, row, sketch));
  }
  vector_sketch_rotation_release(&t);
}

/* ---- a query ---- */

static float largest_of(const float *x, size_t n) {
  float max = 0;
  for (size_t i = 0; i < n; i++)
    max = fabsf(x[i]) > max ? fabsf(x[i]) : max;
  return max;
}

void vector_sketch_query_init(struct vector_sketch_query *q, const float *rotated, const float *axis,
                              size_t width) {
  float x[VECTOR_DIMS_MAX];
  size_t words = width / 64;
  int all = 0;
  memcpy(x, rotated, width * sizeof *x);
  float along = part_along(x, axis, width);
  float max = largest_of(x, width), unit = max > 0 && isfinite(max) ? max / 7 : 0;
  q->planes = xcalloc(4 * words, sizeof *q->planes);
  for (size_t i = 0; i < width && unit > 0; i++) {
    int v = (int)rintf(x[i] / unit);
    all += v;
    for (size_t p = 0; p < 4; p++)
      q->planes[p * words + i / 64] |= (uint64_t)((unsigned)v >> p & 1) << (i % 64);
  }
  q->scale = (struct vector_sketch_scale){2 * unit, -unit * (float)all, along}; /* +-q: twice the sum of set
                                                                            components minus the sum of all */
}

void vector_sketch_query_release(struct vector_sketch_query *q) {
  free(q->planes);
}
