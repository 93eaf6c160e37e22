/* plan_windows.c: the windows that the items of a question mean, alone or as a range. */
#include "query/plan_windows.h"
#include "query/plan_period_items.h"

#include "tables/period_words.h"

#include <ctype.h>
#include <stdio.h>

#define VOTES_DAYS 6 /* four business days: within them the votes of a meeting are told */

/* ---- windows ---- */

static struct plan_window *add_window(struct plan *plan) {
  if (plan->window_count == PLAN_WINDOWS)
    return NULL;
  struct plan_window *w = &plan->windows[plan->window_count++];
  memset(w, 0, sizeof *w);
  return w;
}

static void set_range(struct plan_window *w, struct plan_day from, struct plan_day until) {
  if (from.year)
    plan_day_text(from, w->from);
  if (until.year)
    plan_day_text(until, w->until);
}

static void set_ends(struct plan_window *w, struct plan_day day, int months) {
  plan_day_text(day, w->ends);
  if (months <= 0)
    return;
  int whole =
      day.day > 15 ? 1 - months : -months; /* a fiscal month may end in the first days of the next month */
  set_range(w, plan_month_start(day.year, day.month, whole), day);
}

static unsigned reports_of(enum plan_period period) {
  return period == PLAN_FY || period == PLAN_Q4 || period == PLAN_H2 ? REPORTS_ANNUAL : REPORTS_QUARTER;
}

static void add_fiscal(struct plan_scan *s, struct plan *plan, const struct plan_item *item,
                       enum plan_period period) {
  int first, last;
  plan_item_months(period, &first, &last);
  struct plan_window *w = add_window(plan);
  if (w == NULL)
    return;
  s->when->reports |= reports_of(period);
  if (item->how == YEAR_CALENDAR || s->when->holdings) {
    s->when->reports |=
        REPORTS_QUARTER; /* a calendar year or quarter may end with any of the company's own */
    s->when->reports |= last == 12 ? REPORTS_ANNUAL : 0;
    set_ends(w, plan_month_end(item->year, last, 0), last - first + 1);
    return;
  }
  w->year = item->year;
  w->period = period;
}

/* Whether a year's quarters are asked for one by one: "quarter by quarter in 2024", "each quarter of fiscal 2025". */
static int asks_by_quarter(const struct plan_scan *s) {
  static const char *const each[] = {"each", "every", "per", "by", "four", NULL}, *const quarter[] = {
                                                                                      "quarter", "quarters",
                                                                                      NULL};
  for (size_t i = 0; i + 1 < s->t->count; i++)
    if (plan_item_word_in(s, i, each) && plan_item_word_in(s, i + 1, quarter) &&
        !(i > 0 && plan_item_word_is(s, i - 1, "last")))
      return 1;
  return 0;
}

static void window_of_year(struct plan_scan *s, struct plan *plan, const struct plan_item *item) {
  struct plan_window *w;
  if (!s->when->named && !item->filed && item->months != 12 && asks_by_quarter(s)) {
    for (enum plan_period period = PLAN_Q1; period <= PLAN_Q4; period++)
      add_fiscal(s, plan, item, period);
    return;
  }
  if (s->when->quarterly && item->how == YEAR_FISCAL && item->months != 12 && !item->filed) {
    for (enum plan_period period = PLAN_Q1; period <= PLAN_Q3; period++)
      add_fiscal(s, plan, item, period);
    return;
  }
  if (s->when->holdings && item->at_end) {
    if ((w = add_window(plan)) != NULL)
      plan_day_text((struct plan_day){item->year, 12, 31}, w->ends);
  } else if ((item->filed || s->when->event_form) && !plan_item_is_told_year(s, item)) {
    if ((w = add_window(plan)) != NULL) {
      set_range(w, plan_item_first_day(item), plan_item_last_day(item));
      w->by_filing = 1;
    }
  } else {
    add_fiscal(s, plan, item, PLAN_FY);
  }
}

/* Whether each 10-Q of a period is asked for: "first half 2012: both quarterly filings", "the 10-Qs of H1 2012". */
static int asks_each_quarter(const struct plan_scan *s) {
  static const char *const each[] = {PERIOD_WORDS_EACH, NULL};
  for (size_t i = 0; s->when->quarterly && i < s->t->count; i++)
    if (plan_item_word_in(s, i, each))
      return 1;
  return 0;
}

