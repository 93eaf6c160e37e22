#include "record/program.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/process.h"
#include "record/error.h"
#include "record/json.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_OPTIONS = 64, LONG_BASE = 256, HELP_COLUMN = 28 };

/* Options that every program has; kept apart, since their values stand in struct program. */
struct manners {
  int help, version, quiet, stats;
  const char *progress;
};

static struct manners manners;
static const struct program_option common_options[] = {
    {OPTION_FLAG, 'q', "quiet", NULL, &manners.quiet, "say nothing on stderr but errors"},
    {OPTION_TEXT, 0, "progress", "WHEN", &manners.progress, "auto, always or never: show progress on stderr"},
    {OPTION_FLAG, 0, "stats", NULL, &manners.stats, "end with a line of statistics (JSON) on stderr"},
    {OPTION_FLAG, 'h', "help", NULL, &manners.help, "show this help"},
    {OPTION_FLAG, 0, "version", NULL, &manners.version, "show the version"},
    {OPTION_END, 0, NULL, NULL, NULL, NULL}};

static struct buf stat_members; /* of program_stat() */

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

/* A letter that a program uses for itself is not the common option's. */
static int letter_is_taken(const struct program_spec *spec, const struct program_option *common) {
  for (const struct program_option *o = spec->options; o && o->kind != OPTION_END; o++)
    if (o->letter == common->letter && o != common)
      return 1;
  return 0;
}

static int is_common(const struct program_option *o) {
  return o >= common_options && o < common_options + sizeof common_options / sizeof *common_options;
}

static int shows_letter(const struct program_spec *spec, const struct program_option *o) {
  return o->letter && !(is_common(o) && letter_is_taken(spec, o));
}

static int takes_argument(const struct program_option *o) {
  if (o->kind == OPTION_FLAG || o->kind == OPTION_NOFLAG || o->kind == OPTION_HEADING)
    return no_argument;
  return o->argument && o->argument[0] == '[' ? optional_argument : required_argument;
}

