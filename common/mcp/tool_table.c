/* tool_table.c: the tools, from data/mcp-tools.json; arguments against their schemas, and messages in the client's words. */
#include "mcp/tool_table.h"
#include "base/paths.h"
#include "record/json.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* ---- commands in messages ---- */

enum { SPOKEN_ARGUMENTS = 16 };

struct spoken_argument {
  struct slice name, value; /* as JSON, with its quotation marks; as written */
};

struct spoken_command {
  const struct tool *tool;
  struct slice rest; /* what follows the last option's value */
  struct spoken_argument arguments[SPOKEN_ARGUMENTS];
  size_t count;
};

/* The tool that runs a program without fixed words of its own: bid-store has several. */
static const struct tool *spoken_tool(const struct tool_table *t, struct slice program) {
  struct buf scratch;
  const struct tool *found = NULL;
  buf_init(&scratch, 256);
  for (size_t i = 0; i < t->count && !found; i++)
    if (slice_eq(tool_table_text(&t->tools[i], "program", &scratch), program) &&
        json_get(t->tools[i].run, "omit").len == 0)
      found = &t->tools[i];
  buf_release(&scratch);
  return found;
}

/* The next word of a command, without the quotation marks around it. */
static struct slice spoken_word(struct slice *rest) {
  while (rest->len && *rest->data == ' ')
    *rest = slice_of(rest->data + 1, rest->len - 1);
  char quote = rest->len && strchr("'\"", *rest->data) ? *rest->data : ' ';
  size_t skip = quote != ' ';
  const char *end = rest->len > skip ? memchr(rest->data + skip, quote, rest->len - skip) : NULL;
  size_t n = end ? (size_t)(end - rest->data) : rest->len;
  struct slice word = slice_of(rest->data + skip, n - (n ? skip : 0));
  n += end && skip;
  *rest = slice_of(rest->data + n, rest->len - n);
  return word;
}

/* The argument of a tool for an option, long or short. */
static struct slice spoken_option(const struct tool *tool, struct slice option) {
  static const struct {
    const char *letter, *name;
  } letters[] = {{"-e", "\"--company\""}, {"-e", "\"--entity\""}, {"-f", "\"--form\""},
                 {"-n", "\"--limit\""},   {"-p", "\"--period\""}, {"-P", "\"--param\""}};
  struct slice options = json_get(tool->run, "options"), name, value;
  struct json_cursor c = {0};
  while (options.len && json_next_member(options, &c, &name, &value)) {
    if (json_is_text(value, option))
      return name;
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
      if (slice_is(option, letters[i].letter) && slice_is(value, letters[i].name))
        return name;
  }
  return slice_of(NULL, 0);
}

static int spoken_read(struct spoken_command *s, const struct tool_table *t, struct slice command) {
  char program[32];
  struct slice word = spoken_word(&command);
  int apart = slice_is(word, "bid"); /* "bid ingest" */
  if (apart)
    word = spoken_word(&command);
  int n = snprintf(program, sizeof program, "%s%.*s", apart ? "bid-" : "", (int)word.len, word.data);
  s->tool = n < (int)sizeof program ? spoken_tool(t, slice_str(program)) : NULL;
  for (s->rest = command; s->tool && (word = spoken_word(&command)).len && *word.data == '-';
       s->rest = command) {
    struct spoken_argument *a = &s->arguments[s->count];
    if (s->count == SPOKEN_ARGUMENTS || (a->name = spoken_option(s->tool, word)).len == 0)
      return -1;
    a->value = spoken_word(&command);
    s->count++;
  }
  return s->tool ? 0 : -1;
}

/* Whether an argument came before. */
static int spoken_is_again(const struct spoken_command *s, size_t i) {
  for (size_t k = 0; k < i; k++)
    if (slice_eq(s->arguments[k].name, s->arguments[i].name))
      return 1;
  return 0;
}

