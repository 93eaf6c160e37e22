/* statement.c: fetches the filing, finds the periods to show, and runs the steps of a statement. */
#include "facts/statement_lines.h"

#include "base/diag.h"
#include "facts/fact_fetch.h"
#include "facts/fact_load.h"
#include "filing/form.h"
#include "record/json.h"

#include <stdio.h>
#include <stdlib.h>

#define STATEMENT_MAX ((size_t)128 << 20)

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
