/* plan.h: what a question asks for: which companies, which forms, which time, and what kind of answer.
 *
 *     struct error_text why;
 *     struct planner *planner = planner_open(&why);          // data/companies.tsv and its kin, offline
 *     struct plan_request ask = {.question = text};          // and what was given beside it
 *     struct plan plan;
 *     plan_init(&plan);
 *     if (plan_make(planner, &ask, &plan, &why) == 0)
 *       ...plan.companies, plan.forms, plan.windows...
 *     else
 *       ...why, and plan.candidates...                       // refused: invalid-request
 *     plan_release(&plan);
 *     planner_free(planner);
 *
 * This is the only place where a question is understood; fetching and searching obey the plan.  A planner is
 * read-only once it is made: threads may share it.  How to obey a window stands at struct plan_window; the
 * record is plan_json.h's, the manual page bid-plan(1).
 */
#ifndef BID_PLAN_H
#define BID_PLAN_H

#include "base/buf.h"
#include "base/diag.h"

#include <stdint.h>

#define PLAN_COMPANIES 8
#define PLAN_FORMS 12
#define PLAN_WINDOWS 8
#define PLAN_CANDIDATES 8
#define PLAN_UNKNOWN 8
#define PLAN_DATE 11 /* "YYYY-MM-DD" and its end */

/* How a company was recognised. */
enum plan_how {
  PLAN_TICKER,
  PLAN_CIK,
  PLAN_NAME,
  PLAN_ALIAS,  /* a brand or everyday name */
  PLAN_FORMER, /* a name of earlier years */
  PLAN_TYPO,   /* a name with one slip */
  PLAN_GIVEN   /* a number that was given and is on no list: passed on as it is */
};

struct plan_company {
  char cik[PLAN_DATE];       /* ten digits */
  struct slice ticker, name; /* of the list, in the planner's memory; empty where unknown */
  struct slice matched;      /* the words that name it, in the request's memory */
  enum plan_how how;
  double sure; /* 0 to 1 */
};

enum plan_period { PLAN_ANY, PLAN_Q1, PLAN_Q2, PLAN_Q3, PLAN_Q4, PLAN_H1, PLAN_H2, PLAN_9M, PLAN_FY };

/* A window of time.  How to obey it, by the first of these that is set:
 *   year     a fiscal year as the company itself calls it, with its period (never PLAN_ANY): the report of that
 *            period.  Q1 to Q3, H1 (the second quarter's report) and 9M (the third's) have a 10-Q; Q4, H2 and FY
 *            have the 10-K.  An 8-K of that period is the first one with the plan's items after the period's end.
 *   ends     the last day of the period asked for: the report whose own last day is nearest to it, at most
 *            PLAN_ENDS_DAYS off; an 8-K is the first one after it.  from and until hold the period where the words
 *            tell its length.  Where the day ends the company's fiscal year the report is the 10-K.
 *   latest   the newest `count` filings of the forms (among those filed by the plan's as_of); with a period, the
 *            newest of that period.
 *   from, until   a range, both ends counted, either may be empty.  by_filing, or forms that report on no period
 *            (8-K, 4, DEF 14A): those filed in it.  Else those that report on a last day within it; where there are
 *            none, the one whose period the range lies in. */
#define PLAN_ENDS_DAYS 20
struct plan_window {
  int year;
  enum plan_period period;
  char ends[PLAN_DATE], from[PLAN_DATE], until[PLAN_DATE];
  int by_filing;
  int latest;
  int count;
};

enum plan_asks { PLAN_FIGURE, PLAN_TABLE, PLAN_NARRATIVE, PLAN_COMPARISON, PLAN_FILINGS };

/* Initialise with plan_init(); what it holds is valid until the planner or the request's texts go. */
struct plan {
  struct plan_company companies[PLAN_COMPANIES]; /* in the question's order */
  size_t company_count;
  struct plan_company others[PLAN_COMPANIES]; /* named, but as somebody else's counterparty */
  size_t other_count;
  struct slice forms[PLAN_FORMS]; /* "10-K"; none: any.  In the planner's memory, or the request's */
  size_t form_count;
  int forms_named;    /* the question or the caller names them; else they follow from the windows */
  struct slice items; /* items of an 8-K asked for, "2.02", or empty */
  int amendments;     /* amended filings are asked for, and only they */
  struct plan_window windows[PLAN_WINDOWS];
  size_t window_count;   /* 0: no period is named */
  char as_of[32];        /* what had been filed by then; empty: now */
  char since[PLAN_DATE]; /* filed on that day or later, as given; or empty */
  enum plan_asks asks;
  struct slice unknown[PLAN_UNKNOWN]; /* what was not understood; in the request's memory */
  size_t unknown_count;
  struct plan_company candidates[PLAN_CANDIDATES]; /* of a refusal, the likeliest first */
  size_t candidate_count;
  struct slice doubtful; /* of a refusal: the words that may mean each of them */
  struct buf notes;      /* what was decided and why, lines for people */
};

/* What is asked.  Lists may be NULL where their count is 0. */
struct plan_request {
  struct slice question;
  const struct slice *entities; /* companies given outright: tickers, names, CIKs; each must be understood */
  size_t entity_count;
  const struct slice *aliases; /* other names of the first entity, tried where its own is not understood */
  size_t alias_count;
  const struct slice *forms;
  size_t form_count;
  struct slice period; /* as bid-fetch takes it, or any words that a question may have */
  struct slice since, as_of;
  struct buf *signs; /* NULL; or what was weighed is appended, for fitting (data/gen/mentions.py) */
  int64_t now;       /* Unix seconds: what "last year" is counted from where as_of is empty; 0: clock_now() */
};

struct planner;

/* The shipped tables (paths.h).  NULL with *why. */
struct planner *planner_open(struct error_text *why);

/* Tables in memory, kept by reference; their heads explain the formats.  Any but companies may be empty. */
struct planner_tables {
  struct slice companies, aliases, forms, words, company_words;
};
struct planner *planner_new(const struct planner_tables *t, struct error_text *why);
void planner_free(struct planner *p);

/* Day of the list of companies, YYYY-MM-DD, or "". */
const char *planner_date(const struct planner *p);

/* Puts the SEC's own list (the bytes of company_tickers.json, kept by reference) ahead of the shipped one.
 * 0, or -1 where it is no such list.  Not while other threads use p. */
int planner_add_list(struct planner *p, struct slice json);

/* A company besides (of a store, of a user's own list); texts are copied.  One whose CIK is there already gets the
 * name and ticker as further ones.  Not while other threads use p. */
void planner_add(struct planner *p, struct slice cik, struct slice ticker, struct slice name);

void plan_init(struct plan *plan);
void plan_release(struct plan *plan);

/* 0; or -1 where the request can't be granted: *why says what is wrong and how to mend it, plan->candidates and
 * plan->doubtful whom it may mean.  A company that a question names and that is on no list is no fault: it stands
 * in `unknown`. */
int plan_make(const struct planner *p, const struct plan_request *ask, struct plan *plan,
              struct error_text *why);

const char *plan_how_name(enum plan_how how);          /* "ticker" */
const char *plan_period_name(enum plan_period period); /* "Q1"; "" for PLAN_ANY */
const char *plan_asks_name(enum plan_asks asks);       /* "figure" */

#endif
