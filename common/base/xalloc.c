/* xalloc.c */
#include "base/xalloc.h"
#include "base/diag.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *xmalloc(size_t size) {
  void *p = malloc(size ? size : 1);
  if (!p)
    diag_oom();
  return p;
}

void *xcalloc(size_t count, size_t size) {
  void *p = calloc(count ? count : 1, size ? size : 1);
  if (!p)
    diag_oom();
  return p;
}

void *xrealloc(void *old, size_t size) {
  void *p = realloc(old, size ? size : 1);
  if (!p)
    diag_oom();
  return p;
}

void *xreallocarray(void *old, size_t count, size_t size) {
  if (size && count > SIZE_MAX / size)
    diag_oom();
  return xrealloc(old, count * size);
}

void *xgrow(void *items, size_t count, size_t size) {
  size_t room = count ? 2 * count : 1;
  if (count & (count - 1) ||
      (items && malloc_usable_size(items) / size >= room)) /* filled anew: it has the room */
    return items;
  return xreallocarray(items, room, size);
}

char *xstrndup(const char *text, size_t len) {
  char *copy = xmalloc(len + 1);
  if (len)
    memcpy(copy, text, len);
  copy[len] = '\0';
  return copy;
}

char *xstrdup(const char *text) {
  return xstrndup(text, strlen(text));
}

char *xformat(const char *format, ...) {
  char *text;
  va_list args;
  va_start(args, format);
  int len = vasprintf(&text, format, args);
  va_end(args);
  if (len < 0)
    diag_oom();
  return text;
}

void xroom(size_t size) {
  free(xmalloc(size));
}

/* ---- tuning glibc's malloc; does nothing with others ---- */

void xalloc_keep(size_t largest, size_t kept) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, (int)largest);
  mallopt(M_TRIM_THRESHOLD, (int)kept);
#else
  (void)largest, (void)kept;
#endif
}
