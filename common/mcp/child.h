/* child.h: programs that run beside the server, each in a process group of its own, with their output gathered.
 *
 * A child's stdin is a socket where it is asked questions (so that a write to one that is gone is an error and
 * no signal), else /dev/null.
 */
#ifndef BID_CHILD_H
#define BID_CHILD_H

#include "base/buf.h"
#include "base/diag.h"

#include <sys/types.h>

#define CHILD_OUTPUT_BYTES ((size_t)64 << 20) /* of a child's stdout that is kept */
#define CHILD_SAID_BYTES ((size_t)64 << 10)   /* of its stderr */

struct child {
  pid_t pid;    /* 0: none */
  int in;       /* socket to its stdin, or -1 */
  int out, err; /* pipes, non-blocking; -1 once they ended */
  struct buf output, said, unsent;
  int status;   /* exit status, or 128 and the signal; valid once child_over() */
  int too_much; /* it wrote more than is kept */
};

/* Path of a program: in BID_BIN, beside the running one, among the pipelines of its checkout, or on PATH.
 * malloc'd, or NULL. */
char *child_find(struct slice name);

void child_init(struct child *c);
void child_release(struct child *c);

/* Starts it.  argv ends with NULL.  asked: its stdin is to be written to.  0, or -1 with e filled. */
int child_start(struct child *c, const char *path, char *const argv[], int asked, struct error_text *e);

/* Reads what is there; call where poll(2) says so. */
void child_read(struct child *c);

/* Sends what is in `unsent`, as far as it goes now.  0, or -1 where the child takes no more. */
int child_send(struct child *c);

/* Whether it has ended and all that it wrote is read. */
int child_over(struct child *c);

/* Ends it and all that it started: SIGTERM, or SIGKILL. */
void child_end(const struct child *c, int signal_number);

#endif
