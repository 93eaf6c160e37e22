/* program.h: what every program does alike: options, help, version, the operand loop, statuses,
 * progress, statistics and a checked stdout.
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
#include "record/program_options.h"
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
  int progress_fd; /* of a pipeline that owns the row (progress.h), or -1 */
  char doing[200]; /* of program_doing() */
  int people;      /* stdout is read by a person: it is a terminal or --human was given, and --json was not */
  size_t columns; /* of the screen that it is read on (base/screen.h), 0 where nobody reads or nothing says */
  int colour;     /* stdout takes escape sequences: --color, else a terminal without NO_COLOR or TERM=dumb */
  uint64_t records, errors, bytes_in, bytes_total;
  uint64_t expected; /* records that are to come in all; 0 where nobody knows */
  double started;    /* monotonic seconds */
  double shown;
  /* May be set after program_start(): called before anything that is not the record function's own goes to
   * stdout, before the input is waited for, and at its end, so that a program that gathers records can write
   * those first.  Gets the arg of program_each_record(). */
  void (*settle)(struct program *p, void *arg);
  void *settle_arg;
  /* May be set after program_start(): what the program reads, for who gives it something else ("payload records; files
   * themselves with --raw").  An operand that begins like a file of another kind is then refused as a whole. */
  const char *reads;
  int errors_too; /* program_each_record() hands error records, and bad lines as such, to the function, too */
  /* May be set likewise, with the same arg: 1 where an error record, its line given without the newline, is
   * to be left out of stdout, since an earlier run wrote it there. */
  int (*written_before)(struct slice line, void *arg);
};

/* Before program_start(): `about` adds its lines to --version, such as the model's name. */
void program_on_version(void (*about)(struct output *out));

/* -1: go on.  Otherwise the status to exit with (help and version: 0 or 74; usage: 64). */
int program_start(struct program *p, const struct program_spec *spec, int argc, char **argv);

/* Raises the exit status: 0 < 1 < any sysexit; the first sysexit stays. */
void program_fail(struct program *p, int status);

/* A run that did nothing: raises the status to EXIT_NOTHING and says why, unless --quiet. */
void program_nothing(struct program *p, const char *why);

/* Breaks at blanks what p->out.buf holds from byte `from` on, to fit the screen; hang as in screen_fold(). */
void program_fold(struct program *p, size_t from, size_t hang);

/* Called for a record; appends to p->out.buf.  Returns 0 to go on, -1 to stop reading. */
typedef int record_function(struct program *p, const struct record *rec, void *arg);

/* The operand loop over NDJSON: files, "-" or none for stdin.  A file that won't open warns, sets status 66
 * and the loop goes on; a bad line becomes an error record (invalid-request) on stdout, a message on
 * stderr, status 1; an error record passes on untouched and is counted. */
void program_each_record(struct program *p, const char *const *fields, record_function *f, void *arg);

/* Reports a fault of one record: error record on stdout, a line on stderr, status 1 (or the category's
 * own status where `fatal`).  rec may be NULL.  source and sourceUrl may be empty. */
void program_error(struct program *p, const struct record *rec, const char *category, struct slice source,
                   struct slice source_url, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Counts for --stats and progress; draws progress where it is due. */
void program_progress(struct program *p, uint64_t bytes_in);

/* What is being done, for the row of progress: "10-K of 2025-10-31", "waiting 0.4 s for sec.gov". */
void program_doing(struct program *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Where the only operand of a program that takes questions is a file that it could read: says how to ask those of the
 * file, and returns 64; else 0. */
int program_refuse_file(const struct program *p);

/* Opens an operand for reading: "-" is stdin.  A descriptor, or -1 having warned and set 66. */
int program_open(struct program *p, const char *name);
void program_close(int fd);

/* Adds members to the --stats object (before program_finish()). */
void program_stat(struct program *p, const char *name, double value);

/* Flushes stdout, says what could not be written (74), prints --stats, returns the status. */
int program_finish(struct program *p);

/* Gives up what a filter doesn't need, once all but its operands is open (sandbox.h): files may be opened for reading where
 * operands name some, none where all comes from stdin. */
void program_sandbox(const struct program *p);

#endif
