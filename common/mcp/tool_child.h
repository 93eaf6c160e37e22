/* tool_child.h: programs that run beside the server, each in its own process group, with their output collected.
 *
 * The stdin of a child that is asked questions is a socket (so that writing to a dead child is an error instead of a
 * signal), else /dev/null.
 */
#ifndef BID_TOOL_CHILD_H
#define BID_TOOL_CHILD_H

#include "base/buf.h"
#include "base/diag.h"

#include <sys/types.h>

#define CHILD_OUTPUT_BYTES ((size_t)64 << 20) /* limit of a child's stdout */
#define CHILD_SAID_BYTES ((size_t)64 << 10)   /* limit of its stderr */

struct tool_child {
  pid_t pid;    /* 0: none */
  int in;       /* socket connected to its stdin, or -1 */
  int out, err; /* pipes, non-blocking; -1 after their end */
  struct buf output, said, unsent;
  int status;   /* exit status, or 128 + signal; valid after tool_child_over() */
  int too_much; /* its output exceeded the limit */
};

/* Finds a program: in BID_BIN, in the running one's folder, among the pipelines of its source tree, or in PATH.
 * Returns its path, allocated, or NULL. */
char *tool_child_find(const char *name);

void tool_child_init(struct tool_child *c);
void tool_child_release(struct tool_child *c);

/* Starts the program. argv ends with NULL. asked: connect its stdin.  0, or -1 with e filled. */
int tool_child_start(struct tool_child *c, const char *path, char *const argv[], int asked,
                     struct error_text *e);

/* Reads available output; call it when poll(2) reports some. */
void tool_child_read(struct tool_child *c);

/* Sends as much of `unsent` as possible without blocking.  0, or -1 where the child has closed its stdin. */
int tool_child_send(struct tool_child *c);

/* Whether it has ended and all its output has been read. */
int tool_child_over(struct tool_child *c);

/* Signals its process group: SIGTERM or SIGKILL. */
void tool_child_end(const struct tool_child *c, int signal_number);

#endif
