/* search_pages.h: the pages of a passage, as people cite them. */
#ifndef BID_SEARCH_PAGES_H
#define BID_SEARCH_PAGES_H

#include "base/buf.h"

/* Appends before, "page 4" or, for a passage over several, "pages 4–5", and behind; nothing where its chunk has none. */
void search_pages_add(struct buf *out, const char *before, struct slice chunk, const char *behind);

#endif
