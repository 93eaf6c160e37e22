#include "base/whole_io.h"

#include <errno.h>
#include <unistd.h>

ssize_t whole_read_at(int fd, void *data, size_t len, off_t at) {
  size_t done = 0;
  while (done < len) {
    ssize_t n = pread(fd, (char *)data + done, len - done, at + (off_t)done);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return -1;
    if (n == 0)
      break;
    done += (size_t)n;
  }
  return (ssize_t)done;
}

int whole_write_at(int fd, struct slice s, off_t at) {
  while (s.len > 0) {
    ssize_t n = pwrite(fd, s.data, s.len, at);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return -1;
    s = slice_of(s.data + n, s.len - (size_t)n);
    at += n;
  }
  return 0;
}
