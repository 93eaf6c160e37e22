/* period_items.c: what the words of a period mean on a day: "last June", "the holidays", "two years ago". */
#include "period/period.h"

#include "base/day.h"
#include "base/xalloc.h"

#include <stdlib.h>

static const char *const bad_reasons[] = {
    [BAD_QUARTER] = "a year has four quarters",
    [BAD_QUARTER_AGO] = "say which quarter, such as Q2 2024",
    [BAD_OLDEST] = "filings can be counted from the latest only; name a year",
    [BAD_DATE] = "no calendar has that day",
};

int period_is(const struct period_reading *r, size_t i, const char *word) {
  return plan_text_is(r->text.t, i, word);
}

int period_in(const struct period_reading *r, size_t i, unsigned class) {
  return period_word_is(&r->text, i, class);
}

static int this_year(const struct period_reading *r) {
  return day_year(r->today);
}

void period_part_months(enum period_part part, int *first, int *last) {
  static const struct {
    int first, last;
  } months[] = {
      [PART_ANY] = {1, 12}, [PART_Q1] = {1, 3},  [PART_Q2] = {4, 6}, [PART_Q3] = {7, 9}, [PART_Q4] = {10, 12},
      [PART_H1] = {1, 6},   [PART_H2] = {7, 12}, [PART_9M] = {1, 9}, [PART_FY] = {1, 12}};
  *first = months[part].first;
  *last = months[part].last;
}

int32_t period_first_day(const struct period_item *item) {
  int first, last;
  period_part_months(item->part, &first, &last);
  if (item->kind == ITEM_MONTH)
    return item->day + (item->early == 1 ? 19 : 0);
  return item->kind == ITEM_YEAR || item->kind == ITEM_PART ? day_of(item->year, first, 1) : item->day;
}

int32_t period_last_day(const struct period_item *item) {
  int first, last;
  period_part_months(item->part, &first, &last);
  if (item->kind == ITEM_MONTH)
    return item->early == -1 ? item->day + 9 : day_add_months(item->day, 1) - 1;
  if (item->kind == ITEM_YEAR || item->kind == ITEM_PART)
    return day_month_end(item->year, last, 0);
  return item->kind == ITEM_RANGE ? item->until : item->day;
}

/* ---- years that are none of a period ---- */

/* Whether a date at token i says when something is due, expires or is planned; no report is for that day. "debt
 * maturing in 2028", "obligations due after 2027", "leases that expire between 2026 and 2030"; the nouns for
 * days to come only. */
static int is_due(const struct period_reading *r, size_t i, int year) {
  const struct plan_text *t = r->text.t;
  for (size_t k = i; k-- > 0 && i - k < 8 && !(t->token[k + 1].gap & GAP_SENTENCE);) {
    int other[SLOTS] = {0};
    if (period_in(r, k, PERIOD_CLASS_DUE) ||
        (year >= this_year(r) && period_in(r, k, PERIOD_CLASS_DUE_AHEAD)))
      return 1;
    if (!period_in(r, k, PERIOD_CLASS_DUE_LINK) && !period_rule_at(&r->text, PERIOD_RULE_YEAR, k, other))
      return 0;
  }
  return 0;
}

/* Whether a year to come is one for which something is planned or expected: an earlier report says it. "plan to spend on
 * capex in 2026", "guidance for 2026". */
static int is_intended(const struct period_reading *r, size_t i, int year) {
  for (size_t k = i; year >= this_year(r) && k-- > 0 && !(r->text.t->token[k + 1].gap & GAP_SENTENCE);)
    if (period_in(r, k, PERIOD_CLASS_INTENT) ||
        (period_in(r, k, PERIOD_CLASS_INTENT_TO) && period_is(r, k + 1, "to")))
      return 1;
  return 0;
}