static void help_option(struct output *out, const struct program_spec *spec, const struct program_option *o) {
  char left[128];
  if (o->kind == OPTION_HEADING) {
    output_printf(out, "\n%s\n", o->help);
    return;
  }
  int n = 0;
  if (shows_letter(spec, o))
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

static void help(struct output *out, const struct program_spec *spec) {
  const char *line = spec->synopsis;
  for (const char *lead = "Usage:"; *line; lead = "      ") {
    size_t n = strcspn(line, "\n");
    output_printf(out, "%s %s %.*s\n", lead, spec->name, (int)n, line);
    line += n + (line[n] == '\n');
  }
  output_printf(out, "%s\n\n", spec->summary);
  for (int i = 0; option_at(spec, i); i++)
    help_option(out, spec, option_at(spec, i));
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

static int parse_real(const char *text, double *value) {
  char *end;
  errno = 0;
  *value = strtod(text, &end);
  return end == text || *end || errno ? -1 : 0;
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
      return program_usage(spec, "--%s: '%s' is not a whole number", o->name, argument);
    break;
  case OPTION_REAL:
    if (parse_real(argument, o->value))
      return program_usage(spec, "--%s: '%s' is not a number", o->name, argument);
    break;
  default:
    break;
  }
  return 0;
}

/* getopt_long(3)'s tables out of ours. */
static void getopt_tables(const struct program_spec *spec, struct option *longs, char *shorts) {
  const struct program_option *o;
  *shorts++ = ':';
  for (int i = 0; (o = option_at(spec, i)) && i < MAX_OPTIONS; i++) {
    int has = takes_argument(o);
    if (shows_letter(spec, o) && o->kind != OPTION_HEADING) {
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
    if (o->letter == code && shows_letter(spec, o))
      return o;
  return NULL;
}

static int bad_option(const struct program_spec *spec, int code, char **argv) {
  const char *word = argv[optind - 1];
  if (code == ':')
    return program_usage(spec, "%s needs an argument", word);
  if (optopt && optopt < LONG_BASE)
    return program_usage(spec, "unknown option '-%c'", optopt);
  return program_usage(spec, "unknown option '%s'", word);
}

static int parse_options(const struct program_spec *spec, int argc, char **argv) {
  struct option longs[MAX_OPTIONS + 1];
  char shorts[2 * MAX_OPTIONS + 2];
  int code;
  getopt_tables(spec, longs, shorts);
  opterr = 0;
  optind = 1;
  while ((code = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
    const struct program_option *o = code == '?' || code == ':' ? NULL : option_of(spec, code);
    if (!o)
      return bad_option(spec, code, argv);
    int status = program_take(spec, o, optarg);
    if (status)
      return status;
  }
  return 0;
}

static int wants_progress(const char *when, int quiet) {
  if (when && strcmp(when, "always") == 0)
    return 1;
  return !quiet && (!when || strcmp(when, "auto") == 0) && isatty(STDERR_FILENO);
}

static int manners_usage(const struct program_spec *spec) {
  const char *w = manners.progress;
  if (w && strcmp(w, "auto") != 0 && strcmp(w, "always") != 0 && strcmp(w, "never") != 0)
    return program_usage(spec, "--progress: '%s' is none of auto, always, never", w);
  return 0;
}

int program_start(struct program *p, const struct program_spec *spec, int argc, char **argv) {
  process_init();
  memset(p, 0, sizeof *p);
  memset(&manners, 0, sizeof manners);
  diag_set_program(spec->name);
  p->spec = spec;
  p->input_name = "stdin";
  p->started = clock_monotonic();
  buf_init(&stat_members, 65536);
  output_init(&p->out, STDOUT_FILENO);
  int status = parse_options(spec, argc, argv);
  if (!status)
    status = manners_usage(spec);
  if (status)
    return status;
  p->operands = argv + optind;
  p->operand_count = argc - optind;
  p->quiet = manners.quiet;
  p->stats = manners.stats;
  p->progress = wants_progress(manners.progress, manners.quiet);
  if (!manners.help && !manners.version)
    return -1;
  if (manners.help)
    help(&p->out, spec);
  else
    output_printf(&p->out, "%s %s\n", spec->name, BID_VERSION);
  p->stats = p->progress = 0;
  return program_finish(p);
}

void program_fail(struct program *p, int status) {
  if (p->status <= EXIT_NOTHING && status > p->status)
    p->status = status;
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
  int fd = open(name, O_RDONLY | O_CLOEXEC);
  struct stat st;
  if (fd >= 0 && fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
    close(fd);
    errno = EISDIR;
    fd = -1;
  }
  if (fd < 0) {
    diag_errno("%s", name);
    program_fail(p, EX_NOINPUT);
  }
  return fd;
}

void program_close(int fd) {
  if (fd > STDIN_FILENO)
    close(fd);
}

/* Takes the error record that was appended at `start` back where an earlier run wrote it. */
static void drop_if_written(struct program *p, size_t start) {
  struct buf *out = &p->out.buf;
  if (p->written_before &&
      p->written_before(slice_of(out->data + start, out->len - start - 1), p->settle_arg))
    out->len = start;
}

void program_error(struct program *p, const struct record *rec, const char *category, struct slice source,
                   struct slice source_url, const char *format, ...) {
  char text[2048];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  const char *stage = strncmp(p->spec->name, "bid-", 4) == 0 ? p->spec->name + 4 : p->spec->name;
  struct error_record e = {category, text, stage, source, source_url, -1, {NULL, 0}};
  size_t start = p->out.buf.len;
  error_add(&p->out.buf, &e);
  drop_if_written(p, start);
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
  p->errors++;
}

/* Returns -1 where the loop over operands should end. */
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
    if (status == RECORD_BAD || rec.is_error)
      program_settle(p);
    if (status == RECORD_BAD)
      bad_line(p, r, &rec);
    else if (rec.is_error)
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

/* The sum of the operands' sizes, where all are plain files: what the ETA is made of. */
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
  char eta[64] = "";
  if (p->bytes_total > p->bytes_in && rate > 0)
    snprintf(eta, sizeof eta, ", %.0f s left", (double)(p->bytes_total - p->bytes_in) / rate);
  fprintf(stderr, "\r\033[K%s: %llu records, %.1f MB, %.1f MB/s%s", p->spec->name,
          (unsigned long long)p->records, (double)p->bytes_in / 1e6, rate / 1e6, eta);
}

void program_progress(struct program *p, uint64_t bytes_in) {
  p->bytes_in = bytes_in;
  if (!p->progress)
    return;
  double now = clock_monotonic();
  if (now - p->shown < 0.2)
    return;
  p->shown = now;
  draw_progress(p, now);
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
  if (p->progress && p->shown > 0)
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
