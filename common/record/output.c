#include "record/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FLUSH_AT = 128 * 1024, WRITE_STEP = 128 * 1024, PIPE_SIZE = 1024 * 1024, KEEP = 4 * 1024 * 1024 };

void output_init(struct output *o, int fd) {
  struct stat st;
  memset(o, 0, sizeof *o);
  o->fd = fd;
  buf_init(&o->buf, SIZE_MAX / 4);
  /* A 64 KiB pipe costs half the rate; where the user may have no more, it stays. */
  if (fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode))
    (void)fcntl(fd, F_SETPIPE_SZ, (int)PIPE_SIZE);
}

int output_flush(struct output *o) {
  size_t at = 0;
  while (!o->error && at < o->buf.len) {
    size_t step = o->buf.len - at < WRITE_STEP ? o->buf.len - at : WRITE_STEP;
    ssize_t n = write(o->fd, o->buf.data + at, step);
    if (n >= 0)
      at += (size_t)n;
    else if (errno != EINTR)
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
