/* Periods are read in two steps: the words become items (a year, a quarter, a date, "latest"), then neighbours are put
 * together ("second quarter of fiscal 2023 and 2024") and each becomes a window. */
#include "query/plan_windows.h"

#include "query/plan_dates.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define ITEMS 24
#define YEAR_SPAN 40

enum item_kind {
  ITEM_YEAR,    /* year */
  ITEM_PART,    /* period, maybe year */
  ITEM_ENDS,    /* day: a period of `months` ended then (0: length unknown) */
  ITEM_MONTH,   /* day.month, maybe day.year */
  ITEM_DAY,     /* day */
  ITEM_HOLIDAY, /* the quarter that holds December, or ends soon after it */
  ITEM_SPAN,    /* filed from day on: "last two months" */
  ITEM_LATEST,  /* count, months: 3 quarters, 12 years, 0 any */
  ITEM_NOTHING  /* taken, says nothing of its own: "year over year" */
};

/* Words in front of an item. */
enum item_lead {
  LEAD_NONE,
  LEAD_SINCE,
  LEAD_AFTER,
  LEAD_UNTIL, /* until, through */
  LEAD_BEFORE,
  LEAD_AS_OF,
  LEAD_AT,      /* at, on */
  LEAD_BETWEEN, /* between, from: a range where a second item follows */
  LEAD_BY
};

struct item {
  enum item_kind kind;
  size_t from, to; /* tokens */
  int year, months, count;
  enum plan_year_kind how;
  enum plan_period period;
  struct plan_day day;
  enum item_lead lead;
  int filed;    /* "filed in 2024" */
  int linked;   /* to the item before: 1 listed ("and", "vs"), 2 the end of a range */
  int early;    /* -1 early, 1 late: "in early February" */
  int year_end; /* "year-end 2016", "the end of 2023" */
};

struct window_scan {
  const struct plan_text *t;
  uint8_t *taken;
  struct plan_when *when;
  struct plan_day today;
  struct item items[ITEMS];
  size_t count;
};

static int word_is(const struct window_scan *s, size_t i, const char *word) {
  return i < s->t->count && strcmp(s->t->token[i].fold, word) == 0;
}

static int word_of(const struct window_scan *s, size_t i, const char *const *list) {
  return i < s->t->count && plan_word_in(s->t->token[i].fold, list) >= 0;
}

/* ---- items ---- */

static const char *const ends_words[] = {"ended", "ending", "ends", "end", "to", NULL};

/* How many months a word of length means: "quarter" 3, "year" 12; *used tokens. */
static int length_at(const struct window_scan *s, size_t i, size_t *used) {
  int count;
  if (word_is(s, i, "quarter") || word_is(s, i, "qtr"))
    return *used = 1, 3;
  if (word_is(s, i, "half"))
    return *used = word_is(s, i + 1, "year") ? 2 : 1, 6;
  if (word_is(s, i, "year"))
    return *used = 1, 12;
  if (word_is(s, i, "month"))
    return *used = 1, 1;
  if (plan_count_at(s->t, i, &count) && (word_is(s, i + 1, "months") || word_is(s, i + 1, "month")))
    return *used = 2, count;
  if (plan_count_at(s->t, i, &count) && (word_is(s, i + 1, "weeks")))
    return *used = 2, (count + 2) * 3 / 13;
  return 0;
}

/* The latest day of that date's kind that is not after today; of a date without a year, or without a day. */
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
  size_t used = 0, at;
  struct plan_day day;
  int months = length_at(s, i, &used);
  if (months == 0 || months > 12)
    return 0;
  at = i + used;
  if (word_is(s, at, "period"))
    at++;
  if (word_is(s, at, "that") || word_is(s, at, "which"))
    at++;
  if (!word_of(s, at, ends_words))
    return 0;
  at++;
  static const char *const between[] = {"on", "in", "around", "about", "the", "of", "at", NULL};
  while (word_of(s, at, between))
    at++;
  used = plan_date_at(s->t, at, &day);
  if (used == 0)
    return 0;
  *item = (struct item){.kind = ITEM_ENDS, .from = i, .to = at + used, .months = months};
  item->day = whole_day(s, day);
  return 1;
}

