/* claim_swaps.h: two figures of a sentence in each other's place: "iPad sales were $33.7 billion and Mac sales $28.0 billion".
 *
 * A figure that another number of the sentence states is no rival of a claim, as both may be where they belong; what tells that
 * they were swapped is that both numbers' clauses together are bound closer to the figures the other way round. */
#ifndef BID_CLAIM_SWAPS_H
#define BID_CLAIM_SWAPS_H

#include "verify/claim_view.h"

/* Whether another number of the sentence states a figure. */
int claim_is_stated_too(const struct claim_view *v, const struct evidence_item *item);

/* Whether the number at byte `at` is a unit: "per $1,000". */
int claim_is_unit(struct slice text, size_t at);

/* The figure of another number of the sentence with which found was swapped; NULL where it wasn't. */
const struct evidence_item *claim_swapped(const struct claim_view *v, const struct evidence_item *found);

#endif
