/* fact_sheet.c: figures as columns side by side with marks and notes; a table of cells as text, Markdown or HTML. */
#include "facts/fact_sheet.h"
#include "page/html_page.h"
#include "page/terminal.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- aligns columns of facts by period, formats values, and writes the marks and notes of a table ---- */

/* Whether a value is of another concept than the newest one of its column, or computed where that is reported. */
static int mark_is_other(const struct fact_column *c, const struct fact_row *row) {
  const struct fact_rows *rows = &c->measure.rows;
  const struct fact_row *newest = rows->count ? &rows->rows[rows->count - 1] : row;
  if (!row->series || !newest->series)
    return !row->series != !newest->series || row->formula != newest->formula;
  return !slice_eq(row->series->concept, newest->series->concept);
}

char fact_cell_mark(const struct fact_column *c, const struct fact_row *row) {
  if (fact_split_factor(c->splits, row) != 1)
    return 's';
  if (mark_is_other(c, row))
    return 'c';
  if (row->other)
    return 'r';
  return row->derived ? 'd' : ' ';
}

/* The concept or formula of a value that is marked 'c'; else empty. */
static struct slice mark_other_name(const struct fact_column *c, const struct fact_row *row) {
  if (fact_cell_mark(c, row) != 'c')
    return slice_of(NULL, 0);
  return row->series ? row->series->concept : row->formula ? slice_str(row->formula) : slice_of(NULL, 0);
}

void fact_concept_notes(struct buf *out, const struct fact_column *c) {
  const struct fact_rows *rows = &c->measure.rows;
  for (size_t i = rows->count; i-- > 0;) {
    struct slice name = mark_other_name(c, &rows->rows[i]);
    int said = !name.len;
    for (size_t k = i + 1; k < rows->count && !said; k++)
      said = slice_eq(mark_other_name(c, &rows->rows[k]), name);
    if (!said)
      buf_printf(out,
                 rows->rows[i].series ? "c: '%s' was reported as %.*s\n" : "c: '%s' was computed: %.*s\n",
                 c->measure.label, (int)name.len, name.data);
  }
}

void fact_mark_notes(struct buf *out, struct slice marks) {
  static const char *const notes[] = {
      "d: derived from other spans (a fourth quarter is the year less nine months)\n",
      "r: other filings gave another value for it; --as-first-reported, --as-of DAY\n",
      "s: as filed before a later split; not to be compared with what stands after it\n"};
  for (size_t i = 0; marks.len && i < sizeof notes / sizeof *notes; i++)
    if (memchr(marks.data, notes[i][0], marks.len))
      buf_add_str(out, notes[i]);
}

void fact_split_notes(struct buf *out, const struct fact_splits *splits) {
  char day[DAY_TEXT];
  for (size_t i = 0; i < splits->count; i++) {
    const struct fact_split *p = &splits->split[i];
    int of = 1;
    double bigger = p->ratio < 1 ? 1 / p->ratio : p->ratio;
    while (of < 10 && fabs(bigger * of - round(bigger * of)) > 1e-6)
      of++;
    if (p->ratio > 1)
      buf_printf(out, "split: %g for %d", bigger * of, of);
    else
      buf_printf(out, "split: %d for %g", of, bigger * of);
    buf_printf(out, ", first in %.*s of %s\n", (int)p->accession.len, p->accession.data,
               day_write(p->after, day));
  }
}

#define SHEET_MARKS_MAX ((size_t)1 << 24)
enum { SHEET_APART_DAYS = 20 }; /* quarters that end in weeks and in months are fewer apart */

static int sheet_key_order(const void *x, const void *y) {
  int a = *(const int *)x, b = *(const int *)y;
  return (a < b) - (a > b);
}

static int sheet_has_row(const struct fact_sheet *s, const struct fact_company *who, int key) {
  for (size_t c = 0; c < s->column_count; c++)
    if (s->columns[c].measure.company == who && fact_rows_find(&s->columns[c].measure.rows, key))
      return 1;
  return 0;
}

/* The oldest of the newest `limit` lines that have a value of a company. */
static int sheet_least_key(const struct fact_sheet *s, const struct fact_company *who, size_t limit) {
  int least = INT_MAX;
  for (size_t i = 0; i < s->key_count && limit; i++)
    if (sheet_has_row(s, who, s->keys[i])) {
      least = s->keys[i];
      limit--;
    }
  return least;
}

/* Whether a line is among the newest of a company that has a value in it. */
static int sheet_is_shown(const struct fact_sheet *s, const int *least, int key) {
  for (size_t c = 0; c < s->column_count; c++)
    if (key >= least[c] && fact_rows_find(&s->columns[c].measure.rows, key))
      return 1;
  return 0;
}

