/* program.h: what all programs share: options, help, version, the loop over operands, exit statuses, progress,
 * statistics and a checked stdout.
 *
 *     static const struct program_spec spec = {...};
 *     int main(int argc, char **argv) {
 *       struct program p;
 *       int status = program_start(&p, &spec, argc, argv);
 *       if (status >= 0) return status;
 *       program_each_record(&p, fields, strip_one, &state);
 *       return program_finish(&p);
 *     }
 *
 * Every program has the options of program_options.h.
 */
#ifndef BID_PROGRAM_H
#define BID_PROGRAM_H

#include "base/screen.h"
#include "record/output.h"
#include "record/record.h"

#include <stdint.h>
#include <sysexits.h>

#define EXIT_NOTHING 1 /* nothing found, or some records failed */

struct program {
  const struct program_spec *spec;
  char **operands; /* argv from the first operand on */
  int operand_count;
  int status;             /* what program_finish() will return */
  struct output out;      /* stdout */
  const char *input_name; /* the operand being read; "-" is shown as "stdin" */
  int quiet, stats, progress;
  int progress_fd; /* descriptor of the pipeline that draws the progress row, or -1 */
  char doing[200]; /* text set by program_doing() */
  int people;      /* output is for display: stdout is a terminal or --human was given, and --json was not */
  size_t columns;  /* width of the screen (base/screen.h), 0 where unknown or not for display */
  int colour;      /* stdout takes escape sequences: --color, else a terminal without NO_COLOR or TERM=dumb */
  uint64_t records, errors, bytes_in, bytes_total;
  uint64_t expected; /* total number of records expected; 0 where unknown */
  double started;    /* monotonic seconds */
  double shown;
  /* May be set after program_start(): called before output that does not come from the record function, before a
   * blocking read, and at the end of the input, so that a program that batches records can write them first.  Gets
   * the arg of program_each_record(). */
  void (*settle)(struct program *p, void *arg);
  void *settle_arg;
  /* May be set after program_start(): describes the expected input, for error messages ("payload records; files
   * themselves with --raw").  An operand that begins like another kind of file is then rejected as a whole. */
  const char *reads;
  int errors_too; /* program_each_record() also passes error records, and bad lines as such, to the function */
  /* May be set after program_start(); gets the same arg.  Returns 1 where an error record (its line without the
   * newline) is already in the output of an earlier run and must not be written again. */
  int (*written_before)(struct slice line, void *arg);
};

/* Registers a function that adds lines to --version, such as the model's name.  Call before program_start(). */
void program_on_version(void (*about)(struct output *out));

/* Sets up the process and parses the options.  -1: go on.  Otherwise the status to exit with (help and version: 0 or
 * 74; usage: 64). */
int program_start(struct program *p, const struct program_spec *spec, int argc, char **argv);

/* Raises the exit status: 0 < 1 < any of sysexits.h; the first of the latter stays. */
void program_fail(struct program *p, int status);

/* Reports a run that did nothing: raises the status to EXIT_NOTHING and prints why, unless --quiet. */
void program_nothing(struct program *p, const char *why);

/* Wraps the text from byte `from` of p->out.buf to the width of the screen; hang as in screen_fold(). */
void program_fold(struct program *p, size_t from, size_t hang);

/* Called for each record; appends to p->out.buf.  Returns 0 to go on, -1 to stop reading. */
typedef int record_function(struct program *p, const struct record *rec, void *arg);

/* Reads NDJSON from all operands: files, "-" or none for stdin.  A file that can't be opened causes a warning and
 * status 66, and the next one is read.  A bad line becomes an error record (invalid-request) on stdout, a message on
 * stderr, and status 1.  An error record is copied unchanged and counted, a listing copied. */
void program_each_record(struct program *p, const char *const *fields, record_function *f, void *arg);

/* Reports a failure of one record: error record on stdout, message on stderr, status 1 (or the category's own where
 * `fatal`).  rec may be NULL; source and source_url may be empty.  Where source_url is given, the error record carries
 * the metadata of rec, so that the document can be fetched again from the error record alone. */
