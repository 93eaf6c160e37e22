/* relation.h: numbers that an answer computed from figures of what it cites. */
#ifndef BID_RELATION_H
#define BID_RELATION_H

#include "verify/claim.h"

enum relation_found {
  RELATION_NONE,
  RELATION_LIKELY, /* the figures give the number, but the sentence doesn't say how, or doesn't name both */
  RELATION_FOUND
};

/* Finds the figures from which the number was computed, "rose 6%" of two revenues, and how. */
enum relation_found relation_find(const struct claim_view *v, struct claim_computation *c);

#endif
