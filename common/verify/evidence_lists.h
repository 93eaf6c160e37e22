/* evidence_lists.h: the years of numbers that a sentence lists: "$5 and $4 in 2009 and 2008, respectively". */
#ifndef BID_EVIDENCE_LISTS_H
#define BID_EVIDENCE_LISTS_H

#include "verify/numbers.h"

/* Where a list of years and a list of numbers of the same length belong together, in either order, the k-th number is
 * of the k-th year.  Fills years[number_count]; 0 where unknown. */
void evidence_respective_years(const struct stated *s, struct slice text, int *years);

/* "McKesson and Cardinal had 18.0% and 14.1%, respectively": the part of the list that a number belongs to, and the whole
 * list; both empty where there is none. */
struct evidence_respective {
  struct slice part, list;
};

/* Fills of[number_count]: for lists of numbers before the word to which no list of years belongs. */
void evidence_respective_parts(const struct stated *s, struct slice text, const int *years,
                               struct evidence_respective *of);

/* "$5 and $9 for the three and six months ended June 30": fills months[number_count] with the length of the period of each number
 * in a list right before two lengths; 0 for others. */
void evidence_listed_months(const struct stated *s, struct slice text, int *months);

/* The list of numbers to which the one at `at` belongs: *first gets the index of its first one, *count its length, 1 or more. */
void evidence_list_of(const struct stated *s, struct slice text, size_t at, size_t *first, size_t *count);

#endif
