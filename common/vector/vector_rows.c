/* vector_rows.c: quantising, restoring and scoring single rows; selection of the kernels. */
#include "vector/vector_rows.h"

#include "base/buf.h"

#include <math.h>
#include <string.h>

enum { QUANTUM_MAX = 2039 };

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
