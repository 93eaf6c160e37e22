/* fact_grid.c: writes a table of cells as text, Markdown or HTML, and words of a source so that they are no markup. */
#include "facts/fact_grid.h"

#include "page/html_page.h"
#include "page/terminal.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static int prose_is_control(char c) {
  return (unsigned char)c < ' ' || c == '\x7f';
}

void fact_prose_line(struct buf *out, struct slice text) {
  for (size_t i = 0; i < text.len; i++)
    buf_add_char(out, prose_is_control(text.data[i]) ? ' ' : text.data[i]);
}

/* Whether a link without markup, "http://…", "www.…" or "someone@…", would begin or go on with the character at i. */
static int prose_is_link(struct slice text, size_t i) {
  return text.data[i] == '@' || slice_at_nocase(text, i, "://") ||
         (text.data[i] == '.' && i >= 3 && slice_at_nocase(text, i - 3, "www"));
}

static void prose_escape(struct buf *out, struct slice text, const char *marks, int links) {
  for (size_t i = 0; i < text.len; i++) {
    char c = prose_is_control(text.data[i]) ? ' ' : text.data[i];
    if (strchr(marks, c) || (!links && prose_is_link(text, i)))
      buf_add_char(out, '\\');
    buf_add_char(out, c);
  }
}

/* The same as Markdown in which nothing is markup or a link (CommonMark 0.31, section 2.4, and GFM's autolinks). */
static void fact_prose_markdown(struct buf *out, struct slice text) {
  prose_escape(out, text, "\\`*_[]<>|~&", 0);
}

void fact_prose_notes(struct buf *out, struct slice lines, enum fact_format format) {
  if (format != FACT_MARKDOWN) {
    buf_add_slice(out, lines);
    return;
  }
  for (size_t at = 0; at < lines.len;) {
    struct slice line = page_line(lines, at);
    at += line.len + 1;
    if (line.len > 0 && strchr("#+-=", line.data[0])) /* a heading or list */
      buf_add_char(out, '\\');
    if (slice_at_nocase(line, 0, "Source: "))
      prose_escape(out, line, "\\`[]<>|", 1);
    else
      fact_prose_markdown(out, line);
    buf_add_str(out, at <= lines.len ? "\n" : "");
  }
}

static int prose_is_number(struct slice s) {
  size_t i = s.len > 0 && (s.data[0] == '-' || s.data[0] == '+'), digits = 0;
  for (; i < s.len && (strchr("0123456789.,eE%", s.data[i]) || (i > 0 && tolower(s.data[i - 1]) == 'e')); i++)
    digits += isdigit((unsigned char)s.data[i]) != 0;
  return i == s.len && digits > 0;
}

void fact_prose_csv(struct buf *out, struct slice text, int last) {
  int runs = text.len > 0 && strchr("=+-@\t\r\n", text.data[0]) && !prose_is_number(text), quoted = runs;
  for (size_t i = 0; i < text.len; i++)
    quoted |= text.data[i] == ',' || text.data[i] == '"' || prose_is_control(text.data[i]);
  buf_add_str(out, quoted ? "\"" : "");
  buf_add_str(out, runs ? "'" : "");
  for (size_t i = 0; i < text.len; i++) {
    if (text.data[i] == '"')
      buf_add_char(out, '"');
    buf_add_char(out, text.data[i]);
  }
  buf_add_str(out, quoted ? "\"" : "");
  buf_add_str(out, last ? "\r\n" : ",");
}

enum { GRID_WIDE = 1 << 20 }; /* columns where nothing limits them */

void fact_write_href(struct buf *out, struct slice cik, struct slice accession) {
  while (cik.len > 1 && cik.data[0] == '0')
    cik = slice_of(cik.data + 1, cik.len - 1);
  buf_printf(out, "https://www.sec.gov/Archives/edgar/data/%.*s/", (int)cik.len, cik.data);
  for (size_t i = 0; i < accession.len; i++)
    if (accession.data[i] != '-')
      buf_add_char(out, accession.data[i]);
  buf_printf(out, "/%.*s-index.htm", (int)accession.len, accession.data);
}

const struct fact *fact_row_filing(const struct fact_row *row) {
  const struct fact *f = row->fact ? row->fact : row->part_count ? row->parts[0].fact : NULL;
  return f && f->accession.len ? f : NULL;
}

void fact_grid_init(struct page_table *g, size_t columns, size_t lines, size_t numbers) {
  page_table_init(g, columns, lines - 1);
  g->headed = 1;
  g->links = xcalloc(columns * lines + 1, sizeof *g->links);
  for (size_t c = numbers; c < columns; c++)
    g->right[c] = 1;
}

void fact_grid_release(struct page_table *g) {
  for (size_t i = 0; i < g->columns * (g->rows + 1); i++) {
    if (g->cells[i].len)
      free((char *)(uintptr_t)g->cells[i].data);
    free(g->links[i]);
  }
  free(g->links);
  page_table_release(g);
}

void fact_grid_set(struct page_table *g, size_t line, size_t column, const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (text[0])
    page_table_row(g, line)[column] = slice_str(xstrdup(text));
}

void fact_grid_link(struct page_table *g, size_t line, size_t column, struct slice cik,
                    struct slice accession) {
  struct buf href;
  if (!accession.len || !cik.len)
    return;
  buf_init(&href, 4096);
  fact_write_href(&href, cik, accession);
  g->links[line * g->columns + column] = xstrndup(href.data, href.len);
  buf_release(&href);
}

/* Takes out the columns that are empty in all lines: the end date is, where each company has its own. */
static void grid_shrink(struct page_table *g) {
  size_t all = g->columns * (g->rows + 1), columns = g->columns, kept = 0;
  char *used = xcalloc(columns + 1, 1);
  for (size_t i = 0; i < all; i++)
    used[i % columns] |= g->cells[i].len > 0;
  for (size_t i = 0; i < all; i++)
    if (used[i % columns]) {
      g->cells[kept] = g->cells[i];
      g->links[kept++] = g->links[i];
    }
  g->columns = 0;
  for (size_t c = 0; c < columns; c++)
    if (used[c])
      g->right[g->columns++] = g->right[c];
  free(used);
}

static void grid_markdown(struct buf *out, const struct page_table *t) {
  for (size_t line = 0; line <= t->rows; line++) {
    for (size_t c = 0; c < t->columns; c++) {
      buf_add_str(out, "| ");
      fact_prose_markdown(out, page_table_row(t, line)[c]);
      buf_add_char(out, ' ');
    }
    buf_add_str(out, "|\n");
    for (size_t c = 0; line == 0 && c < t->columns; c++)
      buf_add_str(out, t->right[c] ? "| ---: " : "| --- ");
    buf_add_str(out, line == 0 ? "|\n" : "");
  }
}

void fact_grid_write(struct buf *out, struct page_table *g, enum fact_format format, size_t screen) {
  struct page_terminal t = {.out = out, .width = screen ? screen : GRID_WIDE, .lines = SIZE_MAX};
  grid_shrink(g);
  if (format == FACT_HTML)
    html_page_table(out, g, "Table of figures", NULL, NULL);
  else if (format == FACT_TABLE)
    page_terminal_table(&t, g, NULL);
  else
    grid_markdown(out, g);
}