static void spoken_add_argument(const struct spoken_command *s, size_t i, struct buf *out) {
  struct slice name = s->arguments[i].name;
  struct slice schema = json_member(json_get(s->tool->input_schema, "properties"), name);
  struct slice type = json_get(schema, "type");
  int list = json_is_text(type, slice_str("array")), bare = json_is_text(type, slice_str("integer"));
  buf_printf(out, "%s\"%.*s\": %s", out->data[out->len - 1] == '{' ? "" : ", ", (int)name.len, name.data,
             list ? "[" : "");
  for (size_t k = i, n = 0; k < s->count; k++)
    if (slice_eq(s->arguments[k].name, name) && (list || !n))
      buf_printf(out, bare ? "%s%.*s" : "%s\"%.*s\"", n++ ? ", " : "", (int)s->arguments[k].value.len,
                 s->arguments[k].value.data);
  buf_add_str(out, list ? "]" : "");
}

/* Appends the tool's name and its arguments, "`ingest` {"company": "WMT", "forms": ["10-K"]}", for a command at the start of a
 * text, which ends before a word that is no option.  Returns its length, or 0 with nothing appended where no tool runs the program,
 * or has no argument for one of the options. */
static size_t spoken_command_add(const struct tool_table *t, struct slice command, struct buf *out) {
  struct spoken_command s = {0};
  if (spoken_read(&s, t, command))
    return 0;
  buf_printf(out, "`%.*s`", (int)s.tool->name.len, s.tool->name.data);
  if (s.count)
    buf_add_str(out, " {");
  for (size_t i = 0; i < s.count; i++)
    if (!spoken_is_again(&s, i))
      spoken_add_argument(&s, i, out);
  if (s.count)
    buf_add_char(out, '}');
  return command.len - s.rest.len;
}

/* ---- arguments ---- */

/* An element of a list, if it is a string, without its quotation marks. */
static struct slice arguments_bare(struct slice text) {
  return json_kind(text) == '"' ? slice_of(text.data + 1, text.len - 2) : slice_of(NULL, 0);
}

/* The name in the schema for `key`: itself, or the member of its group that the schema has. */
static struct slice arguments_name(struct slice groups, struct slice properties, struct slice key) {
  struct json_cursor g = {0};
  struct slice group, name, known = slice_of(NULL, 0);
  if (json_member(properties, key).len > 0)
    return key;
  while (groups.len > 0 && json_next_element(groups, &g, &group)) {
    struct json_cursor c = {0};
    int within = 0;
    known.len = 0;
    while (json_next_element(group, &c, &name)) {
      within |= json_key_is(key, arguments_bare(name));
      if (json_member(properties, arguments_bare(name)).len > 0)
        known = arguments_bare(name);
    }
    if (within && known.len > 0)
      return known;
  }
  return key;
}

/* The only element of a list; empty for any other value. */
static struct slice arguments_only(struct slice value) {
  struct json_cursor c = {0};
  struct slice first, second;
  if (json_kind(value) == '[' && json_next_element(value, &c, &first) &&
      !json_next_element(value, &c, &second))
    return first;
  return slice_of(NULL, 0);
}

/* A string of digits, without its quotation marks; empty for any other value. */
static struct slice arguments_number(struct slice value) {
  struct slice digits = arguments_bare(value);
  size_t i = 0;
  while (i < digits.len && digits.data[i] >= '0' && digits.data[i] <= '9')
    i++;
  int number = i == digits.len && i > 0 && (digits.data[0] != '0' || i == 1); /* as JSON writes it */
  return number ? digits : slice_of(NULL, 0);
}

static void arguments_add(struct buf *out, struct slice schema, struct slice name, struct slice value) {
  struct slice type = json_get(schema, "type"), only = arguments_only(value);
  int wrap = json_is_text(type, slice_str("array")) && json_kind(value) == '"';
  if (json_is_text(type, slice_str("integer")) && arguments_number(value).len > 0)
    value = arguments_number(value);
  buf_add_str(out, out->data[out->len - 1] == '{' ? "\"" : ",\"");
  buf_add_slice(out, name);
  buf_add_str(out, wrap ? "\":[" : "\":");
  buf_add_slice(out, json_is_text(type, slice_str("string")) && json_kind(only) == '"' ? only : value);
  buf_add_str(out, wrap ? "]" : "");
}

void tool_arguments_settle(const struct tool_table *t, const struct tool *tool, struct slice arguments,
                           struct buf *out) {
  struct slice groups = json_get(buf_slice(&t->text), "sameArguments"), key, value;
  struct slice properties = json_get(tool->input_schema, "properties");
  struct json_cursor c = {0};
  buf_add_char(out, '{');
  while (json_next_member(arguments, &c, &key, &value)) {
    struct slice name = arguments_name(groups, properties, key);
    arguments_add(out, json_member(properties, name), name, value);
  }
  buf_add_char(out, '}');
}

