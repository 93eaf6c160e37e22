/* session.h: handles the messages of one client: revision, methods, results.  Does no I/O: lines come in through
 * session_line(), and messages go out through the owner's function. */
#ifndef BID_MCP_SESSION_H
#define BID_MCP_SESSION_H

#include "mcp/calls.h"
#include "mcp/tool_table.h"

struct session_batch;

struct session {
  struct tool_table tools;
  struct calls calls;
  int era;                                       /* index of the revision negotiated by `initialize`, or -1 */
  void (*send)(void *arg, struct slice message); /* sends one message, without its newline */
  void *arg;
};

/* The owner sets send and arg. store: the store's file, by reference.  0, or -1 with e filled. */
int session_init(struct session *s, int may_write, double limit, const char *store, struct error_text *e);
void session_release(struct session *s);

/* Processes one line without its newline. */
void session_line(struct session *s, struct slice line);

/* Answers a line that exceeded the limit. */
void session_line_too_long(struct session *s, size_t most);

#endif
