/* fact_hint.h: what to try for a figure that is not there as asked. */
#ifndef BID_FACT_HINT_H
#define BID_FACT_HINT_H

#include "facts/fact_period.h"
#include "facts/measure.h"

/* The form of a single document (fact_is_document()), or an empty slice. */
struct slice fact_document_form(const struct fact_company *c);

/* The span that a document is about: years where it has one that ends with its newest span, else quarters; with
 * to_date, as for cash flows, the longest span that ends then. */
enum fact_span fact_document_span(const struct fact_company *c, int to_date);

/* Appends that a figure without rows in the span of x has some in another one, with the newest period ("'capex' is not
 * reported for quarters, but for six months: -p H1-2025").  Returns whether there is one. */
int fact_hint_span(const struct measure_context *x, struct slice asked, struct buf *why);

/* Where a word of the table may stand that a single document doesn't report, for the end of a message; or "". */
const char *fact_hint_elsewhere(const struct measure_context *x, struct slice asked);

#endif
