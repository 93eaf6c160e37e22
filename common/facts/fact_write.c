/* fact_write.c: writes a sheet as records, CSV, a table, or a section of a page with the source of each figure. */
#include "facts/chart.h"
#include "facts/fact_write.h"

#include "facts/fact_sheet.h"
#include "page/html_page.h"
#include "record/json.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static void fact_page_notes(struct buf *out, struct slice notes) {
  struct slice line;
  if (!notes.len)
    return;
  buf_add_str(out, "<ul class=\"soft\">\n");
  while (concept_list_next(&notes, '\n', &line)) {
    buf_add_str(out, "<li>");
    html_page_prose(out, line);
    buf_add_str(out, "</li>\n");
  }
  buf_add_str(out, "</ul>\n");
}

/* ---- where each figure stands: a line for it, for each value that it is derived from, and for what another filing says ---- */

/* A value's digits, span and filing, with its concept where that isn't the usual one. */
static void stand_value(struct page_table *g, size_t line, const char *sign, const struct fact_company *c,
                        const struct fact *f, struct slice concept) {
  char plain[FACT_CELL], text[FACT_CELL], start[DAY_TEXT], end[DAY_TEXT], day[DAY_TEXT];
  int spans = f->start != DAY_NONE, filed = f->filed != DAY_NONE;
  snprintf(plain, sizeof plain, "%.*s", (int)f->value.len, f->value.data);
  fact_grid_set(g, line, 1, "%s%s", sign, fact_digits_group(plain, text));
  fact_grid_set(g, line, 2, "%s%s%s", spans ? day_write(f->start, start) : "", spans ? " to " : "",
                day_write(f->end, end));
  if (f->accession.len)
    fact_grid_set(g, line, 3, "%.*s%s%.*s %.*s%s%s", (int)concept.len, concept.data,
                  concept.len ? " in " : "", (int)f->form.len, f->form.data ? f->form.data : "",
                  (int)f->accession.len, f->accession.data, filed ? ", filed " : "",
                  filed ? day_write(f->filed, day) : "");
  else if (concept.len)
    fact_grid_set(g, line, 3, "%.*s", (int)concept.len, concept.data);
  fact_grid_link(g, line, 3, c->cik, f->accession);
}

static size_t stand_count(const struct fact_row *row) {
  return 1 + (row->fact ? 0 : row->part_count) + (row->other != NULL);
}

/* The lines of a row; `usual` is the series in the table's title.  Returns the next line. */
static size_t stand_row(struct page_table *g, size_t line, const struct fact_row *row, enum fact_span span,
                        const struct fact_series *usual) {
  char period[64];
  struct slice none = {NULL, 0}, own = row->series && row->series != usual ? row->series->concept : none;
  struct fact derived = {
      .start = row->start, .end = row->end, .filed = DAY_NONE, .value = slice_str(row->value)};
  fact_period_text(row, span, period, sizeof period);
  fact_grid_set(g, line, 0, "%s", period);
  stand_value(g, line, "", row->company, row->fact ? row->fact : &derived, own);
  for (size_t i = 0; !row->fact && i < row->part_count; i++) {
    const struct fact_part *p = &row->parts[i];
    const char *sign = p->sign == '-'   ? "\xe2\x88\x92 "
                       : p->sign == '*' ? "\xc3\x97 "
                       : p->sign == '/' ? "\xc3\xb7 "
                       : i              ? "+ "
                                        : "= ";
    stand_value(g, ++line, sign, row->company, p->fact, p->series == row->series ? none : p->series->concept);
  }
  if (row->other) {
    int before = row->other->filed < (row->fact ? row->fact->filed : 0);
    fact_grid_set(g, ++line, 0, before ? "before" : "elsewhere");
    stand_value(g, line, "", row->company, row->other, none);
  }
  return line + 1;
}

/* Appends a column's figures, each with its digits, span, concept and filing. */
static void fact_page_column(struct buf *out, const struct fact_column *c, enum fact_span span,
                             int with_company) {
  const struct fact_rows *rows = &c->measure.rows;
  if (!rows->count)
    return;
  const struct fact_row *newest = &rows->rows[rows->count - 1];
  const struct fact_series *usual = newest->series;
  const char *formula = newest->formula ? newest->formula : c->measure.formula;
  buf_add_str(out, "<h3>");
  if (with_company) {
    html_page_text(out, c->measure.company->name);
    buf_add_str(out, ": ");
  }
  html_page_cstr(out, c->measure.label);
  buf_add_str(out, "</h3>\n");
  if (usual) {
    buf_add_str(out, "<p class=\"soft\">XBRL: ");
    html_page_text(out, usual->taxonomy);
    buf_add_str(out, usual->taxonomy.len ? ":" : "");
    html_page_text(out, usual->concept);
    buf_add_str(out, "</p>\n");
  } else if (formula) {
    buf_add_str(out, "<p class=\"soft\">");
    html_page_cstr(out, formula);
    buf_add_str(out, "</p>\n");
  }
  size_t lines = 1;
  for (size_t i = 0; i < rows->count; i++)
    lines += stand_count(&rows->rows[i]);
  struct page_table g;
  fact_grid_init(&g, 4, lines, 4);
  g.right[1] = 1;
  const char *const heads[] = {"period", c->measure.unit ? c->measure.unit : "value", "span", "filing"};
  for (size_t i = 0; i < 4; i++)
    fact_grid_set(&g, 0, i, "%s", heads[i]);
  for (size_t i = rows->count, line = 1; i-- > 0;)
    line = stand_row(&g, line, &rows->rows[i], span, usual);
  fact_grid_write(out, &g, FACT_HTML, 0);
  fact_grid_release(&g);
}

