/* plan_period_links.c: items that complete each other: "second quarter" and "fiscal 2023", "Q1 and Q2 2024". */
#include "query/plan_period_items.h"

#include "tables/period_words.h"

#define YEAR_SPAN 40 /* years: "2019-90" is no range */

/* How two items are linked: 0 not, 1 enumerated, 2 a range. */
static int link_between(const struct plan_scan *s, const struct plan_item *a, const struct plan_item *b) {
  static const char *const range[] = {PERIOD_WORDS_RANGE, NULL};
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
    else if (plan_item_word_in(s, i, list))
      link = 1;
    else if (plan_item_word_in(s, i, range) && link == 0)
      link = 2;
    else if (!plan_item_word_in(s, i, filler))
      return 0;
  }
  return link;
}

void plan_item_months(enum plan_period period, int *first, int *last) {
  static const int firsts[] = {1, 1, 4, 7, 10, 1, 7, 1, 1}, lasts[] = {12, 3, 6, 9, 12, 6, 12, 9, 12};
  *first = firsts[period];
  *last = lasts[period];
}

struct plan_day plan_item_first_day(const struct plan_item *item) {
  int first, last;
  plan_item_months(item->period, &first, &last);
  if (item->kind == ITEM_MONTH)
    return (struct plan_day){item->day.year, item->day.month, item->early == 1 ? 20 : 1};
  if (item->kind == ITEM_YEAR || item->kind == ITEM_PART)
    return (struct plan_day){item->year, first, 1};
  return item->day;
}

struct plan_day plan_item_last_day(const struct plan_item *item) {
  int first, last;
  plan_item_months(item->period, &first, &last);
  if (item->kind == ITEM_MONTH && item->early == -1)
    return (struct plan_day){item->day.year, item->day.month, 10};
  if (item->kind == ITEM_MONTH)
    return plan_month_end(item->day.year, item->day.month, 0);
  if (item->kind == ITEM_YEAR || item->kind == ITEM_PART)
    return plan_month_end(item->year, last, 0);
  return item->kind == ITEM_RANGE ? item->until : item->day;
}

/* Whether only words that link a part to its year are in between: "of", "in", "the", "fiscal". */
static const char *const of_year[] = {PERIOD_WORDS_OF_YEAR, NULL}, *const to_date[] = {PERIOD_WORDS_TO_DATE,
                                                                                       NULL};

static int bound(const struct plan_scan *s, const struct plan_item *a, const struct plan_item *b,
                 const char *const *filler) {
  unsigned gap = s->t->token[b->from].gap;
  if (b->from > a->to + 4 || (gap & GAP_SENTENCE) || ((gap & GAP_STOP) && !(gap & GAP_OPEN)))
    return 0;
  for (size_t i = a->to; i < b->from; i++)
    if (s->taken[i] != TAKEN_FORM && !plan_item_word_in(s, i, filler))
      return 0;
  return 1;
}

static void drop_item(struct plan_scan *s, size_t i) {
  memmove(&s->items[i], &s->items[i + 1], (s->count - i - 1) * sizeof *s->items);
  s->count--;
}

/* "YTD 2024", "TTM June 2025": a named period selects one; the last year-to-date period within a year's reports is
 * nine months. */
