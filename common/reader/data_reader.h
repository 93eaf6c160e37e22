/* data_reader.h: converts JSON and CSV to readable documents.
 *
 * JSON: members with scalar values become labelled values, arrays of objects tables, objects with arrays of equal
 * length (as in EDGAR's submissions lists) tables too, and other objects headings.  Numbers keep their digits.  CSV:
 * RFC 4180, separated by ',', ';' or tabs; one table whose first row is the header.
 */
#ifndef BID_DATA_READER_H
#define BID_DATA_READER_H

#include "document/doc.h"
#include "record/metadata.h"

/* Fill d (cleared first) and the unknown fields of m; json must be valid.  0, or 1 where the text exceeded max_text. */
int data_reader_json(struct doc *d, struct slice json, const struct doc_options *o, struct metadata *m);
int data_reader_csv(struct doc *d, struct slice bytes, const struct doc_options *o);

#endif
