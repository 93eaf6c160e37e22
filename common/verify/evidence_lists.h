/* evidence_lists.h: the years of numbers that a sentence lists: "$5 and $4 in 2009 and 2008, respectively". */
#ifndef BID_EVIDENCE_LISTS_H
#define BID_EVIDENCE_LISTS_H

#include "verify/numbers.h"

/* Where a list of years and a list of numbers of the same length belong together, in either order, the k-th number is
 * of the k-th year.  Fills years[number_count]; 0 where unknown. */
void evidence_respective_years(const struct stated *s, struct slice text, int *years);

#endif
