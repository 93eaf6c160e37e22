#include "front/progress_row.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/mask.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define FIRST_AFTER 0.5 /* seconds: shorter runs need no row */
#define EVERY 0.2

/* The latest reports of the programs. */
struct progress_row {
  const char *title;
  double started, drawn;
  int width, shown;
  unsigned long long fetched, fetched_bytes, embedded, expected;
  int total_told; /* by the pipeline itself */
  char doing[320];
};

static void row_take(struct progress_row *r, char *line) {
  char *save = NULL, *program = strtok_r(line, "\t", &save), *records = strtok_r(NULL, "\t", &save);
  char *bytes = strtok_r(NULL, "\t", &save), *total = strtok_r(NULL, "\t", &save),
       *doing = strtok_r(NULL, "\t", &save);
  if (!total)
    return;
  unsigned long long n = strtoull(records, NULL, 10), size = strtoull(bytes, NULL, 10);
  if (strcmp(program, "bid-fetch") == 0) {
    r->fetched = n;
    r->fetched_bytes = size;
    if (!r->total_told)
      r->expected = strtoull(total, NULL, 10);
  } else if (strcmp(program, "total") == 0) {
    r->expected = strtoull(total, NULL, 10);
    r->total_told = 1;
  } else if (strcmp(program, "bid-embed") == 0) {
    r->embedded = n;
  }
  if (doing)
    snprintf(r->doing, sizeof r->doing, "%s", doing);
}

/* Formats the progress: "2 of 3 documents", with bytes, rate and time left.  The expected total is ignored once it is
 * exceeded (an archive). */
static void row_fetched(const struct progress_row *r, double seconds, struct buf *b) {
  int known = r->expected > 0 && r->fetched <= r->expected;
  if (!r->fetched && !known)
    return;
  buf_printf(b, "%s %llu", r->doing[0] ? " \xc2\xb7" : "", r->fetched);
  if (known)
    buf_printf(b, " of %llu", r->expected);
  buf_printf(b, " document%s, %.1f MB, %.1f MB/s", (known ? r->expected : r->fetched) == 1 ? "" : "s",
             (double)r->fetched_bytes / 1e6, (double)r->fetched_bytes / 1e6 / seconds);
  if (known && r->fetched && r->fetched < r->expected)
    buf_printf(b, ", %.0f s left", seconds * (double)(r->expected - r->fetched) / (double)r->fetched);
}

/* Draws "bid-ingest: 10-K of 2025-10-31 · 2 of 3 documents, 4.2 MB, 1.1 MB/s, 2 s left · 120 passages", truncated to
 * the width. */
static void row_draw(struct progress_row *r, double now) {
  struct buf b, out;
  double seconds = now - r->started;
  buf_init(&b, 2048);
  buf_init(&out, 2048);
  buf_printf(&b, "%s:", r->title);
  if (r->doing[0])
    buf_printf(&b, " %s", r->doing);
  row_fetched(r, seconds, &b);
  if (r->embedded)
    buf_printf(&b, " \xc2\xb7 %llu passage%s", r->embedded, r->embedded == 1 ? "" : "s");
  if (!r->doing[0] && !r->fetched && !r->embedded && !r->expected)
    buf_printf(&b, " %.0f s", seconds);
  buf_add_str(&out, "\r\033[K");
  int column = 0;
  for (size_t i = 0; i < b.len;) {
    uint32_t c;
    size_t n = mask_decode(b.data + i, b.len - i, &c);
    column += mask_columns(c);
    if (column >= r->width)
      break;
    if (c == '?')
      buf_add_char(&out, '?');
    else
      buf_add(&out, b.data + i, n);
    i += n;
  }
  fwrite(out.data, 1, out.len, stderr);
  fflush(stderr);
  r->shown = 1;
  r->drawn = now;
  buf_release(&b);
  buf_release(&out);
}

static void row_lines(struct progress_row *r, struct buf *b) {
  size_t from = 0;
  for (char *end; b->len > from && (end = memchr(b->data + from, '\n', b->len - from)) != NULL;) {
    *end = '\0';
    row_take(r, b->data + from);
    from = (size_t)(end - b->data) + 1;
  }
  if (from > 0)
    memmove(b->data, b->data + from, b->len - from);
  b->len -= from;
}

void progress_row_run(int fd, const char *title, int width) {
  struct progress_row r = {.title = title, .started = clock_monotonic(), .width = width};
  struct pollfd p = {.fd = fd, .events = POLLIN};
  struct buf b;
  char bytes[4096];
  buf_init(&b, 65536);
  for (;;) {
    int ready = poll(&p, 1, (int)(EVERY * 1000));
    if (ready > 0) {
      ssize_t n = read(fd, bytes, sizeof bytes);
      if (n == 0 || (n < 0 && errno != EINTR))
        break;
      if (n > 0 && buf_add(&b, bytes, (size_t)n) == 0)
        row_lines(&r, &b);
    }
    double now = clock_monotonic();
    if (now - r.started >= FIRST_AFTER && now - r.drawn >= EVERY)
      row_draw(&r, now);
  }
  if (r.shown)
    fputs("\r\033[K", stderr);
  buf_release(&b);
}
