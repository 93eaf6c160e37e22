/* bert_avx.h: int8 linear layers with 32-byte vectors, for bert_math_avx2.c and bert_math_avxvnni.c.  They must
 * define add_products() first: it adds four products of unsigned bytes (x) and signed bytes (weights) to each of
 * eight sums.
 *
 * Activations are shifted by 128 to make them unsigned; 128 times the sum of a column's weights is subtracted at the
 * end.
 */
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#define COLUMNS 16 /* two vectors of 8 sums */
#define ROWS 4     /* 8 sums with 16 columns: more would not fit into 16 registers */

/* The weights, followed by the n column sums. */
static size_t packed_size(size_t n, size_t k) {
  return n * k + n * sizeof(int32_t);
}

/* Blocks of 16 columns; inside a block, groups of four k with the four bytes of each column adjacent. */
static void bert_avx_pack(void *out, const int8_t *q, size_t n, size_t k) {
  int8_t *p = out;
  int32_t *totals = (int32_t *)(void *)(p + n * k);
  for (size_t j = 0; j < n; j += COLUMNS)
    for (size_t i = 0; i < k; i += 4)
      for (size_t c = 0; c < COLUMNS; c++, p += 4)
        memcpy(p, q + (j + c) * k + i, 4);
  for (size_t j = 0; j < n; j++) {
    totals[j] = 0;
    for (size_t i = 0; i < k; i++)
      totals[j] += q[j * k + i];
  }
}

static inline __m256i load_bytes(const void *p) {
  return _mm256_loadu_si256((const __m256i *)p);
}

/* Scales the sums of 8 columns of a row back to float. */
static inline void bert_avx_finish(const struct bert_rows *a, size_t row, const struct bert_linear *w,
                                   size_t column, __m256i sum, float *out) {
  const int8_t *totals = (const int8_t *)w->packed + w->n * w->k;
  sum = _mm256_sub_epi32(sum, _mm256_slli_epi32(load_bytes(totals + 4 * column), 7));
  __m256 scale = _mm256_mul_ps(_mm256_set1_ps(a->scale[row]), _mm256_loadu_ps(w->scale + column));
  __m256 y = _mm256_fmadd_ps(_mm256_cvtepi32_ps(sum), scale, _mm256_loadu_ps(w->bias + column));
  _mm256_storeu_ps(out + row * w->n + column, y);
}

static inline __m256i four_at(const uint8_t *a) {
  int32_t four;
  memcpy(&four, a, sizeof four);
  return _mm256_set1_epi32(four);
}

static inline void block(const struct bert_rows *a, size_t row, size_t rows, const struct bert_linear *w,
                         size_t j, float *out) {
  const int8_t *b = (const int8_t *)w->packed + j * w->k;
  __m256i sum[ROWS][2]; /* fully unrolled; otherwise GCC moves it in memory in the inner loop */
  const uint8_t *q[ROWS];
#pragma GCC unroll 4
  for (size_t r = 0; r < ROWS; r++) {
    sum[r][0] = sum[r][1] = _mm256_setzero_si256();
    q[r] = a->lifted + (row + (r < rows ? r : 0)) * w->k;
  }
  for (size_t k = 0; k < w->k; k += 4, b += 4 * COLUMNS) {
    __m256i b0 = load_bytes(b), b1 = load_bytes(b + 32);
#pragma GCC unroll 4
    for (size_t r = 0; r < ROWS; r++) {
      __m256i x = four_at(q[r] + k);
      sum[r][0] = add_products(sum[r][0], x, b0);
      sum[r][1] = add_products(sum[r][1], x, b1);
    }
  }
#pragma GCC unroll 4
  for (size_t r = 0; r < ROWS; r++)
    if (r < rows) {
      bert_avx_finish(a, row + r, w, j, sum[r][0], out);
      bert_avx_finish(a, row + r, w, j + 8, sum[r][1], out);
    }
}

static void lift(const struct bert_rows *a, size_t count) {
  const int8_t *from = a->q;
  uint8_t *to = a->lifted; /* a local copy: byte stores may alias *a */
  for (size_t i = 0; i < count; i++)
    to[i] = (uint8_t)(from[i] ^ 0x80);
}

static void linear(const struct bert_rows *a, size_t m, const struct bert_linear *w, float *out) {
  lift(a, m * w->k);
  for (size_t j = 0; j < w->n; j += COLUMNS)
    for (size_t i = 0; i < m; i += ROWS)
      block(a, i, m - i < ROWS ? m - i : ROWS, w, j, out);
}
