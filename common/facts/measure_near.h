/* measure_near.h: why a figure is missing, and names near to it. */
#ifndef BID_MEASURE_NEAR_H
#define BID_MEASURE_NEAR_H

#include "facts/measure.h"

/* Appends the reason and similar names to why; known: `asked` is a word of the table. */
void measure_say_missing(const struct measure_context *x, struct slice asked, int known, struct buf *why);

/* Appends that a figure is in filings' text but not among XBRL facts, and why; nothing where that isn't so. */
void measure_say_unreported(struct slice asked, struct buf *why);

#endif
