/* fact_load.h: loads the facts of a company or FRED series, from bid-fetch or from a file. */
#ifndef BID_FACT_LOAD_H
#define BID_FACT_LOAD_H

#include "base/diag.h"
#include "base/helper.h"
#include "facts/fact.h"
#include "facts/inline.h"

/* Loads all facts of a company by ticker, name or CIK.  0, or an exit status with why (empty where bid-fetch has
 * reported it on stderr); its error records are appended to errors, which may be NULL. */
int fact_load_company(struct fact_company *c, const char *entity, struct buf *errors, struct error_text *why);

/* Loads a file ("-" is stdin): a companyfacts answer, payload records that contain one, or an inline XBRL document. */
int fact_load_file(struct fact_company *c, const char *path, struct error_text *why);

/* Adds a FRED series to c; since and period may be NULL. */
int fact_load_fred(struct fact_company *c, const char *series, const char *since, const char *period,
                   struct error_text *why);

/* Decodes the raw content of the first payload among records; copies its metadata, source and so on into c.  0, or -1
 * where there is none. */
int fact_load_payload(struct fact_company *c, struct slice records, struct buf *content);

/* The message of the first error record among records, into why; unchanged where there is none. */
void fact_load_why(struct slice records, struct error_text *why);

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

/* ---- fetches facts by running bid-fetch as a child; this program itself makes no network requests ---- */

/* Runs `bid-fetch --quiet ARGUMENTS` (ended by NULL) and appends its records to out, one per line.  It reports errors
 * on stderr itself, unless `silent`.  Returns its exit status, or -1 with why where it could not be run. */
int fact_fetch(const char *const *arguments, int silent, struct buf *out, struct error_text *why);

/* Runs bid-fetch for it, for a helper of a program that is held by then; with the sources that this program uses alone. */
helper_run fact_fetch_run;

/* Lets it fetch files, too ("file", PATH); before the helper is started. */
void fact_fetch_files(void);

#endif
