/* plan.h: determines what a question asks for: companies, forms, periods, and the kind of answer.
 *
 *     struct error_text why;
 *     struct planner *planner = planner_open(&why);          // data/companies.tsv and other tables, offline
 *     struct plan_request ask = {.question = text};          // plus options
 *     struct plan plan;
 *     plan_init(&plan);
 *     if (plan_make(planner, &ask, &plan, &why) == 0)
 *       ...plan.companies, plan.forms, plan.windows...
 *     else
 *       ...why, and plan.candidates...                       // rejected: invalid-request
 *     plan_release(&plan);
 *     planner_free(planner);
 *
 * All interpretation of questions is done here; fetching and searching follow the plan.  A planner is read-only once
 * it is built, so threads may share it.  struct plan_window defines the meaning of windows; plan_json.h and
 * bid-plan(1) define the record.
 */
#ifndef BID_PLAN_H
#define BID_PLAN_H

#include "base/buf.h"
#include "base/diag.h"
#include "period/period.h"

#include <stdint.h>

#define PLAN_COMPANIES 8
#define PLAN_FORMS 12
#define PLAN_WINDOWS 8
#define PLAN_CANDIDATES 8
#define PLAN_UNKNOWN 8
#define PLAN_TERMS 16
#define PLAN_DATE 11 /* bytes of "YYYY-MM-DD" with its '\0' */

/* How a company was recognised. */
enum plan_how {
  PLAN_TICKER,
  PLAN_CIK,
  PLAN_NAME,
  PLAN_ALIAS,  /* a brand or everyday name */
  PLAN_FORMER, /* a former name */
  PLAN_TYPO,   /* a name with one typing error */
  PLAN_GIVEN   /* a number that is on no list, passed on unchanged */
};

struct plan_company {
  char cik[PLAN_DATE];       /* ten digits */
  struct slice ticker, name; /* from the list, in the planner's memory; empty where unknown */
  struct slice matched;      /* the words that name it, in the request's memory */
  enum plan_how how;
  double sure;       /* confidence, 0 to 1 */
  const char *since; /* the day since which the company of that name is part of this one, static; or NULL */
  int by_part;       /* by a brand or unit, or by a person: the company itself is not named */
  int asked;         /* of an other: the question is about it, but the caller gave another company */
};

/* A window of time, defined by the first of these members that is set:
 *   year     a fiscal year in the company's own numbering, with its period (never PART_ANY): the report for that
 *            period.  Q1 to Q3, H1 (the second quarter's report) and 9M (the third's) are in a 10-Q; Q4, H2 and FY
 *            are in the 10-K.  An 8-K for that period is the first one with the plan's items after the period's end,
 *            a proxy statement or a notice of a late report the first one after the fiscal year's end.
 *            With ends_month in place of a period ("December quarter of fiscal 2024"): that year's quarter that ends in
 *            that month, more or less; which one it is depends on the company's fiscal year, plan_quarter_ending().
 *   ends     the last day of the period: the report whose own last day is nearest to it, at most PLAN_ENDS_DAYS
 *            away; an 8-K is the first one after it.  from and until hold the period where its length is stated.
 *            If the day is the end of the company's fiscal year, the report is the 10-K.
 *   latest   the newest `count` filings of the forms (filed by the plan's as_of), but for the `before` newest of all
 *            ("the previous 10-K"); with a period, the newest for that period.
 *   from, until   an inclusive range, either end may be empty.  With by_filing, or for forms that don't report on a
 *            period (8-K, 4, DEF 14A): filings filed in it; with
 *            a fiscal period too ("Q3 results, October 2024"), of the reports those on it.  Otherwise filings with a last day in it; if there are
 *            none, the one whose period contains the range. */
#define PLAN_REMARK 256
#define PLAN_ENDS_DAYS 20
#define PLAN_YEAR_DAYS 31 /* for a calendar year: also the fiscal year that ends in the January after it */
struct plan_window {
  int year;
  enum period_part period;
  int ends_month; /* 1 to 12, or 0 */
  char ends[PLAN_DATE], from[PLAN_DATE], until[PLAN_DATE];
  int by_filing;
  int latest;
  int count;
  int before;
};

enum plan_asks { PLAN_FIGURE, PLAN_TABLE, PLAN_NARRATIVE, PLAN_COMPARISON, PLAN_FILINGS };

