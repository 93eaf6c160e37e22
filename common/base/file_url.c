#include "base/file_url.h"

#include "base/utf8.h"

#include <string.h>

#define SCHEME "file://"

void file_url_escape(struct buf *out, const char *text, const char *also) {
  size_t left = strlen(text), valid = 0;
  for (; left > 0; text++, left--, valid -= valid > 0) {
    if (valid == 0)
      valid = utf8_valid_prefix(text, left);
    if (valid == 0 || strchr(also, *text))
      buf_printf(out, "%%%02X", (unsigned char)*text);
    else
      buf_add_char(out, *text);
  }
}

void file_url_add(struct buf *out, const char *path) {
  buf_add_str(out, SCHEME);
  file_url_escape(out, path, "%#");
}

int file_url_is(struct slice url) {
  return url.len > strlen(SCHEME) && memcmp(url.data, SCHEME "/", strlen(SCHEME) + 1) == 0;
}

static int hex_digit(char c) {
  const char *digits = "0123456789ABCDEF", *at = c ? strchr(digits, c) : NULL;
  return at ? (int)(at - digits) : -1;
}

/* The byte that "%41" at text stands for, or -1. */
static int escaped_byte(const char *text, size_t len) {
  int high = len > 2 && *text == '%' ? hex_digit(text[1]) : -1, low = high >= 0 ? hex_digit(text[2]) : -1;
  return low >= 0 ? high << 4 | low : -1;
}

char *file_url_path(struct slice url) {
  if (!file_url_is(url))
    return xstrndup(url.data, url.len);
  const char *from = url.data + strlen(SCHEME), *end = url.data + url.len;
  const char *part = memchr(from, '#', (size_t)(end - from));
  char *path = xmalloc(url.len), *to = path;
  for (end = part ? part : end; from < end; to++) {
    int byte = escaped_byte(from, (size_t)(end - from));
    *to = *from;
    if (byte >= 0)
      *to = (char)byte;
    from += byte >= 0 ? 3 : 1;
  }
  *to = '\0';
  return path;
}
