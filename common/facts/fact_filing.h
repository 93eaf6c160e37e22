/* fact_filing.h: a filing of a company through bid-fetch, and the facts that are tagged in it. */
#ifndef BID_FACT_FILING_H
#define BID_FACT_FILING_H

#include "facts/fact.h"

/* Finds the newest filing of the forms ("10-K,20-F") on a company's list, or the one of a period such as "Q2-2025" (NULL: any).
 * keep has the filing's texts.  0, or -1 with why. */
int fact_filing_find(struct fact_company *keep, struct slice cik, const char *forms, const char *period,
                     struct buf *href, struct fact *filing, struct error_text *why);

/* Fetches a document; keep gets its source.  0, or -1 with why. */
int fact_filing_fetch(struct fact_company *keep, struct slice href, struct buf *html, struct error_text *why);

/* Loads the facts tagged in the filing of a period, each with its accession number, form and date; only one filed by the day
 * as_of (DAY_NONE: any).  0, or -1. */
int fact_filing_load(struct fact_company *c, struct slice cik, const char *forms, const char *period,
                     int32_t as_of);

#endif
