/* fact_period.c: the period of an option as fiscal quarters, or as days, and the rows that are in it; a plan's windows as spans and
 * ranges of days. */
#include "facts/fact_period.h"

#include "period/period.h"
#include "period/period_option.h"

enum { HALF_YEAR = 182, HALF_QUARTER = 45 }; /* in days */

/* Calendar periods are matched by their middle: a span may be off by up to half its length. */
static void period_calendar(struct fact_period *p, int year, int quarter) {
  int32_t last = day_month_end(year, quarter ? 3 * quarter : 12, 0),
          half = quarter ? HALF_QUARTER : HALF_YEAR;
  p->from = last - half + 1;
  p->until = last + half;
  p->quarter = quarter ? 0 : 5;
}

void fact_period_each_quarter(struct fact_period *p) {
  if (p->months == 6 || p->months == 9)
    p->quarters = p->months / 3;
  p->months = 3;
  if (p->quarter != 5)
    return;
  p->quarter = 0;
  if (p->fiscal_year)
    return;
  p->until -= HALF_YEAR - HALF_QUARTER;
  p->from = p->until - 364;
}

int fact_period_parse(struct fact_period *p, const char *text) {
  struct period_item item;
  int first, last;
  *p = (struct fact_period){.from = DAY_NONE, .until = DAY_NONE};
  if (period_days(text, &p->from, &p->until) == 0)
    return 0;
  if (strstr(text, "..") || !period_of_code(text, &item))
    return -1;
  period_part_months(item.kind == ITEM_YEAR ? PART_FY : item.part, &first, &last);
  p->months = last - first + 1;
  if (item.how == YEAR_CALENDAR && p->months != 3 && p->months != 12)
    return -1;
  p->quarter = p->months == 12 ? 5 : last / 3;
  if (item.how == YEAR_CALENDAR)
    period_calendar(p, item.year, p->months == 3 ? last / 3 : 0);
  else
    p->fiscal_year = item.year;
  return 0;
}

/* Whether a day is within half a quarter of the end of a month. */
static int period_ends_in(int32_t end, int month) {
  int year, of_month, day;
  day_split(end - 10, &year, &of_month, &day);
  int apart = (of_month - month + 12) % 12;
  return apart <= 1 || apart == 11;
}

static int period_has(const struct fact_period *p, const struct fact_row *r) {
  if ((p->from != DAY_NONE && r->end < p->from) || (p->until != DAY_NONE && r->end > p->until))
    return 0;
  if (p->ends_month && !period_ends_in(r->end, p->ends_month))
    return 0;
  int key = fact_row_key(r), last = p->quarter == 5 ? 3 : p->quarter - 1, at = key / FACT_KEY_QUARTER % 4;
  if (p->quarter && key % FACT_KEY_QUARTER) /* a transition period is no quarter of a year */
    return 0;
  if (!p->fiscal_year)
    return p->quarter < 1 || p->quarter > 4 || at == last;
  return key / FACT_KEY_YEAR == p->fiscal_year &&
         (!p->quarter || (at <= last && at > last - (p->quarters ? p->quarters : 1)));
}

void fact_period_keep(const struct fact_period *p, struct fact_rows *rows) {
  size_t n = 0;
  for (size_t i = 0; i < rows->count; i++)
    if (period_has(p, &rows->rows[i]))
      rows->rows[n++] = rows->rows[i];
  rows->count = n;
}

/* ---- the windows of a plan ---- */

/* A report is filed so many days after its period, at most and at least. A calendar year is the year that ends in it or within a month of its end, as for the SEC's frames. */
enum {
  WINDOW_COUNT = 40,
  WINDOW_NEWEST = 2,
  WINDOW_QUARTERS = 4,
  WINDOW_YEAR_DAYS = 31,
  WINDOW_TOLD_DAYS = 110,
  WINDOW_FILED_FIRST = 80,
  WINDOW_FILED_LAST = 10
};

int32_t fact_window_day(const char text[PLAN_DATE]) {
  return text[0] ? day_parse(slice_of(text, PLAN_DATE - 1)) : DAY_NONE;
}

static void window_name_period(struct fact_window *w, enum period_part part, int year) {
  int first, last;
  w->period.fiscal_year = year;
  w->period.quarter = year ? 5 : 0;
  if (part == PART_ANY)
    return;
  period_part_months(part, &first, &last);
  w->months = last - first + 1;
  w->span = w->months == 3   ? FACT_QUARTERLY
            : w->months == 6 ? FACT_HALF
            : w->months == 9 ? FACT_NINE_MONTHS
                             : FACT_ANNUAL;
  w->period.quarter = part == PART_FY ? 5 : last / 3;
}

/* A period with a last day.  Where its length is stated, twelve months are the fiscal year that ends there or the
 * sum of four quarters, and lengths of which no spans are reported leave balances alone. */
static void window_end_period(struct fact_window *w, int32_t ends, int32_t from) {
  int year, month, day;
  w->months = day_months(from, ends);
  w->span = w->months == 12  ? FACT_TRAILING
            : w->months == 9 ? FACT_NINE_MONTHS
            : w->months == 6 ? FACT_HALF
            : w->months      ? FACT_QUARTERLY
                             : w->span;
  day_split(ends, &year, &month, &day);
  int calendar = w->months == 12 && month == 12 && day == 31;
  w->period.from = ends - (calendar ? WINDOW_YEAR_DAYS : FACT_WINDOW_END_DAYS);
  w->period.until = ends + (calendar ? WINDOW_YEAR_DAYS : FACT_WINDOW_END_DAYS);
}

