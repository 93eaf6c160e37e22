#include "base/byte_search.h"

#ifdef __SSE2__
#include <emmintrin.h>

static __m128i byte_search_load(const char *p) {
  return _mm_loadu_si128((const __m128i *)(const void *)p);
}
#endif

const char *byte_search_word(const char *p, const char *end, struct slice word, size_t pair) {
#ifdef __SSE2__
  const __m128i a = _mm_set1_epi8(word.data[pair]), b = _mm_set1_epi8(word.data[pair + 1]);
  for (; end - p >= (ptrdiff_t)(word.len + 16); p += 16) {
    __m128i both = _mm_and_si128(_mm_cmpeq_epi8(byte_search_load(p + pair), a),
                                 _mm_cmpeq_epi8(byte_search_load(p + pair + 1), b));
    for (unsigned hits = (unsigned)_mm_movemask_epi8(both); hits; hits &= hits - 1)
      if (memcmp(p + __builtin_ctz(hits), word.data, word.len) == 0)
        return p + __builtin_ctz(hits);
  }
#endif
  (void)pair;
  return p < end ? memmem(p, (size_t)(end - p), word.data, word.len) : NULL;
}
