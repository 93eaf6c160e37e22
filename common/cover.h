/* cover.h: what the cover page of a periodic report says, where nothing machine-readable does. */
#ifndef BID_COVER_H
#define BID_COVER_H

#include "doc.h"
#include "metadata.h"

/* Sets what m does not know yet: the company (what stands before "(Exact name of registrant ...)") and, of
 * a periodic report, the report date ("for the fiscal year ended December 31, 2015").  Only the first bytes
 * of the text are looked at. */
void cover_read(const struct doc *d, struct metadata *m, int periodic);

#endif
