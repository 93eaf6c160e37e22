/* xml_json.h: converts an XML document to JSON, for connectors; bid-connectors(5), "xml". */
#ifndef BID_XML_JSON_H
#define BID_XML_JSON_H

#include "base/buf.h"

/* Appends {"tag", "attributes", "text", "children"} for the root element.  0, or -1 with *why (static). */
int xml_json_add(struct buf *out, struct slice bytes, const char **why);

#endif
