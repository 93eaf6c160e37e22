/* plan_partial.h: finds companies by some words of their name, in order, possibly with missing words or typing
 * errors. */
#ifndef BID_PLAN_PARTIAL_H
#define BID_PLAN_PARTIAL_H

#include "query/mentions.h"

/* The company whose name has some words of t: "royal bank canada", "Grainger", "align tech", "Thermo Fischer
 * Scientfic".  Scans all names, so it is only for texts without a key.  slips: also where words have typing errors.  1 with *found; 0;
 * -1 where several match and none is much more likely: *found has them as rivals. */
int plan_partial_resolve(const struct directory *d, const struct plan_words *words, const struct plan_text *t,
                         int slips, struct mention *found);

#endif
