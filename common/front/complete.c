/* complete.c: candidates for a word of a command line. */
#include "front/commands.h"

#include "record/json.h"
#include "tables/report_forms.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { COMPLETE_SECONDS = 15, COMPLETE_IDS = 50 };

/* A command line being completed. */
struct completion {
  struct buf *out;
  const char *word;   /* the part of the word typed so far */
  const char *before; /* prepended to each candidate: "--mode=", or "" */
};

/* A line of --options: what a command says of one of its options. */
struct complete_option {
  const char *letter, *name, *argument, *words, *text;
};

static void complete_add(struct completion *c, const char *candidate, const char *what) {
  if (strncmp(candidate, c->word, strlen(c->word)) != 0)
    return;
  size_t start = c->out->len;
  buf_add_str(c->out, c->before);
  size_t from = c->out->len;
  buf_add_masked(c->out, slice_str(candidate));
  if (!slice_is(slice_of(c->out->data + from, c->out->len - from), candidate)) {
    c->out->len = start; /* without a description: drop it */
    return;
  }
  buf_add_char(c->out, '\t');
  buf_add_masked(c->out, slice_str(what));
  buf_add_char(c->out, '\n');
}

static void complete_files(struct completion *c) {
  buf_printf(c->out, "%s\tfiles\n", "");
}

/* Runs bid-NAME with up to three arguments; stdout is in child->out. */
static void complete_run(struct command_output *child, const char *name, const char *a, const char *b) {
  struct buf path;
  buf_init(&path, PATH_MAX);
  const char *argv[] = {NULL, a, b, NULL};
  if (commands_find(&path, name) == 0)
    argv[0] = path.data;
  command_run(child, argv[0] ? argv : (const char *const[]){"false", NULL}, COMPLETE_SECONDS);
  buf_release(&path);
}

/* ---- options ---- */

/* Reads the next line of --options at *at, which it cuts up.  0 at the end. */
static int complete_next_option(char **at, struct complete_option *o) {
  char *line = *at ? strsep(at, "\n") : NULL;
  if (!line || !*line)
    return 0;
  const char **fields[] = {&o->letter, &o->name, &o->argument, &o->words, &o->text};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    const char *field = strsep(&line, "\t");
    *fields[i] = field ? field : "";
  }
  return 1;
}

static int complete_is_option(const struct complete_option *o, const char *word) {
  return strcmp(o->name, word) == 0 ||
         (word[0] == '-' && word[1] && !word[2] && word[1] == o->letter[0] && !o->letter[1]);
}

/* Finds the option for a word in `table`, a copy of what --options printed, which it cuts up.  0 where there is none. */
static int complete_find_option(char *table, const char *word, struct complete_option *o) {
  while (complete_next_option(&table, o))
    if (complete_is_option(o, word) && *o->argument)
      return 1;
  return 0;
}

static void complete_options(struct completion *c, char *table) {
  struct complete_option o;
  while (complete_next_option(&table, &o))
    if (strcmp(o.letter, "usage") != 0)
      complete_add(c, o.name, o.text);
}

static void complete_listed(struct completion *c, const char *words) {
  char copy[200], *at = copy, *word;
  snprintf(copy, sizeof copy, "%s", words);
  while (*words && (word = strsep(&at, " ")))
    complete_add(c, word, "");
}

/* ---- local data ---- */

static void complete_sources(struct completion *c) {
  struct command_output list;
  struct buf name, what;
  char *save = NULL;
  buf_init(&name, 4096);
  buf_init(&what, 65536);
  complete_run(&list, "fetch", "--list", "--json");
  for (char *line = list.out.len ? strtok_r(list.out.data, "\n", &save) : NULL; line;
       line = strtok_r(NULL, "\n", &save)) {
    struct slice record = slice_str(line);
    size_t n = record.len;
    if (*line != '{' || line[n - 1] != '}')
      continue;
    struct slice called = json_text(json_get(record, "name"), &name),
                 text = json_text(json_get(record, "description"), &what);
    char copy[64], says[100];
    snprintf(copy, sizeof copy, "%.*s", (int)called.len, called.data);
    snprintf(says, sizeof says, "%.*s", (int)text.len, text.data);
    complete_add(c, copy, says);
  }
  command_output_release(&list);
  buf_release(&name);
  buf_release(&what);
}

/* Adds collections, or with part 2 their companies, with part 3 their forms, without duplicates. */
static void complete_collections(struct completion *c, int part) {
  struct command_output list;
  struct buf name, said;
  char *save = NULL;
  buf_init(&name, 4096);
  buf_init(&said, 65536);
  buf_add_char(&said, '\n');
  complete_run(&list, "store", "ls", "--json");
  for (char *line = list.out.len ? strtok_r(list.out.data, "\n", &save) : NULL; line;
       line = strtok_r(NULL, "\n", &save)) {
    char copy[200], needle[210], *at = copy;
    struct slice called = json_text(json_get(slice_str(line), "collection"), &name);
    snprintf(copy, sizeof copy, "%.*s", (int)called.len, called.data);
    for (int i = 0; at && i < part; i++)
      at = strchr(at, '_') ? strchr(at, '_') + 1 : NULL;
    if (!at || !*at)
      continue;
    if (part)
      at[strcspn(at, "_")] = '\0';
    snprintf(needle, sizeof needle, "\n%s\n", at);
    if (strstr(said.data, needle))
      continue;
    buf_add_str(&said, needle + 1);
    complete_add(c, at, "");
  }
  command_output_release(&list);
  buf_release(&name);
  buf_release(&said);
}

