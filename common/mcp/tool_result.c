/* tool_result.c: what a program printed, as the result of a call: structured, and as text for a model. */
#include "mcp/tool_result.h"

#include "mcp/tool_table.h"
#include "record/json.h"
#include "record/record.h"
#include "source/connector.h"
#include "source/json_projection.h"

#include <stdlib.h>
#include <sysexits.h>

/* ---- results ---- */

#define RESULT_BYTES ((size_t)128 << 20)

/* A result being built. */
struct tool_parts {
  const struct tool_table *table;
  const struct tool *tool;
  struct buf structured, text, links, faults; /* JSON, text, JSON, messages of error records */
  size_t good;                                /* records other than errors */
  size_t bad;
};

/* ---- program output ---- */

/* The next line that is a JSON object; 0 at the end.  Skips other lines. */
static int tool_next_record(struct slice *rest, struct record *rec) {
  static const char *const none[] = {NULL};
  while (rest->len > 0) {
    struct slice line = slice_cut(rest, '\n');
    const char *why;
    size_t at;
    if (line.len > 0 && record_parse(line.data, line.len, none, rec, &why, &at) == RECORD_OK)
      return 1;
  }
  return 0;
}

static void tool_add_fault(struct tool_parts *p, struct slice error) {
  struct buf scratch;
  buf_init(&scratch, RESULT_BYTES);
  buf_add_str(&p->faults, p->faults.len ? "\n" : "");
  buf_add_slice(&p->faults, json_text(json_get(error, "category"), &scratch));
  buf_add_str(&p->faults, ": ");
  tool_arguments_speak(p->table, p->tool, json_text(json_get(error, "message"), &scratch), &p->faults);
  buf_release(&scratch);
  p->bad++;
}

/* Adds an object's members as `content`, except its hints, which mention options of the command. */
static void tool_add_content(struct buf *out, struct slice object) {
  struct json_cursor c = {0};
  struct slice key, value;
  buf_add_str(out, ",\"content\":{");
  while (json_next_member(object, &c, &key, &value)) {
    if (!json_key_is(key, slice_str("hints")))
      json_add_member(out, key, value);
  }
  buf_add_char(out, '}');
}

/* Adds a payload's text as `content`, as JSON where it is JSON, instead of a string that contains it. */
static void tool_add_decoded(struct buf *out, const struct record *rec, const char *field) {
  struct slice raw = json_get(rec->line, field), text;
  struct buf scratch;
  record_open(out, rec, field, (char *)NULL);
  buf_init(&scratch, RESULT_BYTES);
  text = json_text(raw, &scratch);
  if (json_is_valid(text) && memchr(text.data, '\n', text.len) == NULL) {
    if (json_kind(text) == '{')
      tool_add_content(out, text);
    else
      json_raw(out, "content", text);
  } else if (raw.len > 0)
    json_str(out, "content", text);
  buf_add_char(out, '}');
  buf_release(&scratch);
}

static void tool_take_records(struct tool_parts *p, struct slice out) {
  struct buf errors, scratch;
  struct record rec;
  struct buf *s = &p->structured;
  buf_init(&errors, RESULT_BYTES);
  buf_init(&scratch, 256);
  int decode = json_get(p->tool->run, "decode").len > 0;
  struct slice omitted = json_get(p->tool->run, "omit");
  buf_add_str(s, "{\"");
  buf_add_slice(s, tool_table_text(p->tool, "member", &scratch));
  buf_add_str(s, "\":[");
  while (tool_next_record(&out, &rec)) {
    if (rec.is_error) {
      tool_add_fault(p, json_get(rec.line, "error"));
      buf_add_str(&errors, errors.len ? "," : "");
      buf_add_slice(&errors, json_get(rec.line, "error"));
      continue;
    }
    if (omitted.len > 0 && slice_eq(json_get(rec.line, "name"), omitted))
      continue;
    buf_add_str(s, p->good++ ? "," : "");
    if (decode)
      tool_add_decoded(s, &rec, "rawContent");
    else
      buf_add_slice(s, rec.line);
  }
  buf_add_str(s, "]");
  if (errors.len > 0) {
    buf_add_str(s, ",\"errors\":[");
    buf_add_slice(s, buf_slice(&errors));
    buf_add_char(s, ']');
  }
  buf_add_char(s, '}');
  buf_release(&scratch);
  buf_release(&errors);
}

/* Takes the single object printed. */
static void tool_take_object(struct tool_parts *p, struct slice out) {
  struct record rec;
  while (p->good == 0 && tool_next_record(&out, &rec)) {
    if (rec.is_error) {
      tool_add_fault(p, json_get(rec.line, "error"));
      continue;
    }
    buf_add_slice(&p->structured, rec.line);
    p->good = 1;
  }
}

/* ---- text and links ---- */

/* Appends the result, the object of structuredContent, as lib/tool.jq makes a text of it, and links to the filings that it is of.
 * Returns 0 where the tool's `run` has no "text": the JSON itself is appended then. */
