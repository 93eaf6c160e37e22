/* claim_moves.h: whether figures that are found moved as the sentence says. */
#ifndef BID_CLAIM_MOVES_H
#define BID_CLAIM_MOVES_H

#include "verify/claim_view.h"
#include "verify/claims.h"

/* Contradicts claim k of the sentence, or the one before it, where both are found and the sentence tells of the other
 * direction or of the other order: "climbed to $11.4 billion from $11.8 billion", "from $72 million to $70 million" where $72
 * million is the later one; "grew to $6.6 billion" where the line was larger in the year before. */
void claim_moves_check(struct claim *claim, const struct claim_view *v, size_t k);

#endif
