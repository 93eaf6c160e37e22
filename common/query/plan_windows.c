/* plan_windows.c: periods are parsed in two steps: words become items (a year, a quarter, a date, "latest"), then
 * adjacent items are combined ("second quarter of fiscal 2023 and 2024") and converted to windows. */
#include "query/plan_windows.h"

#include "query/plan_dates.h"
#include "tables/period_words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define ITEMS 24
#define YEAR_SPAN 40
#define HOURS_MOST 999 /* "past 72 hours" */
#define VOTES_DAYS 6   /* four business days: within them the votes of a meeting are told */

enum item_kind {
  ITEM_YEAR,    /* year */
  ITEM_PART,    /* period, possibly year */
  ITEM_ENDS,    /* day: a period of `months` ended then (0: unknown length) */
  ITEM_MONTH,   /* day.month, possibly day.year */
  ITEM_DAY,     /* day */
  ITEM_RANGE,   /* day to until (year 0: open); filed: of filings */
  ITEM_LATEST,  /* count, months: 3 quarters, 12 years, 0 any; year of "this year" */
  ITEM_TO_DATE, /* "year to date", "trailing twelve months": the newest, unless a period is named with it */
  ITEM_EARLIER, /* the same period a year before, or in `year`: "the same quarter last year" */
  ITEM_NOTHING  /* taken, says nothing of its own: "year over year", "due in 2028" */
};

/* Words before an item. */
enum item_lead {
  LEAD_NONE,
  LEAD_SINCE,
  LEAD_AFTER,
  LEAD_UNTIL, /* until, through */
  LEAD_BEFORE,
  LEAD_AS_OF,
  LEAD_AT,      /* at, on */
  LEAD_BETWEEN, /* between, from: a range if a second item follows */
  LEAD_BY
};

struct item {
  enum item_kind kind;
  size_t from, to; /* tokens */
  int year, months, count;
  enum plan_year_kind how;
  enum plan_period period;
  struct plan_day day, until;
  enum item_lead lead;
  int filed;  /* "filed in 2024" */
  int linked; /* to the previous item: 1 enumerated ("and", "vs"), 2 the end of a range */
  int early;  /* -1 early, 2 mid, 1 late: "in early February" */
  int at_end; /* "year-end 2016", "the end of March 2023" */
};

struct window_scan {
  const struct plan_text *t;
  uint8_t *taken;
  struct plan_when *when;
  struct plan_day today;
  struct item items[ITEMS];
  size_t count;
  size_t bad_from, bad_to; /* range of the words of when->bad */
};

static int word_is(const struct window_scan *s, size_t i, const char *word) {
  return i < s->t->count && strcmp(s->t->token[i].fold, word) == 0;
}

static int word_of(const struct window_scan *s, size_t i, const char *const *list) {
  return i < s->t->count && plan_word_in(s->t->token[i].fold, list) >= 0;
}

static int word_is_year(const struct window_scan *s, size_t i) {
  return i < s->t->count && (plan_token_is(&s->t->token[i], "year") || word_is(s, i, "yr"));
}

/* ---- items ---- */

/* Records an impossible period, which is rejected and reported. */
static int read_bad(struct window_scan *s, size_t i, size_t to, const char *why) {
  if (s->when->bad == NULL) {
    s->when->bad = why;
    s->bad_from = i;
    s->bad_to = to;
  }
  return 0;
}

static const char *const ends_words[] = {PERIOD_WORDS_END_LEAD, NULL};

/* The latest possible day for a date without year or day, not after today. */
static struct plan_day whole_day(const struct window_scan *s, struct plan_day d) {
  int day = d.day, year = d.year ? d.year : s->today.year;
  struct plan_day whole = {year, d.month, day ? day : plan_days_of_month(year, d.month)};
  if (d.year == 0 && plan_day_order(whole, s->today) > 0)
    whole.year--;
  if (!day)
    whole.day = plan_days_of_month(whole.year, whole.month);
  return whole;
}

/* "quarter ended March 29, 2025", "three months ended ...", "year that ended on September 30, 1997". */
static int read_ended(struct window_scan *s, size_t i, struct item *item) {
  struct plan_day day;
  int months = 12;
  size_t used = word_is(s, i, "fye") ? 1 : plan_length_at(s->t, i, &months), at = i + used;
  if (used == 0)
    return 0;
  if (word_is(s, at, "period"))
    at++;
  if (word_is(s, at, "that") || word_is(s, at, "which"))
    at++;
  if (!word_of(s, at, ends_words) && !word_is(s, i, "fye"))
    return 0;
  at += word_of(s, at, ends_words) ? 1 : 0;
  static const char *const between[] = {"on", "in", "around", "about", "the", "of", "at", NULL};
  while (word_of(s, at, between))
    at++;
  used = plan_date_at(s->t, at, &day);
  if (used == 0)
    return 0;
  *item = (struct item){.kind = ITEM_ENDS, .from = i, .to = at + used, .months = months < 12 ? months : 12};
  item->day = whole_day(s, day);
  return 1;
}

/* "June quarter of 2025", "the September 2024 quarter", "Mar-25 quarter", "holiday quarter". */
static int read_month_quarter(struct window_scan *s, size_t i, struct item *item) {
  struct plan_day day = {0, 0, 0}, dated;
  size_t at = i + plan_month_at(s->t, i, &day.month), used = plan_date_at(s->t, i, &dated);
  enum plan_year_kind kind;
  size_t holiday = word_is(s, i, "holiday") || word_is(s, i, "christmas") ? 1 : 0;
  if (used > 1 && dated.day == 0) {
    day = dated;
    at = i + used;
  } else {
    day.month = holiday ? 12 : day.month;
    at += holiday;
    used = plan_year_at(s->t, at, &day.year, &kind);
    at += used;
  }
  if (day.month == 0 || (!word_is(s, at, "quarter") && !word_is(s, at, "qtr")))
    return 0;
  at++;
  if (day.year == 0) {
    size_t skip = word_is(s, at, "of") || word_is(s, at, "in") ? 1 : 0;
    skip += skip && word_is(s, at + skip, "the") ? 1 : 0;
    used = plan_year_at(s->t, at + skip, &day.year, &kind);
    at += used ? skip + used : 0;
  }
  *item = (struct item){.kind = ITEM_ENDS, .from = i, .to = at, .months = 3, .day = whole_day(s, day)};
  if (holiday) { /* the quarter that contains December, or ends soon after it */
    item->kind = ITEM_RANGE;
    item->until = (struct plan_day){item->day.year + 1, 2, 8};
    item->day.day = 15;
  }
  return 1;
}