static void window_of_part(struct plan_scan *s, struct plan *plan, const struct plan_item *item) {
  struct plan_window *w;
  int half = item->period == PLAN_H1 || item->period == PLAN_9M;
  if (item->year && half && asks_each_quarter(s)) {
    for (enum plan_period period = PLAN_Q1; period <= (item->period == PLAN_H1 ? PLAN_Q2 : PLAN_Q3); period++)
      add_fiscal(s, plan, item, period);
  } else if (item->year && s->when->event_form && (item->filed || !(s->when->results || s->when->late))) {
    if ((w = add_window(plan)) != NULL) {
      set_range(w, plan_item_first_day(item), plan_item_last_day(item));
      w->by_filing = 1;
    }
  } else if (item->year) {
    add_fiscal(s, plan, item, item->period);
  } else if ((w = add_window(plan)) != NULL) {
    w->latest = 1;
    w->count = 1;
    w->period = item->period;
    s->when->reports |= reports_of(item->period);
  }
}

/* Whether one of the words occurs at most `reach` tokens before or after an item. */
static int is_beside(const struct plan_scan *s, const struct plan_item *item, size_t reach,
                     const char *const *words) {
  for (size_t k = 0; k < reach; k++)
    if (plan_item_word_in(s, item->to + k, words) ||
        (item->from > k && plan_item_word_in(s, item->from - 1 - k, words)))
      return 1;
  return 0;
}

/* A day or a month.  For a meeting: the proxy statement is filed in the months before it; for a notice of a late
 * report: the period that ended then. */
static void window_of_date(struct plan_scan *s, struct plan *plan, const struct plan_item *item) {
  static const char *const meeting[] = {"meeting", "meetings", NULL}, *const period[] = {"for", "of", NULL};
  struct plan_window *w = add_window(plan);
  if (w == NULL)
    return;
  int meets = is_beside(s, item, 3, meeting);
  struct plan_day from = plan_item_first_day(item), until = plan_item_last_day(item);
  if (s->when->event_form && meets && !s->when->items)
    from = plan_month_start(from.year, from.month, -3);
  for (int k = 0; k < VOTES_DAYS && s->when->votes; k++)
    until = plan_day_after(until);
  w->period = item->told ? item->period : PLAN_ANY;
  size_t i = item->from;
  int week = i > 1 && plan_item_word_is(s, i - 1, "of") && plan_item_word_is(s, i - 2, "week");
  for (int k = 0; k < 6 && week; k++)
    until = plan_day_after(until);
  if (s->when->late && !item->filed && item->from > 0 && plan_item_word_in(s, item->from - 1, period)) {
    plan_day_text(until, w->ends);
  } else if (item->filed || s->when->event_form || week) {
    set_range(w, from, until);
    w->by_filing = 1;
  } else if (s->when->told || item->told) { /* events of that time are reported in filings of that time */
    set_range(w, from, until);
    w->by_filing = 1;
    s->when->reports |= REPORTS_ANNUAL | REPORTS_QUARTER | REPORTS_EVENTS;
  } else if (item->kind == ITEM_DAY || item->lead == LEAD_AS_OF || item->at_end) {
    plan_day_text(until, w->ends);
    s->when->reports |= REPORTS_ANNUAL | REPORTS_QUARTER;
  } else {
    set_range(w, from, until);
    s->when->reports |= REPORTS_ANNUAL | REPORTS_QUARTER;
  }
}

static void window_of_latest(struct plan_scan *s, struct plan *plan, const struct plan_item *item) {
  struct plan_window *w = add_window(plan);
  if (w == NULL)
    return;
  w->latest = 1;
  w->count = item->count;
  w->before = item->before;
  s->when->reports |= item->months == 12 ? REPORTS_ANNUAL
                      : item->months == 3
                          ? (item->count == 1 ? REPORTS_QUARTER | REPORTS_ANNUAL : REPORTS_QUARTER)
                          : REPORTS_LATEST;
}