/* What is asked of a figure. */
enum plan_as {
  PLAN_AS_VALUE,
  PLAN_AS_GROWTH,
  PLAN_AS_SHARE,     /* one figure by another */
  PLAN_AS_PER_SHARE, /* by the diluted shares */
  PLAN_AS_BREAKDOWN, /* of each part of an axis */
  PLAN_AS_OTHER,     /* a phrase with a figure's words that means another thing, "goodwill impairment" */
  PLAN_AS_UNKNOWN    /* no figure of the table is named; words: what seems to be asked for */
};

#define PLAN_FIGURES 16
#define PLAN_FIGURE_NAME 160
#define PLAN_PARTS 6
#define PLAN_PART_NAME 96

struct plan_figure {
  char figure
      [PLAN_FIGURE_NAME]; /* a label of data/concepts.tsv, or a formula of labels; empty for PLAN_AS_UNKNOWN */
  enum plan_as as;
  struct slice words;                     /* of the question, with those that narrow it; empty for formulas */
  char parts[PLAN_PARTS][PLAN_PART_NAME]; /* the words of each part of the company: "Greater China" */
  size_t part_count;                      /* 0: the whole company, but for a breakdown */
  struct slice axis;                      /* of a breakdown: "region"; empty: any */
};

/* How the question's words change the periods of its windows. */
enum plan_span {
  PLAN_SPAN_NONE,
  PLAN_SPAN_QUARTER,  /* the newest figure is a quarter's */
  PLAN_SPAN_TO_DATE,  /* the fiscal year so far */
  PLAN_SPAN_QUARTERS, /* each quarter of a year */
  PLAN_SPAN_TRAILING  /* twelve months to the newest quarter */
};

/* Of a question without a period: which years answer it. */
enum plan_choice {
  PLAN_NEWEST,
  PLAN_FIRST_ABOVE, /* the first year above an amount */
  PLAN_FIRST_BELOW,
  PLAN_EACH_YEAR /* "when", "ever", or since an event that has no date here: years beside each other */
};

/* Initialise with plan_init(); its contents are valid as long as the planner and the request's texts. */
struct plan {
  struct plan_company companies[PLAN_COMPANIES]; /* in the question's order */
  size_t company_count;
  struct plan_company others[PLAN_COMPANIES]; /* named only as a counterparty, or not the given one */
  size_t other_count;
  struct slice forms[PLAN_FORMS]; /* "10-K"; none: any.  In the planner's memory, or the request's */
  size_t form_count;
  int forms_named;    /* named by the question or the caller; else derived from the windows */
  int forms_given;    /* named by the caller, who wants no others */
  struct slice items; /* items of an 8-K, "2.02", or empty */
  int amendments;     /* only amended filings */
  struct slice
      disclosed_in; /* no form is named: the form, other than reports, in which the subject is disclosed; or empty */
  struct plan_window windows[PLAN_WINDOWS];
  size_t window_count;   /* 0: no period is named */
  char as_of[32];        /* only filings by then; empty: now */
  char since[PLAN_DATE]; /* filed on that day or later; or empty */
  enum plan_asks asks;
  struct plan_figure figures[PLAN_FIGURES];
  size_t figure_count;
  enum plan_span span;
  enum plan_choice choice;
  double amount;    /* of the first year above or below it */
  char currency[4]; /* of the figures, "EUR"; or empty: the company's */
  char screen
      [PLAN_REMARK]; /* where all companies that meet a condition are asked for: as bid-facts --screen takes it; or "" */
  struct slice terms[PLAN_TERMS]; /* runs of words that a search would look for: without companies, forms,
                                         periods and instructions; in the request's memory */
  size_t term_count;
  int year_named;                     /* a year stands in the question, be it a period or not */
  struct slice unknown[PLAN_UNKNOWN]; /* words that were not understood; in the request's memory */
  size_t unknown_count;
  size_t unknown_names; /* the first so many look like the name of a company; 0 where one was found */
  int refused;          /* of a rejected request: no other company may stand in */
  struct slice
      untimed; /* words of a time without a date, "since the merger", in a plan without windows; or empty */
  size_t sure_count; /* of a rejected request: the first so many of companies are certain all the same */
  struct plan_company candidates[PLAN_CANDIDATES]; /* of a rejected request, the most likely first */
  size_t candidate_count;
  struct slice doubtful; /* of a rejected request: the ambiguous words */
  char remark
      [PLAN_REMARK]; /* what the question asks and nothing can answer: a form or period other than the given one, a
                             * fourth quarter's 10-Q; or empty */
  struct buf notes; /* decisions and their reasons, lines for display */
};

