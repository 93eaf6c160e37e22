/* xml_reader.h: converts XML to a readable document: ownership forms (3, 4, 5, 144), the 13F information table,
 * SCHEDULE 13D and 13G, and any other XML, by one rule: leaves become labelled values, adjacent equal elements with
 * leaves become rows of a table, and other elements headings. */
#ifndef BID_XML_READER_H
#define BID_XML_READER_H

#include "document/doc.h"
#include "format/xml.h"
#include "record/metadata.h"

/* Fills d (cleared first) and the unknown fields of m.  0; -1 where it is not well-formed XML; 1 where the
 * text exceeded max_text. */
int xml_reader_read(struct doc *d, struct slice bytes, const struct doc_options *o, struct metadata *m);

/* The name of elements that have none, those of arrays of JSON. */
#define XML_READER_ITEM "[]"

/* Shows a tree of JSON under d's title: members, and items as rows of a table where they are alike. */
void xml_reader_show_items(struct doc *d, const struct xml *x, const struct doc_options *o);

#endif
