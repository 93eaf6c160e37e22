/* vector_kernels.c: inner products of nibbles, scores of 1-bit sketches, and operations on their results.
 *
 * Nibbles (0 to 15) times int8 suit vpmaddubsw and vpdpbusd: unsigned by signed, and the sum of two products (at most
 * 3,810) is far below the limit of 16 bits, so AVX2 may add eight pairs before widening.  Floats are added in 16
 * lanes in all kernels (shared bodies, compiled for each processor), so that all give identical results; ISO C
 * forbids the compiler to fuse products and sums.
 */
#include "vector/vector_kernels.h"

#include "base/cpu.h"

#include <math.h>
#include <string.h>

typedef float float16 __attribute__((vector_size(64)));
typedef int32_t int32x16 __attribute__((vector_size(64)));
typedef uint8_t byte16 __attribute__((vector_size(16)));

#define INLINE static inline __attribute__((always_inline))

static int vector_kernels_always(void) {
  return 1;
}

/* ---- bodies that the compiler vectorises ---- */

/* sum += query[16] * the components of these bits (vectors are passed by address: there is no common calling
 * convention). */
INLINE void vector_add_products(float16 *sum, const byte16 *high, const byte16 *low, const float *query) {
  int32x16 v =
      (__builtin_convertvector(*high, int32x16) << 8) + __builtin_convertvector(*low, int32x16) - 2048;
  float16 q;
  memcpy(&q, query, sizeof q);
  *sum += q * __builtin_convertvector(v, float16);
}

INLINE float score_body(const uint8_t *high, const uint8_t *low, size_t half, const float *query) {
  float16 sum = {0};
  for (size_t i = 0; i < half; i += 16) {
    size_t at = i / 32 * 64 + i % 32;
    byte16 h, l, m, lower, upper;
    memcpy(&h, high + i, sizeof h);
    memcpy(&l, low + at, sizeof l);
    memcpy(&m, low + at + 32, sizeof m);
    lower = h & 15, upper = h >> 4;
    vector_add_products(&sum, &lower, &l, query + at);
    vector_add_products(&sum, &upper, &m, query + at + 32);
  }
  float total = 0;
  for (int i = 0; i < 16; i++)
    total += sum[i];
  return total;
}

/* Restores a float of which the upper half was stored. */
INLINE float vector_widen(uint16_t half) {
  uint32_t bits = (uint32_t)half << 16;
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

/* factor: [2][8] of its group. */
INLINE float estimate(int count, const uint16_t *factor, size_t row, const struct vector_sketch_scale *s) {
  return s->axis * vector_widen(factor[8 + row]) +
         vector_widen(factor[row]) * (s->unit * (float)count + s->offset);
}

/* ---- any processor ---- */

static void nibbles_scalar(const uint8_t *rows, size_t count, size_t half, const int8_t *q, int32_t *out) {
  for (size_t r = 0; r < count; r++, rows += half) {
    int32_t dot = 0;
    for (size_t i = 0; i < half; i++)
      dot += (rows[i] & 15) * q[i] + (rows[i] >> 4) * q[half + i];
    out[r] = dot;
  }
}

static void sketches_scalar(const uint64_t *rows, size_t groups, size_t words, const uint64_t *planes,
                            const uint16_t *factor, const struct vector_sketch_scale *s, float *out) {
  for (size_t g = 0; g < groups; g++, rows += 8 * words)
    for (size_t r = 0; r < 8; r++) {
      int sum = 0;
      for (size_t i = 0; i < words; i++) {
        uint64_t word = rows[8 * i + r];
        sum += __builtin_popcountll(word & planes[i]) + 2 * __builtin_popcountll(word & planes[words + i]) +
               4 * __builtin_popcountll(word & planes[2 * words + i]) -
               8 * __builtin_popcountll(word & planes[3 * words + i]);
      }
      out[8 * g + r] = estimate(sum, factor + 16 * g, r, s);
    }
}

static size_t vector_kernels_reach_scalar(const float *scores, size_t count, float least, uint32_t *out) {
  size_t n = 0;
  for (size_t i = 0; i < count; i++)
    if (!isless(scores[i], least))
      out[n++] = (uint32_t)i;
  return n;
}

static float vector_kernels_score_scalar(const uint8_t *high, const uint8_t *low, size_t half,
                                         const float *query) {
  return score_body(high, low, half, query);
}

#if defined __x86_64__
#include <immintrin.h>

/* ---- AVX2 ---- */

#define AVX2 "avx2,popcnt"

static int runs_avx2(void) {
  return cpu_has(CPU_AVX2);
}

__attribute__((target(AVX2))) static inline int32_t sum_avx2(__m256i v) {
  __m128i s = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
  s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4e));
  return _mm_cvtsi128_si32(_mm_add_epi32(s, _mm_shuffle_epi32(s, 0xb1)));
}

