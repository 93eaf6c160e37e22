/* program.c: what every program does alike: options, help, version, operands, screen, progress, statistics, exit status.
 */
#include "record/program.h"

#include "base/clock.h"
#include "base/cpu.h"
#include "base/diag.h"
#include "base/mask.h"
#include "base/near_name.h"
#include "base/process.h"
#include "base/sandbox.h"
#include "record/error.h"
#include "record/json.h"
#include "record/output.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <link.h>
#include <math.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- progress ---- */

/* Progress reports, drawn by the program or by the pipeline that runs it.
 *
 * A program that runs alone draws its own row on the terminal.  In a pipeline, the pipeline does: it sets
 * BID_PROGRESS to the number of a pipe's descriptor, all programs write lines to that pipe, each at most five times a
 * second and in one write below PIPE_BUF, and `bid progress` draws them as one row.  A line is PROGRAM TAB records
 * TAB bytes TAB total records expected (0 where unknown) TAB current activity.  A pipeline that knows the total
 * reports it as PROGRAM "total".
 */

/* Writes one line; it is dropped where the pipe is full or has no reader. */
struct progress {
  const char *program, *doing;
  uint64_t records, bytes, expected;
};

/* The descriptor of BID_PROGRESS where it is open for writing, else -1. */
static int progress_descriptor(void) {
  const char *set = getenv("BID_PROGRESS");
  struct stat st;
  if (!set || !*set || strspn(set, "0123456789") != strlen(set) || strlen(set) > 4)
    return -1;
  int fd = atoi(set);
  return fd > 2 && fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode) && (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY
             ? fd
             : -1;
}

/* Must not block on a full pipe, nor die of SIGPIPE on one without a reader: poll(2) tells both. */
static void progress_tell(int fd, const struct progress *progress) {
  char line[400];
  struct pollfd p = {.fd = fd, .events = POLLOUT};
  int n = snprintf(line, sizeof line, "%s\t%llu\t%llu\t%llu\t%.300s\n", progress->program,
                   (unsigned long long)progress->records, (unsigned long long)progress->bytes,
                   (unsigned long long)progress->expected, progress->doing);
  if (n > 0 && (size_t)n < sizeof line && poll(&p, 1, 0) == 1 && !(p.revents & (POLLERR | POLLNVAL))) {
    ssize_t ignored = write(fd, line, (size_t)n);
    (void)ignored;
  }
}

/* ---- --version ---- */

/* The file that is loaded for a library name. */
struct loaded {
  const char *name;
  char path[PATH_MAX];
};

static int about_find(struct dl_phdr_info *info, size_t size, void *arg) {
  struct loaded *l = arg;
  const char *slash = strrchr(info->dlpi_name, '/');
  (void)size;
  if (!slash || strcmp(slash + 1, l->name) != 0)
    return 0;
  return realpath(info->dlpi_name, l->path) != NULL;
}

static void about_library(struct output *out, const char *name, const char *lead) {
  struct loaded l = {.name = name};
  const char *shown = name;
  if (dl_iterate_phdr(about_find, &l) && strrchr(l.path, '/'))
    shown = strrchr(l.path, '/') + 1;
  output_printf(out, "%s%s", lead, shown);
}

/* The dynamic section lists the libraries that the program was linked with; the loader has relocated its addresses. */
/* Appends "libraries: " and the files of the libraries that the program is directly linked with, under the names that
 * carry their versions (liblmdb.so.0.0.0). */
static void program_about_libraries(struct output *out) {
  const char *strings = NULL, *lead = "libraries: ";
  for (const ElfW(Dyn) *d = _DYNAMIC; d->d_tag != DT_NULL; d++)
    if (d->d_tag == DT_STRTAB)
      strings = (const char *)d->d_un.d_ptr;
  for (const ElfW(Dyn) *d = _DYNAMIC; strings && d->d_tag != DT_NULL; d++) {
    if (d->d_tag != DT_NEEDED)
      continue;
    about_library(out, strings + d->d_un.d_val, lead);
    lead = ", ";
  }
  output_printf(out, "\n");
}

/* ---- options ---- */

enum { MAX_OPTIONS = 80, LONG_BASE = 256, HELP_COLUMN = 28 };

