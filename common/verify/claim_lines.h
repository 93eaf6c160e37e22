/* claim_lines.h: which line, column or clause a sentence names. */
#ifndef BID_CLAIM_LINES_H
#define BID_CLAIM_LINES_H

#include "verify/claim_view.h"

/* The share of a line's words that the sentence has, a word counting less the more lines have it: "Europe" of "Europe net
 * sales" nearly all. */
double claim_named(const struct claim_view *v, const struct evidence_item *item);

/* Of the words that one list has and the other has not, how many there are, and how many the sentence has. */
size_t claim_own_words(const struct claim_view *v, const struct evidence_words *a,
                       const struct evidence_words *b, size_t *told);

/* A figure that the sentence names more fully than the one that has the number, of its kind, year and period: of another
 * line, of another column, or beside it in the text; NULL where there is none. */
const struct evidence_item *claim_other_line(const struct claim_view *v, const struct evidence_item *found);

/* Whether the sentence names figures, and the line is called another, or says the opposite of one of its words. */
int claim_is_other_name(const struct claim_view *v, const struct evidence_item *found);

#endif
