/* plan_period_items.h: the words of periods in a question, as items; private to plan_period_*.c and plan_windows.c.
 *
 *     struct plan_scan s = {.t = t, .taken = taken, .when = when, .today = plan_day_of(when->now)};
 *     plan_period_items_read(&s);   // words become items
 *     plan_period_items_link(&s);   // items complete each other: plan_period_links.c
 */
#ifndef BID_PLAN_PERIOD_ITEMS_H
#define BID_PLAN_PERIOD_ITEMS_H

#include "query/plan_calendar.h"
#include "query/plan_dates.h"
#include "query/plan_lengths.h"
#include "query/plan_parts.h"
#include "query/plan_windows.h"

#include <string.h>

#define PLAN_ITEMS 24 /* limit of items in a question; the words of more are not read */

enum plan_item_kind {
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
enum plan_item_lead {
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

struct plan_item {
  enum plan_item_kind kind;
  size_t from, to; /* tokens */
  int year, months;
  int before; /* of ITEM_LATEST: so many newer ones are left out */
  int count; /* of ITEM_LATEST; of ITEM_ENDS: its length was said in months, so that 12 need not be a fiscal year */
  enum plan_year_kind how;
  enum plan_period period;
  struct plan_day day, until;
  enum plan_item_lead lead;
  int filed;   /* "filed in 2024" */
  int linked;  /* to the previous item: 1 enumerated ("and", "vs"), 2 the end of a range */
  int early;   /* -1 early, 2 mid, 1 late: "in early February" */
  int at_end;  /* "year-end 2016", "the end of March 2023" */
  int counted; /* "the third 10-Q": a quarter only beside its year */
  int whole;   /* "full year 2023" */
  int told;    /* a month or day on which the period before it was reported: "Q3 results, October 2024" */
};

/* A question while its periods are read; the text, the marks of its tokens and *when belong to the caller. */
struct plan_scan {
  const struct plan_text *t;
  uint8_t *taken; /* enum plan_taken of each token */
  struct plan_when *when;
  struct plan_day today;
  struct plan_item items[PLAN_ITEMS];
  size_t count;
  size_t bad_from, bad_to; /* range of the words of when->bad */
};

/* Whether token i, which may be beyond the last one, is a word, or one of a list that ends with NULL. */
static inline int plan_item_word_is(const struct plan_scan *s, size_t i, const char *word) {
  return i < s->t->count && strcmp(s->t->token[i].fold, word) == 0;
}

static inline int plan_item_word_in(const struct plan_scan *s, size_t i, const char *const *list) {
  return i < s->t->count && plan_word_in(s->t->token[i].fold, list) >= 0;
}

/* Fills s->items and marks their tokens as TAKEN_PERIOD.  A period that doesn't exist ("Q5 2024") sets s->when->bad. */
void plan_period_items_read(struct plan_scan *s);

/* Completes items by their neighbours, sets their links, and drops those that don't refer to a filing. */
void plan_period_items_link(struct plan_scan *s);

/* ---- readers: each reads an item at token i and returns 1, or 0 where there is none ---- */

/* plan_period_latest.c; what can't be counted from the latest ("the first 10-K") sets s->when->bad */
int plan_item_read_latest(struct plan_scan *s, size_t i, struct plan_item *item);
int plan_item_read_before_latest(struct plan_scan *s, size_t i, struct plan_item *item);
int plan_item_read_first(struct plan_scan *s, size_t i, struct plan_item *item);

/* plan_period_years.c */
int plan_item_read_years(struct plan_scan *s, size_t i, struct plan_item *item);
int plan_item_read_year(struct plan_scan *s, size_t i, struct plan_item *item);

/* Whether a year is the fiscal one that a form filed for an event tells of, not the one in which it was filed. */
int plan_item_is_told_year(const struct plan_scan *s, const struct plan_item *item);

/* plan_period_seasons.c */
int plan_item_read_holidays(struct plan_scan *s, size_t i, struct plan_item *item);
int plan_item_read_part_of_year(struct plan_scan *s, size_t i, struct plan_item *item);

/* Words for the weeks before the new year at token i: "christmas", "holidays", "black friday"; how many. */
size_t plan_item_holiday_at(const struct plan_scan *s, size_t i);

/* Makes an item the quarter that contains December of that year, or ends soon after it. */
void plan_item_set_holiday(struct plan_item *item, int year);

/* plan_period_quarters.c */
int plan_item_read_ended(struct plan_scan *s, size_t i, struct plan_item *item);
int plan_item_read_month_quarter(struct plan_scan *s, size_t i, struct plan_item *item);
int plan_item_read_part(struct plan_scan *s, size_t i, struct plan_item *item);
int plan_item_read_counted_report(struct plan_scan *s, size_t i, struct plan_item *item);

/* Sets the item's lead and whether it is of filing dates by the words around it: plan_period_leads.c. */
void plan_item_note_lead(struct plan_scan *s, struct plan_item *item);

/* Records an impossible period, which is rejected and reported; returns 0. */
int plan_item_bad(struct plan_scan *s, size_t i, size_t to, const char *why);

/* The latest possible day for a date without year or day, not after today. */
struct plan_day plan_item_whole_day(const struct plan_scan *s, struct plan_day d);

/* Whether a date at token i says when something is due, expires or is planned; no report is for that day. */
int plan_item_is_due(const struct plan_scan *s, size_t i, int year);

/* ---- all items ---- */

/* The months of a part of a year, from 1. */
void plan_item_months(enum plan_period period, int *first, int *last);

/* The first and the last day of an item. */
struct plan_day plan_item_first_day(const struct plan_item *item);
struct plan_day plan_item_last_day(const struct plan_item *item);

#endif
