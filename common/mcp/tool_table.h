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

struct tool {
  struct slice name; /* a JSON string */
  char *path;        /* of the program */
};

struct tool_table {
  struct buf file; /* its bytes */
  struct buf json; /* the same with the available tools alone, an object */
  struct tool *tools;
  size_t count;
};

/* Reads the table. may_write: include tools that change the store.  0, or -1 with e filled. */
int tool_table_load(struct tool_table *t, int may_write, struct error_text *e);
void tool_table_release(struct tool_table *t);

/* The tool with this name (a JSON string), or NULL. */
const struct tool *tool_table_find(const struct tool_table *t, struct slice name);

#endif
