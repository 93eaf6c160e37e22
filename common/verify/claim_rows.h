/* claim_rows.h: what the other numbers of a sentence tell of the row in which a figure stands.
 *
 * "Options for 423 shares were granted at $243.51": where one number stands in a row, or in a sentence of a passage, so does the
 * other.  Where a sentence has two lists, "5%, 10% and 20% would cost $1, $2 and $4", the k-th figure of one goes with the k-th of the
 * other.
 */
#ifndef BID_CLAIM_ROWS_H
#define BID_CLAIM_ROWS_H

#include "verify/claim_view.h"

/* Whether another number of the sentence stands in the figure's row, and at its place of a list. */
int claim_has_company(const struct claim_view *v, const struct evidence_item *found);

/* The figure that stands where the other numbers of the sentence do: of the row in which one of them is, in found's column or with
 * found's words, or at its place of a list; NULL where there is none, or where the clause names found's own row. */
const struct evidence_item *claim_of_company(const struct claim_view *v, const struct evidence_item *found);

/* Whether nothing that the sentence says ties a small per cent to a figure, no word of its line, its column or its sentence
 * and no synonym: "29%" may be of anything, which an amount of many digits is not. */
int claim_is_unbound(const struct claim_view *v, const struct evidence_item *found);

#endif
