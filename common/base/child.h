/* child.h: programs of this project that another one runs. */
#ifndef BID_CHILD_H
#define BID_CHILD_H

#include "base/buf.h"
#include "base/diag.h"

#include <limits.h>

/* The path of the program `name` beside this one, else `name` alone (for PATH).  0 where it is beside, else -1. */
int child_path(const char *name, char path[PATH_MAX]);

/* Runs argv (argv[0] as of child_path()), gives it `in` on stdin and adds what it prints to out; its stderr is ours.
 * 0 where it ended with status 0, else -1 with *e; out then holds what came. */
int child_filter(char *const argv[], struct slice in, struct buf *out, struct error_text *e);

#endif