/* "June quarter of 2025", "the September 2024 quarter", "holiday quarter". */
static int read_month_quarter(struct window_scan *s, size_t i, struct item *item) {
  struct plan_day day = {0, 0, 0};
  size_t at = i + plan_month_at(s->t, i, &day.month), used;
  enum plan_year_kind kind;
  int holiday = at == i;
  if (at == i && (word_is(s, i, "holiday") || word_is(s, i, "christmas"))) {
    day.month = 12;
    at = i + 1;
  }
  if (at == i)
    return 0;
  used = plan_year_at(s->t, at, &day.year, &kind);
  at += used;
  if (!word_is(s, at, "quarter") && !word_is(s, at, "qtr"))
    return 0;
  at++;
  if (used == 0) {
    size_t skip = word_is(s, at, "of") || word_is(s, at, "in") ? 1 : 0;
    skip += skip && word_is(s, at + skip, "the") ? 1 : 0;
    used = plan_year_at(s->t, at + skip, &day.year, &kind);
    at += used ? skip + used : 0;
  }
  *item = (struct item){
      .kind = holiday ? ITEM_HOLIDAY : ITEM_ENDS, .from = i, .to = at, .months = 3, .day = whole_day(s, day)};
  return 1;
}

/* "last month", "past two weeks": filings since then. */
static int read_span(struct window_scan *s, size_t i, struct item *item) {
  static const char *const leads[] = {"last", "past", "previous", "this", NULL};
  static const char *const units[] = {"day", "days", "week", "weeks", "month", "months", NULL};
  static const int days[] = {1, 1, 7, 7, 30, 30};
  int count, unit;
  size_t at = i + 1, used = plan_count_at(s->t, at, &count);
  if (!word_of(s, i, leads))
    return 0;
  at += used;
  count = used ? count : 1;
  unit = at < s->t->count ? plan_word_in(s->t->token[at].fold, units) : -1;
  if (unit < 0 || (days[unit] == 30 && count == 12))
    return 0;
  *item = (struct item){.kind = ITEM_SPAN, .from = i, .to = at + 1};
  item->day = plan_day_of(s->when->now - (int64_t)86400 * days[unit] * count);
  if (days[unit] == 30) /* whole months */
    item->day = plan_month_start(s->today.year, s->today.month, word_of(s, i, leads + 3) ? 0 : -count);
  return 1;
}

static const char *const latest_words[] = {"latest", "newest",  "recent", "last",     "past", "previous",
                                           "prior",  "current", "this",   "trailing", NULL};

/* What is counted: months of a unit, or -1 for filings of any form; *used tokens. */
static int unit_at(const struct window_scan *s, size_t i, size_t *used) {
  static const char *const skip[] = {"fiscal", "full",      "reported", "available", "filed",
                                     "annual", "quarterly", "calendar", NULL};
  static const char *const filings[] = {"filing",   "filings", "report",  "reports",    "results",
                                        "earnings", "update",  "numbers", "disclosure", NULL};
  size_t at = i;
  int annual = word_is(s, at, "annual") || word_is(s, at, "full"), quarterly = word_is(s, at, "quarterly");
  while (word_of(s, at, skip))
    at++;
  *used = at + 1 - i;
  if (word_is(s, at, "quarter") || word_is(s, at, "quarters") || quarterly)
    return 3;
  if (word_is(s, at, "year") || word_is(s, at, "years") || annual)
    return 12;
  if (word_of(s, at, filings))
    return -1;
  if (at < s->t->count && s->taken[at] == TAKEN_FORM) {
    *used = at - i; /* its own words stay the form's */
    return -1;
  }
  return 0;
}

static int read_trailing(struct window_scan *s, size_t i, struct item *item) {
  static const char *const names[] = {"ttm", "ltm", "ytd", NULL};
  static const char *const leads[] = {"trailing", "last", "past", "previous", "prior", NULL};
  size_t to = i + 1;
  int count;
  if (word_of(s, i, leads) && plan_count_at(s->t, i + 1, &count) && count == 12 &&
      word_is(s, i + 2, "months"))
    to = i + 3;
  else if (word_is(s, i, "year") && word_is(s, i + 1, "to") && word_is(s, i + 2, "date"))
    to = i + 3;
  else if (!word_of(s, i, names))
    return 0;
  *item = (struct item){.kind = ITEM_LATEST, .from = i, .to = to, .count = 1};
  return 1;
}

