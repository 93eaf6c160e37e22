/* session_calls.h: requests that are answered by a tool, which takes its time; private to session*.c. */
#ifndef BID_MCP_SESSION_CALLS_H
#define BID_MCP_SESSION_CALLS_H

#include "mcp/session_answer.h"

#define SESSION_PASSAGE_URI "bid://passage/"

/* tools/call and resources/read. */
void session_calls_tool(const struct session_request *r);
void session_calls_resource(const struct session_request *r);

/* For struct calls; arg: the session.  Answers a call; reports the elapsed seconds and the program's last message. */
void session_calls_done(void *arg, struct call *c);
void session_calls_progress(void *arg, struct call *c);

#endif
