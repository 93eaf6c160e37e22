/* bert_math_vnni.c: AVX-512 with VNNI, and AMX where available.
 *
 * vpdpbusd and tdpbsud multiply unsigned by signed bytes: the weights are shifted by 128, and 128 times the sum of a
 * row's activations is subtracted at the end.  Packed weights are blocks of 64 columns; inside a block, groups of
 * four k with the four bytes of each column adjacent: a line of 64 bytes is 16 columns, and 16 such lines are one AMX
 * tile.
 */
#if defined(__x86_64__)
#ifdef __clang__
#pragma clang attribute push(                                                                                \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni,avx2,fma,amx-tile,amx-int8"))),     \
    apply_to = function)
#else
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni,avx2,fma,amx-tile,amx-int8")
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

/* --- AMX: 32 rows by 32 columns in four tiles of sums --- */

struct tile_config {
  uint8_t palette, start_row, reserved[14];
  uint16_t bytes[16]; /* bytes per row, by tile */
  uint8_t rows[16];
};

static void amx_begin(void) {
  struct tile_config c = {.palette = 1};
  for (int i = 0; i < 8; i++) {
    c.bytes[i] = 64;
    c.rows[i] = 16;
  }
  _tile_loadconfig(&c);
}

/* Tiles 0 to 3 are sums, 4 and 5 rows of a, 6 and 7 columns of W. */
static void amx_block(const int8_t *q, const uint8_t *b, size_t k, int32_t sums[4][16][16]) {
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  for (size_t i = 0; i < k; i += 64, b += 16 * 4 * COLUMNS) {
    _tile_loadd(4, q + i, (int)k);
    _tile_loadd(5, q + 16 * k + i, (int)k);
    _tile_loadd(6, b, 4 * COLUMNS);
    _tile_loadd(7, b + 64, 4 * COLUMNS);
    _tile_dpbsud(0, 4, 6);
    _tile_dpbsud(1, 4, 7);
    _tile_dpbsud(2, 5, 6);
    _tile_dpbsud(3, 5, 7);
  }
  _tile_stored(0, sums[0], 64);
  _tile_stored(1, sums[1], 64);
  _tile_stored(2, sums[2], 64);
  _tile_stored(3, sums[3], 64);
}

static void amx_columns(const struct bert_rows *a, size_t rows, size_t j, const struct bert_linear *w,
                        float *out) {
  _Alignas(64) int32_t sums[4][16][16];
  const uint8_t *b = (const uint8_t *)w->packed + j / COLUMNS * COLUMNS * w->k + j % COLUMNS * 4;
  for (size_t row = 0; row < rows; row += 32) {
    amx_block(a->q + row * w->k, b, w->k, sums);
    for (size_t t = 0; t < 4; t++)
      for (size_t r = 0; r < 16; r++)
        bert_math_vnni_finish(a, row + t / 2 * 16 + r, w, j + t % 2 * 16, _mm512_load_si512(sums[t][r]), out);
  }
}

/* Processes whole blocks of 32 rows with tiles, the rest with vectors. */
static void amx_linear(const struct bert_rows *a, size_t m, const struct bert_linear *w, float *out) {
  size_t whole = m / 32 * 32;
  if (whole) {
    amx_begin();
    for (size_t j = 0; j < w->n; j += 32)
      amx_columns(a, whole, j, w, out);
    _tile_release();
  }
  for (size_t j = 0; j < w->n && whole < m; j += COLUMNS)
    for (size_t i = whole; i < m; i += ROWS)
      block(a, i, m - i < ROWS ? m - i : ROWS, w, j, out);
}

const struct bert_math bert_math_vnni = {"avx512-vnni", 127,          packed_size, bert_math_vnni_pack,
                                         linear,        linear_float, quantize,    bert_kernels_normalize,
                                         gelu,          attention};
const struct bert_math bert_math_amx = {"amx-int8", 127,          packed_size, bert_math_vnni_pack,
                                        amx_linear, linear_float, quantize,    bert_kernels_normalize,
                                        gelu,       attention};
#ifdef __clang__
#pragma clang attribute pop
#endif
#else
typedef int bert_math_vnni_is_not_here; /* ISO C forbids an empty translation unit */
#endif