enum program_when { WHEN_AUTO, WHEN_ALWAYS, WHEN_NEVER };

/* Values of the options that all programs have; static, since option tables need constant addresses. */
static struct { int help, options, version, quiet, stats, json, human; } common;
#define WHEN_WORDS                                                                                           \
  { [WHEN_AUTO] = "auto", [WHEN_ALWAYS] = "always", [WHEN_NEVER] = "never" }
static struct option_choice color = {.words = WHEN_WORDS}, progress = {.words = WHEN_WORDS};
static const struct program_option common_options[] = {
    {OPTION_HEADING, 0, NULL, NULL, NULL, "As in every command:"},
    {OPTION_FLAG, 0, "json", NULL, &common.json, "records on stdout, even on a terminal"},
    {OPTION_FLAG, 0, "human", NULL, &common.human, "text on stdout, even in a pipe"},
    {OPTION_CHOICE, 0, "color", "WHEN", &color, ": color on stdout"},
    {OPTION_CHOICE, 0, "colour", "WHEN", &color, NULL},
    {OPTION_FLAG, 'q', "quiet", NULL, &common.quiet, "print only errors on stderr"},
    {OPTION_CHOICE, 0, "progress", "WHEN", &progress, ": show progress on stderr"},
    {OPTION_FLAG, 0, "stats", NULL, &common.stats, "end with a line of statistics (JSON) on stderr"},
    {OPTION_FLAG, 'h', "help", NULL, &common.help, "show this help"},
    {OPTION_FLAG, 0, "options", NULL, &common.options, NULL},
    {OPTION_FLAG, 0, "version", NULL, &common.version, "show the version, libraries, model and CPU path"},
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

int program_choice_set(struct option_choice *c, const char *word) {
  for (int i = 0; c->words[i]; i++)
    if (strcmp(c->words[i], word) == 0) {
      c->chosen = i;
      c->given = 1;
      return 0;
    }
  return -1;
}

/* Appends the words of a choice with `between` them, and `last` before the last one. */
static void choice_add(struct buf *out, const struct option_choice *c, const char *between,
                       const char *last) {
  for (size_t i = 0; c->words[i]; i++)
    buf_printf(out, "%s%s", !i ? "" : c->words[i + 1] ? between : last, c->words[i]);
}

/* The text of an option in the help. */
static void option_text(const struct program_option *o, struct buf *text) {
  if (o->kind == OPTION_CHOICE)
    choice_add(text, o->value, ", ", " or ");
  buf_add_str(text, o->help);
}

static void help_option(struct output *out, const struct program_option *o) {
  char left[128];
  struct buf text;
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
  buf_init(&text, 4096);
  option_text(o, &text);
  if (strlen(left) < HELP_COLUMN - 1)
    output_printf(out, "%-*s%s\n", HELP_COLUMN, left, text.data);
  else
    output_printf(out, "%s\n%*s%s\n", left, HELP_COLUMN, "", text.data);
  buf_release(&text);
}

static void program_options_help(const struct program_spec *spec, struct output *out) {
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

/* Prints the options as data for completion, one a line: letter, --name, argument, words of a choice, help, with tabs
 * between; before them the lines of the synopsis, each after "usage" and a tab. */
static void program_options_table(const struct program_spec *spec, struct output *out) {
  const struct program_option *o;
  struct buf text, words;
  buf_init(&text, 4096);
  buf_init(&words, 4096);
  for (const char *line = spec->synopsis, *end; *line; line = *end ? end + 1 : end) {
    end = line + strcspn(line, "\n");
    output_printf(out, "usage\t%.*s\n", (int)(end - line), line);
  }
  for (int i = 0; (o = option_at(spec, i)); i++) {
    if (!o->help || !o->name || o->kind == OPTION_HEADING)
      continue;
    buf_clear(&text);
    buf_clear(&words);
    option_text(o, &text);
    if (o->kind == OPTION_CHOICE)
      choice_add(&words, o->value, " ", " ");
    output_printf(out, "%c\t--%s\t%s\t%s\t%s\n", o->letter ? o->letter : '-', o->name,
                  o->argument ? o->argument : "", words.len ? words.data : "", text.data);
  }
  buf_release(&text);
  buf_release(&words);
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

/* Reports a word that is none of a choice's. */
static int bad_choice(const struct program_spec *spec, const struct program_option *o, const char *word) {
  const struct option_choice *c = o->value;
  struct buf words;
  buf_init(&words, 4096);
  choice_add(&words, c, c->words[2] ? ", " : " nor ", c->words[2] ? ", " : " nor ");
  int status = program_usage(spec, "--%s: '%s' is %s %s", o->name, word, c->words[2] ? "none of" : "neither",
                             words.data);
  buf_release(&words);
  return status;
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
  case OPTION_CHOICE:
    if (program_choice_set(o->value, argument))
      return bad_choice(spec, o, argument);
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

/* Parses the options and moves the operands to the end of argv, from argv[*operands] on.  0, or 64 after an error
 * message. */
static int program_options_parse(const struct program_spec *spec, int argc, char **argv, int *operands) {
  struct option longs[MAX_OPTIONS + 1];
  char shorts[2 * MAX_OPTIONS + 2];
  int code, status = 0;
  getopt_tables(spec, longs, shorts);
  opterr = 0;
  optind = 1;
  unsetenv("POSIXLY_CORRECT"); /* it would make words of a question of the options behind it */
  while (!status && (code = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
    const struct program_option *o = code == '?' || code == ':' ? NULL : option_of(spec, code);
    status = o ? program_take(spec, o, optarg) : bad_option(spec, code, argv);
  }
  *operands = optind;
  if (!status && common.json && common.human)
    return program_usage(spec, "--json and --human exclude each other");
  return status;
}

/* ---- a run ---- */

enum { PROGRESS_AUTO = 1, PROGRESS_ALWAYS };

static struct buf stat_members; /* members added by program_stat() */

static int wants(const struct option_choice *when, int by_itself) {
  return when->chosen == WHEN_AUTO ? by_itself : when->chosen == WHEN_ALWAYS;
}

enum program_form program_form(const struct program *p, const struct option_choice *form) {
  if (form->chosen == FORM_AUTO)
    return p->people ? FORM_TEXT : FORM_JSON;
  return (enum program_form)form->chosen;
}

/* NO_COLOR as defined by no-color.org: set and not empty. */
static int takes_colour(void) {
  const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
  return isatty(STDOUT_FILENO) && !(no && *no) && !(term && strcmp(term, "dumb") == 0);
}

static void program_set_common(struct program *p) {
  p->quiet = common.quiet;
  p->stats = common.stats;
  p->progress_fd = progress.given ? -1 : progress_descriptor();
  if (p->progress_fd >= 0 || progress.chosen == WHEN_ALWAYS)
    p->progress = PROGRESS_ALWAYS;
  else if (wants(&progress, !common.quiet && isatty(STDERR_FILENO)))
    p->progress = PROGRESS_AUTO;
  diag_over_row(p->progress && isatty(STDERR_FILENO));
  p->colour = wants(&color, takes_colour());
  p->people = common.human || (!common.json && isatty(STDOUT_FILENO));
  p->columns = p->people ? screen_columns() : 0;
  p->out.for_people |= p->people;
}

/* Rejects an invalid BID_NOW, which would otherwise silently mean "now". */
static int check_now(void) {
  const char *now = getenv("BID_NOW");
  int64_t t;
  if (!now || !*now || clock_parse(now, &t) == 0)
    return 0;
  diag_warn("BID_NOW: '%s' is no time such as 2026-03-05T00:00:00Z; correct or unset it", now);
  return EX_CONFIG;
}

static void (*about_more)(struct output *out);

void program_on_version(void (*about)(struct output *out)) {
  about_more = about;
}

static int program_print_about(struct program *p) {
  if (common.options) {
    program_options_table(p->spec, &p->out);
  } else if (common.help) {
    program_options_help(p->spec, &p->out);
    program_fold(p, 0, SCREEN_HANG_AUTO);
  } else {
    output_printf(&p->out, "%s %s\n", p->spec->name, BID_VERSION);
    program_about_libraries(&p->out);
    if (about_more)
      about_more(&p->out);
    output_printf(&p->out, "cpu: %s\nsandbox: %s\n", cpu_name(), sandbox_offered());
  }
  p->stats = p->progress = 0;
  return program_finish(p);
}

int program_start(struct program *p, const struct program_spec *spec, int argc, char **argv) {
  int operands = 0;
  process_init();
  memset(p, 0, sizeof *p);
  diag_set_program(spec->name);
  p->spec = spec;
  p->input_name = "stdin";
  p->started = clock_monotonic();
  buf_init(&stat_members, 65536);
  output_init(&p->out, STDOUT_FILENO);
  int status = program_options_parse(spec, argc, argv, &operands);
  if (status)
    return status;
  p->operands = argv + operands;
  p->operand_count = argc - operands;
  program_set_common(p);
  if (common.help || common.version || common.options)
    return program_print_about(p);
  status = check_now();
  return status ? status : -1;
}

void program_fail(struct program *p, int status) {
  if (p->status <= EXIT_NOTHING && status > p->status)
    p->status = status;
}

void program_fold(struct program *p, size_t from, size_t hang) {
  struct buf *out = &p->out.buf, folded;
  if (!p->columns || out->len <= from)
    return;
  buf_init(&folded, out->max);
  screen_fold(&folded, slice_of(out->data + from, out->len - from), p->columns, hang);
  out->len = from;
  buf_add_slice(out, buf_slice(&folded));
  buf_release(&folded);
}

void program_nothing(struct program *p, const char *why) {
  program_fail(p, EXIT_NOTHING);
  if (!p->quiet)
    diag_warn("%s", why);
}

static void program_settle(struct program *p) {
  if (p->settle)
    p->settle(p, p->settle_arg);
}

static void flush_before_wait(void *arg) {
  struct program *p = arg;
  program_settle(p);
  output_flush(&p->out);
}

int program_open(struct program *p, const char *name) {
  if (strcmp(name, "-") == 0) {
    p->input_name = "stdin";
    return STDIN_FILENO;
  }
  p->input_name = name;
  int fd = process_open(name);
  struct stat st;
  if (fd >= 0 && fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
    close(fd);
    errno = EISDIR;
    fd = -1;
  }
  if (fd < 0) {
    if (errno == ETIMEDOUT)
      diag_warn("%s: nobody writes to this FIFO", name);
    else
      diag_errno("%s", name);
    program_fail(p, EX_NOINPUT);
  }
  return fd;
}

int program_refuse_file(const struct program *p) {
  const char *word = p->operand_count == 1 ? p->operands[0] : "";
  if (!strchr(word, '.') || access(word, R_OK) != 0)
    return 0;
  return program_usage(p->spec, "'%s' is a file, not a question: those of a file come on stdin, %s <%s", word,
                       p->spec->name, word);
}

void program_close(int fd) {
  if (fd > STDIN_FILENO)
    close(fd);
}

/* Removes the error record appended at `start` where an earlier run has already written it. */
static void drop_if_written(struct program *p, size_t start) {
  struct buf *out = &p->out.buf;
  if (p->written_before &&
      p->written_before(slice_of(out->data + start, out->len - start - 1), p->settle_arg))
    out->len = start;
}

/* The `stage` of error records: the program's name without "bid-". */
static const char *program_stage(const struct program *p) {
  const char *name = p->spec->name;
  return strncmp(name, "bid-", 4) == 0 ? name + 4 : name;
}

void program_error(struct program *p, const struct record *rec, const char *category, struct slice source,
                   struct slice source_url, const char *format, ...) {
  char text[2048];
  va_list args;
  va_start(args, format);
  error_format(text, sizeof text, format, args);
  va_end(args);
  struct slice metadata = {NULL, 0}; /* of a document: with it the record alone can be tried again */
  if (rec && source_url.len)
    metadata = record_get(rec, "metadata");
  struct error_record e = {category, text, program_stage(p), source, source_url, 0, -1, metadata};
  size_t start = p->out.buf.len;
  if (!p->people) { /* for display, the message on stderr is enough */
    error_add(&p->out.buf, &e);
    drop_if_written(p, start);
  }
  p->errors++;
  if (rec)
    diag_at(p->input_name, rec->number, "%s", text);
  else
    diag_warn("%s", text);
  program_fail(p, EXIT_NOTHING);
}

static void bad_line(struct program *p, const struct record_reader *r, const struct record *rec) {
  program_error(p, rec, ERROR_INVALID_REQUEST, slice_of(NULL, 0), slice_of(NULL, 0),
                "%s at byte %zu of line %llu", record_why(r), record_why_byte(r),
                (unsigned long long)rec->number);
}

static void program_pass_on(struct program *p, const struct record *rec) {
  size_t start = p->out.buf.len;
  buf_add_slice(&p->out.buf, rec->line);
  buf_add_char(&p->out.buf, '\n');
  drop_if_written(p, start);
  p->errors += (uint64_t)rec->is_error;
}

/* Whether a line can't be the start of any JSON record, not even a faulty one: HTML, PDF, Markdown, binary data. */
static int program_is_foreign(struct slice line) {
  size_t i = 0;
  while (i < line.len && (line.data[i] == ' ' || line.data[i] == '\t'))
    i++;
  char c = i < line.len ? line.data[i] : '{';
  if (line.len - i > 1 && memcmp(line.data + i, "PK", 2) == 0) /* a zip archive */
    return 1;
  return !(c >= '0' && c <= '9') && !((c | 32) >= 'a' && (c | 32) <= 'z') && !strchr("{[\"-", c);
}

/* Passes a bad line on as an error record, for functions that take these too. */
static int hand_bad_line(struct program *p, const struct record_reader *r, uint64_t number,
                         const char *const *fields, record_function *f, void *arg) {
  struct error_record e = {
      ERROR_INVALID_REQUEST, record_why(r), program_stage(p), {NULL, 0}, {NULL, 0}, 0, -1, {NULL, 0}};
  struct record rec;
  struct buf line;
  const char *why;
  size_t at;
  buf_init(&line, RECORD_MAX);
  error_add(&line, &e);
  int stop = record_parse(line.data, line.len - 1, fields, &rec, &why, &at) == RECORD_OK
                 ? (rec.number = number, f(p, &rec, arg))
                 : 0;
  buf_release(&line);
  return stop;
}

/* Returns -1 where the loop over operands must end. */
static int each_of(struct program *p, int fd, const char *const *fields, record_function *f, void *arg) {
  struct record_reader *r = record_reader_new(fd, fields, flush_before_wait, p);
  struct record rec;
  uint64_t before = p->bytes_in;
  enum record_status status;
  int stop = 0;
  while (!stop && (status = record_read(r, &rec)) != RECORD_END) {
    if (status == RECORD_IO) {
      diag_errno("%s", p->input_name);
      program_fail(p, EX_IOERR);
      break;
    }
    p->records++;
    int passes = !p->errors_too && (rec.is_error || rec.is_listing);
    if (passes || (status == RECORD_BAD && !p->errors_too))
      program_settle(p);
    if (status == RECORD_BAD && p->reads && rec.number == 1 && program_is_foreign(rec.line)) {
      diag_warn("%s: this is no stream of records: %s reads %s", p->input_name, p->spec->name, p->reads);
      program_fail(p, EX_DATAERR);
      break;
    }
    if (status == RECORD_BAD && p->errors_too)
      stop = hand_bad_line(p, r, rec.number, fields, f, arg);
    else if (status == RECORD_BAD)
      bad_line(p, r, &rec);
    else if (passes)
      program_pass_on(p, &rec);
    else
      stop = f(p, &rec, arg);
    output_flush_if_full(&p->out);
    program_progress(p, before + record_bytes(r));
    stop |= p->out.error;
  }
  program_settle(p);
  p->bytes_in = before + record_bytes(r);
  record_reader_free(r);
  return stop ? -1 : 0;
}

/* The total size of the operands where all are regular files, for the estimate of the time left. */
static uint64_t total_size(const struct program *p) {
  uint64_t total = 0;
  struct stat st;
  for (int i = 0; i < p->operand_count; i++) {
    if (stat(p->operands[i], &st) || !S_ISREG(st.st_mode))
      return 0;
    total += (uint64_t)st.st_size;
  }
  if (p->operand_count == 0 && fstat(STDIN_FILENO, &st) == 0 && S_ISREG(st.st_mode))
    total = (uint64_t)st.st_size;
  return total;
}

void program_each_record(struct program *p, const char *const *fields, record_function *f, void *arg) {
  static char dash[] = "-";
  static char *only_stdin[] = {dash};
  char **names = p->operand_count ? p->operands : only_stdin;
  int count = p->operand_count ? p->operand_count : 1;
  p->bytes_total = total_size(p);
  p->settle_arg = arg;
  for (int i = 0; i < count; i++) {
    int fd = program_open(p, names[i]);
    if (fd < 0)
      continue;
    int stop = each_of(p, fd, fields, f, arg);
    program_close(fd);
    if (stop)
      return;
  }
}

static void draw_progress(struct program *p, double now) {
  double seconds = now - p->started, rate = seconds > 0 ? (double)p->bytes_in / seconds : 0;
  char eta[64] = "", of[32] = "";
  if (p->bytes_total > p->bytes_in && rate > 0)
    snprintf(eta, sizeof eta, ", %.0f s left", (double)(p->bytes_total - p->bytes_in) / rate);
  else if (p->expected > p->records && p->records)
    snprintf(eta, sizeof eta, ", %.0f s left",
             (double)(p->expected - p->records) * seconds / (double)p->records);
  if (p->expected)
    snprintf(of, sizeof of, " of %llu", (unsigned long long)p->expected);
  fprintf(stderr, "\r\033[K%s: %s%s%llu%s records, %.1f MB, %.1f MB/s%s", p->spec->name, p->doing,
          *p->doing ? ", " : "", (unsigned long long)p->records, of, (double)p->bytes_in / 1e6, rate / 1e6,
          eta);
}

/* Reports to the pipeline's progress row where there is one; else draws a row after half a second, or at once where
 * forced. */
static void show_progress(struct program *p, double every) {
  double now = clock_monotonic();
  if (now - p->shown < every || (p->progress == PROGRESS_AUTO && now - p->started < 0.5))
    return;
  p->shown = now;
  if (p->progress_fd >= 0)
    progress_tell(p->progress_fd,
                  &(struct progress){p->spec->name, p->doing, p->records, p->bytes_in, p->expected});
  else
    draw_progress(p, now);
}

void program_progress(struct program *p, uint64_t bytes_in) {
  p->bytes_in = bytes_in;
  if (p->progress)
    show_progress(p, 0.2);
}

void program_doing(struct program *p, const char *format, ...) {
  va_list args;
  if (!p->progress)
    return;
  va_start(args, format);
  vsnprintf(p->doing, sizeof p->doing, format, args);
  va_end(args);
  p->doing[mask_in_place(p->doing, strlen(p->doing))] = '\0';
  show_progress(p, 0);
}

void program_stat(struct program *p, const char *name, double value) {
  if (p->stats)
    json_double(&stat_members, name, value);
}

static void print_stats(const struct program *p) {
  struct buf line;
  buf_init(&line, 131072);
  buf_add_str(&line, "{");
  json_cstr(&line, "program", p->spec->name);
  json_uint(&line, "records", p->records);
  json_uint(&line, "errors", p->errors);
  json_uint(&line, "bytesIn", p->bytes_in);
  json_uint(&line, "bytesOut", p->out.bytes);
  json_double(&line, "seconds", clock_monotonic() - p->started);
  if (stat_members.len) {
    buf_add_char(&line, ',');
    buf_add_slice(&line, buf_slice(&stat_members));
  }
  buf_add_str(&line, "}\n");
  fputs(line.data, stderr);
  buf_release(&line);
}

int program_finish(struct program *p) {
  if (p->progress && p->shown > 0 && p->progress_fd < 0)
    fputs("\r\033[K", stderr);
  if (output_close(&p->out)) {
    errno = p->out.error;
    diag_errno("cannot write stdout");
    p->status = EX_IOERR;
  }
  if (p->stats)
    print_stats(p);
  buf_release(&stat_members);
  return p->status;
}

void program_may_read(const struct program *p, struct sandbox_scope *s) {
  for (int i = 0; i < p->operand_count; i++)
    if (strcmp(p->operands[i], "-") != 0)
      sandbox_may_read(s, p->operands[i]);
}

void program_sandbox(const struct program *p) {
  struct sandbox_scope s = {.allow = 0};
  program_may_read(p, &s);
  s.allow = s.reads.count ? SANDBOX_READ_FILES : 0;
  sandbox_enter_scope(&s);
}
