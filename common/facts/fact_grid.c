#include "facts/fact_grid.h"

#include "facts/fact_prose.h"
#include "facts/fact_table.h"
#include "page/html_page.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { GRID_SHORT = 8 }; /* width of a short line name, such as a period */

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

void fact_grid_init(struct fact_grid *g, size_t columns, size_t lines, size_t numbers) {
  *g = (struct fact_grid){.columns = columns, .lines = lines, .numbers = numbers};
  g->cells = xcalloc(columns * lines + 1, sizeof *g->cells);
  g->links = xcalloc(columns * lines + 1, sizeof *g->links);
}

void fact_grid_release(struct fact_grid *g) {
  for (size_t i = 0; i < g->columns * g->lines; i++) {
    free(g->cells[i]);
    free(g->links[i]);
  }
  free(g->cells);
  free(g->links);
}

void fact_grid_set(struct fact_grid *g, size_t line, size_t column, const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  free(g->cells[line * g->columns + column]);
  g->cells[line * g->columns + column] = xstrdup(text);
}

void fact_grid_link(struct fact_grid *g, size_t line, size_t column, struct slice cik,
                    struct slice accession) {
  struct buf href;
  if (!accession.len || !cik.len)
    return;
  buf_init(&href, 4096);
  fact_write_href(&href, cik, accession);
  free(g->links[line * g->columns + column]);
  g->links[line * g->columns + column] = xstrndup(href.data, href.len);
  buf_release(&href);
}

/* Whether a column is empty in all lines; the end date is, where each company has its own. */
static int grid_is_empty(const struct fact_grid *g, size_t column) {
  for (size_t line = 0; line < g->lines; line++) {
    const char *cell = g->cells[line * g->columns + column];
    if (cell && *cell)
      return 0;
  }
  return 1;
}

static void grid_markdown_rule(struct buf *out, const struct fact_grid *g) {
  for (size_t c = 0; c < g->columns; c++)
    if (!grid_is_empty(g, c))
      buf_add_str(out, c >= g->numbers ? "| ---: " : "| --- ");
  buf_add_str(out, "|\n");
}

static void grid_markdown_line(struct buf *out, const struct fact_grid *g, size_t line) {
  for (size_t c = 0; c < g->columns; c++) {
    if (grid_is_empty(g, c))
      continue;
    const char *cell = g->cells[line * g->columns + c];
    buf_add_str(out, "| ");
    fact_prose_markdown(out, slice_str(cell ? cell : ""));
    buf_add_char(out, ' ');
  }
  buf_add_str(out, "|\n");
}

/* A letter after a number refers to a note ("d: derived"). */
static size_t grid_note_letter(struct slice s) {
  return s.len > 1 && strchr("drs", s.data[s.len - 1]) && s.data[s.len - 2] >= '0' &&
         s.data[s.len - 2] <= '9';
}

static void grid_html_line(struct buf *out, const struct fact_grid *g, size_t line) {
  for (size_t c = 0; c < g->columns; c++) {
    const char *cell = g->cells[line * g->columns + c], *link = g->links[line * g->columns + c];
    if (grid_is_empty(g, c))
      continue;
    struct slice text = slice_str(cell ? cell : "");
    while (text.len && text.data[text.len - 1] == ' ')
      text.len--;
    size_t note = line > 0 && c >= g->numbers ? grid_note_letter(text) : 0;
    const char *name = line == 0 || c == 0 ? "th" : "td";
    buf_printf(out, "<%s%s%s>", name,
               line == 0 ? " scope=\"col\""
               : c == 0  ? " scope=\"row\""
                         : "",
               c >= g->numbers          ? " class=\"n\""
               : c > 0                  ? " class=\"line-whole\""
               : text.len <= GRID_SHORT ? " class=\"short\""
                                        : "");
    html_page_link(out, slice_str(link ? link : ""), slice_of(text.data, text.len - note));
    if (note)
      buf_printf(out, "<sup>%c</sup>", text.data[text.len - 1]);
    buf_printf(out, "</%s>", name);
  }
}

static void grid_html(struct buf *out, const struct fact_grid *g) {
  html_page_table_open(out, "Table of figures");
  for (size_t line = 0; line < g->lines; line++) {
    buf_add_str(out, line == 0 ? "<thead><tr>" : "<tr>");
    grid_html_line(out, g, line);
    buf_add_str(out, line == 0 ? "</tr></thead>\n<tbody>\n" : "</tr>\n");
  }
  buf_add_str(out, "</tbody>");
  html_page_table_close(out);
}

void fact_grid_write(struct buf *out, const struct fact_grid *g, enum fact_format format, size_t screen) {
  if (format == FACT_HTML)
    grid_html(out, g);
  else if (format == FACT_TABLE)
    fact_table_write(out, g, screen);
  for (size_t line = 0; format == FACT_MARKDOWN && line < g->lines; line++) {
    grid_markdown_line(out, g, line);
    if (line == 0)
      grid_markdown_rule(out, g);
  }
}
