/* period.h: reads the periods and days that a text names.
 *
 *     struct period_reading *r = period_read(&text, taken, given, today);
 *     for (size_t i = 0; i < r->count; i++)
 *       ...r->items[i]...
 *     period_free(r);
 *
 * data/tables/period_grammar.tsv holds the ways of writing a period; period_match.c finds them, period_items.c settles what
 * each means on a day, period_links.c lets neighbours complete each other ("Q1 and Q2 2024").
 */
#ifndef BID_PERIOD_H
#define BID_PERIOD_H

#include "period/period_match.h"
#include "text/plan_text.h"

#define PERIOD_ITEMS 24        /* limit of items in a text; the words of more are not read */
#define PERIOD_YEAR_FIRST 1993 /* EDGAR's first year */
#define PERIOD_YEAR_LAST 2099

/* What is known about the text, a condition of some rows; bits. */
enum period_given {
  PERIOD_IF_EVENT = 1,     /* it asks for forms that report an event, not a period */
  PERIOD_IF_SPAN = 2,      /* and for no items of an 8-K */
  PERIOD_IF_QUARTERLY = 4, /* it asks for a 10-Q */
  PERIOD_IF_NAMED = 8      /* it names forms */
};

enum period_kind {
  ITEM_YEAR, /* year */
  ITEM_PART, /* part, possibly year */
  ITEM_ENDS, /* day: a period of `months` ended then (0: unknown length); with how: YEAR_FISCAL in that fiscal year */
  ITEM_MONTH,   /* day: the first of the month */
  ITEM_DAY,     /* day */
  ITEM_RANGE,   /* day to until (DAY_NONE: open); filed: of filings */
  ITEM_LATEST,  /* count, months: 3 quarters, 12 years, 0 any; year of "this year" */
  ITEM_TO_DATE, /* "year to date", "trailing twelve months": the newest, unless a period is named with it */
  ITEM_EARLIER, /* the same period a year before, or in `year`: "the same quarter last year" */
  ITEM_NOTHING, /* taken, says nothing of its own: "year over year", "due in 2028" */
  /* of the grammar only; settled as one of the others */
  ITEM_BAD,
  ITEM_DATE,
  ITEM_SEASON,
  ITEM_HOLIDAY,
  ITEM_HOLIDAY_QUARTER,
  ITEM_SPAN,
  ITEM_THIS_YEAR,
  ITEM_LAST_YEAR,
  ITEM_ABOUT
};

enum period_part { PART_ANY, PART_Q1, PART_Q2, PART_Q3, PART_Q4, PART_H1, PART_H2, PART_9M, PART_FY };
enum period_year_kind { YEAR_PLAIN, YEAR_FISCAL, YEAR_CALENDAR };

/* Words before an item. */
enum period_lead {
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

struct period_item {
  enum period_kind kind;
  size_t from, to; /* tokens */
  int year, months;
  int before; /* of ITEM_LATEST: so many newer ones are left out */
  int count; /* of ITEM_LATEST; of ITEM_ENDS: its length was said in months, so that 12 need not be a fiscal year */
  enum period_year_kind how;
  enum period_part part;
  int32_t day, until;
  enum period_lead lead;
  int filed;   /* "filed in 2024" */
  int linked;  /* to the previous item: 1 enumerated ("and", "vs"), 2 the end of a range */
  int early;   /* -1 early, 2 mid, 1 late: "in early February" */
  int at_end;  /* "year-end 2016", "the end of March 2023" */
  int counted; /* "the third 10-Q": a quarter only beside its year */
  int whole;   /* "full year 2023" */
  int no_year; /* of a month or day: the latest one, unless the period beside it says which */
  int told;    /* a month or day on which the period before it was reported: "Q3 results, October 2024" */
};

struct period_reading {
  struct period_text text;
  uint8_t *taken; /* the caller's */
  unsigned given; /* enum period_given */
  int32_t today;
  struct period_item items[PERIOD_ITEMS];
  size_t count;
  const char *bad;         /* why a period doesn't exist, "Q5 2024"; NULL: all do */
  size_t bad_from, bad_to; /* its tokens */
};

/* Reads the periods of a text as items, in its order, and marks their tokens TAKEN_PERIOD in taken[t->count].  Keeps both by
 * reference.  Release with period_free(). */
struct period_reading *period_read(const struct plan_text *t, uint8_t *taken, unsigned given, int32_t today);
void period_free(struct period_reading *r);

/* Lets items complete each other: adopts years, links lists and ranges, drops what names no report. */
void period_link(struct period_reading *r);

/* Whether token i, which may be beyond the last one, is a word, or one of a class of the grammar. */
int period_is(const struct period_reading *r, size_t i, const char *word);
int period_in(const struct period_reading *r, size_t i, unsigned class);

/* The first and last month of a part of a year, from 1; and its length. */
void period_part_months(enum period_part part, int *first, int *last);

/* The first and the last day of an item. */
int32_t period_first_day(const struct period_item *item);
int32_t period_last_day(const struct period_item *item);

#endif
