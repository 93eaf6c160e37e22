#include "mcp/tool_text.h"

#include "record/json.h"

#include <stdlib.h>

#define TEXT_BYTES ((size_t)128 << 20)

static void tool_add_line(struct buf *out, const char *lead, struct slice value) {
  struct buf scratch;
  if (json_kind(value) != '"')
    return;
  buf_init(&scratch, TEXT_BYTES);
  buf_add_str(out, lead);
  buf_add_slice(out, json_text(value, &scratch));
  buf_add_char(out, '\n');
  buf_release(&scratch);
}

static void tool_add_passages(struct buf *out, struct slice list) {
  struct json_cursor c = {0};
  struct slice m;
  for (size_t n = 1; list.len > 0 && json_next_element(list, &c, &m); n++) {
    buf_printf(out, "%s[%zu] ", n > 1 ? "\n" : "", n);
    tool_add_line(out, "", json_get(m, "context"));
    tool_add_line(out, "", json_get(m, "text"));
    tool_add_line(out, "Source: ", json_get(m, "sourceUrl"));
    tool_add_line(out, "id: ", json_get(m, "id"));
    struct slice next = json_get(m, "next");
    if (next.len > 0)
      buf_printf(out, "More follows: from %.*s\n", (int)next.len, next.data);
  }
}

/* Adds the text for a prompt, and the filings that bid-retrieve found on EDGAR. */
static void tool_add_context(struct buf *out, struct slice context, struct slice filings) {
  struct json_cursor c = {0};
  struct slice f;
  if (context.len > 2)
    tool_add_line(out, "", context);
  else
    buf_add_str(out, "Nothing relevant was found.");
  while (json_kind(filings) == '[' && json_next_element(filings, &c, &f)) {
    tool_add_line(out, "\nFiling: ", json_get(f, "form"));
    tool_add_line(out, "filed ", json_get(f, "filingDate"));
    tool_add_line(out, "", json_get(f, "href"));
  }
}

/* ---- changes ---- */

static void tool_add_counts(struct buf *out, struct slice counts) {
  static const char *const kinds[] = {"same", "moved", "numbers", "changed", "added", "dropped"};
  tool_add_line(out, "old: ", json_get(json_get(counts, "old"), "sourceUrl"));
  tool_add_line(out, "new: ", json_get(json_get(counts, "new"), "sourceUrl"));
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    struct slice n = json_get(counts, kinds[i]);
    buf_printf(out, "%s%s %.*s", i ? ", " : "paragraphs: ", kinds[i], (int)n.len, n.data);
  }
  buf_add_char(out, '\n');
  if (json_get(counts, "notShown").len > 0)
    buf_printf(out, "%.*s further changes are not shown: `limit` says how many are\n",
               (int)json_get(counts, "notShown").len, json_get(counts, "notShown").data);
}

static void tool_add_changes(struct buf *out, struct slice list) {
  struct json_cursor c = {0};
  struct slice m, heading = slice_of(NULL, 0);
  while (json_kind(list) == '[' && json_next_element(list, &c, &m)) {
    if (json_get(m, "diff").len > 0) {
      tool_add_counts(out, json_get(m, "diff"));
      continue;
    }
    if (!slice_eq(json_get(m, "heading"), heading))
      tool_add_line(out, "\n## ", heading = json_get(m, "heading"));
    tool_add_line(out, "\n", json_get(m, "change"));
    tool_add_line(out, "- ", json_get(m, "old"));
    tool_add_line(out, "+ ", json_get(m, "new"));
  }
}

/* ---- tables ---- */

/* One column of a table: its path, whether any record has it, and its value where all have the same. */
struct tool_column {
  struct slice path, value;
  int any, same;
};

enum { TOOL_COLUMNS = 24 };

static struct slice tool_column_name(const struct tool_column *c) {
  const char *dot = memrchr(c->path.data, '.', c->path.len);
  return dot ? slice_of(dot + 1, (size_t)(c->path.data + c->path.len - dot - 1)) : c->path;
}

