/* postings_kernels.c: unpacks, computes prefix sums and saturation, and adds scores, one block at a time.
 *
 * Products, sums and quotients are rounded individually and in the same order by all kernels (ISO C forbids the
 * compiler to fuse them), so a score doesn't depend on the processor.
 */
#include "store/postings_kernels.h"

#include "base/cpu.h"

#include "store/postings.h"

#include <string.h>
#if defined __x86_64__
#include <immintrin.h>
#endif

static void postings_kernels_score_scalar(const struct postings_block *b, const struct store_bm25 *m,
                                          float *score) {
  uint32_t gaps[STORE_BLOCK], tfs[STORE_BLOCK], row = b->before;
  postings_unpack(b->data, b->row_bits, gaps);
  postings_unpack(b->data + 16 * (size_t)b->row_bits, b->tf_bits, tfs);
  for (int i = 0; i < STORE_BLOCK; i++) {
    row += gaps[i] + 1;
    uint32_t at = row < b->most ? row : b->most;
    float tf = (float)(tfs[i] >> 2 & 63) + m->context * (float)(tfs[i] & 3);
    score[at] += m->weight * store_bm25(m, tf, (float)b->lengths[at]);
  }
}

#if defined __x86_64__

#define AVX2 __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi")))

/* Inclusive prefix sums of eight numbers plus `before`. */
AVX2 static inline __m256i sums_of_8(__m256i v, __m256i before) {
  v = _mm256_add_epi32(v, _mm256_slli_si256(v, 4));
  v = _mm256_add_epi32(v, _mm256_slli_si256(v, 8));
  __m256i low = _mm256_permute2x128_si256(v, v, 0x08); /* the lower half moved to the upper one, zeros
                                                          below */
  v = _mm256_add_epi32(v, _mm256_shuffle_epi32(low, 0xff));
  return _mm256_add_epi32(v, before);
}

AVX2 static void postings_score_avx2(const struct postings_block *b, const struct store_bm25 *m,
                                     float *score) {
  uint32_t gaps[STORE_BLOCK], tfs[STORE_BLOCK];
  postings_unpack(b->data, b->row_bits, gaps);
  postings_unpack(b->data + 16 * (size_t)b->row_bits, b->tf_bits, tfs);
  const __m256i one = _mm256_set1_epi32(1), most = _mm256_set1_epi32((int)b->most);
  const __m256i last = _mm256_set1_epi32(7);
  __m256i before = _mm256_set1_epi32((int)b->before);
  for (int i = 0; i < STORE_BLOCK; i += 8) {
    uint32_t at[8];
    float add[8];
    __m256i gap = _mm256_loadu_si256((const __m256i *)(const void *)(gaps + i));
    __m256i tf = _mm256_loadu_si256((const __m256i *)(const void *)(tfs + i));
    __m256i rows = sums_of_8(_mm256_add_epi32(gap, one), before);
    before = _mm256_permutevar8x32_epi32(rows, last);
    rows = _mm256_min_epu32(rows, most);
    __m256i length = _mm256_i32gather_epi32((const int *)(const void *)b->lengths, rows, 2);
    length = _mm256_and_si256(length, _mm256_set1_epi32(0xffff));
    __m256 text = _mm256_cvtepi32_ps(_mm256_and_si256(_mm256_srli_epi32(tf, 2), _mm256_set1_epi32(63)));
    __m256 context = _mm256_cvtepi32_ps(_mm256_and_si256(tf, _mm256_set1_epi32(3)));
    __m256 f = _mm256_add_ps(text, _mm256_mul_ps(_mm256_set1_ps(m->context), context));
    __m256 under = _mm256_add_ps(_mm256_add_ps(f, _mm256_set1_ps(m->fixed)),
                                 _mm256_mul_ps(_mm256_set1_ps(m->slope), _mm256_cvtepi32_ps(length)));
    f = _mm256_div_ps(_mm256_mul_ps(f, _mm256_set1_ps(m->scale)), under);
    _mm256_storeu_ps(add, _mm256_mul_ps(_mm256_set1_ps(m->weight), f));
    _mm256_storeu_si256((__m256i *)(void *)at, rows);
    for (int k = 0; k < 8; k++)
      score[at[k]] += add[k];
  }
}

/* Positions of sixteen packed numbers of `bits`: the bytes for each lane, and their shifts. */
struct lanes {
  __m512i bytes, shift, mask;
  __mmask64 load;
  size_t step; /* bytes that sixteen numbers take */
};

