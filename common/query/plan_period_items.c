/* plan_period_items.c: reads the words of periods as items: a year, a quarter, a date. */
#include "query/plan_period_items.h"

#include "text/number_words.h"
#include "tables/period_words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define UNITS_MOST 999 /* "past 72 hours", "last 365 days" */

static int word_is_year(const struct plan_scan *s, size_t i) {
  return i < s->t->count && (plan_token_is(&s->t->token[i], "year") || plan_item_word_is(s, i, "yr"));
}

/* ---- items ---- */

/* The Monday of a day's week, or the first day of its month, quarter or year. */
static struct plan_day unit_start(const struct plan_scan *s, int days, int months) {
  if (days)
    return plan_day_of(s->when->now - (int64_t)86400 * (days == 7 ? (s->when->now / 86400 + 3) % 7 : 0));
  return plan_month_start(s->today.year, s->today.month, -((s->today.month - 1) % months));
}

/* The day that many units earlier. */
static struct plan_day units_before(struct plan_day d, int days, int months, int count) {
  struct plan_day back = plan_month_start(d.year, d.month, -months * count);
  back.day =
      d.day < plan_days_of_month(back.year, back.month) ? d.day : plan_days_of_month(back.year, back.month);
  for (int k = 0; days && k < days * count; k++)
    d = plan_day_before(d);
  return days ? d : back;
}

/* Sets the days of a span by its lead, an index of read_span()'s: "this week" is today's, "past week" ends today, "last week"
 * is the one before today's. */
static void set_span(const struct plan_scan *s, struct plan_item *item, int lead, int count, int days,
                     int months) {
  struct plan_day start = unit_start(s, days, months);
  if (lead >= 4) {
    item->day = start;
  } else if (count || lead == 1 || (item->from > 0 && plan_item_word_is(s, item->from - 1, "the"))) {
    item->day = units_before(s->today, days, months, count ? count : 1);
  } else {
    item->day = units_before(start, days, months, 1);
    item->until = plan_day_before(start);
  }
}

/* How many units at token i: "three", "90"; days and hours are counted further than others. Returns its tokens. */
static size_t span_count(const struct plan_scan *s, size_t i, int *count) {
  static const char *const many[] = {"hours", "days", NULL};
  long number = i < s->t->count ? plan_token_number(&s->t->token[i]) : -1;
  if (number > 0 && number <= UNITS_MOST && plan_item_word_in(s, i + 1, many))
    return *count = (int)number, 1;
  return plan_count_at(s->t, i, count);
}

/* Filings of "last month", "the past two weeks", "this year", "yesterday".  Quarters and years are time spans for
 * forms that don't report on a period; for reports they are periods. */
static int read_span(struct plan_scan *s, size_t i, struct plan_item *item) {
  static const char *const leads[] = {"last", "past", "previous", "prior", "this", "current", NULL};
  static const char *const units[] = {"day", "days", "week", "weeks", "hour", "hours", "fortnight", NULL},
                           *const days_of[] = {"yesterday", "today", NULL};
  int count = 0, months = 0, lead = i < s->t->count ? plan_word_in(s->t->token[i].fold, leads) : -1;
  size_t at = i + 1;
  *item = (struct plan_item){.kind = ITEM_RANGE, .from = i, .to = at, .filed = 1};
  if (plan_item_word_in(s, i, days_of) &&
      (s->when->event_form || (i > 0 && plan_item_word_is(s, i - 1, "filed")))) {
    item->day = item->until = units_before(s->today, 1, 0, plan_item_word_is(s, i, "yesterday") ? 1 : 0);
    return 1;
  }
  if (lead < 0)
    return 0;
  at += span_count(s, at, &count);
  int unit = at < s->t->count ? plan_word_in(s->t->token[at].fold, units) : -1, days = unit < 0    ? 0
                                                                                       : unit == 6 ? 14
                                                                                       : unit < 2 || unit >= 4
                                                                                           ? 1
                                                                                           : 7;
  if (unit == 4 || unit == 5) /* windows have a resolution of days */
    count = ((count ? count : 1) + 23) / 24;
  if (unit < 0 && plan_unit_at(s->t, at, &months) == 0)
    return 0;
  int by_event = s->when->event_form && !s->when->items;
  if ((months > 1 && !(by_event && (count || lead != 0 || months == 3))) || (months == 1 && count == 12))
    return 0;
  item->to = at + 1;
  set_span(s, item, lead, count, days, months);
  return 1;
}

