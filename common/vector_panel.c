/* vector_panel.c: products of rows and panels of queries. */
#include "vector_panel.h"

#include "buf.h"
#include "diag.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#if defined __x86_64__ && defined __linux__
#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#define TILE 1024 /* bytes: 64 components of 16 queries */

/* Component k of query i within the tiles of a panel. */
static inline size_t place_of(size_t k, size_t i) {
  return (k / 64 * (PANEL_QUERIES / 16) + i / 16) * TILE + k % 64 / 4 * 64 + i % 16 * 4 + k % 4;
}

static int8_t *new_tiles(size_t width) {
  size_t bytes = width * PANEL_QUERIES;
  int8_t *tiles = aligned_alloc(64, bytes);
  if (tiles == NULL)
    diag_oom();
  else
    memset(tiles, 0, bytes);
  return tiles;
}

struct vector_panel *vector_panel_new(size_t width) {
  struct vector_panel *p = xcalloc(1, sizeof *p);
  p->width = width;
  p->high = new_tiles(width);
  p->low = new_tiles(width);
  for (size_t i = 0; i < PANEL_QUERIES; i++)
    p->least[i] = INFINITY;
  return p;
}

void vector_panel_free(struct vector_panel *p) {
  if (p == NULL)
    return;
  free(p->high);
  free(p->low);
  free(p);
}

void vector_panel_set(struct vector_panel *p, size_t i, const int8_t *query, float unit, float offset) {
  size_t half = p->width / 2;
  for (size_t k = 0; k < p->width; k++) {
    size_t byte = k % half, natural = byte / 32 * 64 + byte % 32 + (k < half ? 0 : 32);
    p->high[place_of(k, i)] = p->low[place_of(natural, i)] = query[k];
  }
  p->count = i < p->count ? p->count : i + 1;
  p->unit[i] = unit;
  p->offset[i] = offset;
  p->least[i] = -INFINITY;
}

/* ---- the oracle ---- */

static int always(void) {
  return 1;
}

static int32_t product_of(const struct vector_panel *p, const uint8_t *high, const uint8_t *low, size_t i) {
  size_t half = p->width / 2;
  int32_t upper = 0, lower = 0;
  for (size_t k = 0; k < p->width; k++) {
    upper += (k < half ? high[k] & 15 : high[k - half] >> 4) * p->high[place_of(k, i)];
    lower += low[k] * p->low[place_of(k, i)];
  }
  return 256 * upper + lower;
}

static void products_scalar(const struct vector_panel *p, const uint8_t *high, const uint8_t *low,
                            size_t rows, size_t ahead, int32_t *out) {
  (void)ahead;
  for (size_t r = 0; r < rows; r++)
    for (size_t i = 0; i < p->count; i++)
      out[r * PANEL_QUERIES + i] = product_of(p, high + r * (p->width / 2), low + r * p->width, i);
}

static size_t reach_scalar(const struct vector_panel *p, const int32_t *products, const float *scale,
                           size_t rows, uint32_t *which, float *bounds) {
  size_t n = 0;
  for (size_t at = 0; at < rows * PANEL_QUERIES; at++) {
    size_t i = at % PANEL_QUERIES;
    if (i >= p->count)
      continue;
    float bound = p->unit[i] * scale[at / PANEL_QUERIES] * ((float)products[at] + p->offset[i]);
    which[n] = (uint32_t)at;
    bounds[n] = bound;
    n += bound >= p->least[i];
  }
  return n;
}

#if defined __x86_64__ && defined __linux__

/* ---- AMX: rows are matrix A, sixteen a tile; the panel's tiles are B ---- */

#define REQUEST_PERMISSION 0x1023 /* ARCH_REQ_XCOMP_PERM: Linux 5.16 and later want to be asked */
#define TILE_DATA 18
#define AMX "amx-tile,amx-int8,avx512f,avx512bw,avx512vl,avx512dq"

static int runs_amx(void) {
  unsigned a, b, c, d;
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512vl") ||
      !__builtin_cpu_supports("avx512dq"))
    return 0;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(d >> 24 & 1) || !(d >> 25 & 1)) /* tiles, int8 */
    return 0;
  return syscall(SYS_arch_prctl, REQUEST_PERMISSION, TILE_DATA) == 0;
}

/* As LDTILECFG reads it. */
struct tile_shapes {
  uint8_t palette, start, reserved[14];
  uint16_t row_bytes[16];
  uint8_t rows[16];
};

__attribute__((target(AMX))) static void shape_tiles(void) {
  struct tile_shapes shapes = {.palette = 1};
  for (int i = 0; i < 8; i++) {
    shapes.row_bytes[i] = 64;
    shapes.rows[i] = 16;
  }
  _tile_loadconfig(&shapes);
}

/* Upper bits as bytes: all lower halves, then all upper ones. */
__attribute__((target(AMX))) static void widen(const uint8_t *high, size_t half, size_t rows, uint8_t *out) {
  const __m256i mask = _mm256_set1_epi8(15);
  for (size_t r = 0; r < rows; r++, high += half, out += 2 * half)
    for (size_t i = 0; i < half; i += 32) {
      __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(high + i));
      __m256i upper = _mm256_and_si256(_mm256_srli_epi16(v, 4), mask);
      _mm256_storeu_si256((__m256i *)(void *)(out + i), _mm256_and_si256(v, mask));
      _mm256_storeu_si256((__m256i *)(void *)(out + half + i), upper);
    }
}

/* sums[row][query] of 32 rows of `width` bytes and 32 queries' tiles.  Between the products `bytes` of what
 * comes next are fetched. */
