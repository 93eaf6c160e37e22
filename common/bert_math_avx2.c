/* AVX2 and FMA.  Without a dot product of bytes, both sides are widened to 16 bits: vpmaddwd cannot overflow,
 * while vpmaddubsw would saturate on sums of two products. */
#if defined(__x86_64__)
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#pragma GCC optimize("O3,fp-contract=fast")
#endif
#include <immintrin.h>
#define LANES 8
#include "bert_kernels.h"

#define COLUMNS 16 /* two vectors of 8 sums */
#define ROWS 4     /* with 16 columns 8 sums: more of them spill out of 16 registers */

static size_t packed_size(size_t n, size_t k) {
  return n * k * 2;
}

/* Blocks of 16 columns; in a block, pair of k by pair of k, the two numbers of each column side by side. */
static void pack(void *out, const int8_t *q, size_t n, size_t k) {
  int16_t *p = out;
  for (size_t j = 0; j < n; j += COLUMNS)
    for (size_t i = 0; i < k; i += 2)
      for (size_t c = 0; c < COLUMNS; c++) {
        *p++ = q[(j + c) * k + i];
        *p++ = q[(j + c) * k + i + 1];
      }
}

static inline __m256i pair_at(const int16_t *a) {
  int32_t two;
  memcpy(&two, a, sizeof two);
  return _mm256_set1_epi32(two);
}

static inline void block(const struct bert_rows *a, size_t row, size_t rows, const struct bert_linear *w,
                         size_t j, float *out) {
  const int16_t *b = (const int16_t *)w->packed + j * w->k;
  __m256i sum[ROWS][2];
  const int16_t *q[ROWS];
  for (size_t r = 0; r < ROWS; r++) {
    sum[r][0] = sum[r][1] = _mm256_setzero_si256();
    q[r] = a->wide + (row + (r < rows ? r : 0)) * w->k;
  }
  for (size_t k = 0; k < w->k; k += 2, b += 2 * COLUMNS) {
    __m256i b0 = _mm256_load_si256((const __m256i *)(const void *)b);
    __m256i b1 = _mm256_load_si256((const __m256i *)(const void *)(b + COLUMNS));
    for (size_t r = 0; r < ROWS; r++) {
      __m256i x = pair_at(q[r] + k);
      sum[r][0] = _mm256_add_epi32(sum[r][0], _mm256_madd_epi16(x, b0));
      sum[r][1] = _mm256_add_epi32(sum[r][1], _mm256_madd_epi16(x, b1));
    }
  }
  for (size_t r = 0; r < rows; r++)
    for (size_t half = 0; half < 2; half++) {
      size_t c = j + half * 8;
      __m256 scale = _mm256_mul_ps(_mm256_set1_ps(a->scale[row + r]), _mm256_loadu_ps(w->scale + c));
      __m256 y = _mm256_fmadd_ps(_mm256_cvtepi32_ps(sum[r][half]), scale, _mm256_loadu_ps(w->bias + c));
      _mm256_storeu_ps(out + (row + r) * w->n + c, y);
    }
}

static void widen(const struct bert_rows *a, size_t count) {
  for (size_t i = 0; i < count; i += 16) {
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(a->q + i));
    _mm256_storeu_si256((__m256i *)(void *)(a->wide + i), _mm256_cvtepi8_epi16(bytes));
  }
}

static void linear(const struct bert_rows *a, size_t m, const struct bert_linear *w, float *out) {
  widen(a, m * w->k);
  for (size_t j = 0; j < w->n; j += COLUMNS)
    for (size_t i = 0; i < m; i += ROWS)
      block(a, i, m - i < ROWS ? m - i : ROWS, w, j, out);
}

const struct bert_math bert_math_avx2 = {"avx2",   packed_size, pack, linear,   linear_float,
                                         quantize, normalize,   gelu, attention};
#ifdef __clang__
#pragma clang attribute pop
#endif
#else
typedef int bert_math_avx2_is_not_here; /* an empty file is no C */
#endif
