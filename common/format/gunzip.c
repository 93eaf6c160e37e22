/* gunzip.c: inflates gzip and zlib bodies piece by piece, and detects a body that was cut. */
#include "format/gunzip.h"

#include "base/buf.h"
#include "base/diag.h"

#include <stdlib.h>
#include <stdint.h>
#include <zlib.h>

enum { PIECE = 128 * 1024, ANY_HEADER = 32 };

struct gunzip {
  z_stream z;
  int begun, ended;
  int trailing; /* bytes behind the last stream that aren't zero: damage, or something else was appended */
  int half;     /* the first byte of another stream's mark was the last byte fed */
  uint64_t in, out;
  char piece[PIECE];
};

struct gunzip *gunzip_new(void) {
  struct gunzip *g = xcalloc(1, sizeof *g);
  if (inflateInit2(&g->z, MAX_WBITS + ANY_HEADER) != Z_OK)
    diag_oom();
  return g;
}

void gunzip_free(struct gunzip *g) {
  if (!g)
    return;
  inflateEnd(&g->z);
  free(g);
}

/* A gzip file may consist of several concatenated streams, and be padded with zeros.  Skips these, and begins the next
 * stream where its mark is complete; 1 where it did. */
static int begin_another(struct gunzip *g) {
  static Bytef mark[] = {0x1f, 0x8b};
  for (; g->z.avail_in > 0 && !g->trailing; g->z.next_in++, g->z.avail_in--) {
    if (g->half && *g->z.next_in == mark[1])
      break;
    g->trailing = g->half || (*g->z.next_in != 0 && *g->z.next_in != mark[0]);
    g->half = *g->z.next_in == mark[0];
  }
  if (g->z.avail_in == 0 || g->trailing)
    return 0;
  Bytef *next = g->z.next_in;
  uInt left = g->z.avail_in;
  inflateReset(&g->z);
  g->z.next_in = mark; /* its first byte may have come with what was fed before */
  g->z.avail_in = 1;
  inflate(&g->z, Z_NO_FLUSH);
  g->z.next_in = next;
  g->z.avail_in = left;
  g->half = g->ended = 0;
  return 1;
}

int gunzip_is_bomb(const struct gunzip *g) {
  return g->out > GUNZIP_FREE && g->out / GUNZIP_RATIO > g->in;
}

static int gunzip_step(struct gunzip *g, int (*sink)(void *arg, const char *data, size_t len), void *arg) {
  g->z.next_out = (Bytef *)g->piece;
  g->z.avail_out = PIECE;
  int rc = inflate(&g->z, Z_NO_FLUSH);
  if (rc == Z_MEM_ERROR)
    diag_oom();
  if (rc != Z_OK && rc != Z_STREAM_END && rc != Z_BUF_ERROR)
    return -1;
  g->ended = rc == Z_STREAM_END;
  size_t n = PIECE - g->z.avail_out;
  g->out += n;
  if (gunzip_is_bomb(g))
    return -1;
  return n && sink(arg, g->piece, n) ? 1 : 0;
}

int gunzip_feed(struct gunzip *g, const char *data, size_t len,
                int (*sink)(void *arg, const char *data, size_t len), void *arg) {
  g->z.next_in = (Bytef *)(uintptr_t)data;
  g->z.avail_in = (uInt)len;
  g->begun |= len > 0;
  g->in += len;
  do {
    if (g->ended && !begin_another(g))
      return g->trailing ? -1 : 0;
    int rc = gunzip_step(g, sink, arg);
    if (rc)
      return rc;
  } while (g->z.avail_in > 0 || g->z.avail_out == 0);
  return 0;
}

int gunzip_has_more(const struct gunzip *g) {
  return g->trailing;
}

int gunzip_is_whole(const struct gunzip *g) {
  return (g->ended && !g->half) || !g->begun;
}
