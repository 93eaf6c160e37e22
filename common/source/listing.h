/* listing.h: what a source answered in JSON, for people: names with their values, and lists of objects as tables. */
#ifndef BID_LISTING_H
#define BID_LISTING_H

#include "base/buf.h"

/* Appends a valid JSON object, masked.  Lines are broken to `columns`, and columns of tables that would be wider are left
 * out, with a line that names them; 0: as wide as it comes.  Addresses stand below their row, whole; with `colour` as
 * links that a terminal opens. */
void listing_add(struct buf *out, struct slice object, size_t columns, int colour);

#endif
