/* evidence_scales.h: tables that tell no scale.
 *
 * Long reports state "in millions" once for all notes, and a passage may lack it.  A table without a caption whose largest
 * amount has four to six digits, and whose amounts are not all round, may be in millions; with more digits it is in whole
 * dollars, or in thousands, and taken as printed. */
#ifndef BID_EVIDENCE_SCALES_H
#define BID_EVIDENCE_SCALES_H

#include "verify/evidence.h"

/* Numbers from here on are taken as printed: of a table without a caption they are neither thousands nor millions. */
#define EVIDENCE_SCALE_MOST 1e6

/* Sets `any_scale` of a table's amounts, which begin at `first` and go to the last item. */
void evidence_scales_find(struct evidence *e, size_t first);

/* The same for the amounts of money in the sentences of notes to financial statements, "an impairment of $125,759", where none of the
 * passage, whose items begin at `first`, has a scale word. */
void evidence_scales_of_notes(struct evidence *e, size_t first, struct slice context);

#endif
