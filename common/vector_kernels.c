/* vector_kernels.c: int8 inner products, and scores of 1-bit sketches.
 *
 * Rows hold -127 to 127, so that |a|*|b| + |a|*|b| = 32,258 fits the 16-bit sums of vpmaddubsw (AVX2).
 * AVX-512 VNNI multiplies unsigned by signed bytes: rows are taken as row + 128 (the top bit flipped), and
 * 128 * sum(q), the same for all rows, is taken off again.
 */
#include "vector_kernels.h"

#include <string.h>

static int always(void) {
  return 1;
}

static void dots_scalar(const int8_t *rows, size_t count, size_t width, const int8_t *q, int32_t sum,
                        int32_t *out) {
  (void)sum;
  for (size_t r = 0; r < count; r++, rows += width) {
    int32_t dot = 0;
    for (size_t i = 0; i < width; i++)
      dot += rows[i] * q[i];
    out[r] = dot;
  }
}

static void sketches_scalar(const uint64_t *rows, size_t count, size_t words, const uint64_t *planes,
                            uint16_t *out) {
  for (size_t r = 0; r < count; r++, rows += words) {
    int sum = (int)(512 * words);
    for (size_t i = 0; i < words; i++)
      sum += __builtin_popcountll(rows[i] & planes[i]) +
             2 * __builtin_popcountll(rows[i] & planes[words + i]) +
             4 * __builtin_popcountll(rows[i] & planes[2 * words + i]) -
             8 * __builtin_popcountll(rows[i] & planes[3 * words + i]);
    out[r] = (uint16_t)sum;
  }
}

static size_t reach_scalar(const uint16_t *scores, size_t count, uint16_t least, uint32_t *out) {
  size_t n = 0;
  for (size_t i = 0; i < count; i++)
    if (scores[i] >= least)
      out[n++] = (uint32_t)i;
  return n;
}

#if defined __x86_64__
#include <immintrin.h>

static int runs_avx2(void) {
  __builtin_cpu_init(); /* may be asked by a constructor */
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
}

static int runs_vnni(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni") &&
         __builtin_cpu_supports("avx512vpopcntdq");
}

__attribute__((target("avx2"))) static inline int32_t sum_avx2(__m256i v) {
  __m128i s = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
  s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4e));
  return _mm_cvtsi128_si32(_mm_add_epi32(s, _mm_shuffle_epi32(s, 0xb1)));
}

__attribute__((target("avx2"))) static void dots_avx2(const int8_t *rows, size_t count, size_t width,
                                                      const int8_t *q, int32_t query_sum, int32_t *out) {
  (void)query_sum;
  const __m256i ones = _mm256_set1_epi16(1);
  for (size_t r = 0; r < count; r++, rows += width) {
    __m256i sum = _mm256_setzero_si256();
    _mm_prefetch((const char *)rows + 2048, _MM_HINT_T0);
    for (size_t i = 0; i < width; i += 32) {
      __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)(rows + i));
      __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(q + i));
      __m256i pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(a), _mm256_sign_epi8(b, a));
      sum = _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, ones));
    }
    out[r] = sum_avx2(sum);
  }
}

__attribute__((target("popcnt"))) static inline long long sketch_popcnt(const uint64_t *row, size_t words,
                                                                        const uint64_t *planes) {
  long long sum = 0;
  for (size_t i = 0; i < words; i++)
    sum += _mm_popcnt_u64(row[i] & planes[i]) + 2 * _mm_popcnt_u64(row[i] & planes[words + i]) +
           4 * _mm_popcnt_u64(row[i] & planes[2 * words + i]) -
           8 * _mm_popcnt_u64(row[i] & planes[3 * words + i]);
  return sum;
}

__attribute__((target("avx2,popcnt"))) static void
sketches_avx2(const uint64_t *rows, size_t count, size_t words, const uint64_t *planes, uint16_t *out) {
  for (size_t r = 0; r < count; r++, rows += words)
    out[r] = (uint16_t)(512 * (long long)words +
                        (words == 4 ? sketch_popcnt(rows, 4, planes) : sketch_popcnt(rows, words, planes)));
}

__attribute__((target("avx2,popcnt"))) static size_t reach_avx2(const uint16_t *scores, size_t count,
                                                                uint16_t least, uint32_t *out) {
  const __m256i limit = _mm256_set1_epi16((short)least);
  size_t n = 0, i = 0;
  for (; i + 16 <= count; i += 16) {
    __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(scores + i));
    unsigned mask = (unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi16(_mm256_max_epu16(v, limit), v));
    for (mask &= 0x55555555; mask; mask &= mask - 1)
      out[n++] = (uint32_t)(i + (unsigned)__builtin_ctz(mask) / 2);
  }
  for (; i < count; i++)
    if (scores[i] >= least)
      out[n++] = (uint32_t)i;
  return n;
}

#define VNNI "avx512f,avx512bw,avx512vl,avx512vnni,avx512vpopcntdq"

