/* helper.h: a process that starts other programs for this one after it has entered the sandbox and can't fork.
 *
 * It is forked before the sandbox is entered, runs only the functions that were named then, each in a child, and ends with
 * this process.  It serves one request at a time: three descriptors are sent over a socket, one byte kills the child
 * early, and the child's wait status is sent back.
 */
#ifndef BID_HELPER_H
#define BID_HELPER_H

#include "base/buf.h"
#include "base/diag.h"
#include "base/slice.h"

#include <limits.h>
#include <stddef.h>
#include <sys/types.h>

/* What a child does: executes a program with these descriptors as its stdin, stdout and stderr (helper_take()).  It doesn't
 * return.  Who asks for it may have been taken over: what is read from `in` is not trusted. */
typedef void helper_run(int in, int out, int err);

/* Starts the helper; `runs` must stay.  0, or -1 with errno. */
int helper_start(helper_run *const *runs, size_t count);

/* In the child: makes the descriptors 0, 1 and 2, and closes all others.  Ends the child where that fails. */
void helper_take(int in, int out, int err);

/* ---- one run of another program as a child process, with its input and output in memory. ---- */

struct helper_task {
  helper_run *run;
  const char *const *argv; /* what is executed instead of `run`, found in PATH; or NULL */
  struct slice left;       /* rest of its input, still to be written */
  struct buf *text;        /* gets its output, up to its ceiling; NULL: it writes to this process's stdout */
  struct buf *errors;      /* gets its messages; NULL: they go to this process's stderr */
  double deadline;         /* as of clock_monotonic(); 0: none */
  pid_t pid;               /* 0: a child of the helper */
  int in, out, err;        /* our ends; -1 once closed */
};

/* Starts it, through the helper where there is one for it.  0, or -1 with errno. */
int helper_task_start(struct helper_task *t);

/* Writes the input and reads until both outputs are closed.  0, or -1 where the limit of time or output is exceeded.  A
 * child that stops reading its input is not an error. */
int helper_task_pump(struct helper_task *t);

/* The child's status, as of waitpid(2); a child whose output was cut off is killed first. */
int helper_task_finish(struct helper_task *t, int cut);

/* All three.  The status, or -1: with errno where it could not be started, else with ETIMEDOUT after `deadline`, or EFBIG
 * after more output than `text` takes. */
int helper_task_do(struct helper_task *t);

/* ---- running another program of this project as a child process ---- */

/* The path of the program `name` in the folder of the running program, else `name` alone, to be found in PATH.  0
 * where it is in that folder, else -1. */
int helper_path(const char *name, char path[PATH_MAX]);

/* Starts argv, found in PATH, with these descriptors as its stdin, stdout and stderr.  -1 with errno. */
pid_t helper_spawn(const char *const *argv, int in, int out, int err);

/* Waits for a child; its status as of waitpid(2). */
int helper_wait(pid_t pid);

/* Runs argv (argv[0] from helper_path()) with `in` as its stdin and appends its stdout to out; stderr is inherited.  0
 * where it exited with status 0 and all that it wrote is in out, else -1 with *e; out then holds what was read. */
int helper_filter(const char *const *argv, struct slice in, struct buf *out, struct error_text *e);

#endif
