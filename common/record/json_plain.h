/* json_plain.h: finds the end of the unescaped ASCII run in a JSON string, 16 bytes at a time with SSE2; for
 * json*.c. */
#ifndef BID_JSON_PLAIN_H
#define BID_JSON_PLAIN_H

#ifdef __SSE2__
#include <emmintrin.h>
/* Bit i is set where json_plain_end() would stop at byte i of v. */
static inline unsigned json_plain_odd(__m128i v) {
  /* The comparison is signed: bytes above 0x7f count as below 0x20 as well. */
  __m128i low = _mm_cmplt_epi8(v, _mm_set1_epi8(0x20)), quote = _mm_cmpeq_epi8(v, _mm_set1_epi8('"')),
          slash = _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'));
  return (unsigned)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, slash), low));
}
#endif

/* The first byte of [p, end) that is not plain: '"', '\\', a control character or a byte above 0x7f. */
static inline const char *json_plain_end(const char *p, const char *end) {
#ifdef __SSE2__
  for (; end - p >= 16; p += 16) {
    unsigned odd = json_plain_odd(_mm_loadu_si128((const __m128i *)(const void *)p));
    if (odd)
      return p + __builtin_ctz(odd);
  }
#endif
  while (p < end && *p != '"' && *p != '\\' && (unsigned char)*p >= 0x20 && (unsigned char)*p < 0x80)
    p++;
  return p;
}

#endif
