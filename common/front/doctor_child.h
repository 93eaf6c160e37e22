/* doctor_child.h: runs commands to examine their output. */
#ifndef BID_DOCTOR_CHILD_H
#define BID_DOCTOR_CHILD_H

#include "base/buf.h"

struct doctor_child {
  int status;     /* exit status; 128 + the signal; 127 where it could not be started */
  struct buf out; /* stdout and stderr, at most 64 KiB each */
  struct buf error;
};

/* Runs argv (ended by NULL; argv[0] is a path or a name in PATH) with empty stdin for at most `seconds`, after which
 * it is killed, with status 137. */
void doctor_child_run(struct doctor_child *c, const char *const *argv, int seconds);
void doctor_child_release(struct doctor_child *c);

/* The first line of its stderr, else of its stdout, truncated to `room`. */
void doctor_child_line(const struct doctor_child *c, char *line, size_t room);

#endif
