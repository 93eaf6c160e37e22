/* tool_result.h: what a tool's program printed, as the result of tools/call or resources/read. */
#ifndef BID_TOOL_RESULT_H
#define BID_TOOL_RESULT_H

#include "mcp/tool_table.h"

struct tool_printed {
  struct slice out;  /* stdout: NDJSON */
  struct slice said; /* stderr */
  int status;        /* exit status, or 128 and a signal */
};

/* Appends the result: text, and with `structured` the object that outputSchema describes and links to the
 * filings.  Where nothing but errors came, isError is true and the text says what they are. */
void tool_result_add(struct buf *out, const struct tool *tool, const struct tool_printed *p, int structured);

/* Appends a result that is an error. */
void tool_result_add_fault(struct buf *out, const char *why);

/* Appends the result of resources/read: the text of the first record printed.  0, or -1 where there is none. */
int tool_result_add_resource(struct buf *out, const char *uri, const struct tool_printed *p);

#endif
