/* statement.c: a statement: its filing, the periods to show, the steps that make it, which lines are sums, and how it is written. */
#include "facts/statement.h"
#include "base/diag.h"
#include "facts/fact_sheet.h"
#include "facts/fact_load.h"
#include "facts/fact_write.h"
#include "facts/statement_lines.h"
#include "filing/form.h"
#include "record/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATEMENT_MAX ((size_t)128 << 20)

/* ---- checks which lines are the sum of those above, and writes a statement in every format ---- */

enum { CHECK_PARTS = 40 };

struct statement_open { /* a line not yet included in a total */
  int rest;             /* what its neighbours lack of a total: with it, the total proves nothing */
  struct decimal value;
};

/* The difference between a value and the sum of the last k open lines, or the first of them minus the others; a rest is
 * always added. */
static struct decimal statement_sum_off(const struct statement_open *open, size_t count, size_t k,
                                        struct decimal value, int difference) {
  struct decimal sum = open[count - k].value, none = {INT64_MAX, 0};
  for (size_t i = count - k + 1; i < count; i++)
    if (difference && !open[i].rest ? decimal_subtract(sum, open[i].value, &sum)
                                    : decimal_add(sum, open[i].value, &sum))
      return none;
  if (decimal_subtract(sum, value, &sum))
    return none;
  sum.units = sum.units < 0 ? -sum.units : sum.units;
  return sum;
}

static int statement_sums_up(const struct statement_open *open, size_t count, size_t k, struct decimal value,
                             struct decimal tolerance) {
  return decimal_compare(statement_sum_off(open, count, k, value, 0), tolerance) <= 0 ||
         decimal_compare(statement_sum_off(open, count, k, value, 1), tolerance) <= 0;
}

/* How many of the last open lines add up to a value; 0 for none.  Zero values prove nothing. */
static size_t statement_parts_of(const struct statement_open *open, size_t count, struct decimal value) {
  size_t filled = 0;
  for (size_t k = 1; k <= count && k <= CHECK_PARTS; k++) {
    filled += (open[count - k].value.units != 0) + (size_t)open[count - k].rest;
    if (filled >= 2 && open[count - k].value.units &&
        statement_sums_up(open, count, k, value, (struct decimal){0, 0}))
      return k;
  }
  return 0;
}

/* Individually rounded lines may differ from their sum by one or two units of the last printed digit: accepted where
 * another column shows the same number of lines as the sum. */
static size_t statement_rounded_parts(const struct statement_line *l, const struct statement_open *open,
                                      size_t count, struct decimal value, int64_t unit) {
  size_t k = (size_t)l->seen_equal;
  struct decimal tolerance = {unit * (int64_t)(k + 1) / 2, 0};
  return k && k <= count && statement_sums_up(open, count, k, value, tolerance) ? k : 0;
}

static int statement_has_rest(const struct statement_open *open, size_t count, size_t k) {
  int rest = 0;
  for (size_t i = count - k; i < count; i++)
    rest |= open[i].rest;
  return rest;
}

static int statement_adds_up(const struct statement_line *l) {
  return !l->heading && l->own.facts ? fact_is_additive(&l->own)
                                     : !l->heading && strchr(l->column.measure.unit, '/') == NULL;
}

static void statement_check_column(struct statement *s, size_t column, int64_t unit) {
  struct statement_open *open = xcalloc(s->count + 1, sizeof *open);
  size_t count = 0;
  for (size_t i = 0; i < s->count; i++) {
    struct decimal value;
    struct statement_line *l = &s->lines[i];
    if (!statement_adds_up(l) || statement_value(s, l, column, &value) || (l->rest && !value.units))
      continue;
    size_t parts = value.units && !l->rest ? statement_parts_of(open, count, value) : 0;
    if (!parts && unit && value.units && !l->rest)
      parts = statement_rounded_parts(l, open, count, value, unit);
    int proves = !statement_has_rest(open, count, parts); /* "Other, to TOTAL" makes its lines add up */
    l->checked[column] = proves ? (int)parts : 0;
    l->seen_equal = parts && proves ? (int)parts : l->seen_equal;
    count -= parts;
    open[count++] = (struct statement_open){l->rest, value};
  }
  free(open);
}

