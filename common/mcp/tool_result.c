/* tool_result.c: what a program printed, as the result of a call: structured, and as text for a model. */
#include "mcp/tool_result.h"

#include "mcp/tool_table.h"
#include "record/json.h"
#include "record/record.h"

#include <stdlib.h>
#include <sysexits.h>

/* ---- text for a model ---- */

#define TEXT_BYTES ((size_t)128 << 20)

static void tool_add_line(struct buf *out, const char *lead, struct slice value) {
  if (json_kind(value) != '"')
    return;
  buf_add_str(out, lead);
  json_decode(value, out);
  buf_add_char(out, '\n');
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

/* Appends the result, the object of structuredContent, as the tool's `run` says:
 *   "text": "passages"  each passage of "links" with its mark, context, text, source and id
 *   "text": "changes"   of bid-diff: the counts, then the changes below their headings
 *   "text": "table"     the records of "member" as a Markdown table of "columns" (paths into a record); what is the
 *                       same in all of several records stands once above it, what none has is left out
 *   "text": PATH        the text at that path, then the filings that EDGAR has
 * Returns 0 where none of these applies: the JSON itself is appended then. */
static int tool_text_add(struct buf *out, const struct tool *tool, struct slice result) {
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

/* ---- results ---- */

#define RESULT_BYTES ((size_t)128 << 20)
#define LINKS 32 /* limit of links in a result */

/* A result being built. */
struct tool_parts {
  const struct tool_table *table;
  const struct tool *tool;
  struct buf structured, text, faults; /* JSON, text, messages of error records */
  size_t good;                         /* records other than errors */
  size_t bad;
};

/* ---- program output ---- */

/* The next line that is a JSON object; 0 at the end.  Skips other lines. */
static int tool_next_record(struct slice *rest, struct record *rec) {
  static const char *const none[] = {NULL};
  while (rest->len > 0) {
    struct slice line = slice_cut(rest, '\n');
    const char *why;
    size_t at;
    if (line.len > 0 && record_parse(line.data, line.len, none, rec, &why, &at) == RECORD_OK)
      return 1;
  }
  return 0;
}

static void tool_add_fault(struct tool_parts *p, struct slice error) {
  struct buf scratch;
  buf_init(&scratch, RESULT_BYTES);
  buf_add_str(&p->faults, p->faults.len ? "\n" : "");
  buf_add_slice(&p->faults, json_text(json_get(error, "category"), &scratch));
  buf_add_str(&p->faults, ": ");
  tool_arguments_speak(p->table, p->tool, json_text(json_get(error, "message"), &scratch), &p->faults);
  buf_release(&scratch);
  p->bad++;
}

/* Adds an object's members as `content`, except its hints, which mention options of the command. */
static void tool_add_content(struct buf *out, struct slice object) {
  struct json_cursor c = {0};
  struct slice key, value;
  buf_add_str(out, ",\"content\":{");
  while (json_next_member(object, &c, &key, &value)) {
    if (!json_key_is(key, slice_str("hints")))
      json_add_member(out, key, value);
  }
  buf_add_char(out, '}');
}

/* Adds a payload's text as `content`, as JSON where it is JSON, instead of a string that contains it. */
static void tool_add_decoded(struct buf *out, const struct record *rec, const char *field) {
  struct slice raw = json_get(rec->line, field), text;
  struct buf scratch;
  record_open(out, rec, field, (char *)NULL);
  buf_init(&scratch, RESULT_BYTES);
  text = json_text(raw, &scratch);
  if (json_is_valid(text) && memchr(text.data, '\n', text.len) == NULL) {
    if (json_kind(text) == '{')
      tool_add_content(out, text);
    else
      json_raw(out, "content", text);
  } else if (raw.len > 0)
    json_str(out, "content", text);
  buf_add_char(out, '}');
  buf_release(&scratch);
}

static void tool_take_records(struct tool_parts *p, struct slice out) {
  struct buf errors, scratch;
  struct record rec;
  struct buf *s = &p->structured;
  buf_init(&errors, RESULT_BYTES);
  buf_init(&scratch, 256);
  int decode = json_get(p->tool->run, "decode").len > 0;
  struct slice omitted = json_get(p->tool->run, "omit");
  buf_add_str(s, "{\"");
  buf_add_slice(s, tool_table_text(p->tool, "member", &scratch));
  buf_add_str(s, "\":[");
  while (tool_next_record(&out, &rec)) {
    if (rec.is_error) {
      tool_add_fault(p, json_get(rec.line, "error"));
      buf_add_str(&errors, errors.len ? "," : "");
      buf_add_slice(&errors, json_get(rec.line, "error"));
      continue;
    }
    if (omitted.len > 0 && slice_eq(json_get(rec.line, "name"), omitted))
      continue;
    buf_add_str(s, p->good++ ? "," : "");
    if (decode)
      tool_add_decoded(s, &rec, "rawContent");
    else
      buf_add_slice(s, rec.line);
  }
  buf_add_str(s, "]");
  if (errors.len > 0) {
    buf_add_str(s, ",\"errors\":[");
    buf_add_slice(s, buf_slice(&errors));
    buf_add_char(s, ']');
  }
  buf_add_char(s, '}');
  buf_release(&scratch);
  buf_release(&errors);
}

/* Takes the single object printed. */
static void tool_take_object(struct tool_parts *p, struct slice out) {
  struct record rec;
  while (p->good == 0 && tool_next_record(&out, &rec)) {
    if (rec.is_error) {
      tool_add_fault(p, json_get(rec.line, "error"));
      continue;
    }
    buf_add_slice(&p->structured, rec.line);
    p->good = 1;
  }
}

/* ---- text ---- */

/* Adds errors reported inside an object. */
static void tool_take_told(struct tool_parts *p) {
  struct slice list = json_get(buf_slice(&p->structured), "errors"), error;
  struct json_cursor c = {0};
  if (p->faults.len > 0 || json_kind(list) != '[')
    return;
  while (json_next_element(list, &c, &error))
    tool_add_fault(p, error);
}

static void tool_make_text(struct tool_parts *p) {
  struct slice all = buf_slice(&p->structured);
  tool_take_told(p);
  int formatted = tool_text_add(&p->text, p->tool, all);
  if (p->text.len == 0)
    buf_add_str(&p->text, "Nothing relevant was found.");
  if (p->faults.len > 0 && formatted) {
    buf_add_str(&p->text, "\n");
    buf_add_slice(&p->text, buf_slice(&p->faults));
  }
}

/* ---- links ---- */

/* A member of a passage, or of its document's metadata. */
static struct slice tool_known(struct slice passage, const char *name) {
  struct slice value = json_get(passage, name), metadata = json_get(passage, "metadata");
  return value.len > 0 || json_kind(metadata) != '{' ? value : json_get(metadata, name);
}

static void tool_add_name(struct buf *out, struct slice passage) {
  static const char *const names[] = {"ticker", "company", "form", "filingDate", NULL};
  struct buf name, scratch;
  buf_init(&name, 4096);
  buf_init(&scratch, RESULT_BYTES);
  for (size_t i = 0; names[i] != NULL; i++) {
    struct slice text = json_text(tool_known(passage, names[i]), &scratch);
    if (text.len == 0 || (i == 1 && name.len > 0)) /* the company's name where it has no ticker */
      continue;
    buf_add_str(&name, name.len ? " " : "");
    buf_add_slice(&name, text);
  }
  json_str(out, "name", name.len ? buf_slice(&name) : slice_str("document"));
  buf_release(&scratch);
  buf_release(&name);
}

/* Links being built: URLs already added. */
struct tool_links {
  struct buf *out;
  struct slice seen[LINKS];
  size_t count;
};

/* Adds a link to a record's filing, without duplicates, where it has a web URL: for a figure its filing, else the
 * document. */
static void tool_add_link(struct tool_links *l, struct slice record) {
  struct slice url = json_get(record, "href");
  size_t i = 0;
  if (url.len == 0)
    url = json_get(record, "sourceUrl");
  while (i < l->count && !slice_eq(l->seen[i], url))
    i++;
  if (i < l->count || l->count == LINKS || url.len < 9 || memcmp(url.data, "\"https://", 9) != 0)
    return;
  l->seen[l->count++] = url;
  buf_add_str(l->out, ",{\"type\":\"resource_link\"");
  json_raw(l->out, "uri", url);
  tool_add_name(l->out, record);
  buf_add_char(l->out, '}');
}

/* Adds links to the filings of the records at the table's "links"; a comparison has two. */
static void tool_add_links(const struct tool_parts *p, struct buf *out) {
  struct tool_links l = {.out = out};
  struct slice list, m;
  struct json_cursor c = {0};
  struct buf scratch;
  if (json_get(p->tool->run, "links").len == 0)
    return;
  buf_init(&scratch, 256);
  list = tool_table_at(buf_slice(&p->structured), tool_table_text(p->tool, "links", &scratch));
  while (json_kind(list) == '[' && json_next_element(list, &c, &m)) {
    struct slice both = json_get(m, "diff");
    if (json_kind(both) == '{') {
      tool_add_link(&l, json_get(both, "new"));
      tool_add_link(&l, json_get(both, "old"));
    } else {
      tool_add_link(&l, m);
    }
  }
  buf_release(&scratch);
}

/* ---- complete results ---- */

static void tool_parts_init(struct tool_parts *p, const struct tool *tool) {
  *p = (struct tool_parts){.tool = tool};
  buf_init(&p->structured, RESULT_BYTES);
  buf_init(&p->text, RESULT_BYTES);
  buf_init(&p->faults, RESULT_BYTES);
}

static void tool_parts_release(struct tool_parts *p) {
  buf_release(&p->structured);
  buf_release(&p->text);
  buf_release(&p->faults);
}

static void tool_add_text(struct buf *out, struct slice text) {
  buf_add_str(out, "{\"content\":[{\"type\":\"text\"");
  json_str(out, "text", text);
  buf_add_char(out, '}');
}

void tool_result_add_fault(struct buf *out, const char *why) {
  tool_add_text(out, slice_str(why));
  buf_add_str(out, "],\"isError\":true}");
}

/* Adds the error message of a program without output. */
static void tool_add_failure(struct buf *out, struct tool_parts *p, const struct tool_printed *printed) {
  struct slice said = printed->said;
  while (said.len > 0 && said.data[said.len - 1] == '\n')
    said.len--;
  if (p->faults.len == 0)
    tool_arguments_speak(p->table, p->tool, said, &p->faults);
  if (p->faults.len == 0)
    buf_printf(&p->faults, "the program ended with status %d and gave no reason", printed->status);
  tool_result_add_fault(out, p->faults.data);
}

void tool_result_add(struct buf *out, const struct tool_table *t, const struct tool *tool,
                     const struct tool_printed *printed, int structured) {
  struct tool_parts p;
  tool_parts_init(&p, tool);
  p.table = t;
  if (tool->kind == TOOL_RECORDS)
    tool_take_records(&p, printed->out);
  else
    tool_take_object(&p, printed->out);
  /* A refused question comes as an object without an answer. */
  int refused = tool->kind == TOOL_OBJECT && printed->status == EX_USAGE;
  if (refused)
    tool_take_told(&p);
  if (refused || (p.good == 0 && (printed->status > 1 || p.bad > 0 || tool->kind != TOOL_RECORDS)))
    tool_add_failure(out, &p, printed);
  else {
    tool_make_text(&p);
    tool_add_text(out, buf_slice(&p.text));
    if (structured)
      tool_add_links(&p, out);
    buf_add_char(out, ']');
    if (structured)
      json_raw(out, "structuredContent", buf_slice(&p.structured));
    buf_add_str(out, ",\"isError\":false}");
  }
  tool_parts_release(&p);
}

int tool_result_add_resource(struct buf *out, const char *uri, const struct tool_printed *printed) {
  struct slice rest = printed->out;
  struct record rec;
  while (tool_next_record(&rest, &rec)) {
    struct slice text = json_get(rec.line, "text");
    if (rec.is_error || json_kind(text) != '"')
      continue;
    buf_add_str(out, "{\"contents\":[{");
    json_cstr(out, "uri", uri);
    json_cstr(out, "mimeType", "text/markdown");
    json_raw(out, "text", text);
    buf_add_str(out, "}]}");
    return 0;
  }
  return -1;
}
