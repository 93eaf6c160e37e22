/* doctor_child.h: commands run for what they say. */
#ifndef BID_DOCTOR_CHILD_H
#define BID_DOCTOR_CHILD_H

#include "base/buf.h"

struct doctor_child {
  int status;     /* exit status; 128 + the signal; 127 where it could not be started */
  struct buf out; /* stdout, then stderr, each up to 64 KiB */
  struct buf error;
};

/* Runs argv (NULL ends it; argv[0] is a path or a name on PATH) with stdin empty and waits at most `seconds`, after
 * which it is ended and has status 137. */
void doctor_child_run(struct doctor_child *c, const char *const *argv, int seconds);
void doctor_child_release(struct doctor_child *c);

/* The first line of what it said on stderr, else of stdout, cut to the room. */
void doctor_child_line(const struct doctor_child *c, char *line, size_t room);

#endif
