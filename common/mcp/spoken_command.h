/* spoken_command.h: a command in a program's message, "bid-ingest -e WMT -f 10-K", as the call of a tool. */
#ifndef BID_SPOKEN_COMMAND_H
#define BID_SPOKEN_COMMAND_H

#include "mcp/tool_table.h"

/* Appends the tool's name and its arguments, "`ingest` {"company": "WMT", "forms": ["10-K"]}", for a command at the start of a
 * text, which ends before a word that is no option.  Returns its length, or 0 with nothing appended where no tool runs the program,
 * or has no argument for one of the options. */
size_t spoken_command_add(const struct tool_table *t, struct slice command, struct buf *out);

#endif
