/* runner_emit.c: writes what a job returns: payloads, parts of a stream, errors; as records or for people, without API keys.
 */
#include "base/base64.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/paths.h"
#include "base/mask.h"
#include "base/screen.h"
#include "base/utf8.h"
#include "format/content_type.h"
#include "net/fetch.h"
#include "net/fetch_secret.h"
#include "page/terminal.h"
#include "record/error.h"
#include "record/json.h"
#include "record/record.h"
#include "source/json_projection.h"
#include "source/runner_request.h"
#include "source/runner_stream.h"
#include "tables/file_types.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

/* ---- payload records ---- */

/* Appends the union of both objects without its closing brace; metadata wins; either may be empty. */
static void payload_add_metadata(struct buf *out, struct slice metadata, struct slice defaults) {
  struct json_cursor at = {0};
  struct slice key, value;
  if (json_kind(metadata) == '{')
    buf_add(out, metadata.data, metadata.len - 1);
  else
    buf_add_char(out, '{');
  while (json_kind(defaults) == '{' && json_next_member(defaults, &at, &key, &value))
    if (json_kind(metadata) != '{' || !json_member(metadata, key).data)
      json_add_member(out, key, value);
}

static void add_metadata(struct buf *out, const struct payload *p) {
  struct slice given = p->metadata;
  json_key(out, "metadata");
  payload_add_metadata(out, given, p->defaults);
  if (p->member && !json_get(given, "member").data)
    json_cstr(out, "member", p->member);
  if (p->rows >= 0)
    json_int(out, "rows", p->rows);
  if (p->cached)
    json_bool(out, "cache", 1);
  if (p->truncated)
    json_bool(out, "truncated", 1);
  buf_add_char(out, '}');
}

/* A truncated text may end within a character, which is then dropped too. */
static struct slice whole_characters(const struct payload *p, size_t valid) {
  if (p->truncated && valid < p->bytes.len && p->bytes.len - valid < 4)
    return slice_of(p->bytes.data, valid);
  return p->bytes;
}

/* Appends the record.  rawContent holds the text where bytes are UTF-8 without '\0', else base64.  0, or -1 where the
 * record would exceed RECORD_MAX; out is then unchanged. */
static int payload_add(struct buf *out, const struct payload *p) {
  char sha[DIGEST_HEX];
  size_t before = out->len, valid = utf8_valid_prefix(p->bytes.data, p->bytes.len);
  struct slice bytes = whole_characters(p, valid);
  int text = valid == bytes.len && !memchr(bytes.data ? bytes.data : "", '\0', bytes.len);
  digest_hex_of(bytes.data, bytes.len, sha);
  if (p->carried.len)
    buf_add_slice(out, p->carried);
  else
    buf_add_char(out, '{');
  json_cstr(out, "source", p->source);
  json_cstr(out, "sourceUrl", p->source_url);
  json_cstr(out, "capturedAt", p->captured);
  json_cstr(out, "contentType", p->content_type);
  json_key(out, "rawContent");
  if (text) {
    json_add_slice(out, bytes);
  } else {
    buf_add_char(out, '"');
    base64_add(out, bytes.data, bytes.len);
    buf_add_char(out, '"');
    json_cstr(out, "rawEncoding", "base64");
  }
  json_cstr(out, "sha256", sha);
  add_metadata(out, p);
  buf_add_str(out, "}\n");
  if (!out->overflow && out->len - before <= RECORD_MAX)
    return 0;
  out->len = before;
  return -1;
}

/* ---- parts of a stream ---- */

