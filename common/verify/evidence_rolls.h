/* evidence_rolls.h: tables that roll a balance forward: "Outstanding at January 1, 2024", "Granted", "Vested", "Outstanding at December
 * 31, 2024". */
#ifndef BID_EVIDENCE_ROLLS_H
#define BID_EVIDENCE_ROLLS_H

#include "verify/evidence.h"

/* Gives the rows between two dated balances the year of the later one, in the table whose items begin at `first`. */
void evidence_rolls_find(struct evidence *e, size_t first);

#endif
