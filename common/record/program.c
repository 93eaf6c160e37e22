#include "record/program.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/mask.h"
#include "base/process.h"
#include "base/sandbox.h"
#include "record/error.h"
#include "record/json.h"
#include "record/program_about.h"
#include "record/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PROGRESS_AUTO = 1, PROGRESS_ALWAYS };

static struct buf stat_members; /* members added by program_stat() */

static int wants(const char *when, int by_itself) {
  return when && strcmp(when, "auto") != 0 ? strcmp(when, "always") == 0 : by_itself;
}

/* NO_COLOR as defined by no-color.org: set and not empty. */
static int takes_colour(void) {
  const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
  return isatty(STDOUT_FILENO) && !(no && *no) && !(term && strcmp(term, "dumb") == 0);
}

static void program_take_manners(struct program *p, const struct program_manners *m) {
  p->quiet = m->quiet;
  p->stats = m->stats;
  p->progress_fd = m->progress ? -1 : progress_descriptor();
  if (p->progress_fd >= 0 || (m->progress && strcmp(m->progress, "always") == 0))
    p->progress = PROGRESS_ALWAYS;
  else if (wants(m->progress, !m->quiet && isatty(STDERR_FILENO)))
    p->progress = PROGRESS_AUTO;
  diag_over_row(p->progress && isatty(STDERR_FILENO));
  p->colour = wants(m->color, takes_colour());
  p->people = m->human || (!m->json && isatty(STDOUT_FILENO));
  p->columns = p->people ? screen_columns() : 0;
  p->out.for_people |= p->people;
}

/* Rejects an invalid BID_NOW, which would otherwise silently mean "now". */
static int check_now(void) {
  const char *now = getenv("BID_NOW");
  int64_t t;
  if (!now || !*now || clock_parse(now, &t) == 0)
    return 0;
  diag_warn("BID_NOW: '%s' is no time such as 2026-03-05T00:00:00Z; mend or unset it", now);
  return EX_CONFIG;
}

static void (*about_more)(struct output *out);

void program_on_version(void (*about)(struct output *out)) {
  about_more = about;
}

static int program_tell(struct program *p, const struct program_manners *m) {
  if (m->help) {
    program_options_help(p->spec, &p->out);
    program_fold(p, 0, SCREEN_HANG_AUTO);
  } else {
    output_printf(&p->out, "%s %s\n", p->spec->name, BID_VERSION);
    program_about_libraries(&p->out);
    if (about_more)
      about_more(&p->out);
    program_about_cpu(&p->out);
    program_about_sandbox(&p->out);
  }
  p->stats = p->progress = 0;
  return program_finish(p);
}

int program_start(struct program *p, const struct program_spec *spec, int argc, char **argv) {
  struct program_manners m;
  int operands = 0;
  process_init();
  memset(p, 0, sizeof *p);
  diag_set_program(spec->name);
  p->spec = spec;
  p->input_name = "stdin";
  p->started = clock_monotonic();
  buf_init(&stat_members, 65536);
  output_init(&p->out, STDOUT_FILENO);
  int status = program_options_parse(spec, argc, argv, &m, &operands);
  if (status)
    return status;
  p->operands = argv + operands;
  p->operand_count = argc - operands;
  program_take_manners(p, &m);
  if (m.help || m.version)
    return program_tell(p, &m);
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
    metadata = json_get(rec->line, "metadata");
  struct error_record e = {category, text, program_stage(p), source, source_url, -1, metadata};
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
  p->errors++;
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
      ERROR_INVALID_REQUEST, record_why(r), program_stage(p), {NULL, 0}, {NULL, 0}, -1, {NULL, 0}};
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
    if ((status == RECORD_BAD || rec.is_error) && !p->errors_too)
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
    else if (rec.is_error && !p->errors_too)
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