/* Finds lines that are sums or differences of lines above them, for each column; unit is the value of the last
 * printed digit. */
static void statement_check(struct statement *s, int64_t unit) {
  for (size_t i = 0; i < s->count; i++)
    s->lines[i].checked = xcalloc(s->key_count + 1, sizeof(int));
  for (size_t column = 0; column < s->key_count; column++)
    statement_check_column(s, column, 0);
  for (size_t column = 0; column < s->key_count; column++)
    statement_check_column(s, column, unit);
}

static void statement_note_checks(const struct statement *s, struct buf *out) {
  size_t equal = 0, totals = 0;
  for (size_t i = 0; i < s->count; i++) {
    totals += s->lines[i].seen_equal != 0;
    for (size_t c = 0; c < s->key_count; c++)
      equal += s->lines[i].checked[c] > 0;
  }
  if (totals)
    buf_printf(out, "checked: %zu total%s the sum or difference of %s lines (%zu values)\n", totals,
               totals == 1 ? " equals" : "s equal", totals == 1 ? "its" : "their", equal);
}

#define STATEMENT_MAX ((size_t)128 << 20)

/* Whether a line has no value in the columns, or is not shown; nothing lacking is no value. */
static int statement_is_empty(const struct statement *s, const struct statement_line *l) {
  if (l->dropped)
    return 1;
  for (size_t c = 0; c < s->key_count; c++) {
    const struct fact_row *row = l->heading ? NULL : statement_row(s, l, c);
    if (l->heading || (row && (!l->rest || row->number.units)))
      return 0;
  }
  return 1;
}

static int statement_is_money(const char *unit) {
  return strlen(unit) == 3;
}

/* One scale for all amounts of money, so that columns can be summed, and one for each other unit. */
static int statement_scale(const struct statement *s, const char *unit) {
  int scale = 6;
  for (size_t i = 0; i < s->count; i++) {
    const char *other = s->lines[i].heading ? NULL : s->lines[i].column.measure.unit;
    if (!other || (strcmp(other, unit) != 0 && !(statement_is_money(other) && statement_is_money(unit))))
      continue;
    int own = fact_column_scale(&s->lines[i].column);
    scale = own < scale ? own : scale;
  }
  return scale;
}

/* The unit of the first amount of money, or "". */
static const char *statement_money(const struct statement *s) {
  for (size_t i = 0; i < s->count; i++) {
    const char *unit = s->lines[i].heading ? NULL : s->lines[i].column.measure.unit;
    if (unit && statement_is_money(unit))
      return unit;
  }
  return "";
}

/* The value of one unit of the last printed digit. */
static int64_t statement_unit(const struct statement *s) {
  int64_t unit = 1;
  for (int i = 0, scale = statement_scale(s, statement_money(s)); i < scale; i++)
    unit *= 10;
  return unit;
}

static char statement_mark(const struct statement_line *l, const struct fact_row *row) {
  char mark = fact_cell_mark(&l->column, row);
  return mark != 's' && statement_is_former(l, row) ? 'c' : mark;
}

static void statement_table_line(struct page_table *g, const struct statement *s,
                                 const struct statement_line *l, size_t line) {
  const struct measure *m = &l->column.measure;
  int scale = l->heading ? 0 : statement_scale(s, m->unit);
  char text[FACT_CELL];
  fact_grid_set(g, line, 0, "%s", m->label);
  for (size_t c = 0; c < s->key_count && !l->heading; c++) {
    const struct fact_row *row = statement_row(s, l, c);
    struct fact_row shown;
    if (!row) {
      fact_grid_set(g, line, c + 1, "- ");
      continue;
    }
    shown = *row;
    shown.number.units = l->negated ? -shown.number.units : shown.number.units;
    fact_value_text(&shown, measure_is_ratio(m), scale, text);
    fact_grid_set(g, line, c + 1, "%s%c", text, statement_mark(l, row));
    if (fact_row_filing(row))
      fact_grid_link(g, line, c + 1, row->company->cik, fact_row_filing(row)->accession);
  }
  if (!l->heading && !statement_is_money(m->unit)) {
    fact_column_unit(&l->column, scale, text, sizeof text);
    fact_grid_set(g, line, s->key_count + 1, "%s", text);
  }
}

