/* search_scope.h: what of the store may answer a question, by its plan (query/plan.h).
 *
 *     search_scope_make(&scope, &plan, &known, snap, filings, filing_count);
 *     search_scope_fits(&scope, seg, doc)        // as a store_filter's keep, beside scope.companies and scope.forms
 *
 * A company's documents are those with its CIK; where a document has none, those with its ticker, else those with
 * its name.  A document whose form, year or days are not known (a report of one's own) is not left out for that.
 */
#ifndef BID_SEARCH_SCOPE_H
#define BID_SEARCH_SCOPE_H

#include "query/plan.h"
#include "query/query.h"
#include "store/store.h"

#define SCOPE_NUMBERS 256 /* of companies or forms of the store */
#define SCOPE_FORMS 1024  /* forms of the store that are told apart */

/* A filing as EDGAR lists it. */
struct scope_filing {
  char cik[PLAN_DATE], form[24], filed[PLAN_DATE], reported[PLAN_DATE];
  int stored; /* whether the store holds it */
};

/* Companies of the store without a CIK that are on no list go by this number and their own in the store. */
#define SCOPE_OWN_CIK 4000000000U
int search_scope_is_own(const struct plan_company *c);

struct scope_company {
  size_t documents;               /* in the store */
  size_t fitting;                 /* of the forms and of any window */
  size_t in_window[PLAN_WINDOWS]; /* of the forms and of this window */
  size_t of_form;                 /* of the forms, whatever the window */
  int32_t newest;                 /* day of filing of the newest of the forms, or STORE_NO_DAY */
  uint16_t year_end;              /* month * 100 + day on which its years end */
};

/* Which documents are searched: those of the windows; where there are none, those that may tell of them beside their
 * own; where there are none of these either, all later ones, of which only passages that name the year count. */
enum scope_reach { SCOPE_FITTING, SCOPE_TELLING, SCOPE_RECALLING };

struct search_scope {
  const struct plan *plan;
  const struct query_known *known;
  const struct store_segment *segs;
  size_t seg_count;
  uint8_t form_class[SCOPE_FORMS];
  uint32_t companies[SCOPE_NUMBERS];
  uint8_t plan_company[SCOPE_NUMBERS]; /* whose each is, as an index of plan->companies */
  size_t company_count;
  uint16_t forms[SCOPE_NUMBERS]; /* that the plan names; none: any */
  size_t form_count;
  struct scope_company of[PLAN_COMPANIES];
  int32_t since_latest[PLAN_COMPANIES][PLAN_WINDOWS]; /* the oldest of the latest ones */
  int32_t below[PLAN_COMPANIES][PLAN_WINDOWS];        /* private */
  const struct scope_filing *filings;
  size_t filing_count;
  enum scope_reach reach;
  size_t telling;   /* documents within SCOPE_TELLING */
  size_t recalling; /* documents within SCOPE_RECALLING */
  size_t fitting;   /* documents that fit */
  size_t documents; /* of the companies */
};

/* plan, known, the snapshot and filings are kept by reference.  filings: what discovery chose; those that the store
 * holds count as documents of the windows. */
void search_scope_make(struct search_scope *s, const struct plan *plan, const struct query_known *known,
                       const struct store_snapshot *snap, const struct scope_filing *filings,
                       size_t filing_count);

/* Whether a document of the companies is of the forms and windows. */
int search_scope_fits(const struct search_scope *s, const struct store_segment *seg, uint32_t doc);

/* Whether the windows want what is newest: "latest", or no window at all. */
int search_scope_wants_newest(const struct search_scope *s);

/* Appends what is not in the store, a line each: "no 10-Q of Apple Inc. (AAPL) for Q2 2025 is in the store".
 * Returns how many. */
size_t search_scope_missing(const struct search_scope *s, struct buf *out);

/* "Apple Inc. (AAPL)", "CIK 0000320193". */
void search_scope_add_company(const struct plan_company *c, struct buf *out);

/* Whether a company of the store is the plan's: by CIK, else by ticker, else by name. */
int search_scope_is_company(const struct plan_company *c, const struct query_known *known, size_t number);

/* Whether the words begin the name of a company, and whether they are all of it but its legal form. */
int search_scope_begins_name(struct slice words, const char *name);
/* 0 where they surely don't, at the cost of a letter. */
int search_scope_may_begin(struct slice words, const char *name);
int search_scope_is_name(struct slice words, const char *name);

/* Whether the name has the word, whatever the case. */
int search_scope_has_word(struct slice word, const char *name);

/* Day as the store counts them, of "YYYY-MM-DD"; STORE_NO_DAY for any other text. */
int32_t search_scope_day(const char *date);

#endif