__attribute__((target(AVX2))) static inline __m256i load_avx2(const void *p) {
  return _mm256_loadu_si256(p);
}

__attribute__((target(AVX2))) static void nibbles_avx2(const uint8_t *rows, size_t count, size_t half,
                                                       const int8_t *q, int32_t *out) {
  const __m256i mask = _mm256_set1_epi8(15), ones = _mm256_set1_epi16(1);
  for (size_t r = 0; r < count; r++, rows += half) {
    __m256i sum = _mm256_setzero_si256();
    _mm_prefetch((const char *)rows + 2048, _MM_HINT_T0);
    _mm_prefetch((const char *)rows + 2112, _MM_HINT_T0);
    for (size_t i = 0; i < half; i += 32) {
      __m256i v = load_avx2(rows + i);
      __m256i a = _mm256_maddubs_epi16(_mm256_and_si256(v, mask), load_avx2(q + i));
      __m256i b =
          _mm256_maddubs_epi16(_mm256_and_si256(_mm256_srli_epi16(v, 4), mask), load_avx2(q + half + i));
      sum = _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_add_epi16(a, b), ones));
    }
    out[r] = sum_avx2(sum);
  }
}

/* Number of bits set in each byte (Mula's nibble lookup). */
__attribute__((target(AVX2))) static inline __m256i count_bytes(__m256i v) {
  const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2,
                                         3, 1, 2, 2, 3, 2, 3, 3, 4),
                mask = _mm256_set1_epi8(15);
  return _mm256_add_epi8(_mm256_shuffle_epi8(table, _mm256_and_si256(v, mask)),
                         _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(v, 4), mask)));
}

__attribute__((target(AVX2))) static inline __m256i count_plane(__m256i v, uint64_t plane) {
  return count_bytes(_mm256_and_si256(v, _mm256_set1_epi64x((long long)plane)));
}

/* Weighted counts of one word for four rows. */
__attribute__((target(AVX2))) static inline __m256i count_word(__m256i v, const uint64_t *planes,
                                                               size_t words) {
  const __m256i zero = _mm256_setzero_si256();
  __m256i a = count_plane(v, planes[0]), b = count_plane(v, planes[words]);
  __m256i c = count_plane(v, planes[2 * words]), d = count_plane(v, planes[3 * words]);
  a = _mm256_add_epi8(a, _mm256_add_epi8(b, b)); /* at most 24, then 56 */
  c = _mm256_add_epi8(c, c);
  a = _mm256_add_epi8(a, _mm256_add_epi8(c, c));
  return _mm256_sub_epi64(_mm256_sad_epu8(a, zero), _mm256_slli_epi64(_mm256_sad_epu8(d, zero), 3));
}

__attribute__((target(AVX2))) static void sketches_avx2(const uint64_t *rows, size_t groups, size_t words,
                                                        const uint64_t *planes, const uint16_t *factor,
                                                        const struct vector_sketch_scale *s, float *out) {
  for (size_t g = 0; g < groups; g++, rows += 8 * words) {
    __m256i a = _mm256_setzero_si256(), b = a;
    for (size_t i = 0; i < words; i++) {
      a = _mm256_add_epi64(a, count_word(load_avx2(rows + 8 * i), planes + i, words));
      b = _mm256_add_epi64(b, count_word(load_avx2(rows + 8 * i + 4), planes + i, words));
    }
    int64_t counts[8];
    _mm256_storeu_si256((__m256i *)(void *)counts, a);
    _mm256_storeu_si256((__m256i *)(void *)(counts + 4), b);
    for (size_t r = 0; r < 8; r++)
      out[8 * g + r] = estimate((int)counts[r], factor + 16 * g, r, s);
  }
}