static int tool_text_add(struct tool_parts *p, struct slice result) {
  struct buf input, made, text;
  struct error_text why;
  int formatted = json_get(p->tool->run, "text").len > 0, linked = json_get(p->tool->run, "links").len > 0;
  buf_init(&input, RESULT_BYTES);
  buf_init(&made, RESULT_BYTES);
  buf_init(&text, RESULT_BYTES);
  buf_add_char(&input, '{');
  json_raw(&input, "run", p->tool->run);
  json_key(&input, "result");
  json_numbers_mark(result.len ? result : slice_str("null"), &input);
  buf_add_char(&input, '}');
  if (!formatted)
    buf_add_slice(&p->text, result);
  if ((formatted || linked) && connector_call(p->table->jq, "result", buf_slice(&input), &made, &why) != 0)
    buf_add_str(&p->text, why.text);
  json_numbers_restore(json_text(json_get(buf_slice(&made), "text"), &text), &p->text);
  struct slice links = json_get(buf_slice(&made), "links");
  if (links.len > 2)
    buf_add(&p->links, links.data + 1, links.len - 2);
  buf_release(&input);
  buf_release(&made);
  buf_release(&text);
  return formatted;
}

/* Adds errors reported inside an object. */
static void tool_take_told(struct tool_parts *p) {
  struct slice list = json_get(buf_slice(&p->structured), "errors"), error;
  struct json_cursor c = {0};
  if (p->faults.len > 0 || json_kind(list) != '[')
    return;
  while (json_next_element(list, &c, &error))
    tool_add_fault(p, error);
}

static void tool_make_text(struct tool_parts *p) {
  struct slice all = buf_slice(&p->structured);
  tool_take_told(p);
  int formatted = tool_text_add(p, all);
  if (p->text.len == 0)
    buf_add_str(&p->text, "Nothing relevant was found.");
  if (p->faults.len > 0 && formatted) {
    buf_add_str(&p->text, "\n");
    buf_add_slice(&p->text, buf_slice(&p->faults));
  }
}

/* ---- complete results ---- */

static void tool_parts_init(struct tool_parts *p, const struct tool *tool) {
  *p = (struct tool_parts){.tool = tool};
  buf_init(&p->structured, RESULT_BYTES);
  buf_init(&p->text, RESULT_BYTES);
  buf_init(&p->links, RESULT_BYTES);
  buf_init(&p->faults, RESULT_BYTES);
}

static void tool_parts_release(struct tool_parts *p) {
  buf_release(&p->structured);
  buf_release(&p->text);
  buf_release(&p->links);
  buf_release(&p->faults);
}

static void tool_add_text(struct buf *out, struct slice text) {
  buf_add_str(out, "{\"content\":[{\"type\":\"text\"");
  json_str(out, "text", text);
  buf_add_char(out, '}');
}

void tool_result_add_fault(struct buf *out, const char *why) {
  tool_add_text(out, slice_str(why));
  buf_add_str(out, "],\"isError\":true}");
}

/* Adds the error message of a program without output. */
static void tool_add_failure(struct buf *out, struct tool_parts *p, const struct tool_printed *printed) {
  struct slice said = printed->said;
  while (said.len > 0 && said.data[said.len - 1] == '\n')
    said.len--;
  if (p->faults.len == 0)
    tool_arguments_speak(p->table, p->tool, said, &p->faults);
  if (p->faults.len == 0)
    buf_printf(&p->faults, "the program ended with status %d and gave no reason", printed->status);
  tool_result_add_fault(out, p->faults.data);
}

void tool_result_add(struct buf *out, const struct tool_table *t, const struct tool *tool,
                     const struct tool_printed *printed, int structured) {
  struct tool_parts p;
  tool_parts_init(&p, tool);
  p.table = t;
  if (tool->kind == TOOL_RECORDS)
    tool_take_records(&p, printed->out);
  else
    tool_take_object(&p, printed->out);
  /* A refused question comes as an object without an answer. */
  int refused = tool->kind == TOOL_OBJECT && printed->status == EX_USAGE;
  if (refused)
    tool_take_told(&p);
  if (refused || (p.good == 0 && (printed->status > 1 || p.bad > 0 || tool->kind != TOOL_RECORDS)))
    tool_add_failure(out, &p, printed);
  else {
    tool_make_text(&p);
    tool_add_text(out, buf_slice(&p.text));
    if (structured && p.links.len) {
      buf_add_char(out, ',');
      buf_add_slice(out, buf_slice(&p.links));
    }
    buf_add_char(out, ']');
    if (structured)
      json_raw(out, "structuredContent", buf_slice(&p.structured));
    buf_add_str(out, ",\"isError\":false}");
  }
  tool_parts_release(&p);
}

int tool_result_add_resource(struct buf *out, const char *uri, const struct tool_printed *printed) {
  struct slice rest = printed->out;
  struct record rec;
  while (tool_next_record(&rest, &rec)) {
    struct slice text = json_get(rec.line, "text");
    if (rec.is_error || json_kind(text) != '"')
      continue;
    buf_add_str(out, "{\"contents\":[{");
    json_cstr(out, "uri", uri);
    json_cstr(out, "mimeType", "text/markdown");
    json_raw(out, "text", text);
    buf_add_str(out, "}]}");
    return 0;
  }
  return -1;
}
