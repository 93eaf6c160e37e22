/* search_cut.h: the part of a passage that fits within a number of tokens. */
#ifndef BID_SEARCH_CUT_H
#define BID_SEARCH_CUT_H

#include "search/search.h"

/* Tokens of a text; a quarter of its bytes where the searcher has no tokenizer open. */
size_t search_tokens(struct searcher *s, struct slice text);

/* Appends whole rows and sentences of the text, in order and within `tokens`: first those with the question's terms,
 * rows with the head of their table, then others from the start.  "…" stands for what is left out.  Returns the
 * tokens used; 0 where not even one fits. */
size_t search_cut(struct searcher *s, const struct query *q, struct slice text, size_t tokens,
                  struct buf *out);

#endif
