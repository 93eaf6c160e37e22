/* call.h: the calls of tools that are at work: children that run, calls that wait for a place, questions.
 *
 * A call is over when its program ended, was cancelled or took too long; then the owner's function is told.
 */
#ifndef BID_CALL_H
#define BID_CALL_H

#include "mcp/asker.h"
#include "mcp/child.h"
#include "mcp/tool_table.h"

#include <poll.h>

#define CALLS_AT_WORK 4                            /* children at a time */
#define CALLS_MAX 1024                             /* calls without an answer */
#define CALLS_POLLED (3 * (CALLS_AT_WORK + 1) + 8) /* descriptors of calls_poll() at most */

struct call {
  struct call *next;
  const struct tool *tool;
  char *id, *token; /* JSON of the request's id and of its progress token, or NULL */
  char *uri;        /* of a resource that is read, or NULL */
  void *group;      /* the owner's */
  int era;          /* the owner's */
  char **argv;      /* NULL: a question */
  struct child child;
  struct slice answer;         /* of a question, valid while the owner is told */
  const char *why;             /* the same: why there is none */
  double started, told, ended; /* monotonic seconds */
  int running, cancelled, late;
};

struct calls {
  struct call *first;
  size_t count, running;
  struct asker asker;
  double limit;                                /* seconds of a call */
  void (*done)(void *arg, struct call *c);     /* a call's end; it is freed afterwards */
  void (*progress)(void *arg, struct call *c); /* about once a second, where it has a token */
  void *arg;
};

/* search: path of bid-search, or NULL; store: the file that it searches.  Both are kept by reference. */
void calls_init(struct calls *cs, const char *search, const char *store, double limit);

/* Takes a call in; all texts are copied.  arguments have passed schema_check().  NULL with e filled. */
struct call *calls_add(struct calls *cs, const struct tool_table *t, const struct tool *tool,
                       struct slice arguments, struct slice id, struct slice token, struct error_text *e);

/* The call with this id (JSON), or NULL. */
struct call *calls_find(struct calls *cs, struct slice id);

/* Ends a call's program.  Its owner is told in the end, with `cancelled` set. */
void calls_cancel(struct calls *cs, struct call *c);

/* Fills in what poll(2) should watch; returns how many.  *timeout: milliseconds, or -1. */
size_t calls_poll(struct calls *cs, struct pollfd *fds, int *timeout);

/* Moves everything on by as much as can be done without waiting. */
void calls_step(struct calls *cs);

/* Ends all of them at once; nobody is told. */
void calls_release(struct calls *cs);

#endif
