/* arguments.h: adapts a client's arguments to a tool's schema before they are checked. */
#ifndef BID_MCP_ARGUMENTS_H
#define BID_MCP_ARGUMENTS_H

#include "base/diag.h"
#include "mcp/tool_table.h"

/* Appends the arguments, an object, as the tool's schema has them: an argument under the name that another tool
 * uses for it ("company" for "companies") gets the schema's name, a string becomes a list of one where the
 * schema wants a list, a list of one a string where it wants a string, and a string of digits an integer where it wants
 * one.  Everything else is unchanged. */
void arguments_settle(const struct tool_table *t, const struct tool *tool, struct slice arguments,
                      struct buf *out);

/* Whether the arguments have one of those that the table's "needs" and "needsToo" name, if it has them.  0, or -1 with e filled. */
int arguments_suffice(const struct tool *tool, struct slice arguments, struct error_text *e);

/* Appends a program's message, with the arguments instead of the options that they stand for, calls of tools instead of commands
 * (spoken_command.h), and without the hint to its --help, which a client can't read. */
void arguments_speak(const struct tool_table *t, const struct tool *tool, struct slice said, struct buf *out);

#endif
