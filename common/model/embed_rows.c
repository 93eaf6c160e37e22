/* embed_rows.c: the kernels of embed_static.h. */
#include "model/embed_static.h"

#include "base/cpu.h"

void embed_rows_scalar(int32_t *out, const int8_t *rows, size_t stride, size_t dimensions, const int32_t *row,
                       const int16_t *weight, size_t count) {
  memset(out, 0, dimensions * sizeof *out);
  for (size_t i = 0; i < count; i++) {
    const int8_t *r = rows + (size_t)row[i] * stride;
    for (size_t d = 0; d < dimensions; d++)
      out[d] += (int32_t)weight[i] * r[d];
  }
}

#if defined(__x86_64__)
#include <immintrin.h>

#define AHEAD 24 /* rows prefetched into the cache */

/* The weights of rows i and i + 1, packed; a missing second row has weight 0. */
static inline int32_t two_weights(const int16_t *weight, size_t i, size_t count) {
  uint32_t second = i + 1 < count ? (uint16_t)weight[i + 1] : 0;
  return (int32_t)((uint16_t)weight[i] | second << 16);
}

static inline const int8_t *row_at(const int8_t *rows, size_t stride, const int32_t *row, size_t i,
                                   size_t count) {
  return rows + (size_t)row[i < count ? i : count - 1] * stride;
}

/* Adds 16 dimensions of two rows, interleaved, to lo and hi; lo gets 0-3 and 8-11, hi 4-7 and 12-15. */
__attribute__((target("avx2"))) static inline void avx2_add(__m256i *lo, __m256i *hi, const int8_t *a,
                                                            const int8_t *b, __m256i w) {
  __m256i x = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(const void *)a));
  __m256i y = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(const void *)b));
  *lo = _mm256_add_epi32(*lo, _mm256_madd_epi16(_mm256_unpacklo_epi16(x, y), w));
  *hi = _mm256_add_epi32(*hi, _mm256_madd_epi16(_mm256_unpackhi_epi16(x, y), w));
}

/* 64 dimensions (one cache line per row), whose eight sums stay in registers. */
__attribute__((target("avx2"))) static void avx2_rows(int32_t *out, const int8_t *rows, size_t stride,
                                                      size_t dimensions, const int32_t *row,
                                                      const int16_t *weight, size_t count) {
  for (size_t d = 0; d < dimensions; d += 64) {
    __m256i lo[4], hi[4];
    for (int k = 0; k < 4; k++)
      lo[k] = hi[k] = _mm256_setzero_si256();
    for (size_t i = 0; i < count; i += 2) {
      const int8_t *a = row_at(rows, stride, row, i, count) + d,
                   *b = row_at(rows, stride, row, i + 1, count) + d;
      __builtin_prefetch(row_at(rows, stride, row, i + AHEAD, count) + d);
      __builtin_prefetch(row_at(rows, stride, row, i + AHEAD + 1, count) + d);
      __m256i w = _mm256_set1_epi32(two_weights(weight, i, count));
      for (int k = 0; k < 4; k++)
        avx2_add(&lo[k], &hi[k], a + 16 * k, b + 16 * k, w);
    }
    for (int k = 0; k < 4; k++) {
      __m256i *to = (__m256i *)(void *)(out + d + (size_t)(16 * k));
      _mm256_storeu_si256(to, _mm256_permute2x128_si256(lo[k], hi[k], 0x20));
      _mm256_storeu_si256(to + 1, _mm256_permute2x128_si256(lo[k], hi[k], 0x31));
    }
  }
}

__attribute__((target("avx512f,avx512bw"))) static inline void
avx512_add(__m512i *lo, __m512i *hi, const int8_t *a, const int8_t *b, __m512i w) {
  __m512i x = _mm512_cvtepi8_epi16(_mm256_loadu_si256((const __m256i *)(const void *)a));
  __m512i y = _mm512_cvtepi8_epi16(_mm256_loadu_si256((const __m256i *)(const void *)b));
  *lo = _mm512_add_epi32(*lo, _mm512_madd_epi16(_mm512_unpacklo_epi16(x, y), w));
  *hi = _mm512_add_epi32(*hi, _mm512_madd_epi16(_mm512_unpackhi_epi16(x, y), w));
}

/* lo holds dimensions 0-3, 8-11, 16-19, 24-27 of 32, hi the others. */
__attribute__((target("avx512f,avx512bw"))) static inline void avx512_store(int32_t *out, __m512i lo,
                                                                            __m512i hi) {
  const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
  const __m512i second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
  _mm512_storeu_si512(out, _mm512_permutex2var_epi64(lo, first, hi));
  _mm512_storeu_si512(out + 16, _mm512_permutex2var_epi64(lo, second, hi));
}

/* 128 dimensions at a time, or the last 64. */
__attribute__((target("avx512f,avx512bw"))) static void avx512_rows(int32_t *out, const int8_t *rows,
                                                                    size_t stride, size_t dimensions,
                                                                    const int32_t *row, const int16_t *weight,
                                                                    size_t count) {
  for (size_t d = 0; d < dimensions; d += 128) {
    int parts = dimensions - d >= 128 ? 4 : 2;
    __m512i lo[4], hi[4];
    for (int k = 0; k < 4; k++)
      lo[k] = hi[k] = _mm512_setzero_si512();
    for (size_t i = 0; i < count; i += 2) {
      const int8_t *a = row_at(rows, stride, row, i, count) + d,
                   *b = row_at(rows, stride, row, i + 1, count) + d;
      const int8_t *next = row_at(rows, stride, row, i + AHEAD, count) + d;
      const int8_t *second = row_at(rows, stride, row, i + AHEAD + 1, count) + d;
      __builtin_prefetch(next);
      __builtin_prefetch(second);
      __m512i w = _mm512_set1_epi32(two_weights(weight, i, count));
      avx512_add(&lo[0], &hi[0], a, b, w);
      avx512_add(&lo[1], &hi[1], a + 32, b + 32, w);
      if (parts == 2)
        continue;
      __builtin_prefetch(next + 64);
      __builtin_prefetch(second + 64);
      avx512_add(&lo[2], &hi[2], a + 64, b + 64, w);
      avx512_add(&lo[3], &hi[3], a + 96, b + 96, w);
    }
    for (int k = 0; k < parts; k++)
      avx512_store(out + d + (size_t)(32 * k), lo[k], hi[k]);
  }
}
#endif

int embed_static_kernels(embed_kernel *kernels[4], const char *names[4]) {
  int n = 0;
  kernels[n] = embed_rows_scalar, names[n++] = "scalar";
#if defined(__x86_64__)
  if (cpu_has(CPU_AVX2))
    kernels[n] = avx2_rows, names[n++] = "avx2";
  if (cpu_has(CPU_AVX512))
    kernels[n] = avx512_rows, names[n++] = "avx512";
#endif
  return n;
}

embed_kernel *embed_static_kernel(void) {
  embed_kernel *kernels[4] = {0};
  const char *names[4];
  int count = embed_static_kernels(kernels, names);
  /* cppcheck-suppress CastIntegerToAddressAtReturn ; it takes the function pointer for a number */
  return kernels[count - 1];
}
