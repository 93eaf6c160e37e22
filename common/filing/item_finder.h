/* item_finder.h: finds where the items of a form start in a document. */
#ifndef BID_ITEM_FINDER_H
#define BID_ITEM_FINDER_H

#include "filing/found_items.h"
#include "filing/outline.h"

/* Fills *f; release it with item_finder_release(). */
void item_finder_find(const struct doc *d, enum outline_form form, struct found_items *f);
void item_finder_release(struct found_items *f);

#endif