static void statement_heads(struct page_table *g, const struct statement *s,
                            const struct statement_request *ask) {
  static const char *const sizes[] = {"", " thousand", " million"};
  const char *unit = statement_money(s);
  fact_grid_set(g, 0, 0, "%s%s", unit, *unit ? sizes[statement_scale(s, unit) / 3] : "");
  for (size_t c = 0; c < s->key_count; c++)
    for (size_t i = 0; i < s->count; i++) {
      const struct fact_row *row =
          s->lines[i].heading || s->lines[i].shift ? NULL : statement_row(s, &s->lines[i], c);
      char period[64];
      if (!row)
        continue;
      fact_period_text(row, ask->choice.span, period, sizeof period);
      fact_grid_set(g, 0, c + 1, "%s ", period);
      break;
    }
}

/* The other concepts of a line, each once. */
static void statement_note_former(struct buf *out, const struct statement *s,
                                  const struct statement_line *l) {
  struct slice last = {NULL, 0};
  for (size_t c = 0; c < s->key_count && !l->heading; c++) {
    const struct fact_row *row = statement_row(s, l, c);
    if (!row || !statement_is_former(l, row) || slice_eq(row->series->concept, last))
      continue;
    last = row->series->concept;
    buf_printf(out, "c: '%s' was reported as %.*s\n", l->column.measure.label, (int)last.len, last.data);
  }
}

static void statement_note_marks(struct buf *out, const struct statement *s,
                                 const struct statement_request *ask) {
  struct buf marks;
  buf_init(&marks, STATEMENT_MAX);
  for (size_t i = 0; i < s->count; i++) {
    const struct measure *m = &s->lines[i].column.measure;
    for (size_t c = 0; c < s->key_count && !s->lines[i].heading; c++) {
      const struct fact_row *row = statement_row(s, &s->lines[i], c);
      if (row)
        buf_add_char(&marks, statement_mark(&s->lines[i], row));
    }
    if (m->formula && !s->lines[i].rest && !statement_is_empty(s, &s->lines[i]))
      buf_printf(out, "%s = %s\n", m->label, m->formula);
    if (s->from_filing)
      statement_note_former(out, s, &s->lines[i]);
    else if (!s->lines[i].heading)
      fact_concept_notes(out, &s->lines[i].column);
  }
  fact_mark_notes(out, buf_slice(&marks));
  if (marks.len && memchr(marks.data, 's', marks.len))
    fact_split_notes(out, ask->splits);
  buf_release(&marks);
}

static void statement_note_standard(struct buf *out, const struct statement *s) {
  int rest = 0;
  for (size_t i = 0; i < s->count; i++)
    rest |= s->lines[i].rest && !statement_is_empty(s, &s->lines[i]);
  buf_add_str(out, "lines and labels: ");
  if (s->from_filing)
    buf_add_str(out, "the file's");
  else if (s->kind.len && !slice_is(s->kind, "general"))
    buf_printf(out, "standard, for companies of the kind %.*s (not the filing's)", (int)s->kind.len,
               s->kind.data);
  else
    buf_add_str(out, "standard (not the filing's)");
  buf_add_str(out, rest ? "; \"Other, to ...\" is what the lines above lack of a total\n" : "\n");
  if (s->unread.text[0])
    buf_printf(out, "the filing could not be fetched: %s\n", s->unread.text);
}

static void statement_notes(struct buf *out, const struct statement *s, const struct statement_request *ask) {
  const struct fact_company *c = ask->company;
  if (s->from_filing && s->accession.len)
    buf_printf(out, "lines and labels: %.*s %.*s\n", (int)s->form.len, s->form.data, (int)s->accession.len,
               s->accession.data);
  else
    statement_note_standard(out, s);
  if (s->missing)
    buf_printf(out, "not reported as such: %s\n", s->missing);
  if (!ask->word)
    statement_note_checks(s, out);
  else if (s->sums)
    buf_add_str(out, s->sums);
  statement_note_marks(out, s, ask);
  buf_printf(out, "Source: %.*s %.*s", (int)c->source.len, c->source.data, (int)c->url.len, c->url.data);
  if (c->captured.len)
    buf_printf(out, ", captured %.10s", c->captured.data);
  buf_add_char(out, '\n');
}