static void window_of(struct plan_scan *s, struct plan *plan, const struct plan_item *item) {
  struct plan_window *w;
  switch (item->kind) {
  case ITEM_YEAR:
    window_of_year(s, plan, item);
    break;
  case ITEM_PART:
    window_of_part(s, plan, item);
    break;
  case ITEM_ENDS:
    if ((w = add_window(plan)) != NULL && item->how == YEAR_FISCAL && !s->when->holdings) {
      w->year = item->year;
      w->ends_month = item->day.month;
    } else if (w != NULL)
      set_ends(w, item->day, item->months);
    s->when->reports |= item->months == 12  ? REPORTS_ANNUAL | (item->count ? REPORTS_QUARTER : 0u)
                        : item->months == 3 ? REPORTS_QUARTER | REPORTS_ANNUAL
                                            : REPORTS_QUARTER;
    break;
  case ITEM_RANGE:
    if ((w = add_window(plan)) != NULL) {
      set_range(w, item->day, item->until);
      w->by_filing = item->filed || s->when->event_form;
    }
    s->when->reports |= item->filed ? 0 : REPORTS_QUARTER | REPORTS_ANNUAL;
    break;
  case ITEM_MONTH:
  case ITEM_DAY:
    window_of_date(s, plan, item);
    break;
  case ITEM_LATEST:
    window_of_latest(s, plan, item);
    break;
  case ITEM_TO_DATE:
  case ITEM_EARLIER:
    break;
  case ITEM_NOTHING:
    s->when->reports |= item->months == 12 ? REPORTS_ANNUAL : item->months == 3 ? REPORTS_QUARTER : 0;
    break;
  }
}

/* "Q4 2023 to Q2 2024": each of these quarters, by the company's fiscal calendar.  0 where it is not such a range. */
static int add_parts(struct plan_scan *s, struct plan *plan, const struct plan_item *a,
                     const struct plan_item *b) {
  int from = a->year * 4 + (int)a->period - PLAN_Q1, until = b->year * 4 + (int)b->period - PLAN_Q1;
  if (a->kind != ITEM_PART || b->kind != ITEM_PART || a->period > PLAN_Q4 || b->period > PLAN_Q4 ||
      a->filed || s->when->event_form || until < from || until - from >= PLAN_WINDOWS)
    return 0;
  for (int q = from; q <= until; q++) {
    struct plan_item one = *a;
    one.year = q / 4;
    add_fiscal(s, plan, &one, (enum plan_period)(PLAN_Q1 + q % 4));
  }
  return 1;
}

/* Item i starts a range: "since 2022", "2019-2023", "until March 2024".  Returns the number of items consumed, 0 for
 * none. */
static size_t window_add_range(struct plan_scan *s, struct plan *plan, size_t i) {
  const struct plan_item *a = &s->items[i], *b = i + 1 < s->count ? &s->items[i + 1] : NULL;
  struct plan_day none = {0, 0, 0}, from = none, until = none;
  if (b && b->linked == 1 && a->lead == LEAD_BETWEEN && a->kind == ITEM_YEAR && b->kind == ITEM_YEAR &&
      b->to < s->t->count && s->taken[b->to] == TAKEN_FORM)
    return 0; /* "between the 2022 and 2024 10-Ks": these two */
  int closed = b && (b->linked == 2 || (b->linked == 1 && a->lead == LEAD_BETWEEN)) && b->kind != ITEM_LATEST;
  if (a->kind == ITEM_LATEST || a->kind == ITEM_NOTHING || a->kind == ITEM_ENDS ||
      (a->kind == ITEM_RANGE && (a->filed || a->lead == LEAD_NONE)))
    return 0;
  if (closed) {
    from = plan_item_first_day(a);
    until = plan_item_last_day(b);
  } else if (a->lead == LEAD_SINCE) {
    from = plan_item_first_day(a);
  } else if (a->lead == LEAD_AFTER) {
    from = plan_day_after(plan_item_last_day(a));
  } else if (a->lead == LEAD_UNTIL) {
    until = plan_item_last_day(a);
  } else if (a->lead == LEAD_BEFORE) {
    until = plan_day_before(plan_item_first_day(a));
  } else {
    return 0;
  }
  if (closed && add_parts(s, plan, a, b))
    return 2;
  struct plan_window *w = add_window(plan);
  if (w != NULL) {
    set_range(w, from, until);
    w->by_filing = a->filed || s->when->event_form;
  }
  s->when->reports |= a->kind == ITEM_YEAR ? REPORTS_ANNUAL : REPORTS_ANNUAL | REPORTS_QUARTER;
  return closed ? 2 : 1;
}

/* "as of January 2025": filings known then; but a full date, or a month that ends a quarter, is a balance sheet date. */
static int take_as_of(struct plan *plan, const struct plan_item *item) {
  if (item->lead != LEAD_AS_OF || item->kind != ITEM_MONTH || item->day.month % 3 == 0)
    return 0;
  if (plan->as_of[0] == '\0') {
    char day[PLAN_DATE];
    plan_day_text(plan_month_end(item->day.year, item->day.month, 0), day);
    snprintf(plan->as_of, sizeof plan->as_of, "%s", day);
  }
  return 1;
}

