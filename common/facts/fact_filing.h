/* fact_filing.h: a filing of a company through bid-fetch, and the facts that are tagged in it. */
#ifndef BID_FACT_FILING_H
#define BID_FACT_FILING_H

#include "facts/inline.h"

/* Finds the newest filing of the forms ("10-K,20-F") on a company's list, or the one of a period such as "Q2-2025" (NULL: any).
 * keep has the filing's texts.  0, or -1 with why. */
int fact_filing_find(struct fact_company *keep, struct slice cik, const char *forms, const char *period,
                     struct buf *href, struct fact *filing, struct error_text *why);

/* Fetches a document; keep gets its source.  0, or -1 with why. */
int fact_filing_fetch(struct fact_company *keep, struct slice href, struct buf *html, struct error_text *why);

/* Loads the document of a filing, as fact_filing_find() finds it, and into c the facts tagged in it on the whole company; only one
 * filed by the day as_of (DAY_NONE: any).  c has the filing's texts.  0, or -1 with why. */
int fact_filing_load(struct fact_company *c, struct inline_document *d, struct fact *filing, struct slice cik,
                     const char *forms, const char *period, int32_t as_of, struct error_text *why);

/* Gives all facts of c the filing's accession number, form and date. */
void fact_filing_stamp(struct fact_company *c, const struct fact *filing);

#endif