__attribute__((target(AVX2))) static size_t reach_avx2(const float *scores, size_t count, float least,
                                                       uint32_t *out) {
  const __m256 limit = _mm256_set1_ps(least);
  size_t n = 0, i = 0;
  for (; i + 8 <= count; i += 8) {
    unsigned mask =
        (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(_mm256_loadu_ps(scores + i), limit, _CMP_NLT_UQ));
    for (; mask; mask &= mask - 1)
      out[n++] = (uint32_t)(i + (unsigned)__builtin_ctz(mask));
  }
  for (; i < count; i++)
    if (!isless(scores[i], least))
      out[n++] = (uint32_t)i;
  return n;
}

/* sum += query[8] * the components of these bits. */
__attribute__((target(AVX2))) static inline __m256 add_products_avx2(__m256 sum, __m128i high, __m128i low,
                                                                     const float *query) {
  __m256i v = _mm256_or_si256(_mm256_slli_epi32(_mm256_cvtepu8_epi32(high), 8), _mm256_cvtepu8_epi32(low));
  __m256 x = _mm256_cvtepi32_ps(_mm256_sub_epi32(v, _mm256_set1_epi32(2048)));
  return _mm256_add_ps(sum, _mm256_mul_ps(_mm256_loadu_ps(query), x));
}

/* score_body(), which compilers keep in memory: three times as slow. */
__attribute__((target(AVX2))) static float score_avx2(const uint8_t *high, const uint8_t *low, size_t half,
                                                      const float *query) {
  const __m128i mask = _mm_set1_epi8(15);
  __m256 sum = _mm256_setzero_ps(), next = sum;
  for (size_t i = 0; i < half; i += 16) {
    size_t at = i / 32 * 64 + i % 32;
    __m128i h = _mm_loadu_si128((const __m128i *)(const void *)(high + i));
    __m128i l = _mm_loadu_si128((const __m128i *)(const void *)(low + at));
    __m128i m = _mm_loadu_si128((const __m128i *)(const void *)(low + at + 32));
    __m128i lower = _mm_and_si128(h, mask), upper = _mm_and_si128(_mm_srli_epi16(h, 4), mask);
    sum = add_products_avx2(sum, lower, l, query + at);
    next = add_products_avx2(next, _mm_srli_si128(lower, 8), _mm_srli_si128(l, 8), query + at + 8);
    sum = add_products_avx2(sum, upper, m, query + at + 32);
    next = add_products_avx2(next, _mm_srli_si128(upper, 8), _mm_srli_si128(m, 8), query + at + 40);
  }
  float lanes[16], total = 0;
  _mm256_storeu_ps(lanes, sum);
  _mm256_storeu_ps(lanes + 8, next);
  for (int i = 0; i < 16; i++)
    total += lanes[i];
  return total;
}

/* ---- AVX-512: sketches alone, in less than half the time; the other kernels are as fast with AVX2 ---- */

#define AVX512 "avx512f,avx512bw,avx512vl,avx512dq,avx512vpopcntdq,popcnt"

static int vector_kernels_runs_avx512(void) {
  return cpu_has(CPU_AVX512 | CPU_AVX512_POPCNT);
}

