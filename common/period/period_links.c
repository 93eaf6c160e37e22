/* period_links.c: items complete each other: "second quarter" and "fiscal 2023", "Q1 and Q2 2024", "2019 to 2021". */
#include "period/period.h"

#include "base/day.h"

#define YEAR_SPAN 40 /* years: "2019-90" is no range */

enum { LINK_LIST = 1, LINK_RANGE };

/* How two items are linked: 0 not, LINK_LIST or LINK_RANGE. */
static int link_between(const struct period_reading *r, const struct period_item *a,
                        const struct period_item *b) {
  const struct plan_text *t = r->text.t;
  size_t i = a->to;
  int link = 0;
  if (b->from == a->to)
    return t->token[b->from].gap & (GAP_HYPHEN)              ? LINK_RANGE
           : t->token[b->from].gap & (GAP_COMMA | GAP_SLASH) ? LINK_LIST
                                                             : 0;
  if (b->from > a->to + 4)
    return 0;
  for (; i < b->from; i++) {
    if (t->token[i].amp || period_in(r, i, PERIOD_CLASS_LISTED))
      link = LINK_LIST;
    else if (period_in(r, i, PERIOD_CLASS_RANGE) && link == 0)
      link = LINK_RANGE;
    else if (!period_in(r, i, PERIOD_CLASS_LINKED))
      return 0;
  }
  return link;
}

/* Whether only words of a class, or a form's name, are between two items: "of", "in", "the", "fiscal". */
static int is_bound(const struct period_reading *r, const struct period_item *a, const struct period_item *b,
                    unsigned class) {
  unsigned gap = r->text.t->token[b->from].gap;
  if (b->from > a->to + 4 || (gap & GAP_SENTENCE) || ((gap & GAP_STOP) && !(gap & GAP_OPEN)))
    return 0;
  for (size_t i = a->to; i < b->from; i++)
    if (r->taken[i] != TAKEN_FORM && !period_in(r, i, class))
      return 0;
  return 1;
}

static int is_of_year(const struct period_reading *r, const struct period_item *a,
                      const struct period_item *b) {
  return is_bound(r, a, b, PERIOD_CLASS_OF_YEAR);
}

static void drop_item(struct period_reading *r, size_t i) {
  memmove(&r->items[i], &r->items[i + 1], (r->count - i - 1) * sizeof *r->items);
  r->count--;
}

static void adopt_year(struct period_item *part, const struct period_item *year) {
  part->year = year->year;
  part->how = part->how == YEAR_CALENDAR ? part->how : year->how;
}

/* Makes an item a period of so many months that ends on a day. */
static void set_ends(struct period_item *item, int months, int32_t day) {
  *item = (struct period_item){
      .kind = ITEM_ENDS, .from = item->from, .to = item->to, .months = months, .day = day, .until = DAY_NONE};
}

/* The last year-to-date period within a year's reports is nine months; of a month's end it is a length unknown. */
static void select_to_date(const struct period_reading *r, struct period_item *other, int year_to_date) {
  if (other->kind == ITEM_YEAR && year_to_date && other->year == day_year(r->today)) {
    *other = (struct period_item){.kind = ITEM_LATEST, .from = other->from, .to = other->to, .count = 1};
  } else if (other->kind == ITEM_YEAR && year_to_date) {
    other->kind = ITEM_PART, other->part = PART_9M;
  } else if (other->kind == ITEM_MONTH || other->kind == ITEM_DAY) {
    other->day = other->kind == ITEM_DAY ? other->day : period_last_day(other);
    other->kind = ITEM_ENDS;
    other->months = other->count = year_to_date ? 0 : 12;
  }
}

/* "YTD 2024", "TTM June 2025": a period named beside selects one. */
static void bind_to_date(struct period_reading *r) {
  int two =
      r->count == 2 || (r->count == 3 && r->items[0].kind == ITEM_TO_DATE && r->items[1].kind == ITEM_PART &&
                        r->items[2].kind == ITEM_YEAR); /* one beside "Q2 2025" */
  for (size_t i = 0; i < r->count; i++) {
    struct period_item *a = &r->items[i], *b = i + 1 < r->count ? a + 1 : NULL, *c = i > 0 ? a - 1 : NULL;
    if (a->kind != ITEM_TO_DATE)
      continue;
    int before = c && (two || is_bound(r, c, a, PERIOD_CLASS_TO_DATE)),
        behind = b && (two || is_bound(r, a, b, PERIOD_CLASS_TO_DATE)),
        part = c && c->kind == ITEM_PART && is_bound(r, c, a, PERIOD_CLASS_TO_DATE);
    struct period_item *other = part ? c : behind ? b : before ? c : NULL;
    a->kind = other ? ITEM_NOTHING : ITEM_LATEST;
    if (other) {
      select_to_date(r, other, a->at_end);
      drop_item(r, i--);
    }
  }
}

