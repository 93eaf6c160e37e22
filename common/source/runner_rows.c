/* runner_rows.c: streams of rows: batches; files of lines, elements of XML. */
#include "source/runner_stream.h"

#include "format/charset.h"
#include "record/error.h"
#include "record/json.h"
#include "format/unpack.h"
#include "base/utf8.h"
#include "source/row_filter.h"
#include "format/xml.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define LINE_MAX_BYTES ((size_t)4 << 20)
#define BATCH_BYTES ((size_t)1 << 20) /* size at which a batch is written early */

/* ---- rows ---- */

int runner_rows_flush(struct runner_stream *s) {
  struct buf url, input;
  char name[64];
  int result = 0;
  if (s->batched == 0)
    return 0;
  snprintf(name, sizeof name, "%lld-%lld", s->batch_first, s->batch_first + s->batched - 1);
  buf_init(&url, 65536);
  runner_part_url(s, s->format == FORMAT_LINES ? "line=" : "row=", name, &url);
  struct payload p = runner_part_payload(s, url.data);
  p.rows = s->batched;
  p.content_type = "application/json";
  buf_add_char(&s->batch, ']');
  if (s->filter) {
    runner_part_open_input(s, &input, name);
    json_raw(&input, "rows", buf_slice(&s->batch));
    buf_add_char(&input, '}');
    p.rows = -1;
    result = runner_part_filter(s, buf_slice(&input), &p);
    buf_release(&input);
  } else {
    p.bytes = buf_slice(&s->batch);
    runner_run_payload(s->run, &p);
    runner_part_count(s);
  }
  buf_clear(&s->batch);
  buf_add_char(&s->batch, '[');
  s->batch_first += s->batched;
  s->batched = 0;
  buf_release(&url);
  return result;
}

void runner_rows_begin(struct runner_stream *s) {
  if (s->batched++)
    buf_add_char(&s->batch, ',');
}

int runner_rows_end(struct runner_stream *s) {
  int full = s->batched >= s->batch_size || s->batch.len >= BATCH_BYTES;
  if (full && runner_rows_flush(s) != 0)
    return -1;
  if (s->limit >= 0 && (long long)s->matched >= s->limit)
    s->stopped = 1;
  return s->stopped ? -1 : 0;
}

/* Appends a short text that needs no escape, without a function call: a table has thirty short fields per row.  1
 * where it was done. */
static int add_plain_text(struct buf *out, struct slice text) {
  if (out->cap - out->len < text.len + 3 || out->max - out->len < text.len + 2)
    return 0;
  char *to = out->data + out->len + 1;
  for (size_t i = 0; i < text.len; i++) {
    unsigned char c = (unsigned char)text.data[i];
    if (c < 0x20 || c > 0x7e || c == '"' || c == '\\')
      return 0;
    to[i] = (char)c;
  }
  to[-1] = to[text.len] = '"';
  out->len += text.len + 2;
  out->data[out->len] = '\0';
  return 1;
}

void runner_rows_add_text(struct buf *out, struct slice text) {
  if (add_plain_text(out, text))
    return;
  if (utf8_valid_prefix(text.data, text.len) == text.len) {
    json_add_slice(out, text);
    return;
  }
  struct buf scratch;
  buf_init(&scratch, 4 * text.len + 16);
  json_add_slice(out, charset_to_utf8(text, "windows-1252", &scratch));
  buf_release(&scratch);
}

/* ---- lines ---- */

static int line_field(void *arg, const char *field, int column, struct slice *text) {
  (void)column;
  *text = *(struct slice *)arg;
  return strcmp(field, "line") == 0 || strcmp(field, "text") == 0;
}

static int one_line(struct runner_stream *s, struct slice line) {
  if (line.len && line.data[line.len - 1] == '\r')
    line.len--;
  if (s->skip-- > 0)
    return 0;
  s->total++;
  if (!row_filter_match(s->where, line_field, &line))
    return 0;
  s->matched++;
  if (s->summary)
    return 0;
  runner_rows_begin(s);
  runner_rows_add_text(&s->batch, line);
  return runner_rows_end(s);
}

/* Processes the lines of one block, after the rest of the previous one. */
static int some_lines(struct runner_stream *s, struct buf *rest, const char *data, size_t len) {
  const char *end = data + len, *stop;
  while ((stop = memchr(data, '\n', (size_t)(end - data)))) {
    struct slice line = slice_of(data, (size_t)(stop - data));
    if (rest->len) {
      buf_add_slice(rest, line);
      line = buf_slice(rest);
    }
    int result = one_line(s, line);
    buf_clear(rest);
    if (result != 0)
      return -1;
    data = stop + 1;
  }
  return buf_add(rest, data, (size_t)(end - data));
}

