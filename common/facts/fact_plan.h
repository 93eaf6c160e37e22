/* fact_plan.h: selects the figures that a question asks for, for an answer's bundle. */
#ifndef BID_FACT_PLAN_H
#define BID_FACT_PLAN_H

#include "facts/fact_period.h"
#include "facts/measure.h"
#include "facts/member.h"
#include "query/concepts.h"
#include "record/program.h"

#include <stdint.h>

/* The newest calendar year on which all companies have reported by a day. */
int fact_screen_newest_year(int32_t today);

/* Reads jobs with a plan (bid-plan(1)) from the operands or stdin and writes a line for each fact that matches the
 * question's words, companies and windows. */
void fact_plan_run(struct program *p, const struct concept_table *table);

/* Writes the rows of a figure that a window of a question picks; for fact_plan.c alone. */

enum { PLAN_WRITTEN_MOST = 256, PLAN_OLD_DAYS = 460, PLAN_YEARS_APART = 180 };

struct fact_plan_end {
  int32_t day; /* DAY_NONE: none yet */
  char company[128];
};

struct fact_plan_span {
  const struct plan_figure *word;
  const struct member *part; /* or NULL */
  int32_t start, end;
  struct decimal number;
};

struct fact_plan {
  struct program *p;
  const struct concept_table *table;
  struct fact_last *last;
  const struct plan *plan;
  int unreported[PLAN_FIGURES]; /* of each figure of the plan: the company at hand doesn't report it */
  struct fact_windows windows;
  struct fact_plan_span written[PLAN_WRITTEN_MOST]; /* of this company, so that none comes twice */
  size_t written_count;
  int doubled; /* two windows had the same figure */
  int32_t as_of;
  struct fact_plan_end ends[FACT_WINDOWS_MOST]; /* of the first company's figures, for each window */
  const struct member *part; /* of the company, whose figures are written; NULL: the whole */
  const char *part_title;    /* what it is called */
  int of_filing;             /* the figures are of one filing, not of company facts */
  struct slice job;          /* the job's number, copied to its facts; or empty */
  int32_t newest_end;        /* of the figures written last; DAY_NONE: none */
  char newest[64];           /* the newest period reported for a figure, or empty */
};

/* Reports an error of a job, whose number (JSON, or empty) the record carries. */
void fact_plan_say(struct program *p, struct slice job, const char *category, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Reports that periods of one name end far apart for two companies. */
void fact_plan_compare_ends(struct fact_plan *f, const struct fact_company *c, size_t window);

/* Reports that company facts end long ago, where the question names no period. */
void fact_plan_note_age(struct fact_plan *f, const struct fact_company *c, const struct fact_window *w);

/* Reports the figures of the question that the company doesn't report. */
void fact_plan_say_unreported(struct fact_plan *f, const struct fact_company *c);

/* Reports that company facts have no figure of that name. */
void fact_plan_say_other(struct fact_plan *f, struct slice asked);

/* The day of the question: as_of, or today where that is DAY_NONE. */
int32_t fact_plan_today(int32_t as_of);

/* Writes a word's figures in a window as records; returns their number. Without a period a balance is the newest quarter's.
 * In a range of days without the end of a fiscal year the quarters count. */
size_t fact_plan_write(struct fact_plan *f, const struct fact_company *c, const struct fact_splits *splits,
                       const struct plan_figure *word, const struct fact_window *w);

/* ---- the company, and its filing, whose facts were loaded last: jobs of one company are adjacent ---- */

struct fact_last {
  char cik[16];
  int status; /* of loading it */
  struct fact_company company;
  struct error_text why;
  char period[24];   /* of the filing below, "FY-2024 10-K,20-F,40-F", or empty */
  int filing_status; /* of loading it */
  struct error_text filing_why;
  struct fact_company
      filing;        /* what is tagged in the company's filing of that period, of the whole company */
  struct fact filed; /* its accession number, form and day */
  struct inline_document document;
  struct member_list members; /* of the document */
};

void fact_last_init(struct fact_last *last);
void fact_last_release(struct fact_last *last);

/* The facts of a company; NULL where they could not be had, with last->why. */
const struct fact_company *fact_last_company(struct fact_last *last, const char *cik, struct slice ticker);

/* The facts tagged in the filing that reports a window of the company's own numbering, for periods that company facts
 * don't have yet; NULL where there is none.  as_of: only filings by that day, or DAY_NONE. */
const struct fact_company *fact_last_filing(struct fact_last *last, const struct fact_window *w,
                                            int32_t as_of);

/* The company's newest annual report, or quarterly one; NULL where it can't be had, with last->filing_why. */
const struct fact_company *fact_last_newest(struct fact_last *last, int quarterly, int32_t as_of);

#endif