int runner_part_give_up(struct runner_stream *s, const char *category, const char *format, ...) {
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

const char *runner_part_damage(const struct runner_stream *s) {
  return s->ask->operand >= 0 ? ERROR_INVALID_REQUEST : ERROR_UNAVAILABLE;
}

int runner_part_damaged(struct runner_stream *s) {
  s->category = runner_part_damage(s);
  s->failed = s->stopped = 1;
  return -1;
}

const char *runner_part_type_of_name(const char *name) {
  static const char *const types[][2] = {FILE_TYPES_TYPE};
  const char *dot = strrchr(name, '.');
  for (size_t i = 0; dot && i < sizeof types / sizeof *types; i++)
    if (strcasecmp(dot + 1, types[i][0]) == 0)
      return types[i][1];
  return NULL;
}

const char *runner_part_type_of_bytes(struct slice bytes) {
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

void runner_part_url(const struct runner_stream *s, const char *mark, const char *name, struct buf *out) {
  buf_add_str(out, s->ask->url);
  if (!*name)
    return;
  buf_printf(out, "%c%s", strchr(s->ask->url, '#') ? '/' : '#', mark);
  paths_url_escape(out, name,
                   "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13\x14\x15\x16"
                   "\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f \"%\x7f");
}

struct payload runner_part_payload(const struct runner_stream *s, const char *url) {
  struct payload p = {.rows = -1};
  p.metadata = s->ask->payload.data ? s->ask->payload : json_get(s->spec, "payload");
  p.source_url = url;
  p.captured = s->ask->result.captured;
  p.cached = s->ask->result.cached;
  return p;
}

void runner_part_error(struct runner_stream *s, const char *category, const char *url, const char *text) {
  struct runner_fault f = {.category = category,
                           .text = text,
                           .url = url,
                           .retry_after = -1,
                           .payload = runner_part_payload(s, url).metadata};
  runner_write_fault(s->run, &f);
}

void runner_part_count(struct runner_stream *s) {
  s->emitted++;
  if (s->format == FORMAT_ARCHIVE && s->limit >= 0 && (long long)s->emitted >= s->limit)
    s->stopped = 1;
  if (s->run->runner->program->out.error)
    s->stopped = 1;
}

int runner_part_filter(struct runner_stream *s, struct slice input, const struct payload *p) {
  struct buf answer;
  struct error_text why;
  buf_init(&answer, CONNECTOR_ANSWER_MAX);
  int result = connector_call(s->run->source->connector, "row", input, &answer, &why);
  if (result != 0) {
    runner_part_give_up(s, ERROR_INTERNAL, "%s", why.text);
  } else if (!json_is_valid(buf_slice(&answer)) || memchr(answer.data, '\n', answer.len)) {
    result =
        runner_part_give_up(s, ERROR_INTERNAL, "broken connector: row returned what is not JSON on one line");
  } else if (json_kind(buf_slice(&answer)) != 'n') {
    runner_run_json_payload(s->run, buf_slice(&answer), p);
    runner_part_count(s);
  }
  buf_release(&answer);
  return result;
}

void runner_part_open_input(struct runner_stream *s, struct buf *input, const char *name) {
  buf_init(input, (size_t)256 << 20);
  buf_add_char(input, '{');
  json_cstr(input, "name", name);
  json_raw(input, "job", buf_slice(&s->run->job_json));
}

/* ---- records and messages ---- */

#define RECORD_ROOM (SIZE_MAX / 4)
#define TEXT_MAX ((size_t)64 << 20)

/* The last safeguard: removes the keys of all sources, wherever they come from. */
static void runner_redact(const struct runner *r, struct buf *record) {
  for (size_t i = 0; i < r->source_count; i++)
    if (r->sources[i]->key_is_sent)
      fetch_redact(record, r->sources[i]->key);
}

void runner_write_record(struct runner *r, struct buf *record) {
  runner_redact(r, record);
  buf_add_slice(&r->program->out.buf, buf_slice(record));
  output_flush_if_full(&r->program->out);
}

/* A fault in a file is bad data, not wrong usage. */
static int runner_error_status(const struct error_record *e) {
  if (slice_is(e->source, "file") && e->source_url.len && strcmp(e->category, ERROR_INVALID_REQUEST) == 0)
    return error_kind_status(FAULT_DATA);
  return error_exit_status(e->category);
}

/* Writes the record, prints its message on stderr and keeps the status of the first error. */
static void runner_write_error(struct runner *r, const struct error_record *e) {
  struct buf record;
  buf_init(&record, RECORD_ROOM);
  error_add(&record, e);
  if (r->job && record.len > 2) {
    record.len -= 2;
    job_add_subject(r->job, &record);
    buf_add_str(&record, "}\n");
  }
  if (!r->program->people) /* for display, the message on stderr is enough */
    runner_write_record(r, &record);
  struct slice tag = r->job && r->program->operand_count == 0 ? buf_slice(&r->job->tag) : slice_of(NULL, 0);
  diag_warn("%s%.*s%s%.*s%s%s", tag.len ? "job " : "", (int)tag.len, tag.len ? tag.data : "",
            tag.len ? ": " : "", (int)e->source.len, e->source.data ? e->source.data : "",
            e->source.len ? ": " : "", e->message);
  if (r->errors++ == 0)
    r->first_status = runner_error_status(e);
  r->program->errors++;
  buf_release(&record);
}

void runner_error(struct runner *r, const char *category, const char *source, const char *url,
                  double retry_after, const char *format, ...) {
  struct buf text;
  va_list args;
  buf_init(&text, 65536);
  va_start(args, format);
  buf_vprintf(&text, format, args);
  va_end(args);
  runner_redact(r, &text);
  struct error_record e = {.category = category,
                           .message = text.data ? text.data : "",
                           .stage = "fetch",
                           .source = slice_str(source),
                           .source_url = slice_str(url),
                           .retry_after = retry_after};
  runner_write_error(r, &e);
  buf_release(&text);
}

void runner_run_error(struct run *run, const char *category, const char *url, const char *text) {
  struct runner_fault f = {.category = category, .text = text, .url = url, .retry_after = -1};
  runner_write_fault(run, &f);
}

void runner_write_fault(struct run *run, const struct runner_fault *f) {
  const char *slash = f->url && strncmp(f->url, "file:", 5) == 0 ? strrchr(f->url, '/') : NULL;
  int named = !slash || strstr(f->text, slash + 1);
  struct buf message, metadata, plain;
  buf_init(&message, 65536);
  buf_init(&metadata, TEXT_MAX);
  buf_init(&plain, TEXT_MAX);
  buf_printf(&message, "%s%s%s", named ? "" : slash + 1, named ? "" : ": ", f->text);
  runner_redact(run->runner, &message);
  if (f->payload.len) {
    json_numbers_restore(f->payload, &plain);
    payload_add_metadata(&metadata, buf_slice(&plain), buf_slice(&run->job->metadata));
    buf_add_char(&metadata, '}');
  }
  struct error_record e = {.category = f->category,
                           .message = message.data,
                           .stage = "fetch",
                           .source = slice_str(run->source->name),
                           .source_url = slice_str(f->url),
                           .status = f->status,
                           .retry_after = f->retry_after,
                           .metadata = buf_slice(&metadata)};
  run->errors++;
  runner_write_error(run->runner, &e);
  buf_release(&message);
  buf_release(&metadata);
  buf_release(&plain);
}

enum { PEOPLE_TEXT = 3000 }; /* bytes of a payload's text that are displayed */

static void people_member(struct buf *out, struct slice metadata, const char *name, int width) {
  struct buf scratch;
  buf_init(&scratch, 65536);
  struct slice value = json_get(metadata, name);
  if (json_kind(value) == '"') {
    size_t from = out->len;
    buf_add_masked(out, json_text(value, &scratch));
    buf_printf(out, "%*s", out->len - from < (size_t)width ? width - (int)(out->len - from) + 2 : 2, "");
  }
  buf_release(&scratch);
}

int runner_lay_out(struct program *program, struct connector *library, const char *called, struct slice input,
                   struct buf *out) {
  struct page_terminal draw = {out, program->columns ? program->columns : 80, 6, 1, program->colour};
  struct buf marked, lines, text, line;
  struct json_cursor at = {0};
  struct error_text why;
  struct slice item;
  buf_init(&marked, CONNECTOR_ANSWER_MAX);
  buf_init(&lines, CONNECTOR_ANSWER_MAX);
  buf_init(&text, CONNECTOR_ANSWER_MAX);
  buf_init(&line, CONNECTOR_ANSWER_MAX);
  buf_printf(&marked, "{\"columns\":%zu,\"object\":", program->columns);
  json_numbers_mark(input, &marked);
  buf_add_char(&marked, '}');
  int result = connector_call(library, called, buf_slice(&marked), &lines, &why);
  buf_clear(&marked);
  json_numbers_restore(buf_slice(&lines), &marked);
  while (result == 0 && json_next_element(buf_slice(&marked), &at, &item)) {
    struct slice link = json_get(item, "link"), hang = json_get(item, "hang");
    draw.lines = 1;
    if (link.len) {
      page_terminal_link(&draw, json_text(link, &text));
      continue;
    }
    buf_clear(&line);
    buf_add_masked(&line, json_text(json_get(item, "text"), &text));
    buf_add_char(&line, '\n');
    screen_fold(out, buf_slice(&line), hang.len ? program->columns : 0, (size_t)json_to_int(hang, 0));
  }
  buf_release(&marked);
  buf_release(&lines);
  buf_release(&text);
  buf_release(&line);
  return result;
}

/* Prints a line with type and origin, then the contents: a listing, or text where it is short. */
static void payload_for_people(struct runner *r, struct buf *out, const struct payload *p) {
  people_member(out, p->metadata, "filingDate", 10);
  people_member(out, p->metadata, "form", 8);
  people_member(out, p->metadata, "company", 20);
  people_member(out, p->metadata, "title", 20);
  buf_add_masked(out, slice_str(p->source_url ? p->source_url : p->source));
  buf_printf(out, "  (%zu bytes)\n", p->bytes.len);
  int listed = strcmp(p->content_type, "application/json") == 0 && json_kind(p->bytes) == '{' &&
               json_is_valid(p->bytes);
  if (listed && !r->listing)
    r->listing = connector_open_library("listing");
  listed = listed && runner_lay_out(r->program, r->listing, "step", p->bytes, out) == 0;
  if (!listed && p->bytes.len <= PEOPLE_TEXT &&
      !memchr(p->bytes.data ? p->bytes.data : "", '\0', p->bytes.len)) {
    buf_add_masked_lines(out, p->bytes);
    buf_add_char(out, '\n');
  }
}

/* Shows "10-K of 2025-10-31", else the URL. */
void runner_tell_reading(struct program *program, struct slice metadata, const char *url) {
  struct buf form, date;
  if (!program->progress)
    return;
  buf_init(&form, 4096);
  buf_init(&date, 4096);
  struct slice f = json_text(json_get(metadata, "form"), &form),
               d = json_text(json_get(metadata, "filingDate"), &date);
  if (f.len && d.len)
    program_doing(program, "%.*s of %.*s", (int)f.len, f.data, (int)d.len, d.data);
  else if (url)
    program_doing(program, "%.150s", url);
  buf_release(&form);
  buf_release(&date);
}

int runner_run_payload(struct run *run, const struct payload *given) {
  struct payload p = *given;
  struct buf record;
  buf_init(&record, RECORD_ROOM);
  p.carried = buf_slice(&run->job->carried);
  p.defaults = buf_slice(&run->job->metadata);
  p.source = run->source->name;
  int people = run->runner->program->people, result = 0;
  if (people)
    payload_for_people(run->runner, &record, &p);
  else
    result = payload_add(&record, &p);
  if (result == 0) {
    runner_write_record(run->runner, &record);
    struct program *program = run->runner->program;
    run->results++;
    run->runner->results++;
    if (program->operand_count) /* otherwise it counts job records */
      program->records++;
    runner_tell_reading(program, p.metadata, p.source_url);
    program_progress(program, program->bytes_in + (program->operand_count ? p.bytes.len : 0));
  } else {
    runner_run_error(run, ERROR_INTERNAL, p.source_url, "the payload is larger than a record may be");
  }
  buf_release(&record);
  return result;
}

const char *runner_member_text(struct slice object, const char *name, struct buf *scratch,
                               const char *otherwise) {
  struct slice value = json_get(object, name);
  buf_clear(scratch);
  if (json_kind(value) != '"' || json_decode(value, scratch) != 0)
    return otherwise;
  return scratch->data ? scratch->data : "";
}

/* Copies a payload's content or text into bytes.  Returns its type, or NULL where it has neither. */
static const char *written_bytes(struct slice json, struct buf *bytes) {
  struct slice content = json_get(json, "content"), text = json_get(json, "text");
  struct buf decoded;
  if (content.data) {
    json_numbers_restore(content, bytes);
    return "application/json";
  }
  if (json_kind(text) != '"')
    return NULL;
  buf_init(&decoded, TEXT_MAX);
  json_decode(text, &decoded);
  json_numbers_restore(buf_slice(&decoded), bytes);
  buf_release(&decoded);
  return "text/plain; charset=utf-8";
}

/* Whether the connector may call its payload so: not by what is another source's, whose document would be replaced in the
 * store. */
static int is_own_url(const struct run *run, const char *url) {
  char host[256];
  if (fetch_host(url, host, sizeof host) == 0)
    return fetch_host_declared(host, (const char *const *)run->source->hosts);
  return strncasecmp(url, "http", 4) != 0 && strncasecmp(url, "file:", 5) != 0;
}

int runner_run_json_payload(struct run *run, struct slice json, const struct payload *given) {
  struct payload p = *given;
  struct buf bytes, type, url, metadata;
  int result = -1;
  buf_init(&bytes, TEXT_MAX);
  buf_init(&type, 4096);
  buf_init(&url, 16384);
  buf_init(&metadata, TEXT_MAX);
  const char *kind = json_kind(json) == '{' ? written_bytes(json, &bytes) : NULL;
  const char *named = json_kind(json) == '{' ? runner_member_text(json, "sourceUrl", &url, NULL) : NULL;
  if (kind) {
    p.bytes = buf_slice(&bytes);
    p.content_type = kind;
    p.truncated = 0;
  }
  if (json_kind(json) != '{' || (!kind && !p.bytes.data)) {
    runner_run_error(run, ERROR_INTERNAL, p.source_url,
                     "broken connector: it returned a payload without content, text or response");
  } else if (named && !is_own_url(run, named)) {
    runner_run_error(
        run, ERROR_INTERNAL, NULL,
        "broken connector: the sourceUrl of a payload is of a file or of a host that is not declared");
  } else {
    struct slice given_metadata = json_get(json, "metadata");
    if (json_kind(given_metadata) == '{') {
      json_numbers_restore(given_metadata, &metadata);
      p.metadata = buf_slice(&metadata);
    }
    p.content_type = runner_member_text(json, "contentType", &type, p.content_type);
    p.source_url = named && *named ? named : p.source_url;
    if (!*p.source_url) { /* a payload of a step without requests: provenance is the source itself */
      buf_clear(&url);
      buf_printf(&url, "%s:", run->source->name);
      p.source_url = url.data;
    }
    result = runner_run_payload(run, &p);
  }
  buf_release(&bytes);
  buf_release(&type);
  buf_release(&url);
  buf_release(&metadata);
  return result;
}
