/* search_blame.h: explains which filter excluded all passages. */
#ifndef BID_SEARCH_BLAME_H
#define BID_SEARCH_BLAME_H

#include "search/search.h"

/* Appends why no passage passed the request's filters: the first filter that excludes all by itself, or how many each
 * leaves where only their combination excludes all; "the store is empty" where there is no filter.  Runs questions on
 * s, which invalidates its last answer.  where: whether there was also an expression. */
void search_blame(struct searcher *s, const struct search_request *r, int where, struct buf *out);

#endif