static void statement_write_table(struct buf *out, const struct statement *s,
                                  const struct statement_request *ask) {
  static const struct {
    const char *which, *name;
  } names[] = {{"income", "income statement"},
               {"balance", "balance sheet"},
               {"cash", "cash flows"},
               {"key", "key figures"}};
  struct page_table g;
  struct buf title, notes;
  size_t shown = 0, apart = 0;
  const char *name = "parts of ";
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    name = strcmp(ask->which, names[i].which) == 0 ? names[i].name : name;
  buf_init(&title, 4096);
  buf_init(&notes, 65536);
  fact_prose_line(&title, ask->company->name);
  buf_printf(&title, ": %s%s", name, ask->word ? ask->word : "");
  for (size_t i = 0; i < s->count; i++) {
    shown += !statement_is_empty(s, &s->lines[i]);
    apart += (size_t)s->lines[i].apart;
  }
  fact_grid_init(&g, s->key_count + 2, shown + apart + 1, 1);
  statement_heads(&g, s, ask);
  for (size_t i = 0, line = 1; i < s->count; i++)
    if (!statement_is_empty(s, &s->lines[i])) {
      statement_table_line(&g, s, &s->lines[i], line++);
      line += (size_t)s->lines[i].apart;
    }
  if (s->from_filing && shown < s->count && !ask->word)
    buf_printf(&notes, "left out: %zu of the filing's lines, which have no value in these periods\n",
               s->count - shown);
  statement_notes(&notes, s, ask);
  if (ask->format == FACT_HTML) {
    fact_page_grid(out, buf_slice(&title), &g, buf_slice(&notes));
  } else {
    fact_prose_notes(out, buf_slice(&title), ask->format);
    buf_add_str(out, "\n\n");
    fact_grid_write(out, &g, ask->format, ask->screen);
    buf_add_char(out, '\n');
    fact_prose_notes(out, buf_slice(&notes), ask->format);
  }
  fact_grid_release(&g);
  buf_release(&title);
  buf_release(&notes);
}

static void statement_json_line(struct buf *out, const struct statement *s,
                                const struct statement_request *ask, size_t i) {
  const struct statement_line *l = &s->lines[i];
  char digits[DECIMAL_TEXT];
  for (size_t k = 0; k < s->key_count && !statement_is_empty(s, l) && !l->heading; k++) {
    size_t c = ask->format == FACT_CSV ? s->key_count - 1 - k : k; /* oldest first */
    struct decimal shown;
    if (statement_value(s, l, c, &shown))
      continue;
    fact_write_row(out, &l->column, statement_row(s, l, c));
    json_cstr(out, "statement", ask->which);
    json_uint(out, "line", i + 1);
    json_cstr(out, "labels", s->from_filing ? "filing" : "standard");
    json_raw(out, "presented", slice_str(decimal_write(shown, digits)));
    if (l->shift)
      json_bool(out, "opening", 1);
    if (l->checked[c] > 0 && !ask->word)
      json_int(out, "sumOf", l->checked[c]);
    buf_add_str(out, "}\n");
  }
}

static void statement_show(struct buf *out, const struct statement *s, const struct statement_request *ask) {
  if (ask->format == FACT_JSON || ask->format == FACT_CSV)
    for (size_t i = 0; i < s->count; i++)
      statement_json_line(out, s, ask, i);
  else
    statement_write_table(out, s, ask);
}

/* ---- columns ---- */

static int statement_key_order(const void *x, const void *y) {
  int a = *(const int *)x, b = *(const int *)y;
  return (a < b) - (a > b);
}

static size_t statement_lines_with(const struct statement *s, int key) {
  size_t n = 0;
  for (size_t i = 0; i < s->count; i++)
    n += !s->lines[i].heading && fact_rows_find(&s->lines[i].column.measure.rows, key) != NULL;
  return n;
}

