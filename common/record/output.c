/* output.c: buffered output that remembers its first failure. */
#include "record/output.h"

#include "base/mask.h"
#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FLUSH_AT = 128 * 1024, WRITE_STEP = 128 * 1024, PIPE_SIZE = 1024 * 1024, KEEP = 4 * 1024 * 1024 };

void output_init(struct output *o, int fd) {
  struct stat st;
  memset(o, 0, sizeof *o);
  o->fd = fd;
  o->for_people = isatty(fd);
  buf_init(&o->buf, SIZE_MAX / 4);
  /* A 64 KiB pipe halves the throughput.  Where the user may not have a larger one, it stays. */
  if (fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode))
    (void)fcntl(fd, F_SETPIPE_SZ, (int)PIPE_SIZE);
}

static void output_add_escaped(struct buf *out, uint32_t c) {
  if (c > 0xffff)
    buf_printf(out, "\\u%04x\\u%04x", 0xd7c0 + (c >> 10), 0xdc00 + (c & 0x3ff));
  else
    buf_printf(out, "\\u%04x", c);
}

static void escape_hidden(struct buf *b) {
  struct buf out;
  buf_init(&out, b->max);
  for (size_t i = 0; i < b->len;) {
    uint32_t c;
    size_t n = utf8_decode(b->data + i, b->len - i, &c);
    if (n && c >= 0x7f && mask_hides(c))
      output_add_escaped(&out, c);
    else
      buf_add(&out, b->data + i, n ? n : 1);
    i += n ? n : 1;
  }
  buf_release(b);
  *b = out;
}

int output_flush(struct output *o) {
  size_t at = 0;
  if (o->for_people && o->buf.len)
    escape_hidden(&o->buf);
  while (!o->error && at < o->buf.len) {
    size_t step = o->buf.len - at < WRITE_STEP ? o->buf.len - at : WRITE_STEP;
    ssize_t n = write(o->fd, o->buf.data + at, step);
    if (n >= 0)
      at += (size_t)n;
    else if (!slice_again(o->fd, POLLOUT))
      o->error = errno;
  }
  o->bytes += at;
  if (o->buf.cap > KEEP)
    buf_release(&o->buf);
  else
    buf_clear(&o->buf);
  if (o->error)
    errno = o->error;
  return o->error ? -1 : 0;
}

void output_flush_if_full(struct output *o) {
  if (o->buf.len >= FLUSH_AT)
    output_flush(o);
}

void output_printf(struct output *o, const char *format, ...) {
  va_list args;
  va_start(args, format);
  buf_vprintf(&o->buf, format, args);
  va_end(args);
  output_flush_if_full(o);
}

int output_close(struct output *o) {
  int failed = output_flush(o);
  buf_release(&o->buf);
  if (failed)
    errno = o->error;
  return failed;
}