static void complete_forms(struct completion *c) {
  static const char *const forms[] = {REPORT_FORMS_OFFERED, NULL};
  for (size_t i = 0; forms[i]; i++)
    complete_add(c, forms[i], "");
}

/* Adds the first ids in the store that begin with the word. */
static void complete_ids(struct completion *c) {
  struct buf path, command;
  char *line = NULL;
  size_t room = 0, found = 0;
  buf_init(&path, PATH_MAX);
  buf_init(&command, 2 * PATH_MAX);
  if (commands_find(&path, "store") == 0 && !strchr(path.data, '\'')) {
    buf_printf(&command, "'%s' dump --plain 2>/dev/null", path.data);
    FILE *in = popen(command.data, "r");
    while (in && found < COMPLETE_IDS && getline(&line, &room, in) > 0) {
      char *id = strstr(line, "\"id\":\"");
      while (id && (strspn(id + 6, "0123456789abcdef") != 32 || id[6 + 32] != '"'))
        id = strstr(id + 1, "\"id\":\""); /* the entity's id comes first */
      if (!id)
        continue;
      id[6 + 32] = '\0';
      size_t before = c->out->len;
      complete_add(c, id + 6, "");
      found += c->out->len > before;
    }
    if (in)
      pclose(in);
  }
  free(line);
  buf_release(&path);
  buf_release(&command);
}

static void complete_commands(struct completion *c) {
  struct commands all;
  commands_load(&all);
  for (size_t i = 0; i < all.count; i++)
    complete_add(c, all.rows[i].name, all.rows[i].summary);
  commands_release(&all);
}

/* Adds the lower-case words of the synopsis: the commands of bid-store. */
static void complete_synopsis(struct completion *c, char *table) {
  struct complete_option o;
  while (complete_next_option(&table, &o) && strcmp(o.letter, "usage") == 0) {
    char *copy = xstrdup(o.name), *at = copy, *word;
    while ((word = strsep(&at, " |")))
      if (*word && strspn(word, "abcdefghijklmnopqrstuvwxyz") == strlen(word))
        complete_add(c, word, "");
    free(copy);
  }
}

/* ---- words ---- */

static void complete_value(struct completion *c, const struct complete_option *o) {
  size_t before = c->out->len;
  if (strcmp(o->name, "--collection") == 0)
    complete_collections(c, 0);
  else if (strcmp(o->name, "--company") == 0)
    complete_collections(c, 2);
  else if (strcmp(o->name, "--form") == 0)
    complete_forms(c);
  else if (strcmp(o->name, "--describe") == 0 || strcmp(o->name, "--check") == 0)
    complete_sources(c);
  else
    complete_listed(c, o->words);
  if (c->out->len == before &&
      (strstr(o->argument, "FILE") || strstr(o->argument, "PATH") || strstr(o->argument, "FOLDER")))
    complete_files(c);
}

static void complete_operand(struct completion *c, char *table, const char *command, size_t at,
                             const char *first) {
  if (strcmp(command, "bid-fetch") == 0 && at == 1)
    complete_sources(c);
  else if (strcmp(command, "bid-store") == 0 && at == 1)
    complete_synopsis(c, table);
  else if (strcmp(command, "bid-store") == 0 && strcmp(first, "show") == 0)
    complete_ids(c);
  else if (strcmp(command, "bid-search") != 0 && strcmp(command, "bid-retrieve") != 0)
    complete_files(c);
}

/* The option whose value the word at `at` is, with or without "=" in between. */
static const char *complete_option_before(char *const *words, size_t at) {
  if (at >= 2 && strcmp(words[at - 1], "=") == 0)
    return words[at - 2];
  return at >= 1 ? words[at - 1] : "";
}

static void complete_command(struct completion *c, const char *command, char *const *words, size_t at) {
  struct command_output printed;
  struct complete_option o;
  char prefix[64];
  const char *equals = strncmp(c->word, "--", 2) == 0 ? strchr(c->word, '=') : NULL;
  complete_run(&printed, command + 4, "--options", NULL);
  char *table = xstrndup(printed.out.len ? printed.out.data : "", printed.out.len), *copy = xstrdup(table);
  snprintf(prefix, sizeof prefix, "%.*s", equals ? (int)(equals - c->word) : 0, c->word);
  if (complete_find_option(copy, equals ? prefix : complete_option_before(words, at), &o)) {
    if (equals) {
      snprintf(prefix, sizeof prefix, "%s=", o.name);
      c->before = prefix;
      c->word = equals + 1;
    }
    complete_value(c, &o);
  } else if (!equals && c->word[0] == '-') {
    complete_options(c, table);
  } else if (!equals) {
    complete_operand(c, table, command, at, words[1]);
  }
  free(table);
  free(copy);
  command_output_release(&printed);
}

void complete_words(struct buf *out, char *const *words, size_t count, size_t at) {
  const char *slash = count ? strrchr(words[0], '/') : NULL;
  const char *command = slash ? slash + 1 : count ? words[0] : "";
  char name[80];
  if (at == 0 || at >= count)
    return;
  struct completion c = {.out = out, .word = strcmp(words[at], "=") == 0 ? "" : words[at], .before = ""};
  if (strcmp(words[at], "=") == 0) /* "--mode=": the value starts here */
    at++;
  if (strcmp(command, "bid") == 0 && (at == 1 || (at == 2 && strcmp(words[1], "help") == 0))) {
    complete_commands(&c);
    return;
  }
  if (strcmp(command, "bid") == 0) {
    snprintf(name, sizeof name, "bid-%.60s", words[1]);
    command = name;
    words++;
    at--;
  }
  if (strncmp(command, "bid-", 4) == 0)
    complete_command(&c, command, words, at);
}
