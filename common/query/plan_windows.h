/* plan_windows.h: recognises the periods named in a question. */
#ifndef BID_PLAN_WINDOWS_H
#define BID_PLAN_WINDOWS_H

#include "query/plan.h"
#include "query/plan_forms.h"
#include "text/plan_text.h"

/* What the words of a period imply for the forms; bits. */
enum plan_reports {
  REPORTS_ANNUAL = 1,
  REPORTS_QUARTER = 2,
  REPORTS_LATEST = 4, /* "latest" alone: any form */
  REPORTS_EVENTS = 8  /* events: 8-Ks too */
};

struct plan_when {
  int64_t now;                /* reference time for "last year" */
  int event_form;             /* the forms don't report on a period: years and months are filing dates */
  int results;                /* an event_form that reports a period's results: an 8-K */
  int items;                  /* items of an 8-K are requested, such as results */
  int votes;                  /* that item holds the votes of a meeting */
  int earnings;               /* that item holds the results of a period */
  int named;                  /* forms are named */
  enum plan_periodicity form; /* the first form's */
  int late;                   /* it is such a notice */
  int told; /* no form is named, and the question is about what happened or was said in a month */
  unsigned reports;
  const char *bad; /* set for a period that doesn't exist: "Q5 2024"; static */
};

/* Parses the periods of a text into plan->windows and plan->as_of and marks their tokens. taken[t->count]. */
void plan_read_windows(const struct plan_text *t, uint8_t *taken, struct plan_when *when, struct plan *plan);

/* Sets plan->untimed, which is also not understood, where a plan without windows is of a time "since the merger" or of a year
 * far ahead. */
void plan_find_untimed(const struct plan_text *t, const uint8_t *taken, const struct plan_when *when,
                       struct plan *plan);

/* Parses bid-fetch's syntax of periods: FY-2024, Q3-2024, CY2024Q1, 2024, 2024-03, A..B.  0, or -1 where it is none. */
int plan_read_period(struct slice period, struct plan *plan);

#endif