/* Appends a sheet with its charts, grid and notes. */
static void fact_page_sheet(struct buf *out, const struct fact_sheet *s, struct page_table *g) {
  struct buf notes;
  buf_init(&notes, 1 << 20);
  chart_figures(out, s);
  fact_grid_write(out, g, FACT_HTML, 0);
  fact_sheet_notes(s, 1, &notes);
  fact_page_notes(out, buf_slice(&notes));
  buf_release(&notes);
  buf_add_str(out, "<article aria-labelledby=\"stand\">\n<h2 id=\"stand\">Where each figure stands</h2>\n");
  for (size_t c = 0; c < s->column_count; c++)
    fact_page_column(out, &s->columns[c], s->span, !fact_sheet_is_single(s));
  buf_add_str(out, "</article>\n");
}

void fact_page_grid(struct buf *out, struct slice title, struct page_table *g, struct slice notes) {
  buf_add_str(out, "<section>\n<h2>");
  html_page_text(out, title);
  buf_add_str(out, "</h2>\n");
  fact_grid_write(out, g, FACT_HTML, 0);
  fact_page_notes(out, notes);
  buf_add_str(out, "</section>\n");
}

enum { WRITE_FILINGS = 64 };

/* ---- records ---- */

static void write_day(struct buf *out, const char *name, int32_t day) {
  char text[DAY_TEXT];
  if (day != DAY_NONE)
    json_cstr(out, name, day_write(day, text));
}

static void write_filing(struct buf *out, const struct fact_row *row, const struct fact *f) {
  struct buf href;
  if (f->form.len)
    json_str(out, "form", f->form);
  write_day(out, "filingDate", f->filed);
  if (!f->accession.len)
    return;
  json_str(out, "accessionNumber", f->accession);
  buf_init(&href, 4096);
  fact_write_href(&href, row->company->cik, f->accession);
  json_str(out, "href", buf_slice(&href));
  buf_release(&href);
}

static void write_parts(struct buf *out, const struct fact_row *row) {
  json_key(out, "parts");
  buf_add_char(out, '[');
  for (size_t i = 0; i < row->part_count; i++) {
    const struct fact_part *p = &row->parts[i];
    char sign[2] = {p->sign, '\0'};
    buf_add_str(out, i ? ",{" : "{");
    json_cstr(out, "sign", sign);
    json_str(out, "concept", p->series->concept);
    write_day(out, "start", p->fact->start);
    write_day(out, "end", p->fact->end);
    json_int(out, "months", p->fact->months);
    json_raw(out, "value", p->fact->value);
    write_filing(out, row, p->fact);
    buf_add_char(out, '}');
  }
  buf_add_char(out, ']');
}

static void write_other(struct buf *out, const struct fact_row *row) {
  const struct fact *f = row->other;
  json_key(out, f->filed < row->fact->filed ? "before" : "later");
  buf_add_char(out, '{');
  json_raw(out, "value", f->value);
  write_filing(out, row, f);
  buf_add_char(out, '}');
}

static void write_who(struct buf *out, const struct measure *m) {
  if (m->company->name.len)
    json_str(out, "company", m->company->name);
  if (m->company->ticker.len)
    json_str(out, "ticker", m->company->ticker);
  if (m->company->cik.len)
    json_str(out, "cik", m->company->cik);
  json_cstr(out, "asked", m->asked);
  json_cstr(out, "label", m->label);
}

static void write_span(struct buf *out, const struct fact_row *row) {
  write_day(out, "start", row->start);
  write_day(out, "end", row->end);
  json_int(out, "months", row->months);
  if (row->company->by_day)
    return;
  json_int(out, "fiscalYear", row->fiscal_year);
  if (row->fiscal_period[0])
    json_cstr(out, "fiscalPeriod", row->fiscal_period);
}

