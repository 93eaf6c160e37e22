/* server.h: a server for the Model Context Protocol's stdio transport: one JSON-RPC message per line in each
 * direction.
 *
 * It supports the revisions 2024-11-05, 2025-03-26 (with batches), 2025-06-18 and 2025-11-25, which start with
 * `initialize`, and 2026-07-28, where each request names its revision.
 */
#ifndef BID_MCP_SERVER_H
#define BID_MCP_SERVER_H

#include "base/buf.h"
#include "base/diag.h"

#include <poll.h>
#include <sys/stat.h>
#include <sys/types.h>

#define MCP_LINE_BYTES ((size_t)4 << 20) /* limit of a message; a longer line is rejected and skipped */

struct mcp_options {
  int may_write; /* offer tools that change the store */
  double limit;  /* time limit of a call in seconds */
};

/* Serves until `in` ends and all calls are answered, `out` is closed by its reader, or SIGTERM or SIGINT arrives.
 * Returns an exit status: 0, or with e filled 78 (the tools can't be read) or 74 (`out` can't be written). */
int mcp_serve(const struct mcp_options *o, int in, int out, struct error_text *e);

/* Running tool calls: child processes, calls waiting for a slot, and questions.  A call is over when its
 * program has ended, was cancelled or exceeded its time limit; then the owner's function is called. */

struct tool {
  struct slice name; /* a JSON string */
  char *path;        /* of the program */
};

#define CALLS_AT_WORK 4                            /* limit of simultaneous children */
#define CALLS_MAX 1024                             /* limit of unanswered calls */
#define CALLS_POLLED (3 * (CALLS_AT_WORK + 1) + 8) /* limit of descriptors for calls_poll() */

/* A program that runs beside the server, in its own process group, with its output collected.  The stdin of a child that
 * is asked questions is a socket (so that writing to a dead child is an error instead of a signal), else /dev/null. */
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

/* A persistent bid-search process that answers questions one after another; answers come in the order of the
 * questions.  It is started with the first question, and restarted if it ended or the store has changed. */
#define ASKER_WAITING 1024 /* limit of unanswered questions */

struct call;

struct asker {
  struct tool_child child;
  const char *path;                    /* of bid-search */
  const char *store;                   /* file whose change causes a restart */
  struct stat seen;                    /* state of the store at the start */
  struct call *waiting[ASKER_WAITING]; /* NULL: discarded */
  size_t count;
};

struct call {
  struct call *next;
  const struct tool *tool;
  char *id, *token; /* request id and progress token as JSON, or NULL */
  char *uri;        /* of the resource being read, or NULL */
  void *group;      /* for the owner */
  int era;          /* for the owner: the revision of the request */
  int decode;       /* for the owner: payloads are shown with their decoded contents */
  char **argv;      /* NULL: a question */
  struct tool_child child;
  struct slice answer;             /* for a question; valid while done() runs */
  const char *why;                 /* likewise: why there is no answer */
  double started, reported, ended; /* monotonic seconds */
  int running, cancelled, late;
};

struct calls {
  struct call *first;
  size_t count, running;
  struct asker asker;
  double limit;                                /* time limit of a call in seconds */
  void (*done)(void *arg, struct call *c);     /* called at the end of a call, which is then freed */
  void (*progress)(void *arg, struct call *c); /* called about once a second for calls with a token */
  void *arg;
};

/* search: path of bid-search, or NULL; store: the file that it searches.  Both are kept by reference. */
void calls_init(struct calls *cs, const char *search, const char *store, double limit);

/* Adds a call of a request as connectors/lib/tool.jq made it: {era, decode, uri, token} with argv or a question.  All texts are
 * copied.  NULL with e filled. */
struct call *calls_add(struct calls *cs, const struct tool *tool, struct slice made, struct slice id,
                       struct error_text *e);

/* The call with this id (JSON), or NULL. */
struct call *calls_find(struct calls *cs, struct slice id);

/* Ends a call's program.  The owner is still notified at the end, with `cancelled` set. */
void calls_cancel(struct calls *cs, struct call *c);

/* Fills in descriptors for poll(2) and returns how many. *timeout: milliseconds, or -1. */
size_t calls_poll(struct calls *cs, struct pollfd *fds, int *timeout);

/* Advances all calls as far as possible without blocking. */
void calls_step(struct calls *cs);

/* Ends all calls at once, without notification. */
void calls_release(struct calls *cs);

#endif
