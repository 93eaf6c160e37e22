/* fact_period.h: the period that a user requests, and those that a plan asks figures for. */
#ifndef BID_FACT_PERIOD_H
#define BID_FACT_PERIOD_H

#include "facts/fact_rows.h"
#include "query/plan.h"

struct fact_period {
  int fiscal_year;     /* by the company's counting; 0: any */
  int quarter;         /* its last one, 1 to 4; 5: the whole year; 0: any */
  int quarters;        /* how many end in it, of those asked for one by one; 0: one */
  int months;          /* its length, where the name says it: 3, 6, 9 or 12; else 0 */
  int32_t from, until; /* range of last days; DAY_NONE: open */
  int ends_month;      /* 1 to 12: ends in that month, more or less; 0: any */
};

/* Parses "FY-2024", "Q3-2024", "2024Q3", "H1-2024", "9M-2024", "CY2024", "CY2024Q1", "2024", "2024-03",
 * "2024-01-01..2024-06-30", "2019..2021".  0, or -1. */
int fact_period_parse(struct fact_period *p, const char *text);

/* Makes of a year, half or nine months the quarters that end in it; other periods stay as they are. */
void fact_period_each_quarter(struct fact_period *p);

/* Removes rows of other periods. */
void fact_period_keep(const struct fact_period *p, struct fact_rows *rows);

#define FACT_WINDOWS_MOST 8

/* A span belongs to a window whose last day is at most so far from its own. */
#define FACT_WINDOW_END_DAYS 20

struct fact_window {
  struct fact_period period;
  enum fact_span span;
  size_t count;  /* how many, the newest ones */
  size_t before; /* but for so many of the newest of all */
  int named;     /* a period of the question's own, not merely the latest */
  int to_date;   /* the fiscal year to the newest quarter's end: its length depends on the company */
  int months;    /* its length, where it is stated: only spans of that length are in it; else 0 */
};

struct fact_windows {
  struct fact_window list[FACT_WINDOWS_MOST];
  size_t count;
};

/* The windows of a plan, or the newest period where it has none. */
void fact_windows_read(struct fact_windows *f, const struct plan *plan);

/* Removes rows that are in no window. */
void fact_windows_keep(const struct fact_windows *f, struct fact_rows *rows);

/* A day of a window, or DAY_NONE where it is empty. */
int32_t fact_window_day(const char text[PLAN_DATE]);

#endif
