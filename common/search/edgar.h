/* edgar.h: what a retrieval tells of EDGAR: the "edgar" member of the bundle and its errors, made of the
 * records that discovery and ingestion gave (payloads of sec-filings, receipts, error records).
 */
#ifndef BID_EDGAR_H
#define BID_EDGAR_H

#include "base/buf.h"
#include "base/diag.h"

#define EDGAR_FILINGS 200 /* filings that are told at most */

struct edgar;

/* Reads records from fd until its end.  NULL with *e where reading failed; a bad line is one of the errors.
 */
struct edgar *edgar_read(int fd, struct error_text *e);
void edgar_free(struct edgar *g); /* NULL allowed */

/* Asks for each filing's address whether the store holds it. */
void edgar_mark(struct edgar *g, int (*stored)(void *arg, struct slice url), void *arg);

/* Appends {company, forms, filings[{form, filingDate, accessionNumber, href, reportDate, primaryDocument,
 * recent, ingested}], attempt{discovered, ingested, unchanged, failed}}; forms: those looked for, parted by
 * commas, or NULL. */
void edgar_add(const struct edgar *g, const char *forms, struct buf *out);

/* Appends the error objects to an open array. */
void edgar_add_errors(const struct edgar *g, struct buf *out);

#endif
