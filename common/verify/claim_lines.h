/* claim_lines.h: determines which line, column or clause a sentence names. */
#ifndef BID_CLAIM_LINES_H
#define BID_CLAIM_LINES_H

#include "verify/claim_view.h"

/* The weighted share of a line's words in the sentence; a word weighs less the more lines contain it: "Europe" is
 * almost all of "Europe net sales". */
double claim_named(const struct claim_view *v, const struct evidence_item *item);

/* Number of words that only the first list has; *told: how many of them the sentence contains. */
size_t claim_own_words(const struct claim_view *v, const struct evidence_words *a,
                       const struct evidence_words *b, size_t *told);

/* A figure that the sentence names more completely than the one with the number, of the same kind, year and period:
 * in another line, in another column, or next to it in the text; NULL where there is none. */
const struct evidence_item *claim_other_line(const struct claim_view *v, const struct evidence_item *found);

/* Whether the sentence names figures and the line is a different one, or has the opposite of one of the sentence's
 * words. */
int claim_is_other_name(const struct claim_view *v, const struct evidence_item *found);

/* ---- companions: the other numbers of a sentence ----
 *
 * "Options for 423 shares were granted at $243.51": both numbers stand in one row, or in one sentence of a passage.  Where a sentence
 * has two lists, "5%, 10% and 20% would cost $1, $2 and $4", the k-th figure of one goes with the k-th of the other. */

/* Whether another number of the sentence stands in the figure's row, and at its place of a list. */
int claim_has_companion(const struct claim_view *v, const struct evidence_item *found);

/* Returns the figure in the same table row as the sentence's other numbers, or at the same place of a list; else NULL.  It is in found's
 * column or has found's words.  NULL, too, where the clause names found's own row. */
const struct evidence_item *claim_of_companion(const struct claim_view *v, const struct evidence_item *found);

/* Whether nothing that the sentence says ties a small per cent to a figure, no word of its line, its column or its sentence
 * and no synonym: "29%" may be of anything, which an amount of many digits is not. */
int claim_is_unbound(const struct claim_view *v, const struct evidence_item *found);

/* ---- swaps: two figures of a sentence in each other's place, "iPad sales were $33.7 billion and Mac sales $28.0 billion" ----
 *
 * A figure that another number of the sentence states is no rival of a claim.  Two numbers were swapped where both clauses together are
 * bound closer to the figures the other way round. */

/* Whether another number of the sentence states a figure. */
int claim_is_stated_too(const struct claim_view *v, const struct evidence_item *item);

/* Whether the number at byte `at` is a unit: "per $1,000". */
int claim_is_unit(struct slice text, size_t at);

/* The figure of another number of the sentence with which found was swapped; NULL where it wasn't. */
const struct evidence_item *claim_swapped(const struct claim_view *v, const struct evidence_item *found);

#endif