/* "latest", "last two 10-Ks", "previous quarter", "two latest", "past three years". */
static int read_latest(struct window_scan *s, size_t i, struct item *item) {
  static const char *const plain[] = {"latest", "newest", "recent", NULL};
  size_t at = i, used = 0, n;
  int count = 1, counted = 0;
  if (word_is(s, at, "most") && word_is(s, at + 1, "recent"))
    at++;
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
    item->year = s->today.year - 1;
    item->how = YEAR_FISCAL;
    if (i > 0 &&
        (word_is(s, i - 1, "its") || word_is(s, i - 1, "their"))) /* "its last year": of its existence */
      item->kind = ITEM_NOTHING;
  }
  return 1;
}

/* Whether a plain number of four digits is a year of business, not a part of a name or a maturity. */
static int is_period_year(const struct window_scan *s, size_t i, size_t to, int year) {
  static const char *const label[] = {"award",        "awards",   "plan",      "act",        "notes",
                                      "note",         "bond",     "bonds",     "debentures", "convertible",
                                      "convertibles", "senior",   "indenture", "incentive",  "law",
                                      "treaty",       "olympics", "election",  "grant",      "term",
                                      "target",       "targets",  "goal",      "goals",      NULL};
  unsigned gap = s->t->token[i].gap;
  if (gap & (GAP_DOLLAR | GAP_HASH | GAP_DOT))
    return 0;
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
  if (plan_count_at(s->t, i, &year) && word_is(s, i + 1, "years") && word_is(s, i + 2, "ago")) {
    *item = (struct item){
        .kind = ITEM_YEAR, .from = i, .to = i + 3, .year = s->today.year - year, .how = YEAR_FISCAL};
    return 1;
  }
  if ((word_is(s, at, "year") || word_is(s, at, "yearend")) &&
      (word_is(s, at + 1, "end") || word_is(s, at, "yearend"))) {
    at += word_is(s, at, "yearend") ? 1 : 2;
    ends = 1;
  } else if (word_is(s, at, "end") && word_is(s, at + 1, "of")) {
    at += 2;
    ends = 1;
  }
  size_t used = plan_year_at(s->t, at, &year, &kind);
  if (used == 0 || (kind == YEAR_PLAIN && !is_period_year(s, at, at + used, year)))
    return 0;
  *item = (struct item){
      .kind = ITEM_YEAR, .from = i, .to = at + used, .year = year, .how = kind, .year_end = ends};
  if (!ends && word_is(s, at + used, "year") && word_is(s, at + used + 1, "end"))
    item->to += 2, item->year_end = 1;
  return 1;
}

static int read_part(struct window_scan *s, size_t i, struct item *item) {
  enum plan_period period;
  enum plan_year_kind kind;
  int year;
  size_t used = plan_period_at(s->t, i, &period, &year, &kind);
  if (used == 0)
    return 0;
  if (period == PLAN_ANY) {
    s->when->bad = "a year has four quarters";
    return 0;
  }
  *item = (struct item){
      .kind = ITEM_PART, .from = i, .to = i + used, .year = year, .how = kind, .period = period};
  return 1;
}

static int window_read_date(struct window_scan *s, size_t i, struct item *item) {
  struct plan_day day;
  size_t used = plan_date_at(s->t, i, &day);
  if (used == 0 || (day.day == 0 && day.year == 0 && !s->when->event_form))
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
  static const char *const same[] = {"quarter", "period", "comparable", NULL};
  size_t to = 0;
  if ((word_is(s, i, "prior") || word_is(s, i, "previous")) && word_is(s, i + 1, "year") &&
      word_of(s, i + 2, same))
    to = i + 3; /* "the prior-year quarter": what a report compares with */
  if (word_of(s, i, names))
    to = i + 1;
  else if (word_is(s, i, "year") && (word_is(s, i + 1, "over") || word_is(s, i + 1, "on")) &&
           word_is(s, i + 2, "year"))
    to = i + 3;
  if (to == 0)
    return 0;
  *item = (struct item){.kind = ITEM_NOTHING, .from = i, .to = to};
  return 1;
}