/* The Monday of a day's week, or the first day of its month, quarter or year. */
static struct plan_day unit_start(const struct window_scan *s, int days, int months) {
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

/* Filings of "last month", "the past two weeks", "this year", "yesterday".  Quarters and years are time spans for
 * forms that don't report on a period; for reports they are periods. */
static int read_span(struct window_scan *s, size_t i, struct item *item) {
  static const char *const leads[] = {"last", "past", "previous", "prior", "this", "current", NULL};
  static const char *const units[] = {"day", "days", "week", "weeks", "hour", "hours", NULL},
                           *const days_of[] = {"yesterday", "today", NULL};
  int count = 0, months = 0, lead = i < s->t->count ? plan_word_in(s->t->token[i].fold, leads) : -1;
  size_t at = i + 1;
  *item = (struct item){.kind = ITEM_RANGE, .from = i, .to = at, .filed = 1};
  if (word_of(s, i, days_of) && (s->when->event_form || (i > 0 && word_is(s, i - 1, "filed")))) {
    item->day = item->until = units_before(s->today, 1, 0, word_is(s, i, "yesterday") ? 1 : 0);
    return 1;
  }
  if (lead < 0)
    return 0;
  at += plan_count_at(s->t, at, &count);
  long hours = at < s->t->count ? plan_token_number(&s->t->token[at]) : -1; /* larger than plan_count_at()
                                                                               reads */
  at += count == 0 && hours > 0 && hours <= HOURS_MOST && (word_is(s, at + 1, "hours"));
  int unit = at < s->t->count ? plan_word_in(s->t->token[at].fold, units) : -1, days = unit < 0 ? 0
                                                                                       : unit < 2 || unit >= 4
                                                                                           ? 1
                                                                                           : 7;
  if (unit >= 4) /* windows have a resolution of days */
    count = ((int)(count ? count : hours > 0 ? hours : 1) + 23) / 24;
  if (unit < 0 && plan_unit_at(s->t, at, &months) == 0)
    return 0;
  int by_event = s->when->event_form && !s->when->items;
  if ((months > 1 && !(by_event && (count || lead != 0 || months == 3))) || (months == 1 && count == 12))
    return 0;
  item->to = at + 1;
  if (lead >= 4) { /* "this week" */
    item->day = unit_start(s, days, months);
  } else if (count || lead == 1 || (i > 0 && word_is(s, i - 1, "the"))) {
    item->day = units_before(s->today, days, months, count ? count : 1);
  } else {
    struct plan_day start = unit_start(s, days, months);
    item->day = units_before(start, days, months, 1);
    item->until = plan_day_before(start);
  }
  return 1;
}

/* "1990s"; "late 2023", "mid-2024"; "summer of 2023". */
static int read_part_of_year(struct window_scan *s, size_t i, struct item *item) {
  static const struct {
    const char *word;
    int first, months;
  } parts[] = {PERIOD_WORDS_PART};
  size_t n = sizeof parts / sizeof *parts, k = 0, at = i + 1, used;
  enum plan_year_kind kind;
  int year;
  char decade[16];
  for (year = 1990; year < s->today.year; year += 10) {
    snprintf(decade, sizeof decade, "%ds", year);
    if (word_is(s, i, decade)) {
      *item = (struct item){
          .kind = ITEM_RANGE, .from = i, .to = at, .day = {year, 1, 1}, .until = {year + 9, 12, 31}};
      return 1;
    }
  }
  while (k < n && !word_is(s, i, parts[k].word))
    k++;
  at += word_is(s, at, "of") || word_is(s, at, "in");
  if (k == n || (used = plan_year_at(s->t, at, &year, &kind)) == 0)
    return 0;
  *item = (struct item){.kind = ITEM_RANGE, .from = at, .to = at + used, .day = {year, parts[k].first, 1}};
  item->until = plan_month_end(year, parts[k].first, parts[k].months - 1);
  return 1;
}

static const char *const latest_words[] = {PERIOD_WORDS_LATEST, NULL};

/* The unit being counted: its months, or -1 for filings of any form; *used tokens. */
static int unit_at(const struct window_scan *s, size_t i, size_t *used) {
  static const char *const skip[] = {PERIOD_WORDS_BEFORE_UNIT, NULL};
  static const char *const filings[] = {PERIOD_WORDS_FILING, NULL};
  size_t at = i;
  int annual = word_is(s, at, "annual") || word_is(s, at, "full"), quarterly = word_is(s, at, "quarterly"),
      months = 0;
  while (word_of(s, at, skip))
    at++;
  *used = at + 1 - i;
  plan_unit_at(s->t, at, &months);
  if (months == 3 || quarterly)
    return 3;
  if (months == 12 || annual)
    return 12;
  if (word_of(s, at, filings))
    return -1;
  if (at < s->t->count && s->taken[at] == TAKEN_FORM) {
    *used = at - i; /* the form's words are left to plan_forms.c */
    return -1;
  }
  return 0;
}

/* "year to date", "YTD", "TTM", "trailing twelve months". */
static int read_to_date(struct window_scan *s, size_t i, struct item *item) {
  static const char *const names[] = {"ttm", "ltm", "ytd", "fytd", NULL};
  static const char *const leads[] = {"trailing", "last", "past", "previous", "prior", NULL};
  int months;
  size_t to = i + 1, year = word_is(s, i, "fiscal") && word_is(s, i + 1, "year") ? 1 : 0;
  if (word_of(s, i, leads) && plan_length_at(s->t, i + 1, &months) == 2 && months == 12 &&
      !word_is(s, i + 2, "quarters") && !word_is(s, i + 2, "year"))
    to = i + 3;
  else if (word_is(s, i + year, "year") && word_is(s, i + year + 1, "to") && word_is(s, i + year + 2, "date"))
    to = i + year + 3;
  else if (!word_of(s, i, names))
    return 0;
  *item = (struct item){.kind = ITEM_TO_DATE, .from = i, .to = to, .count = 1};
  item->at_end = word_is(s, i, "ytd") || word_is(s, i, "fytd") || word_is(s, to - 1, "date");
  return 1;
}

/* "at year end", "fiscal year-end", "at the end of the quarter", "the year just ended": the newest report of that
 * length; "by year end" is in the future. */
static int read_unit_end(struct window_scan *s, size_t i, struct item *item) {
  static const char *const ahead[] = {"by", "before", "until", NULL}, *const whole[] = {"yearend", "fye",
                                                                                        NULL};
  int months = 12, end_of = word_is(s, i, "end") && word_is(s, i + 1, "of");
  size_t at = i + (end_of ? 2 : 0), used;
  at += end_of && word_is(s, at, "the") ? 1 : 0;
  int ended = end_of || word_of(s, at, whole);
  used = word_of(s, at, whole) ? 1 : plan_length_at(s->t, at, &months);
  at += used;
  if (!ended && word_is(s, at, "just") && word_is(s, at + 1, "ended"))
    at += 2;
  else if (!ended && !word_is(s, at++, "end"))
    return 0;
  if (used == 0 || used > 2 || (months != 3 && months != 12) || word_is(s, at, "of"))
    return 0;
  if ((i > 0 && word_of(s, i - 1, ahead)) || (i > 1 && word_is(s, i - 1, "the") && word_of(s, i - 2, ahead)))
    months = 0;
  *item = (struct item){.kind = ITEM_NOTHING, .from = i, .to = at, .months = months};
  return 1;
}

/* "latest", "last two 10-Ks", "previous quarter", "two latest", "past three years". */
static int read_latest(struct window_scan *s, size_t i, struct item *item) {
  static const char *const plain[] = {"latest", "newest", "recent", NULL}, *const oldest[] = {
                                                                               "oldest", "earliest", NULL};
  size_t at = i, used = 0, n;
  int count = 1, counted = 0;
  if (word_is(s, at, "most") && word_is(s, at + 1, "recent"))
    at++;
  if (word_of(s, at, oldest) && unit_at(s, at + 1, &used) != 0)
    return read_bad(s, at, at + 1 + used, "filings can be counted from the latest only; name a year");
  if (i > 0 && s->taken[i - 1] == TAKEN_FORM && word_is(s, i, "before") && word_is(s, i + 1, "last"))
    return read_bad(s, i, i + 2, "filings can be counted from the latest only; name a year");
  if (!word_of(s, at, latest_words))
    return 0;
  int is_plain = word_of(s, at, plain) && !(word_is(s, at, "recent") && at == i);
  int this_one = word_is(s, at, "this") || word_is(s, at, "current");
  if (i > 0 && (n = plan_count_at(s->t, i - 1, &counted)) && is_plain && !s->taken[i - 1])
    count = counted, i--;
  at++;
  if (at < s->t->count && !s->taken[at] && (n = plan_count_at(s->t, at, &counted)) != 0) {
    size_t behind;
    if (unit_at(s, at + n, &behind) != 0 || is_plain)
      count = counted, at += n;
  }
  int months = unit_at(s, at, &used);
  if (months == 0 && !is_plain)
    return 0;
  if (months == 0)
    used = 0;
  *item = (struct item){
      .kind = ITEM_LATEST, .from = i, .to = at + used, .count = count, .months = months > 0 ? months : 0};
  if (!is_plain && months == 12 && count == 1 && !counted && !word_is(s, at + used - 1, "report") &&
      used == 1) {
    item->kind = this_one ? ITEM_LATEST : ITEM_YEAR; /* "last year" */
    item->months = this_one ? 0 : 12;
    item->year = s->today.year - !this_one;
    item->how = YEAR_FISCAL;
    if (i > 0 && (word_is(s, i - 1, "its") || word_is(s, i - 1, "their"))) /* "its last year": of existence */
      item->kind = ITEM_NOTHING;
  }
  return 1;
}

/* "two years ago", "the year before last"; quarters can't be counted back without the company's fiscal calendar. */
static int read_ago(struct window_scan *s, size_t i, struct item *item) {
  int count, months;
  size_t at = i + plan_count_at(s->t, i, &count), used = plan_unit_at(s->t, at, &months);
  count = at > i ? count : 2;
  int before_last = at == i && used && word_is(s, at + 1, "before") && word_is(s, at + 2, "last");
  if (used == 0 || !(before_last || (at > i && (word_is(s, at + 1, "ago") || word_is(s, at + 1, "back")))))
    return 0;
  size_t to = at + (before_last ? 3 : 2);
  if (months == 3)
    return read_bad(s, i, to, "say which quarter, such as Q2 2024");
  if (months != 12)
    return 0;
  *item = (struct item){
      .kind = ITEM_YEAR, .from = i, .to = to, .year = s->today.year - count, .how = YEAR_FISCAL};
  return 1;
}

/* "the same quarter last year", "the prior-year period", "a year ago", "the same quarter of 2023". */
static int read_earlier(struct window_scan *s, size_t i, struct item *item) {
  static const char *const same[] = {"same", "comparable", "corresponding", "equivalent", NULL},
                           *const last[] = {"prior", "previous", "last", "preceding", NULL},
                           *const ago[] = {"ago", "earlier", "before", NULL},
                           *const filler[] = {"the", "of", "in", "from", "a", "one", NULL},
                           *const units[] = {"quarter", "period", "half", "months", "comparable", NULL},
                           *const than[] = {PERIOD_WORDS_THAN, NULL};
  size_t at = i, used, to;
  int year = 0;
  enum plan_year_kind kind;
  if (word_of(s, at, same)) {
    if (!word_of(s, ++at, units))
      return 0;
    at++;
  }
  to = at;
  while (word_of(s, at, filler + (to > i ? 0 : 4)))
    at++;
  if (word_of(s, at, last) && word_is_year(s, at + 1))
    to = at + (word_of(s, at + 2, units) ? 3 : 2);
  else if (word_is_year(s, at) && word_of(s, at + 1, ago))
    to = at + (word_of(s, at + 2, units) ? 3 : 2);
  else if (to > i && (used = plan_year_at(s->t, at, &year, &kind)) != 0)
    to = at + used;
  if (to == i || (to == i + 2 && word_of(s, i, last))) /* "last year" */
    return 0;
  *item = (struct item){.kind = ITEM_EARLIER, .from = i, .to = to, .year = year};
  item->count = word_of(s, to - 1, ago) && !(i > 0 && word_of(s, i - 1, than)); /* has a period of its own */
  return 1;
}

/* Whether a date at token i says when something is due, expires or is planned; no report is for that day. "debt
 * maturing in 2028", "obligations due after 2027", "leases that expire between 2026 and 2030"; the nouns for
 * days to come only. */
static int is_of_maturity(const struct window_scan *s, size_t i, int year) {
  static const char *const due[] = {PERIOD_WORDS_DUE, NULL}, *const ahead[] = {PERIOD_WORDS_DUE_AHEAD, NULL},
                           *const between[] = {PERIOD_WORDS_DUE_LINK, NULL};
  enum plan_year_kind kind;
  int other;
  for (size_t k = i; k-- > 0 && i - k < 8 && !(s->t->token[k + 1].gap & GAP_SENTENCE);) {
    if (word_of(s, k, due) || (year >= s->today.year && word_of(s, k, ahead)))
      return 1;
    if (!word_of(s, k, between) && !plan_year_at(s->t, k, &other, &kind))
      return 0;
  }
  return 0;
}

/* Whether a plain number of four digits is a year of business, not a part of a name or a maturity. */
static int is_period_year(const struct window_scan *s, size_t i, size_t to, int year) {
  static const char *const label[] = {PERIOD_WORDS_NO_PERIOD, NULL};
  unsigned gap = s->t->token[i].gap;
  if (gap & (GAP_DOLLAR | GAP_HASH | GAP_DOT) || word_is(s, i - (i > 0), "asu"))
    return 0;
  if (i > 0 && gap == GAP_BLANK && s->count > 0 && s->items[s->count - 1].kind == ITEM_PART &&
      s->items[s->count - 1].to == i)
    return 1; /* "Q3 2024 convertible notes" */
  if (i > 0 && (word_is(s, i - 1, "by") || word_is(s, i - 1, "due")) && year > s->today.year)
    return 0;
  if (year > s->today.year + 1)
    return 0;
  if (to < s->t->count && (s->t->token[to].gap & (GAP_PERCENT | GAP_HYPHEN)) &&
      !isdigit((unsigned char)s->t->token[to].fold[0]) && (s->t->token[to].gap & GAP_PERCENT))
    return 0;
  return !word_of(s, to, label) && !(word_of(s, to + 1, label) && to < s->t->count &&
                                     s->t->token[to].capitals == s->t->token[to].letters);
}

static int read_year(struct window_scan *s, size_t i, struct item *item) {
  int year, ends = 0;
  enum plan_year_kind kind;
  size_t at = i;
  if ((word_is(s, at, "year") || word_is(s, at, "yearend")) &&
      (word_is(s, at + 1, "end") || word_is(s, at, "yearend"))) {
    at += word_is(s, at, "yearend") ? 1 : 2;
    ends = 1;
  } else if (word_is(s, at, "end") && word_is(s, at + 1, "of")) {
    at += 2;
    ends = 1;
  }
  size_t used = plan_year_at(s->t, at, &year, &kind);
  if (used == 0)
    return 0;
  if (is_of_maturity(s, at, year)) {
    *item = (struct item){.kind = ITEM_NOTHING, .from = at, .to = at + used};
    return 1;
  }
  if (kind == YEAR_PLAIN && !is_period_year(s, at, at + used, year))
    return 0;
  *item =
      (struct item){.kind = ITEM_YEAR, .from = i, .to = at + used, .year = year, .how = kind, .at_end = ends};
  if (!ends && word_is(s, at + used, "year") && word_is(s, at + used + 1, "end"))
    item->to += 2, item->at_end = 1;
  return 1;
}

static int read_part(struct window_scan *s, size_t i, struct item *item) {
  enum plan_period period;
  enum plan_year_kind kind;
  int year;
  size_t used = plan_period_at(s->t, i, &period, &year, &kind);
  if (used == 0)
    return 0;
  if (period == PLAN_ANY)
    return read_bad(s, i, i + used, "a year has four quarters");
  *item = (struct item){
      .kind = ITEM_PART, .from = i, .to = i + used, .year = year, .how = kind, .period = period};
  return 1;
}

static int window_read_date(struct window_scan *s, size_t i, struct item *item) {
  static const char *const leads[] = {"since", "until", "through", "filed", NULL};
  struct plan_day day;
  size_t used = plan_date_at(s->t, i, &day);
  if (used == 0 && plan_date_is_bad(s->t, i))
    return read_bad(s, i, i + 3, "no calendar has that day");
  if (used == 0 ||
      (day.day == 0 && day.year == 0 && !s->when->event_form && !(i > 0 && word_of(s, i - 1, leads))))
    return 0;
  if (is_of_maturity(s, i, day.year))
    return 0;
  *item = (struct item){.kind = day.day ? ITEM_DAY : ITEM_MONTH, .from = i, .to = i + used};
  item->day = day.day ? whole_day(s, day) : day;
  if (!day.day && !day.year)
    item->day.year = whole_day(s, day).year;
  if (i > 0 && (word_is(s, i - 1, "early") || word_is(s, i - 1, "late") || word_is(s, i - 1, "mid")))
    item->early = word_is(s, i - 1, "early") ? -1 : word_is(s, i - 1, "late") ? 1 : 2;
  return 1;
}

static int read_nothing(struct window_scan *s, size_t i, struct item *item) {
  static const char *const names[] = {"yoy", "qoq", NULL};
  size_t to = 0;
  if (word_of(s, i, names))
    to = i + 1;
  else if (word_is(s, i, "year") && (word_is(s, i + 1, "over") || word_is(s, i + 1, "on")) &&
           word_is(s, i + 2, "year"))
    to = i + 3;
  *item = (struct item){.kind = ITEM_NOTHING, .from = i, .to = to};
  return to > 0;
}

/* ---- words before and between items ---- */

/* The relation expressed by the words before token i. */
static enum item_lead lead_before(const struct window_scan *s, size_t i) {
  static const struct {
    const char *first, *word; /* "prior to"; first may be NULL */
    enum item_lead lead;
  } leads[] = {PERIOD_WORDS_LEAD};
  for (size_t k = 0; i > 0 && k < sizeof leads / sizeof *leads; k++)
    if (word_is(s, i - 1, leads[k].word) &&
        (leads[k].first == NULL || (i > 1 && word_is(s, i - 2, leads[k].first))))
      return leads[k].lead;
  return LEAD_NONE;
}

/* The relation expressed after an item: "2022 onwards", "2019 or earlier". */
static enum item_lead lead_behind(const struct window_scan *s, size_t i) {
  static const char *const later[] = {"onward", "onwards", "later", "after", "newer", NULL},
                           *const earlier[] = {"earlier", "before", "older", NULL},
                           *const now[] = {"present", "date", "now", "today", NULL};
  size_t at = i + (word_is(s, i, "and") || word_is(s, i, "or"));
  if (word_is(s, i, "to") && (word_of(s, i + 1, now) || (word_is(s, i + 1, "the") && word_of(s, i + 2, now))))
    return LEAD_SINCE;
  if (word_of(s, at, later) && (at > i || !word_is(s, at, "after")))
    return LEAD_SINCE;
  return at > i && word_of(s, at, earlier) ? LEAD_UNTIL : LEAD_NONE;
}

static void note_lead(struct window_scan *s, struct item *item) {
  static const char *const skip[] = {PERIOD_WORDS_BEHIND_LEAD, NULL},
                           *const filed[] = {"filed", "submitted", "published", "accepted", "lodged", NULL},
                           *const end[] = {"end", "close", NULL};
  size_t i = item->from, steps = 0;
  if (i > 1 && word_is(s, i - 1, "of") && word_of(s, i - 2, end)) {
    item->at_end = 1;
    i -= 2;
    i -= i > 0 && word_is(s, i - 1, "the");
    memset(s->taken + i, TAKEN_PERIOD, item->from - i);
  }
  if (i > 1 && word_is(s, i - 1, "of") && word_is(s, i - 2, "as")) {
    item->lead = LEAD_AS_OF;
    memset(s->taken + i - 2, TAKEN_PERIOD, 2);
    return;
  }
  while (i > 0 && lead_before(s, i) == LEAD_NONE && word_of(s, i - 1, skip) && steps++ < 3 &&
         !(word_is(s, i - 1, "of") && i > 1 && word_is(s, i - 2, "as")))
    i--;
  item->lead = lead_before(s, i);
  enum item_lead behind = lead_behind(s, item->to);
  if (item->lead == LEAD_BETWEEN && word_is(s, item->to, "on")) /* "from 2020 on" */
    behind = LEAD_SINCE;
  if (behind != LEAD_NONE && item->kind != ITEM_LATEST)
    item->lead = behind;
  if (i == 0)
    return;
  if (item->lead == LEAD_NONE && i == item->from) {
    item->filed |= word_of(s, i - 1, filed);
    return;
  }
  item->filed |= item->kind == ITEM_MONTH && (item->lead == LEAD_BETWEEN || word_is(s, i - 1, "of")) &&
                 i > 1 && s->taken[i - 2] == TAKEN_FORM;
  for (size_t back = 1; back <= 5 && back <= i && !item->filed; back++)
    item->filed = word_of(s, i - back, filed);
}

/* How two items are linked: 0 not, 1 enumerated, 2 a range. */
static int link_between(const struct window_scan *s, const struct item *a, const struct item *b) {
  static const char *const range[] = {"to", "through", "thru", "until", "till", NULL};
  static const char *const list[] = {PERIOD_WORDS_LISTED, NULL};
  static const char *const filler[] = {PERIOD_WORDS_LINKED, NULL};
  size_t i = a->to;
  int link = 0;
  if (b->from == a->to)
    return s->t->token[b->from].gap & (GAP_HYPHEN)              ? 2
           : s->t->token[b->from].gap & (GAP_COMMA | GAP_SLASH) ? 1
                                                                : 0;
  if (b->from > a->to + 4)
    return 0;
  for (; i < b->from; i++) {
    if (s->t->token[i].amp)
      link = 1;
    else if (word_of(s, i, list))
      link = 1;
    else if (word_of(s, i, range) && link == 0)
      link = 2;
    else if (!word_of(s, i, filler))
      return 0;
  }
  return link;
}

/* The months of a part of a year, from 1. */
static void part_months(enum plan_period period, int *first, int *last) {
  static const int firsts[] = {1, 1, 4, 7, 10, 1, 7, 1, 1}, lasts[] = {12, 3, 6, 9, 12, 6, 12, 9, 12};
  *first = firsts[period];
  *last = lasts[period];
}

/* The first and the last day of an item. */
static struct plan_day first_day(const struct item *item) {
  int first, last;
  part_months(item->period, &first, &last);
  if (item->kind == ITEM_MONTH)
    return (struct plan_day){item->day.year, item->day.month, item->early == 1 ? 20 : 1};
  if (item->kind == ITEM_YEAR || item->kind == ITEM_PART)
    return (struct plan_day){item->year, first, 1};
  return item->day;
}

static struct plan_day last_day(const struct item *item) {
  int first, last;
  part_months(item->period, &first, &last);
  if (item->kind == ITEM_MONTH && item->early == -1)
    return (struct plan_day){item->day.year, item->day.month, 10};
  if (item->kind == ITEM_MONTH)
    return plan_month_end(item->day.year, item->day.month, 0);
  if (item->kind == ITEM_YEAR || item->kind == ITEM_PART)
    return plan_month_end(item->year, last, 0);
  return item->kind == ITEM_RANGE ? item->until : item->day;
}

/* ---- combining adjacent items ---- */

/* Whether only words that link a part to its year are in between: "of", "in", "the", "fiscal". */
static const char *const of_year[] = {PERIOD_WORDS_OF_YEAR, NULL}, *const to_date[] = {PERIOD_WORDS_TO_DATE,
                                                                                       NULL};

static int bound(const struct window_scan *s, const struct item *a, const struct item *b,
                 const char *const *filler) {
  unsigned gap = s->t->token[b->from].gap;
  if (b->from > a->to + 4 || (gap & GAP_SENTENCE) || ((gap & GAP_STOP) && !(gap & GAP_OPEN)))
    return 0;
  for (size_t i = a->to; i < b->from; i++)
    if (s->taken[i] != TAKEN_FORM && !word_of(s, i, filler))
      return 0;
  return 1;
}

static void drop_item(struct window_scan *s, size_t i) {
  memmove(&s->items[i], &s->items[i + 1], (s->count - i - 1) * sizeof *s->items);
  s->count--;
}

/* "YTD 2024", "TTM June 2025": a named period selects one; the last year-to-date period within a year's reports is
 * nine months. */
static void bind_to_date(struct window_scan *s) {
  for (size_t i = 0; i < s->count; i++) {
    struct item *a = &s->items[i], *b = i + 1 < s->count ? &s->items[i + 1] : NULL,
                *c = i > 0 ? &s->items[i - 1] : NULL;
    if (a->kind != ITEM_TO_DATE)
      continue;
    struct item *part = c && c->kind == ITEM_PART && bound(s, c, a, to_date) ? c : NULL;
    struct item *other = part                                              ? part
                         : b && (bound(s, a, b, to_date) || s->count == 2) ? b
                         : c && (bound(s, c, a, to_date) || s->count == 2) ? c
                                                                           : NULL;
    int year_to_date = a->at_end;
    a->kind = other ? ITEM_NOTHING : ITEM_LATEST;
    if (other && other->kind == ITEM_YEAR && year_to_date && other->year == s->today.year)
      *other = (struct item){.kind = ITEM_LATEST, .from = other->from, .to = other->to, .count = 1};
    else if (other && other->kind == ITEM_YEAR && year_to_date)
      other->kind = ITEM_PART, other->period = PLAN_9M;
    else if (other && (other->kind == ITEM_MONTH || other->kind == ITEM_DAY)) {
      other->day = other->kind == ITEM_DAY ? other->day : last_day(other);
      other->kind = ITEM_ENDS;
    }
    if (other)
      drop_item(s, i--);
  }
}

/* Combines "Q2" and "2025" in either order; "this year" counts as a year here. */
static void bind_years(struct window_scan *s) {
  for (size_t i = 0; i + 1 < s->count; i++) {
    struct item *a = &s->items[i], *b = &s->items[i + 1];
    if (a->kind == ITEM_LATEST && a->year && b->kind == ITEM_PART && bound(s, a, b, of_year))
      a->kind = ITEM_YEAR;
    if (b->kind == ITEM_LATEST && b->year && a->kind == ITEM_PART && bound(s, a, b, of_year))
      b->kind = ITEM_YEAR;
    if (a->kind == ITEM_PART && a->year == 0 && b->kind == ITEM_YEAR && bound(s, a, b, of_year)) {
      a->year = b->year;
      a->how = a->how == YEAR_CALENDAR ? a->how : b->how;
      a->to = b->to;
      drop_item(s, i + 1);
    } else if (a->kind == ITEM_YEAR && b->kind == ITEM_PART && b->year == 0 && !a->at_end &&
               bound(s, a, b, of_year) &&
               !(i + 2 < s->count && s->items[i + 2].kind == ITEM_YEAR &&
                 bound(s, b, &s->items[i + 2], of_year))) {
      b->year = a->year;
      b->how = b->how == YEAR_CALENDAR ? b->how : a->how;
      b->from = a->from;
      b->lead = a->lead;
      b->filed = a->filed;
      drop_item(s, i);
    }
  }
}

/* Resolves "the same quarter last year" beside a period with its year. */
static void share_earlier(const struct item *a, struct item *b, struct plan_day today) {
  int year = b->year;
  if (b->linked && a && (a->kind == ITEM_PART || a->kind == ITEM_YEAR) && a->year) {
    b->kind = a->kind;
    b->period = a->period;
    b->how = a->how;
    b->year = year ? year : a->year - 1;
  } else if (b->linked && a && a->kind == ITEM_ENDS) {
    b->kind = ITEM_ENDS;
    b->months = a->months;
    b->day = a->day;
    b->day.year = year ? year : a->day.year - 1;
  } else if (b->linked && a && a->kind == ITEM_PART && year) {
    b->kind = ITEM_PART;
    b->period = a->period;
  } else if (a == NULL && b->count) {
    *b = (struct item){
        .kind = ITEM_YEAR, .from = b->from, .to = b->to, .year = today.year - 1, .how = YEAR_FISCAL};
  } else {
    b->kind = ITEM_NOTHING; /* the comparison period of a report */
  }
}

/* "quarter ended June 2024 and June 2023", "... December 31, 2024 and 2023". */
static void share_end(const struct item *a, struct item *b) {
  if (b->kind == ITEM_YEAR)
    b->day = (struct plan_day){b->year, a->day.month, a->day.day};
  else
    b->day = last_day(b);
  if (b->day.day > plan_days_of_month(b->day.year, b->day.month))
    b->day.day = plan_days_of_month(b->day.year, b->day.month);
  b->kind = ITEM_ENDS;
  b->months = a->months;
}

/* "Q2 2023 vs 2024", "Q1 and Q2 2024": each item completes the other. */
static void share_parts(struct window_scan *s) {
  static const char *const versus[] = {"vs", "versus", "than", NULL};
  for (size_t i = 0; i < s->count; i++) {
    struct item *a = i > 0 ? &s->items[i - 1] : NULL, *b = &s->items[i];
    b->linked = a ? link_between(s, a, b) : 0;
    if (a && b->linked == 0 && b->from > a->to && word_of(s, b->from - 1, versus))
      b->linked = 1;
    if (b->kind == ITEM_EARLIER)
      share_earlier(a, b, s->today);
    if (!b->linked)
      continue;
    if (b->kind == ITEM_YEAR && b->months == 12 && a->year &&
        a->kind != ITEM_LATEST) { /* "Q2 2025 vs last year" */
      b->kind = a->kind;
      b->period = a->period;
      b->year = a->year - 1;
    }
    if (a->kind == ITEM_PART && a->year && b->kind == ITEM_YEAR && b->how == YEAR_PLAIN) {
      b->kind = ITEM_PART;
      b->period = a->period;
    }
    if (a->kind == ITEM_ENDS && (b->kind == ITEM_YEAR || b->kind == ITEM_MONTH || b->kind == ITEM_DAY))
      share_end(a, b);
  }
  for (size_t i = s->count; i-- > 1;) {
    struct item *a = &s->items[i - 1], *b = &s->items[i];
    if (b->linked && a->kind == ITEM_PART && a->year == 0 && b->kind == ITEM_PART)
      a->year = b->year, a->how = b->how;
  }
}

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

static void add_fiscal(struct window_scan *s, struct plan *plan, const struct item *item,
                       enum plan_period period) {
  int first, last;
  part_months(period, &first, &last);
  struct plan_window *w = add_window(plan);
  if (w == NULL)
    return;
  s->when->reports |= reports_of(period);
  if (item->how == YEAR_CALENDAR || s->when->holdings) {
    set_ends(w, plan_month_end(item->year, last, 0), last - first + 1);
    return;
  }
  w->year = item->year;
  w->period = period;
}

/* Whether what is paid in a year is asked for: "what did the chief executive earn in 2023". */
static int asks_pay(const struct window_scan *s, size_t from, size_t to) {
  static const char *const pay[] = {PERIOD_WORDS_PAY, NULL};
  for (size_t i = from; i < to && i < s->t->count; i++)
    if (word_of(s, i, pay))
      return 1;
  return 0;
}

/* Whether the year of a proxy statement or a late notice is the fiscal year that it tells of, not the one it was filed in: a
 * fiscal one; of a notice the year of the late report ("for the 10-K of 2024"); of a proxy statement the year of pay that
 * doesn't stand beside the form's name ("2023 pay according to the proxy"). */
static int is_told_year(const struct window_scan *s, const struct item *item) {
  static const char *const between[] = {"of", "for", "the", "from", "in", "s", NULL}, *const late[] = {
                                                                                          "k", "10k", "10",
                                                                                          NULL};
  size_t before = item->from, behind = item->to;
  if (item->filed || !s->when->tells_year)
    return 0;
  if (item->how == YEAR_FISCAL && item->months != 12) /* not "last year" */
    return 1;
  while (before > 0 && word_of(s, before - 1, between) && !(s->t->token[before].gap & GAP_COMMA))
    before--;
  int form_before =
          before > 0 && s->taken[before - 1] == TAKEN_FORM && !(s->t->token[before].gap & GAP_COMMA),
      form_behind = behind < s->t->count && s->taken[behind] == TAKEN_FORM;
  if (s->when->late)
    return (form_before && word_of(s, before - 1, late) && before < item->from) ||
           (form_behind && word_of(s, behind, late));
  return !form_before && !form_behind && item->year < s->today.year && asks_pay(s, 0, s->t->count);
}

static void window_of_year(struct window_scan *s, struct plan *plan, const struct item *item) {
  struct plan_window *w;
  if (s->when->quarterly && item->how == YEAR_FISCAL && item->months != 12 && !item->filed) {
    for (enum plan_period period = PLAN_Q1; period <= PLAN_Q3; period++)
      add_fiscal(s, plan, item, period);
    return;
  }
  if (s->when->holdings && item->at_end) {
    if ((w = add_window(plan)) != NULL)
      plan_day_text((struct plan_day){item->year, 12, 31}, w->ends);
  } else if ((item->filed || s->when->event_form) && !is_told_year(s, item)) {
    if ((w = add_window(plan)) != NULL) {
      set_range(w, first_day(item), last_day(item));
      w->by_filing = 1;
    }
  } else {
    add_fiscal(s, plan, item, PLAN_FY);
  }
}

static void window_of_part(struct window_scan *s, struct plan *plan, const struct item *item) {
  struct plan_window *w;
  if (item->year && s->when->event_form && (item->filed || !(s->when->results || s->when->late))) {
    if ((w = add_window(plan)) != NULL) {
      set_range(w, first_day(item), last_day(item));
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

/* Whether one of the words stands at most `reach` tokens before or behind an item. */
static int is_beside(const struct window_scan *s, const struct item *item, size_t reach,
                     const char *const *words) {
  for (size_t k = 0; k < reach; k++)
    if (word_of(s, item->to + k, words) || (item->from > k && word_of(s, item->from - 1 - k, words)))
      return 1;
  return 0;
}

/* A day or a month; a meeting's proxy statement is filed in the months before it, a notice of a late report is for a period that
 * ended then. */
static void window_of_date(struct window_scan *s, struct plan *plan, const struct item *item) {
  static const char *const meeting[] = {"meeting", "meetings", NULL}, *const period[] = {"for", "of", NULL};
  struct plan_window *w = add_window(plan);
  if (w == NULL)
    return;
  int meets = is_beside(s, item, 3, meeting);
  struct plan_day from = first_day(item), until = last_day(item);
  if (s->when->event_form && meets && !s->when->items)
    from = plan_month_start(from.year, from.month, -3);
  for (int k = 0; k < VOTES_DAYS && s->when->votes; k++)
    until = plan_day_after(until);
  size_t i = item->from;
  int week = i > 1 && word_is(s, i - 1, "of") && word_is(s, i - 2, "week");
  for (int k = 0; k < 6 && week; k++)
    until = plan_day_after(until);
  if (s->when->late && !item->filed && item->from > 0 && word_of(s, item->from - 1, period)) {
    plan_day_text(until, w->ends);
  } else if (item->filed || s->when->event_form || week) {
    set_range(w, from, until);
    w->by_filing = 1;
  } else if (s->when->told) { /* what happened then is told by what was filed then */
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

static void window_of_latest(struct window_scan *s, struct plan *plan, const struct item *item) {
  struct plan_window *w = add_window(plan);
  if (w == NULL)
    return;
  w->latest = 1;
  w->count = item->count;
  s->when->reports |= item->months == 12 ? REPORTS_ANNUAL
                      : item->months == 3
                          ? (item->count == 1 ? REPORTS_QUARTER | REPORTS_ANNUAL : REPORTS_QUARTER)
                          : REPORTS_LATEST;
}

static void window_of(struct window_scan *s, struct plan *plan, const struct item *item) {
  struct plan_window *w;
  switch (item->kind) {
  case ITEM_YEAR:
    window_of_year(s, plan, item);
    break;
  case ITEM_PART:
    window_of_part(s, plan, item);
    break;
  case ITEM_ENDS:
    if ((w = add_window(plan)) != NULL)
      set_ends(w, item->day, item->months);
    s->when->reports |= item->months == 12  ? REPORTS_ANNUAL
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
static int add_parts(struct window_scan *s, struct plan *plan, const struct item *a, const struct item *b) {
  int from = a->year * 4 + (int)a->period - PLAN_Q1, until = b->year * 4 + (int)b->period - PLAN_Q1;
  if (a->kind != ITEM_PART || b->kind != ITEM_PART || a->period > PLAN_Q4 || b->period > PLAN_Q4 ||
      a->filed || s->when->event_form || until < from || until - from >= PLAN_WINDOWS)
    return 0;
  for (int q = from; q <= until; q++) {
    struct item one = *a;
    one.year = q / 4;
    add_fiscal(s, plan, &one, (enum plan_period)(PLAN_Q1 + q % 4));
  }
  return 1;
}

/* Item i starts a range: "since 2022", "2019-2023", "until March 2024".  Returns the number of items consumed, 0 for
 * none. */
static size_t window_add_range(struct window_scan *s, struct plan *plan, size_t i) {
  const struct item *a = &s->items[i], *b = i + 1 < s->count ? &s->items[i + 1] : NULL;
  struct plan_day none = {0, 0, 0}, from = none, until = none;
  int closed = b && (b->linked == 2 || (b->linked == 1 && a->lead == LEAD_BETWEEN)) && b->kind != ITEM_LATEST;
  if (a->kind == ITEM_LATEST || a->kind == ITEM_NOTHING || a->kind == ITEM_ENDS ||
      (a->kind == ITEM_RANGE && (a->filed || a->lead == LEAD_NONE)))
    return 0;
  if (closed) {
    from = first_day(a);
    until = last_day(b);
  } else if (a->lead == LEAD_SINCE) {
    from = first_day(a);
  } else if (a->lead == LEAD_AFTER) {
    from = plan_day_after(last_day(a));
  } else if (a->lead == LEAD_UNTIL) {
    until = last_day(a);
  } else if (a->lead == LEAD_BEFORE) {
    until = plan_day_before(first_day(a));
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
static int take_as_of(struct plan *plan, const struct item *item) {
  if (item->lead != LEAD_AS_OF || item->kind != ITEM_MONTH || item->day.month % 3 == 0)
    return 0;
  if (plan->as_of[0] == '\0') {
    char day[PLAN_DATE];
    plan_day_text(plan_month_end(item->day.year, item->day.month, 0), day);
    snprintf(plan->as_of, sizeof plan->as_of, "%s", day);
  }
  return 1;
}

static void read_items(struct window_scan *s) {
  typedef int item_reader(struct window_scan *, size_t, struct item *);
  static item_reader *const readers[] = {
      read_nothing,      read_ended, read_month_quarter, read_to_date,     read_ago,  read_earlier, read_part,
      read_part_of_year, read_span,  read_latest,        window_read_date, read_year, read_unit_end};
  for (size_t i = 0; i < s->t->count && s->count < ITEMS;) {
    struct item item;
    size_t r = 0, n = sizeof readers / sizeof *readers;
    while (r < n && (s->taken[i] || !readers[r](s, i, &item)))
      r++;
    if (r == n || item.to <= i) {
      i++;
      continue;
    }
    note_lead(s, &item);
    int names_time = item.kind != ITEM_NOTHING || item.months == 0; /* "at year end" names none */
    for (size_t k = item.from; k < item.to && k < s->t->count; k++)
      s->taken[k] = s->taken[k] || !names_time ? s->taken[k] : TAKEN_PERIOD;
    i = item.to;
    s->items[s->count++] = item;
  }
}

/* A shortened second year: "2023-24", "2019/20". */
static void read_short_seconds(struct window_scan *s) {
  for (size_t i = 0; i < s->count && s->count < ITEMS; i++) {
    const struct item *a = &s->items[i];
    const struct plan_token *next = &s->t->token[a->to];
    if (a->kind != ITEM_YEAR || a->to >= s->t->count || next->digits != 2 || next->letters ||
        !(next->gap & (GAP_HYPHEN | GAP_SLASH)) || s->taken[a->to])
      continue;
    int year = a->year / 100 * 100 + (int)plan_token_number(next);
    if (year <= a->year || year > a->year + YEAR_SPAN)
      continue;
    struct item b = {.kind = ITEM_YEAR, .from = a->to, .to = a->to + 1, .year = year, .how = a->how};
    memmove(&s->items[i + 2], &s->items[i + 1], (s->count - i - 1) * sizeof *s->items);
    s->items[i + 1] = b;
    s->count++;
    s->taken[b.from] = TAKEN_PERIOD;
  }
}

/* Future days don't refer to a filing: "maintenance planned after March 2028", "lease expiring on 30 June 2031".
 * Fiscal years and quarters may, depending on the company's calendar. */
static void drop_ahead(struct window_scan *s) {
  for (size_t i = s->count; i-- > 0;) {
    const struct item *item = &s->items[i];
    int dated = item->kind == ITEM_MONTH || item->kind == ITEM_DAY || item->kind == ITEM_RANGE,
        opens = item->lead == LEAD_SINCE || item->lead == LEAD_AFTER || item->lead == LEAD_UNTIL ||
                item->lead == LEAD_BEFORE || item->lead == LEAD_BETWEEN;
    if (item->filed || !(dated || (opens && item->kind == ITEM_YEAR)) ||
        plan_day_order(first_day(item), s->today) <= 0)
      continue;
    memset(s->taken + item->from, TAKEN_NOT, item->to - item->from);
    drop_item(s, i);
  }
}

void plan_read_windows(const struct plan_text *t, uint8_t *taken, struct plan_when *when, struct plan *plan) {
  struct window_scan s = {.t = t, .taken = taken, .when = when, .today = plan_day_of(when->now)};
  when->bad = NULL;
  read_items(&s);
  drop_ahead(&s);
  read_short_seconds(&s);
  bind_to_date(&s);
  bind_years(&s);
  share_parts(&s);
  if (when->bad && plan->unknown_count < PLAN_UNKNOWN)
    plan->unknown[plan->unknown_count++] = plan_text_span(t, s.bad_from, s.bad_to);
  for (size_t i = 0; i < s.count;) {
    size_t used = take_as_of(plan, &s.items[i]) ? 1 : window_add_range(&s, plan, i);
    if (used == 0)
      window_of(&s, plan, &s.items[i]);
    i += used ? used : 1;
  }
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
  struct window_scan s = {.t = &t, .when = &(struct plan_when){0}};
  add_fiscal(&s, plan, &(struct item){.year = year, .how = kind}, part);
  return 0;
}
