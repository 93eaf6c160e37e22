/* claim_binding.h: how closely the words of a claim are bound to a figure of the evidence.
 *
 * A claim is the clause of a number.  A figure is bound to it by the words that both have, by their rarity in the
 * evidence: those of its line's label, or beside it in its sentence, count most, then those of its column and the
 * heading above, then the rest of its sentence; so do its year and day.  Words that only the figure has count against
 * it.  Where another figure is bound clearly closer than the one with the claim's value, the claim has the wrong value
 * (claim_lines.h).
 */
#ifndef BID_CLAIM_BINDING_H
#define BID_CLAIM_BINDING_H

#include "verify/claim_view.h"

/* Fills in what the view says of the clause of its number. */
void claim_take_clause(struct claim_view *v);

/* The weight of a line's words that the clause has. */
double claim_line_words(const struct claim_view *v, const struct evidence_item *item);

/* The weight of the words beside an item, or of its label, that the clause has and the other item lacks. */
double claim_distinct_words(const struct claim_view *v, const struct evidence_item *item,
                            const struct evidence_item *other);

/* A sum of weights, of about -1 to 10: only comparable within one view. */
double claim_binding(const struct claim_view *v, const struct evidence_item *item);

#endif
