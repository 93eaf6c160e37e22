#include "facts/fact_page.h"

#include "facts/chart_panel.h"
#include "page/html_page.h"

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

/* Writes "10-K 0000320193-25-000079, filed 2025-10-31" as a link. */
static void fact_page_filing(struct buf *out, const struct fact_company *c, const struct fact *f) {
  char day[DAY_TEXT];
  struct buf href, text;
  if (!f->accession.len)
    return;
  buf_init(&href, 4096);
  buf_init(&text, 4096);
  if (c->cik.len)
    fact_write_href(&href, c->cik, f->accession);
  buf_printf(&text, "%.*s %.*s", (int)f->form.len, f->form.data ? f->form.data : "", (int)f->accession.len,
             f->accession.data);
  html_page_link(out, buf_slice(&href), buf_slice(&text));
  if (f->filed != DAY_NONE)
    buf_printf(out, ", filed %s", day_write(f->filed, day));
  buf_release(&href);
  buf_release(&text);
}

/* With commas between thousands. */
static void fact_page_digits(struct buf *out, struct slice digits) {
  size_t whole = 0, from = digits.len && digits.data[0] == '-';
  while (whole < digits.len && digits.data[whole] != '.')
    whole++;
  for (size_t i = 0; i < digits.len; i++) {
    if (i > from && i < whole && (whole - i) % 3 == 0)
      buf_add_char(out, ',');
    html_page_text(out, slice_of(digits.data + i, 1));
  }
}

static void fact_page_parts(struct buf *out, const struct fact_row *row) {
  buf_add_str(out, "derived:");
  for (size_t i = 0; i < row->part_count; i++) {
    const struct fact_part *p = &row->parts[i];
    const char *sign = p->sign == '-'   ? "\xe2\x88\x92 "
                       : p->sign == '*' ? "\xc3\x97 "
                       : p->sign == '/' ? "\xc3\xb7 "
                       : i              ? "+ "
                                        : "";
    buf_printf(out, "<br>%s", sign);
    fact_page_digits(out, p->fact->value);
    buf_add_str(out, " (");
    if (p->series != row->series) {
      html_page_text(out, p->series->concept);
      buf_add_str(out, ", ");
    }
    fact_page_filing(out, row->company, p->fact);
    buf_add_char(out, ')');
  }
}

/* `usual` is the series in the table's title. */
static void fact_page_row(struct buf *out, const struct fact_row *row, enum fact_span span,
                          const struct fact_series *usual) {
  char period[64], start[DAY_TEXT], end[DAY_TEXT];
  fact_period_text(row, span, period, sizeof period);
  buf_add_str(out, "<tr><th scope=\"row\" class=\"short\">");
  html_page_cstr(out, period);
  buf_add_str(out, "</th><td class=\"n\">");
  fact_page_digits(out, slice_str(row->value));
  buf_add_str(out, "</td><td class=\"line-whole\">");
  if (row->start != DAY_NONE)
    buf_printf(out, "%s to ", day_write(row->start, start));
  buf_printf(out, "%s</td><td>", day_write(row->end, end));
  if (row->series != usual && row->series) {
    html_page_text(out, row->series->concept);
    buf_add_str(out, " in ");
  }
  if (row->fact)
    fact_page_filing(out, row->company, row->fact);
  else
    fact_page_parts(out, row);
  if (row->other) {
    buf_printf(out, "; %s as ",
               row->other->filed < (row->fact ? row->fact->filed : 0) ? "before" : "elsewhere");
    fact_page_digits(out, row->other->value);
    buf_add_str(out, " in ");
    fact_page_filing(out, row->company, row->other);
  }
  buf_add_str(out, "</td></tr>\n");
}

void fact_page_column(struct buf *out, const struct fact_column *c, enum fact_span span, int with_company) {
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
  html_page_table_open(out, "Where the figures stand");
  buf_add_str(out, "<thead><tr><th scope=\"col\">period</th><th scope=\"col\" class=\"n\">");
  html_page_cstr(out, c->measure.unit ? c->measure.unit : "value");
  buf_add_str(out, "</th><th scope=\"col\">span</th><th scope=\"col\">filing</th></tr>"
                   "</thead>\n<tbody>\n");
  for (size_t i = rows->count; i-- > 0;)
    fact_page_row(out, &rows->rows[i], span, usual);
  buf_add_str(out, "</tbody>");
  html_page_table_close(out);
}

void fact_page_sheet(struct buf *out, const struct fact_sheet *s, const struct fact_grid *g) {
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

void fact_page_grid(struct buf *out, struct slice title, const struct fact_grid *g, struct slice notes) {
  buf_add_str(out, "<section>\n<h2>");
  html_page_text(out, title);
  buf_add_str(out, "</h2>\n");
  fact_grid_write(out, g, FACT_HTML, 0);
  fact_page_notes(out, notes);
  buf_add_str(out, "</section>\n");
}