void fact_write_row(struct buf *out, const struct fact_column *c, const struct fact_row *row) {
  const struct measure *m = &c->measure;
  double split = fact_split_factor(c->splits, row);
  buf_add_char(out, '{');
  write_who(out, m);
  if (row->series) {
    json_str(out, "taxonomy", row->series->taxonomy);
    json_str(out, "concept", row->series->concept);
  } else if (row->formula || m->formula) {
    json_cstr(out, "formula", row->formula ? row->formula : m->formula);
  }
  json_cstr(out, "unit", m->unit);
  write_span(out, row);
  json_raw(out, "value", slice_str(row->value));
  json_cstr(out, "kind", row->fact ? "reported" : "derived");
  if (row->fact)
    write_filing(out, row, row->fact);
  else
    write_parts(out, row);
  if (row->other)
    write_other(out, row);
  if (split != 1)
    json_double(out, "splitFactor", split);
  if (row->company->source.len)
    json_str(out, "source", row->company->source);
  if (row->company->url.len)
    json_str(out, "sourceUrl", row->company->url);
  if (row->company->captured.len)
    json_str(out, "capturedAt", row->company->captured);
}

static void write_json(struct buf *out, const struct fact_sheet *s) {
  for (size_t c = 0; c < s->column_count; c++)
    for (size_t i = 0; i < s->columns[c].measure.rows.count; i++) {
      fact_write_row(out, &s->columns[c], &s->columns[c].measure.rows.rows[i]);
      buf_add_str(out, "}\n");
    }
}

/* ---- CSV: a line for each record ---- */

static int csv_is_number(struct slice s) {
  size_t i = s.len > 0 && (s.data[0] == '-' || s.data[0] == '+'), digits = 0;
  for (; i < s.len && (strchr("0123456789.,eE%", s.data[i]) || (i > 0 && tolower(s.data[i - 1]) == 'e')); i++)
    digits += isdigit((unsigned char)s.data[i]) != 0;
  return i == s.len && digits > 0;
}

