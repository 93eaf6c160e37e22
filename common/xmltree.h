/* xmltree.h: an XML document as JSON, for connectors; bid-connectors(5), "xml". */
#ifndef BID_XMLTREE_H
#define BID_XMLTREE_H

#include "buf.h"

/* Appends {"tag", "attributes", "text", "children"} of the root element.  0, or -1 with *why (static). */
int xmltree_add(struct buf *out, struct slice bytes, const char **why);

#endif