static void bind_to_date(struct plan_scan *s) {
  int two =
      s->count == 2 || (s->count == 3 && s->items[0].kind == ITEM_TO_DATE && s->items[1].kind == ITEM_PART &&
                        s->items[2].kind == ITEM_YEAR); /* one beside "Q2 2025" */
  for (size_t i = 0; i < s->count; i++) {
    struct plan_item *a = &s->items[i], *b = i + 1 < s->count ? &s->items[i + 1] : NULL,
                     *c = i > 0 ? &s->items[i - 1] : NULL;
    if (a->kind != ITEM_TO_DATE)
      continue;
    struct plan_item *part = c && c->kind == ITEM_PART && bound(s, c, a, to_date) ? c : NULL;
    struct plan_item *other = part                                    ? part
                              : b && (bound(s, a, b, to_date) || two) ? b
                              : c && (bound(s, c, a, to_date) || two) ? c
                                                                      : NULL;
    int year_to_date = a->at_end;
    a->kind = other ? ITEM_NOTHING : ITEM_LATEST;
    if (other && other->kind == ITEM_YEAR && year_to_date && other->year == s->today.year)
      *other = (struct plan_item){.kind = ITEM_LATEST, .from = other->from, .to = other->to, .count = 1};
    else if (other && other->kind == ITEM_YEAR && year_to_date)
      other->kind = ITEM_PART, other->period = PLAN_9M;
    else if (other && (other->kind == ITEM_MONTH || other->kind == ITEM_DAY)) {
      other->day = other->kind == ITEM_DAY ? other->day : plan_item_last_day(other);
      other->kind = ITEM_ENDS;
      other->months = other->count = year_to_date ? 0 : 12;
    }
    if (other)
      drop_item(s, i--);
  }
}