/* Whether a plain number of four digits at token i, up to `to`, is a year of business, not a part of a name or a maturity. */
static int is_business_year(const struct period_reading *r, size_t i, size_t to, int year) {
  const struct plan_text *t = r->text.t;
  const struct plan_token *next = to < t->count ? &t->token[to] : NULL;
  const struct period_item *last = r->count > 0 ? &r->items[r->count - 1] : NULL;
  unsigned gap = t->token[i].gap;
  if (gap & (GAP_DOLLAR | GAP_HASH | GAP_DOT) || (i > 0 && period_is(r, i - 1, "asu")))
    return 0;
  size_t part = i > 0 && period_is(r, i - 1, "of") ? i - 1 : i; /* "the first quarter of 2030" */
  if (gap == GAP_BLANK && last && last->kind == ITEM_PART && last->to == part)
    return 1; /* "Q3 2024 convertible notes" */
  if (year > this_year(r) + (i > 0 && (period_is(r, i - 1, "by") || period_is(r, i - 1, "due")) ? 0 : 1))
    return 0;
  if (next && (next->gap & GAP_PERCENT) && next->letters && next->fold[0] > '9')
    return 0;
  return !period_in(r, to, PERIOD_CLASS_NO_PERIOD) &&
         !(next && period_in(r, to + 1, PERIOD_CLASS_NO_PERIOD) && next->capitals == next->letters);
}

/* ---- what each kind of row means ---- */

/* The latest possible day for a date without year or day, not after today. */
static int32_t whole_day(const struct period_reading *r, int year, int month, int day) {
  int which = year ? year : this_year(r);
  int32_t last = day_month_end(which, month, 0), whole = day ? day_of(which, month, day) : last;
  if (year == 0 && whole > r->today)
    return day ? day_add_months(whole, -12) : day_month_end(which - 1, month, 0);
  return whole < last ? whole : last;
}

static void set_holidays(struct period_item *item, int year) {
  item->kind = ITEM_RANGE; /* the quarter that contains December, or ends soon after it */
  item->how = YEAR_PLAIN;
  item->day = day_of(year, 12, 15);
  item->until = day_of(year + 1, 2, 8);
}

static int settle_ends(const struct period_reading *r, struct period_item *item, const int slot[SLOTS]) {
  int first, last, month = slot[SLOT_MONTH], day = slot[SLOT_DAY], year = slot[SLOT_YEAR];
  if (slot[SLOT_OF_PART]) {
    period_part_months((enum period_part)slot[SLOT_PART], &first, &last);
    item->months = last - first + 1;
  }
  item->months = item->months < 12 ? item->months : 12;
  item->count = slot[SLOT_SAID] ? item->months : 0;
  item->no_year = year == 0;
  item->day = whole_day(r, year, month, day);
  if (slot[SLOT_BEGINS]) {
    year = year ? year : day_year(item->day);
    item->day = day <= 1 ? day_month_end(year, month, item->months - 1)
                         : day_add_months(day_of(year, month, day), item->months) - 1;
  }
  if (item->how != YEAR_FISCAL) /* else the company's fiscal year tells which calendar year that is */
    item->how = YEAR_PLAIN, item->year = 0;
  return 1;
}

/* "summer of 2023", "late 2023"; "last summer": the last one that is over. */
static int settle_season(const struct period_reading *r, struct period_item *item, int month) {
  int year = item->year ? item->year : this_year(r);
  while (!item->year && day_month_end(year, month, item->months - 1) >= r->today)
    year--;
  item->kind = ITEM_RANGE;
  item->how = YEAR_PLAIN;
  item->day = day_of(year, month, 1);
  item->until = day_month_end(year, month, item->months - 1);
  return 1;
}

/* Filings of "last month", "the past two weeks", "this year", "yesterday": "this week" is today's, "past week" ends today,
 * "last week" is the one before today's. */
static int settle_span(const struct period_reading *r, struct period_item *item, const int slot[SLOTS]) {
  int year, month, of_month, days = slot[SLOT_DAYS], months = days ? 0 : slot[SLOT_MONTHS],
                             count = slot[SLOT_COUNT];
  enum period_span lead = (enum period_span)slot[SLOT_LEAD];
  day_split(r->today, &year, &month, &of_month);
  if (slot[SLOT_HOURS]) /* windows have a resolution of days */
    count = ((count ? count : 1) + 23) / 24;
  int32_t start = months      ? day_month_start(year, month, -((month - 1) % months))
                  : days == 7 ? r->today - day_weekday(r->today)
                              : r->today;
  int the = item->from > 0 && period_is(r, item->from - 1, "the");
  int back = lead == SPAN_THIS ? 0 : count > 0 ? count : 1;
  int ends_today = count || lead == SPAN_PAST || the || lead == SPAN_THIS;
  item->kind = ITEM_RANGE;
  item->filed = 1;
  item->until = DAY_NONE;
  if (lead == SPAN_DAY) {
    item->day = item->until = r->today - count;
    return 1;
  }
  int32_t from = lead == SPAN_THIS || !ends_today ? start : r->today;
  item->day = months ? day_add_months(from, -months * back) : from - days * back;
  if (!ends_today)
    item->until = start - 1;
  return 1;
}

