#include "record/program_options.h"

#include "base/diag.h"
#include "base/near_name.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_OPTIONS = 80, LONG_BASE = 256, HELP_COLUMN = 28 };

/* Of the running program; static, since option tables need constant addresses. */
static struct program_manners manners;
static const struct program_option common_options[] = {
    {OPTION_HEADING, 0, NULL, NULL, NULL, "As in every command:"},
    {OPTION_FLAG, 0, "json", NULL, &manners.json, "records on stdout, even on a terminal"},
    {OPTION_FLAG, 0, "human", NULL, &manners.human, "text on stdout, even in a pipe"},
    {OPTION_TEXT, 0, "color", "WHEN", &manners.color, "auto, always or never: color on stdout"},
    {OPTION_TEXT, 0, "colour", "WHEN", &manners.color, NULL},
    {OPTION_FLAG, 'q', "quiet", NULL, &manners.quiet, "print only errors on stderr"},
    {OPTION_TEXT, 0, "progress", "WHEN", &manners.progress, "auto, always or never: show progress on stderr"},
    {OPTION_FLAG, 0, "stats", NULL, &manners.stats, "end with a line of statistics (JSON) on stderr"},
    {OPTION_FLAG, 'h', "help", NULL, &manners.help, "show this help"},
    {OPTION_FLAG, 0, "version", NULL, &manners.version, "show the version, libraries, model and CPU path"},
    {OPTION_END, 0, NULL, NULL, NULL, NULL}};

/* The i-th option of a program: its own first, then the common ones. */
static const struct program_option *option_at(const struct program_spec *spec, int i) {
  const struct program_option *o = spec->options;
  for (; o && o->kind != OPTION_END; o++)
    if (i-- == 0)
      return o;
  for (o = common_options; o->kind != OPTION_END; o++)
    if (i-- == 0)
      return o;
  return NULL;
}

static int takes_argument(const struct program_option *o) {
  if (o->kind == OPTION_FLAG || o->kind == OPTION_NOFLAG || o->kind == OPTION_HEADING)
    return no_argument;
  return o->argument && o->argument[0] == '[' ? optional_argument : required_argument;
}

static void help_option(struct output *out, const struct program_option *o) {
  char left[128];
  if (o->kind == OPTION_HEADING) {
    output_printf(out, "\n%s\n", o->help);
    return;
  }
  int n = 0;
  if (o->letter)
    n = snprintf(left, sizeof left, "  -%c%s", o->letter, o->name ? ", " : "");
  else
    n = snprintf(left, sizeof left, "      ");
  if (o->name)
    n += snprintf(left + n, sizeof left - (size_t)n, "--%s", o->name);
  if (o->argument)
    snprintf(left + n, sizeof left - (size_t)n, "%s%s", o->name ? "=" : " ", o->argument);
  if (strlen(left) < HELP_COLUMN - 1)
    output_printf(out, "%-*s%s\n", HELP_COLUMN, left, o->help);
  else
    output_printf(out, "%s\n%*s%s\n", left, HELP_COLUMN, "", o->help);
}

void program_options_help(const struct program_spec *spec, struct output *out) {
  const struct program_option *o;
  const char *line = spec->synopsis;
  for (const char *lead = "Usage:"; *line; lead = "      ") {
    size_t n = strcspn(line, "\n");
    output_printf(out, "%s %s %.*s\n", lead, spec->name, (int)n, line);
    line += n + (line[n] == '\n');
  }
  output_printf(out, "%s\n%s", spec->summary, spec->options->kind == OPTION_HEADING ? "" : "\n");
  for (int i = 0; (o = option_at(spec, i)); i++)
    if (o->help)
      help_option(out, o);
  if (spec->footer)
    output_printf(out, "\n%s\n", spec->footer);
}

int program_usage(const struct program_spec *spec, const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  diag_warn("%s; see '%s --help'", text, spec->name);
  return EX_USAGE;
}

int program_usage_unknown(const struct program_spec *spec, const char *what, const char *word,
                          const char *const *names) {
  enum { FEW = 16 };
  struct near_name near;
  struct buf all;
  size_t count = 0;
  int status;
  near_name_init(&near, word);
  buf_init(&all, 800);
  for (; names[count]; count++) {
    near_name_try(&near, names[count]);
    buf_printf(&all, "%s%s", count ? ", " : "", names[count]);
  }
  if (near.best)
    status = program_usage(spec, "unknown %s '%.200s'; the nearest is '%s'", what, word, near.best);
  else if (count > 0 && count <= FEW)
    status = program_usage(spec, "unknown %s '%.200s'; there are: %s", what, word, all.data);
  else
    status = program_usage(spec, "unknown %s '%.200s'", what, word);
  buf_release(&all);
  return status;
}

static int parse_size(const char *text, size_t *value) {
  static const char units[] = "KMG";
  char *end;
  errno = 0;
  unsigned long long v = strtoull(text, &end, 10);
  if (end == text || errno || strchr(text, '-'))
    return -1;
  const char *unit = *end ? strchr(units, *end & ~32) : NULL;
  unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
  if (*end && (!unit || end[1]))
    return -1;
  if (v > (SIZE_MAX >> shift))
    return -1;
  *value = (size_t)v << shift;
  return 0;
}

