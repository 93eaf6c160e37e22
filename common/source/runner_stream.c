/* runner_stream.c: reading a large body incrementally and writing its payloads as it is read.
 *
 * The body is first stored in the cache (or is a local file) and unpacked from there: politeness forbids keeping a
 * server's only connection open for as long as a filter takes, and a second run needs no download.  Held in memory is
 * one block of the file, plus one member (at most MEMBER_MAX) or one batch of rows.
 */
#include "source/runner_request.h"

#include "base/child.h"
#include "base/hash.h"

#include "format/charset.h"
#include "format/content_type.h"
#include "format/csv_rows.h"
#include "record/error.h"
#include "record/json.h"
#include "record/json_validate.h"
#include "record/metadata.h"
#include "source/json_projection.h"
#include "format/submission.h"
#include "format/unpack.h"
#include "base/utf8.h"
#include "source/row_filter.h"
#include "source/sidecar.h"
#include "format/xml_json.h"
#include "tables/file_types.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define STRIP_MAX ((size_t)64 << 20)
#define MEMBER_MAX ((size_t)64 << 20) /* limit of a member, in bytes */
#define LINE_MAX_BYTES ((size_t)4 << 20)
#define BATCH_BYTES ((size_t)1 << 20) /* size at which a batch is written early */
#define NAMES_SHOWN 50
#define TALLY_FIELDS 16
#define TALLY_VALUES 1000
#define FOLDER_DEPTH 32
#define CHUNK 16 /* bytes copied at a time */

int runner_run_strip(struct slice bytes, const char *content_type, struct buf *out, struct error_text *e) {
  char path[PATH_MAX], type[256];
  struct buf record;
  child_path("bid-strip", path);
  snprintf(type, sizeof type, "--type=%s", content_type ? content_type : "");
  buf_init(&record, RECORD_MAX);
  char *argv[] = {path, (char[]){"--raw"}, (char[]){"--quiet"}, type, (char[]){"-"}, NULL};
  int failed = child_filter(argv, bytes, &record, e);
  struct slice text = failed ? slice_of(NULL, 0) : json_get(buf_slice(&record), "text");
  if (!failed && (json_kind(text) != '"' || json_decode(text, out) != 0)) {
    error_set(e, "bid-strip found no text");
    failed = -1;
  }
  buf_release(&record);
  return failed ? -1 : 0;
}

/* Counts of each value of a field, in a small hash table with open addressing. */
struct runner_stream_tally {
  char *field;
  int column;
  char *values[TALLY_VALUES * 2];
  uint64_t counts[TALLY_VALUES * 2];
  size_t used;
};

enum format { FORMAT_ARCHIVE, FORMAT_CSV, FORMAT_LINES, FORMAT_XML };

struct stream {
  struct run *run;
  struct runner_request *ask;
  enum format format;
  struct row_filter *where;
  struct slice spec;
  int filter, summary, split, stopped, failed, in_folder;
  long long limit, batch_size, skip;
  struct error_text why;
  const char *category;

  uint64_t total, matched, emitted, bytes, members;
  struct buf names; /* fields of a summary */

  struct buf batch; /* rows as JSON, without brackets */
  long long batched, batch_first;

  struct buf header; /* CSV: column names, each with its '\0' */
  const char *columns[CSVROWS_COLUMNS];
  size_t column_count;
  int keep[CSVROWS_COLUMNS];
  struct buf key_text;
  struct slice keys[CSVROWS_COLUMNS]; /* `,"NAME":` of each kept column */
  size_t keep_count;
  struct runner_stream_tally *tallies;
  size_t tally_count;

  char *element; /* XML */
};