/* Whether the latest filing is compared with the one before it, which then needs both: "how did it change since the
 * previous 10-K?" */
static int compares_filings(const struct period_reading *r) {
  for (size_t i = 0; i < r->text.t->count; i++)
    if (period_in(r, i, PERIOD_CLASS_COMPARES))
      return 1;
  return 0;
}

static int settle_latest(const struct period_reading *r, struct period_item *item) {
  item->count = item->count > 0 ? item->count : 1;
  if (item->before && compares_filings(r) && !period_is(r, item->from, "before"))
    item->count = 2, item->before = 0;
  return 1;
}

/* "last year", "this year": a year rather than the latest report; "its last year" is of existence. */
static int settle_named_year(const struct period_reading *r, struct period_item *item, int this_one) {
  size_t i = item->from;
  item->kind = this_one ? ITEM_LATEST : ITEM_YEAR;
  item->months = this_one ? 0 : 12;
  item->count = 1;
  item->year = this_year(r) - !this_one;
  item->how = YEAR_FISCAL;
  if (i > 0 && (period_is(r, i - 1, "its") || period_is(r, i - 1, "their")))
    item->kind = ITEM_NOTHING;
  return 1;
}

static int settle_date(const struct period_reading *r, struct period_item *item, const int slot[SLOTS]) {
  size_t i = item->from;
  if (is_due(r, i, slot[SLOT_YEAR]))
    return 0;
  item->day = whole_day(r, slot[SLOT_YEAR], slot[SLOT_MONTH], slot[SLOT_DAY]);
  item->no_year = slot[SLOT_YEAR] == 0;
  item->kind = slot[SLOT_DAY] ? ITEM_DAY : ITEM_MONTH;
  if (item->kind == ITEM_MONTH)
    item->day = day_month_start(day_year(item->day), slot[SLOT_MONTH], 0);
  item->early = i == 0                         ? 0
                : period_is(r, i - 1, "early") ? -1
                : period_is(r, i - 1, "late")  ? 1
                : period_is(r, i - 1, "mid")   ? 2
                                               : 0;
  item->year = 0;
  return 1;
}

static int settle_year(const struct period_reading *r, struct period_item *item, const int slot[SLOTS]) {
  size_t at = item->from;
  if (slot[SLOT_AGO])
    item->year = this_year(r) - slot[SLOT_AGO];
  if (slot[SLOT_AGO] || item->year < PERIOD_YEAR_FIRST)
    return 1;
  while (period_is(r, at, "year") || period_is(r, at, "yearend") || period_is(r, at, "end") ||
         period_is(r, at, "of"))
    at++;
  if (is_due(r, at, item->year) || is_intended(r, at, item->year)) {
    item->kind = ITEM_NOTHING;
    return 1;
  }
  for (size_t k = item->from; k-- > 0 && item->from - k <= 3 && period_in(r, k, PERIOD_CLASS_WHOLE);)
    item->whole |= period_is(r, k, "full") || period_is(r, k, "whole");
  return item->how != YEAR_PLAIN ||
         is_business_year(r, at, slot[SLOT_AT_END] ? at + 1 : item->to, item->year);
}

/* "at year end", "the year just ended": the newest report of that length; "by year end" is in the future. */
static int settle_about(const struct period_reading *r, struct period_item *item) {
  size_t i = item->from;
  i -= i > 1 && period_is(r, i - 1, "the");
  item->kind = ITEM_NOTHING;
  if (i > 0 && period_in(r, i - 1, PERIOD_CLASS_AHEAD))
    item->months = 0;
  return 1;
}

