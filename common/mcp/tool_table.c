/* tool_table.c: the tools, from data/mcp-tools.json, and the check of arguments against their schemas. */
#include "mcp/tool_table.h"

#include "base/paths.h"
#include "mcp/tool_child.h"
#include "record/json.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- schemas ---- */

#define PLACE_BYTES 200

static const char *kind_name(char kind) {
  switch (kind) {
  case '{':
    return "an object";
  case '[':
    return "a list";
  case '"':
    return "a string";
  case '0':
    return "a number";
  case 'n':
    return "null";
  default:
    return "true or false";
  }
}

/* Whether a number is written as an integer. */
static int schema_is_whole(struct slice number) {
  for (size_t i = 0; i < number.len; i++)
    if (number.data[i] != '-' && (number.data[i] < '0' || number.data[i] > '9'))
      return 0;
  return 1;
}

static int is_of_type(struct slice type, struct slice value) {
  static const char *const names[] = {"object", "array", "string", "number", "boolean", "boolean", "null"};
  static const char kinds[] = "{[\"0tfn";
  char kind = json_kind(value);
  if (json_is_text(type, slice_str("integer")))
    return kind == '0' && schema_is_whole(value);
  for (size_t i = 0; kinds[i]; i++)
    if (kind == kinds[i] && json_is_text(type, slice_str(names[i])))
      return 1;
  return 0;
}

static int schema_fault_type(struct slice type, struct slice value, const char *name, struct error_text *e) {
  struct buf words;
  buf_init(&words, 1024);
  buf_add_slice(&words, type);
  error_set(e, "%s is %s; expected %s%s", name, kind_name(json_kind(value)), words.data ? words.data : "",
            json_kind(value) == '"' && json_is_text(type, slice_str("array")) ? ", as [\"one\", \"two\"]"
                                                                              : "");
  buf_release(&words);
  return -1;
}

static int check_type(struct slice schema, struct slice value, const char *name, struct error_text *e) {
  struct slice type = json_get(schema, "type"), one;
  struct json_cursor c = {0};
  if (type.len == 0 || (json_kind(type) == '"' && is_of_type(type, value)))
    return 0;
  while (json_kind(type) == '[' && json_next_element(type, &c, &one))
    if (is_of_type(one, value))
      return 0;
  return schema_fault_type(type, value, name, e);
}

static int check_enum(struct slice schema, struct slice value, const char *name, struct error_text *e) {
  struct slice list = json_get(schema, "enum"), one;
  struct json_cursor c = {0};
  if (list.len == 0)
    return 0;
  while (json_next_element(list, &c, &one))
    if (slice_eq(one, value))
      return 0;
  error_set(e, "%s: %.*s is none of %.*s", name, (int)(value.len > 60 ? 60 : value.len), value.data,
            (int)(list.len > 300 ? 300 : list.len), list.data);
  return -1;
}

/* Checks the keywords minWHAT and maxWHAT against a measure. */
static int check_bounds(struct slice schema, const char *low, const char *high, double measure,
                        const char *what, const char *name, struct error_text *e) {
  struct slice least = json_get(schema, low), most = json_get(schema, high);
  if (least.len > 0 && measure < json_to_double(least, 0)) {
    error_set(e, "%s: %g%s is less than %.*s", name, measure, what, (int)least.len, least.data);
    return -1;
  }
  if (most.len > 0 && measure > json_to_double(most, 0)) {
    error_set(e, "%s: %g%s is more than %.*s", name, measure, what, (int)most.len, most.data);
    return -1;
  }
  return 0;
}

static int check_items(struct slice schema, struct slice value, const char *name, struct error_text *e) {
  struct slice items = json_get(schema, "items"), one;
  struct json_cursor c = {0};
  char place[PLACE_BYTES];
  size_t n = 0;
  for (; json_next_element(value, &c, &one); n++) {
    snprintf(place, sizeof place, "%s[%zu]", name, n);
    if (items.len > 0 && tool_schema_check(items, one, place, e) != 0)
      return -1;
  }
  return check_bounds(schema, "minItems", "maxItems", (double)n, " elements", name, e);
}

static int schema_required(struct slice schema, struct slice value, const char *name, struct error_text *e) {
  struct slice required = json_get(schema, "required"), key, member, known;
  struct json_cursor c = {0};
  while (required.len > 0 && json_next_element(required, &c, &key)) {
    struct json_cursor m = {0};
    int found = 0;
    while (!found && json_next_member(value, &m, &known, &member))
      found = json_key_is(known, slice_of(key.data + 1, key.len - 2));
    if (!found) {
      error_set(e, "%s: %.*s is missing", name, (int)key.len, key.data);
      return -1;
    }
  }
  return 0;
}

/* Appends the names of an object's members, for a message. */
static void schema_add_names(struct buf *out, struct slice object) {
  struct slice key, value;
  struct json_cursor c = {0};
  while (object.len > 0 && json_next_member(object, &c, &key, &value)) {
    buf_add_str(out, out->len ? ", " : "");
    buf_add_slice(out, key);
  }
}

static int check_unknown(struct slice schema, struct slice properties, struct slice key, struct slice value,
                         const char *name, struct error_text *e) {
  struct slice others = json_get(schema, "additionalProperties");
  struct buf names;
  char place[PLACE_BYTES];
  if (json_kind(others) == '{') {
    snprintf(place, sizeof place, "%s.%.*s", name, (int)(key.len > 60 ? 60 : key.len), key.data);
    return tool_schema_check(others, value, place, e);
  }
  if (json_kind(others) != 'f')
    return 0;
  buf_init(&names, 300);
  schema_add_names(&names, properties);
  error_set(e, "%s: there is no \"%.*s\"; known are %s", name, (int)(key.len > 60 ? 60 : key.len), key.data,
            names.len ? names.data : "none");
  buf_release(&names);
  return -1;
}

static int check_members(struct slice schema, struct slice value, const char *name, struct error_text *e) {
  struct slice properties = json_get(schema, "properties"), key, member, known, rule;
  struct json_cursor c = {0};
  char place[PLACE_BYTES];
  while (json_next_member(value, &c, &key, &member)) {
    struct json_cursor p = {0};
    int found = 0;
    while (!found && properties.len > 0 && json_next_member(properties, &p, &known, &rule))
      found = json_key_is(key, known);
    snprintf(place, sizeof place, "%s.%.*s", name, (int)(key.len > 60 ? 60 : key.len), key.data);
    if (found ? tool_schema_check(rule, member, place, e)
              : check_unknown(schema, properties, key, member, name, e))
      return -1;
  }
  return schema_required(schema, value, name, e);
}

int tool_schema_check(struct slice schema, struct slice value, const char *name, struct error_text *e) {
  char kind = json_kind(value);
  if (check_type(schema, value, name, e) != 0 || check_enum(schema, value, name, e) != 0)
    return -1;
  if (kind == '{')
    return check_members(schema, value, name, e);
  if (kind == '[')
    return check_items(schema, value, name, e);
  if (kind == '"')
    return check_bounds(schema, "minLength", "maxLength", (double)(value.len - 2), " bytes", name, e);
  if (kind == '0')
    return check_bounds(schema, "minimum", "maximum", json_to_double(value, 0), "", name, e);
  return 0;
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
  tool->path = tool_child_find(program ? program : "");
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
  *t = (struct tool_table){.may_write = may_write};
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
