/* evidence_blocks.h: what the rows and columns of a table are to each other: the total that a row is a part of, and
 * which figures are amounts of money.
 *
 * A row is the total of the rows above it where it is their sum in every column, to within their rounding; rows that
 * are part of a total are not added again, so that totals of totals are found too.  Labels are not looked at: "Income
 * before income taxes" is a total without the word.
 */
#ifndef BID_EVIDENCE_BLOCKS_H
#define BID_EVIDENCE_BLOCKS_H

#include "verify/evidence.h"

/* Sets `of`, `whole_row` and `counts` of a table's items, which begin at `first` and go to the last one. */
void evidence_blocks_find(struct evidence *e, size_t first);

#endif
