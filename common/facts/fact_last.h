/* fact_last.h: the company, and its filing, whose facts were loaded last: jobs of one company are adjacent. */
#ifndef BID_FACT_LAST_H
#define BID_FACT_LAST_H

#include "facts/fact_period.h"
#include "facts/member.h"

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