/* Marks the stream as failed.  Returns -1. */
static int runner_stream_give_up(struct stream *s, const char *category, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int runner_stream_give_up(struct stream *s, const char *category, const char *format, ...) {
  char text[sizeof s->why.text];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  error_set(&s->why, "%s", text);
  s->category = category;
  s->failed = s->stopped = 1;
  return -1;
}

/* A damaged response may be complete the next time; a damaged file of the user's stays damaged. */
static const char *runner_stream_damage(const struct stream *s) {
  return s->ask->operand >= 0 ? ERROR_INVALID_REQUEST : ERROR_UNAVAILABLE;
}

/* The same where unpack has reported why. */
static int runner_stream_damaged(struct stream *s) {
  s->category = runner_stream_damage(s);
  s->failed = s->stopped = 1;
  return -1;
}

/* ---- payloads ---- */

static const char *type_of_name(const char *name) {
  static const char *const types[][2] = {FILE_TYPES_TYPE};
  const char *dot = strrchr(name, '.');
  for (size_t i = 0; dot && i < sizeof types / sizeof *types; i++)
    if (strcasecmp(dot + 1, types[i][0]) == 0)
      return types[i][1];
  return NULL;
}

static const char *type_of_bytes(struct slice bytes) {
  switch (content_type_of(bytes, slice_of(NULL, 0))) {
  case CONTENT_HTML:
    return "text/html";
  case CONTENT_PDF:
    return "application/pdf";
  case CONTENT_XML:
    return "application/xml";
  case CONTENT_JSON:
    return "application/json";
  case CONTENT_BINARY:
    return "application/octet-stream";
  default:
    return "text/plain";
  }
}

/* The URL of a part: the body's URL with a fragment. */
static void part_url(const struct stream *s, const char *mark, const char *name, struct buf *out) {
  buf_add_str(out, s->ask->url);
  if (!*name)
    return;
  buf_printf(out, "%c%s", strchr(s->ask->url, '#') ? '/' : '#', mark);
  for (const char *p = name; *p; p++)
    if ((unsigned char)*p <= ' ' || *p == '%' || *p == '"' || *p == 0x7f)
      buf_printf(out, "%%%02X", (unsigned char)*p);
    else
      buf_add_char(out, *p);
}

static struct payload base_payload(const struct stream *s, const char *url) {
  struct payload p = {.rows = -1};
  p.metadata = s->ask->payload.data ? s->ask->payload : json_get(s->spec, "payload");
  p.source_url = url;
  p.captured = s->ask->result.captured;
  p.cached = s->ask->result.cached;
  return p;
}

static void stream_error(struct stream *s, const char *category, const char *url, const char *text) {
  runner_document_error(s->run, category, url, -1, text, base_payload(s, url).metadata);
}

/* Counts a payload; ends the stream at its limit or where stdout has failed. */
static void count_emitted(struct stream *s) {
  s->emitted++;
  if (s->format == FORMAT_ARCHIVE && s->limit >= 0 && (long long)s->emitted >= s->limit)
    s->stopped = 1;
  if (s->run->runner->program->out.error)
    s->stopped = 1;
}

/* Passes a part to the connector's row function and writes what it returns. */
static int filtered(struct stream *s, struct slice input, const struct payload *p) {
  struct buf answer;
  struct error_text why;
  size_t at;
  const char *fault;
  buf_init(&answer, CONNECTOR_ANSWER_MAX);
  int result = connector_call(s->run->source->connector, CONNECTOR_ROW, input, &answer, &why);
  if (result != 0) {
    runner_stream_give_up(s, ERROR_INTERNAL, "%s", why.text);
  } else if (json_validate(answer.data, answer.len, &at, &fault) != 0 ||
             memchr(answer.data, '\n', answer.len)) {
    result = runner_stream_give_up(s, ERROR_INTERNAL,
                                   "broken connector: row returned what is not JSON on one line");
  } else if (json_kind(buf_slice(&answer)) != 'n') {
    runner_run_json_payload(s->run, buf_slice(&answer), p);
    count_emitted(s);
  }
  buf_release(&answer);
  return result;
}

static void open_input(struct stream *s, struct buf *input, const char *name) {
  buf_init(input, (size_t)256 << 20);
  buf_add_char(input, '{');
  json_cstr(input, "name", name);
  json_raw(input, "job", buf_slice(&s->run->job_json));
}

/* ---- rows ---- */

static int flush_batch(struct stream *s) {
  struct buf url, input;
  char name[64];
  int result = 0;
  if (s->batched == 0)
    return 0;
  snprintf(name, sizeof name, "%lld-%lld", s->batch_first, s->batch_first + s->batched - 1);
  buf_init(&url, 65536);
  part_url(s, s->format == FORMAT_LINES ? "line=" : "row=", name, &url);
  struct payload p = base_payload(s, url.data);
  p.rows = s->batched;
  p.content_type = "application/json";
  buf_add_char(&s->batch, ']');
  if (s->filter) {
    open_input(s, &input, name);
    json_raw(&input, "rows", buf_slice(&s->batch));
    buf_add_char(&input, '}');
    p.rows = -1;
    result = filtered(s, buf_slice(&input), &p);
    buf_release(&input);
  } else {
    p.bytes = buf_slice(&s->batch);
    runner_run_payload(s->run, &p);
    count_emitted(s);
  }
  buf_clear(&s->batch);
  buf_add_char(&s->batch, '[');
  s->batch_first += s->batched;
  s->batched = 0;
  buf_release(&url);
  return result;
}

/* Makes room for one more row in the batch, which the caller then appends. */
static void row_begins(struct stream *s) {
  if (s->batched++)
    buf_add_char(&s->batch, ',');
}

static int row_ended(struct stream *s) {
  int full = s->batched >= s->batch_size || s->batch.len >= BATCH_BYTES;
  if (full && flush_batch(s) != 0)
    return -1;
  if (s->limit >= 0 && (long long)s->matched >= s->limit)
    s->stopped = 1;
  return s->stopped ? -1 : 0;
}

/* Appends a short text that needs no escape, without a function call: a table has thirty short fields per row.  1
 * where it was done. */
static int runner_stream_add_plain(struct buf *out, struct slice text) {
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

/* Appends a field's text as UTF-8: the IRS sends ASCII, in some months windows-1252. */
static void runner_stream_add_text(struct buf *out, struct slice text) {
  if (runner_stream_add_plain(out, text))
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

static void tally_add(struct runner_stream_tally *t, struct slice value) {
  size_t slots = TALLY_VALUES * 2, i = hash_bytes(value.data, value.len) % slots;
  for (; t->values[i]; i = (i + 1) % slots)
    if (slice_is(value, t->values[i])) {
      t->counts[i]++;
      return;
    }
  if (t->used == TALLY_VALUES)
    return;
  t->used++;
  t->values[i] = xstrndup(value.data ? value.data : "", value.len);
  t->counts[i] = 1;
}

static void tallies_release(struct stream *s) {
  for (size_t i = 0; i < s->tally_count; i++) {
    for (size_t j = 0; j < TALLY_VALUES * 2; j++)
      free(s->tallies[i].values[j]);
    free(s->tallies[i].field);
  }
  free(s->tallies);
}

static int column_number(const struct stream *s, const char *name) {
  for (size_t i = 0; i < s->column_count; i++)
    if (strcmp(s->columns[i], name) == 0)
      return (int)i;
  return -1;
}

static void set_tallies(struct stream *s) {
  struct slice list = json_get(s->spec, "tally"), item;
  struct json_cursor at = {0};
  while (json_kind(list) == '[' && s->tally_count < TALLY_FIELDS && json_next_element(list, &at, &item)) {
    if (json_kind(item) != '"')
      continue;
    s->tallies = xreallocarray(s->tallies, s->tally_count + 1, sizeof *s->tallies);
    struct runner_stream_tally *t = memset(&s->tallies[s->tally_count++], 0, sizeof *t);
    t->field = xstrndup(item.data + 1, item.len - 2);
    t->column = column_number(s, t->field);
  }
}

/* ---- CSV ---- */

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
static int check_columns(struct stream *s) {
  struct slice list = json_get(s->spec, "columns"), item;
  struct json_cursor at = {0};
  for (size_t i = 0; json_kind(list) == '[' && json_next_element(list, &at, &item); i++)
    if (i >= s->column_count || item.len < 2 ||
        !slice_is(slice_of(item.data + 1, item.len - 2), s->columns[i]))
      return runner_stream_give_up(s, ERROR_UNAVAILABLE,
                                   "the answer is not the table that it should be (%.100s)",
                                   s->ask->result.content_type);
  const char *strange = row_filter_unbound(s->where);
  if (strange)
    return runner_stream_give_up(s, ERROR_INVALID_REQUEST, "there is no column %.100s", strange);
  return 0;
}

static void choose_columns(struct stream *s) {
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
static void write_keys(struct stream *s) {
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

static int csv_header(struct stream *s, const struct slice *fields, size_t count) {
  struct slice first = count ? fields[0] : slice_of(NULL, 0);
  size_t bom = first.len >= 3 && memcmp(first.data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0, at = 0;
  for (size_t i = 0; i < count; i++)
    buf_printf(&s->header, "%.*s%c", (int)(fields[i].len - (i ? 0 : bom)), fields[i].data + (i ? 0 : bom),
               '\0');
  for (; at < s->header.len && s->column_count < count; at += strlen(s->header.data + at) + 1)
    s->columns[s->column_count++] = s->header.data + at;
  row_filter_bind(s->where, s->columns, s->column_count);
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
static int csv_write_clean(struct stream *s, const struct slice *fields, size_t count) {
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

static void csv_write(struct stream *s, const struct slice *fields, size_t count) {
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
    runner_stream_add_text(&s->batch, fields[column]);
  }
  buf_add_char(&s->batch, '}');
}

static int on_csv_row(void *arg, const struct slice *fields, size_t count) {
  struct stream *s = arg;
  struct csv_row row = {fields, count};
  if (!s->column_count)
    return csv_header(s, fields, count);
  s->total++;
  if (!row_filter_match(s->where, csv_field, &row))
    return 0;
  s->matched++;
  if (s->summary) {
    for (size_t i = 0; i < s->tally_count; i++)
      if (s->tallies[i].column >= 0 && (size_t)s->tallies[i].column < count)
        tally_add(&s->tallies[i], fields[s->tallies[i].column]);
    return 0;
  }
  row_begins(s);
  csv_write(s, fields, count);
  return row_ended(s);
}

static int read_csv(struct stream *s, struct unpack *u) {
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
    return runner_stream_damaged(s);
  if (ok != 0 && !s->stopped)
    return runner_stream_give_up(s, ERROR_UNAVAILABLE, "the answer is not CSV: a row does not end");
  if (!s->failed && !s->column_count)
    return runner_stream_give_up(s, ERROR_UNAVAILABLE, "the table is empty");
  return s->failed ? -1 : flush_batch(s);
}

/* ---- lines ---- */

static int line_field(void *arg, const char *field, int column, struct slice *text) {
  (void)column;
  *text = *(struct slice *)arg;
  return strcmp(field, "line") == 0 || strcmp(field, "text") == 0;
}

static int one_line(struct stream *s, struct slice line) {
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
  row_begins(s);
  runner_stream_add_text(&s->batch, line);
  return row_ended(s);
}

/* Processes the lines of one block, after the rest of the previous one. */
static int some_lines(struct stream *s, struct buf *rest, const char *data, size_t len) {
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

static int runner_stream_read_lines(struct stream *s, struct unpack *u) {
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
    return runner_stream_damaged(s);
  if (endless)
    return runner_stream_give_up(s, ERROR_UNAVAILABLE, "a line is longer than %zu bytes", LINE_MAX_BYTES);
  return s->failed ? -1 : flush_batch(s);
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
static const char *element_end(const struct stream *s, const char *at, const char *end) {
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

static int one_element(struct stream *s, struct slice element) {
  const char *fault;
  s->total++;
  if (!row_filter_match(s->where, line_field, &element))
    return 0;
  s->matched++;
  if (s->summary)
    return 0;
  size_t before = s->batch.len;
  row_begins(s);
  if (xml_json_add(&s->batch, element, &fault) != 0) {
    s->batch.len = before;
    s->batched--;
  }
  return row_ended(s);
}

/* Processes the complete elements in `held`, which keeps the rest. */
static int some_elements(struct stream *s, struct buf *held) {
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

static int runner_stream_read_xml(struct stream *s, struct unpack *u) {
  struct buf held;
  const void *data;
  size_t len, seen = 0;
  int more = 1, ok = 0;
  buf_init(&held, MEMBER_MAX);
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
    return runner_stream_damaged(s);
  if (endless)
    return runner_stream_give_up(s, ERROR_UNAVAILABLE, "an element is longer than %zu bytes", MEMBER_MAX);
  return s->failed ? -1 : 0;
}

/* ---- members ---- */

static int name_wanted(const struct stream *s, const char *name) {
  struct slice list = json_get(s->spec, "members"), item;
  struct json_cursor at = {0};
  char pattern[1024];
  const char *slash = strrchr(name, '/');
  int any = 0;
  while (json_kind(list) == '[' && json_next_element(list, &at, &item)) {
    if (json_kind(item) != '"' || item.len - 2 >= sizeof pattern)
      continue;
    memcpy(pattern, item.data + 1, item.len - 2);
    pattern[item.len - 2] = '\0';
    any = 1;
    if (fnmatch(pattern, name, 0) == 0 || (slash && fnmatch(pattern, slash + 1, 0) == 0))
      return 1;
  }
  return !any;
}

/* Passes the member to row as {"name", "job", "json" or "text"}. */
static int filter_member(struct stream *s, const char *name, struct slice bytes, const struct payload *p) {
  struct buf input, scratch;
  size_t at;
  const char *fault;
  int result = 0;
  open_input(s, &input, name);
  buf_init(&scratch, 4 * bytes.len + 64);
  if (bytes.len && (bytes.data[0] == '{' || bytes.data[0] == '[') &&
      json_validate(bytes.data, bytes.len, &at, &fault) == 0) {
    json_key(&input, "json");
    if (json_kind(s->ask->select) == '{') {
      if (json_projection_select(bytes, s->ask->select, &input, &s->why) != 0)
        result = runner_stream_give_up(s, ERROR_INTERNAL, "broken connector: a select is malformed");
    } else {
      json_projection_copy(bytes, &input);
    }
  } else {
    json_str(&input, "text", charset_read(bytes, NULL, 0, &scratch));
  }
  buf_add_char(&input, '}');
  if (result == 0)
    result = filtered(s, buf_slice(&input), p);
  buf_release(&scratch);
  buf_release(&input);
  return result;
}

/* Metadata of a part of a submission: the request's, then the header's. */
static void runner_stream_part_metadata(struct buf *out, const struct metadata *m, struct slice given) {
  buf_add_char(out, '{');
  metadata_write(out, m, given);
  buf_add_char(out, '}');
}

static void submission_part_payload(struct stream *s, struct payload p, const struct metadata *whole,
                                    const struct submission_part *part, const char *url) {
  struct buf metadata, decoded, part_link;
  struct metadata m = {0};
  char mark[32], name[256];
  buf_init(&metadata, 1 << 20);
  buf_init(&decoded, MEMBER_MAX);
  buf_init(&part_link, 65536);
  m.part = part->number;
  metadata_set(&m, METADATA_TYPE, part->type);
  metadata_set(&m, METADATA_FILE_NAME, part->file_name);
  metadata_inherit(&m, whole);
  runner_stream_part_metadata(&metadata, &m, p.metadata);
  struct slice object = json_get(buf_slice(&metadata), "metadata");
  snprintf(mark, sizeof mark, "%cpart=%d", strchr(url, '#') ? '/' : '#', part->number);
  buf_printf(&part_link, "%s%s", url, mark);
  snprintf(name, sizeof name, "%.*s", (int)part->file_name.len,
           part->file_name.data ? part->file_name.data : "");
  p.metadata = object;
  p.source_url = part_link.data;
  p.bytes = part->body;
  if (part->encoded && submission_uudecode(part->body, &decoded) == 0)
    p.bytes = buf_slice(&decoded);
  p.content_type = type_of_name(name) ? type_of_name(name) : type_of_bytes(p.bytes);
  runner_run_payload(s->run, &p);
  metadata_release(&m);
  buf_release(&metadata);
  buf_release(&decoded);
  buf_release(&part_link);
}

/* Splits a full submission into its documents; omits images, archives and XBRL files. */
static void split_submission(struct stream *s, struct slice bytes, const struct payload *p, const char *url) {
  struct submission sub;
  struct metadata m = {0};
  struct submission_part part;
  submission_open(&sub, bytes, &m);
  while (submission_next(&sub, &part))
    if (!part.omit)
      submission_part_payload(s, *p, &m, &part, url);
  metadata_release(&m);
}

/* Adds the metadata of a local file's sidecar. */
static void add_sidecar(struct stream *s, struct payload *p, struct buf *metadata) {
  struct buf says;
  buf_init(&says, 4096);
  if (s->ask->operand >= 0 && strncmp(s->ask->url, "file://", 7) == 0 &&
      sidecar_merge(s->ask->url + 7, p->metadata, metadata, &says)) {
    p->metadata = buf_slice(metadata);
    if (says.len)
      diag_warn("%s: %s", s->ask->url + 7, says.data);
  }
  buf_release(&says);
}

/* Processes a complete member. member: its name in an archive, "" outside of one; file: any name. */
static int one_member(struct stream *s, const char *member, const char *file, struct slice bytes) {
  struct buf url;
  int result = 0;
  struct buf metadata;
  buf_init(&metadata, 1 << 22);
  buf_init(&url, 65536);
  part_url(s, "", member, &url);
  struct payload p = base_payload(s, url.data);
  if (!*member)
    add_sidecar(s, &p, &metadata);
  p.bytes = slice_of(bytes.data ? bytes.data : "", bytes.len);
  p.member = *member ? member : s->in_folder ? file : NULL;
  p.content_type = type_of_name(file) ? type_of_name(file) : type_of_bytes(bytes);
  if (s->filter) {
    result = filter_member(s, *member ? member : file, bytes, &p);
  } else if (s->split && submission_is(bytes)) {
    split_submission(s, bytes, &p, url.data);
    count_emitted(s);
  } else {
    runner_run_payload(s->run, &p);
    count_emitted(s);
  }
  buf_release(&metadata);
  buf_release(&url);
  return result;
}

static void note_name(struct stream *s, const char *name) {
  if (s->matched > NAMES_SHOWN)
    return;
  buf_add_str(&s->names, s->names.len ? "," : "");
  json_add_string(&s->names, name, strlen(name));
}

/* Writes an error record for a member that can't be read. */
static void member_fault(struct stream *s, const char *name) {
  struct buf url;
  buf_init(&url, 65536);
  part_url(s, "", name, &url);
  stream_error(s, runner_stream_damage(s), url.data, s->why.text);
  buf_release(&url);
}

static int read_members(struct stream *s, struct unpack *u, const char *file) {
  struct buf bytes;
  const char *name;
  int more = 1, result = 0;
  buf_init(&bytes, MEMBER_MAX);
  while (result == 0 && !s->stopped && (more = unpack_next(u, &name, &s->why)) == 1) {
    const char *shown = *name ? name : file;
    s->total++;
    if (!name_wanted(s, shown))
      continue;
    s->matched++;
    if (s->summary) {
      note_name(s, shown);
      continue;
    }
    buf_clear(&bytes);
    if (unpack_all(u, &bytes, &s->why) != 0)
      member_fault(s, name);
    else
      result = one_member(s, name, shown, buf_slice(&bytes));
  }
  buf_release(&bytes);
  return more < 0 ? runner_stream_damaged(s) : result;
}

/* Processes the rows of every requested member. */
static int runner_stream_read_rows(struct stream *s, struct unpack *u, const char *file) {
  const char *name;
  int more = 1, result = 0;
  while (result == 0 && !s->stopped && (more = unpack_next(u, &name, &s->why)) == 1) {
    s->members++;
    if (!name_wanted(s, *name ? name : file))
      continue;
    result = s->format == FORMAT_CSV     ? read_csv(s, u)
             : s->format == FORMAT_LINES ? runner_stream_read_lines(s, u)
                                         : runner_stream_read_xml(s, u);
  }
  if (more < 0)
    return runner_stream_damaged(s);
  if (s->format == FORMAT_CSV && !s->members)
    return runner_stream_give_up(s, ERROR_UNAVAILABLE, "the table is empty");
  return s->failed || (result == 0 && flush_batch(s) != 0) ? -1 : 0;
}

/* ---- files and folders ---- */

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

#define OFFICE_LOOK 65536 /* bytes at either end of a zip that hold its names */

/* Office files are zip archives but count as documents. */
static int is_office(int fd) {
  char *look = xmalloc(2 * OFFICE_LOOK);
  struct stat st;
  ssize_t head = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? pread(fd, look, OFFICE_LOOK, 0) : 0, tail = 0;
  if (head > 4 && memcmp(look, "PK\003\004", 4) == 0)
    tail = st.st_size > OFFICE_LOOK ? pread(fd, look + head, OFFICE_LOOK, st.st_size - OFFICE_LOOK) : 0;
  int office =
      head > 4 && memcmp(look, "PK\003\004", 4) == 0 &&
      content_type_of_zip(slice_of(look, (size_t)head + (size_t)(tail > 0 ? tail : 0))) != CONTENT_ARCHIVE;
  free(look);
  return office;
}

/* Processes a file as one document, whatever its type. */
static int read_whole(struct stream *s, int fd, const char *file) {
  struct buf bytes;
  buf_init(&bytes, MEMBER_MAX);
  int result = buf_read_fd(&bytes, fd);
  if (result != 0)
    runner_stream_give_up(s, ERROR_INVALID_REQUEST, "%s",
                          errno == EFBIG ? "the file is too large" : strerror(errno));
  s->bytes += bytes.len;
  s->total++;
  s->matched += result == 0 && name_wanted(s, file);
  if (result == 0 && name_wanted(s, file) && s->summary)
    note_name(s, file);
  else if (result == 0 && name_wanted(s, file))
    result = one_member(s, "", file, buf_slice(&bytes));
  buf_release(&bytes);
  return result;
}

static int read_fd(struct stream *s, int fd, const char *file) {
  if (s->format == FORMAT_ARCHIVE && is_office(fd))
    return read_whole(s, fd, file);
  struct unpack *u = unpack_open(fd, &s->why);
  if (!u)
    return runner_stream_damaged(s);
  int result = s->format == FORMAT_ARCHIVE ? read_members(s, u, file) : runner_stream_read_rows(s, u, file);
  s->bytes += unpack_bytes(u);
  unpack_close(u);
  return result;
}

static int visible(const struct dirent *e) {
  return e->d_name[0] != '.';
}

static void read_folder(struct stream *s, int depth);

/* Writes an error record for an entry of a folder that can't be read. */
static void entry_fault(struct stream *s, const char *path, const char *why) {
  struct buf url, text;
  buf_init(&url, 16384);
  buf_init(&text, 16384);
  buf_printf(&url, "file://%s", path);
  buf_printf(&text, "%s: %s", path, why);
  stream_error(s, ERROR_UNAVAILABLE, url.data, text.data);
  buf_release(&url);
  buf_release(&text);
}

/* Processes one entry of a folder; its errors get error records of their own. */
static void runner_stream_read_entry(struct stream *s, const char *path, int depth) {
  struct stat st;
  char *before = s->ask->url;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW);
  if (fd < 0 || fstat(fd, &st) != 0 || (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))) {
    entry_fault(s, path,
                fd >= 0          ? "it is no file"
                : errno == ELOOP ? "it is a link, which is not followed; name it on the command line"
                                 : strerror(errno));
    if (fd >= 0)
      close(fd);
    return;
  }
  s->ask->url = xstrdup(path);
  if (S_ISREG(st.st_mode) && st.st_size == 0 && s->format == FORMAT_ARCHIVE) {
    entry_fault(s, path, "the file is empty");
  } else if (S_ISDIR(st.st_mode)) {
    read_folder(s, depth + 1);
  } else {
    struct buf url;
    buf_init(&url, 16384);
    buf_printf(&url, "file://%s", path);
    free(s->ask->url);
    s->ask->url = xstrdup(url.data);
    buf_release(&url);
    if (read_fd(s, fd, base_name(path)) != 0 && s->failed) {
      stream_error(s, s->category, s->ask->url, s->why.text);
      s->failed = s->stopped = 0;
    }
  }
  close(fd);
  free(s->ask->url);
  s->ask->url = before;
}

/* s->ask->url is the path of the folder. */
static void read_folder(struct stream *s, int depth) {
  struct dirent **names;
  struct buf path;
  char *folder = s->ask->url;
  int n = depth < FOLDER_DEPTH ? scandir(folder, &names, visible, alphasort) : -1;
  buf_init(&path, 16384);
  if (n < 0)
    entry_fault(s, folder, depth < FOLDER_DEPTH ? strerror(errno) : "folders are nested too deep");
  for (int i = 0; i < n; i++) {
    buf_clear(&path);
    buf_printf(&path, "%s/%s", folder, names[i]->d_name);
    if (!s->stopped && !path.overflow && !(s->format == FORMAT_ARCHIVE && sidecar_is(path.data)))
      runner_stream_read_entry(s, path.data, depth);
    free(names[i]);
  }
  if (n >= 0)
    free(names);
  buf_release(&path);
}

static int is_folder(int fd) {
  struct stat st;
  return fstat(fd, &st) == 0 && S_ISDIR(st.st_mode);
}

static int runner_stream_read_source(struct stream *s) {
  struct runner_request *a = s->ask;
  if (a->operand >= 0 && is_folder(a->result.fd)) {
    char *shown = a->url;
    s->in_folder = 1;
    a->url = xstrdup(strncmp(shown, "file://", 7) == 0 ? shown + 7 : shown);
    read_folder(s, 0);
    free(a->url);
    a->url = shown;
    return s->failed ? -1 : 0;
  }
  char file[512];
  snprintf(file, sizeof file, "%s", base_name(a->url));
  return read_fd(s, a->result.fd, file);
}

/* ---- the stream ---- */

static int read_format(struct stream *s) {
  struct slice format = json_get(s->spec, "format"), element = json_get(s->spec, "element");
  if (slice_is(format, "\"archive\""))
    s->format = FORMAT_ARCHIVE;
  else if (slice_is(format, "\"csv\""))
    s->format = FORMAT_CSV;
  else if (slice_is(format, "\"lines\""))
    s->format = FORMAT_LINES;
  else if (slice_is(format, "\"xml\"") && json_kind(element) == '"' && element.len < 250)
    s->format = FORMAT_XML;
  else
    return runner_stream_give_up(s, ERROR_INTERNAL,
                                 "broken connector: a stream's format is none of archive, csv, lines, xml");
  if (s->format == FORMAT_XML)
    s->element = xstrndup(element.data + 1, element.len - 2);
  return 0;
}

static int runner_stream_is_true(struct slice object, const char *name) {
  return json_kind(json_get(object, name)) == 't';
}

static int stream_start(struct stream *s) {
  s->spec = s->ask->stream;
  s->filter = runner_stream_is_true(s->spec, "filter");
  s->summary = runner_stream_is_true(s->spec, "summary");
  s->split = runner_stream_is_true(s->spec, "split");
  s->limit = json_to_int(json_get(s->spec, "limit"), -1);
  s->skip = json_to_int(json_get(s->spec, "skip"), 0);
  s->batch_size = json_to_int(json_get(s->spec, "batch"), 500);
  s->batch_first = 1;
  if (s->batch_size < 1)
    s->batch_size = 1;
  buf_init(&s->batch, 2 * MEMBER_MAX);
  buf_init(&s->names, 1 << 20);
  buf_init(&s->header, CSVROWS_ROW);
  buf_init(&s->key_text, 2 * CSVROWS_ROW);
  buf_add_char(&s->batch, '[');
  if (read_format(s) != 0)
    return -1;
  s->where = row_filter_new(json_get(s->spec, "where"), &s->why);
  return s->where
             ? 0
             : runner_stream_give_up(s, ERROR_INTERNAL, "broken connector: a stream's where is malformed");
}

static void add_tallies(const struct stream *s, struct buf *out) {
  buf_add_str(out, ",\"tally\":{");
  for (size_t i = 0; i < s->tally_count; i++) {
    const struct runner_stream_tally *t = &s->tallies[i];
    buf_printf(out, "%s\"%s\":{", i ? "," : "", t->field);
    for (size_t j = 0, shown = 0; j < TALLY_VALUES * 2; j++)
      if (t->values[j]) {
        buf_add_str(out, shown++ ? "," : "");
        runner_stream_add_text(out, slice_str(t->values[j]));
        buf_printf(out, ":%llu", (unsigned long long)t->counts[j]);
      }
    buf_add_char(out, '}');
  }
  buf_add_char(out, '}');
}

static void add_summary(const struct stream *s, struct buf *out) {
  buf_add_char(out, '{');
  json_uint(out, "total", s->total);
  json_uint(out, "matched", s->matched);
  json_uint(out, "bytes", s->format == FORMAT_ARCHIVE ? s->ask->result.bytes : s->bytes);
  if (s->format == FORMAT_ARCHIVE)
    buf_printf(out, ",\"names\":[%s]", s->names.data ? s->names.data : "");
  if (s->column_count) {
    buf_add_str(out, ",\"columns\":[");
    for (size_t i = 0; i < s->column_count; i++) {
      buf_add_str(out, i ? "," : "");
      json_add_cstr(out, s->columns[i]);
    }
    buf_add_char(out, ']');
    add_tallies(s, out);
  }
  buf_add_char(out, '}');
}

static void stream_end(struct stream *s) {
  row_filter_free(s->where);
  buf_release(&s->batch);
  buf_release(&s->names);
  buf_release(&s->header);
  buf_release(&s->key_text);
  tallies_release(s);
  free(s->element);
}

int runner_run_stream(struct run *run, struct runner_request *a, struct buf *summary) {
  struct stream *s = xcalloc(1, sizeof *s);
  s->run = run;
  s->ask = a;
  int result = stream_start(s);
  if (result == 0)
    result = runner_stream_read_source(s);
  if (s->failed)
    stream_error(s, s->category ? s->category : ERROR_INTERNAL, a->url, s->why.text);
  else if (summary)
    add_summary(s, summary);
  result = s->failed ? -1 : 0;
  stream_end(s);
  free(s);
  return result;
}
