/* buf.c: growing byte buffers with a ceiling. */
#include "base/buf.h"
#include "base/mask.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

void buf_init(struct buf *b, size_t max) {
  memset(b, 0, sizeof *b);
  b->max = max;
}

void buf_release(struct buf *b) {
  free(b->data);
  buf_init(b, b->max);
}

void buf_clear(struct buf *b) {
  b->len = 0;
  b->overflow = 0;
  if (b->data)
    b->data[0] = '\0';
}

static int buf_grow(struct buf *b, size_t need) {
  size_t cap = b->cap ? b->cap : 64;
  while (cap < need)
    cap = cap > SIZE_MAX / 2 ? need : cap * 2;
  b->data = xrealloc(b->data, cap);
  b->cap = cap;
  return 0;
}

int buf_reserve(struct buf *b, size_t extra) {
  if (b->len > b->max || extra > b->max - b->len) {
    b->overflow = 1;
    return -1;
  }
  size_t need = b->len + extra + 1;
  return need <= b->cap ? 0 : buf_grow(b, need);
}

int buf_add(struct buf *b, const void *data, size_t len) {
  int fits = len < b->cap - b->len && b->len <= b->max && len <= b->max - b->len; /* the usual case */
  if (!fits && buf_reserve(b, len))
    return -1;
  if (len)
    memcpy(b->data + b->len, data, len);
  b->len += len;
  b->data[b->len] = '\0';
  return 0;
}

int buf_add_char(struct buf *b, char c) {
  if ((b->cap - b->len < 2 || b->len >= b->max) && buf_reserve(b, 1))
    return -1;
  b->data[b->len++] = c;
  b->data[b->len] = '\0';
  return 0;
}

int buf_add_str(struct buf *b, const char *text) {
  return buf_add(b, text, strlen(text));
}

int buf_add_slice(struct buf *b, struct slice s) {
  return buf_add(b, s.data, s.len);
}

int buf_vprintf(struct buf *b, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, args);
  int failed = n < 0 || buf_reserve(b, (size_t)n);
  if (!failed) {
    vsnprintf(b->data + b->len, (size_t)n + 1, format, again);
    b->len += (size_t)n;
  }
  va_end(again);
  return failed ? -1 : 0;
}

static int buf_append_masked(struct buf *out, struct slice text, int lines) {
  size_t from = 0;
  for (size_t i = 0; i < text.len;) {
    uint32_t c;
    size_t n = mask_decode(text.data + i, text.len - i, &c);
    if (c == '?' && !(lines && (text.data[i] == '\n' || text.data[i] == '\t'))) {
      buf_add(out, text.data + from, i - from);
      buf_add_char(out, '?');
      from = i + n;
    }
    i += n;
  }
  if (text.len > from)
    buf_add(out, text.data + from, text.len - from);
  return out->overflow ? -1 : 0;
}

int buf_add_masked(struct buf *out, struct slice text) {
  return buf_append_masked(out, text, 0);
}

int buf_add_masked_lines(struct buf *out, struct slice text) {
  return buf_append_masked(out, text, 1);
}

int buf_printf(struct buf *b, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int failed = buf_vprintf(b, format, args);
  va_end(args);
  return failed;
}

/* Reserves by the file's size where it has one, so that a large file is read in one go. */
int buf_read_fd(struct buf *b, int fd) {
  struct stat st;
  size_t step = 65536;
  if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0)
    step = (size_t)st.st_size + 1;
  for (;;) {
    size_t room = b->max - b->len;
    if (step > room + 1)
      step = room + 1;
    if (b->len + step + 1 > b->cap)
      buf_grow(b, b->len + step + 1);
    ssize_t n = read(fd, b->data + b->len, step);
    if (n < 0 && slice_again(fd, POLLIN))
      continue;
    if (n <= 0) {
      b->data[b->len] = '\0';
      return n < 0 ? -1 : 0;
    }
    if ((size_t)n > room) {
      b->data[b->len] = '\0';
      b->overflow = 1;
      errno = EFBIG;
      return -1;
    }
    b->len += (size_t)n;
    if (step < 65536)
      step = 65536;
  }
}

int buf_read_file(struct buf *b, const char *path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return -1;
  int failed = buf_read_fd(b, fd);
  int saved = errno;
  close(fd);
  errno = saved;
  return failed;
}
