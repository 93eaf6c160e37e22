/* mention_lists.h: names in one question support or doubt each other. */
#ifndef BID_MENTION_LISTS_H
#define BID_MENTION_LISTS_H

#include "query/mentions.h"

#define MENTION_PERSON 1.5 /* score of the name of who leads a company, where reports are asked for */
#define MENTION_GAP_LIST (GAP_COMMA | GAP_SLASH | GAP_PLUS)

/* Words that list companies side by side: those between mentions a and b.  A preposition may stand before each: "better at
 * Kemper or at Hanover".  A comma behind an "and" ends the list: "Teekay and Frontline, spot rates"; *closed, 0 before the
 * first pair of a list, remembers the "and". */
int mention_joins(const struct mention_text *m, const struct mention *a, const struct mention *b,
                  int *closed);

/* Changes the scores: names in an enumeration support each other, and so does a name next to a doubtful one, and one of the
 * same company elsewhere, especially by another name: "Krystal Vyjuvek". */
void mention_lists_support(const struct mention_text *m, struct mentions *list);

#endif