/* Combines "Q2" and "2025" in either order; "this year" counts as a year here. */
static void bind_years(struct period_reading *r) {
  for (size_t i = 0; i + 1 < r->count; i++) {
    struct period_item *a = &r->items[i], *b = a + 1;
    if (!is_of_year(r, a, b))
      continue;
    if (a->kind == ITEM_LATEST && a->year && b->kind == ITEM_PART)
      a->kind = ITEM_YEAR;
    if (b->kind == ITEM_LATEST && b->year && a->kind == ITEM_PART)
      b->kind = ITEM_YEAR;
    if (a->kind == ITEM_PART && a->year == 0 && b->kind == ITEM_YEAR) {
      adopt_year(a, b);
      a->to = b->to;
      drop_item(r, i + 1);
    } else if (a->kind == ITEM_YEAR && b->kind == ITEM_PART && b->year == 0 && !a->at_end &&
               !(i + 2 < r->count && b[1].kind == ITEM_YEAR && is_of_year(r, b, b + 1))) {
      adopt_year(b, a);
      b->from = a->from;
      b->lead = a->lead;
      b->filed = a->filed;
      drop_item(r, i);
    }
  }
}

/* Whether a word that lists stands right before or behind an item: "2024 revenue and Q2 margin". */
static int is_enumerated(const struct period_reading *r, const struct period_item *a,
                         const struct period_item *b) {
  const struct plan_text *t = r->text.t;
  size_t i = b->from;
  while (i > a->to + 1 && (period_in(r, i - 1, PERIOD_CLASS_BEFORE_UNIT) || period_is(r, i - 1, "the")))
    i--;
  return period_in(r, a->to, PERIOD_CLASS_LISTED) || period_in(r, i - 1, PERIOD_CLASS_LISTED) ||
         t->token[a->to].amp || t->token[i - 1].amp;
}

/* A quarter beside the only year of its clause is of that year, whatever stands between: "Q2 revenue 2024", "2024 revenue in
 * the second quarter". The year remains where it is listed too: "Q4 margin and 2024 revenue". */
static void share_lone_year(struct period_reading *r) {
  for (size_t i = 0; i + 1 < r->count; i++) {
    struct period_item *a = &r->items[i], *b = a + 1;
    struct period_item *part = a->kind == ITEM_PART ? a : b, *year = a->kind == ITEM_PART ? b : a;
    if (part->kind != ITEM_PART || part->year || part->counted || year->kind != ITEM_YEAR || year->at_end)
      continue;
    size_t k = a->to;
    while (k <= b->from && !(r->text.t->token[k].gap & (GAP_SENTENCE | GAP_STOP)))
      k++;
    if (k <= b->from)
      continue;
    adopt_year(part, year);
    part->filed |= year->filed;
    if (!year->whole && !is_enumerated(r, a, b))
      drop_item(r, year == a ? i : i + 1);
  }
}

static int32_t day_in_year(int32_t day, int year) {
  return day_add_months(day, 12 * (year - day_year(day)));
}

/* Makes a year the quarter or month of it that another item names. */
static void share_part(struct period_item *year, const struct period_item *part) {
  struct period_item of = *part;
  of.from = year->from, of.to = year->to;
  of.lead = year->lead, of.filed = year->filed || part->filed, of.linked = year->linked;
  of.no_year = 0;
  of.how = part->how == YEAR_CALENDAR ? part->how : year->how;
  of.year = part->kind == ITEM_PART || of.how == YEAR_FISCAL ? year->year : 0;
  of.day = part->kind == ITEM_PART ? part->day : day_in_year(part->day, year->year);
  *year = of;
}

/* A quarter or month that is named once beside a list of years is each one's: "December-quarter releases, fiscal 2019 and fiscal
 * 2024", "second quarter: 2019, 2024". */