/* The usual width, 256: the query stays in registers and four rows are summed at once. */
__attribute__((target(VNNI))) static void dots_vnni_256(const int8_t *rows, size_t count, const int8_t *q,
                                                        int32_t correction, int32_t *out) {
  const __m512i flip = _mm512_set1_epi8((char)-128);
  __m512i b[4];
  for (size_t i = 0; i < 4; i++)
    b[i] = _mm512_loadu_si512(q + 64 * i);
  for (size_t r = 0; r < count; r++, rows += 256) {
    __m512i s0 = _mm512_setzero_si512(), s1 = s0;
    s0 = _mm512_dpbusd_epi32(s0, _mm512_xor_si512(_mm512_loadu_si512(rows), flip), b[0]);
    s1 = _mm512_dpbusd_epi32(s1, _mm512_xor_si512(_mm512_loadu_si512(rows + 64), flip), b[1]);
    s0 = _mm512_dpbusd_epi32(s0, _mm512_xor_si512(_mm512_loadu_si512(rows + 128), flip), b[2]);
    s1 = _mm512_dpbusd_epi32(s1, _mm512_xor_si512(_mm512_loadu_si512(rows + 192), flip), b[3]);
    _mm_prefetch((const char *)rows + 4096, _MM_HINT_T0);
    _mm_prefetch((const char *)rows + 4160, _MM_HINT_T0);
    _mm_prefetch((const char *)rows + 4224, _MM_HINT_T0);
    _mm_prefetch((const char *)rows + 4288, _MM_HINT_T0);
    out[r] = _mm512_reduce_add_epi32(_mm512_add_epi32(s0, s1)) - correction;
  }
}

__attribute__((target(VNNI))) static void dots_vnni(const int8_t *rows, size_t count, size_t width,
                                                    const int8_t *q, int32_t query_sum, int32_t *out) {
  const __m512i flip = _mm512_set1_epi8((char)-128);
  int32_t correction = 128 * query_sum;
  if (width == 256) {
    dots_vnni_256(rows, count, q, correction, out);
    return;
  }
  for (size_t r = 0; r < count; r++, rows += width) {
    __m512i sum = _mm512_setzero_si512();
    for (size_t i = 0; i < width; i += 64)
      sum = _mm512_dpbusd_epi32(sum, _mm512_xor_si512(_mm512_loadu_si512(rows + i), flip),
                                _mm512_loadu_si512(q + i));
    out[r] = _mm512_reduce_add_epi32(sum) - correction;
  }
}

__attribute__((target(VNNI))) static inline __m512i load_plane(const uint64_t *plane) {
  return _mm512_broadcast_i64x4(_mm256_loadu_si256((const __m256i *)(const void *)plane));
}

/* Two sketches of 256 bits in a register: each word's weighted count. */
__attribute__((target(VNNI))) static inline __m512i count_words(__m512i rows, __m512i p0, __m512i p1,
                                                                __m512i p2, __m512i p3) {
  __m512i a = _mm512_popcnt_epi64(_mm512_and_si512(rows, p0));
  __m512i b = _mm512_popcnt_epi64(_mm512_and_si512(rows, p1));
  __m512i c = _mm512_popcnt_epi64(_mm512_and_si512(rows, p2));
  __m512i d = _mm512_popcnt_epi64(_mm512_and_si512(rows, p3));
  a = _mm512_add_epi64(a, _mm512_slli_epi64(b, 1));
  return _mm512_add_epi64(a, _mm512_sub_epi64(_mm512_slli_epi64(c, 2), _mm512_slli_epi64(d, 3)));
}

/* Eight sketches of 256 bits at a time; the four words of a row are summed by shuffles. */
__attribute__((target(VNNI))) static void sketches_vnni(const uint64_t *rows, size_t count, size_t words,
                                                        const uint64_t *planes, uint16_t *out) {
  if (words != 4) {
    sketches_avx2(rows, count, words, planes, out);
    return;
  }
  const __m512i low = _mm512_setr_epi64(0, 4, 8, 12, 2, 6, 10, 14);
  const __m512i high = _mm512_setr_epi64(1, 5, 9, 13, 3, 7, 11, 15), zero = _mm512_set1_epi64(2048);
  const __m512i p0 = load_plane(planes), p1 = load_plane(planes + 4), p2 = load_plane(planes + 8),
                p3 = load_plane(planes + 12);
  size_t r = 0;
  for (; r + 8 <= count; r += 8, rows += 32) {
    __m512i c0 = count_words(_mm512_loadu_si512(rows), p0, p1, p2, p3);
    __m512i c1 = count_words(_mm512_loadu_si512(rows + 8), p0, p1, p2, p3);
    __m512i c2 = count_words(_mm512_loadu_si512(rows + 16), p0, p1, p2, p3);
    __m512i c3 = count_words(_mm512_loadu_si512(rows + 24), p0, p1, p2, p3);
    /* t: lanes 0 to 3 hold words 0 + 1 of rows 0 to 3, lanes 4 to 7 words 2 + 3; u the same of rows 4 to 7.
     */
    __m512i t =
        _mm512_add_epi64(_mm512_permutex2var_epi64(c0, low, c1), _mm512_permutex2var_epi64(c0, high, c1));
    __m512i u =
        _mm512_add_epi64(_mm512_permutex2var_epi64(c2, low, c3), _mm512_permutex2var_epi64(c2, high, c3));
    __m256i a = _mm256_add_epi64(_mm512_castsi512_si256(t), _mm512_extracti64x4_epi64(t, 1));
    __m256i b = _mm256_add_epi64(_mm512_castsi512_si256(u), _mm512_extracti64x4_epi64(u, 1));
    __m512i all = _mm512_add_epi64(_mm512_inserti64x4(_mm512_castsi256_si512(a), b, 1), zero);
    _mm_storeu_si128((__m128i *)(void *)(out + r), _mm512_cvtepi64_epi16(all));
  }
  sketches_avx2(rows, count - r, words, planes, out + r);
}

const struct vector_kernels vector_kernel_list[] = {
    {"avx512-vnni", runs_vnni, dots_vnni, sketches_vnni, reach_avx2},
    {"avx2", runs_avx2, dots_avx2, sketches_avx2, reach_avx2},
    {"scalar", always, dots_scalar, sketches_scalar, reach_scalar},
    {NULL, NULL, NULL, NULL, NULL}};
#else
const struct vector_kernels vector_kernel_list[] = {
    {"scalar", always, dots_scalar, sketches_scalar, reach_scalar}, {NULL, NULL, NULL, NULL, NULL}};
#endif
