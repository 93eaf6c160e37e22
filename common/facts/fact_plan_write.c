/* fact_plan_write.c: the rows of a figure that a window of a question picks; the facts and the filing that were loaded last. */
#include "facts/fact_plan.h"
#include "base/clock.h"
#include "base/diag.h"
#include "facts/fact_load.h"
#include "facts/fact_period.h"
#include "facts/fact_write.h"
#include "facts/measure.h"
#include "facts/statement.h"
#include "query/concepts.h"
#include "record/error.h"
#include "record/json.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>

enum { LAST_TEXT_MAX = 65536 };

void fact_last_init(struct fact_last *last) {
  memset(last, 0, sizeof *last);
  fact_company_init(&last->company);
  fact_company_init(&last->filing);
}

static void last_release_filing(struct fact_last *last) {
  member_list_release(&last->members);
  inline_release(&last->document);
  fact_company_release(&last->filing);
}

void fact_last_release(struct fact_last *last) {
  fact_company_release(&last->company);
  last_release_filing(last);
}

/* The filing of a period, or the newest where that is empty. */
static const struct fact_company *last_load_filing(struct fact_last *last, const char *forms,
                                                   const char *period, int32_t as_of) {
  char name[sizeof last->period];
  snprintf(name, sizeof name, "%s %s", period, forms);
  if (!*last->cik)
    return NULL;
  if (strcmp(last->period, name) != 0) {
    last_release_filing(last);
    fact_company_init(&last->filing);
    memcpy(last->period, name, sizeof name);
    last->filing_status = fact_filing_load(&last->filing, &last->document, &last->filed, slice_str(last->cik),
                                           forms, *period ? period : NULL, as_of, &last->filing_why);
    if (!last->filing_status)
      member_list_read(&last->members, &last->document);
  }
  return last->filing_status ? NULL : &last->filing;
}

static const char *const last_annual = "10-K,20-F,40-F";

const struct fact_company *fact_last_filing(struct fact_last *last, const struct fact_window *w,
                                            int32_t as_of) {
  int quarter = w->period.quarter, is_quarter = quarter >= 1 && quarter <= 3;
  char period[16];
  if (!w->period.fiscal_year || (quarter == 0 && w->span != FACT_ANNUAL))
    return NULL;
  if (is_quarter)
    snprintf(period, sizeof period, "Q%d-%d", quarter, w->period.fiscal_year);
  else
    snprintf(period, sizeof period, "FY-%d", w->period.fiscal_year);
  return last_load_filing(last, is_quarter ? "10-Q" : last_annual, period, as_of);
}

const struct fact_company *fact_last_newest(struct fact_last *last, int quarterly, int32_t as_of) {
  return last_load_filing(last, quarterly ? "10-Q" : last_annual, "", as_of);
}

static const struct fact_company *last_load(struct fact_last *last, const char *cik) {
  if (strcmp(last->cik, cik) != 0) {
    fact_company_release(&last->company);
    fact_company_init(&last->company);
    last->period[0] = '\0';
    last->why.text[0] = '\0';
    struct buf errors;
    buf_init(&errors, LAST_TEXT_MAX);
    last->status = *cik ? fact_load_company(&last->company, cik, &errors, &last->why) : EX_DATAERR;
    if (!last->why.text[0])
      fact_load_why(buf_slice(&errors), &last->why);
    buf_release(&errors);
    snprintf(last->cik, sizeof last->cik, "%s", cik);
  }
  return last->status ? NULL : &last->company;
}

const struct fact_company *fact_last_company(struct fact_last *last, const char *cik, struct slice ticker) {
  const struct fact_company *c = last_load(last, cik);
  if (c && !c->ticker.len && ticker.len) /* facts are asked for by CIK, whose answer has no ticker */
    last->company.ticker = fact_company_keep(&last->company, ticker);
  return c;
}

/* ---- writes the rows of a figure that a period of the question selects, and says what is missing ---- */