static void share_listed_years(struct period_reading *r) {
  const struct period_item *first = r->items, *last = r->items + r->count - 1;
  if (r->count < 3 || (first->kind == ITEM_YEAR) == (last->kind == ITEM_YEAR) ||
      (first->kind == ITEM_YEAR ? is_enumerated(r, last - 1, last) : is_enumerated(r, first, first + 1)))
    return; /* "2022, 2023 and the first quarter" */
  const struct period_item part = first->kind == ITEM_YEAR ? *last : *first;
  if (!(part.kind == ITEM_PART
            ? !part.year && !part.counted
            : part.no_year && (part.kind == ITEM_MONTH || (part.kind == ITEM_ENDS && part.months == 3))))
    return;
  if (first->kind != ITEM_YEAR)
    first++;
  else
    last--;
  for (const struct period_item *year = first; year <= last; year++)
    if (year->kind != ITEM_YEAR || year->whole || year->at_end ||
        (year > first && link_between(r, year - 1, year) != LINK_LIST))
      return;
  for (size_t i = r->count; i-- > 0;)
    if (r->items[i].kind == ITEM_YEAR)
      share_part(&r->items[i], &part);
    else
      drop_item(r, i);
}

static int is_date(const struct period_item *item) {
  return item->kind == ITEM_MONTH || item->kind == ITEM_DAY;
}

/* Months and days of a list have the year that the last one names: "June 30 and September 30, 2024", "December and January 2024". */
static void share_date_year(struct period_reading *r) {
  for (size_t i = r->count; i-- > 1;) {
    struct period_item *a = &r->items[i - 1], *b = a + 1;
    if (!is_date(a) || !is_date(b) || !a->no_year || b->no_year || !b->linked)
      continue;
    a->day = day_in_year(a->day, day_year(b->day));
    a->day = a->day > b->day ? day_add_months(a->day, -12) : a->day;
    a->no_year = 0;
  }
}

/* "January to September 2024": the nine months that end then, of reports on a period; the first month is of the same year. */
static void share_months(struct period_reading *r) {
  for (size_t i = 0; i + 1 < r->count; i++) {
    struct period_item *a = &r->items[i], *b = a + 1;
    if (a->kind != ITEM_MONTH || b->kind != ITEM_MONTH ||
        (b->linked != LINK_RANGE && !(b->linked == LINK_LIST && a->lead == LEAD_BETWEEN)))
      continue;
    int first = day_month(a->day), last = day_month(b->day);
    int months = (day_year(b->day) - day_year(a->day)) * 12 + last - first + 1;
    if ((r->given & PERIOD_IF_EVENT) || a->filed || b->filed ||
        (months != 3 && months != 6 && months != 9 && months != 12))
      continue;
    a->to = b->to;
    set_ends(a, months, period_last_day(b));
    a->count = months;
    drop_item(r, i + 1);
  }
}

/* The first such month or day since three months before a part of a fiscal year may end: "Q4 2024 results, late January". */
static int32_t day_of_telling(const struct period_item *date, const struct period_item *part) {
  int first, last;
  period_part_months(part->part, &first, &last);
  int32_t since = day_of(part->year - (last < 6), (last + 6) % 12 + 1, 1), day = date->day;
  while (day < since)
    day = day_add_months(day, 12);
  while (day_add_months(day, -12) >= since)
    day = day_add_months(day, -12);
  return day;
}

/* Whether a quarter may be one whose report was told on a day: one without a year, or any where the report is an event. */
static int is_told_part(const struct period_reading *r, const struct period_item *item) {
  return item->kind == ITEM_PART && (!item->year || (r->given & PERIOD_IF_EVENT)) && !item->counted;
}

/* A quarter beside the month or day of its report: "Q3 results, October 2024"; "Q2 (June 2019)" ended then. */
static void share_lone_date(struct period_reading *r) {
  struct period_item *part = NULL, *date = NULL;
  for (size_t i = 0; i < r->count; i++) {
    struct period_item *item = &r->items[i];
    int dated = (item->kind == ITEM_MONTH || item->kind == ITEM_DAY) && item->lead == LEAD_NONE;
    if ((item->kind == ITEM_PART && part) || (dated && date) || item->linked ||
        !(dated || is_told_part(r, item)))
      return;
    part = item->kind == ITEM_PART ? item : part;
    date = dated ? item : date;
  }
  if (part == NULL || date == NULL)
    return;
  int first, last;
  period_part_months(part->part, &first, &last);
  if (!part->year && date->from == part->to && date->kind == ITEM_MONTH && day_month(date->day) % 3 == 0 &&
      !date->filed) {
    date->from = part->from;
    set_ends(date, last - first + 1, period_last_day(date));
  } else {
    date->told = 1;
    date->part = part->part;
    date->day = part->year && date->no_year ? day_of_telling(date, part) : date->day;
  }
  drop_item(r, (size_t)(part - r->items));
}

