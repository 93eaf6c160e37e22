/* search_scope_windows.c: matches documents of the store with a plan's windows, by the calendar of their company. */
#include "search/search_scope_parts.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>

#define DAY 86400
#define RELEASE_FROM 4 /* days after a period's end in which a current report on it is filed */
#define RELEASE_TO 110
#define TOLD_LATER                                                                                           \
  210 /* a proxy statement or a late notice is filed at most this many days after its fiscal year */

int32_t search_scope_day(const char *date) {
  int64_t t;
  return strlen(date) >= 10 && clock_parse(date, &t) == 0 ? (int32_t)(t / DAY - (t % DAY < 0)) : STORE_NO_DAY;
}

int search_scope_calendar(int32_t day, int *month_day) {
  time_t t = (time_t)day * DAY;
  struct tm tm;
  gmtime_r(&t, &tm);
  *month_day = (tm.tm_mon + 1) * 100 + tm.tm_mday;
  return tm.tm_year + 1900;
}

static int32_t scope_day_of(int year, int month_day) {
  char text[CLOCK_TEXT];
  int32_t day;
  if (month_day == 229)
    month_day = 228;
  snprintf(text, sizeof text, "%04d-%02d-%02d", year, month_day / 100, month_day % 100);
  day = search_scope_day(text);
  return day == STORE_NO_DAY ? 0 : day;
}

int32_t search_scope_year_end(const struct search_scope *s, int owner, int year) {
  int month_day = s->of[owner].year_end;
  return scope_day_of(month_day <= 110 ? year + 1 : year, month_day);
}

/* The period of a window of a fiscal year, by the company's calendar. */
static enum plan_period scope_period_of(const struct search_scope *s, int owner,
                                        const struct plan_window *w) {
  return w->ends_month ? plan_quarter_ending(w->ends_month, s->of[owner].year_end) : w->period;
}

static int scope_quarter_of(enum plan_period p) {
  return p == PLAN_Q1 ? 1 : p == PLAN_Q2 || p == PLAN_H1 ? 2 : p == PLAN_Q3 || p == PLAN_9M ? 3 : 4;
}

/* The fiscal year of a document, and its quarter (5: the whole year); 0 where unknown. */
static int year_of(const struct search_scope *s, int owner, const struct store_doc *d, int *quarter) {
  int month_day, annual = search_scope_class(s, d) == SCOPE_ANNUAL;
  *quarter = d->fiscal_period ? d->fiscal_period : annual ? 5 : 0;
  if (d->fiscal_year)
    return d->fiscal_year;
  if (d->reported == STORE_NO_DAY)
    return 0;
  if (annual)
    return search_scope_calendar(d->reported - 10, &month_day);
  int year = search_scope_calendar(d->reported - 10, &month_day);
  int32_t end = search_scope_year_end(s, owner, year);
  if (end < d->reported - 10)
    end = search_scope_year_end(s, owner, ++year);
  if (!*quarter)
    *quarter = 4 - (end - d->reported + 45) / 91;
  return year;
}

static int is_filed_after(const struct store_doc *d, int32_t end) {
  return d->filed == STORE_NO_DAY || (d->filed >= end + RELEASE_FROM && d->filed <= end + RELEASE_TO);
}

/* What is filed for a fiscal year soon after it: the proxy statement with its pay, the notice that its report is late. */
static int is_told_later(const char *form) {
  return strncmp(form, "DEF 14A", 7) == 0 || strncmp(form, "NT 10-K", 7) == 0;
}

static int fits_period(const struct search_scope *s, int owner, const struct plan_window *w,
                       const struct store_doc *d) {
  enum scope_class is = search_scope_class(s, d);
  int wanted = scope_quarter_of(scope_period_of(s, owner, w)), quarter, month_day;
  if (is == SCOPE_CURRENT)
    return is_filed_after(d, search_scope_year_end(s, owner, w->year) - (4 - wanted) * 91);
  if (is == SCOPE_OTHER && is_told_later(s->known->forms[d->form]))
    return d->filed == STORE_NO_DAY || (d->filed > search_scope_year_end(s, owner, w->year) &&
                                        d->filed <= search_scope_year_end(s, owner, w->year) + TOLD_LATER);
  if (is == SCOPE_OTHER)
    return d->filed == STORE_NO_DAY || search_scope_calendar(d->filed, &month_day) == w->year;
  int year = year_of(s, owner, d, &quarter);
  if (year == 0)
    return 1;
  if (year != w->year)
    return 0;
  if (quarter == 0 || (s->plan->forms_named && (w->period == PLAN_FY || is == SCOPE_ANNUAL)))
    return 1;
  return quarter == wanted || (wanted == 4 && quarter == 5);
}

