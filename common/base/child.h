/* child.h: running another program of this project as a child process. */
#ifndef BID_CHILD_H
#define BID_CHILD_H

#include "base/buf.h"
#include "base/diag.h"

#include <limits.h>

/* The path of the program `name` in the folder of the running program, else `name` alone, to be found in PATH.  0
 * where it is in that folder, else -1. */
int child_path(const char *name, char path[PATH_MAX]);

/* Runs argv (argv[0] from child_path()) with `in` as its stdin and appends its stdout to out; stderr is inherited.  0
 * where it exited with status 0 and all that it wrote is in out, else -1 with *e; out then holds what was read. */
int child_filter(char *const argv[], struct slice in, struct buf *out, struct error_text *e);

#endif