AVX512 static inline struct lanes lanes_of(unsigned bits) {
  const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  __m512i at = _mm512_mullo_epi32(lane, _mm512_set1_epi32((int)bits));
  __m512i byte = _mm512_mullo_epi32(_mm512_srli_epi32(at, 3), _mm512_set1_epi32(0x01010101));
  return (struct lanes){
      _mm512_add_epi32(byte, _mm512_set1_epi32(0x03020100)), _mm512_and_si512(at, _mm512_set1_epi32(7)),
      _mm512_set1_epi32((int)(((uint64_t)1 << bits) - 1)), ((uint64_t)1 << 2 * bits) - 1, 2 * (size_t)bits};
}

AVX512 static inline __m512i unpack_16(const uint8_t *p, const struct lanes *l) {
  __m512i bytes = _mm512_maskz_loadu_epi8(l->load, p); /* never reads past the list */
  bytes = _mm512_permutexvar_epi8(l->bytes, bytes);
  return _mm512_and_si512(_mm512_srlv_epi32(bytes, l->shift), l->mask);
}

AVX512 static inline __m512i sums_of_16(__m512i v) {
  const __m512i zero = _mm512_setzero_si512();
  v = _mm512_add_epi32(v, _mm512_alignr_epi32(v, zero, 15));
  v = _mm512_add_epi32(v, _mm512_alignr_epi32(v, zero, 14));
  v = _mm512_add_epi32(v, _mm512_alignr_epi32(v, zero, 12));
  return _mm512_add_epi32(v, _mm512_alignr_epi32(v, zero, 8));
}

/* Positions of the next sixteen postings in a block. */
struct at_512 {
  struct lanes gap, tf;
  const uint8_t *p, *q;
  __m512i before;
};

AVX512 static inline struct at_512 begin_512(const struct postings_block *b) {
  return (struct at_512){lanes_of(b->row_bits), lanes_of(b->tf_bits), b->data,
                         b->data + 16 * (size_t)b->row_bits, _mm512_set1_epi32((int)b->before)};
}

/* The next sixteen rows and their saturated frequencies. */
AVX512 static inline __m512 next_512(struct at_512 *at, const struct postings_block *b,
                                     const struct store_bm25 *m, __m512i *rows) {
  const __m512i one = _mm512_set1_epi32(1), last = _mm512_set1_epi32(15);
  __m512i r = sums_of_16(_mm512_add_epi32(unpack_16(at->p, &at->gap), one));
  r = _mm512_add_epi32(r, at->before);
  at->before = _mm512_permutexvar_epi32(last, r);
  *rows = r = _mm512_min_epu32(r, _mm512_set1_epi32((int)b->most));
  __m512i length = _mm512_i32gather_epi32(r, b->lengths, 2), v = unpack_16(at->q, &at->tf);
  at->p += at->gap.step;
  at->q += at->tf.step;
  length = _mm512_and_si512(length, _mm512_set1_epi32(0xffff));
  __m512 text = _mm512_cvtepi32_ps(_mm512_and_si512(_mm512_srli_epi32(v, 2), _mm512_set1_epi32(63)));
  __m512 context = _mm512_cvtepi32_ps(_mm512_and_si512(v, _mm512_set1_epi32(3)));
  __m512 f = _mm512_add_ps(text, _mm512_mul_ps(_mm512_set1_ps(m->context), context));
  __m512 under = _mm512_add_ps(_mm512_add_ps(f, _mm512_set1_ps(m->fixed)),
                               _mm512_mul_ps(_mm512_set1_ps(m->slope), _mm512_cvtepi32_ps(length)));
  return _mm512_div_ps(_mm512_mul_ps(f, _mm512_set1_ps(m->scale)), under);
}

AVX512 static void postings_score_avx512(const struct postings_block *b, const struct store_bm25 *m,
                                         float *score) {
  struct at_512 at = begin_512(b);
  for (int i = 0; i < STORE_BLOCK; i += 16) {
    __m512i rows;
    __m512 f = _mm512_mul_ps(_mm512_set1_ps(m->weight), next_512(&at, b, m, &rows));
    _mm512_i32scatter_ps(score, rows, _mm512_add_ps(_mm512_i32gather_ps(rows, score, 4), f), 4);
  }
}

static int postings_kernels_runs_avx512(void) {
  return cpu_has(CPU_AVX512 | CPU_AVX512_VBMI);
}
#endif

postings_score_function *postings_score(const char *kernel) {
  int any = kernel == NULL;
#if defined __x86_64__
  if (postings_kernels_runs_avx512() && (any || strcmp(kernel, "avx512") == 0))
    return postings_score_avx512;
  if (cpu_has(CPU_AVX2) && (any || strcmp(kernel, "avx2") == 0))
    return postings_score_avx2;
#endif
  return any || strcmp(kernel, "scalar") == 0 ? postings_kernels_score_scalar : NULL;
}
