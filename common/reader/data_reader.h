/* data_reader.h: converts JSON and CSV to readable documents.
 *
 * JSON: members with scalar values become labelled values, arrays of objects tables, objects with arrays of equal
 * length (as in EDGAR's submissions lists) tables too, and other objects headings.  Numbers keep their digits.  CSV:
 * RFC 4180, separated by ',', ';' or tabs; one table whose first row is the header.
 */
#ifndef BID_DATA_READER_H
#define BID_DATA_READER_H

#include "html/html.h"
#include "record/metadata.h"

struct data_reader_options {
  enum doc_tables tables;
  int plain;
  size_t max_text;
};

/* Fill d (cleared first) and the unknown fields of m; json must be valid.  0, or 1 where the text exceeded max_text. */
int data_reader_json(struct doc *d, struct slice json, const struct data_reader_options *o,
                     struct metadata *m);
int data_reader_csv(struct doc *d, struct slice bytes, const struct data_reader_options *o);

#endif
