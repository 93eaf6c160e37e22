/* listing.h: formats a source's JSON answer for display: labelled values, and tables for arrays of objects. */
#ifndef BID_LISTING_H
#define BID_LISTING_H

#include "base/buf.h"

/* Appends a valid JSON object, masked.  Lines are wrapped at `columns`; table columns that don't fit are dropped, and
 * a line names them; 0: no limit.  URLs are printed whole on a line below their row, with `colour` as terminal
 * hyperlinks. */
void listing_add(struct buf *out, struct slice object, size_t columns, int colour);

#endif