/* A month or day without a year beside a quarter with its own is when that was reported, "Q4 2024 revenue, reported in late January":
 * of reports on a period the quarter alone counts.  Where the report is an event, share_lone_date() has taken both. */
static void drop_reported(struct period_reading *r) {
  for (size_t i = r->count; i-- > 0;) {
    const struct period_item *item = &r->items[i];
    int dated = (item->kind == ITEM_MONTH || item->kind == ITEM_DAY) && item->no_year && !item->linked;
    for (size_t k = 0; k < r->count && dated; k++)
      if (r->items[k].kind == ITEM_PART && r->items[k].year && r->items[k].part <= PART_Q4) {
        drop_item(r, i);
        break;
      }
  }
}

/* "guidance for Q1 2026": a year for which something is planned has no quarter of a report; "the first 10-Q after the merger"
 * names no quarter. */
static void drop_parts(struct period_reading *r) {
  for (size_t i = r->count; i-- > 0;) {
    const struct period_item *item = &r->items[i];
    int planned = i + 1 < r->count && item[1].kind == ITEM_NOTHING && item[1].year &&
                  item->kind == ITEM_PART && is_of_year(r, item, item + 1);
    if (item->year == 0 && (planned || item->counted))
      drop_item(r, i);
  }
}

/* Makes b the same period as a in b's year, else in the year before: "the same quarter last year", "YoY". */
static void share_earlier(const struct period_item *a, struct period_item *b, int32_t today) {
  int year = b->year;
  if (b->linked && a && (a->kind == ITEM_PART || a->kind == ITEM_YEAR) && (a->year || year)) {
    b->kind = a->kind;
    b->part = a->part;
    b->how = a->year ? a->how : b->how;
    b->year = year ? year : a->year - 1;
  } else if (b->linked && a && a->kind == ITEM_ENDS) {
    b->kind = ITEM_ENDS;
    b->months = a->months;
    b->how = a->how;
    b->day = day_in_year(a->day, year ? year : day_year(a->day) - 1);
    b->year = a->how == YEAR_FISCAL ? year ? year : a->year - 1 : 0;
  } else if (a == NULL && b->count) {
    *b = (struct period_item){
        .kind = ITEM_YEAR, .from = b->from, .to = b->to, .year = day_year(today) - 1, .how = YEAR_FISCAL};
  } else {
    b->kind = ITEM_NOTHING; /* the comparison period of a report */
  }
}

/* "quarter ended June 2024 and June 2023", "... December 31, 2024 and 2023". */
static void share_end(const struct period_item *a, struct period_item *b) {
  int32_t day = b->kind == ITEM_YEAR ? day_in_year(a->day, b->year) : period_last_day(b);
  set_ends(b, a->months, day);
  b->linked = 1;
  b->count = a->count;
  b->how = a->how;
  b->year = a->how == YEAR_FISCAL ? day_year(b->day) : 0;
}

/* "this quarter vs last quarter" */
static int are_neighbours(const struct period_item *a, const struct period_item *b) {
  return a->kind == ITEM_LATEST && b->kind == ITEM_LATEST && a->count == 1 && b->count == 1 &&
         a->months == b->months && a->months && !a->year && !b->year;
}

/* Completes b by the item a to which it is linked. */
static void share_linked(struct period_item *a, struct period_item *b) {
  if (are_neighbours(a, b)) {
    a->count = 2;
    b->kind = ITEM_NOTHING;
  }
  if (b->kind == ITEM_YEAR && b->months == 12 && a->year &&
      a->kind != ITEM_LATEST) { /* "Q2 2025 vs last year" */
    b->kind = a->kind;
    b->part = a->part;
    b->year = a->year - 1;
  }
  int plain = b->kind == ITEM_YEAR && b->how == YEAR_PLAIN, other = b->how == a->how && b->year != a->year;
  if ((a->kind == ITEM_PART && a->year && b->kind == ITEM_YEAR && (plain || other)) ||
      (a->kind == ITEM_MONTH && plain && b->linked == LINK_LIST && a->lead != LEAD_BETWEEN))
    share_part(b, a);
  if (a->kind == ITEM_ENDS && (b->kind == ITEM_YEAR || b->kind == ITEM_MONTH || b->kind == ITEM_DAY))
    share_end(a, b);
}