/* "year to date", "YTD", "TTM", "trailing twelve months". */
static int read_to_date(struct plan_scan *s, size_t i, struct plan_item *item) {
  static const char *const names[] = {"ttm", "ltm", "ytd", "fytd", NULL};
  static const char *const leads[] = {"trailing", "rolling", "last", "past", "previous", "prior", NULL};
  int months;
  size_t to = i + 1, year = plan_item_word_is(s, i, "fiscal") && plan_item_word_is(s, i + 1, "year") ? 1 : 0;
  if (plan_item_word_in(s, i, leads) && plan_length_at(s->t, i + 1, &months) == 2 && months == 12 &&
      !plan_item_word_is(s, i + 2, "quarters") && !plan_item_word_is(s, i + 2, "year"))
    to = i + 3;
  else if (plan_item_word_is(s, i + year, "year") && plan_item_word_is(s, i + year + 1, "to") &&
           plan_item_word_is(s, i + year + 2, "date"))
    to = i + year + 3;
  else if (!plan_item_word_in(s, i, names))
    return 0;
  *item = (struct plan_item){.kind = ITEM_TO_DATE, .from = i, .to = to, .count = 1};
  item->at_end = plan_item_word_is(s, i, "ytd") || plan_item_word_is(s, i, "fytd") ||
                 plan_item_word_is(s, to - 1, "date");
  return 1;
}

/* "at year end", "fiscal year-end", "at the end of the quarter", "the year just ended": the newest report of that
 * length; "by year end" is in the future. */
static int read_unit_end(struct plan_scan *s, size_t i, struct plan_item *item) {
  static const char *const ahead[] = {"by", "before", "until", NULL}, *const whole[] = {"yearend", "fye",
                                                                                        NULL};
  int months = 12, end_of = plan_item_word_is(s, i, "end") && plan_item_word_is(s, i + 1, "of");
  size_t at = i + (end_of ? 2 : 0), used;
  at += end_of && plan_item_word_is(s, at, "the") ? 1 : 0;
  int ended = end_of || plan_item_word_in(s, at, whole);
  used = plan_item_word_in(s, at, whole) ? 1 : plan_length_at(s->t, at, &months);
  at += used;
  if (!ended && plan_item_word_is(s, at, "just") && plan_item_word_is(s, at + 1, "ended"))
    at += 2;
  else if (!ended && !plan_item_word_is(s, at++, "end"))
    return 0;
  if (used == 0 || used > 2 || (months != 3 && months != 12) || plan_item_word_is(s, at, "of"))
    return 0;
  if ((i > 0 && plan_item_word_in(s, i - 1, ahead)) ||
      (i > 1 && plan_item_word_is(s, i - 1, "the") && plan_item_word_in(s, i - 2, ahead)))
    months = 0;
  *item = (struct plan_item){.kind = ITEM_NOTHING, .from = i, .to = at, .months = months};
  return 1;
}

/* "two years ago", "the year before last"; quarters can't be counted back without the company's fiscal calendar. */
static int read_ago(struct plan_scan *s, size_t i, struct plan_item *item) {
  int count, months;
  size_t at = i + plan_count_at(s->t, i, &count), used = plan_unit_at(s->t, at, &months);
  count = at > i ? count : 2;
  int before_last =
      at == i && used && plan_item_word_is(s, at + 1, "before") && plan_item_word_is(s, at + 2, "last");
  if (used == 0 || !(before_last || (at > i && (plan_item_word_is(s, at + 1, "ago") ||
                                                plan_item_word_is(s, at + 1, "back")))))
    return 0;
  size_t to = at + (before_last ? 3 : 2);
  if (months == 3)
    return plan_item_bad(s, i, to, "say which quarter, such as Q2 2024");
  if (months != 12)
    return 0;
  *item = (struct plan_item){
      .kind = ITEM_YEAR, .from = i, .to = to, .year = s->today.year - count, .how = YEAR_FISCAL};
  return 1;
}

/* "the same quarter last year", "the prior-year period", "a year ago", "the same quarter of 2023". */
static int read_earlier(struct plan_scan *s, size_t i, struct plan_item *item) {
  static const char *const same[] = {"same", "comparable", "corresponding", "equivalent", NULL},
                           *const last[] = {"prior", "previous", "last", "preceding", NULL},
                           *const ago[] = {"ago", "earlier", "before", NULL},
                           *const filler[] = {"the", "of", "in", "from", "a", "one", NULL},
                           *const units[] = {"quarter", "period", "half", "months", "comparable", NULL},
                           *const than[] = {PERIOD_WORDS_THAN, NULL};
  size_t at = i, used, to;
  int year = 0;
  enum plan_year_kind kind;
  if (plan_item_word_in(s, at, same)) {
    if (!plan_item_word_in(s, ++at, units))
      return 0;
    at++;
  }
  to = at;
  while (plan_item_word_in(s, at, filler + (to > i ? 0 : 4)))
    at++;
  if (plan_item_word_in(s, at, last) && word_is_year(s, at + 1))
    to = at + (plan_item_word_in(s, at + 2, units) ? 3 : 2);
  else if (word_is_year(s, at) && plan_item_word_in(s, at + 1, ago))
    to = at + (plan_item_word_in(s, at + 2, units) ? 3 : 2);
  else if (to > i && (used = plan_year_at(s->t, at, &year, &kind)) != 0)
    to = at + used;
  if (to == i || (to == i + 2 && plan_item_word_in(s, i, last))) /* "last year" */
    return 0;
  *item = (struct plan_item){.kind = ITEM_EARLIER, .from = i, .to = to, .year = year};
  item->count = plan_item_word_in(s, to - 1, ago) &&
                !(i > 0 && plan_item_word_in(s, i - 1, than)); /* has a period of its own */
  return 1;
}

