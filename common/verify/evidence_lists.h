/* evidence_lists.h: the lists of a sentence: of numbers, of periods, and of other parts, which belong to each other in turn.
 *
 * A period list is what stands without a number between: "the three and six months ended June 30, 2025", "June 30, 2025
 * and 2024".  Its entries are written out: the first of these has two, (3 months, June 30, 2025) and (6 months, June 30, 2025). */
#ifndef BID_EVIDENCE_LISTS_H
#define BID_EVIDENCE_LISTS_H

#include "text/numbers.h"

struct evidence_listed {
  int months, year,
      day; /* of the list of periods that is the number's; 0 for what isn't told; day: 100 for each month, and the day */
  struct slice part,
      list; /* its part of another list, "Cardinal" of "McKesson and Cardinal"; both empty where there is none */
  size_t first, count; /* of its own list of numbers: the index of the first one, and how many, 1 or more */
};

/* Returns the place of each number of a text in its lists, to be freed. */
struct evidence_listed *evidence_lists_read(const struct stated *s, struct slice text);

#endif
