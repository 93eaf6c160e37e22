/* tool_table.h: the tools of the server, read from data/mcp-tools.json.
 *
 * Each has a `tool`, which is passed to clients unchanged, and a `run`, which describes how it is executed:
 *   program    the program, searched for beside this one; a tool without its program is omitted
 *   kind       question (a record for the persistent bid-search), object (prints one JSON object), records (NDJSON)
 *   writes     true: only where the server may change the store
 *   arguments  fixed first arguments; readOnly: more of them where the server may not change the store
 *   options    maps arguments to options; fields: to members of a question; operands: names, in order
 *   needs      arguments of which one must be there; needsToo: of others likewise
 *   member     records: the result's member for them; decode: a member that becomes `content`; omit: the
 *              `name` of a record that is left out
 *   links      where the result has passages whose filings are linked
 *   text       how the result is formatted as text (connectors/lib/tool.jq); columns: those of a table
 */
#ifndef BID_TOOL_TABLE_H
#define BID_TOOL_TABLE_H

#include "base/buf.h"
#include "base/diag.h"

#include <stddef.h>

enum tool_kind { TOOL_QUESTION, TOOL_OBJECT, TOOL_RECORDS };

struct tool {
  enum tool_kind kind;
  struct slice name; /* without quotes */
  struct slice shown, run, input_schema;
  char *path; /* of the program */
};

struct tool_table {
  struct buf text; /* contents of the file */
  struct tool *tools;
  size_t count;
  int may_write;
  struct connector *jq; /* checks arguments, makes texts of results */
};

/* Reads the table. may_write: include tools that change the store.  0, or -1 with e filled. */
int tool_table_load(struct tool_table *t, int may_write, struct error_text *e);
void tool_table_release(struct tool_table *t);

/* The tool with this name (a JSON string), or NULL. */
const struct tool *tool_table_find(const struct tool_table *t, struct slice name);

/* The text of a string of the tool's `run`, in scratch where it has escapes; empty where it isn't there. */
struct slice tool_table_text(const struct tool *tool, const char *name, struct buf *scratch);

/* The value at "a.b" in an object; empty where it isn't there. */
struct slice tool_table_at(struct slice object, struct slice path);

/* The server's instructions for clients; a JSON string. */
struct slice tool_table_instructions(const struct tool_table *t);

/* Appends the list [{…},…] of tools/list. */
void tool_table_add_list(const struct tool_table *t, struct buf *out);

/* Appends a client's arguments, an object, as the tool's schema has them, and checks them against it, as connectors/lib/tool.jq does.
 * 0, or -1 with a message that has the place, the fault and what was expected. */
int tool_arguments_check(const struct tool_table *t, const struct tool *tool, struct slice given,
                         struct buf *arguments, struct error_text *e);

/* Appends a program's message, with the arguments instead of the options that they stand for, calls of tools instead of commands
 * (connectors/lib/tool.jq), and without the hint to its --help, which a client can't read. */
void tool_arguments_speak(const struct tool_table *t, const struct tool *tool, struct slice said,
                          struct buf *out);

#endif