enum { PLAN_NOTE_MAX = 65536 };

void fact_plan_say(struct program *p, struct slice job, const char *category, const char *format, ...) {
  struct buf *out = &p->out.buf;
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  size_t start = out->len;
  program_error(p, NULL, category, slice_of(NULL, 0), slice_of(NULL, 0), "%s", text);
  if (!job.len || out->len < start + 2)
    return;
  out->len -= 2; /* the brace and the line's end */
  json_raw(out, "job", job);
  buf_add_str(out, "}\n");
}

/* ---- which rows ---- */

/* Of a window of stated length, keeps only spans of that length and balances; months 0: all. */
static void plan_pick_length(struct fact_rows *rows, int months) {
  size_t n = 0;
  for (size_t i = 0; i < rows->count; i++)
    if (!months || !rows->rows[i].months || rows->rows[i].months == months)
      rows->rows[n++] = rows->rows[i];
  rows->count = n;
}

/* Keeps the `limit` rows behind the `before` newest ones; of quarters only those of a quarterly report then, since a fourth
 * quarter has none to count. */
static void plan_pick_before(struct fact_rows *rows, enum fact_span span, size_t before, size_t limit) {
  size_t n = 0;
  for (size_t i = 0; i < rows->count; i++)
    if (!(before && span == FACT_QUARTERLY) || strcmp(rows->rows[i].fiscal_period, "Q4") != 0)
      rows->rows[n++] = rows->rows[i];
  rows->count = n;
  fact_rows_narrow(rows, DAY_NONE, DAY_NONE, limit + before);
  rows->count -= before < rows->count ? before : rows->count;
}