/* Keeps the newest `limit` lines of each company.  Beside each other, all values of a line that is kept stay, since a
 * dash would say that there is none. */
static void sheet_trim(struct fact_sheet *s, size_t limit, enum fact_sheet_use use) {
  int *least = xcalloc(s->column_count + 1, sizeof *least);
  size_t kept = 0;
  for (size_t c = 0; c < s->column_count; c++)
    least[c] = sheet_least_key(s, s->columns[c].measure.company, limit);
  for (size_t c = 0; c < s->column_count && use == FACT_SHEET_AXIS; c++)
    for (size_t k = 0; k < s->column_count; k++)
      least[c] = least[k] < least[c] ? least[k] : least[c];
  for (size_t i = 0; i < s->key_count; i++)
    if (sheet_is_shown(s, least, s->keys[i]))
      s->keys[kept++] = s->keys[i];
  s->key_count = kept;
  for (size_t c = 0; c < s->column_count; c++) {
    struct fact_rows *rows = &s->columns[c].measure.rows;
    size_t n = 0;
    for (size_t i = 0; i < rows->count; i++) {
      int key = fact_row_key(&rows->rows[i]);
      if (use ? bsearch(&key, s->keys, s->key_count, sizeof key, sheet_key_order) != NULL : key >= least[c])
        rows->rows[n++] = rows->rows[i];
    }
    rows->count = n;
  }
  free(least);
}

/* The lines of all rows, newest first. */
static void sheet_find_keys(struct fact_sheet *s) {
  size_t total = 0, n = 0;
  for (size_t i = 0; i < s->column_count; i++)
    total += s->columns[i].measure.rows.count;
  s->keys = xreallocarray(s->keys, total + 1, sizeof *s->keys);
  for (size_t i = 0; i < s->column_count; i++)
    for (size_t k = 0; k < s->columns[i].measure.rows.count; k++)
      s->keys[n++] = fact_row_key(&s->columns[i].measure.rows.rows[k]);
  qsort(s->keys, n, sizeof *s->keys, sheet_key_order);
  s->key_count = 0;
  for (size_t i = 0; i < n; i++)
    if (i == 0 || s->keys[i] != s->keys[i - 1])
      s->keys[s->key_count++] = s->keys[i];
}

void fact_sheet_settle(struct fact_sheet *s, size_t limit, enum fact_sheet_use use) {
  sheet_find_keys(s);
  if (s->key_count > limit)
    sheet_trim(s, limit, use);
}

void fact_sheet_release(struct fact_sheet *s) {
  for (size_t i = 0; i < s->column_count; i++)
    measure_release(&s->columns[i].measure);
  free(s->columns);
  free(s->keys);
  memset(s, 0, sizeof *s);
}

const struct fact_row *fact_sheet_cell(const struct fact_sheet *s, size_t column, size_t line) {
  return fact_rows_find(&s->columns[column].measure.rows, s->keys[line]);
}

int fact_sheet_is_single(const struct fact_sheet *s) {
  for (size_t i = 1; i < s->column_count; i++)
    if (s->columns[i].measure.company != s->columns[0].measure.company)
      return 0;
  return 1;
}

static int sheet_is_whole(struct decimal d, int scale) {
  int64_t power = 1;
  for (int i = 0; i < scale + d.scale; i++)
    if (__builtin_mul_overflow(power, 10, &power))
      return d.units == 0;
  return d.units % power == 0;
}

int fact_column_scale(const struct fact_column *c) {
  const struct fact_rows *rows = &c->measure.rows;
  int scale = 9;
  if (measure_is_ratio(&c->measure) || (c->measure.unit && strchr(c->measure.unit, '/')))
    return 0;
  for (size_t i = 0; i < rows->count; i++)
    while (scale > 0 && !sheet_is_whole(rows->rows[i].number, scale))
      scale -= 3;
  return scale;
}

static const char *const sheet_scales[] = {"", " thousand", " million", " billion"};

void fact_column_unit(const struct fact_column *c, int scale, char *out, size_t size) {
  const char *unit = c->measure.unit ? c->measure.unit : "";
  enum measure_ratio ratio = measure_is_ratio(&c->measure);
  if (ratio)
    snprintf(out, size, ratio == MEASURE_PERCENT ? "%%" : "times");
  else
    snprintf(out, size, "%s%s", unit, sheet_scales[scale / 3]);
}

char *fact_digits_group(const char *digits, char out[FACT_CELL]) {
  size_t whole = strcspn(digits, "."), n = 0, from = digits[0] == '-';
  for (size_t i = 0; digits[i] && n + 2 < FACT_CELL; i++) {
    if (i > from && i < whole && (whole - i) % 3 == 0)
      out[n++] = ',';
    out[n++] = digits[i];
  }
  out[n] = '\0';
  return out;
}

