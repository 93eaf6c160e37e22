/* outline_doubt.h: whether an outline lacks what such a report has. */
#ifndef BID_OUTLINE_DOUBT_H
#define BID_OUTLINE_DOUBT_H

#include "filing/found_items.h"
#include "filing/outline.h"

/* Whether items f of d, a report of that form, lack one that a long report has, or one that d's own table of contents
 * names. */
int outline_doubt_lacks(const struct doc *d, enum outline_form form, const struct found_items *f);

#endif
