/* claim_formula.h: ratios by a formula of data/concepts.tsv. */
#ifndef BID_CLAIM_FORMULA_H
#define BID_CLAIM_FORMULA_H

#include "verify/claim_view.h"

/* Whether a ratio named in the sentence has the number as its value in the column of an item: "gross margin" 73.9%. */
int claim_is_ratio(const struct claim_view *v, const struct evidence_item *at);

#endif
