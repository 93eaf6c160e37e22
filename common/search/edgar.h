/* edgar.h: what retrievals tell of EDGAR: the "edgar" member of each bundle and its errors, made of the records that
 * discovery and reading gave (payloads of sec-filings, receipts, facts, error records).
 *
 * A record belongs to the job whose number it carries in "job"; receipts and errors without one to the jobs that list
 * the filing, errors that name none to all jobs.
 */
#ifndef BID_EDGAR_H
#define BID_EDGAR_H

#include "base/buf.h"
#include "base/diag.h"
#include "search/search_scope.h"

#define EDGAR_FILINGS 200  /* filings of a job that are told at most */
#define EDGAR_COMPANIES 16 /* companies of a job */

struct edgar;
struct edgar_set;

/* Reads records from fd until its end.  NULL with *e where reading failed; a bad line is an error of all jobs. */
struct edgar_set *edgar_read(int fd, struct error_text *e);
void edgar_free(struct edgar_set *set); /* NULL allowed */

/* Asks for each filing's address whether the store holds it. */
void edgar_mark(struct edgar_set *set, int (*stored)(void *arg, struct slice url), void *arg);

/* Once they are marked: a filing that the store lacks and that several jobs list is the first one's to ask for. */
void edgar_claim(struct edgar_set *set);

/* What was told of a job, or NULL. */
const struct edgar *edgar_of(const struct edgar_set *set, uint64_t job);

/* The filings, as the scope of a search takes them. */
size_t edgar_filings(const struct edgar *g, const struct scope_filing **list);
/* How many of them the store lacks and no other job asks for. */
size_t edgar_unread(const struct edgar *g);
/* Accession numbers of all others, separated by commas. */
void edgar_add_stored(const struct edgar *g, struct buf *out);

/* Appends {company, forms, filings[{form, filingDate, accessionNumber, href, reportDate, fiscalYear, fiscalPeriod,
 * primaryDocument, company, recent, ingested}], attempt{discovered, ingested, unchanged, failed}, facts[], disagreements[]}; forms: of the plan,
 * or NULL; disagreements: an array, or empty.  A filing says its company where there are several. */
void edgar_add(const struct edgar *g, const struct plan *plan, struct slice disagreements, struct buf *out);

/* The facts as elements of a JSON array, without brackets. */
struct slice edgar_facts(const struct edgar *g);

/* Lines for people: day, form, address of each filing. */
void edgar_show(const struct edgar *g, struct buf *out);

/* Appends the error objects to an open array, each once; and where a filing that is listed is newer than `newest` (the
 * newest day in the store, or STORE_NO_DAY for "any is") and the store lacks it, an error "stale" with its address. */
void edgar_add_errors(const struct edgar *g, struct buf *out);
void edgar_add_stale(const struct edgar *g, const struct search_scope *scope, struct buf *out);

#endif
