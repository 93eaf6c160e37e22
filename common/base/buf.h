/* buf.h: growing byte buffers with a ceiling.
 *
 * The creator of a buffer sets its ceiling.  An addition that would exceed it adds nothing, returns -1 and sets
 * `overflow`, which stays set until buf_clear(), so a run of additions can be checked once at its end.  Running out
 * of memory ends the program (diag_oom()).
 *
 * `data` always has room for one byte more than `len`, and that byte is '\0' after every addition, so the text can be
 * passed as a C string.
 */
#ifndef BID_BUF_H
#define BID_BUF_H

#include "base/slice.h"
#include "base/xalloc.h"

#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

struct buf {
  char *data; /* NULL until the first addition */
  size_t len; /* bytes in use */
  size_t cap; /* bytes allocated */
  size_t max; /* ceiling of len, in bytes */
  int overflow;
};

/* An empty buffer that may grow to `max` bytes; allocates nothing. */
void buf_init(struct buf *b, size_t max);

/* Frees the bytes; the buffer is empty and usable again, with the same ceiling. */
void buf_release(struct buf *b);

/* Empties the buffer, keeps its memory, clears `overflow`. */
void buf_clear(struct buf *b);

/* Makes room for `extra` more bytes.  0, or -1 where that exceeds the ceiling. */
int buf_reserve(struct buf *b, size_t extra);

/* Append.  Each returns 0, or -1 where the ceiling would be exceeded; nothing is added then. */
int buf_add(struct buf *b, const void *data, size_t len);
int buf_add_char(struct buf *b, char c);
int buf_add_str(struct buf *b, const char *text);
int buf_add_slice(struct buf *b, struct slice s);
/* Append untrusted text for display: what mask.h masks becomes '?'.  Newlines and tabs are masked too, except by
 * _lines. */
int buf_add_masked(struct buf *b, struct slice text);
int buf_add_masked_lines(struct buf *b, struct slice text);
int buf_printf(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
int buf_vprintf(struct buf *b, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

/* The bytes as a slice; valid until the buffer changes. */
static inline struct slice buf_slice(const struct buf *b) {
  return slice_of(b->data, b->len);
}

/* Reads a whole file or descriptor into b.  0, or -1 with errno (EFBIG where the ceiling is exceeded). */
int buf_read_fd(struct buf *b, int fd);
int buf_read_file(struct buf *b, const char *path);

#endif