char *fact_value_text(const struct fact_row *row, enum measure_ratio ratio, int scale, char out[FACT_CELL]) {
  char digits[DECIMAL_TEXT];
  struct decimal d = row->number;
  if (ratio == MEASURE_PERCENT) {
    snprintf(out, FACT_CELL, "%.1f", 100 * decimal_to_double(d));
    return out;
  }
  if (ratio == MEASURE_MULTIPLE) {
    snprintf(out, FACT_CELL, "%.2f", decimal_to_double(d));
    return out;
  }
  int64_t power = 1;
  for (int i = 0; i < scale; i++)
    power *= 10;
  if (d.scale == 0)
    d.units /= power;
  /* per-share amounts have cents */
  while (row->series && memchr(row->series->unit.data, '/', row->series->unit.len) && d.scale < 2) {
    d.units *= 10;
    d.scale++;
  }
  /* What a quotient has beyond cents is no more exact. */
  if (!row->fact && !row->series && d.scale > 2 && (decimal_to_double(d) >= 1 || decimal_to_double(d) <= -1))
    snprintf(digits, sizeof digits, "%.2f", decimal_to_double(d));
  else
    decimal_write(d, digits);
  fact_digits_group(digits, out);
  return out;
}

void fact_amount_add(struct buf *out, struct slice value, struct slice unit) {
  char digits[DECIMAL_TEXT], text[FACT_CELL];
  struct decimal d;
  int scale = 9;
  if (decimal_parse(value, &d) != 0) {
    buf_add_slice(out, value);
  } else {
    while (scale > 0 && (d.units == 0 || !sheet_is_whole(d, scale)))
      scale -= 3;
    for (int i = 0; i < scale + (scale ? d.scale : 0); i++)
      d.units /= 10;
    d.scale = scale ? 0 : d.scale;
    fact_digits_group(decimal_write(d, digits), text);
    buf_printf(out, "%s%s", text, sheet_scales[scale / 3]);
  }
  if (unit.len && !slice_is(unit, "pure"))
    buf_printf(out, " %.*s", (int)unit.len, unit.data);
}

void fact_period_text(const struct fact_row *row, enum fact_span span, char *out, size_t size) {
  char period[8], day[DAY_TEXT];
  if (row->company->by_day) {
    snprintf(out, size, "%s", day_write(row->end, day));
    return;
  }
  int year = fact_fiscal(row->company, DAY_NONE, row->end, 0, period);
  const char *lead = span == FACT_TRAILING ? "TTM " : "";
  if (span == FACT_HALF || span == FACT_NINE_MONTHS) {
    snprintf(out, size, "%s %d", span == FACT_NINE_MONTHS ? "9M" : period[0] == 'F' ? "H2" : "H1", year);
    return;
  }
  if (period[0] == 'F' && span == FACT_QUARTERLY)
    memcpy(period, "Q4", 3);
  if (period[0] == 'T' && row->months == 3)
    memcpy(period, row->fiscal_period, sizeof period);
  if (period[0] == 'F')
    snprintf(out, size, "%sFY%d", lead, year);
  else
    snprintf(out, size, "%s%s %d", lead, period, year);
}

static void sheet_note_marks(const struct fact_sheet *s, struct buf *out) {
  struct buf marks;
  buf_init(&marks, SHEET_MARKS_MAX);
  for (size_t c = 0; c < s->column_count; c++)
    for (size_t i = 0; i < s->columns[c].measure.rows.count; i++)
      buf_add_char(&marks, fact_cell_mark(&s->columns[c], &s->columns[c].measure.rows.rows[i]));
  fact_mark_notes(out, buf_slice(&marks));
  buf_release(&marks);
}

/* Whether a column has a value from before a split. */
static int sheet_shows_shares(const struct fact_sheet *s, size_t column) {
  const struct fact_rows *rows = &s->columns[column].measure.rows;
  for (size_t i = 0; i < rows->count; i++)
    if (fact_split_factor(s->columns[column].splits, &rows->rows[i]) != 1)
      return 1;
  return 0;
}

static int sheet_is_first_share(const struct fact_sheet *s, size_t column) {
  for (size_t i = 0; i < column; i++)
    if (sheet_shows_shares(s, i) && s->columns[i].splits == s->columns[column].splits)
      return 0;
  return 1;
}

/* Whether no earlier column has the same label, or the same company. */
static int sheet_is_first(const struct fact_sheet *s, size_t column, int by_label) {
  for (size_t i = 0; i < column; i++)
    if (by_label ? strcmp(s->columns[i].measure.label, s->columns[column].measure.label) == 0
                 : s->columns[i].measure.company == s->columns[column].measure.company)
      return 0;
  return 1;
}

