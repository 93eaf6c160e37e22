/* session.h: what the messages of one client do: revision, methods, results.  It reads and writes nothing: lines
 * come in through session_line(), and messages go out through the owner's function.
 */
#ifndef BID_MCP_SESSION_H
#define BID_MCP_SESSION_H

#include "mcp/call.h"
#include "mcp/tool_table.h"

struct session_batch;

struct session {
  struct tool_table tools;
  struct calls calls;
  int era; /* index of the revision that `initialize` agreed on, or -1 */
  void (*send)(void *arg, struct slice message); /* one message, without its newline */
  void *arg;
};

/* The owner fills in send and arg.  store: the store's file, by reference.  0, or -1 with e filled. */
int session_init(struct session *s, int may_write, double limit, const char *store, struct error_text *e);
void session_release(struct session *s);

/* Takes one line without its newline. */
void session_line(struct session *s, struct slice line);

/* Answers a line that was longer than is read. */
void session_line_too_long(struct session *s, size_t most);

#endif
