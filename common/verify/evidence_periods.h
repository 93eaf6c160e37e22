/* evidence_periods.h: the periods that a sentence names, and which of its listed numbers is of which.
 *
 * A period list is what stands without a number between: "the three and six months ended June 30, 2025", "June 30, 2025
 * and 2024", "the three months ended June 30, 2025 and the six months then ended".  Its entries are written out, so that
 * the first of these has two, (3 months, June 30, 2025) and (6 months, June 30, 2025).  The numbers of a list that is as
 * long as a list of periods are of these in turn. */
#ifndef BID_EVIDENCE_PERIODS_H
#define BID_EVIDENCE_PERIODS_H

#include "verify/numbers.h"

struct evidence_period { /* 0 for what isn't told */
  int months, year;
  int day; /* 100 for each month, and the day */
};

/* Fills of[number_count] for the numbers of lists; others get zeros.  Of two lists of periods the one behind the numbers counts; with
 * "respectively" it may stand behind another list of numbers. */
void evidence_listed_periods(const struct stated *s, struct slice text, struct evidence_period *of);

#endif
