/* disagreement.h: reported facts held against passages: where a row of a table has the name of a fact, its year and its
 * length of time, and another value.
 *
 * A row counts where its whole label is a word for the fact's concept (data/concepts.tsv), and where it doesn't stand under
 * a heading of its table ("Americas:").  A balance is not held against a row of cash flows or of a span, nor anything against a
 * value of the other sign.  Where any passage has the fact's own value in a row for the concept, nothing
 * disagrees: the others are parts or of another kind.
 */
#ifndef BID_DISAGREEMENT_H
#define BID_DISAGREEMENT_H

#include "verify/evidence.h"

/* Appends {label, fiscalYear, fiscalPeriod, value, unit, accessionNumber, rank, row, printed} to an open array for each
 * of the facts (a JSON array, rows of bid-facts) that disagrees with a passage; e: evidence of passages of the facts'
 * company, marked by their rank.  Returns how many. */
size_t disagreements_add(const struct evidence *e, struct slice facts, const char *cik, struct buf *out);

#endif
