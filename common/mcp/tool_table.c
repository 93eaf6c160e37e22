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

/* ---- options in messages ---- */

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
