/* fact_last.h: the company, and its filing, whose facts were loaded last: jobs of one company are adjacent. */
#ifndef BID_FACT_LAST_H
#define BID_FACT_LAST_H

#include "facts/fact.h"
#include "facts/fact_window.h"

struct fact_last {
  char cik[16];
  int status; /* of loading it */
  struct fact_company company;
  struct error_text why;
  char period[16];            /* of the filing below, or empty */
  int filing_status;          /* of loading it */
  struct fact_company filing; /* what is tagged in the company's filing of that period */
};

void fact_last_init(struct fact_last *last);
void fact_last_release(struct fact_last *last);

/* The facts of a company, whose ticker is JSON; NULL where they could not be had, with last->why. */
const struct fact_company *fact_last_company(struct fact_last *last, const char *cik, struct slice ticker);

/* The facts tagged in the filing that reports a window of the company's own numbering, for periods that company facts
 * don't have yet; NULL where there is none.  as_of: only filings by that day, or DAY_NONE. */
const struct fact_company *fact_last_filing(struct fact_last *last, const struct fact_window *w,
                                            int32_t as_of);

#endif
