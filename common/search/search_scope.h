/* search_scope.h: the documents of the store that may answer a question, by its plan (query/plan.h).
 *
 *     search_scope_make(&scope, &plan, &known, snap, filings, filing_count);
 *     search_scope_fits(&scope, seg, doc)        // as a store_filter's keep, beside scope.companies and scope.forms
 *
 * A document belongs to a company by its CIK; without one, by its ticker, else by name.  A document of unknown form,
 * year or dates (a user's own report) is not excluded by these.
 */
#ifndef BID_SEARCH_SCOPE_H
#define BID_SEARCH_SCOPE_H

#include "query/plan.h"
#include "query/query.h"
#include "store/store.h"

#define SCOPE_NUMBERS 256 /* limit of companies or forms of the store */
#define SCOPE_FORMS 1024  /* limit of the store's forms that are distinguished */

/* A filing listed by EDGAR. */
struct scope_filing {
  char cik[PLAN_DATE], form[24], filed[PLAN_DATE], reported[PLAN_DATE];
  int stored; /* whether the store has it */
};

struct scope_company {
  size_t documents;               /* in the store */
  size_t fitting;                 /* of the forms and any window */
  size_t in_window[PLAN_WINDOWS]; /* of the forms and this window */
  size_t of_form;                 /* of the forms, in any window */
  int32_t newest;                 /* latest filing date of the forms, or STORE_NO_DAY */
  uint16_t year_end;              /* end of its fiscal year, as month * 100 + day */
  int year_known, annual;         /* it is known, and from an annual report */
};

/* The documents that are searched: those of the windows; if there are none, their company's documents that may
 * mention the period; if there are none either, all later ones, of which only passages that name the year count. */
enum scope_reach { SCOPE_FITTING, SCOPE_TELLING, SCOPE_RECALLING };

struct search_scope {
  const struct plan *plan;
  const struct query_known *known;
  const struct store_segment *segs;
  size_t seg_count;
  uint8_t form_class[SCOPE_FORMS];
  uint32_t companies[SCOPE_NUMBERS];
  uint8_t plan_company[SCOPE_NUMBERS]; /* company of each, as an index in plan->companies */
  size_t company_count;
  uint16_t forms[SCOPE_NUMBERS]; /* forms in the plan; none: any */
  size_t form_count;
  struct scope_company of[PLAN_COMPANIES];
  int32_t since_latest[PLAN_COMPANIES][PLAN_WINDOWS]; /* oldest of the latest filings */
  int32_t before_latest[PLAN_COMPANIES]
                       [PLAN_WINDOWS];         /* those that a window leaves out begin here; else INT32_MAX */
  int32_t below[PLAN_COMPANIES][PLAN_WINDOWS]; /* private */
  const struct scope_filing *filings;
  size_t filing_count;
  enum scope_reach reach;
  size_t telling;   /* documents for SCOPE_TELLING */
  size_t recalling; /* documents for SCOPE_RECALLING */
  size_t fitting;   /* documents that match */
  size_t documents; /* of the companies */
};

/* Determines the documents.  plan, known, the snapshot and filings are kept by reference.  filings: the result of
 * discovery; those that are in the store count as documents of the windows. */
void search_scope_make(struct search_scope *s, const struct plan *plan, const struct query_known *known,
                       const struct store_snapshot *snap, const struct scope_filing *filings,
                       size_t filing_count);

/* Whether a document of the companies matches the forms and windows. */
int search_scope_fits(const struct search_scope *s, const struct store_segment *seg, uint32_t doc);

/* Whether the question wants the newest filing: "latest", or no window at all. */
int search_scope_wants_newest(const struct search_scope *s);

/* The company that a document belongs to, as an index in plan->companies, or -1. */
int search_scope_owner(const struct search_scope *s, const struct store_doc *d);

/* Whether a document is of the plan's forms.  Forms that only follow from the windows don't exclude documents of unknown
 * form, and include foreign equivalents. */
int search_scope_fits_form(const struct search_scope *s, const struct store_doc *d);

/* ---- search_missing.c ---- */

/* Appends a line for each thing missing from the store: "no 10-Q of Apple Inc. (AAPL) for Q2 2025 is in the store".
 * Returns how many. */
size_t search_missing(const struct search_scope *s, struct buf *out);

/* Appends a line for each company whose newest report in the store can't be the latest one that is asked for, by its age:
 * "the newest 10-K of ... was filed on 2024-11-01; a newer one is due".  None after a discovery, which knows.  Returns how
 * many. */
size_t search_overdue(const struct search_scope *s, struct buf *out);

/* ---- days ---- */

/* "YYYY-MM-DD" as the store counts days; STORE_NO_DAY for any other text. */
int32_t search_scope_day(const char *date);

/* The year of such a day, and in *month_day its month * 100 + day. */
int search_scope_calendar(int32_t day, int *month_day);

#endif