/* Explains why parse_size() rejected a number. */
static const char *size_fault(const char *text) {
  const char *digits = text + (*text == '-');
  if (!*digits || digits[strspn(digits, "0123456789")])
    return "not a whole number";
  return *text == '-' ? "below 0" : "too large";
}

static int parse_real(const char *text, double *value) {
  char *end;
  errno = 0;
  *value = strtod(text, &end);
  return end == text || *end || errno || !isfinite(*value) ? -1 : 0;
}

static void program_list_add(struct option_list *list, const char *item) {
  list->items = xreallocarray(list->items, list->count + 1, sizeof *list->items);
  list->items[list->count++] = item;
}

static int program_take(const struct program_spec *spec, const struct program_option *o,
                        const char *argument) {
  switch (o->kind) {
  case OPTION_FLAG:
    *(int *)o->value = 1;
    break;
  case OPTION_NOFLAG:
    *(int *)o->value = 0;
    break;
  case OPTION_TEXT:
    *(const char **)o->value = argument ? argument : "";
    break;
  case OPTION_LIST:
    program_list_add(o->value, argument);
    break;
  case OPTION_SIZE:
    if (parse_size(argument, o->value))
      return program_usage(spec, "--%s: '%s' is %s", o->name, argument, size_fault(argument));
    break;
  case OPTION_REAL:
    if (parse_real(argument, o->value))
      return program_usage(spec, "--%s: '%s' is not a number", o->name, argument);
    if (*(double *)o->value < 0)
      return program_usage(spec, "--%s: '%s' is below 0", o->name, argument);
    break;
  default:
    break;
  }
  return 0;
}

/* Builds getopt_long(3)'s tables. */
static void getopt_tables(const struct program_spec *spec, struct option *longs, char *shorts) {
  const struct program_option *o;
  *shorts++ = ':';
  for (int i = 0; (o = option_at(spec, i)) && i < MAX_OPTIONS; i++) {
    int has = takes_argument(o);
    if (o->letter && o->kind != OPTION_HEADING) {
      *shorts++ = o->letter;
      if (has == required_argument)
        *shorts++ = ':';
    }
    if (o->name && o->kind != OPTION_HEADING)
      *longs++ = (struct option){o->name, has, NULL, LONG_BASE + i};
  }
  *shorts = '\0';
  memset(longs, 0, sizeof *longs);
}

static const struct program_option *option_of(const struct program_spec *spec, int code) {
  if (code >= LONG_BASE)
    return option_at(spec, code - LONG_BASE);
  const struct program_option *o;
  for (int i = 0; (o = option_at(spec, i)); i++)
    if (o->letter == code)
      return o;
  return NULL;
}

/* Reports a long option that is unknown or ambiguous. */
static int bad_long_option(const struct program_spec *spec, const char *word) {
  const struct program_option *o;
  struct near_name near;
  struct buf meant;
  size_t length = strcspn(word + 2, "="), several = 0;
  char *name = xstrndup(word + 2, length);
  buf_init(&meant, 800);
  near_name_init(&near, name);
  for (int i = 0; (o = option_at(spec, i)); i++) {
    if (!o->name || !o->help)
      continue;
    near_name_try(&near, o->name);
    if (strncmp(o->name, name, length) == 0)
      buf_printf(&meant, "%s--%s", several++ ? ", " : "", o->name);
  }
  int status = several > 1 ? program_usage(spec, "'--%s' may be %s", name, meant.data)
               : near.best
                   ? program_usage(spec, "unknown option '--%s'; the nearest is '--%s'", name, near.best)
                   : program_usage(spec, "unknown option '--%s'", name);
  buf_release(&meant);
  free(name);
  return status;
}

static int bad_option(const struct program_spec *spec, int code, char **argv) {
  const char *word = argv[optind - 1];
  if (code == ':')
    return program_usage(spec, "%s needs an argument", word);
  if (optopt >= LONG_BASE)
    return program_usage(spec, "%.*s takes no argument", (int)strcspn(word, "="), word);
  if (optopt)
    return program_usage(spec, "unknown option '-%c'", optopt);
  return bad_long_option(spec, word);
}

static int check_when(const struct program_spec *spec, const char *name, const char *when) {
  if (when && strcmp(when, "auto") != 0 && strcmp(when, "always") != 0 && strcmp(when, "never") != 0)
    return program_usage(spec, "%s: '%s' is none of auto, always, never", name, when);
  return 0;
}

static int check_manners(const struct program_spec *spec) {
  int status = check_when(spec, "--progress", manners.progress);
  if (!status)
    status = check_when(spec, "--color", manners.color);
  if (!status && manners.json && manners.human)
    return program_usage(spec, "--json and --human exclude each other");
  return status;
}

int program_options_parse(const struct program_spec *spec, int argc, char **argv, struct program_manners *m,
                          int *operands) {
  struct option longs[MAX_OPTIONS + 1];
  char shorts[2 * MAX_OPTIONS + 2];
  int code, status = 0;
  memset(&manners, 0, sizeof manners);
  getopt_tables(spec, longs, shorts);
  opterr = 0;
  optind = 1;
  unsetenv("POSIXLY_CORRECT"); /* it would make words of a question of the options behind it */
  while (!status && (code = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
    const struct program_option *o = code == '?' || code == ':' ? NULL : option_of(spec, code);
    status = o ? program_take(spec, o, optarg) : bad_option(spec, code, argv);
  }
  *operands = optind;
  *m = manners;
  return status ? status : check_manners(spec);
}
