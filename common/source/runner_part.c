/* runner_part.c: the parts of a streamed body (members, batches of rows) as payloads, and its faults. */
#include "source/runner_stream.h"

#include "base/paths.h"
#include "format/content_type.h"
#include "record/error.h"
#include "record/json.h"
#include "record/json_validate.h"
#include "tables/file_types.h"

#include <stdio.h>

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
  runner_document_error(s->run, category, url, -1, text, runner_part_payload(s, url).metadata);
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
  size_t at;
  const char *fault;
  buf_init(&answer, CONNECTOR_ANSWER_MAX);
  int result = connector_call(s->run->source->connector, CONNECTOR_ROW, input, &answer, &why);
  if (result != 0) {
    runner_part_give_up(s, ERROR_INTERNAL, "%s", why.text);
  } else if (json_validate(answer.data, answer.len, &at, &fault) != 0 ||
             memchr(answer.data, '\n', answer.len)) {
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