/* Combines "Q2" and "2025" in either order; "this year" counts as a year here. */
static void bind_years(struct plan_scan *s) {
  for (size_t i = 0; i + 1 < s->count; i++) {
    struct plan_item *a = &s->items[i], *b = &s->items[i + 1];
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

/* Whether a word that lists stands right before or behind an item: "2024 revenue and Q2 margin". */
static int is_enumerated(const struct plan_scan *s, const struct plan_item *a, const struct plan_item *b) {
  static const char *const list[] = {PERIOD_WORDS_LISTED, NULL}, *const year[] = {PERIOD_WORDS_BEFORE_UNIT,
                                                                                  "the", NULL};
  size_t i = b->from;
  while (i > a->to + 1 && plan_item_word_in(s, i - 1, year))
    i--;
  return plan_item_word_in(s, a->to, list) || plan_item_word_in(s, i - 1, list) || s->t->token[a->to].amp ||
         s->t->token[i - 1].amp;
}

/* A quarter beside the only year of its clause is of that year, whatever stands between: "Q2 revenue 2024", "2024 revenue in
 * the second quarter". The year remains where it is listed too: "Q4 margin and 2024 revenue". */
static void share_lone_year(struct plan_scan *s) {
  for (size_t i = 0; i + 1 < s->count; i++) {
    struct plan_item *a = &s->items[i], *b = &s->items[i + 1];
    struct plan_item *part = a->kind == ITEM_PART ? a : b, *year = a->kind == ITEM_PART ? b : a;
    if (part->kind != ITEM_PART || part->year || part->counted || year->kind != ITEM_YEAR || year->at_end)
      continue;
    size_t k = a->to;
    while (k <= b->from && !(s->t->token[k].gap & (GAP_SENTENCE | GAP_STOP)))
      k++;
    if (k <= b->from)
      continue;
    part->year = year->year;
    part->how = part->how == YEAR_CALENDAR ? part->how : year->how;
    part->filed |= year->filed;
    if (!year->whole && !is_enumerated(s, a, b))
      drop_item(s, year == a ? i : i + 1);
  }
}

/* "Q1 revenue and Q2 revenue 2024": other quarters of the only year that is named. */
static void share_year_of_parts(struct plan_scan *s) {
  const struct plan_item *dated = NULL;
  for (size_t i = 0; i < s->count; i++) {
    const struct plan_item *item = &s->items[i];
    if (item->kind != ITEM_PART || !item->year)
      continue;
    if (dated && dated->year != item->year)
      return;
    dated = item;
  }
  for (size_t i = 0; i < s->count && dated; i++) {
    struct plan_item *item = &s->items[i];
    if (item->kind == ITEM_PART && !item->year && !item->counted && item->period != dated->period)
      item->year = dated->year, item->how = dated->how;
  }
}

/* "January to September 2024": the nine months that end then, of reports on a period; the first month is of the same year. */
static void share_months(struct plan_scan *s) {
  for (size_t i = 0; i + 1 < s->count; i++) {
    struct plan_item *a = &s->items[i], *b = &s->items[i + 1];
    if (a->kind != ITEM_MONTH || b->kind != ITEM_MONTH ||
        (b->linked != 2 && !(b->linked == 1 && a->lead == LEAD_BETWEEN)))
      continue;
    if (a->day.year * 12 + a->day.month > b->day.year * 12 + b->day.month)
      a->day.year = b->day.year - (a->day.month > b->day.month);
    int months = (b->day.year - a->day.year) * 12 + b->day.month - a->day.month + 1;
    if (s->when->event_form || a->filed || b->filed ||
        (months != 3 && months != 6 && months != 9 && months != 12))
      continue;
    *a = (struct plan_item){.kind = ITEM_ENDS,
                            .from = a->from,
                            .to = b->to,
                            .months = months,
                            .count = months,
                            .day = plan_item_last_day(b)};
    drop_item(s, i + 1);
  }
}

/* A quarter without a year beside the month or day of its report: "Q3 results, October 2024"; "Q2 (June 2019)" ended then. */
static void share_lone_date(struct plan_scan *s) {
  struct plan_item *part = NULL, *date = NULL;
  for (size_t i = 0; i < s->count; i++) {
    struct plan_item *item = &s->items[i];
    int dated = (item->kind == ITEM_MONTH || item->kind == ITEM_DAY) && item->lead <= LEAD_NONE;
    if ((item->kind == ITEM_PART && part) || (dated && date) ||
        !(dated || (item->kind == ITEM_PART && !item->year && !item->counted)))
      return;
    part = item->kind == ITEM_PART ? item : part;
    date = dated ? item : date;
  }
  if (part == NULL || date == NULL)
    return;
  int first, last;
  plan_item_months(part->period, &first, &last);
  if (date->from == part->to && date->kind == ITEM_MONTH && date->day.month % 3 == 0 && !date->filed) {
    *date = (struct plan_item){.kind = ITEM_ENDS,
                               .from = part->from,
                               .to = date->to,
                               .months = last - first + 1,
                               .day = plan_item_last_day(date)};
  } else {
    date->told = 1;
    date->period = part->period;
  }
  drop_item(s, (size_t)(part - s->items));
}

/* "guidance for Q1 2026": a year for which something is planned has no quarter of a report. */
static void drop_intended(struct plan_scan *s) {
  for (size_t i = s->count; i-- > 1;)
    if (s->items[i].kind == ITEM_NOTHING && s->items[i].year && s->items[i - 1].kind == ITEM_PART &&
        s->items[i - 1].year == 0 && bound(s, &s->items[i - 1], &s->items[i], of_year))
      drop_item(s, i - 1);
}

/* "the first 10-Q after the merger" names no quarter. */
static void drop_counted(struct plan_scan *s) {
  for (size_t i = s->count; i-- > 0;)
    if (s->items[i].counted && s->items[i].year == 0)
      drop_item(s, i);
}

/* Resolves "the same quarter last year" beside a period with its year. */
static void share_earlier(const struct plan_item *a, struct plan_item *b, struct plan_day today) {
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
    *b = (struct plan_item){
        .kind = ITEM_YEAR, .from = b->from, .to = b->to, .year = today.year - 1, .how = YEAR_FISCAL};
  } else {
    b->kind = ITEM_NOTHING; /* the comparison period of a report */
  }
}

/* "quarter ended June 2024 and June 2023", "... December 31, 2024 and 2023". */
static void share_end(const struct plan_item *a, struct plan_item *b) {
  if (b->kind == ITEM_YEAR)
    b->day = (struct plan_day){b->year, a->day.month, a->day.day};
  else
    b->day = plan_item_last_day(b);
  if (b->day.day > plan_days_of_month(b->day.year, b->day.month))
    b->day.day = plan_days_of_month(b->day.year, b->day.month);
  b->kind = ITEM_ENDS;
  b->months = a->months;
  b->count = a->count;
  b->how = a->how;
  b->year = a->how == YEAR_FISCAL ? b->day.year : 0;
}

/* "Q2 2023 vs 2024", "Q1 and Q2 2024": each item completes the other. */
static void share_parts(struct plan_scan *s) {
  static const char *const versus[] = {"vs", "versus", "than", NULL};
  for (size_t i = 0; i < s->count; i++) {
    struct plan_item *a = i > 0 ? &s->items[i - 1] : NULL, *b = &s->items[i];
    b->linked = a ? link_between(s, a, b) : 0;
    if (a && b->linked == 0 && b->from > a->to && plan_item_word_in(s, b->from - 1, versus))
      b->linked = 1;
    if (b->kind == ITEM_EARLIER)
      share_earlier(a, b, s->today);
    if (b->linked && a->kind == ITEM_LATEST && b->kind == ITEM_LATEST && a->count == 1 && b->count == 1 &&
        a->months == b->months && a->months && !a->year && !b->year) { /* "this quarter vs last quarter" */
      a->count = 2;
      b->kind = ITEM_NOTHING;
    }
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
    struct plan_item *a = &s->items[i - 1], *b = &s->items[i];
    if (b->linked && a->kind == ITEM_PART && a->year == 0 && b->kind == ITEM_PART)
      a->year = b->year, a->how = b->how;
  }
  for (size_t i = 1; i < s->count; i++) { /* "2024 Q1-Q2" */
    struct plan_item *a = &s->items[i - 1], *b = &s->items[i];
    if (b->linked && a->kind == ITEM_PART && b->kind == ITEM_PART && b->year == 0 && b->period > a->period)
      b->year = a->year, b->how = a->how;
  }
}

/* A shortened second year: "2023-24", "2019/20". */
static void read_short_seconds(struct plan_scan *s) {
  for (size_t i = 0; i < s->count && s->count < PLAN_ITEMS; i++) {
    const struct plan_item *a = &s->items[i];
    const struct plan_token *next = &s->t->token[a->to];
    if (a->kind != ITEM_YEAR || a->to >= s->t->count || next->digits != 2 || next->letters ||
        !(next->gap & (GAP_HYPHEN | GAP_SLASH)) || s->taken[a->to])
      continue;
    int year = a->year / 100 * 100 + (int)plan_token_number(next);
    if (year <= a->year || year > a->year + YEAR_SPAN)
      continue;
    struct plan_item b = {.kind = ITEM_YEAR, .from = a->to, .to = a->to + 1, .year = year, .how = a->how};
    memmove(&s->items[i + 2], &s->items[i + 1], (s->count - i - 1) * sizeof *s->items);
    s->items[i + 1] = b;
    s->count++;
    s->taken[b.from] = TAKEN_PERIOD;
  }
}

/* Future days don't refer to a filing: "maintenance planned after March 2028", "lease expiring on 30 June 2031".
 * Fiscal years and quarters may, depending on the company's calendar. */
static void drop_ahead(struct plan_scan *s) {
  for (size_t i = s->count; i-- > 0;) {
    const struct plan_item *item = &s->items[i];
    int dated = item->kind == ITEM_MONTH || item->kind == ITEM_DAY || item->kind == ITEM_RANGE,
        opens = item->lead == LEAD_SINCE || item->lead == LEAD_AFTER || item->lead == LEAD_UNTIL ||
                item->lead == LEAD_BEFORE || item->lead == LEAD_BETWEEN;
    if (item->filed || !(dated || (opens && item->kind == ITEM_YEAR)) ||
        plan_day_order(plan_item_first_day(item), s->today) <= 0)
      continue;
    memset(s->taken + item->from, TAKEN_NOT, item->to - item->from);
    drop_item(s, i);
  }
}

void plan_period_items_link(struct plan_scan *s) {
  drop_ahead(s);
  read_short_seconds(s);
  bind_to_date(s);
  bind_years(s);
  drop_intended(s);
  drop_counted(s);
  share_lone_year(s);
  share_parts(s);
  share_year_of_parts(s);
  share_months(s);
  share_lone_date(s);
}
