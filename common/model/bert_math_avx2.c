/* bert_math_avx2.c: AVX2 and FMA.  vpmaddubsw adds pairs of products in 16 bits, which fits for 255 * 63, so weights
 * are limited to 63. */
#if defined(__x86_64__)
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#pragma GCC optimize("O3,fp-contract=fast")
#endif
#include <immintrin.h>
#define LANES 8
#include "model/bert_kernels.h"

#define WEIGHT_TOP 63

static inline __m256i add_products(__m256i sum, __m256i x, __m256i weights) {
  __m256i pairs = _mm256_maddubs_epi16(x, weights);
  return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

#include "model/bert_avx.h"

const struct bert_math bert_math_avx2 = {"avx2", WEIGHT_TOP,   packed_size, bert_avx_pack,
                                         linear, linear_float, quantize,    bert_kernels_normalize,
                                         gelu,   attention};
#ifdef __clang__
#pragma clang attribute pop
#endif
#else
typedef int bert_math_avx2_is_not_here; /* ISO C forbids an empty translation unit */
#endif