/* Converts the counts of four planes for rows of a group to estimates. */
__attribute__((target(AVX512))) static inline void put_estimates(__m512i a, __m512i b, __m512i c, __m512i d,
                                                                 const uint16_t *factor,
                                                                 const struct vector_sketch_scale *s,
                                                                 float *out) {
  c = _mm512_sub_epi64(c, _mm512_add_epi64(d, d));
  b = _mm512_add_epi64(b, _mm512_add_epi64(c, c));
  a = _mm512_add_epi64(a, _mm512_add_epi64(b, b));
  __m512i wide = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)factor));
  __m512 factors = _mm512_castsi512_ps(_mm512_slli_epi32(wide, 16));
  __m256 counts = _mm256_cvtepi32_ps(_mm512_cvtepi64_epi32(a));
  __m256 sums = _mm256_add_ps(_mm256_mul_ps(_mm256_set1_ps(s->unit), counts), _mm256_set1_ps(s->offset));
  sums = _mm256_mul_ps(_mm512_castps512_ps256(factors), sums);
  __m256 along = _mm256_mul_ps(_mm256_set1_ps(s->axis), _mm512_extractf32x8_ps(factors, 1));
  _mm256_storeu_ps(out, _mm256_add_ps(along, sums));
}

__attribute__((target(AVX512))) static inline __m512i popcount_and(__m512i v, __m512i plane) {
  return _mm512_popcnt_epi64(_mm512_and_si512(v, plane));
}

/* Counts four words of rows against four words of a plane. */
__attribute__((target(AVX512))) static inline __m512i count_four(const __m512i *v, const __m512i *plane) {
  __m512i a = _mm512_add_epi64(popcount_and(v[0], plane[0]), popcount_and(v[1], plane[1]));
  __m512i b = _mm512_add_epi64(popcount_and(v[2], plane[2]), popcount_and(v[3], plane[3]));
  return _mm512_add_epi64(a, b);
}

/* The usual width, 256: the planes stay in registers. */
__attribute__((target(AVX512))) static void sketches_256(const uint64_t *rows, size_t groups,
                                                         const uint64_t *planes, const uint16_t *factor,
                                                         const struct vector_sketch_scale *s, float *out) {
  __m512i plane[16];
  for (int i = 0; i < 16; i++)
    plane[i] = _mm512_set1_epi64((long long)planes[i]);
  for (size_t g = 0; g < groups; g++, rows += 32) {
    const __m512i v[4] = {_mm512_loadu_si512(rows), _mm512_loadu_si512(rows + 8),
                          _mm512_loadu_si512(rows + 16), _mm512_loadu_si512(rows + 24)};
    put_estimates(count_four(v, plane), count_four(v, plane + 4), count_four(v, plane + 8),
                  count_four(v, plane + 12), factor + 16 * g, s, out + 8 * g);
  }
}

__attribute__((target(AVX512))) static void sketches_avx512(const uint64_t *rows, size_t groups, size_t words,
                                                            const uint64_t *planes, const uint16_t *factor,
                                                            const struct vector_sketch_scale *s, float *out) {
  if (words == 4) {
    sketches_256(rows, groups, planes, factor, s, out);
    return;
  }
  for (size_t g = 0; g < groups; g++, rows += 8 * words) {
    __m512i count[4] = {_mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512(),
                        _mm512_setzero_si512()};
    for (size_t i = 0; i < words; i++)
      for (size_t p = 0; p < 4; p++) {
        __m512i plane = _mm512_set1_epi64((long long)planes[p * words + i]);
        count[p] = _mm512_add_epi64(count[p], popcount_and(_mm512_loadu_si512(rows + 8 * i), plane));
      }
    put_estimates(count[0], count[1], count[2], count[3], factor + 16 * g, s, out + 8 * g);
  }
}

const struct vector_kernels vector_kernel_list[] = {
    {"avx512", vector_kernels_runs_avx512, nibbles_avx2, sketches_avx512, reach_avx2, score_avx2},
    {"avx2", runs_avx2, nibbles_avx2, sketches_avx2, reach_avx2, score_avx2},
    {"scalar", vector_kernels_always, nibbles_scalar, sketches_scalar, vector_kernels_reach_scalar,
     vector_kernels_score_scalar},
    {NULL, NULL, NULL, NULL, NULL, NULL}};
#else
const struct vector_kernels vector_kernel_list[] = {{"scalar", vector_kernels_always, nibbles_scalar,
                                                     sketches_scalar, vector_kernels_reach_scalar,
                                                     vector_kernels_score_scalar},
                                                    {NULL, NULL, NULL, NULL, NULL, NULL}};
#endif
