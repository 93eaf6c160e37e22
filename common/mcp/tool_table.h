/* tool_table.h: the tools of the server, read from data/mcp-tools.json.
 *
 * Each has a `tool`, which clients are shown as it is, and a `run`, which says what answers it:
 *   program    the program, looked for beside this one; a tool whose program is not there is left out
 *   kind       question (a record for the lasting bid-search), object (prints one JSON object), records (NDJSON)
 *   writes     true: only where the server may change the store
 *   arguments  words that come first; readOnly: further ones where the server may not change the store
 *   options    arguments' names to options; fields: to members of a question; operands: names, in order
 *   member     records: the member of the result that holds them; decode: a member that becomes `content`
 *   links      where the passages are whose filings are linked; text: how the result reads
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
  struct buf text; /* the file */
  struct tool *tools;
  size_t count;
  int may_write;
};

/* Reads the table.  may_write: tools that change the store are among them.  0, or -1 with e filled. */
int tool_table_load(struct tool_table *t, int may_write, struct error_text *e);
void tool_table_release(struct tool_table *t);

/* The tool of this name (a JSON string), or NULL. */
const struct tool *tool_table_find(const struct tool_table *t, struct slice name);

/* What clients are told on how to use all this; JSON string. */
struct slice tool_table_instructions(const struct tool_table *t);

/* Appends the list [{…},…] of tools/list. */
void tool_table_add_list(const struct tool_table *t, struct buf *out);

#endif
