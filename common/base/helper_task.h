/* helper_task.h: one run of another program as a child process, with its input and output in memory.
 *
 *     struct helper_task t = {.run = run, .left = input, .text = &out, .deadline = clock_monotonic() + 10};
 *     if (helper_task_start(&t) == 0)
 *       status = helper_task_finish(&t, cut = helper_task_pump(&t));
 */
#ifndef BID_HELPER_TASK_H
#define BID_HELPER_TASK_H

#include "base/buf.h"
#include "base/helper.h"
#include "base/slice.h"

#include <sys/types.h>

struct helper_task {
  helper_run *run;
  struct slice left;  /* rest of its input, still to be written */
  struct buf *text;   /* gets its output, up to its ceiling; NULL: it writes to this process's stdout */
  struct buf *errors; /* gets its messages; NULL: they go to this process's stderr */
  double deadline;    /* as of clock_monotonic(); 0: none */
  pid_t pid;          /* 0: a child of the helper */
  int in, out, err;   /* our ends; -1 once closed */
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

#endif
