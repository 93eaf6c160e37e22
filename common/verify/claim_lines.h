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

#endif