/* Appends a field of CSV (RFC 4180).  Text that a spreadsheet would run as a formula begins with an apostrophe. */
static void csv_add_column(struct buf *out, struct slice text, int last) {
  int runs = text.len > 0 && strchr("=+-@\t\r\n", text.data[0]) && !csv_is_number(text), quoted = runs;
  for (size_t i = 0; i < text.len; i++)
    quoted |= text.data[i] == ',' || text.data[i] == '"' || (unsigned char)text.data[i] < ' ' ||
              text.data[i] == '\x7f';
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

/* A field of a record, a text or a number; the concept of a computed one is its formula, its filing that of its first part. */
static struct slice csv_column(struct slice record, struct slice name, struct buf *scratch) {
  struct json_cursor at = {0};
  struct slice value = json_member(record, name), parts = json_get(record, "parts"), first;
  if (!value.len && slice_is(name, "concept"))
    value = json_get(record, "formula");
  else if (!value.len && !slice_is(name, "start") && json_kind(parts) == '[' &&
           json_next_element(parts, &at, &first))
    value = json_member(first, name);
  return json_kind(value) == '"' ? json_text(value, scratch) : value;
}

void fact_write_csv(struct buf *out, struct slice records) {
  static const char statement[] =
      "company,cik,label,concept,unit,start,end,months,fiscalYear,fiscalPeriod,value,kind,form,"
      "accessionNumber,filingDate,href,presented";
  struct slice head = slice_str(statement), which = json_get(page_line(records, 0), "statement");
  struct buf scratch;
  buf_init(&scratch, 1 << 20);
  if (!which.len || json_is_text(which, slice_str("segments")))
    head.len -= strlen(",presented");
  buf_add_slice(out, head);
  buf_add_str(out, "\r\n");
  while (records.len) {
    struct slice record = slice_cut(&records, '\n'), names = head, name;
    while (concept_list_next(&names, ',', &name))
      csv_add_column(out, csv_column(record, name, &scratch), !names.len);
  }
  buf_release(&scratch);
}

/* ---- tables ---- */

static void write_heads(struct page_table *g, const struct fact_sheet *s, int single) {
  char unit[128];
  fact_grid_set(g, 0, 0, "period");
  for (size_t c = 0; c < s->column_count; c++) {
    const struct fact_column *col = &s->columns[c];
    fact_column_unit(col, fact_column_scale(col), unit, sizeof unit);
    if (single)
      fact_grid_set(g, 0, c + 2, "%s, %s", col->measure.label, unit);
    else
      fact_grid_set(g, 0, c + 2, "%.*s %s, %s",
                    (int)(col->measure.company->ticker.len ? col->measure.company->ticker.len
                                                           : col->measure.company->name.len),
                    col->measure.company->ticker.len ? col->measure.company->ticker.data
                                                     : col->measure.company->name.data,
                    col->measure.label, unit);
  }
  if (single)
    fact_grid_set(g, 0, 1, "ends");
  fact_grid_set(g, 0, s->column_count + 2, "accession");
}

static void write_cell(struct page_table *g, const struct fact_sheet *s, size_t line, size_t c, int scale) {
  const struct fact_row *row = fact_sheet_cell(s, c, line);
  char value[FACT_CELL];
  if (!row) {
    fact_grid_set(g, line + 1, c + 2, "- ");
    return;
  }
  enum measure_ratio ratio = measure_is_ratio(&s->columns[c].measure);
  fact_grid_set(g, line + 1, c + 2, "%s%c", fact_value_text(row, ratio, scale, value),
                fact_cell_mark(&s->columns[c], row));
  const struct fact *f = fact_row_filing(row);
  if (f)
    fact_grid_link(g, line + 1, c + 2, row->company->cik, f->accession);
}

/* The filings of a line's values, without duplicates. */
struct write_filings {
  const struct fact *list[WRITE_FILINGS];
  size_t count;
};

static void write_add_filing(struct write_filings *w, const struct fact *f) {
  if (!f || !f->accession.len || w->count == WRITE_FILINGS)
    return;
  for (size_t i = 0; i < w->count; i++)
    if (slice_eq(w->list[i]->accession, f->accession))
      return;
  w->list[w->count++] = f;
}

static void write_add_filings(struct write_filings *w, const struct fact_row *row) {
  write_add_filing(w, row->fact);
  for (size_t i = 0; i < row->part_count; i++)
    write_add_filing(w, row->parts[i].fact);
}

/* Writes the filing of a line's first value, and the number of other filings of its values and parts. */
static void write_accession(struct page_table *g, const struct fact_sheet *s, size_t line) {
  struct write_filings w = {.count = 0};
  struct slice cik = {NULL, 0};
  for (size_t c = 0; c < s->column_count; c++) {
    const struct fact_row *row = fact_sheet_cell(s, c, line);
    if (row && !w.count)
      cik = row->company->cik;
    if (row)
      write_add_filings(&w, row);
  }
  if (!w.count)
    return;
  struct slice first = w.list[0]->accession;
  fact_grid_link(g, line + 1, s->column_count + 2, cik, first);
  if (w.count > 1)
    fact_grid_set(g, line + 1, s->column_count + 2, "%.*s +%zu", (int)first.len, first.data, w.count - 1);
  else
    fact_grid_set(g, line + 1, s->column_count + 2, "%.*s", (int)first.len, first.data);
}

static void write_line(struct page_table *g, const struct fact_sheet *s, size_t line, int single,
                       const int *scales) {
  char period[64] = "", day[DAY_TEXT];
  for (size_t c = 0; c < s->column_count; c++) {
    const struct fact_row *row = fact_sheet_cell(s, c, line);
    if (row && !period[0]) {
      fact_period_text(row, s->span, period, sizeof period);
      if (single && !row->company->by_day)
        fact_grid_set(g, line + 1, 1, "%s", day_write(row->end, day));
    }
    write_cell(g, s, line, c, scales[c]);
  }
  fact_grid_set(g, line + 1, 0, "%s", period);
  write_accession(g, s, line);
}

static void write_sheet(struct buf *out, const struct fact_sheet *s, enum fact_format format, size_t screen) {
  struct page_table g;
  int single = fact_sheet_is_single(s), *scales = xcalloc(s->column_count + 1, sizeof *scales);
  for (size_t c = 0; c < s->column_count; c++)
    scales[c] = fact_column_scale(&s->columns[c]);
  fact_grid_init(&g, s->column_count + 3, s->key_count + 1, 2);
  write_heads(&g, s, single);
  for (size_t line = 0; line < s->key_count; line++)
    write_line(&g, s, line, single, scales);
  if (format == FACT_HTML) {
    fact_page_sheet(out, s, &g);
  } else {
    struct buf prose;
    buf_init(&prose, out->max);
    fact_sheet_title(s, 0, &prose);
    buf_add_char(&prose, '\n');
    fact_prose_notes(out, buf_slice(&prose), format);
    buf_add_char(out, '\n');
    fact_grid_write(out, &g, format, screen);
    buf_add_char(out, '\n');
    buf_clear(&prose);
    fact_sheet_notes(s, 1, &prose);
    fact_prose_notes(out, buf_slice(&prose), format);
    buf_release(&prose);
  }
  fact_grid_release(&g);
  free(scales);
}

void fact_write(struct buf *out, const struct fact_sheet *s, enum fact_format format, size_t screen) {
  if (format == FACT_JSON || format == FACT_CSV)
    write_json(out, s);
  else
    write_sheet(out, s, format, screen);
}