/* Whether a unit has nothing to do with the currency `code`, or is of it: "pure", "shares", "USD/shares". */
static int plan_unit_fits(const char *unit, struct slice code) {
  int currency = unit && strspn(unit, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 3;
  return !currency || strncmp(unit, code.data, code.len) == 0;
}

/* A figure in the currency that is asked for; one without a currency has its own unit.  0 where m has rows, or -1.  Release m in
 * both cases. */
static int plan_pick_measure(struct measure *m, const struct measure_context *x, struct slice word) {
  struct measure_context any = *x;
  if (measure_make(m, x, word, NULL) == 0 || !x->unit.len)
    return m->rows.count ? 0 : -1;
  measure_release(m);
  any.unit = slice_of(NULL, 0);
  return measure_make(m, &any, word, NULL) == 0 && plan_unit_fits(m->unit, x->unit) ? 0 : -1;
}

/* Whether the newest row of a figure is that of a day, not of a span. */
static int plan_pick_is_balance(const struct measure_context *x, struct slice word) {
  struct measure m;
  int found = plan_pick_measure(&m, x, word) == 0 && !m.growth && m.rows.rows[m.rows.count - 1].months == 0;
  measure_release(&m);
  return found;
}

enum { CHOOSE_YEARS = 5 };

static int plan_crosses(const struct plan *plan, const struct fact_splits *splits,
                        const struct fact_row *row) {
  double value = decimal_to_double(row->number) / fact_split_factor(splits, row);
  return plan->choice == PLAN_FIRST_BELOW ? value < plan->amount : value > plan->amount;
}

/* Keeps the rows that answer: the year that crosses the amount and the one before it, or the newest years.  -1 where no row
 * crosses it, which leaves none. */
static int plan_choose_rows(const struct plan *plan, const struct fact_splits *splits,
                            struct fact_rows *rows) {
  size_t first = 0;
  if (plan->choice == PLAN_EACH_YEAR)
    fact_rows_narrow(rows, DAY_NONE, DAY_NONE, plan->untimed.len ? CHOOSE_YEARS : SIZE_MAX);
  if (plan->choice != PLAN_FIRST_ABOVE && plan->choice != PLAN_FIRST_BELOW)
    return 0;
  while (first < rows->count && !plan_crosses(plan, splits, &rows->rows[first]))
    first++;
  if (first == rows->count) {
    rows->count = 0;
    return -1;
  }
  size_t from = first ? first - 1 : 0;
  memmove(rows->rows, rows->rows + from, (first - from + 1) * sizeof *rows->rows);
  rows->count = first - from + 1;
  return 0;
}

/* ---- what is said ---- */

/* Whether rows are of quarters of which the fourth can't be derived: amounts a share, averages. */
static int fact_plan_lacks_fourths(const struct fact_rows *rows) {
  const struct fact_row *newest = rows->count ? &rows->rows[rows->count - 1] : NULL;
  return newest && newest->months == 3 && newest->series && !fact_is_additive(newest->series);
}

/* Reports fourth quarters that are missing. Where the newest quarter is one, no row is left: the third isn't the newest. */
static void fact_plan_say_fourths(struct fact_plan *f, const struct fact_company *c,
                                  const struct fact_window *w, struct measure *m) {
  struct fact_rows *rows = &m->rows;
  buf_clear(&m->notes);
  measure_note_fourths(m, w->span);
  int newest = !w->named && w->count == 1 && !w->before && rows->count &&
               c->newest - rows->rows[rows->count - 1].end > FACT_WINDOW_END_DAYS;
  if (newest)
    rows->count = 0;
  if (m->notes.len)
    fact_plan_say(f->p, f->job, ERROR_NO_CONTENT, "%.*s: %.*s", (int)c->name.len, c->name.data,
                  (int)m->notes.len - 1, m->notes.data);
  else if (newest || (!rows->count && w->period.quarter == 4))
    fact_plan_say(f->p, f->job, ERROR_NO_CONTENT,
                  "%.*s: '%s' of a fourth quarter is not reported, and is not the year less nine months",
                  (int)c->name.len, c->name.data, m->label);
}

int32_t fact_plan_today(int32_t as_of) {
  char now[CLOCK_TEXT];
  clock_format_date(clock_now(), now);
  return as_of != DAY_NONE ? as_of : day_parse(slice_str(now));
}

void fact_plan_compare_ends(struct fact_plan *f, const struct fact_company *c, size_t window) {
  struct fact_plan_end *first = &f->ends[window];
  const struct fact_window *w = &f->windows.list[window];
  int most = w->span == FACT_ANNUAL ? PLAN_YEARS_APART : FACT_WINDOW_END_DAYS;
  char day[DAY_TEXT], other[DAY_TEXT];
  if (f->newest_end == DAY_NONE || !w->period.fiscal_year)
    return;
  if (!first->company[0]) {
    first->day = f->newest_end;
    snprintf(first->company, sizeof first->company, "%.*s", (int)c->name.len, c->name.data);
  } else if (abs(first->day - f->newest_end) > most) {
    fact_plan_say(f->p, f->job, ERROR_NO_CONTENT,
                  "the fiscal periods differ: that of %s ended %s, that of %.*s %s", first->company,
                  day_write(first->day, day), (int)c->name.len, c->name.data,
                  day_write(f->newest_end, other));
  }
}

void fact_plan_note_age(struct fact_plan *f, const struct fact_company *c, const struct fact_window *w) {
  char day[DAY_TEXT];
  if (!w->named && c->newest != DAY_NONE && fact_plan_today(f->as_of) - c->newest > PLAN_OLD_DAYS)
    fact_plan_say(f->p, f->job, ERROR_NO_CONTENT,
                  "%.*s: company facts end with %s; a newer filing may have a newer figure", (int)c->name.len,
                  c->name.data, day_write(c->newest, day));
}

void fact_plan_say_unreported(struct fact_plan *f, const struct fact_company *c) {
  for (size_t i = 0; i < f->plan->figure_count && !f->plan->currency[0]; i++)
    if (f->unreported[i] && f->plan->figures[i].as == PLAN_AS_VALUE)
      fact_plan_say(f->p, f->job, ERROR_NO_CONTENT, "%.*s: '%s' is not reported", (int)c->name.len,
                    c->name.data, f->plan->figures[i].figure);
}

void fact_plan_say_other(struct fact_plan *f, struct slice asked) {
  struct buf reason;
  buf_init(&reason, PLAN_NOTE_MAX);
  measure_say_unreported(asked, &reason);
  if (reason.len)
    fact_plan_say(f->p, f->job, ERROR_NO_CONTENT, "%s", reason.data);
  else
    fact_plan_say(f->p, f->job, ERROR_NO_CONTENT, "company facts have no figure of '%.*s'", (int)asked.len,
                  asked.data);
  buf_release(&reason);
}

static void plan_note_newest(struct fact_plan *f, const struct fact_rows *rows) {
  const struct fact_row *r = rows->count ? &rows->rows[rows->count - 1] : NULL;
  char day[DAY_TEXT];
  if (r)
    snprintf(f->newest, sizeof f->newest, "%s %d, ended %s", r->fiscal_period, r->fiscal_year,
             day_write(r->end, day));
}

/* Where the question asks when, keeps the years that answer it; returns whether it does. */
static int plan_choose(struct fact_plan *f, struct fact_column *column, const struct fact_company *c) {
  const struct plan *plan = f->plan;
  struct fact_rows *rows = &column->measure.rows;
  if (plan->choice == PLAN_NEWEST || !rows->count)
    return 0;
  if (column->measure.growth) {
    rows->count = 0;
    return 1;
  }
  int first = rows->rows[0].fiscal_year, last = rows->rows[rows->count - 1].fiscal_year;
  if (plan_choose_rows(plan, column->splits, rows))
    fact_plan_say(f->p, f->job, ERROR_NO_CONTENT,
                  "%.*s: no fiscal year from %d to %d has a %s %s that amount", (int)c->name.len,
                  c->name.data, first, last, column->measure.label,
                  plan->choice == PLAN_FIRST_BELOW ? "below" : "above");
  if (plan->untimed.len)
    fact_plan_say(f->p, f->job, ERROR_NO_CONTENT,
                  "'%.*s' names no period that company facts know: the newest years are given",
                  (int)plan->untimed.len, plan->untimed.data);
  return 1;
}

/* Whether the figure was written for another period of the question; reports it once. */
static int plan_is_written(struct fact_plan *f, const struct plan_figure *word, const struct fact_row *row) {
  char start[DAY_TEXT], end[DAY_TEXT];
  for (size_t i = 0; i < f->written_count; i++) {
    const struct fact_plan_span *w = &f->written[i];
    if (w->word != word || w->start != row->start || w->end != row->end)
      continue;
    if (w->part != f->part && decimal_compare(w->number, row->number) != 0)
      continue;
    if (!f->doubled && w->part == f->part)
      fact_plan_say(f->p, f->job, ERROR_NO_CONTENT,
                    "two of the periods asked for are one here: %s %d, from %s to %s", row->fiscal_period,
                    row->fiscal_year, day_write(row->start, start), day_write(row->end, end));
    f->doubled |= w->part == f->part;
    return 1;
  }
  if (f->written_count < PLAN_WRITTEN_MOST)
    f->written[f->written_count++] =
        (struct fact_plan_span){word, f->part, row->start, row->end, row->number};
  return 0;
}

/* Drops a figure that ended long ago, where the question names no period, and reports it. */
static void plan_drop_old(struct fact_plan *f, const struct fact_company *c, const struct fact_window *w,
                          struct fact_column *column) {
  struct fact_rows *rows = &column->measure.rows;
  const struct fact_row *newest = rows->count ? &rows->rows[rows->count - 1] : NULL;
  char day[DAY_TEXT];
  if (!newest || w->named || f->plan->choice != PLAN_NEWEST ||
      fact_plan_today(f->as_of) - newest->end <= PLAN_OLD_DAYS)
    return;
  fact_plan_say(f->p, f->job, ERROR_NO_CONTENT,
                "%.*s: the newest figure of '%s' that company facts have ended %s; a newer filing may have a "
                "newer one: "
                "name the year to get it",
                (int)c->name.len, c->name.data, column->measure.label, day_write(newest->end, day));
  rows->count = 0;
}

/* Names the part in the figure's label, "Revenue (Services)", and the year that a growth is counted from, or 0. */
static void plan_name(struct measure *m, const char *part, int since) {
  char year[32] = "", *label;
  if (since)
    snprintf(year, sizeof year, " since FY %d", since);
  label = part ? xformat("%s%s (%s)", m->label, year, part) : xformat("%s%s", m->label, year);
  free(m->label);
  m->label = label;
}

static void plan_write_row(struct fact_plan *f, struct fact_column *column, const struct plan_figure *asked,
                           const struct fact_row *row) {
  const char *statement = f->part ? "segments" : statement_of_word(f->table, slice_str(asked->figure));
  struct buf *out = &f->p->out.buf;
  fact_write_row(out, column, row);
  if (statement)
    json_cstr(out, "statement", statement);
  if (f->part) {
    json_cstr(out, "segment", f->part_title);
    json_str(out, "member", f->part->key);
  }
  if (f->job.len)
    json_raw(out, "job", f->job);
  buf_add_str(out, "}\n");
}

/* The growth over all years: the product of the growth of each, from the first year's base to the last value. */
static int plan_total_growth(const struct fact_rows *rows, struct fact_row *total) {
  const struct fact_row *first = &rows->rows[0], *last = &rows->rows[rows->count - 1];
  double growth = 1;
  for (size_t i = 1; i < rows->count; i++)
    growth *= 1 + decimal_to_double(rows->rows[i].number);
  *total = *last;
  if (fact_row_set(total, growth - 1, MEASURE_FORMULA_DIGITS))
    return -1;
  total->formula = "the last year's value / the first one's - 1";
  total->derived = 1;
  total->part_count = 0;
  if (last->part_count && first->part_count) {
    total->parts[0] = last->parts[0];
    total->parts[1] = first->parts[0];
    total->parts[1].sign = '/';
    total->part_count = 2;
  }
  return 0;
}

/* "How much did it grow between 2020 and 2025": writes the growth from the first year to the last. The growth of the years
 * between stays; the first year's is dropped. */
static void plan_write_growth(struct fact_plan *f, struct fact_column *column, const struct fact_window *w,
                              const struct plan_figure *asked) {
  struct fact_rows *rows = &column->measure.rows;
  struct fact_row total;
  if (!column->measure.growth || w->period.from == DAY_NONE || w->span != FACT_ANNUAL || rows->count < 2)
    return;
  if (rows->count > 2 && plan_total_growth(rows, &total) == 0) {
    char *label = xstrdup(column->measure.label);
    plan_name(&column->measure, f->part ? f->part_title : NULL, rows->rows[0].fiscal_year);
    plan_write_row(f, column, asked, &total);
    free(column->measure.label);
    column->measure.label = label;
  }
  memmove(rows->rows, rows->rows + 1, --rows->count * sizeof *rows->rows);
}

static void plan_write_rows(struct fact_plan *f, struct fact_column *column, const struct fact_window *w,
                            const struct plan_figure *asked) {
  plan_write_growth(f, column, w, asked);
  if (f->part)
    plan_name(&column->measure, f->part_title, 0);
  for (size_t i = 0; i < column->measure.rows.count; i++)
    if (!plan_is_written(f, asked, &column->measure.rows.rows[i]))
      plan_write_row(f, column, asked, &column->measure.rows.rows[i]);
}

/* Writes the facts for a word in a window; returns how many. */
static size_t plan_write(struct fact_plan *f, const struct fact_company *c, const struct fact_splits *splits,
                         const struct plan_figure *asked, const struct fact_window *w) {
  struct slice word = slice_str(asked->figure);
  struct measure_context x = {f->table, c, slice_str(f->plan->currency), {w->span, 0, f->as_of}};
  struct fact_column column = {.splits = splits};
  struct fact_rows *rows = &column.measure.rows;
  size_t count = 0;
  int failed = plan_pick_measure(&column.measure, &x, word) != 0;
  if (!f->of_filing)
    f->unreported[asked - f->plan->figures] = failed;
  if (!failed) {
    int fourths = fact_plan_lacks_fourths(rows);
    measure_adjust_growth(&column.measure, splits);
    plan_note_newest(f, rows);
    plan_pick_length(rows, w->months);
    if (w->span == FACT_TRAILING && !w->period.fiscal_year && w->period.from == DAY_NONE)
      fact_rows_narrow(rows, c->newest - FACT_WINDOW_END_DAYS, DAY_NONE, 1);
    fact_period_keep(&w->period, rows);
    if (w->named || !plan_choose(f, &column, c))
      plan_pick_before(rows, w->span, w->before, w->count);
    plan_drop_old(f, c, w, &column);
    if (fourths && !f->of_filing)
      fact_plan_say_fourths(f, c, w, &column.measure);
    count = rows->count;
    if (count)
      f->newest_end = rows->rows[count - 1].end;
    plan_write_rows(f, &column, w, asked);
  }
  measure_release(&column.measure);
  return count;
}

/* Whether the newest quarter's balance answers. In a formula the year's does, as for the figures that it is compared with. */
static int plan_is_balance(struct fact_plan *f, const struct fact_company *c,
                           const struct plan_figure *word) {
  struct measure_context x = {f->table, c, slice_str(f->plan->currency), {FACT_QUARTERLY, 0, f->as_of}};
  for (size_t i = 0; i < f->plan->figure_count; i++)
    if (f->plan->figures[i].as == PLAN_AS_GROWTH || f->plan->figures[i].as == PLAN_AS_SHARE ||
        f->plan->figures[i].as == PLAN_AS_PER_SHARE)
      return 0;
  if (f->plan->year_named)
    return 0;
  return plan_pick_is_balance(&x, slice_str(word->figure));
}

/* The span of the fiscal year so far: one, two or three quarters, or the whole year. */
static void plan_set_to_date(struct fact_window *w, const struct fact_company *c) {
  static const enum fact_span spans[] = {FACT_QUARTERLY, FACT_HALF, FACT_NINE_MONTHS, FACT_ANNUAL};
  char period[8];
  if (c->newest == DAY_NONE)
    return;
  fact_fiscal(c, DAY_NONE, c->newest, 0, period);
  int quarter = period[0] == 'Q' ? period[1] - '0' : 4;
  w->span = spans[quarter - 1];
  w->months = 3 * quarter;
}

size_t fact_plan_write(struct fact_plan *f, const struct fact_company *c, const struct fact_splits *splits,
                       const struct plan_figure *word, const struct fact_window *w) {
  struct fact_window quarters = *w, to_date = *w;
  quarters.span = FACT_QUARTERLY;
  if (w->to_date) {
    plan_set_to_date(&to_date, c);
    return plan_write(f, c, splits, word, &to_date);
  }
  int newest =
      !w->named && w->span == FACT_ANNUAL && w->count == 1 && !w->months && f->plan->choice == PLAN_NEWEST;
  size_t count = plan_write(f, c, splits, word, newest && plan_is_balance(f, c, word) ? &quarters : w);
  if (count == 0 && w->span == FACT_ANNUAL && !w->months && !w->period.fiscal_year &&
      w->period.from != DAY_NONE)
    count = plan_write(f, c, splits, word, &quarters);
  return count;
}
