/* search_blame.h: which filter left nothing to search. */
#ifndef BID_SEARCH_BLAME_H
#define BID_SEARCH_BLAME_H

#include "search/search.h"

/* Appends why no passage passed the request's filters: the first filter that leaves none by itself, or how many each
 * leaves where only all together leave none; "the store is empty" where nothing is filtered.  Asks s several
 * questions, so its last answer is gone.  where: whether documents were chosen by an expression, too. */
void search_blame(struct searcher *s, const struct search_request *r, int where, struct buf *out);

#endif