/* Only the days of flows in a statement of flows: its balances don't define periods. */
static size_t statement_gather_keys(struct statement *s, const struct statement_request *ask) {
  size_t total = 0, n = 0;
  int balance = strcmp(ask->which, "balance") == 0, any = strcmp(ask->which, "segments") == 0;
  for (size_t i = 0; i < s->count; i++) {
    if (!s->lines[i].shift)
      fact_period_keep(&ask->period, &s->lines[i].column.measure.rows);
    total += s->lines[i].column.measure.rows.count;
  }
  s->keys = xreallocarray(s->keys, total + 1, sizeof *s->keys);
  for (size_t i = 0; i < s->count; i++)
    for (size_t k = 0; k < s->lines[i].column.measure.rows.count; k++)
      if (any || balance == (s->lines[i].column.measure.rows.rows[k].months == 0))
        s->keys[n++] = fact_row_key(&s->lines[i].column.measure.rows.rows[k]);
  qsort(s->keys, n, sizeof *s->keys, statement_key_order);
  return n;
}

/* Periods in which at least a third of the lines have a value, the newest of those requested. */
static void statement_find_columns(struct statement *s, const struct statement_request *ask) {
  size_t n = statement_gather_keys(s, ask), lines = 0;
  for (size_t i = 0; i < s->count; i++)
    lines += !s->lines[i].heading;
  for (size_t i = 0; i < n && s->key_count < ask->limit; i++)
    if ((s->key_count == 0 || s->keys[s->key_count - 1] != s->keys[i]) &&
        3 * statement_lines_with(s, s->keys[i]) >= lines)
      s->keys[s->key_count++] = s->keys[i];
}

/* ---- the filing ---- */

/* The newest filing of the kind that prints the span. */
static const char *statement_forms(const struct statement_request *ask) {
  return ask->choice.span == FACT_QUARTERLY ? "10-Q" : "10-K,20-F,40-F";
}

/* The primary document of the newest one, or of that of a period, "FY-2022". */
static int statement_fetch(const struct statement_request *ask, const char *period, struct fact_company *c,
                           struct buf *html, struct fact *filing, struct error_text *why) {
  struct buf href;
  buf_init(&href, 65536);
  int failed = fact_filing_find(c, ask->company->cik, statement_forms(ask), period, &href, filing, why) ||
               fact_filing_fetch(c, buf_slice(&href), html, why);
  buf_release(&href);
  return failed;
}

/* Appends the annual report to shareholders where it is an exhibit of the filing: banks print their statements there.
 * Its facts refer to contexts of the primary document, so both are parsed as one. */
static int statement_fetch_report(const struct statement_request *ask, struct fact_company *c,
                                  struct buf *html) {
  struct buf records, report;
  struct error_text why;
  char cik[16];
  snprintf(cik, sizeof cik, "%.*s", (int)ask->company->cik.len, ask->company->cik.data);
  const char *const arguments[] = {"sec-filings", "-e", cik,           "-f", statement_forms(ask), "-n", "1",
                                   "--content",   "-P", "parts=EX-13", NULL};
  buf_init(&records, STATEMENT_MAX);
  buf_init(&report, STATEMENT_MAX);
  int failed =
      fact_fetch(arguments, 1, &records, &why) != 0 || fact_load_payload(c, buf_slice(&records), &report);
  if (!failed)
    buf_add_slice(html, buf_slice(&report));
  buf_release(&records);
  buf_release(&report);
  return failed;
}

/* Reads the lines of a document; -1 where it has none. */
static int statement_read(struct statement *s, const struct statement_request *ask, struct fact_company *own,
                          struct slice html, struct fact *filing) {
  struct inline_document d;
  inline_read(&d, html);
  if (!filing->form.len)
    filing->form = fact_company_keep(own, d.form);
  int failed =
      ask->word ? statement_lines_segments(s, ask, &d, filing) : statement_lines_read(s, ask, &d, filing);
  inline_release(&d);
  return failed;
}

static void statement_gather(struct statement *s, const struct statement_request *ask, const char *period,
                             struct fact_company *own) {
  struct buf html;
  struct fact filing = {.filed = DAY_NONE};
  buf_init(&html, STATEMENT_MAX);
  struct error_text why;
  int failed = strcmp(ask->which, "key") == 0                     ? -1
               : ask->own_file && strcmp(ask->own_file, "-") != 0 ? buf_read_file(&html, ask->own_file)
               : ask->own_file                                    ? -1
                               : statement_fetch(ask, period, own, &html, &filing, &why);
  if (failed && !ask->own_file && strcmp(ask->which, "key") != 0)
    s->unread = why;
  if (!failed) {
    failed = statement_read(s, ask, own, buf_slice(&html), &filing);
    if (failed && !ask->own_file && ask->choice.span != FACT_QUARTERLY &&
        statement_fetch_report(ask, own, &html) == 0)
      failed = statement_read(s, ask, own, buf_slice(&html), &filing);
  }
  buf_release(&html);
  if (failed && !ask->word)
    statement_lines_standard(s, ask);
  s->form = filing.form;
  s->accession = filing.accession;
}