static int same_window(const struct plan_window *a, const struct plan_window *b) {
  return a->year == b->year && a->period == b->period && a->ends_month == b->ends_month &&
         strcmp(a->ends, b->ends) == 0 && strcmp(a->from, b->from) == 0 && strcmp(a->until, b->until) == 0 &&
         a->by_filing == b->by_filing && a->latest == b->latest && a->count == b->count &&
         a->before == b->before;
}

/* "Apple 2024 vs Nvidia 2024" names one year. */
static void drop_repeated(struct plan *plan, size_t given) {
  size_t kept = given;
  for (size_t i = given; i < plan->window_count; i++) {
    size_t k = given;
    while (k < kept && !same_window(&plan->windows[k], &plan->windows[i]))
      k++;
    if (k == kept)
      plan->windows[kept++] = plan->windows[i];
  }
  plan->window_count = kept;
}

void plan_read_windows(const struct plan_text *t, uint8_t *taken, struct plan_when *when, struct plan *plan) {
  struct plan_scan s = {.t = t, .taken = taken, .when = when, .today = plan_day_of(when->now)};
  size_t given = plan->window_count;
  when->bad = NULL;
  plan_period_items_read(&s);
  plan_period_items_link(&s);
  if (when->bad && plan->unknown_count < PLAN_UNKNOWN)
    plan->unknown[plan->unknown_count++] = plan_text_span(t, s.bad_from, s.bad_to);
  for (size_t i = 0; i < s.count;) {
    size_t used = take_as_of(plan, &s.items[i]) ? 1 : window_add_range(&s, plan, i);
    if (used == 0)
      window_of(&s, plan, &s.items[i]);
    i += used ? used : 1;
  }
  drop_repeated(plan, given);
}

/* ---- bid-fetch's periods ---- */

static int digits_at(const char *s, size_t n) {
  int value = 0;
  for (size_t i = 0; i < n; i++) {
    if (!isdigit((unsigned char)s[i]))
      return -1;
    value = value * 10 + s[i] - '0';
  }
  return value;
}

/* The first and last day of "2024", "2024-03", "2024-03-05". */
static int plain_days(const char *s, size_t n, struct plan_day *from, struct plan_day *until) {
  int year = n >= 4 ? digits_at(s, 4) : -1, month = n >= 7 && s[4] == '-' ? digits_at(s + 5, 2) : 0,
      day = n == 10 && s[7] == '-' ? digits_at(s + 8, 2) : 0;
  if (year < 1900 || month < 0 || day < 0 || !(n == 4 || (n == 7 && month) || (n == 10 && month && day)) ||
      month > 12)
    return -1;
  *from = (struct plan_day){year, month ? month : 1, day ? day : 1};
  *until = day ? *from : month ? plan_month_end(year, month, 0) : (struct plan_day){year, 12, 31};
  return plan_day_is_real(*from) ? 0 : -1;
}

static int filing_range(const char *text, struct plan *plan) {
  struct plan_day from = {0, 0, 0}, until = {0, 0, 0}, other;
  const char *dots = strstr(text, "..");
  size_t n = dots ? (size_t)(dots - text) : strlen(text);
  if ((n == 0 && !(dots && dots[2])) || (n > 0 && plain_days(text, n, &from, dots ? &other : &until) != 0) ||
      (dots && dots[2] && plain_days(dots + 2, strlen(dots + 2), &other, &until) != 0))
    return -1;
  struct plan_window *w = add_window(plan);
  if (w) {
    set_range(w, from, until);
    w->by_filing = 1;
  }
  return 0;
}

int plan_read_period(struct slice period, struct plan *plan) {
  char text[32], fold[32];
  size_t n = 0;
  enum plan_period part = PLAN_FY;
  enum plan_year_kind kind;
  int year;
  if (period.len == 0 || period.len >= sizeof text)
    return -1;
  for (size_t i = 0; i <= period.len; i++) {
    text[i] = i < period.len ? period.data[i] : '\0';
    if (text[i] != '-')
      fold[n++] = (char)tolower((unsigned char)text[i]);
  }
  if (filing_range(text, plan) == 0)
    return 0;
  struct plan_text t;
  plan_text_read(&t, slice_str(fold));
  if (t.count != 1 || !(plan_period_at(&t, 0, &part, &year, &kind) || plan_year_at(&t, 0, &year, &kind)) ||
      year == 0 || part == PLAN_ANY)
    return -1;
  struct plan_scan s = {.t = &t, .when = &(struct plan_when){0}};
  add_fiscal(&s, plan, &(struct plan_item){.year = year, .how = kind}, part);
  return 0;
}