static int arguments_have_one(struct slice needs, struct slice arguments, struct error_text *e) {
  struct slice name;
  struct json_cursor c = {0};
  while (needs.len > 0 && json_next_element(needs, &c, &name))
    if (json_member(arguments, arguments_bare(name)).len > 0)
      return 0;
  if (needs.len == 0)
    return 0;
  error_set(e, "arguments: one of %.*s is needed", (int)(needs.len - 2), needs.data + 1);
  return -1;
}

int tool_arguments_suffice(const struct tool *tool, struct slice arguments, struct error_text *e) {
  return arguments_have_one(json_get(tool->run, "needs"), arguments, e) ||
                 arguments_have_one(json_get(tool->run, "needsToo"), arguments, e)
             ? -1
             : 0;
}

/* The argument for the option at the start of `said`, and the option's length; empty if there is none. */
static struct slice arguments_of_option(const struct tool *tool, struct slice said, size_t *len) {
  for (*len = 0; *len < said.len && strchr("-abcdefghijklmnopqrstuvwxyz", said.data[*len]);)
    ++*len;
  if (said.len > 2 && memcmp(said.data, "-P", 2) == 0)
    *len = 2;
  return spoken_option(tool, slice_of(said.data, *len));
}

/* The length of "; see 'bid-NAME --help'" at the start of `said`, or 0. */
static size_t arguments_help_hint(struct slice said) {
  static const char lead[] = "; see 'bid-", end[] = " --help'";
  const char *close;
  if (said.len < sizeof lead || memcmp(said.data, lead, sizeof lead - 1) != 0)
    return 0;
  close = memmem(said.data, said.len, end, sizeof end - 1);
  return close ? (size_t)(close - said.data) + sizeof end - 1 : 0;
}

/* The length of a command at the start of `said`, "bid ingest -e AAPL" or "bid-ingest ...": up to a quotation mark,
 * where it is `quoted`, or a stop; 0 where there is none. */
static size_t arguments_command(struct slice said, int quoted) {
  size_t len = 4;
  if (said.len < 5 || memcmp(said.data, "bid", 3) != 0 || !strchr(" -", said.data[3]) || said.data[4] < 'a' ||
      said.data[4] > 'z')
    return 0;
  while (len < said.len && !strchr(quoted ? "'\n" : ",;)\n", said.data[len]))
    len++;
  const char *gap = memchr(said.data, ' ', len);
  return gap && gap[-1] == ':' ? 0 : len; /* "bid-facts: " begins a message */
}

/* Appends a command as the call of a tool, without the quotation marks around it, or as it is; returns the length that this takes
 * from the message. */
static size_t arguments_speak_command(const struct tool_table *t, struct slice command, int quoted,
                                      struct buf *out) {
  size_t before = out->len, n;
  out->len -= (size_t)quoted;
  n = spoken_command_add(t, command, out);
  if (n == command.len)
    return n + (size_t)quoted;
  if (n && !quoted)
    return n;
  out->len = before;
  buf_add_slice(out, command);
  return command.len;
}

void tool_arguments_speak(const struct tool_table *t, const struct tool *tool, struct slice said,
                          struct buf *out) {
  for (size_t at = 0, len; at < said.len; at += len) {
    struct slice rest = slice_of(said.data + at, said.len - at);
    struct slice name = slice_of(NULL, 0);
    char before = at ? said.data[at - 1] : ' ';
    if (strchr(" '(", before) && (len = arguments_command(rest, before == '\'')) > 0) {
      len = arguments_speak_command(t, slice_of(rest.data, len), before == '\'', out);
      continue;
    }
    if (said.data[at] == '-' && strchr(" '(,", before))
      name = arguments_of_option(tool, rest, &len);
    if (name.len > 0) {
      buf_printf(out, "%.*s", (int)name.len, name.data);
      if (len == 2 && said.data[at + 1] == 'P' && rest.len > 2) { /* "-P region=..." */
        buf_add_char(out, '.');
        len++;
      }
      continue;
    }
    if ((len = arguments_help_hint(rest)) == 0)
      buf_add_char(out, said.data[at + (len = 1) - 1]);
  }
}