/* Whether the end of a range of months follows, with its year: "January to September 2024". */
static int begins_range(const struct plan_scan *s, size_t from, size_t i) {
  static const char *const to[] = {PERIOD_WORDS_RANGE, NULL};
  struct plan_day day;
  int between = from > 0 && plan_item_word_is(s, from - 1, "between") && plan_item_word_is(s, i, "and");
  size_t at = i + (between || plan_item_word_in(s, i, to));
  return (at > i || (i < s->t->count && (s->t->token[i].gap & GAP_HYPHEN))) &&
         plan_date_at(s->t, at, &day) > 0 && day.year > 0 && day.day == 0;
}

static int read_item_date(struct plan_scan *s, size_t i, struct plan_item *item) {
  static const char *const leads[] = {"since", "until", "through", "filed", NULL}, *const passed[] = {
                                                                                       "last", "past", NULL};
  struct plan_day day;
  size_t used = plan_date_at(s->t, i, &day), last = 0;
  if (used == 0 && i + 1 < s->t->count && plan_item_word_in(s, i, passed) && !s->taken[i + 1])
    last = (size_t)(plan_month_at(s->t, i + 1, &day.month) > 0); /* "last June" */
  for (size_t k = i + 1; k < i + used; k++)
    if (s->taken[k] == TAKEN_FORM) /* "June 8-K" */
      used = k - i, day.day = 0;
  if (last) {
    if (plan_date_at(s->t, i + 1, &day) > 1 && s->taken[i + 2] != TAKEN_FORM)
      return 0; /* "last June 30" */
    day.day = day.year = 0;
    used = 2;
  }
  if (used == 0 && plan_date_is_bad(s->t, i))
    return plan_item_bad(s, i, i + 3, "no calendar has that day");
  int filed_in = i > 1 && plan_item_word_is(s, i - 1, "in") && plan_item_word_is(s, i - 2, "filed");
  if (used == 0 || (day.day == 0 && day.year == 0 && !s->when->event_form && !begins_range(s, i, i + used) &&
                    !last && !filed_in && !(i > 0 && plan_item_word_in(s, i - 1, leads))))
    return 0;
  if (plan_item_is_due(s, i, day.year))
    return 0;
  *item = (struct plan_item){.kind = day.day ? ITEM_DAY : ITEM_MONTH, .from = i, .to = i + used};
  item->day = day.day ? plan_item_whole_day(s, day) : day;
  if (!day.day && !day.year)
    item->day.year = plan_item_whole_day(s, day).year;
  if (i > 0 && (plan_item_word_is(s, i - 1, "early") || plan_item_word_is(s, i - 1, "late") ||
                plan_item_word_is(s, i - 1, "mid")))
    item->early = plan_item_word_is(s, i - 1, "early") ? -1 : plan_item_word_is(s, i - 1, "late") ? 1 : 2;
  return 1;
}

static int read_nothing(struct plan_scan *s, size_t i, struct plan_item *item) {
  static const char *const names[] = {"yoy", "qoq", NULL};
  size_t to = 0;
  if (plan_item_word_in(s, i, names))
    to = i + 1;
  else if (plan_item_word_is(s, i, "year") &&
           (plan_item_word_is(s, i + 1, "over") || plan_item_word_is(s, i + 1, "on")) &&
           plan_item_word_is(s, i + 2, "year"))
    to = i + 3;
  *item = (struct plan_item){.kind = ITEM_NOTHING, .from = i, .to = to};
  return to > 0;
}

void plan_period_items_read(struct plan_scan *s) {
  typedef int item_reader(struct plan_scan *, size_t, struct plan_item *);
  static item_reader *const readers[] = {read_nothing,
                                         plan_item_read_ended,
                                         plan_item_read_holidays,
                                         plan_item_read_month_quarter,
                                         read_to_date,
                                         read_ago,
                                         read_earlier,
                                         plan_item_read_part,
                                         plan_item_read_first,
                                         plan_item_read_counted_report,
                                         plan_item_read_part_of_year,
                                         read_span,
                                         plan_item_read_before_latest,
                                         plan_item_read_latest,
                                         plan_item_read_years,
                                         read_item_date,
                                         plan_item_read_year,
                                         read_unit_end};
  for (size_t i = 0; i < s->t->count && s->count < PLAN_ITEMS;) {
    struct plan_item item;
    size_t r = 0, n = sizeof readers / sizeof *readers;
    while (r < n && (s->taken[i] || !readers[r](s, i, &item)))
      r++;
    if (r == n || item.to <= i) {
      i++;
      continue;
    }
    plan_item_note_lead(s, &item);
    int names_time = item.kind != ITEM_NOTHING || item.months == 0; /* "at year end" names none */
    for (size_t k = item.from; k < item.to && k < s->t->count; k++)
      s->taken[k] = s->taken[k] || !names_time ? s->taken[k] : TAKEN_PERIOD;
    i = item.to;
    s->items[s->count++] = item;
  }
}
