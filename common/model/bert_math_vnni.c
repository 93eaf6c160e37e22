/* bert_math_vnni.c: AVX-512 with VNNI.
 *
 * vpdpbusd multiplies unsigned by signed bytes: the weights are shifted by 128, and 128 times the sum of a
 * row's activations is subtracted at the end.  Packed weights are blocks of 64 columns; inside a block, groups of
 * four k with the four bytes of each column adjacent: a line of 64 bytes is 16 columns.
 */
#if defined(__x86_64__)
#ifdef __clang__
#pragma clang attribute push(                                                                                \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni,avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni,avx2,fma")
#pragma GCC optimize("O3,fp-contract=fast")
#endif
#include <immintrin.h>
#define LANES 16
#include "model/bert_kernels.h"

#define COLUMNS 64
#define ROWS 4 /* 16 sums: compilers spill registers with more */
#define VECTORS (COLUMNS / 16)

static size_t packed_size(size_t n, size_t k) {
  return n * k;
}

static void bert_math_vnni_pack(void *out, const int8_t *q, size_t n, size_t k) {
  uint8_t *p = out;
  for (size_t j = 0; j < n; j += COLUMNS)
    for (size_t i = 0; i < k; i += 4)
      for (size_t c = 0; c < COLUMNS; c++)
        for (size_t b = 0; b < 4; b++)
          *p++ = (uint8_t)(q[(j + c) * k + i + b] + 128);
}

/* Scales the sums of 16 columns of a row back to float. */
static inline void bert_math_vnni_finish(const struct bert_rows *a, size_t row, const struct bert_linear *w,
                                         size_t column, __m512i sum, float *out) {
  sum = _mm512_sub_epi32(sum, _mm512_set1_epi32((int)(128U * (uint32_t)a->total[row])));
  __m512 scale = _mm512_mul_ps(_mm512_set1_ps(a->scale[row]), _mm512_loadu_ps(w->scale + column));
  __m512 y = _mm512_fmadd_ps(_mm512_cvtepi32_ps(sum), scale, _mm512_loadu_ps(w->bias + column));
  _mm512_storeu_ps(out + row * w->n + column, y);
}

static inline void block(const struct bert_rows *a, size_t row, size_t rows, const struct bert_linear *w,
                         size_t j, float *out) {
  const uint8_t *b = (const uint8_t *)w->packed + j * w->k;
  __m512i sum[ROWS][VECTORS]; /* fully unrolled; otherwise GCC moves it in memory in the inner loop */
  const int8_t *q[ROWS];
#pragma GCC unroll 4
  for (size_t r = 0; r < ROWS; r++) {
#pragma GCC unroll 4
    for (size_t v = 0; v < VECTORS; v++)
      sum[r][v] = _mm512_setzero_si512();
    q[r] = a->q + (row + (r < rows ? r : 0)) * w->k;
  }
  for (size_t k = 0; k < w->k; k += 4, b += 4 * COLUMNS) {
#pragma GCC unroll 4
    for (size_t r = 0; r < ROWS; r++) {
      int32_t four;
      memcpy(&four, q[r] + k, 4);
      __m512i x = _mm512_set1_epi32(four);
#pragma GCC unroll 4
      for (size_t v = 0; v < VECTORS; v++)
        sum[r][v] = _mm512_dpbusd_epi32(sum[r][v], _mm512_load_si512(b + 64 * v), x);
    }
  }
#pragma GCC unroll 4
  for (size_t r = 0; r < ROWS; r++)
    if (r < rows)
#pragma GCC unroll 4
      for (size_t v = 0; v < VECTORS; v++)
        bert_math_vnni_finish(a, row + r, w, j + 16 * v, sum[r][v], out);
}

static void linear(const struct bert_rows *a, size_t m, const struct bert_linear *w, float *out) {
  for (size_t j = 0; j < w->n; j += COLUMNS)
    for (size_t i = 0; i < m; i += ROWS)
      block(a, i, m - i < ROWS ? m - i : ROWS, w, j, out);
}

const struct bert_math bert_math_vnni = {"avx512-vnni", 127,          packed_size, bert_math_vnni_pack,
                                         linear,        linear_float, quantize,    bert_kernels_normalize,
                                         gelu,          attention};
#ifdef __clang__
#pragma clang attribute pop
#endif
#else
typedef int bert_math_vnni_is_not_here; /* ISO C forbids an empty translation unit */
#endif
