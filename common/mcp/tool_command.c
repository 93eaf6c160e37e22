#include "mcp/tool_command.h"

#include "record/json.h"

#include <stdlib.h>

struct tool_words {
  char **argv;
  size_t count;
  int bad; /* a text with a zero byte, or too many words */
};

static void tool_add_word(struct tool_words *w, struct slice text) {
  if (w->count == TOOL_WORDS || (text.len > 0 && memchr(text.data, 0, text.len)))
    w->bad = 1;
  else
    w->argv[w->count++] = xstrndup(text.len ? text.data : "", text.len);
}

/* Adds a JSON string or number as an argument. */
static void tool_add_value(struct tool_words *w, struct slice value) {
  struct buf scratch;
  buf_init(&scratch, (size_t)64 << 20);
  tool_add_word(w, json_kind(value) == '"' ? json_text(value, &scratch) : value);
  buf_release(&scratch);
}

/* Adds name=value for an object's member. */
static void tool_add_pair(struct tool_words *w, struct slice key, struct slice value) {
  struct buf pair, scratch;
  buf_init(&pair, (size_t)64 << 20);
  buf_init(&scratch, (size_t)64 << 20);
  json_decode(slice_of(key.data - 1, key.len + 2), &pair);
  buf_add_char(&pair, '=');
  buf_add_slice(&pair, json_kind(value) == '"' ? json_text(value, &scratch) : value);
  tool_add_word(w, buf_slice(&pair));
  buf_release(&scratch);
  buf_release(&pair);
}

/* Adds an option with its value: repeated for a list, NAME=VALUE for an object, alone for true. */
static void tool_add_option(struct tool_words *w, struct slice option, struct slice value) {
  struct json_cursor c = {0};
  struct slice key, one;
  switch (json_kind(value)) {
  case '[':
    while (json_next_element(value, &c, &one)) {
      tool_add_value(w, option);
      tool_add_value(w, one);
    }
    break;
  case '{':
    while (json_next_member(value, &c, &key, &one)) {
      tool_add_value(w, option);
      tool_add_pair(w, key, one);
    }
    break;
  case 't':
    tool_add_value(w, option);
    break;
  case 'f':
  case 'n':
    break;
  default:
    tool_add_value(w, option);
    tool_add_value(w, value);
  }
}

/* Adds all elements of a list in the table. */
static void tool_add_fixed(struct tool_words *w, struct slice list) {
  struct json_cursor c = {0};
  struct slice one;
  while (list.len > 0 && json_next_element(list, &c, &one))
    tool_add_value(w, one);
}

static void tool_add_operands(struct tool_words *w, struct slice names, struct slice arguments) {
  struct json_cursor c = {0};
  struct slice name;
  if (names.len == 0)
    return;
  tool_add_word(w, slice_str("--"));
  while (json_next_element(names, &c, &name)) {
    struct slice value = json_member(arguments, slice_of(name.data + 1, name.len - 2));
    if (json_kind(value) == '[')
      tool_add_fixed(w, value);
    else if (value.len > 0)
      tool_add_value(w, value);
  }
}

char **tool_command(const struct tool_table *t, const struct tool *tool, struct slice arguments,
                    struct error_text *e) {
  struct tool_words w = {.argv = xcalloc(TOOL_WORDS + 1, sizeof(char *))};
  struct slice options = json_get(tool->run, "options"), name, option;
  struct json_cursor c = {0};
  tool_add_word(&w, slice_str(tool->path));
  tool_add_fixed(&w, json_get(tool->run, "arguments"));
  if (!t->may_write)
    tool_add_fixed(&w, json_get(tool->run, "readOnly"));
  while (options.len > 0 && json_next_member(options, &c, &name, &option)) {
    struct slice value = json_member(arguments, name);
    if (value.len > 0)
      tool_add_option(&w, option, value);
  }
  tool_add_operands(&w, json_get(tool->run, "operands"), arguments);
  if (!w.bad)
    return w.argv;
  error_set(e, "the arguments have a zero byte or are more than %d words", TOOL_WORDS);
  tool_command_free(w.argv);
  return NULL;
}

void tool_command_free(char **argv) {
  for (size_t i = 0; argv != NULL && argv[i] != NULL; i++)
    free(argv[i]);
  free(argv);
}

void tool_question(const struct tool *tool, struct slice arguments, struct buf *out) {
  struct slice fields = json_get(tool->run, "fields"), key, value;
  struct json_cursor c = {0};
  buf_add_char(out, '{');
  while (json_next_member(arguments, &c, &key, &value)) {
    struct json_cursor f = {0};
    struct slice name, field, as = slice_of(key.data - 1, key.len + 2);
    while (json_next_member(fields, &f, &name, &field))
      if (json_key_is(key, name))
        as = field;
    buf_add_str(out, out->data[out->len - 1] == '{' ? "" : ",");
    buf_add_slice(out, as);
    buf_add_char(out, ':');
    buf_add_slice(out, value);
  }
  buf_add_str(out, "}\n");
}
