/* outline_doubt.h: checks whether an outline lacks items that such a report has. */
#ifndef BID_OUTLINE_DOUBT_H
#define BID_OUTLINE_DOUBT_H

#include "filing/found_items.h"
#include "filing/outline.h"

/* Whether the items f of d, a report of that form, lack one that every long report has, or one that d's own table of
 * contents lists. */
int outline_doubt_lacks(const struct doc *d, enum outline_form form, const struct found_items *f);

#endif
