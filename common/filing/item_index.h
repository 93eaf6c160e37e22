/* item_index.h: finds the items of a 10-K, 10-Q or 20-F that is written as one report without "Item N" headings and
 * lists, at its start or end, the pages on which each item is answered ("Form 10-K cross-reference index"). */
#ifndef BID_ITEM_INDEX_H
#define BID_ITEM_INDEX_H

#include "filing/item_finder.h"

/* Confidence of an item whose title heads its page, and of one located at the first heading of its page: lower than
 * for a heading that names its item. */
#define ITEMINDEX_TITLED 0.65
#define ITEMINDEX_PAGED 0.5

/* Fills *f from the index; empty where there is none.  A section that ends before the next one starts is followed by
 * an entry without an item, so that it doesn't include unrelated pages. */
void item_index_find(const struct doc *d, enum outline_form form, struct found_items *f);

#endif
