/* chunk_context.c: the context line that tells a passage's origin, and a passage's id. */
#include "chunk/chunk_context.h"

#include "base/utf8.h"
#include "page/block.h"
#include "record/json.h"

#include <ctype.h>
#include <string.h>

#define DOT " \xc2\xb7 "

static struct slice chunk_context_text_of(struct slice object, const char *name, struct buf *own) {
  struct slice value = json_get(object, name);
  size_t start = own->len;
  if (json_kind(value) == '"')
    json_decode(value, own);
  else if (json_kind(value) == '0')
    buf_add_slice(own, value);
  return own->len > start ? slice_of(own->data + start, own->len - start) : slice_of(NULL, 0);
}

void chunk_source_read(struct chunk_source *s, struct slice metadata, struct buf *own) {
  if (json_kind(metadata) != '{' || buf_reserve(own, metadata.len) != 0) /* reserved, so that it does not
                                                                            move */
    return;
  s->company = chunk_context_text_of(metadata, "company", own);
  s->ticker = chunk_context_text_of(metadata, "ticker", own);
  s->form = chunk_context_text_of(metadata, "form", own);
  s->type = chunk_context_text_of(metadata, "documentType", own);
  s->fiscal_year = chunk_context_text_of(metadata, "fiscalYear", own);
  s->fiscal_period = chunk_context_text_of(metadata, "fiscalPeriod", own);
  s->report_date = chunk_context_text_of(metadata, "reportDate", own);
  s->filed = chunk_context_text_of(metadata, "filingDate", own);
  s->exhibit = chunk_context_text_of(metadata, "exhibit", own);
  s->title = chunk_context_text_of(metadata, "title", own);
  s->part = chunk_context_text_of(metadata, "part", own);
}

/* Length of the leading run that can be copied unchanged: at least one character, whole characters only, the last of
 * which may extend beyond max. */
static size_t plain_run(struct slice s, size_t max) {
  size_t n = 0;
  do {
    n++;
    while (n < s.len && ((unsigned char)s.data[n] & 0xC0) == 0x80)
      n++;
  } while (n < s.len && n < max && (unsigned char)s.data[n] > ' ' && s.data[n] != '*' && s.data[n] != 127);
  return n;
}

/* Appends one line without Markdown marks: white space collapsed, '#' and '*' trimmed, "**" removed, truncated after
 * max bytes at the end of a character. */
static void chunk_context_add_plain(struct buf *out, struct slice s, size_t max) {
  size_t limit = out->len + max;
  int space = 0, some = 0;
  for (size_t i = 0; i < s.len && out->len < limit; i++) {
    unsigned char c = (unsigned char)s.data[i];
    if (isspace(c) || iscntrl(c)) {
      space = some;
      continue;
    }
    if (c == '*' || (c == '#' && !some))
      continue;
    if (space)
      buf_add_char(out, ' ');
    space = 0;
    some = 1;
    size_t run = plain_run(slice_of(s.data + i, s.len - i), limit - out->len);
    buf_add(out, s.data + i, run);
    i += run - 1;
  }
}

static void chunk_context_add_part(struct buf *out, struct slice s) {
  if (s.len == 0)
    return;
  if (out->len)
    buf_add_str(out, DOT);
  chunk_context_add_plain(out, s, PAGE_TITLE);
}

static void chunk_context_add_company(struct buf *out, const struct chunk_source *s) {
  chunk_context_add_part(out, s->company);
  if (s->ticker.len == 0)
    return;
  if (s->company.len)
    buf_add_str(out, " (");
  chunk_context_add_plain(out, s->ticker, PAGE_TITLE);
  if (s->company.len)
    buf_add_char(out, ')');
}

/* Appends "FY 2024", "Q2 2025", else "period 2024-09-28". */
static void add_period(struct buf *out, const struct chunk_source *s) {
  if (s->fiscal_year.len) {
    buf_add_str(out, out->len ? DOT : "");
    chunk_context_add_plain(out, s->fiscal_period.len ? s->fiscal_period : slice_str("FY"), 8);
    buf_add_char(out, ' ');
    chunk_context_add_plain(out, s->fiscal_year, 8);
  } else if (s->report_date.len) {
    buf_add_str(out, out->len ? DOT "period " : "period ");
    chunk_context_add_plain(out, s->report_date, 16);
  }
}

void chunk_context_document(struct buf *out, const struct chunk_source *s) {
  chunk_context_add_company(out, s);
  chunk_context_add_part(out, s->form);
  if (s->type.len && !slice_eq(s->type, s->form))
    chunk_context_add_part(out, s->type);
  add_period(out, s);
  if (s->filed.len) {
    buf_add_str(out, out->len ? DOT : "");
    buf_add_str(out, s->form.len ? "filed " : "dated ");
    chunk_context_add_plain(out, s->filed, 16);
  }
  if (s->company.len == 0 || s->exhibit.len || s->form.len == 0)
    chunk_context_add_part(out, s->title.len || s->form.len ? s->title : s->name);
}

/* --- passage --- */