int search_scope_fits_quarter(const struct search_scope *s, int owner, const struct plan_window *w,
                              const struct store_doc *d) {
  int wanted = scope_quarter_of(w->period), quarter;
  if (w->period == PLAN_ANY || w->period == PLAN_FY || year_of(s, owner, d, &quarter) == 0 || quarter == 0)
    return 1;
  return quarter == wanted || (wanted == 4 && quarter == 5);
}

static int fits_end(const struct plan_window *w, const struct store_doc *d, enum scope_class is) {
  int32_t end = search_scope_day(w->ends);
  if (is == SCOPE_CURRENT || is == SCOPE_OTHER)
    return is_filed_after(d, end);
  if (d->reported != STORE_NO_DAY)
    return abs(d->reported - end) <= plan_window_days_apart(w);
  int month_day, year = search_scope_calendar(end - 10, &month_day);
  return d->fiscal_year == 0 || d->fiscal_year == year || d->fiscal_year == year + 1;
}

static int fits_range(const struct plan_window *w, const struct store_doc *d, enum scope_class is) {
  int32_t from = search_scope_day(w->from), until = search_scope_day(w->until);
  int filed = w->by_filing || is == SCOPE_CURRENT || is == SCOPE_OTHER;
  int32_t day = filed || d->reported == STORE_NO_DAY ? d->filed : d->reported;
  if (day == STORE_NO_DAY && d->fiscal_year)
    day = scope_day_of(d->fiscal_year, 1231);
  return day == STORE_NO_DAY ||
         ((from == STORE_NO_DAY || day >= from) && (until == STORE_NO_DAY || day <= until));
}

int32_t search_scope_newness(const struct store_doc *d) {
  if (d->filed != STORE_NO_DAY || d->reported != STORE_NO_DAY)
    return d->filed != STORE_NO_DAY ? d->filed : d->reported;
  return d->fiscal_year ? scope_day_of(d->fiscal_year, 1231) + (d->fiscal_period % 5) * 91 : STORE_NO_DAY;
}

int search_scope_fits_window(const struct search_scope *s, int owner, size_t window,
                             const struct store_doc *d) {
  const struct plan_window *w = &s->plan->windows[window];
  if (w->year)
    return fits_period(s, owner, w, d);
  if (w->ends[0])
    return fits_end(w, d, search_scope_class(s, d));
  if (w->latest) {
    int32_t day = search_scope_newness(d);
    return (day == STORE_NO_DAY ||
            (day >= s->since_latest[owner][window] && day < s->before_latest[owner][window])) &&
           search_scope_fits_quarter(s, owner, w, d);
  }
  enum scope_class is = search_scope_class(s, d);
  int report = is == SCOPE_ANNUAL || is == SCOPE_QUARTERLY;
  return fits_range(w, d, is) && (!report || search_scope_fits_quarter(s, owner, w, d));
}

int search_scope_days(const struct search_scope *s, int owner, const struct plan_window *w, int32_t *from,
                      int32_t *until) {
  *from = INT32_MIN, *until = INT32_MAX;
  if (w->year) {
    int quarter = scope_quarter_of(scope_period_of(s, owner, w));
    *until = search_scope_year_end(s, owner, w->year) - (4 - quarter) * 91;
    *from = *until - (w->period == PLAN_FY ? 365 : w->period >= PLAN_H1 ? 274 : 91);
  } else if (w->ends[0]) {
    *until = search_scope_day(w->ends);
    *from = w->from[0] ? search_scope_day(w->from) : *until;
  } else if (w->from[0] || w->until[0]) {
    *from = w->from[0] ? search_scope_day(w->from) : INT32_MIN;
    *until = w->until[0] ? search_scope_day(w->until) : INT32_MAX;
  }
  return *from != INT32_MIN || *until != INT32_MAX;
}