void program_error(struct program *p, const struct record *rec, const char *category, struct slice source,
                   struct slice source_url, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Updates the counts for --stats and progress; redraws progress where it is due. */
void program_progress(struct program *p, uint64_t bytes_in);

/* Sets the current activity shown in the progress row: "10-K of 2025-10-31", "waiting 0.4 s for sec.gov". */
void program_doing(struct program *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* For programs whose operands are questions: where the only operand is a readable file, explains how to pass
 * questions from a file and returns 64; else 0. */
int program_refuse_file(const struct program *p);

/* Opens an operand for reading; "-" is stdin.  A descriptor, or -1 after a warning, with status 66. */
int program_open(struct program *p, const char *name);
void program_close(int fd);

/* Adds a member to the --stats object; call before program_finish(). */
void program_stat(struct program *p, const char *name, double value);

/* Flushes stdout, reports a failed write (74), prints --stats and returns the status. */
int program_finish(struct program *p);

/* Enters the sandbox (sandbox.h) once everything but the operands is open: only these may still be opened, for reading. */
void program_sandbox(const struct program *p);

struct sandbox_scope;
/* Adds the operands, which are files, to what may be read. */
void program_may_read(const struct program *p, struct sandbox_scope *s);

/* ---- options ---- */

/* One option syntax for all programs.
 *
 * Options may come before or after operands, up to "--".  --name=VALUE and --name VALUE are equivalent, and a long
 * name may be shortened to any unambiguous prefix.  A letter has the same meaning in every program: -c collection, -e
 * company, -f form, -h help, -m model, -n limit, -p period, -q quiet.  Unknown names are rejected, with the closest
 * known name.
 *
 * Every program has --help, --version, --quiet, --progress=auto|always|never, --stats, --color=auto|always|never,
 * --json and --human.
 */

enum option_kind {
  OPTION_END,    /* ends a list */
  OPTION_FLAG,   /* int *: set to 1 */
  OPTION_NOFLAG, /* int *: set to 0 */
  OPTION_TEXT,   /* const char **: the argument; points into argv */
  OPTION_SIZE,   /* size_t *: a whole number, optionally with K, M or G (powers of 1024) */
  OPTION_REAL,   /* double *: a finite number, not below 0 */
  OPTION_LIST,   /* struct option_list *: collects every occurrence */
  OPTION_CHOICE, /* struct option_choice *: one of its words */
  OPTION_HEADING /* help only: a heading above a group of options */
};

struct option_list {
  const char **items;
  size_t count;
};

/* The help of the option is its words, "auto, json or text", and then `help`. */
struct option_choice {
  const char *words[8]; /* in the order of an enum; ended by NULL */
  int chosen;           /* index; at first that of the default */
  int given;
};

/* 0, or -1 where it is none of the words. */
int program_choice_set(struct option_choice *c, const char *word);

/* The word that was given, or NULL. */
static inline const char *program_choice_given(const struct option_choice *c) {
  return c->given ? c->words[c->chosen] : NULL;
}

/* What most programs print: AUTO is text for display, else records. */
enum program_form { FORM_AUTO, FORM_JSON, FORM_TEXT, FORM_HTML };
#define PROGRAM_FORMS                                                                                        \
  {                                                                                                          \
    .words = { [FORM_AUTO] = "auto", [FORM_JSON] = "json", [FORM_TEXT] = "text", [FORM_HTML] = "html" }      \
  }

struct program_option {
  enum option_kind kind;
  char letter;          /* short option, or 0 */
  const char *name;     /* long name without dashes, or NULL */
  const char *argument; /* its name in the help, in capitals; NULL: a flag; "[WHEN]": only as --name=WHEN */
  void *value;
  const char *help; /* NULL: an alias, not shown in the help */
};

struct program_spec {
  const char *name;     /* "bid-strip" */
  const char *synopsis; /* "[OPTION]... [FILE]..."; may have several lines */
  const char *summary;  /* one sentence */
  const struct program_option *options;
  const char *footer; /* examples, see also; or NULL */
};

/* The form that was chosen, for AUTO text or records. */
struct program;
enum program_form program_form(const struct program *p, const struct option_choice *form);

/* Prints a usage error on stderr with a hint at --help; returns 64. */
int program_usage(const struct program_spec *spec, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same for a word that is not among `names` (a list ended by NULL): "unknown WHAT 'WORD'" and the closest name,
 * or the whole list where it is short. */
int program_usage_unknown(const struct program_spec *spec, const char *what, const char *word,
                          const char *const *names);

#endif