__attribute__((target(AMX))) static void multiply(const uint8_t *rows, size_t width, const int8_t *tiles,
                                                  int32_t *sums, const uint8_t *next, size_t bytes) {
  const uint8_t *more = rows + 16 * width, *end = next + bytes;
  size_t step = bytes / (width / 64);
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  for (size_t k = 0; k < width; k += 64, tiles += PANEL_QUERIES / 16 * TILE) {
    _tile_loadd(4, rows + k, width);
    _tile_loadd(5, more + k, width);
    _tile_loadd(6, tiles, 64);
    _tile_loadd(7, tiles + TILE, 64);
    for (const uint8_t *to = next + step; next < to && next < end; next += 64)
      __builtin_prefetch(next);
    _tile_dpbusd(0, 4, 6);
    _tile_dpbusd(1, 4, 7);
    _tile_dpbusd(2, 5, 6);
    _tile_dpbusd(3, 5, 7);
  }
  _tile_stored(0, sums, 4 * PANEL_QUERIES);
  _tile_stored(1, sums + 16, 4 * PANEL_QUERIES);
  _tile_stored(2, sums + 16 * PANEL_QUERIES, 4 * PANEL_QUERIES);
  _tile_stored(3, sums + 16 * PANEL_QUERIES + 16, 4 * PANEL_QUERIES);
}

__attribute__((target(AMX))) static void add_upper(const int32_t *upper, int32_t *out) {
  for (size_t r = 0; r < 32; r++, upper += PANEL_QUERIES, out += PANEL_QUERIES)
    for (size_t i = 0; i < 32; i += 16) {
      __m512i sum = _mm512_slli_epi32(_mm512_loadu_si512(upper + i), 8);
      _mm512_storeu_si512(out + i, _mm512_add_epi32(sum, _mm512_loadu_si512(out + i)));
    }
}

/* 32 rows, of which `n` are there, for the 32 queries of each half of the panel.  As many rows come next
 * where `more` is 1. */
__attribute__((target(AMX))) static void multiply_rows(const struct vector_panel *p, const uint8_t *high,
                                                       const uint8_t *low, size_t n, size_t more,
                                                       int32_t *out) {
  _Alignas(64) uint8_t wide[32 * VECTOR_DIMS_MAX], copy[32 * VECTOR_DIMS_MAX];
  _Alignas(64) int32_t upper[32 * PANEL_QUERIES];
  size_t width = p->width, half = width / 2, parts = (p->count + 31) / 32;
  const uint8_t *next_high = high + 32 * half, *next_low = low + 32 * width;
  widen(high, half, n, wide);
  if (n < 32) { /* never past the rows */
    memset(wide + n * width, 0, (32 - n) * width);
    memset(copy + n * width, 0, (32 - n) * width);
    low = memcpy(copy, low, n * width);
  }
  for (size_t i = 0; i < parts; i++) {
    size_t bytes = more * 32 * half / parts;
    multiply(wide, width, p->high + 2 * i * TILE, upper + 32 * i, next_high + i * bytes, bytes);
    multiply(low, width, p->low + 2 * i * TILE, out + 32 * i, next_low + 2 * i * bytes, 2 * bytes);
    add_upper(upper + 32 * i, out + 32 * i);
  }
}

__attribute__((target(AMX))) static void products_amx(const struct vector_panel *p, const uint8_t *high,
                                                      const uint8_t *low, size_t rows, size_t ahead,
                                                      int32_t *out) {
  size_t width = p->width, half = width / 2;
  shape_tiles();
  for (size_t r = 0; r < rows; r += 32, out += 32 * PANEL_QUERIES)
    multiply_rows(p, high + r * half, low + r * width, rows - r < 32 ? rows - r : 32, r + 64 <= rows + ahead,
                  out);
  _tile_release();
}

/* Sixteen bounds of a row. */
__attribute__((target(AMX))) static inline __m512 bounds_of(const struct vector_panel *p,
                                                            const int32_t *products, float scale, size_t at) {
  __m512 unit = _mm512_mul_ps(_mm512_loadu_ps(p->unit + at), _mm512_set1_ps(scale));
  __m512 sum = _mm512_cvtepi32_ps(_mm512_loadu_si512(products + at));
  return _mm512_mul_ps(unit, _mm512_add_ps(sum, _mm512_loadu_ps(p->offset + at)));
}

__attribute__((target(AMX))) static size_t put_reached(__m512 bounds, __mmask16 good, size_t first,
                                                       uint32_t *which, float *out) {
  const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  _mm512_mask_compressstoreu_epi32(which, good, _mm512_add_epi32(lane, _mm512_set1_epi32((int)first)));
  _mm512_mask_compressstoreu_ps(out, good, bounds);
  return (size_t)__builtin_popcount(good);
}

__attribute__((target(AMX))) static size_t reach_512(const struct vector_panel *p, const int32_t *products,
                                                     const float *scale, size_t rows, uint32_t *which,
                                                     float *out) {
  size_t n = 0;
  for (size_t r = 0; r < rows; r++)
    for (size_t at = 0; at < p->count; at += 16) {
      size_t first = r * PANEL_QUERIES;
      __m512 bounds = bounds_of(p, products + first, scale[r], at);
      __mmask16 good = _mm512_cmp_ps_mask(bounds, _mm512_loadu_ps(p->least + at), _CMP_GE_OQ);
      if (good != 0)
        n += put_reached(bounds, good, first + at, which + n, out + n);
    }
  return n;
}

const struct panel_kernels panel_kernel_list[] = {{"amx", runs_amx, products_amx, reach_512},
                                                  {"scalar", always, products_scalar, reach_scalar},
                                                  {NULL, NULL, NULL, NULL}};
#else
const struct panel_kernels panel_kernel_list[] = {{"scalar", always, products_scalar, reach_scalar},
                                                  {NULL, NULL, NULL, NULL}};
#endif