/* Records an impossible period, which is rejected and reported. */
static int settle_bad(struct period_reading *r, const struct period_item *item, int why) {
  if (r->bad == NULL) {
    r->bad = bad_reasons[why];
    r->bad_from = item->from;
    r->bad_to = item->to;
  }
  return 0;
}

/* Completes an item whose members are the slots: 1, or 0 where it is none after all. */
static int settle(struct period_reading *r, struct period_item *item, const int slot[SLOTS]) {
  switch (item->kind) {
  case ITEM_ENDS:
    return settle_ends(r, item, slot);
  case ITEM_SEASON:
    return settle_season(r, item, slot[SLOT_MONTH]);
  case ITEM_HOLIDAY:
    set_holidays(item, item->year ? item->year : this_year(r) - (day_month(r->today) < 12));
    return 1;
  case ITEM_HOLIDAY_QUARTER:
    item->kind = ITEM_ENDS;
    item->months = 3;
    item->day = whole_day(r, item->year, 12, 0);
    if (item->how != YEAR_FISCAL)
      set_holidays(item, day_year(item->day));
    return 1;
  case ITEM_SPAN:
    return settle_span(r, item, slot);
  case ITEM_LATEST:
    return settle_latest(r, item);
  case ITEM_THIS_YEAR:
  case ITEM_LAST_YEAR:
    return settle_named_year(r, item, item->kind == ITEM_THIS_YEAR);
  case ITEM_DATE:
    return settle_date(r, item, slot);
  case ITEM_YEAR:
    return settle_year(r, item, slot);
  case ITEM_ABOUT:
    return settle_about(r, item);
  case ITEM_BAD:
    return settle_bad(r, item, slot[SLOT_WHY]);
  case ITEM_TO_DATE:
    item->count = 1;
    item->at_end = slot[SLOT_TO_DATE];
    return 1;
  case ITEM_EARLIER: /* "a year ago" has a period of its own, unless it is compared with */
    item->count = slot[SLOT_ALONE] && !(item->from > 0 && period_in(r, item->from - 1, PERIOD_CLASS_THAN));
    item->linked = slot[SLOT_YOY];
    return 1;
  default:
    return 1;
  }
}

/* ---- words beside an item ---- */

/* The relation expressed by the words before token i. */
static enum period_lead lead_before(const struct period_reading *r, size_t i) {
  int slot[SLOTS] = {0};
  for (size_t words = 2; words > 0; words--)
    if (i >= words && period_rule_at(&r->text, PERIOD_RULE_LEAD, i - words, slot) == words)
      return (enum period_lead)slot[SLOT_LEAD];
  return LEAD_NONE;
}

/* Whether filings of any form are asked for, of that year: "filings 2024", "what did Exxon file in 2024". */
static int is_of_filings(const struct period_reading *r, const struct period_item *item) {
  size_t before = item->from;
  if ((r->given & PERIOD_IF_NAMED) || (item->kind != ITEM_YEAR && item->kind != ITEM_PART) ||
      item->how != YEAR_PLAIN)
    return 0;
  while (before > 0 && period_in(r, before - 1, PERIOD_CLASS_FILINGS_LINK))
    before--;
  return (before > 0 && period_in(r, before - 1, PERIOD_CLASS_FILINGS)) ||
         period_in(r, item->to, PERIOD_CLASS_FILINGS);
}

/* Sets whether the item is of filing dates by the words before token i, where its lead begins. */
static void note_filed(const struct period_reading *r, struct period_item *item, size_t i) {
  if (item->lead == LEAD_NONE && i == item->from) {
    item->filed |= period_in(r, i - 1, PERIOD_CLASS_FILED);
    return;
  }
  item->filed |= item->kind == ITEM_MONTH && (item->lead == LEAD_BETWEEN || period_is(r, i - 1, "of")) &&
                 i > 1 && r->taken[i - 2] == TAKEN_FORM;
  for (size_t back = 1; back <= 5 && back <= i && !item->filed; back++)
    item->filed = period_in(r, i - back, PERIOD_CLASS_FILED);
}

