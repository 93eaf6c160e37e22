/* data_reader.h: JSON and CSV to readable documents.
 *
 * JSON: members with plain values are labelled values, arrays of objects tables, objects of equally long
 * arrays (EDGAR's submissions lists) tables too, other objects headings.  Numbers keep their digits. CSV: RFC
 * 4180, with ',' ';' or tab; one table, its first row the header.
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

/* Fill d (cleared before) and what m does not know yet; json is valid.  0, or 1 where the text passed
 * max_text. */
int data_reader_json(struct doc *d, struct slice json, const struct data_reader_options *o,
                     struct metadata *m);
int data_reader_csv(struct doc *d, struct slice bytes, const struct data_reader_options *o);

#endif
