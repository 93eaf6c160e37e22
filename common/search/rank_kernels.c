#include "search/rank_kernels.h"

#include <string.h>
#if defined __x86_64__
#include <immintrin.h>
#endif

static void add_scalar(const struct rank_list *l, size_t chunk, float weight, float *score) {
  uint32_t at = l->start[chunk], end = l->start[chunk + 1];
  if (!l->dense) {
    for (; at < end; at++)
      score[l->where[at]] += weight * l->value[at];
    return;
  }
  const uint16_t *masks = l->where + chunk * (RANK_CHUNK / RANK_GROUP);
  for (uint32_t i = 0; i < RANK_CHUNK / RANK_GROUP; i++)
    for (unsigned mask = masks[i]; mask != 0; mask &= mask - 1, at++)
      score[i * RANK_GROUP + (uint32_t)__builtin_ctz(mask)] += weight * l->value[at];
}

static void best_scalar(const float *score, size_t windows, float *best) {
  for (size_t i = 0; i < windows; i++, score += RANK_WINDOW) {
    float four[4] = {0, 0, 0, 0}; /* side by side: a comparison doesn't wait for the one before */
    for (size_t k = 0; k < RANK_WINDOW; k += 4)
      for (size_t j = 0; j < 4; j++)
        four[j] = score[k + j] > four[j] ? score[k + j] : four[j];
    best[i] = four[0];
    for (size_t j = 1; j < 4; j++)
      best[i] = four[j] > best[i] ? four[j] : best[i];
  }
}

static uint32_t rank_kernels_count_rows(const struct rank_list *l, size_t chunk, const uint16_t *passing) {
  uint32_t n = 0;
  for (uint32_t at = l->start[chunk]; at < l->start[chunk + 1]; at++)
    n += (uint32_t)passing[l->where[at] / RANK_GROUP] >> l->where[at] % RANK_GROUP & 1;
  return n;
}

static uint32_t count_scalar(const struct rank_list *l, size_t chunk, const uint16_t *passing) {
  if (!l->dense)
    return rank_kernels_count_rows(l, chunk, passing);
  const uint16_t *masks = l->where + chunk * (RANK_CHUNK / RANK_GROUP);
  uint32_t n = 0;
  for (uint32_t i = 0; i < RANK_CHUNK / RANK_GROUP; i++)
    n += (uint32_t)__builtin_popcount((unsigned)masks[i] & passing[i]);
  return n;
}

static void keep_scalar(float *score, const uint16_t *passing) {
  for (uint32_t row = 0; row < RANK_CHUNK; row++)
    score[row] = passing[row / RANK_GROUP] >> row % RANK_GROUP & 1 ? score[row] : 0;
}

static size_t rank_kernels_reach_scalar(const float *value, size_t n, float least) {
  size_t count = 0;
  for (size_t i = 0; i < n; i++)
    count += value[i] >= least;
  return count;
}

static size_t above_scalar(const float *score, uint32_t count, float least, uint32_t *rows) {
  size_t n = 0;
  for (uint32_t i = 0; i < count; i++)
    if (score[i] >= least)
      rows[n++] = i;
  return n;
}

static const struct rank_kernels scalar = {
    "scalar", add_scalar, best_scalar, count_scalar, keep_scalar, rank_kernels_reach_scalar, above_scalar};

#if defined __x86_64__

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,popcnt")))

AVX512 static inline void add_16(float *score, __m512 weight, unsigned mask, const float *value) {
  __m512 v = _mm512_maskz_expand_ps((__mmask16)mask, _mm512_loadu_ps(value));
  _mm512_storeu_ps(score, _mm512_add_ps(_mm512_loadu_ps(score), _mm512_mul_ps(weight, v)));
}

/* Bytes of values that are fetched ahead: some chunks', into the second cache.  A batch's lists don't fit there,
 * and the processor's own reading ahead begins anew in each chunk of each list. */
#define AHEAD 6144
#define AHEAD_SPARSE 3072

AVX512 static inline void fetch(const void *p, size_t ahead) {
  _mm_prefetch((const char *)((uintptr_t)p + ahead), _MM_HINT_T1); /* past the end it does nothing */
}

/* Four groups at a time: where their values begin doesn't wait for the groups before. */
AVX512 static void add_dense(const uint16_t *masks, const float *value, float weight, float *score) {
  const __m512 w = _mm512_set1_ps(weight);
  for (uint32_t i = 0; i < RANK_CHUNK / RANK_GROUP; i += 4, score += (size_t)4 * RANK_GROUP) {
    uint64_t four;
    memcpy(&four, masks + i, sizeof four);
    fetch(value, AHEAD);
    fetch(value, AHEAD + 64);
    if (i % 32 == 0)
      fetch(masks + i, RANK_CHUNK / RANK_GROUP * sizeof *masks);
    add_16(score, w, four & 0xffff, value);
    add_16(score + RANK_GROUP, w, four >> 16 & 0xffff, value + __builtin_popcountll(four & 0xffff));
    add_16(score + 2 * RANK_GROUP, w, four >> 32 & 0xffff, value + __builtin_popcountll(four & 0xffffffff));
    add_16(score + 3 * RANK_GROUP, w, (unsigned)(four >> 48),
           value + __builtin_popcountll(four & 0xffffffffffff));
    value += __builtin_popcountll(four);
  }
}