/* Sets the item's lead and whether it is of filing dates by the words around it: "since", "filed in", "2019 or earlier". */
static void note_lead(struct period_reading *r, struct period_item *item) {
  size_t i = item->from, steps = 0;
  int behind[SLOTS] = {0};
  if (i > 1 && period_is(r, i - 1, "of") && period_in(r, i - 2, PERIOD_CLASS_ENDS)) {
    item->at_end = 1;
    i -= 2;
    i -= i > 0 && period_is(r, i - 1, "the");
    memset(r->taken + i, TAKEN_PERIOD, item->from - i);
  }
  if (i > 1 && period_is(r, i - 1, "of") && period_is(r, i - 2, "as")) {
    item->lead = LEAD_AS_OF;
    memset(r->taken + i - 2, TAKEN_PERIOD, 2);
    return;
  }
  while (i > 0 && lead_before(r, i) == LEAD_NONE && period_in(r, i - 1, PERIOD_CLASS_BEHIND_LEAD) &&
         steps++ < 3 && !(period_is(r, i - 1, "of") && i > 1 && period_is(r, i - 2, "as")))
    i--;
  item->lead = lead_before(r, i);
  period_rule_at(&r->text, PERIOD_RULE_LEAD_BEHIND, item->to, behind);
  if (item->lead == LEAD_BETWEEN && period_is(r, item->to, "on")) /* "from 2020 on" */
    behind[SLOT_LEAD] = LEAD_SINCE;
  if (behind[SLOT_LEAD] != LEAD_NONE && item->kind != ITEM_LATEST)
    item->lead = (enum period_lead)behind[SLOT_LEAD];
  if (is_of_filings(r, item))
    item->filed = 1;
  if (i > 0)
    note_filed(r, item, i);
}

static struct period_item item_of(const struct period_range *range, const int slot[SLOTS]) {
  enum period_kind kind = (enum period_kind)slot[SLOT_KIND];
  int has_length = kind != ITEM_PART && kind != ITEM_YEAR && kind != ITEM_TO_DATE && kind != ITEM_EARLIER;
  return (struct period_item){.kind = kind,
                              .from = range->from,
                              .to = range->to,
                              .year = slot[SLOT_YEAR],
                              .how = (enum period_year_kind)slot[SLOT_HOW],
                              .part = kind == ITEM_PART ? (enum period_part)slot[SLOT_PART] : PART_ANY,
                              .months = has_length ? slot[SLOT_MONTHS] : 0,
                              .count = slot[SLOT_COUNT],
                              .before = slot[SLOT_BEFORE],
                              .counted = slot[SLOT_COUNTED],
                              .at_end = slot[SLOT_AT_END],
                              .day = DAY_NONE,
                              .until = DAY_NONE};
}

/* The item at token i: 1, or 0 for none. */
static int item_read(struct period_reading *r, size_t i, struct period_item *item) {
  struct period_range range;
  int slot[SLOTS];
  for (unsigned row = 0; period_item_at(&r->text, PERIOD_RULE_ITEM, i, r->given, &row, &range, slot); row++) {
    *item = item_of(&range, slot);
    if (settle(r, item, slot))
      return 1;
  }
  return 0;
}

struct period_reading *period_read(const struct plan_text *t, uint8_t *taken, unsigned given, int32_t today) {
  struct period_reading *r = xmalloc(sizeof *r);
  r->taken = taken;
  r->given = given;
  r->today = today;
  r->count = 0;
  r->bad = NULL;
  period_text_read(&r->text, &period_grammar, t, taken);
  for (size_t i = 0; i < t->count && r->count < PERIOD_ITEMS;) {
    struct period_item *item = &r->items[r->count];
    if (taken[i] || !item_read(r, i, item)) {
      i++;
      continue;
    }
    note_lead(r, item);
    int names_time = item->kind != ITEM_NOTHING || item->months == 0; /* "at year end" names none */
    for (size_t k = item->from; k < item->to; k++)
      taken[k] = taken[k] || !names_time ? taken[k] : TAKEN_PERIOD;
    i = item->to;
    r->count++;
  }
  return r;
}

void period_free(struct period_reading *r) {
  free(r);
}
