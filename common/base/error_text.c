/* error_text.c: the message of a failure; of a text that is too long the middle is left out. */
#include "base/error_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int error_is_inside(char c) { /* of a UTF-8 sequence */
  return ((unsigned char)c & 0xc0) == 0x80;
}

static const char gap[] = "...";

static void error_shorten(char *out, size_t room, const char *text, size_t len) {
  size_t head = room / 2, tail = room - head - sizeof gap;
  while (head > 0 && error_is_inside(text[head]))
    head--;
  while (tail > 0 && error_is_inside(text[len - tail]))
    tail--;
  memcpy(out, text, head);
  memcpy(out + head, gap, sizeof gap - 1);
  memcpy(out + head + sizeof gap - 1, text + len - tail, tail + 1);
}

void error_format(char *out, size_t room, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int n = vsnprintf(out, room, format, args);
  int shorten = n > 0 && (size_t)n >= room && room > 2 * sizeof gap; /* else there is no room for the gap */
  char *whole = shorten ? malloc((size_t)n + 1) : NULL;
  if (whole && vsnprintf(whole, (size_t)n + 1, format, again) == n)
    error_shorten(out, room, whole, (size_t)n);
  free(whole);
  va_end(again);
}

void error_set(struct error_text *e, const char *format, ...) {
  if (!e)
    return;
  va_list args;
  va_start(args, format);
  error_format(e->text, sizeof e->text, format, args);
  va_end(args);
}
