/* plan_windows.h: the periods that a question names. */
#ifndef BID_PLAN_WINDOWS_H
#define BID_PLAN_WINDOWS_H

#include "query/plan.h"
#include "query/plan_text.h"

/* What of a text is understood already, and as what; one a token. */
enum plan_taken { TAKEN_NOT, TAKEN_FORM, TAKEN_PERIOD, TAKEN_COMPANY };

/* How the words of a period bear on the forms; bits. */
enum plan_reports {
  REPORTS_ANNUAL = 1,
  REPORTS_QUARTER = 2,
  REPORTS_LATEST = 4 /* "latest" alone: of any form */
};

struct plan_when {
  int64_t now;    /* what "last year" is counted from */
  int event_form; /* the forms report on no period: a year or a month is when they were filed */
  int results;    /* an event_form that tells a period's results: an 8-K */
  int items;      /* items of an 8-K are asked for, such as the results of a period */
  int holdings;   /* the form is of a date: "year-end 2025" is that day */
  unsigned reports;
  const char *bad; /* set where a period is named that no calendar has: "Q5 2024"; static */
};

/* Reads the periods of a text into plan->windows and plan->as_of and marks their tokens.  taken[t->count]. */
void plan_read_windows(const struct plan_text *t, uint8_t *taken, struct plan_when *when, struct plan *plan);

/* Reads bid-fetch's own periods: FY-2024, Q3-2024, CY2024Q1, 2024, 2024-03, A..B.  0, or -1 where it is none. */
int plan_read_period(struct slice period, struct plan *plan);

#endif
