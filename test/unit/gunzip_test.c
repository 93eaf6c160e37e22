#include "format/gunzip.h"
#include "base/buf.h"
#include "test.h"

#include <zlib.h>

/* Appends text as a gzip stream. */
static void add_stream(struct buf *out, const char *text) {
  char room[256];
  z_stream z = {
      .next_in = (Bytef *)(uintptr_t)text, .avail_in = (uInt)strlen(text), .next_out = (Bytef *)room};
  z.avail_out = sizeof room;
  deflateInit2(&z, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
  deflate(&z, Z_FINISH);
  buf_add(out, room, sizeof room - z.avail_out);
  deflateEnd(&z);
}

static int keep(void *arg, const char *data, size_t len) {
  return buf_add(arg, data, len);
}

/* The text of a body that comes in pieces of `step` bytes, where it is whole; else "damaged", or "more" where something
 * follows it. */
static const char *gunzip_text(struct slice body, size_t step, struct buf *out) {
  struct gunzip *g = gunzip_new();
  int rc = 0;
  buf_clear(out);
  for (size_t at = 0; rc == 0 && at < body.len; at += step)
    rc = gunzip_feed(g, body.data + at, body.len - at < step ? body.len - at : step, keep, out);
  const char *text = gunzip_has_more(g) ? "more" : rc || !gunzip_is_whole(g) ? "damaged" : out->data;
  gunzip_free(g);
  return text;
}

TEST(several_streams_are_one_text_wherever_the_pieces_end) {
  struct buf body, out;
  buf_init(&body, 4096);
  buf_init(&out, 4096);
  add_stream(&body, "the first, ");
  buf_add(&body, "\0\0\0", 3);
  add_stream(&body, "the second, ");
  add_stream(&body, "the third");
  buf_add(&body, "\0", 1);
  for (size_t step = 1; step <= body.len; step++)
    CHECK_STR(gunzip_text(buf_slice(&body), step, &out), "the first, the second, the third");
  buf_release(&body);
  buf_release(&out);
}

TEST(what_follows_and_is_no_stream_is_damage_not_the_end) {
  struct buf body, out;
  buf_init(&body, 4096);
  buf_init(&out, 4096);
  add_stream(&body, "the first, ");
  size_t one = body.len;
  add_stream(&body, "the second");
  for (size_t step = 1; step <= body.len; step++) {
    CHECK_STR(gunzip_text(slice_of(body.data, one), step, &out), "the first, ");
    for (size_t at = one + 1; at < body.len; at++)
      CHECK_STR(gunzip_text(slice_of(body.data, at), step, &out), "damaged");
    for (size_t at = one; at < one + 2; at++) {
      body.data[at] ^= 4;
      CHECK_STR(gunzip_text(buf_slice(&body), step, &out), "more");
      body.data[at] ^= 4;
    }
  }
  buf_release(&body);
  buf_release(&out);
}

int main(void) {
  RUN(several_streams_are_one_text_wherever_the_pieces_end);
  RUN(what_follows_and_is_no_stream_is_damage_not_the_end);
  return test_done();
}
