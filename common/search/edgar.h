/* edgar.h: the "edgar" member of a retrieval's bundles and its errors, built from the records that fetching and
 * indexing produced (what sec-filings discovered, receipts, facts, error records).
 *
 * A record belongs to the job with the number in its "job" member.  Receipts and errors without one belong to the
 * jobs that list the filing; errors that name no filing belong to all jobs.
 */
#ifndef BID_EDGAR_H
#define BID_EDGAR_H

#include "base/buf.h"
#include "base/diag.h"
#include "search/search_scope.h"

#define EDGAR_FILINGS 200  /* limit of filings listed per job */
#define EDGAR_COMPANIES 16 /* limit of companies per job */

struct edgar;
struct edgar_set;

/* Reads records from fd until its end.  NULL with *e on a read error; a bad line is an error of all jobs. */
struct edgar_set *edgar_read(int fd, struct error_text *e);
void edgar_free(struct edgar_set *set); /* set may be NULL */

/* Calls stored() for each filing's URL to find out whether the store has it. */
void edgar_mark(struct edgar_set *set, int (*stored)(void *arg, struct slice url), void *arg);

/* The records of a job, or NULL. */
const struct edgar *edgar_of(const struct edgar_set *set, uint64_t job);

/* The filings in the form that search_scope_make() takes. */
size_t edgar_filings(const struct edgar *g, const struct scope_filing **list);

/* Appends {company, forms, filings[{form, filingDate, accessionNumber, href, reportDate, fiscalYear, fiscalPeriod,
 * primaryDocument, company, recent, ingested}], attempt{discovered, ingested, unchanged, failed}, facts[],
 * disagreements[]}.  plan: for forms, or NULL; disagreements: an array, or empty.  Filings have a company where there
 * are several. */
void edgar_add(const struct edgar *g, const struct plan *plan, struct slice disagreements, struct buf *out);

/* The facts as elements of a JSON array, without brackets. */
struct slice edgar_facts(const struct edgar *g);

/* Prints date, form and URL of each filing. */
void edgar_show(const struct edgar *g, struct buf *out);

/* Appends the errors to an open array, without duplicates; and an error "stale" with its URL for a listed filing that
 * the store lacks and that is newer than `newest` (the latest filing date in the store, or STORE_NO_DAY for any). */
void edgar_add_errors(const struct edgar *g, struct buf *out);
void edgar_add_stale(const struct edgar *g, const struct search_scope *scope, struct buf *out);

#endif
