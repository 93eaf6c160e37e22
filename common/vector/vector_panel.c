/* vector_panel.c: products of rows and panels of queries. */
#include "vector/vector_panel.h"

#include "base/buf.h"
#include "base/diag.h"

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

/* Component k of query i within the tiles of a panel of a width. */
static inline size_t vector_panel_place_of(size_t width, size_t k, size_t i) {
  return i / 32 * 32 * width + (k / 64 * 2 + i / 16 % 2) * TILE + k % 64 / 4 * 64 + i % 16 * 4 + k % 4;
}

static void *new_room(size_t bytes) {
  void *room = aligned_alloc(64, bytes);
  if (room == NULL)
    diag_oom();
  else
    memset(room, 0, bytes);
  return room;
}

struct vector_panel *vector_panel_new(size_t width) {
  struct vector_panel *p = xcalloc(1, sizeof *p);
  p->width = width;
  p->tiles = new_room(width * PANEL_QUERIES);
  p->room = new_room(width * PANEL_ROWS);
  for (size_t i = 0; i < PANEL_QUERIES; i++)
    p->least[i] = INFINITY;
  return p;
}

void vector_panel_free(struct vector_panel *p) {
  if (p == NULL)
    return;
  free(p->tiles);
  free(p->room);
  free(p);
}

void vector_panel_set(struct vector_panel *p, size_t i, const int8_t *query, float unit, float offset) {
  for (size_t k = 0; k < p->width; k++)
    p->tiles[vector_panel_place_of(p->width, k, i)] = query[k];
  p->count = i < p->count ? p->count : i + 1;
  p->unit[i] = unit;
  p->offset[i] = offset;
  p->least[i] = -INFINITY;
}

/* ---- the oracle ---- */

static int vector_panel_always(void) {
  return 1;
}

/* The upper 8 bits of component k. */
static int upper_bits(const uint8_t *high, const uint8_t *low, size_t k) {
  return (high[k / 64 * 32 + k % 32] >> (k / 32 % 2 * 4) & 15) << 4 | low[k] >> 4;
}

static void products_scalar(const struct vector_panel *p, const uint8_t *high, const uint8_t *low,
                            size_t rows, size_t ahead, int32_t *out, int32_t *squares) {
  size_t width = p->width;
  (void)ahead;
  for (size_t r = 0; r < rows; r++, high += width / 2, low += width, out += PANEL_QUERIES) {
    memset(out, 0, PANEL_QUERIES * sizeof *out);
    squares[r] = 0;
    for (size_t k = 0; k < width; k++) {
      int v = upper_bits(high, low, k);
      squares[r] += (v - 128) * (v - 128);
      for (size_t i = 0; i < p->count; i++)
        out[i] += v * p->tiles[vector_panel_place_of(width, k, i)];
    }
  }
}

static size_t vector_panel_reach_scalar(const struct vector_panel *p, const int32_t *products,
                                        const float *scale, const float *slack, size_t rows, uint32_t *which,
                                        float *bounds) {
  size_t n = 0;
  for (size_t at = 0; at < rows * PANEL_QUERIES; at++) {
    size_t i = at % PANEL_QUERIES, r = at / PANEL_QUERIES;
    if (i >= p->count)
      continue;
    float bound = scale[r] * (((float)products[at] + slack[r]) + p->offset[i]);
    which[n] = (uint32_t)at;
    bounds[n] = p->unit[i] * bound;
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

/* sum += the squares of 32 bytes less 128. */
__attribute__((target(AMX))) static inline __m512i add_squares(__m512i sum, __m256i bytes) {
  __m512i v = _mm512_cvtepi8_epi16(_mm256_xor_si256(bytes, _mm256_set1_epi8((char)0x80)));
  return _mm512_add_epi32(sum, _mm512_madd_epi16(v, v));
}

/* The upper 8 of a row's 12 bits as bytes; returns the sum of their squares. */
__attribute__((target(AMX))) static int32_t join(const uint8_t *high, const uint8_t *low, size_t width,
                                                 uint8_t *out) {
  const __m256i upper = _mm256_set1_epi8((char)0xf0), lower = _mm256_set1_epi8(15);
  __m512i squares = _mm512_setzero_si512();
  for (size_t i = 0; i < width; i += 64, high += 32, low += 64) {
    __m256i h = _mm256_loadu_si256((const __m256i *)(const void *)high);
    __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)low);
    __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(low + 32));
    a = _mm256_and_si256(_mm256_srli_epi16(a, 4), lower);
    b = _mm256_and_si256(_mm256_srli_epi16(b, 4), lower);
    a = _mm256_or_si256(_mm256_and_si256(_mm256_slli_epi16(h, 4), upper), a);
    b = _mm256_or_si256(_mm256_and_si256(h, upper), b);
    _mm256_storeu_si256((__m256i *)(void *)(out + i), a);
    _mm256_storeu_si256((__m256i *)(void *)(out + i + 32), b);
    squares = add_squares(add_squares(squares, a), b);
  }
  return _mm512_reduce_add_epi32(squares);
}

