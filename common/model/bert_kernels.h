/* bert_kernels.h: the floating-point part of bert_math.h with vectors of LANES floats; each bert_math_*.c includes it
 * and is compiled for its instruction set. */
#include "model/bert.h"

#include <math.h>
#include <string.h>

typedef float vf __attribute__((vector_size(4 * LANES)));
typedef int32_t vi __attribute__((vector_size(4 * LANES)));
typedef int8_t vb __attribute__((vector_size(LANES)));

static inline vf bert_kernels_load(const float *p) {
  vf v;
  memcpy(&v, p, sizeof v);
  return v;
}

static inline void store(float *p, vf v) {
  memcpy(p, &v, sizeof v);
}

static inline vf all(float x) {
  return x - (vf){0};
}

static inline vf choose(vi mask, vf yes, vf no) {
  return (vf)(((vi)yes & mask) | ((vi)no & ~mask));
}

static inline vf bert_kernels_largest(vf a, vf b) {
  return choose(a > b, a, b);
}

static inline vf magnitude(vf x) {
  return (vf)((vi)x & 0x7fffffff);
}

/* Lanes are always added in the same order, for reproducible results. */
static inline float add_lanes(vf v) {
  float sum = 0;
  for (int i = 0; i < LANES; i++)
    sum += v[i];
  return sum;
}

static inline float largest_lane(vf v) {
  float most = v[0];
  for (int i = 1; i < LANES; i++)
    most = v[i] > most ? v[i] : most;
  return most;
}

/* Rounds to nearest: adding 1.5 * 2^23 leaves the integer in the low bits. */
#define ROUNDER 12582912.0F
static inline vi to_int(vf x) {
  return (vi)(x + ROUNDER) - 0x4B400000;
}

/* e^x for x <= 88: 2^n times a polynomial of degree 6 in the remainder (Cody and Waite's split of log 2); 0 below
 * -87. */
static inline vf exponential(vf x) {
  vi tiny = x < -87.0F;
  x = choose(tiny, all(-87.0F), x);
  vf n = (x * 1.44269504F + ROUNDER) - ROUNDER;
  vf r = x - n * 0.693359375F;
  r = r + n * 2.12194440e-4F;
  vf p = all(1.9875691500e-4F);
  p = p * r + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  p = p * r * r + r + 1.0F;
  return choose(tiny, all(0), p * (vf)((to_int(n) + 127) << 23));
}

static void gelu(float *x, size_t count) {
  for (size_t i = 0; i < count; i += LANES) {
    vf v = bert_kernels_load(x + i), z = magnitude(v) * 0.70710678F;
    vf t = 1.0F / (1.0F + 0.3275911F * z);
    vf p = all(1.061405429F);
    p = p * t - 1.453152027F;
    p = p * t + 1.421413741F;
    p = p * t - 0.284496736F;
    p = p * t + 0.254829592F;
    vf rest = p * t * exponential(-z * z); /* 1 - erf(|x| / sqrt 2) */
    store(x + i, 0.5F * v * choose(v < 0, rest, 2.0F - rest));
  }
}

static void quantize(const float *x, size_t m, size_t width, float most_steps, struct bert_rows *out) {
  for (size_t row = 0; row < m; row++, x += width) {
    vf most = all(0);
    for (size_t i = 0; i < width; i += LANES)
      most = bert_kernels_largest(most, magnitude(bert_kernels_load(x + i)));
    float top = largest_lane(most), step = top > 0 ? top / most_steps : 1.0F;
    vf inverse = all(1.0F / step);
    vi total = {0};
    int8_t *q = out->q + row * width;
    for (size_t i = 0; i < width; i += LANES) {
      vi n = to_int(bert_kernels_load(x + i) * inverse);
      vb b = __builtin_convertvector(n, vb);
      memcpy(q + i, &b, sizeof b);
      total += n;
    }
    out->scale[row] = step;
    out->total[row] = 0;
    for (int i = 0; i < LANES; i++)
      out->total[row] =
          (int32_t)((uint32_t)out->total[row] + (uint32_t)total[i]); /* wraps for values that are not
                                                                        numbers */
  }
}

static void bert_kernels_normalize(float *x, const float *add, size_t m, size_t width, const float *norm,
                                   float epsilon) {
  for (size_t row = 0; row < m; row++, x += width) {
    vf sum = all(0), squares = all(0);
    for (size_t i = 0; i < width; i += LANES) {
      vf v = bert_kernels_load(x + i);
      if (add)
        v += bert_kernels_load(add + row * width + i);
      store(x + i, v);
      sum += v;
    }
    vf mean = all(add_lanes(sum) / (float)width);
    for (size_t i = 0; i < width; i += LANES) {
      vf v = bert_kernels_load(x + i) - mean;
      squares += v * v;
    }
    vf scale = all(1.0F / sqrtf(add_lanes(squares) / (float)width + epsilon));
    for (size_t i = 0; i < width; i += LANES)
      store(x + i, (bert_kernels_load(x + i) - mean) * scale * bert_kernels_load(norm + i) +
                       bert_kernels_load(norm + width + i));
  }
}