AVX512 static void add_avx512(const struct rank_list *l, size_t chunk, float weight, float *score) {
  uint32_t at = l->start[chunk], end = l->start[chunk + 1];
  if (l->dense) {
    add_dense(l->where + chunk * (RANK_CHUNK / RANK_GROUP), l->value + at, weight, score);
    return;
  }
  const __m512 w = _mm512_set1_ps(weight);
  for (; at < end; at += RANK_GROUP) {
    fetch(l->where + at, AHEAD_SPARSE / 2);
    fetch(l->value + at, AHEAD_SPARSE);
    __mmask16 some = (__mmask16)(end - at < RANK_GROUP ? (1u << (end - at)) - 1 : 0xffff);
    __m512i rows = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)(l->where + at)));
    __m512 v = _mm512_mask_i32gather_ps(_mm512_setzero_ps(), some, rows, score, 4);
    v = _mm512_add_ps(v, _mm512_mul_ps(w, _mm512_loadu_ps(l->value + at)));
    _mm512_mask_i32scatter_ps(score, some, rows, v, 4);
  }
}

AVX512 static void best_avx512(const float *score, size_t windows, float *best) {
  for (size_t i = 0; i < windows; i++, score += RANK_WINDOW) {
    __m512 a = _mm512_loadu_ps(score), b = _mm512_loadu_ps(score + RANK_GROUP);
    for (size_t k = (size_t)2 * RANK_GROUP; k < RANK_WINDOW; k += (size_t)2 * RANK_GROUP) {
      a = _mm512_max_ps(a, _mm512_loadu_ps(score + k));
      b = _mm512_max_ps(b, _mm512_loadu_ps(score + k + RANK_GROUP));
    }
    best[i] = _mm512_reduce_max_ps(_mm512_max_ps(a, b));
  }
}

AVX512 static uint32_t count_avx512(const struct rank_list *l, size_t chunk, const uint16_t *passing) {
  if (!l->dense)
    return rank_kernels_count_rows(l, chunk, passing);
  const uint16_t *masks = l->where + chunk * (RANK_CHUNK / RANK_GROUP);
  uint32_t n = 0;
  for (uint32_t i = 0; i < RANK_CHUNK / RANK_GROUP; i += 4) {
    uint64_t a, b;
    memcpy(&a, masks + i, sizeof a);
    memcpy(&b, passing + i, sizeof b);
    n += (uint32_t)__builtin_popcountll(a & b);
  }
  return n;
}

AVX512 static void keep_avx512(float *score, const uint16_t *passing) {
  for (uint32_t i = 0; i < RANK_CHUNK / RANK_GROUP; i++, score += RANK_GROUP)
    _mm512_storeu_ps(score, _mm512_maskz_loadu_ps((__mmask16)passing[i], score));
}

AVX512 static size_t reach_avx512(const float *value, size_t n, float least) {
  const __m512 l = _mm512_set1_ps(least);
  size_t count = 0, i = 0;
  for (; i + RANK_GROUP <= n; i += RANK_GROUP)
    count += (size_t)__builtin_popcount(_mm512_cmp_ps_mask(_mm512_loadu_ps(value + i), l, _CMP_GE_OQ));
  return count + rank_kernels_reach_scalar(value + i, n - i, least);
}

AVX512 static size_t above_avx512(const float *score, uint32_t count, float least, uint32_t *rows) {
  const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m512 l = _mm512_set1_ps(least);
  size_t n = 0;
  for (uint32_t i = 0; i < count; i += RANK_GROUP) {
    __mmask16 some = (__mmask16)(count - i < RANK_GROUP ? (1u << (count - i)) - 1 : 0xffff);
    some = _mm512_mask_cmp_ps_mask(some, _mm512_maskz_loadu_ps(some, score + i), l, _CMP_GE_OQ);
    if (some == 0)
      continue;
    __m512i found = _mm512_maskz_compress_epi32(some, _mm512_add_epi32(lane, _mm512_set1_epi32((int)i)));
    _mm512_storeu_si512(rows + n, found);
    n += (size_t)__builtin_popcount(some);
  }
  return n;
}

static const struct rank_kernels avx512 = {"avx512",    add_avx512,   best_avx512, count_avx512,
                                           keep_avx512, reach_avx512, above_avx512};

static int rank_kernels_runs_avx512(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("popcnt");
}
#endif

const struct rank_kernels *rank_kernels(const char *name) {
#if defined __x86_64__
  if ((name == NULL || strcmp(name, "avx512") == 0) && rank_kernels_runs_avx512())
    return &avx512;
#endif
  return name == NULL || strcmp(name, "scalar") == 0 ? &scalar : NULL;
}
