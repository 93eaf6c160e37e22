/* base64.c: RFC 4648 section 4, with padding, no line breaks. */
#include "base/base64.h"

#include <stdint.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Two output characters for every 12 input bits: half the look-ups of a table of single characters. */
static char pairs[4096][2];
static unsigned char values[256];

__attribute__((constructor)) static void fill_tables(void) {
  for (unsigned i = 0; i < 4096; i++) {
    pairs[i][0] = alphabet[i >> 6];
    pairs[i][1] = alphabet[i & 63];
  }
  memset(values, 0xff, sizeof values);
  for (unsigned i = 0; i < 64; i++)
    values[(unsigned char)alphabet[i]] = (unsigned char)i;
}

void base64_add(struct buf *out, const void *data, size_t len) {
  const unsigned char *s = data;
  if (buf_reserve(out, (len + 2) / 3 * 4))
    return;
  char *o = out->data + out->len;
  size_t i = 0;
  for (; i + 3 <= len; i += 3, o += 4) {
    uint32_t v = (uint32_t)s[i] << 16 | (uint32_t)s[i + 1] << 8 | s[i + 2];
    memcpy(o, pairs[v >> 12], 2);
    memcpy(o + 2, pairs[v & 4095], 2);
  }
  if (i < len) {
    uint32_t v = (uint32_t)s[i] << 16 | (i + 1 < len ? (uint32_t)s[i + 1] << 8 : 0);
    memcpy(o, pairs[v >> 12], 2);
    o[2] = i + 1 < len ? alphabet[v >> 6 & 63] : '=';
    o[3] = '=';
    o += 4;
  }
  *o = '\0';
  out->len = (size_t)(o - out->data);
}

/* Decodes the last group, with its padding; its unused bits must be zero.  Bytes written, or -1. */
static int last_group(const unsigned char *s, unsigned char *o) {
  unsigned a = values[s[0]], b = values[s[1]];
  if ((a | b) & 0x80 || s[3] != '=')
    return -1;
  o[0] = (unsigned char)(a << 2 | b >> 4);
  if (s[2] == '=')
    return b & 15 ? -1 : 1;
  unsigned c = values[s[2]];
  if (c & 0x80 || c & 3)
    return -1;
  o[1] = (unsigned char)(b << 4 | c >> 2);
  return 2;
}

int base64_decode(struct slice text, struct buf *out) {
  const unsigned char *s = (const unsigned char *)text.data;
  if (text.len % 4 || buf_reserve(out, text.len / 4 * 3))
    return -1;
  if (text.len == 0)
    return 0;
  unsigned char *o = (unsigned char *)out->data + out->len;
  size_t whole = s[text.len - 1] == '=' ? text.len - 4 : text.len;
  for (size_t i = 0; i < whole; i += 4, o += 3) {
    unsigned a = values[s[i]], b = values[s[i + 1]], c = values[s[i + 2]], d = values[s[i + 3]];
    if ((a | b | c | d) & 0x80)
      return -1;
    uint32_t v = a << 18 | b << 12 | c << 6 | d;
    o[0] = (unsigned char)(v >> 16);
    o[1] = (unsigned char)(v >> 8);
    o[2] = (unsigned char)v;
  }
  if (whole < text.len) {
    int n = last_group(s + whole, o);
    if (n < 0)
      return -1;
    o += n;
  }
  out->len = (size_t)((char *)o - out->data);
  out->data[out->len] = '\0';
  return 0;
}