/* Multiplies rows of a by rows of W, ROWS by COLUMNS at a time, in vectors along k. */
static void linear_float(const float *a, size_t m, const struct bert_linear *w, float *out) {
  enum { COLUMNS = 4 };
  for (size_t j = 0; j < w->n; j += COLUMNS)
    for (size_t i = 0; i < m; i++) {
      vf sum[COLUMNS] = {all(0), all(0), all(0), all(0)};
      for (size_t k = 0; k < w->k; k += LANES)
        for (int c = 0; c < COLUMNS; c++)
          sum[c] += bert_kernels_load(a + i * w->k + k) *
                    bert_kernels_load(w->weights + (j + (size_t)c) * w->k + k);
      for (int c = 0; c < COLUMNS; c++)
        out[i * w->n + j + (size_t)c] = add_lanes(sum[c]) + w->bias[j + (size_t)c];
    }
}

/* --- attention --------------------------------------------------------------------------------------------
 */

#define QUERIES                                                                                              \
  (LANES == 16 ? 6 : 4) /* rows processed at a time: with two vectors each, the sums fit into registers */

/* scores[r][j] = q[r] . k[j], where keys is k transposed: [dim][padded]. */
static void scores_of(const float *q, size_t stride, size_t rows, const float *keys, size_t dim,
                      size_t padded, float *scores) {
  const float *row[QUERIES];
  for (size_t r = 0; r < QUERIES; r++)
    row[r] = q + (r < rows ? r : 0) * stride;
  for (size_t j = 0; j < padded; j += 2 * LANES) {
    vf sum[QUERIES][2] = {{{0}}};
    for (size_t d = 0; d < dim; d++) {
      vf k0 = bert_kernels_load(keys + d * padded + j), k1 = bert_kernels_load(keys + d * padded + j + LANES);
      for (int r = 0; r < QUERIES; r++) {
        sum[r][0] += row[r][d] * k0;
        sum[r][1] += row[r][d] * k1;
      }
    }
    for (size_t r = 0; r < QUERIES; r++) {
      store(scores + r * padded + j, sum[r][0]);
      store(scores + r * padded + j + LANES, sum[r][1]);
    }
  }
}

/* Softmax over the first m of `padded` scores; the others become 0.  Returns 1 / the sum, not yet applied. */
static float soften(float *scores, size_t m, size_t padded, float scale) {
  vf most = all(-INFINITY), sum = all(0);
  for (size_t j = m; j < padded; j++)
    scores[j] = -INFINITY;
  for (size_t j = 0; j < padded; j += LANES)
    most = bert_kernels_largest(most, bert_kernels_load(scores + j));
  vf top = all(largest_lane(most));
  for (size_t j = 0; j < padded; j += LANES) {
    vf e = exponential((bert_kernels_load(scores + j) - top) * scale);
    store(scores + j, e);
    sum += e;
  }
  return 1.0F / add_lanes(sum);
}

/* out[r] = inverse[r] * sum over j of scores[r][j] * values[j]; values [m][dim]. */
static void bert_kernels_mix(const float *scores, size_t padded, size_t rows, const float *inverse,
                             const float *values, size_t m, size_t dim, float *out, size_t stride) {
  for (size_t d = 0; d < dim; d += 2 * LANES) {
    vf sum[QUERIES][2] = {{{0}}};
    for (size_t j = 0; j < m; j++) {
      vf v0 = bert_kernels_load(values + j * dim + d), v1 = bert_kernels_load(values + j * dim + d + LANES);
      for (size_t r = 0; r < QUERIES; r++) {
        sum[r][0] += scores[r * padded + j] * v0;
        sum[r][1] += scores[r * padded + j] * v1;
      }
    }
    for (size_t r = 0; r < rows; r++) {
      store(out + r * stride + d, sum[r][0] * inverse[r]);
      store(out + r * stride + d + LANES, sum[r][1] * inverse[r]);
    }
  }
}

/* Transposes m rows into keys [dim][padded], padded with zeros, 16 at a time to stay in the L1 cache. */
static void transpose(const float *rows, size_t stride, size_t m, size_t dim, size_t padded, float *keys) {
  for (size_t j = 0; j < padded; j += 16)
    for (size_t d = 0; d < dim; d++)
      for (size_t i = j; i < j + 16; i++)
        keys[d * padded + i] = i < m ? rows[i * stride + d] : 0;
}

static void attend_head(const float *qkv, size_t m, size_t kept, size_t heads, size_t dim, float *scratch,
                        float *out) {
  size_t padded = (m + 63) / 64 * 64, hidden = heads * dim, stride = 3 * hidden;
  float *keys = scratch, *values = keys + dim * padded, *scores = values + dim * padded;
  float scale = 1.0F / sqrtf((float)dim);
  transpose(qkv + hidden, stride, m, dim, padded, keys);
  for (size_t j = 0; j < m; j++)
    memcpy(values + j * dim, qkv + 2 * hidden + j * stride, dim * sizeof *values);
  for (size_t i = 0; i < kept; i += QUERIES) {
    size_t rows = kept - i < QUERIES ? kept - i : QUERIES;
    float inverse[QUERIES];
    scores_of(qkv + i * stride, stride, rows, keys, dim, padded, scores);
    for (size_t r = 0; r < rows; r++)
      inverse[r] = soften(scores + r * padded, m, padded, scale);
    bert_kernels_mix(scores, padded, rows, inverse, values, m, dim, out + i * hidden, hidden);
  }
}

static void attention(const float *qkv, size_t m, size_t kept, size_t heads, size_t dim, float *scratch,
                      float *out) {
  for (size_t h = 0; h < heads; h++)
    attend_head(qkv + h * dim, m, kept, heads, dim, scratch, out + h * dim);
}
