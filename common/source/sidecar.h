/* sidecar.h: a .json beside a local file that says what the file is: report.pdf.json or report.json with report.pdf.
 *
 * Its members company, ticker, cik, form, title, filingDate (or date), reportDate (or period), fiscalYear,
 * fiscalPeriod, documentType and corpus are metadata of the file's payloads.
 */
#ifndef BID_SIDECAR_H
#define BID_SIDECAR_H

#include "base/buf.h"

#define SIDECAR_MAX ((size_t)1 << 20) /* bytes of one; a larger file is data */

/* Whether the .json at path is such a file: an object with one of the members above, beside the file that it is
 * about. */
int sidecar_is(const char *path);

/* Appends the object that `given` (an object or empty) and the file's sidecar make together; given wins.  *says gets
 * a text for people where the two name different companies.  1, or 0 (nothing appended) where there is no sidecar. */
int sidecar_merge(const char *path, struct slice given, struct buf *out, struct buf *says);

#endif