/* The request.  Lists may be NULL where their count is 0. */
struct plan_request {
  struct slice question;
  const struct slice *entities; /* companies given explicitly: tickers, names, CIKs; each must be resolved */
  size_t entity_count;
  const struct slice *aliases; /* other names of the first entity, tried if its own is not resolved */
  size_t alias_count;
  const struct slice *forms;
  size_t form_count;
  struct slice period; /* in bid-fetch's syntax, or in words */
  struct slice since, as_of;
  struct buf *signs; /* NULL; or gets the features considered, for fitting (data/gen/mentions.py) */
  int64_t now;       /* Unix seconds: reference for "last year" where as_of is empty; 0: clock_now() */
};

struct planner;

/* Loads the shipped tables (paths.h).  NULL with *why. */
struct planner *planner_open(struct error_text *why);

/* Tables in memory, kept by reference; their headers explain the formats.  Any except companies may be empty. */
struct planner_tables {
  struct slice companies, names, aliases, forms, words, company_words, trades, senses;
};
struct planner *planner_new(const struct planner_tables *t, struct error_text *why);
void planner_free(struct planner *p);

/* Date of the list of companies, YYYY-MM-DD, or "". */
const char *planner_date(const struct planner *p);

/* Gives the SEC's own list (the contents of company_tickers.json, kept by reference) precedence over the shipped one.
 * 0, or -1 where it is malformed.  Not while other threads use p. */
int planner_add_list(struct planner *p, struct slice json);

/* For names that the lists lack: takes over the SEC's current list, from the cache where it is of the last day, else fetched once in
 * the planner's life.  1 where there is a newer list, else 0.  Not while other threads use p. */
int planner_renew(struct planner *p);

/* Whether a plan, rejected or not, lacks a company that a newer list may have. */
int planner_lacks_company(const struct plan *plan, int rejected);

/* Adds a company (from a store or a user's list); texts are copied.  For a known CIK, name and ticker are added as
 * further ones.  Not while other threads use p. */
void planner_add(struct planner *p, struct slice cik, struct slice ticker, struct slice name);

/* Whether the planner has exactly one company of this name or ticker, as it is listed: 1 with *company, whose texts live as
 * long as p and name, else 0. */
int plan_company_is_listed(const struct planner *p, struct slice name, struct plan_company *company);

/* The planner's company with a CIK of ten digits: 1 with *company, else 0. */
int plan_company_of_cik(const struct planner *p, const char *cik, struct plan_company *company);

void plan_init(struct plan *plan);
void plan_release(struct plan *plan);

/* 0; or -1 where the request is rejected: *why has the reason and remedy, plan->candidates and plan->doubtful the
 * possible companies.  A company in a question that is on no list is not an error but listed in `unknown`. */
int plan_make(const struct planner *p, const struct plan_request *ask, struct plan *plan,
              struct error_text *why);

/* How far from the last day of a window with `ends` the last day of its report may be: PLAN_ENDS_DAYS or PLAN_YEAR_DAYS. */
int plan_window_days_apart(const struct plan_window *w);

/* The quarter of a fiscal year that ends in a month, where the year ends on that day (month * 100 + day). */
enum period_part plan_quarter_ending(int month, int year_end);

const char *plan_how_name(enum plan_how how);          /* "ticker" */
const char *plan_period_name(enum period_part period); /* "Q1"; "" for PART_ANY */
const char *plan_asks_name(enum plan_asks asks);       /* "figure" */

/* ---- identifiers of securities and filings, for which there is no list of companies ---- */

/* The kind of an identifier by its length, letters and digits, with or without the kind's name before it ("ISIN US0378331005"): "an ISIN",
 * "a CUSIP", "an LEI", "a FIGI", "an accession number"; NULL where the text is none. */
const char *plan_identifier_kind(struct slice text);

#endif
