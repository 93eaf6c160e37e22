/* tool_command.h: converts a tool's arguments to a command line or a question. */
#ifndef BID_TOOL_COMMAND_H
#define BID_TOOL_COMMAND_H

#include "mcp/tool_table.h"

#define TOOL_WORDS 1024 /* limit of a command line's words */

/* The argv of the tool's program, for tool_child_start(); free with tool_command_free().  `arguments` must have passed
 * schema_check().  NULL with e filled where a text can't be an argument of a command. */
char **tool_command(const struct tool_table *t, const struct tool *tool, struct slice arguments,
                    struct error_text *e);
void tool_command_free(char **argv);

/* Appends the question as a record, with its newline, for the persistent bid-search. */
void tool_question(const struct tool *tool, struct slice arguments, struct buf *out);

#endif
