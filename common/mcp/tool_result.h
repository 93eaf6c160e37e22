/* tool_result.h: converts the output of a tool's program to the result of tools/call or resources/read. */
#ifndef BID_TOOL_RESULT_H
#define BID_TOOL_RESULT_H

#include "mcp/tool_table.h"

struct tool_printed {
  struct slice out;  /* stdout: NDJSON */
  struct slice said; /* stderr */
  int status;        /* exit status, or 128 + signal */
};

/* Appends the result: text and, with `structured`, the object described by outputSchema, and links to the filings.
 * Where there are only errors, isError is true and the text describes them. */
void tool_result_add(struct buf *out, const struct tool_table *t, const struct tool *tool,
                     const struct tool_printed *p, int structured);

/* Appends an error result. */
void tool_result_add_fault(struct buf *out, const char *why);

/* Appends the result of resources/read: the text of the first record.  0, or -1 where there is none. */
int tool_result_add_resource(struct buf *out, const char *uri, const struct tool_printed *p);

#endif
