/* tool_table.c: the tools, from data/mcp-tools.json; arguments against their schemas, and messages in the client's words. */
#include "mcp/tool_table.h"
#include "base/paths.h"
#include "record/json.h"
#include "source/connector.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- schemas ---- */

#define CHECK_BYTES ((size_t)16 << 20)

int tool_arguments_check(const struct tool_table *t, const struct tool *tool, struct slice given,
                         struct buf *arguments, struct error_text *e) {
  struct buf input, checked, text;
  struct slice same = json_get(buf_slice(&t->text), "sameArguments");
  buf_init(&input, CHECK_BYTES);
  buf_init(&checked, CHECK_BYTES);
  buf_init(&text, CHECK_BYTES);
  buf_add_str(&input, "{\"tool\":{");
  json_raw(&input, "schema", tool->input_schema);
  json_raw(&input, "run", tool->run);
  buf_add_char(&input, '}');
  json_raw(&input, "same", same.len ? same : slice_str("null"));
  json_raw(&input, "value", given);
  buf_add_char(&input, '}');
  int result = connector_call(t->jq, "check", buf_slice(&input), &checked, e);
  if (result != 0)
    error_set(e, "arguments: they can't be checked: nested too deep, or too large");
  struct slice why = json_text(json_get(buf_slice(&checked), "fault"), &text);
  if (result == 0 && why.len) {
    error_set(e, "%.*s", (int)why.len, why.data);
    result = -1;
  }
  buf_add_slice(arguments, json_get(buf_slice(&checked), "arguments"));
  buf_release(&input);
  buf_release(&checked);
  buf_release(&text);
  return result;
}

/* Finds a program: in BID_BIN, in the running one's folder, among the pipelines of its source tree, or in PATH.
 * Returns its path, allocated, or NULL. */
static char *tool_find(const char *name) {
  const char *set = getenv("BID_BIN");
  struct buf path;
  buf_init(&path, PATH_MAX);
  buf_printf(&path, "%s/%s", set ? set : "", name);
  if (!set || !*set || path.overflow || access(path.data, X_OK) != 0)
    if (paths_program(&path, name) != 0)
      buf_release(&path);
  return path.data;
}

/* ---- the table ---- */

#define TABLE_BYTES ((size_t)4 << 20)

/* Reads a tool; 1, or 0 where it is not available here. */
static int tool_take(struct tool *tool, struct slice entry, int may_write) {
  struct slice kind;
  tool->shown = json_get(entry, "tool");
  tool->run = json_get(entry, "run");
  tool->input_schema = json_get(tool->shown, "inputSchema");
  tool->name = json_get(tool->shown, "name");
  tool->name = slice_of(tool->name.data + 1, tool->name.len - 2);
  kind = json_get(tool->run, "kind");
  tool->kind = json_is_text(kind, slice_str("question")) ? TOOL_QUESTION
               : json_is_text(kind, slice_str("object")) ? TOOL_OBJECT
                                                         : TOOL_RECORDS;
  if (json_kind(json_get(tool->run, "writes")) == 't' && !may_write)
    return 0;
  char *program = json_text_copy(json_get(tool->run, "program"));
  tool->path = tool_find(program ? program : "");
  free(program);
  return tool->path != NULL;
}

static int tool_table_read(struct tool_table *t, struct error_text *e) {
  struct buf path;
  size_t at = 0;
  const char *why;
  int status = -1;
  buf_init(&path, PATH_MAX);
  if (paths_data(&path, "mcp-tools.json") != 0 || buf_read_file(&t->text, path.data) != 0)
    error_set(e, "%s: %s", path.data, strerror(errno));
  else if (json_validate(t->text.data, t->text.len, &at, &why) != 0)
    error_set(e, "%s: %s at byte %zu", path.data, why, at);
  else
    status = 0;
  buf_release(&path);
  return status;
}

int tool_table_load(struct tool_table *t, int may_write, struct error_text *e) {
  struct json_cursor c = {0};
  struct slice list, entry;
  *t = (struct tool_table){.may_write = may_write, .jq = connector_open_library("tool")};
  buf_init(&t->text, TABLE_BYTES);
  if (tool_table_read(t, e) != 0)
    return -1;
  list = json_get(buf_slice(&t->text), "tools");
  while (list.len > 0 && json_next_element(list, &c, &entry)) {
    t->tools = xreallocarray(t->tools, t->count + 1, sizeof *t->tools);
    t->count += (size_t)tool_take(&t->tools[t->count], entry, may_write);
  }
  if (t->count > 0)
    return 0;
  error_set(e, "none of BID's programs is beside bid-mcp or on PATH");
  return -1;
}

void tool_table_release(struct tool_table *t) {
  for (size_t i = 0; i < t->count; i++)
    free(t->tools[i].path);
  free(t->tools);
  connector_close(t->jq);
  buf_release(&t->text);
}

const struct tool *tool_table_find(const struct tool_table *t, struct slice name) {
  for (size_t i = 0; i < t->count; i++)
    if (json_is_text(name, t->tools[i].name))
      return &t->tools[i];
  return NULL;
}

struct slice tool_table_at(struct slice object, struct slice path) {
  char name[64];
  for (size_t i = 0; i < path.len && json_kind(object) == '{';) {
    size_t n = 0;
    while (i < path.len && path.data[i] != '.' && n < sizeof name - 1)
      name[n++] = path.data[i++];
    name[n] = '\0';
    i++;
    object = json_get(object, name);
  }
  return object;
}

struct slice tool_table_text(const struct tool *tool, const char *name, struct buf *scratch) {
  return json_text(json_get(tool->run, name), scratch);
}

struct slice tool_table_instructions(const struct tool_table *t) {
  return json_get(buf_slice(&t->text), "instructions");
}

/* Appends a JSON value without white space between tokens, since a message is one line. */
static void tool_add_compact(struct buf *out, struct slice json) {
  int within = 0;
  for (size_t i = 0; i < json.len; i++) {
    char c = json.data[i];
    if (c == '"')
      within = !within;
    if (within || (c != ' ' && c != '\n' && c != '\t' && c != '\r'))
      buf_add_char(out, c);
    if (within && c == '\\')
      buf_add_char(out, json.data[++i]);
  }
}

void tool_table_add_list(const struct tool_table *t, struct buf *out) {
  buf_add_char(out, '[');
  for (size_t i = 0; i < t->count; i++) {
    if (i > 0)
      buf_add_char(out, ',');
    tool_add_compact(out, t->tools[i].shown);
  }
  buf_add_char(out, ']');
}

void tool_arguments_speak(const struct tool_table *t, const struct tool *tool, struct slice said,
                          struct buf *out) {
  struct buf input, spoken, text;
  struct error_text why;
  buf_init(&input, CHECK_BYTES);
  buf_init(&spoken, CHECK_BYTES);
  buf_init(&text, CHECK_BYTES);
  buf_add_char(&input, '{');
  json_raw(&input, "run", tool->run);
  json_str(&input, "said", said);
  json_key(&input, "tools");
  for (size_t i = 0; i < t->count; i++) {
    buf_add_str(&input, i ? ",{" : "[{");
    json_str(&input, "name", t->tools[i].name);
    json_raw(&input, "run", t->tools[i].run);
    json_raw(&input, "schema", t->tools[i].input_schema);
    buf_add_char(&input, '}');
  }
  buf_add_str(&input, "]}");
  if (connector_call(t->jq, "speak", buf_slice(&input), &spoken, &why) == 0)
    said = json_text(buf_slice(&spoken), &text);
  buf_add_slice(out, said);
  buf_release(&input);
  buf_release(&spoken);
  buf_release(&text);
}
