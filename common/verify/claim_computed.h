/* claim_computed.h: finds the figures from which a number may have been computed. */
#ifndef BID_CLAIM_COMPUTED_H
#define BID_CLAIM_COMPUTED_H

#include "verify/claim_view.h"

/* The figure from which the number can be computed: by a change between two dates, a share, a sum, a difference or a
 * ratio of figures that the sentence names; NULL where there is none.  v->computation gets all figures that it takes. */
const struct evidence_item *claim_computed(const struct claim_view *v);

#endif
