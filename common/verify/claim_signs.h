/* claim_signs.h: profit and loss, rise and fall, cash in and out. */
#ifndef BID_CLAIM_SIGNS_H
#define BID_CLAIM_SIGNS_H

#include "verify/claim_view.h"

/* Whether the sentence tells a profit of what is a loss, or that what fell rose. */
int claim_other_sign(const struct claim_view *v, const struct evidence_item *found);

#endif
