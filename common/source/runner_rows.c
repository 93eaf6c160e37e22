/* runner_rows.c: streams of rows: batches; files of lines, elements of XML. */
#include "base/hash.h"
#include "base/utf8.h"
#include "format/charset.h"
#include "format/csv_rows.h"
#include "format/unpack.h"
#include "record/error.h"
#include "record/json.h"
#include "source/json_projection.h"
#include "format/xml.h"
#include "source/runner_stream.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
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
  snprintf(name, sizeof name, "%lld-%lld", s->batch_first, s->batch_last);
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
  s->batched = 0;
  buf_release(&url);
  return result;
}

/* Between this and runner_rows_end() the caller appends a row to s->batch, as JSON. */
static void runner_rows_begin(struct runner_stream *s) {
  s->batch_last = (long long)s->total + s->skipped;
  if (s->batched++)
    buf_add_char(&s->batch, ',');
  else
    s->batch_first = s->batch_last;
}

/* Writes the batch when it is full; -1 also at the stream's limit. */
static int runner_rows_end(struct runner_stream *s) {
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

/* Appends a field as a JSON string in UTF-8: the IRS sends ASCII, in some months windows-1252. */
static void runner_rows_add_text(struct buf *out, struct slice text) {
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
  if (s->skipped < s->skip) {
    s->skipped++;
    return 0;
  }
  s->total++;
  if (!json_filter_match(s->where, line_field, &line))
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
  struct error_text fault;
  s->total++;
  if (!json_filter_match(s->where, line_field, &element))
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

/* ---- CSV ---- */

#define TALLY_FIELDS 16
#define CHUNK 16 /* bytes copied at a time */

static void tally_add(struct runner_tally *t, struct slice value) {
  size_t slots = RUNNER_TALLY_VALUES * 2, i = hash_bytes(value.data, value.len) % slots;
  for (; t->values[i]; i = (i + 1) % slots)
    if (slice_is(value, t->values[i])) {
      t->counts[i]++;
      return;
    }
  if (t->used == RUNNER_TALLY_VALUES)
    return;
  t->used++;
  t->values[i] = xstrndup(value.data ? value.data : "", value.len);
  t->counts[i] = 1;
}

void runner_csv_release(struct runner_stream *s) {
  for (size_t i = 0; i < s->tally_count; i++) {
    for (size_t j = 0; j < RUNNER_TALLY_VALUES * 2; j++)
      free(s->tallies[i].values[j]);
    free(s->tallies[i].field);
  }
  free(s->tallies);
}

static int column_number(const struct runner_stream *s, const char *name) {
  for (size_t i = 0; i < s->column_count; i++)
    if (strcmp(s->columns[i], name) == 0)
      return (int)i;
  return -1;
}

static void set_tallies(struct runner_stream *s) {
  struct slice list = json_get(s->spec, "tally"), item;
  struct json_cursor at = {0};
  while (json_kind(list) == '[' && s->tally_count < TALLY_FIELDS && json_next_element(list, &at, &item)) {
    if (json_kind(item) != '"')
      continue;
    s->tallies = xreallocarray(s->tallies, s->tally_count + 1, sizeof *s->tallies);
    struct runner_tally *t = memset(&s->tallies[s->tally_count++], 0, sizeof *t);
    t->field = xstrndup(item.data + 1, item.len - 2);
    t->column = column_number(s, t->field);
  }
}

struct csv_row {
  const struct slice *fields;
  size_t count;
};

static int csv_field(void *arg, const char *field, int column, struct slice *text) {
  const struct csv_row *r = arg;
  (void)field;
  if (column < 0 || (size_t)column >= r->count)
    return 0;
  *text = r->fields[column];
  return 1;
}

/* Whether the first columns are those that the connector expects; an error page is not a table. */
static int check_columns(struct runner_stream *s) {
  struct slice list = json_get(s->spec, "columns"), item;
  struct json_cursor at = {0};
  for (size_t i = 0; json_kind(list) == '[' && json_next_element(list, &at, &item); i++)
    if (i >= s->column_count || item.len < 2 ||
        !slice_is(slice_of(item.data + 1, item.len - 2), s->columns[i]))
      return runner_part_give_up(s, ERROR_UNAVAILABLE,
                                 "the answer is not the table that it should be (%.100s)",
                                 s->ask->result.content_type);
  const char *unbound = json_filter_unbound(s->where);
  if (unbound)
    return runner_part_give_up(s, ERROR_INVALID_REQUEST, "there is no column %.100s", unbound);
  return 0;
}

static void choose_columns(struct runner_stream *s) {
  struct slice list = json_get(s->spec, "keep"), item;
  struct json_cursor at = {0};
  char name[256];
  while (json_kind(list) == '[' && json_next_element(list, &at, &item)) {
    if (item.len < 2 || item.len - 2 >= sizeof name)
      continue;
    memcpy(name, item.data + 1, item.len - 2);
    name[item.len - 2] = '\0';
    int column = column_number(s, name);
    if (column >= 0 && s->keep_count < CSVROWS_COLUMNS)
      s->keep[s->keep_count++] = column;
  }
  for (size_t i = 0; json_kind(list) != '[' && i < s->column_count; i++)
    s->keep[s->keep_count++] = (int)i;
}

/* Builds the text before each value of a row. */
static void write_keys(struct runner_stream *s) {
  size_t from[CSVROWS_COLUMNS + 1] = {0};
  for (size_t i = 0; i < s->keep_count; i++) {
    buf_add_char(&s->key_text, ',');
    json_add_cstr(&s->key_text, s->columns[s->keep[i]]);
    buf_add_char(&s->key_text, ':');
    from[i + 1] = s->key_text.len;
  }
  buf_reserve(&s->key_text, CHUNK); /* copy_chunks() may read beyond the last */
  for (size_t i = 0; i < s->keep_count; i++)
    s->keys[i] = slice_of(s->key_text.data + from[i], from[i + 1] - from[i]);
}

static int csv_header(struct runner_stream *s, const struct slice *fields, size_t count) {
  struct slice first = count ? fields[0] : slice_of(NULL, 0);
  size_t bom = first.len >= 3 && memcmp(first.data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0, at = 0;
  for (size_t i = 0; i < count; i++)
    buf_printf(&s->header, "%.*s%c", (int)(fields[i].len - (i ? 0 : bom)), fields[i].data + (i ? 0 : bom),
               '\0');
  for (; at < s->header.len && s->column_count < count; at += strlen(s->header.data + at) + 1)
    s->columns[s->column_count++] = s->header.data + at;
  json_filter_bind(s->where, s->columns, s->column_count);
  choose_columns(s);
  write_keys(s);
  set_tallies(s);
  return check_columns(s);
}

/* Copies len bytes, and possibly up to CHUNK - 1 more. */
static inline char *copy_chunks(char *to, const char *from, size_t len) {
  for (size_t i = 0; i < len; i += CHUNK)
    memcpy(to + i, from + i, CHUNK);
  return to + len;
}

/* Writes a row that needs no escapes, the usual case, without a call per field.  0 where it needs some. */
static int csv_write_clean(struct runner_stream *s, const struct slice *fields, size_t count) {
  const char *end = fields[count - 1].data + fields[count - 1].len;
  size_t most = s->key_text.len + 2 + CHUNK;
  int first = 1;
  for (size_t i = 0; i < s->keep_count; i++)
    most += (size_t)s->keep[i] < count ? fields[s->keep[i]].len + 2 : 0;
  if (!json_is_plain(fields[0].data, (size_t)(end - fields[0].data)) || buf_reserve(&s->batch, most) != 0)
    return 0;
  char *to = s->batch.data + s->batch.len;
  *to++ = '{';
  for (size_t i = 0; i < s->keep_count; i++) {
    if ((size_t)s->keep[i] >= count)
      continue;
    struct slice field = fields[s->keep[i]];
    to = copy_chunks(to, s->keys[i].data + first, s->keys[i].len - (size_t)first);
    first = 0;
    *to++ = '"';
    if ((size_t)(end - field.data) >= (field.len + CHUNK - 1) / CHUNK * CHUNK)
      to = copy_chunks(to, field.data, field.len);
    else
      to = (char *)memcpy(to, field.data, field.len) + field.len;
    *to++ = '"';
  }
  *to++ = '}';
  *to = '\0';
  s->batch.len = (size_t)(to - s->batch.data);
  return 1;
}

static void csv_write(struct runner_stream *s, const struct slice *fields, size_t count) {
  int first = 1;
  if (count && csv_write_clean(s, fields, count))
    return;
  buf_add_char(&s->batch, '{');
  for (size_t i = 0; i < s->keep_count; i++) {
    size_t column = (size_t)s->keep[i];
    if (column >= count)
      continue;
    buf_add(&s->batch, first ? s->keys[i].data + 1 : s->keys[i].data, s->keys[i].len - (size_t)first);
    first = 0;
    runner_rows_add_text(&s->batch, fields[column]);
  }
  buf_add_char(&s->batch, '}');
}

static int on_csv_row(void *arg, const struct slice *fields, size_t count) {
  struct runner_stream *s = arg;
  struct csv_row row = {fields, count};
  if (!s->column_count)
    return csv_header(s, fields, count);
  s->total++;
  if (!json_filter_match(s->where, csv_field, &row))
    return 0;
  s->matched++;
  if (s->summary) {
    for (size_t i = 0; i < s->tally_count; i++)
      if (s->tallies[i].column >= 0 && (size_t)s->tallies[i].column < count)
        tally_add(&s->tallies[i], fields[s->tallies[i].column]);
    return 0;
  }
  runner_rows_begin(s);
  csv_write(s, fields, count);
  return runner_rows_end(s);
}

int runner_csv_read(struct runner_stream *s, struct unpack *u) {
  struct csv_rows *c = csv_rows_new(on_csv_row, s);
  const void *data;
  size_t len;
  int more = 1, ok = 0;
  while (ok == 0 && (more = unpack_read(u, &data, &len, &s->why)) == 1)
    ok = csv_rows_add(c, data, len);
  if (ok == 0 && more == 0)
    ok = csv_rows_end(c);
  csv_rows_free(c);
  if (more < 0)
    return runner_part_damaged(s);
  if (ok != 0 && !s->stopped)
    return runner_part_give_up(s, ERROR_UNAVAILABLE, "the answer is not CSV: a row does not end");
  if (!s->failed && !s->column_count)
    return runner_part_give_up(s, ERROR_UNAVAILABLE, "the table is empty");
  return s->failed ? -1 : runner_rows_flush(s);
}

void runner_csv_add_tallies(const struct runner_stream *s, struct buf *out) {
  buf_add_str(out, ",\"tally\":{");
  for (size_t i = 0; i < s->tally_count; i++) {
    const struct runner_tally *t = &s->tallies[i];
    buf_printf(out, "%s\"%s\":{", i ? "," : "", t->field);
    for (size_t j = 0, shown = 0; j < RUNNER_TALLY_VALUES * 2; j++)
      if (t->values[j]) {
        buf_add_str(out, shown++ ? "," : "");
        runner_rows_add_text(out, slice_str(t->values[j]));
        buf_printf(out, ":%llu", (unsigned long long)t->counts[j]);
      }
    buf_add_char(out, '}');
  }
  buf_add_char(out, '}');
}