/* ---- what stands in front of an item and between two ---- */

static void note_lead(struct window_scan *s, struct item *item) {
  static const char *const since[] = {"since", NULL},
                           *const until[] = {"until", "through", "thru", "till", NULL},
                           *const at_words[] = {"at", "on", NULL}, *const skip[] = {"the",   "fiscal",
                                                                                    "in",    "early",
                                                                                    "late",  "mid",
                                                                                    "start", "beginning",
                                                                                    "of",    "year",
                                                                                    "years", "fy",
                                                                                    NULL},
                           *const filed[] = {"filed", "submitted", "published", "accepted", "lodged", NULL};
  size_t i = item->from, steps = 0;
  if (i > 0 && word_is(s, i - 1, "of") && i > 1 && word_is(s, i - 2, "as")) {
    item->lead = LEAD_AS_OF;
    memset(s->taken + i - 2, TAKEN_PERIOD, 2);
    return;
  }
  while (i > 0 && word_of(s, i - 1, skip) && steps++ < 3 &&
         !(word_is(s, i - 1, "of") && i > 1 && word_is(s, i - 2, "as")))
    i--;
  if (i == 0)
    return;
  if (word_of(s, i - 1, since))
    item->lead = LEAD_SINCE;
  else if (word_of(s, i - 1, until))
    item->lead = LEAD_UNTIL;
  else if (word_is(s, i - 1, "after"))
    item->lead = LEAD_AFTER;
  else if (word_is(s, i - 1, "before"))
    item->lead = LEAD_BEFORE;
  else if (word_is(s, i - 1, "between") || word_is(s, i - 1, "from"))
    item->lead = LEAD_BETWEEN;
  else if (word_is(s, i - 1, "by"))
    item->lead = LEAD_BY;
  else if (word_of(s, i - 1, at_words))
    item->lead = LEAD_AT;
  if (item->lead == LEAD_NONE && i == item->from) {
    item->filed = word_of(s, i - 1, filed);
    return;
  }
  item->filed = item->kind == ITEM_MONTH && (item->lead == LEAD_BETWEEN || word_is(s, i - 1, "of")) &&
                i > 1 && s->taken[i - 2] == TAKEN_FORM;
  for (size_t back = 1; back <= 5 && back <= i && !item->filed; back++)
    item->filed = word_of(s, i - back, filed);
}

