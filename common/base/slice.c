/* slice.c */
#include "base/slice.h"

#include <ctype.h>
#include <strings.h>
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

struct slice slice_trimmed(struct slice s) {
  while (s.len && isspace((unsigned char)s.data[0]))
    s.data++, s.len--;
  while (s.len && isspace((unsigned char)s.data[s.len - 1]))
    s.len--;
  return s;
}

struct slice slice_cut(struct slice *rest, char stop) {
  const char *at = rest->len ? memchr(rest->data, stop, rest->len) : NULL;
  struct slice first = slice_of(rest->data, at ? (size_t)(at - rest->data) : rest->len);
  size_t skip = first.len + (at != NULL);
  *rest = slice_of(skip ? rest->data + skip : rest->data, rest->len - skip);
  return first;
}

int slice_holds_nocase(struct slice a, const char *text) {
  for (size_t i = 0, n = strlen(text); i + n <= a.len; i++)
    if (slice_at_nocase(a, i, text))
      return 1;
  return 0;
}

int slice_among(struct slice a, const char *const *list) {
  for (; *list; list++)
    if (slice_is(a, *list))
      return 1;
  return 0;
}

int slice_among_nocase(struct slice a, const char *const *list) {
  for (; *list; list++)
    if (slice_is_nocase(a, *list))
      return 1;
  return 0;
}

size_t slice_find_word(struct slice text, struct slice word, size_t from) {
  int first = word.len > 0 ? tolower((unsigned char)word.data[0]) : 0;
  for (size_t i = from; word.len > 0 && i + word.len <= text.len; i++)
    if (tolower((unsigned char)text.data[i]) == first &&
        strncasecmp(text.data + i, word.data, word.len) == 0 &&
        (i == 0 || !isalnum((unsigned char)text.data[i - 1])) &&
        (i + word.len == text.len || !isalnum((unsigned char)text.data[i + word.len])))
      return i;
  return text.len;
}

int slice_again(int fd, short events) {
  struct pollfd p = {fd, events, 0};
  if (errno == EINTR)
    return 1;
  return errno == EAGAIN && (poll(&p, 1, -1) > 0 || errno == EINTR);
}

static int slice_put(struct slice s, int fd, int socket) {
  while (s.len > 0) {
    ssize_t n = socket ? send(fd, s.data, s.len, MSG_NOSIGNAL) : write(fd, s.data, s.len);
    if (n < 0 && slice_again(fd, POLLOUT))
      continue;
    if (n <= 0)
      return -1;
    s = slice_of(s.data + n, s.len - (size_t)n);
  }
  return 0;
}

int slice_write(struct slice s, int fd) {
  return slice_put(s, fd, 0);
}

int slice_send(struct slice s, int socket) {
  return slice_put(s, socket, 1);
}

/* ---- at an offset ---- */

ssize_t slice_read_at(int fd, void *data, size_t len, off_t at) {
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

int slice_write_at(int fd, struct slice s, off_t at) {
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
