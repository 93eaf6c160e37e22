/* slice.h: views of bytes: compared, with or without the case of letters, and written. */
#ifndef BID_SLICE_H
#define BID_SLICE_H

#include <stddef.h>
#include <string.h>
#include <strings.h>
#include <sys/types.h>

/* A view of bytes that somebody else owns; data may be NULL where len is 0. */
struct slice {
  const char *data;
  size_t len;
};

static inline struct slice slice_of(const char *data, size_t len) {
  struct slice s = {data, len};
  return s;
}

static inline struct slice slice_str(const char *text) {
  return slice_of(text, text ? strlen(text) : 0);
}

static inline int slice_eq(struct slice a, struct slice b) {
  return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

static inline int slice_is(struct slice a, const char *text) {
  return slice_eq(a, slice_str(text));
}

/* The same, ignoring the case of ASCII letters: text at byte i, at the start, as a whole, anywhere, or any of a
 * list that ends with NULL. */
static inline int slice_at_nocase(struct slice a, size_t i, const char *text) {
  enum {
    NOCASE = 0xDF
  }; /* the bits in which letters of either case agree: most places fail by the first one */
  if (i < a.len && *text && (a.data[i] ^ *text) & NOCASE)
    return 0;
  size_t n = strlen(text);
  return i + n <= a.len && strncasecmp(a.data + i, text, n) == 0;
}

static inline int slice_begins_nocase(struct slice a, const char *text) {
  return slice_at_nocase(a, 0, text);
}

static inline int slice_is_nocase(struct slice a, const char *text) {
  return slice_begins_nocase(a, text) && a.len == strlen(text); /* most fail by the first byte */
}

/* Without the white space at its ends. */
struct slice slice_trimmed(struct slice s);

/* Cuts the bytes up to `stop`, or all where it doesn't occur, off the beginning of *rest, and the stop with them. */
struct slice slice_cut(struct slice *rest, char stop);

/* Whether a contains the text, or is one of a list that ends with NULL; _nocase: ASCII case is ignored. */
int slice_holds_nocase(struct slice a, const char *text);
int slice_among(struct slice a, const char *const *list);
int slice_among_nocase(struct slice a, const char *const *list);

/* Where a word stands in a text from `from` on, in any case, between what is no letter or digit; the text's length where it doesn't. */
size_t slice_find_word(struct slice text, struct slice word, size_t from);

/* Whether a transfer that failed with errno is to be repeated: after EINTR at once; after EAGAIN (whoever shares the
 * descriptor has made it non-blocking) once it is ready for `events`, POLLIN or POLLOUT. */
int slice_again(int fd, short events);

/* Write all bytes to a descriptor, or to a socket whose peer may be gone (EPIPE instead of a signal).  0, or -1 with
 * errno. */
int slice_write(struct slice s, int fd);
int slice_send(struct slice s, int socket);

/* ---- reads and writes at an offset that go on where a call was interrupted or transferred less than asked ---- */

/* Reads up to len bytes, fewer only at the end of the file.  Their number, or -1 with errno. */
ssize_t slice_read_at(int fd, void *data, size_t len, off_t at);

/* Writes all bytes.  0, or -1 with errno. */
int slice_write_at(int fd, struct slice s, off_t at);

#endif
