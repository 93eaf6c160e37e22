/* fact_grid.c: writes a table of cells as text, Markdown or HTML, and words of a source so that they are no markup. */
#include "facts/fact_grid.h"

#include "base/screen.h"
#include "page/block.h"
#include "page/html_page.h"

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

enum { TABLE_GAP = 2, TABLE_HANG = 2 };

struct fact_table {
  const struct fact_grid *g;
  size_t *width, *natural; /* per column; a width of 0: it is dropped */
  size_t left_out;
};

static struct slice fit_cell(const struct fact_grid *g, size_t line, size_t column) {
  return slice_str(g->cells[line * g->columns + column]);
}

/* Headers and words may be wrapped at blanks, numbers and dates not. */
static int fit_breaks(const struct fact_grid *g, size_t line, size_t column) {
  struct slice cell = fit_cell(g, line, column);
  return line == 0 || column == 0 || (cell.len && isalpha((unsigned char)cell.data[0]));
}

/* The next piece of a cell that fits into `width` columns, trimmed; at least one word. */
static struct slice fit_piece(struct slice *rest, size_t width) {
  size_t from = 0, end;
  while (from < rest->len && rest->data[from] == ' ')
    from++;
  for (size_t i = end = from; i < rest->len; end = i) {
    for (i = end; i < rest->len && rest->data[i] == ' ';)
      i++;
    while (i < rest->len && rest->data[i] != ' ')
      i++;
    if (end > from && screen_text_columns(slice_of(rest->data + from, i - from)) > width)
      break;
  }
  struct slice piece = slice_of(rest->data + from, end - from);
  *rest = slice_of(rest->data + end, rest->len - end);
  return piece;
}

/* Minimum width of a cell. */
static size_t fit_least(const struct fact_grid *g, size_t line, size_t column) {
  struct slice rest = fit_cell(g, line, column);
  size_t least = 0;
  if (!fit_breaks(g, line, column))
    return screen_text_columns(rest);
  for (size_t k = 0; rest.len; k++) {
    size_t n = screen_text_columns(fit_piece(&rest, 0)) + (k && line ? TABLE_HANG : 0);
    least = n > least ? n : least;
  }
  return least;
}

static size_t fit_total(const struct fact_table *t) {
  size_t total = 0;
  for (size_t c = 0; c < t->g->columns; c++)
    total += t->width[c] ? t->width[c] + (total ? TABLE_GAP : 0) : 0;
  return total;
}

static void fit_measure(struct fact_table *t) {
  for (size_t i = 0; i < t->g->lines; i++)
    for (size_t c = 0; c < t->g->columns; c++) {
      size_t n = screen_text_columns(fit_cell(t->g, i, c)), least = fit_least(t->g, i, c);
      t->natural[c] = n > t->natural[c] ? n : t->natural[c];
      t->width[c] = least > t->width[c] ? least : t->width[c];
    }
}

/* Drops columns that don't fit, then widens narrowed ones, one column at a time. */
static void fit_columns(struct fact_table *t, size_t screen) {
  for (size_t c = t->g->spare_end; c-- > t->g->spare && fit_total(t) > screen;) {
    t->left_out += t->width[c] > 0;
    t->width[c] = 0;
  }
  for (int grown = 1; grown;) {
    grown = 0;
    for (size_t c = 0; c < t->g->columns; c++)
      if (t->width[c] && t->width[c] < t->natural[c] && fit_total(t) < screen)
        grown = ++t->width[c] > 0;
  }
}

/* How many lines a cell takes. */
static size_t fit_own_rows(const struct fact_table *t, size_t line, size_t column) {
  struct slice rest = fit_cell(t->g, line, column);
  size_t own = 0;
  if (!fit_breaks(t->g, line, column) || screen_text_columns(rest) <= t->width[column])
    return 1;
  for (; rest.len; own++)
    fit_piece(&rest, t->width[column] - (own && line ? TABLE_HANG : 0));
  return own;
}

/* The k-th of `rows` lines of a cell; shorter cells are bottom-aligned. */
static struct slice fit_row_piece(const struct fact_table *t, size_t line, size_t column, size_t rows,
                                  size_t k, size_t *hang) {
  struct slice rest = fit_cell(t->g, line, column), piece = rest;
  size_t own = fit_own_rows(t, line, column);
  *hang = 0;
  if (own == 1 && k + 1 == rows)
    return rest;
  if (k + own < rows)
    return slice_of(NULL, 0);
  for (size_t i = 0; i <= k + own - rows; i++) {
    *hang = i && line ? TABLE_HANG : 0;
    piece = fit_piece(&rest, t->width[column] - *hang);
  }
  return piece;
}

static size_t fit_rows(const struct fact_table *t, size_t line) {
  size_t rows = 1;
  for (size_t c = 0; c < t->g->columns; c++) {
    size_t own = t->width[c] ? fit_own_rows(t, line, c) : 1;
    rows = own > rows ? own : rows;
  }
  return rows;
}

static void fit_line(struct buf *out, const struct fact_table *t, size_t line) {
  size_t rows = fit_rows(t, line);
  for (size_t k = 0; k < rows; k++) {
    for (size_t c = 0, hang; c < t->g->columns; c++) {
      if (!t->width[c])
        continue;
      struct slice piece = fit_row_piece(t, line, c, rows, k, &hang);
      size_t taken = hang + screen_text_columns(piece), pad = t->width[c] > taken ? t->width[c] - taken : 0;
      buf_printf(out, "%*s", (int)((c ? TABLE_GAP : 0) + hang + (c >= t->g->numbers ? pad : 0)), "");
      buf_add_masked(out, piece); /* names are external text */
      buf_printf(out, "%*s", (int)(c >= t->g->numbers ? 0 : pad), "");
    }
    while (out->len && out->data[out->len - 1] == ' ')
      out->len--;
    buf_add_char(out, '\n');
  }
}

/* Draws the grid, at most `screen` columns wide if possible; 0: no limit.  If it is too wide, headers and the first
 * column are wrapped at blanks; then droppable columns (fact_grid) are dropped, the last first, and a line tells how
 * many. */
static void fact_table_write(struct buf *out, const struct fact_grid *g, size_t screen) {
  struct fact_table t = {.g = g};
  t.width = xcalloc(g->columns + 1, sizeof *t.width);
  t.natural = xcalloc(g->columns + 1, sizeof *t.natural);
  fit_measure(&t);
  fit_columns(&t, screen ? screen : SIZE_MAX);
  for (size_t line = 0; line < g->lines; line++)
    fit_line(out, &t, line);
  if (t.left_out)
    buf_printf(out, "… %zu more column%s; --csv has all\n", t.left_out, t.left_out > 1 ? "s" : "");
  free(t.width);
  free(t.natural);
}

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
