/* json_write.c: writes JSON; json.h has its functions. */
#include "record/json.h"
#include "record/json_plain.h"
#include "base/utf8.h"

#include <math.h>
#include <stdio.h>

/* Bytes with a two-character escape. */
static const char short_escapes[256] = {
    ['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't', ['"'] = '"', ['\\'] = '\\'};

static void json_add_escaped(struct buf *out, unsigned char c) {
  if (short_escapes[c]) {
    buf_add_char(out, '\\');
    buf_add_char(out, short_escapes[c]);
    return;
  }
  buf_printf(out, "\\u%04x", c);
}

/* Appends a plain run and the short escape after it without a function call where the buffer has room: table rows in
 * a string are full of quotes.  1 where it was done. */
static int add_run_and_escape(struct buf *out, const char *run, size_t len, unsigned char c) {
  if (out->cap - out->len < len + 3 || !short_escapes[c] || out->max - out->len < len + 2)
    return 0;
  char *to = out->data + out->len;
  memcpy(to, run, len);
  to[len] = '\\';
  to[len + 1] = short_escapes[c];
  to[len + 2] = '\0';
  out->len += len + 2;
  return 1;
}

/* Copies plain bytes in blocks while there is room for whole ones.  Returns where it stopped: at a byte that needs
 * inspection or for lack of room. */
static const char *copy_clean(struct buf *out, const char *p, const char *end) {
#ifdef __SSE2__
  size_t room = out->cap - out->len, left = out->max - out->len;
  char *to = out->data + out->len;
  for (size_t n = 16; n == 16 && end - p >= 16 && room > 16 && left >= 16; room -= n, left -= n) {
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
    unsigned odd = json_plain_odd(v);
    _mm_storeu_si128((__m128i *)(void *)to, v);
    n = odd ? (size_t)__builtin_ctz(odd) : 16;
    p += n;
    to += n;
  }
  out->len = (size_t)(to - out->data);
  *to = '\0';
#endif
  (void)out, (void)end;
  return p;
}

/* The end of the longest run that needs no change. */
static const char *clean_run(const char *p, const char *end) {
  for (;;) {
    p = json_plain_end(p, end);
    if (p >= end || (unsigned char)*p < 0x80)
      return p;
    uint32_t c;
    size_t n = utf8_decode(p, (size_t)(end - p), &c);
    if (!n)
      return p;
    p += n;
  }
}

void json_add_string(struct buf *out, const char *text, size_t len) {
  const char *p = len ? text : "", *end = p + len;
  if (buf_reserve(out, len + 2))
    return;
  buf_add_char(out, '"');
  while (p < end) {
    p = copy_clean(out, p, end);
    const char *clean = clean_run(p, end);
    if (clean < end && add_run_and_escape(out, p, (size_t)(clean - p), (unsigned char)*clean)) {
      p = clean + 1;
      continue;
    }
    buf_add(out, p, (size_t)(clean - p));
    p = clean;
    if (p >= end)
      break;
    if ((unsigned char)*p >= 0x80)
      buf_add(out, "\xef\xbf\xbd", 3);
    else
      json_add_escaped(out, (unsigned char)*p);
    p++;
  }
  buf_add_char(out, '"');
}

int json_is_plain(const char *text, size_t len) {
  return json_plain_end(text, text + len) == text + len;
}

void json_key(struct buf *out, const char *name) {
  char last = out->len ? out->data[out->len - 1] : '{';
  size_t n = strlen(name);
  if (buf_reserve(out, n + 4))
    return;
  char *to = out->data + out->len;
  if (last != '{' && last != '[')
    *to++ = ',';
  *to++ = '"';
  to = (char *)memcpy(to, name, n) + n;
  memcpy(to, "\":", 3);
  out->len = (size_t)(to + 2 - out->data);
}

void json_str(struct buf *out, const char *name, struct slice value) {
  json_key(out, name);
  json_add_slice(out, value);
}

void json_cstr(struct buf *out, const char *name, const char *value) {
  json_str(out, name, slice_str(value));
}

void json_cstr_list(struct buf *out, const char *name, const char *const *items, size_t count) {
  json_key(out, name);
  buf_add_char(out, '[');
  for (size_t i = 0; i < count; i++) {
    buf_add_str(out, i ? "," : "");
    json_add_cstr(out, items[i]);
  }
  buf_add_char(out, ']');
}

static void add_digits(struct buf *out, unsigned long long value) {
  char text[24], *p = text + sizeof text;
  do
    *--p = (char)('0' + value % 10);
  while ((value /= 10) != 0);
  buf_add(out, p, (size_t)(text + sizeof text - p));
}

void json_int(struct buf *out, const char *name, long long value) {
  json_key(out, name);
  if (value < 0)
    buf_add_char(out, '-');
  add_digits(out, value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value);
}

void json_uint(struct buf *out, const char *name, unsigned long long value) {
  json_key(out, name);
  add_digits(out, value);
}

void json_double(struct buf *out, const char *name, double value) {
  json_key(out, name);
  if (isfinite(value))
    buf_printf(out, "%.9g", value);
  else
    buf_add_str(out, "null");
}

void json_hundredths(struct buf *out, const char *name, float value) {
  json_key(out, name);
  buf_printf(out, "%.2f", (double)value);
}

void json_bool(struct buf *out, const char *name, int value) {
  json_key(out, name);
  buf_add_str(out, value ? "true" : "false");
}

void json_raw(struct buf *out, const char *name, struct slice json) {
  json_key(out, name);
  buf_add_slice(out, json);
}
