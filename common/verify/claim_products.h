/* claim_products.h: numbers computed from a figure and a rate: a count times a price, a part in percent of a whole, what a part leaves
 * of it. */
#ifndef BID_CLAIM_PRODUCTS_H
#define BID_CLAIM_PRODUCTS_H

#include "verify/claim_view.h"

/* Whether the number is the product of a count, which the sentence may refer to, and of what its row or sentence gives for each; or
 * of an amount and a per cent of it: "77% of 217,000 people". */
int claim_is_product(const struct claim_view *v, const struct evidence_item *of);

/* Whether the number is what each of a row's things is worth: "some $93,300 each", of 11,509 units and $1,074 million. */
int claim_is_each(const struct claim_view *v, const struct evidence_item *amount);

/* "31% work outside the US", where 69% work in the US. */
int claim_is_rest(const struct claim_view *v, const struct evidence_item *part);

#endif
