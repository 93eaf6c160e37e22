/* bert_math_avxvnni.c: AVX-VNNI, byte dot products in 32-byte vectors, for processors without AVX-512. */
#if defined(__x86_64__)
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma,avxvnni"))), apply_to = function)
#else
#pragma GCC target("avx2,fma,avxvnni")
#pragma GCC optimize("O3,fp-contract=fast")
#endif
#include <immintrin.h>
#define LANES 8
#include "model/bert_kernels.h"

static inline __m256i add_products(__m256i sum, __m256i x, __m256i weights) {
  return _mm256_dpbusd_avx_epi32(sum, x, weights);
}

#include "model/bert_avx.h"

const struct bert_math bert_math_avxvnni = {"avx-vnni", 127,          packed_size, bert_avx_pack,
                                            linear,     linear_float, quantize,    bert_kernels_normalize,
                                            gelu,       attention};
#ifdef __clang__
#pragma clang attribute pop
#endif
#else
typedef int bert_math_avxvnni_is_not_here; /* ISO C forbids an empty translation unit */
#endif
