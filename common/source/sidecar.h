/* sidecar.h: a JSON file with metadata beside a local file: report.pdf.json or report.json for report.pdf.
 *
 * Its members company, ticker, cik, form, title, filingDate (or date), reportDate (or period), fiscalYear,
 * fiscalPeriod, documentType and corpus become metadata of the file's payloads.
 */
#ifndef BID_SIDECAR_H
#define BID_SIDECAR_H

#include "base/buf.h"

#define SIDECAR_MAX ((size_t)1 << 20) /* limit in bytes; a larger file is data */

/* Whether the .json file at path is a sidecar: an object with one of the members above, beside the file that it
 * describes. */
int sidecar_is(const char *path);

/* Appends the union of `given` (an object or empty) and the file's sidecar; given wins.  *says gets a message for
 * display where they name different companies.  1, or 0 (nothing appended) where there is no sidecar. */
int sidecar_merge(const char *path, struct slice given, struct buf *out, struct buf *says);

#endif
