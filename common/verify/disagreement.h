/* disagreement.h: compares reported facts with passages: finds table rows with a fact's name, year and duration but
 * another value.
 *
 * A row is considered if its whole label is a word for the fact's concept (data/concepts.tsv) and it isn't below a
 * heading within its table ("Americas:").  A balance is not compared with a row of a cash flow statement or of a
 * span, and values of opposite sign are not compared.  Where any passage has the fact's own value in a row for the
 * concept, nothing disagrees: the other rows are parts or of another kind.
 */
#ifndef BID_DISAGREEMENT_H
#define BID_DISAGREEMENT_H

#include "verify/evidence.h"

/* Appends {label, fiscalYear, fiscalPeriod, value, unit, accessionNumber, rank, row, printed} to an open array for
 * each of the facts (a JSON array, rows of bid-facts) that disagrees with a passage.  e: evidence from passages of
 * the facts' company, marked by rank.  Returns how many. */
size_t disagreement_add(const struct evidence *e, struct slice facts, const char *cik, struct buf *out);

#endif