static int starts_with_item(struct slice title) {
  size_t skip = 0;
  while (skip < title.len && strchr("#* ", title.data[skip]))
    skip++;
  return title.len - skip > 4 && strncasecmp(title.data + skip, "item", 4) == 0;
}

static void add_strings(struct buf *out, const char *before, struct slice text, const char *after) {
  buf_add_str(out, before);
  buf_add_slice(out, text);
  buf_add_str(out, after);
}

/* Appends "Item 1A.  Risk Factors", whether or not the title includes the item; "II-1A" becomes "Part II · Item 1A.". */
static void chunk_context_add_heading(struct buf *out, const struct chunker_heading *h, int has_part) {
  const char *dash = h->item.len ? memchr(h->item.data, '-', h->item.len) : NULL;
  struct slice item = h->item;
  if (dash) {
    if (!has_part)
      add_strings(out, DOT "Part ", slice_of(item.data, (size_t)(dash - item.data)), "");
    item = slice_of(dash + 1, item.len - (size_t)(dash + 1 - item.data));
  }
  if (item.len && !starts_with_item(h->title))
    add_strings(out, DOT "Item ", item, h->title.len ? ". " : ".");
  else
    buf_add_str(out, DOT);
  chunk_context_add_plain(out, h->title, PAGE_TITLE);
}

/* Appends the cells of rows on one line, without empty cells and rules. */
static void add_cells(struct buf *out, struct slice rows) {
  size_t limit = out->len + CONTEXT_MAX;
  const char *before = DOT;
  for (size_t at = 0, end; at < rows.len && out->len < limit; at = end + 1) {
    for (end = at; end < rows.len && rows.data[end] != '|' && rows.data[end] != '\n';)
      end++;
    struct slice cell = slice_of(rows.data + at, end - at);
    while (cell.len && isspace((unsigned char)*cell.data))
      cell = slice_of(cell.data + 1, cell.len - 1);
    if (cell.len == 0)
      continue;
    buf_add_str(out, before);
    chunk_context_add_plain(out, cell, limit - out->len);
    before = " | ";
  }
}

/* Whether the first heading, appended at `at`, only repeats the document's title before it. */
static int repeats_title(const struct buf *out, size_t at) {
  size_t dot = strlen(DOT), len = out->len - at;
  return len > dot && ((at >= len && memcmp(out->data + at - len, out->data + at, len) == 0) ||
                       (at == len - dot && memcmp(out->data, out->data + at + dot, at) == 0));
}

void chunk_context_path(struct buf *out, const struct chunker_chunk *chunk) {
  int has_part = chunk->path[1].title.len != 0;
  size_t start = out->len;
  for (int level = 1; level <= CHUNKER_LEVELS; level++) {
    size_t at = out->len;
    if ((!chunk->path[level].title.len && !chunk->path[level].item.len) || at - start >= CONTEXT_MAX / 2)
      continue;
    chunk_context_add_heading(out, &chunk->path[level], has_part);
    if (at == start && repeats_title(out, at))
      out->len = at;
  }
}

/* Whether the header's first cell is the caption, "(in millions)", which is then not repeated. */
static int header_says(struct slice header, struct slice caption) {
  size_t skip = 0;
  while (skip < header.len && strchr("| ", header.data[skip]))
    skip++;
  return header.len - skip > caption.len && memcmp(header.data + skip, caption.data, caption.len) == 0;
}

void chunk_context_table(struct buf *out, const struct chunker_chunk *chunk) {
  if (chunk->table_caption.len && !header_says(chunk->table_header, chunk->table_caption)) {
    buf_add_str(out, DOT);
    chunk_context_add_plain(out, chunk->table_caption, PAGE_TITLE);
  }
  for (size_t i = 0; i < chunk->table_group_count; i++) {
    buf_add_str(out, DOT);
    chunk_context_add_plain(out, chunk->table_groups[i], PAGE_TITLE);
  }
  add_cells(out, chunk->table_header);
}

/* --- id --- */

static void chunk_context_add_field(struct digest *d, struct slice s) {
  digest_add(d, s.data, s.len);
  digest_add(d, "", 1);
}

static void chunk_context_add_number(struct digest *d, uint64_t n) {
  uint8_t bytes[8];
  for (int i = 0; i < 8; i++)
    bytes[i] = (uint8_t)(n >> 8 * i);
  digest_add(d, bytes, sizeof bytes);
}

void chunk_id_start(struct digest *d, const struct chunk_source *s) {
  digest_start(d);
  chunk_context_add_field(d, slice_str("bid-chunk " CHUNKER_VERSION));
  chunk_context_add_field(d, s->url);
  chunk_context_add_field(d, s->sha256);
  chunk_context_add_field(d, s->part);
}

void chunk_id(char out[33], const struct digest *started, size_t start, size_t end) {
  uint8_t sum[DIGEST_SIZE];
  struct digest d = *started;
  chunk_context_add_number(&d, start);
  chunk_context_add_number(&d, end);
  digest_end(&d, sum);
  digest_hex(sum, 16, out);
}