/* Removes rows of periods that are not shown, so that all formats show the same. */
static void statement_trim(struct statement *s) {
  for (size_t i = 0; i < s->count; i++) {
    struct fact_rows kept = {NULL, 0, 0, 0}, *rows = &s->lines[i].column.measure.rows;
    for (size_t c = s->key_count; c-- > 0;) {
      const struct fact_row *row = s->lines[i].heading ? NULL : statement_row(s, &s->lines[i], c);
      if (row)
        fact_rows_add(&kept, row);
    }
    fact_rows_release(rows);
    *rows = kept;
  }
}

const char *statement_elsewhere(struct slice form) {
  return form_kind_of(form) == FORM_ANNUAL
             ? "; it may stand in another document, as a bank's does in the annual report to shareholders "
               "(EX-13)"
             : "";
}

/* A hint at other available information. */
static const char *statement_hint(const struct statement_request *ask, const struct statement *s) {
  if (!ask->company->file || (!ask->own_file && !s->from_filing))
    return ask->choice.span != FACT_ANNUAL && !ask->word
               ? "; company facts may have whole years of it: --annual"
               : "";
  if (*statement_elsewhere(s->form))
    return statement_elsewhere(s->form);
  if (form_kind_of(s->form) != FORM_QUARTERLY)
    return "";
  if (ask->choice.span == FACT_QUARTERLY)
    return "; a single report has spans from the year's beginning: -p H1-2025 or -p 9M-2025";
  return ask->choice.span == FACT_ANNUAL
             ? "; a quarterly report has no year: --quarterly, or -p H1-2025 for its cash flows"
             : "";
}

/* The filing of the fiscal year or quarter that is asked for; 0 where it can't be named. */
static int statement_period(const struct statement_request *ask, char period[16]) {
  int quarter = ask->period.quarter;
  if (!ask->company->cik.len || ask->own_file || !ask->word || !ask->period.fiscal_year)
    return 0;
  if (ask->choice.span == FACT_ANNUAL)
    return snprintf(period, 16, "FY-%d", ask->period.fiscal_year) > 0;
  return quarter >= 1 && quarter <= 3 && snprintf(period, 16, "Q%d-%d", quarter, ask->period.fiscal_year) > 0;
}

/* Parts of a figure are in filings alone: of a period that the newest filing doesn't have, or if that can't be had, in its own. */
static void statement_find(struct statement *s, const struct statement_request *ask,
                           struct fact_company *own) {
  struct error_text unread;
  char period[16];
  statement_gather(s, ask, NULL, own);
  statement_find_columns(s, ask);
  if (s->key_count || !statement_period(ask, period))
    return;
  unread = s->unread;
  statement_release(s);
  statement_gather(s, ask, period, own);
  statement_find_columns(s, ask);
  if (!s->key_count && unread.text[0])
    s->unread = unread;
}

void statement_run(struct program *p, const struct statement_request *ask) {
  struct statement s = {0};
  struct fact_company own;
  fact_company_init(&own);
  statement_find(&s, ask, &own);
  if (!s.key_count && s.unread.text[0]) {
    diag_warn("%.*s: nothing for '%s', since the filing itself could not be fetched: %s",
              (int)ask->company->name.len, ask->company->name.data, ask->word ? ask->word : ask->which,
              s.unread.text);
    program_fail(p, EXIT_NOTHING);
  } else if (!s.key_count) {
    diag_warn("%.*s: nothing for '%s' in the filing for what was asked%s", (int)ask->company->name.len,
              ask->company->name.data, ask->word ? ask->word : ask->which, statement_hint(ask, &s));
    program_fail(p, EXIT_NOTHING);
  } else {
    statement_trim(&s);
    if (ask->word)
      statement_segment_sums(&s, ask);
    statement_check(&s, statement_unit(&s));
    statement_show(&p->out.buf, &s, ask);
  }
  statement_release(&s);
  fact_company_release(&own);
}
