/* tool_text.h: a tool's result as text, for a model that reads it. */
#ifndef BID_TOOL_TEXT_H
#define BID_TOOL_TEXT_H

#include "mcp/tool_table.h"

/* Appends the result, the object of structuredContent, as the tool's `run` says:
 *   "text": "passages"  each passage of "links" with its mark, context, text, source and id
 *   "text": "changes"   of bid-diff: the counts, then the changes below their headings
 *   "text": "table"     the records of "member" as a Markdown table of "columns" (paths into a record); what is the
 *                       same in all of several records stands once above it, what none has is left out
 *   "text": PATH        the text at that path, then the filings that EDGAR has
 * Returns 0 where none of these applies: the JSON itself is appended then. */
int tool_text_add(struct buf *out, const struct tool *tool, struct slice result);

#endif
