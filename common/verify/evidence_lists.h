/* evidence_lists.h: the numbers that a sentence lists, and the parts of another list to which they belong in turn. */
#ifndef BID_EVIDENCE_LISTS_H
#define BID_EVIDENCE_LISTS_H

#include "verify/evidence_periods.h"
#include "verify/numbers.h"

/* "McKesson and Cardinal had 18.0% and 14.1%, respectively": the part of the list that a number belongs to, and the whole
 * list; both empty where there is none. */
struct evidence_respective {
  struct slice part, list;
};

/* Fills of[number_count]: for lists of numbers before the word to which no list of periods belongs. */
void evidence_respective_parts(const struct stated *s, struct slice text, const struct evidence_period *dated,
                               struct evidence_respective *of);

/* The length in months of such a part, "year-to-date" beside a quarter included; 0 where it is none. */
int evidence_part_months(const struct evidence_respective *of);

/* The list of numbers to which the one at `at` belongs: *first gets the index of its first one, *count its length, 1 or more. */
void evidence_list_of(const struct stated *s, struct slice text, size_t at, size_t *first, size_t *count);

#endif
