/* claim_computed.h: what a number may be computed from. */
#ifndef BID_CLAIM_COMPUTED_H
#define BID_CLAIM_COMPUTED_H

#include "verify/claim_view.h"

/* What the number is computed from: a change between two times, a part, a sum, a difference or a ratio of figures that the
 * sentence names; NULL for nothing. */
const struct evidence_item *claim_computed(const struct claim_view *v);

#endif