/* Twelve months to the end of the window, or to the newest quarter's. */
static void window_make_trailing(struct fact_window *w) {
  w->span = FACT_TRAILING;
  w->months = 12;
  w->count = 1;
  w->named = 1;
}

/* The quarters of a fiscal year. */
static void window_make_quarters(struct fact_window *w) {
  w->span = FACT_QUARTERLY;
  w->months = 3;
  w->count = WINDOW_QUARTERS;
  w->period.quarter = 0;
}

/* Windows that select the same figures are one: "Apple 2024 vs Nvidia 2024". */
static int window_is_known(const struct fact_windows *f, const struct fact_window *w) {
  for (size_t i = 0; i < f->count; i++) {
    const struct fact_window *v = &f->list[i];
    if (v->span == w->span && v->count == w->count && v->months == w->months &&
        v->period.fiscal_year == w->period.fiscal_year && v->period.quarter == w->period.quarter &&
        v->period.ends_month == w->period.ends_month && v->period.from == w->period.from &&
        v->period.until == w->period.until)
      return 1;
  }
  return 0;
}

/* Days of filing: those of the reports' own periods. */
static void window_of_filing(struct fact_window *w) {
  w->period.from -= WINDOW_FILED_FIRST;
  w->period.until -= WINDOW_FILED_LAST;
}

static void window_add(struct fact_windows *f, const struct plan *plan, const struct plan_window *v,
                       enum fact_span span) {
  int32_t ends = fact_window_day(v->ends), until = fact_window_day(v->until),
          told = v->by_filing ? until : DAY_NONE;
  struct fact_window window = {.period = {.from = DAY_NONE, .until = DAY_NONE, .ends_month = v->ends_month},
                               .span = span,
                               .count = v->count > 0 && v->count < WINDOW_COUNT ? (size_t)v->count : 1,
                               .before = (size_t)(v->before % WINDOW_COUNT),
                               .named = v->year || v->ends[0] || v->from[0] || v->before},
                     *w = &window;
  if (v->ends_month) { /* a quarter, by the company's calendar */
    w->period.fiscal_year = v->year;
    w->span = FACT_QUARTERLY;
    w->months = 3;
  } else if (v->year || v->period) { /* without a year: the latest */
    window_name_period(w, v->period, v->year);
    if (told != DAY_NONE) { /* "Q3 results, October 2024": the one before that day */
      w->period.from = told - WINDOW_TOLD_DAYS;
      w->period.until = told;
    }
  } else if (ends != DAY_NONE) {
    window_end_period(w, ends, fact_window_day(v->from));
  } else {
    w->period.from = fact_window_day(v->from);
    w->period.until = until;
    w->count = w->period.from != DAY_NONE ? WINDOW_COUNT : w->count;
    if (told != DAY_NONE && w->period.from != DAY_NONE)
      window_of_filing(w);
  }
  if (plan->span == PLAN_SPAN_QUARTERS && w->period.quarter == 5)
    window_make_quarters(w);
  if (plan->span == PLAN_SPAN_TRAILING)
    window_make_trailing(w);
  if (!window_is_known(f, w))
    f->list[f->count++] = window;
}

/* Whether a question for the newest figure asks for that of a quarter: by its forms, or its words ("last quarter", whose report
 * may also be a 10-K). */
static int window_is_quarterly(const struct plan *plan) {
  int quarters = 0, years = 0;
  for (size_t i = 0; i < plan->form_count; i++) {
    quarters |= slice_begins_nocase(plan->forms[i], "10-Q");
    years |= slice_begins_nocase(plan->forms[i], "10-K");
  }
  return (quarters && !years) || (quarters >= years && plan->span != PLAN_SPAN_NONE);
}

/* The newest figure of the fiscal year so far. */
static void window_make_to_date(struct fact_window *w) {
  w->span = FACT_QUARTERLY;
  w->count = 1;
  w->to_date = 1;
}

void fact_windows_read(struct fact_windows *f, const struct plan *plan) {
  int quarterly = window_is_quarterly(plan), each = plan->span == PLAN_SPAN_QUARTERS;
  enum fact_span span = quarterly || each ? FACT_QUARTERLY : FACT_ANNUAL;
  for (size_t i = 0; i < plan->window_count && f->count < FACT_WINDOWS_MOST; i++)
    window_add(f, plan, &plan->windows[i], span);
  if (!f->count)
    f->list[f->count++] = (struct fact_window){.period = {.from = DAY_NONE, .until = DAY_NONE},
                                               .span = span,
                                               .count = each        ? WINDOW_QUARTERS
                                                        : quarterly ? WINDOW_NEWEST
                                                                    : 1};
  struct fact_window *first = &f->list[0];
  if (plan->span == PLAN_SPAN_TRAILING && f->count == 1 && !first->months)
    window_make_trailing(first);
  if (plan->span == PLAN_SPAN_TO_DATE && f->count == 1 && !first->named)
    window_make_to_date(first);
}

void fact_windows_keep(const struct fact_windows *f, struct fact_rows *rows) {
  size_t n = 0;
  for (size_t i = 0; i < rows->count; i++) {
    int in = 0;
    for (size_t k = 0; k < f->count; k++)
      in |= period_has(&f->list[k].period, &rows->rows[i]);
    if (in)
      rows->rows[n++] = rows->rows[i];
  }
  rows->count = n;
}
