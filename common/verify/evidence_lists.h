/* evidence_lists.h: the lists of a sentence: of numbers, of periods, and of other parts, which belong to each other in turn.
 *
 * A list of periods has no number between: "the three and six months ended June 30, 2025", "June 30, 2025 and 2024".  Its entries are
 * written out: the first of these has two, (3 months, June 30, 2025) and (6 months, June 30, 2025). */
#ifndef BID_EVIDENCE_LISTS_H
#define BID_EVIDENCE_LISTS_H

#include "verify/periods.h"

struct evidence_listed {
  struct period_told of; /* of its list of periods; without one the nearest, but for the year */
  struct slice part,
      list; /* its part of another list, "Cardinal" of "McKesson and Cardinal", and the whole; or empty */
  size_t first, count; /* of its own list of numbers: the index of the first one, and how many, 1 or more */
};

/* Returns the place of each number of a text in its lists, to be freed. */
struct evidence_listed *evidence_lists_read(const struct stated *s, const struct periods *p);

#endif