/* Adds a column's own notes without duplicates, with the company where there are several. */
static void sheet_note_own(const struct fact_sheet *s, size_t column, struct buf *out) {
  const struct measure *m = &s->columns[column].measure;
  struct slice rest = buf_slice(&m->notes), line;
  int single = fact_sheet_is_single(s);
  struct buf whole;
  buf_init(&whole, SHEET_MARKS_MAX);
  while (concept_list_next(&rest, '\n', &line)) {
    buf_clear(&whole);
    if (!single) {
      fact_prose_line(&whole, m->company->name);
      buf_add_str(&whole, ": ");
    }
    buf_add_slice(&whole, line);
    buf_add_char(&whole, '\n');
    if (!out->len || !memmem(out->data, out->len, whole.data, whole.len))
      buf_add_slice(out, buf_slice(&whole));
  }
  buf_release(&whole);
}

static void sheet_note_source(const struct fact_company *c, struct buf *out) {
  buf_add_str(out, "Source: ");
  fact_prose_line(out, c->source);
  buf_add_char(out, ' ');
  fact_prose_line(out, c->url);
  if (c->captured.len)
    buf_printf(out, ", captured %.10s", c->captured.data);
  buf_add_char(out, '\n');
}

/* Companies count their years differently: the days on which the newest shared line ends, where they are apart. */
static void sheet_note_ends(const struct fact_sheet *s, struct buf *out) {
  char period[64] = "", day[DAY_TEXT];
  for (size_t line = 0; line < s->key_count; line++) {
    int32_t first = DAY_NONE, last = DAY_NONE;
    for (size_t c = 0; c < s->column_count; c++) {
      const struct fact_row *row = fact_sheet_cell(s, c, line);
      if (!row || row->company->by_day)
        continue;
      first = first == DAY_NONE || row->end < first ? row->end : first;
      last = last == DAY_NONE || row->end > last ? row->end : last;
      fact_period_text(row, s->span, period, sizeof period);
    }
    if (first == DAY_NONE || last - first <= SHEET_APART_DAYS)
      continue;
    buf_printf(out, "%s ended ", period);
    for (size_t c = 0, n = 0; c < s->column_count; c++) {
      const struct fact_row *row = fact_sheet_cell(s, c, line);
      if (!row || !sheet_is_first(s, c, 0))
        continue;
      buf_printf(out, "%s%s (", n++ ? ", " : "", day_write(row->end, day));
      fact_prose_line(out, row->company->name);
      buf_add_char(out, ')');
    }
    buf_add_char(out, '\n');
    return;
  }
}

void fact_sheet_notes(const struct fact_sheet *s, int marks, struct buf *out) {
  if (marks)
    sheet_note_marks(s, out);
  for (size_t c = 0; c < s->column_count && marks; c++)
    fact_concept_notes(out, &s->columns[c]);
  if (!fact_sheet_is_single(s))
    sheet_note_ends(s, out);
  for (size_t c = 0; c < s->column_count; c++) {
    const struct measure *m = &s->columns[c].measure;
    if (m->formula && strcmp(m->formula, m->label) != 0 && sheet_is_first(s, c, 1))
      buf_printf(out, "%s = %s\n", m->label, m->formula);
    sheet_note_own(s, c, out);
  }
  for (size_t c = 0; c < s->column_count; c++)
    if (sheet_shows_shares(s, c) && sheet_is_first_share(s, c))
      fact_split_notes(out, s->columns[c].splits);
  for (size_t c = 0; c < s->column_count; c++)
    if (sheet_is_first(s, c, 0))
      sheet_note_source(s->columns[c].measure.company, out);
}

void fact_sheet_title(const struct fact_sheet *s, int labels, struct buf *title) {
  static const char *const spans[] = {"years (12 months)", "quarters (3 months)", "trailing twelve months",
                                      "half years (6 months)", "nine months"};
  const char *before = ": ";
  for (size_t c = 0; c < s->column_count; c++) {
    const struct fact_company *who = s->columns[c].measure.company;
    if (!sheet_is_first(s, c, 0))
      continue;
    buf_add_str(title, c ? "; " : "");
    fact_prose_line(title, who->name);
    if (who->ticker.len)
      buf_printf(title, " (%.*s)", (int)who->ticker.len, who->ticker.data);
  }
  for (size_t c = 0; c < s->column_count && labels; c++)
    if (sheet_is_first(s, c, 1)) {
      buf_printf(title, "%s%s", before, s->columns[c].measure.label);
      before = ", ";
    }
  if (!s->columns[0].measure.company->by_day)
    buf_printf(title, "%s%s", before, spans[s->span]);
}