int runner_rows_read_lines(struct runner_stream *s, struct unpack *u) {
  struct buf rest;
  const void *data;
  size_t len;
  int more = 1, ok = 0;
  buf_init(&rest, LINE_MAX_BYTES);
  while (ok == 0 && (more = unpack_read(u, &data, &len, &s->why)) == 1)
    ok = some_lines(s, &rest, data, len);
  if (ok == 0 && more == 0 && rest.len)
    one_line(s, buf_slice(&rest));
  int endless = rest.overflow;
  buf_release(&rest);
  if (more < 0)
    return runner_part_damaged(s);
  if (endless)
    return runner_part_give_up(s, ERROR_UNAVAILABLE, "a line is longer than %zu bytes", LINE_MAX_BYTES);
  return s->failed ? -1 : runner_rows_flush(s);
}

/* ---- XML elements ---- */

/* The next "<NAME" or "</NAME" at or after from whose name is complete. */
static const char *runner_stream_find_tag(const char *from, const char *end, const char *mark) {
  size_t len = strlen(mark);
  const char *at;
  while ((at = memmem(from, (size_t)(end - from), mark, len))) {
    char next = at + len < end ? at[len] : '\0';
    if (next == '>' || next == '/' || next == ' ' || next == '\t' || next == '\r' || next == '\n')
      return at;
    if (next == '\0')
      return NULL;
    from = at + len;
  }
  return NULL;
}

/* The position after the element that begins at `at`, or NULL where its end has not been read yet. */
static const char *element_end(const struct runner_stream *s, const char *at, const char *end) {
  char mark[300];
  const char *open = memchr(at, '>', (size_t)(end - at));
  if (!open)
    return NULL;
  if (open[-1] == '/')
    return open + 1;
  snprintf(mark, sizeof mark, "</%s", s->element);
  const char *close = runner_stream_find_tag(open, end, mark);
  const char *behind = close ? memchr(close, '>', (size_t)(end - close)) : NULL;
  return behind ? behind + 1 : NULL;
}

static int one_element(struct runner_stream *s, struct slice element) {
  const char *fault;
  s->total++;
  if (!row_filter_match(s->where, line_field, &element))
    return 0;
  s->matched++;
  if (s->summary)
    return 0;
  size_t before = s->batch.len;
  runner_rows_begin(s);
  if (xml_json_add(&s->batch, element, &fault) != 0) {
    s->batch.len = before;
    s->batched--;
  }
  return runner_rows_end(s);
}

/* Processes the complete elements in `held`, which keeps the rest. */
static int some_elements(struct runner_stream *s, struct buf *held) {
  char mark[300];
  const char *at = held->data, *end = held->data + held->len, *from, *behind = at;
  int result = 0;
  snprintf(mark, sizeof mark, "<%s", s->element);
  while (result == 0 && (from = runner_stream_find_tag(at, end, mark))) {
    behind = from;
    at = element_end(s, from, end);
    if (!at)
      break;
    behind = at;
    result = one_element(s, slice_of(from, (size_t)(at - from)));
  }
  size_t tail = strlen(mark) + 1;
  if (!from && (size_t)(end - behind) > tail)
    behind = end - tail; /* no element begins before */
  size_t left = (size_t)(end - behind);
  memmove(held->data, behind, left);
  held->len = left;
  return result;
}

int runner_rows_read_xml(struct runner_stream *s, struct unpack *u) {
  struct buf held;
  const void *data;
  size_t len, seen = 0;
  int more = 1, ok = 0;
  buf_init(&held, RUNNER_MEMBER_MAX);
  while (ok == 0 && (more = unpack_read(u, &data, &len, &s->why)) == 1) {
    ok = buf_add(&held, data, len);
    if (ok == 0 && held.len >= seen * 2) { /* don't search a long element again for every block */
      ok = some_elements(s, &held);
      seen = held.len;
    }
  }
  if (ok == 0 && more == 0 && held.len)
    some_elements(s, &held);
  int endless = held.overflow;
  buf_release(&held);
  if (more < 0)
    return runner_part_damaged(s);
  if (endless)
    return runner_part_give_up(s, ERROR_UNAVAILABLE, "an element is longer than %zu bytes",
                               RUNNER_MEMBER_MAX);
  return s->failed ? -1 : 0;
}
