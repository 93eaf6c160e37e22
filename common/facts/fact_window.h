/* fact_window.h: the periods that a question's plan asks figures for. */
#ifndef BID_FACT_WINDOW_H
#define BID_FACT_WINDOW_H

#include "facts/fact_period.h"
#include "query/plan.h"

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

/* A day of a window, or DAY_NONE where it is empty. */
int32_t fact_window_day(const char text[PLAN_DATE]);

#endif