/* How two items are joined: 0 not, 1 listed, 2 a range. */
static int link_between(const struct window_scan *s, const struct item *a, const struct item *b) {
  static const char *const range[] = {"to", "through", "thru", "until", "till", NULL};
  static const char *const list[] = {"and",  "or",       "vs",   "versus", "v",  "with", "against",
                                     "than", "compared", "over", "from",   "as", "well", NULL};
  static const char *const filler[] = {"the", "fiscal",  "year", "years", "of", "in",
                                       "fy",  "quarter", "that", "to",    NULL};
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

/* ---- neighbours put together ---- */

/* Whether only words that bind a part to its year stand between: "of", "in", "the", "fiscal". */
static int bound(const struct window_scan *s, const struct item *a, const struct item *b) {
  static const char *const filler[] = {"of", "in",   "the",      "for", "fiscal",
                                       "fy", "year", "calendar", "s",   NULL};
  if (b->from > a->to + 4 || (s->t->token[b->from].gap & (GAP_SENTENCE | GAP_STOP)))
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

/* "Q2" and "2025" become one item, whichever comes first. */
static void bind_years(struct window_scan *s) {
  for (size_t i = 0; i + 1 < s->count; i++) {
    struct item *a = &s->items[i], *b = &s->items[i + 1];
    if (a->kind == ITEM_PART && a->year == 0 && b->kind == ITEM_YEAR && bound(s, a, b)) {
      a->year = b->year;
      a->how = b->how;
      a->to = b->to;
      drop_item(s, i + 1);
    } else if (a->kind == ITEM_YEAR && b->kind == ITEM_PART && b->year == 0 && !a->year_end &&
               bound(s, a, b) &&
               !(i + 2 < s->count && s->items[i + 2].kind == ITEM_YEAR && bound(s, b, &s->items[i + 2]))) {
      b->year = a->year;
      b->how = a->how;
      b->from = a->from;
      b->lead = a->lead;
      b->filed = a->filed;
      drop_item(s, i);
    }
  }
}

/* "Q2 2023 vs 2024", "Q1 and Q2 2024": what the one leaves out the other says. */
static void share_parts(struct window_scan *s) {
  static const char *const versus[] = {"vs", "versus", "than", NULL};
  for (size_t i = 1; i < s->count; i++) {
    struct item *a = &s->items[i - 1], *b = &s->items[i];
    b->linked = link_between(s, a, b);
    if (b->linked == 0 && b->from > a->to && word_of(s, b->from - 1, versus))
      b->linked = 1;
    if (b->linked && b->kind == ITEM_YEAR && b->months == 12 && a->year) { /* "Q2 2025 vs last year" */
      b->kind = a->kind;
      b->period = a->period;
      b->year = a->year - 1;
    }
    if (b->linked && a->kind == ITEM_PART && a->year && b->kind == ITEM_YEAR && b->how == YEAR_PLAIN) {
      b->kind = ITEM_PART;
      b->period = a->period;
    }
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

/* The first and the last day that an item means. */
static struct plan_day first_day(const struct item *item) {
  if (item->kind == ITEM_MONTH)
    return (struct plan_day){item->day.year, item->day.month, item->early == 1 ? 20 : 1};
  if (item->kind == ITEM_YEAR || item->kind == ITEM_PART)
    return (struct plan_day){
        item->year,
        item->period >= PLAN_Q2 && item->period <= PLAN_Q4 ? 3 * (int)(item->period - PLAN_Q1) + 1 : 1, 1};
  return item->day;
}

static struct plan_day last_day(const struct item *item) {
  if (item->kind == ITEM_MONTH && item->early == -1)
    return (struct plan_day){item->day.year, item->day.month, 10};
  if (item->kind == ITEM_MONTH)
    return plan_month_end(item->day.year, item->day.month, 0);
  if (item->kind == ITEM_PART && item->period >= PLAN_Q1 && item->period <= PLAN_Q4)
    return plan_month_end(item->year, 3 * (int)(item->period - PLAN_Q1) + 3, 0);
  if (item->kind == ITEM_YEAR || item->kind == ITEM_PART)
    return (struct plan_day){item->year, item->period == PLAN_H1 ? 6 : 12, item->period == PLAN_H1 ? 30 : 31};
  return item->day;
}

static void set_ends(struct plan_window *w, struct plan_day day, int months) {
  plan_day_text(day, w->ends);
  if (months <= 0)
    return;
  int whole =
      day.day > 15 ? 1 - months : -months; /* a fiscal month may end in the first days of the next one */
  set_range(w, plan_month_start(day.year, day.month, whole), day);
}

static unsigned reports_of(enum plan_period period) {
  return period == PLAN_FY || period == PLAN_Q4 || period == PLAN_H2 ? REPORTS_ANNUAL : REPORTS_QUARTER;
}

static void add_fiscal(struct window_scan *s, struct plan *plan, const struct item *item,
                       enum plan_period period) {
  static const int ends[] = {12, 3, 6, 9, 12, 6, 12, 9, 12}, months[] = {12, 3, 3, 3, 3, 6, 6, 9, 12};
  struct plan_window *w = add_window(plan);
  if (w == NULL)
    return;
  s->when->reports |= reports_of(period);
  if (item->how == YEAR_CALENDAR || s->when->holdings) {
    set_ends(w, plan_month_end(item->year, ends[period], 0), months[period]);
    return;
  }
  w->year = item->year;
  w->period = period;
}

static void window_of_year(struct window_scan *s, struct plan *plan, const struct item *item) {
  struct plan_window *w;
  if (s->when->holdings && item->year_end) {
    if ((w = add_window(plan)) != NULL)
      plan_day_text((struct plan_day){item->year, 12, 31}, w->ends);
  } else if (item->filed || s->when->event_form) {
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
  if (item->year) {
    add_fiscal(s, plan, item, item->period);
  } else if ((w = add_window(plan)) != NULL) {
    w->latest = 1;
    w->count = 1;
    w->period = item->period;
    s->when->reports |= reports_of(item->period);
  }
}

/* A day or a month; a meeting's proxy statement is filed in the months before it. */
static void window_of_date(struct window_scan *s, struct plan *plan, const struct item *item) {
  static const char *const meeting[] = {"meeting", "meetings", NULL};
  struct plan_window *w = add_window(plan);
  if (w == NULL)
    return;
  int meets =
      word_of(s, item->to, meeting) || word_of(s, item->to + 1, meeting) || word_of(s, item->to + 2, meeting);
  struct plan_day from = first_day(item), until = last_day(item);
  if (s->when->event_form && meets)
    from = plan_month_start(from.year, from.month, -3);
  if (item->filed || s->when->event_form) {
    set_range(w, from, until);
    w->by_filing = 1;
  } else if (item->kind == ITEM_DAY || item->lead == LEAD_AS_OF) {
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
  case ITEM_HOLIDAY:
    if ((w = add_window(plan)) != NULL)
      set_range(w, (struct plan_day){item->day.year, 12, 15}, (struct plan_day){item->day.year + 1, 2, 8});
    s->when->reports |= REPORTS_QUARTER | REPORTS_ANNUAL;
    break;
  case ITEM_SPAN:
    if ((w = add_window(plan)) != NULL) {
      set_range(w, item->day, (struct plan_day){0, 0, 0});
      w->by_filing = 1;
    }
    break;
  case ITEM_MONTH:
  case ITEM_DAY:
    window_of_date(s, plan, item);
    break;
  case ITEM_LATEST:
    window_of_latest(s, plan, item);
    break;
  case ITEM_NOTHING:
    break;
  }
}

/* Item i opens a range: "since 2022", "2019-2023", "until March 2024".  How many items it took, 0 for none. */
static size_t window_add_range(struct window_scan *s, struct plan *plan, size_t i) {
  const struct item *a = &s->items[i], *b = i + 1 < s->count ? &s->items[i + 1] : NULL;
  struct plan_day none = {0, 0, 0}, from = none, until = none;
  int closed = b && (b->linked == 2 || (b->linked == 1 && a->lead == LEAD_BETWEEN)) && b->kind != ITEM_LATEST;
  if (a->kind == ITEM_LATEST || a->kind == ITEM_NOTHING || a->kind == ITEM_ENDS || a->kind == ITEM_HOLIDAY ||
      a->kind == ITEM_SPAN)
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
  struct plan_window *w = add_window(plan);
  if (w != NULL) {
    set_range(w, from, until);
    w->by_filing = a->filed || s->when->event_form;
  }
  s->when->reports |= a->kind == ITEM_YEAR ? REPORTS_ANNUAL : REPORTS_ANNUAL | REPORTS_QUARTER;
  return closed ? 2 : 1;
}

/* "as of January 2025": what was known then; a whole date, and a month that ends a quarter, is a balance sheet's. */
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
  static item_reader *const readers[] = {read_nothing,  read_ended,       read_month_quarter,
                                         read_trailing, read_span,        read_latest,
                                         read_part,     window_read_date, read_year};
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
    for (size_t k = item.from; k < item.to && k < s->t->count; k++)
      s->taken[k] = s->taken[k] ? s->taken[k] : TAKEN_PERIOD;
    i = item.to;
    s->items[s->count++] = item;
  }
}

/* A shorter second year: "2023-24", "2019/20". */
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

void plan_read_windows(const struct plan_text *t, uint8_t *taken, struct plan_when *when, struct plan *plan) {
  struct window_scan s = {.t = t, .taken = taken, .when = when, .today = plan_day_of(when->now)};
  when->bad = NULL;
  read_items(&s);
  read_short_seconds(&s);
  bind_years(&s);
  share_parts(&s);
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

/* "2024", "2024-03", "2024-03-05": its first and last day. */
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