/* Completes b by the item before it, or by the lack of one. */
static void share_with(struct period_reading *r, struct period_item *a, struct period_item *b) {
  int yoy = b->linked;
  b->linked = a ? link_between(r, a, b) : 0;
  if (a && b->linked == 0 && b->from > a->to && period_in(r, b->from - 1, PERIOD_CLASS_VERSUS))
    b->linked = LINK_LIST;
  if (b->kind == ITEM_EARLIER) {
    b->linked = yoy && a ? LINK_LIST : b->linked;
    share_earlier(a, b, r->today);
  }
  if (b->linked)
    share_linked(a, b);
}

/* "Q2 2023 vs 2024", "Q1 and Q2 2024", "2024 Q1-Q2": linked items complete each other. */
static void share_parts(struct period_reading *r) {
  struct period_item *first = r->items;
  if (r->count > 1 && first->kind == ITEM_EARLIER && first->linked && first[1].kind != ITEM_EARLIER) {
    struct period_item earlier = *first; /* "YoY growth in Q2 2025" */
    first[0] = first[1];
    first[1] = earlier;
  }
  for (size_t i = 0; i < r->count; i++)
    share_with(r, i > 0 ? &r->items[i - 1] : NULL, &r->items[i]);
  for (size_t i = r->count; i-- > 1;) {
    struct period_item *a = &r->items[i - 1], *b = a + 1;
    if (b->linked && a->kind == ITEM_PART && a->year == 0 && b->kind == ITEM_PART)
      a->year = b->year, a->how = b->how;
  }
  for (size_t i = 1; i < r->count; i++) {
    struct period_item *a = &r->items[i - 1], *b = a + 1;
    if (b->linked && a->kind == ITEM_PART && b->kind == ITEM_PART && b->year == 0 && b->part > a->part)
      b->year = a->year, b->how = a->how;
  }
}

/* A shortened second year: "2023-24", "2019/20". */
static void read_short_seconds(struct period_reading *r) {
  const struct plan_text *t = r->text.t;
  for (size_t i = 0; i < r->count && r->count < PERIOD_ITEMS; i++) {
    const struct period_item *a = &r->items[i];
    const struct plan_token *next = &t->token[a->to];
    if (a->kind != ITEM_YEAR || a->to >= t->count || next->digits != 2 || next->letters ||
        !(next->gap & (GAP_HYPHEN | GAP_SLASH)) || r->taken[a->to])
      continue;
    int year = a->year / 100 * 100 + (int)plan_token_number(next);
    if (year <= a->year || year > a->year + YEAR_SPAN)
      continue;
    struct period_item b = {.kind = ITEM_YEAR, .from = a->to, .to = a->to + 1, .year = year, .how = a->how};
    memmove(&r->items[i + 2], &r->items[i + 1], (r->count - i - 1) * sizeof *r->items);
    r->items[i + 1] = b;
    r->count++;
    r->taken[b.from] = TAKEN_PERIOD;
  }
}

/* Future days don't refer to a filing: "maintenance planned after March 2028", "lease expiring on 30 June 2031".
 * Fiscal years and quarters may, depending on the company's calendar. */
static void drop_ahead(struct period_reading *r) {
  for (size_t i = r->count; i-- > 0;) {
    const struct period_item *item = &r->items[i];
    int dated = item->kind == ITEM_MONTH || item->kind == ITEM_DAY || item->kind == ITEM_RANGE,
        opens = item->lead == LEAD_SINCE || item->lead == LEAD_AFTER || item->lead == LEAD_UNTIL ||
                item->lead == LEAD_BEFORE || item->lead == LEAD_BETWEEN;
    if (item->filed || !(dated || (opens && item->kind == ITEM_YEAR)) || period_first_day(item) <= r->today)
      continue;
    memset(r->taken + item->from, TAKEN_NOT, item->to - item->from);
    drop_item(r, i);
  }
}

void period_link(struct period_reading *r) {
  drop_ahead(r);
  read_short_seconds(r);
  bind_to_date(r);
  bind_years(r);
  drop_parts(r);
  share_listed_years(r);
  share_lone_year(r);
  share_parts(r);
  share_date_year(r);
  share_months(r);
  share_lone_date(r);
  drop_reported(r);
}