static size_t tool_columns(struct slice names, struct slice list, struct tool_column *columns) {
  struct json_cursor c = {0};
  struct slice name, record;
  size_t n = 0, records = 0;
  while (n < TOOL_COLUMNS && json_next_element(names, &c, &name))
    columns[n++] = (struct tool_column){.path = slice_of(name.data + 1, name.len - 2), .same = 1};
  for (c = (struct json_cursor){0}; json_next_element(list, &c, &record); records++)
    for (size_t i = 0; i < n; i++) {
      struct slice value = tool_table_at(record, columns[i].path);
      columns[i].any |= value.len > 0;
      if (records == 0)
        columns[i].value = value;
      else
        columns[i].same &= slice_eq(value, columns[i].value);
    }
  for (size_t i = 0; i < n; i++)
    columns[i].same &= records > 1;
  return n;
}

/* Appends a value as a cell: on one line, its bars escaped. */
static void tool_add_cell(struct buf *out, struct slice value) {
  struct buf scratch;
  buf_init(&scratch, TEXT_BYTES);
  struct slice text = json_kind(value) == '"' ? json_text(value, &scratch) : value;
  for (size_t i = 0; i < text.len; i++) {
    if (text.data[i] == '|')
      buf_add_char(out, '\\');
    buf_add_char(out, text.data[i] == '\n' ? ' ' : text.data[i]);
  }
  buf_release(&scratch);
}

/* Appends what is the same in all records: "company Apple Inc.; form 10-K". */
static void tool_add_common(struct buf *out, const struct tool_column *columns, size_t n) {
  size_t before = out->len;
  for (size_t i = 0; i < n; i++) {
    if (!columns[i].any || !columns[i].same)
      continue;
    buf_add_str(out, out->len > before ? "; " : "All rows: ");
    buf_add_slice(out, tool_column_name(&columns[i]));
    buf_add_char(out, ' ');
    tool_add_cell(out, columns[i].value);
  }
  buf_add_str(out, out->len > before ? "\n\n" : "");
}

/* Appends a row: the names where record is empty. */
static void tool_add_row(struct buf *out, const struct tool_column *columns, size_t n, struct slice record) {
  for (size_t i = 0; i < n; i++) {
    if (!columns[i].any || columns[i].same)
      continue;
    buf_add_str(out, "| ");
    if (record.len == 0)
      buf_add_slice(out, tool_column_name(&columns[i]));
    else
      tool_add_cell(out, tool_table_at(record, columns[i].path));
    buf_add_char(out, ' ');
  }
  buf_add_str(out, "|\n");
}

static void tool_add_table(struct buf *out, struct slice names, struct slice list) {
  struct tool_column columns[TOOL_COLUMNS];
  struct json_cursor c = {0};
  struct slice record;
  if (json_kind(list) != '[' || json_kind(names) != '[' || !json_next_element(list, &c, &record))
    return;
  size_t n = tool_columns(names, list, columns);
  tool_add_common(out, columns, n);
  tool_add_row(out, columns, n, slice_of(NULL, 0));
  for (size_t i = 0; i < n; i++)
    buf_add_str(out, columns[i].any && !columns[i].same ? "| --- " : "");
  buf_add_str(out, "|\n");
  for (c = (struct json_cursor){0}; json_next_element(list, &c, &record);)
    tool_add_row(out, columns, n, record);
}

int tool_text_add(struct buf *out, const struct tool *tool, struct slice result) {
  struct buf how, at;
  buf_init(&how, 256);
  buf_init(&at, 256);
  struct slice form = tool_table_text(tool, "text", &how);
  if (slice_is(form, "passages"))
    tool_add_passages(out, tool_table_at(result, tool_table_text(tool, "links", &at)));
  else if (slice_is(form, "changes"))
    tool_add_changes(out, tool_table_at(result, tool_table_text(tool, "member", &at)));
  else if (slice_is(form, "table"))
    tool_add_table(out, json_get(tool->run, "columns"),
                   tool_table_at(result, tool_table_text(tool, "member", &at)));
  else if (form.len > 0)
    tool_add_context(out, tool_table_at(result, form), tool_table_at(result, slice_str("edgar.filings")));
  else
    buf_add_slice(out, result);
  tool_add_line(out, "Warning: ", json_get(result, "warning"));
  int formatted = form.len > 0;
  buf_release(&at);
  buf_release(&how);
  return formatted;
}