/* What comes next is fetched between the products, so that memory always has something to do. */
struct fetching {
  const uint8_t *next, *end;
  size_t step; /* bytes, a multiple of 64 */
};

static inline void fetch(struct fetching *f) {
  for (const uint8_t *to = f->next + f->step; f->next < to && f->next < f->end; f->next += 64)
    __builtin_prefetch(f->next, 0, 2);
}

/* sums[row][query] of 32 rows of `width` bytes and 32 queries' tiles. */
__attribute__((target(AMX))) static void multiply(const uint8_t *rows, size_t width, const int8_t *tiles,
                                                  int32_t *sums, struct fetching f[2]) {
  const uint8_t *more = rows + 16 * width;
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  for (size_t k = 0; k < width; k += 64, tiles += 2 * TILE) {
    _tile_loadd(4, rows + k, width);
    _tile_loadd(5, more + k, width);
    _tile_loadd(6, tiles, 64);
    _tile_loadd(7, tiles + TILE, 64);
    fetch(&f[0]);
    fetch(&f[1]);
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

/* From `from` on, in so many steps. */
static struct fetching fetch_in_steps(const uint8_t *from, size_t bytes, size_t steps) {
  size_t step = (bytes / 64 + steps - 1) / steps * 64;
  return (struct fetching){from, from + bytes, step};
}

__attribute__((target(AMX))) static void products_amx(const struct vector_panel *p, const uint8_t *high,
                                                      const uint8_t *low, size_t rows, size_t ahead,
                                                      int32_t *out, int32_t *squares) {
  size_t width = p->width, half = width / 2, next = ahead < PANEL_ROWS ? ahead : PANEL_ROWS;
  size_t steps = (p->count + 31) / 32 * ((rows + 31) / 32) * (width / 64);
  struct fetching f[2];
  f[0] = fetch_in_steps(high + rows * half, next * half, steps);
  f[1] = fetch_in_steps(low + rows * width, next * width, steps);
  for (size_t r = 0; r < rows; r++)
    squares[r] = join(high + r * half, low + r * width, width, p->room + r * width);
  shape_tiles();
  for (size_t r = 0; r < rows; r += 32, out += 32 * PANEL_QUERIES)
    for (size_t i = 0; i < p->count; i += 32)
      multiply(p->room + r * width, width, p->tiles + i * width, out + i, f);
  _tile_release();
}

/* Sixteen bounds of a row, without their units. */
__attribute__((target(AMX))) static inline __m512
bounds_of(const struct vector_panel *p, const int32_t *products, float scale, float slack, size_t at) {
  __m512 sum = _mm512_add_ps(_mm512_cvtepi32_ps(_mm512_loadu_si512(products + at)), _mm512_set1_ps(slack));
  return _mm512_mul_ps(_mm512_set1_ps(scale), _mm512_add_ps(sum, _mm512_loadu_ps(p->offset + at)));
}

__attribute__((target(AMX))) static size_t put_reached(__m512 bounds, __mmask16 good, size_t first,
                                                       uint32_t *which, float *out) {
  const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  _mm512_mask_compressstoreu_epi32(which, good, _mm512_add_epi32(lane, _mm512_set1_epi32((int)first)));
  _mm512_mask_compressstoreu_ps(out, good, bounds);
  return (size_t)__builtin_popcount(good);
}

__attribute__((target(AMX))) static size_t reach_512(const struct vector_panel *p, const int32_t *products,
                                                     const float *scale, const float *slack, size_t rows,
                                                     uint32_t *which, float *out) {
  size_t n = 0;
  for (size_t r = 0; r < rows; r++)
    for (size_t at = 0; at < p->count; at += 16) {
      size_t first = r * PANEL_QUERIES;
      __m512 bounds = bounds_of(p, products + first, scale[r], slack[r], at);
      __mmask16 good = _mm512_cmp_ps_mask(bounds, _mm512_loadu_ps(p->least + at), _CMP_GE_OQ);
      if (good != 0)
        n += put_reached(_mm512_mul_ps(_mm512_loadu_ps(p->unit + at), bounds), good, first + at, which + n,
                         out + n);
    }
  return n;
}

const struct panel_kernels panel_kernel_list[] = {
    {"amx", runs_amx, products_amx, reach_512},
    {"scalar", vector_panel_always, products_scalar, vector_panel_reach_scalar},
    {NULL, NULL, NULL, NULL}};
#else
const struct panel_kernels panel_kernel_list[] = {{"scalar", always, products_scalar, reach_scalar},
                                                  {NULL, NULL, NULL, NULL}};
#endif
