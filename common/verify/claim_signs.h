/* claim_signs.h: profit and loss, increase and decrease, cash inflow and outflow. */
#ifndef BID_CLAIM_SIGNS_H
#define BID_CLAIM_SIGNS_H

#include "verify/claim_view.h"

/* Whether the sentence calls a loss a profit, or a decrease an increase, or the reverse. */
int claim_other_sign(const struct claim_view *v, const struct evidence_item *found);

#endif
