#include "mcp/spoken_command.h"

#include "record/json.h"

#include <stdio.h>

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
    const char *letter, *names[2];
  } letters[] = {{"-e", {"\"--company\"", "\"--entity\""}},
                 {"-f", {"\"--form\"", NULL}},
                 {"-n", {"\"--limit\"", NULL}},
                 {"-p", {"\"--period\"", NULL}}};
  struct slice options = json_get(tool->run, "options"), name, value;
  struct json_cursor c = {0};
  while (options.len && json_next_member(options, &c, &name, &value)) {
    if (json_is_text(value, option))
      return name;
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
      for (size_t k = 0; k < 2 && letters[i].names[k] && slice_is(option, letters[i].letter); k++)
        if (slice_is(value, letters[i].names[k]))
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

size_t spoken_command_add(const struct tool_table *t, struct slice command, struct buf *out) {
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
