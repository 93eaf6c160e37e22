/* utf8.c: UTF-8: validated (ASCII in blocks of 64 bytes), decoded, encoded. */
#include "base/utf8.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Length of a well-formed sequence, Unicode 15, table 3-7: the range of the second byte depends on the first. */
static size_t sequence(const unsigned char *s, size_t len) {
  unsigned char a = s[0], low = 0x80, high = 0xbf;
  size_t n;
  if (a < 0x80)
    return 1;
  if (a < 0xc2)
    return 0;
  if (a < 0xe0) {
    n = 2;
  } else if (a < 0xf0) {
    n = 3;
    if (a == 0xe0)
      low = 0xa0;
    if (a == 0xed)
      high = 0x9f;
  } else if (a < 0xf5) {
    n = 4;
    if (a == 0xf0)
      low = 0x90;
    if (a == 0xf4)
      high = 0x8f;
  } else {
    return 0;
  }
  if (len < n || s[1] < low || s[1] > high)
    return 0;
  for (size_t i = 2; i < n; i++)
    if ((s[i] & 0xc0) != 0x80)
      return 0;
  return n;
}

static size_t ascii_prefix(const unsigned char *s, size_t len) {
  size_t i = 0;
#ifdef __SSE2__
  for (; i + 64 <= len; i += 64) {
    const __m128i *p = (const __m128i *)(const void *)(s + i);
    __m128i a = _mm_or_si128(_mm_loadu_si128(p), _mm_loadu_si128(p + 1));
    __m128i b = _mm_or_si128(_mm_loadu_si128(p + 2), _mm_loadu_si128(p + 3));
    if (_mm_movemask_epi8(_mm_or_si128(a, b)))
      break;
  }
  for (; i + 16 <= len; i += 16)
    if (_mm_movemask_epi8(_mm_loadu_si128((const __m128i *)(const void *)(s + i))))
      break;
#endif
  while (i < len && s[i] < 0x80)
    i++;
  return i;
}

size_t utf8_valid_prefix(const char *text, size_t len) {
  const unsigned char *s = (const unsigned char *)text;
  size_t i = 0;
  while (i < len) {
    if (s[i] < 0x80) {
      i += ascii_prefix(s + i, len - i);
      continue;
    }
    size_t n = sequence(s + i, len - i);
    if (!n)
      break;
    i += n;
  }
  return i;
}

size_t utf8_decode(const char *text, size_t len, uint32_t *c) {
  const unsigned char *s = (const unsigned char *)text;
  size_t n = len ? sequence(s, len) : 0;
  static const unsigned char first[5] = {0, 0x7f, 0x1f, 0x0f, 0x07};
  if (!n)
    return 0;
  uint32_t v = s[0] & first[n];
  for (size_t i = 1; i < n; i++)
    v = v << 6 | (s[i] & 0x3f);
  *c = v;
  return n;
}

size_t utf8_encode(uint32_t c, char *out) {
  unsigned char *o = (unsigned char *)out;
  if (c < 0x80) {
    o[0] = (unsigned char)c;
    return 1;
  }
  if (c < 0x800) {
    o[0] = (unsigned char)(0xc0 | c >> 6);
    o[1] = (unsigned char)(0x80 | (c & 0x3f));
    return 2;
  }
  if (c < 0x10000) {
    o[0] = (unsigned char)(0xe0 | c >> 12);
    o[1] = (unsigned char)(0x80 | (c >> 6 & 0x3f));
    o[2] = (unsigned char)(0x80 | (c & 0x3f));
    return 3;
  }
  o[0] = (unsigned char)(0xf0 | c >> 18);
  o[1] = (unsigned char)(0x80 | (c >> 12 & 0x3f));
  o[2] = (unsigned char)(0x80 | (c >> 6 & 0x3f));
  o[3] = (unsigned char)(0x80 | (c & 0x3f));
  return 4;
}

size_t utf8_floor(const char *text, size_t len) {
  while (len && ((unsigned char)text[len] & 0xc0) == 0x80)
    len--;
  return len;
}

size_t utf8_characters(const char *text, size_t len) {
  size_t n = 0;
  for (size_t i = 0; i < len; i++)
    n += ((unsigned char)text[i] & 0xC0) != 0x80;
  return n;
}
