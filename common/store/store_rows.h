/* store_rows.h: exports passages as flat rows for other tools: one JSON object without nesting per line, or CSV (RFC
 * 4180) with a header line. */
#ifndef BID_STORE_ROWS_H
#define BID_STORE_ROWS_H

#include "store/store.h"

enum store_rows_vectors { ROWS_NO_VECTORS, ROWS_BASE64, ROWS_FLOATS };

struct store_rows {
  int csv;
  enum store_rows_vectors vectors; /* as a last column, embedding: base64 of float32, or [0.1,...] */
};

/* CSV: appends the header line. */
void store_rows_add_names(const struct store_rows *how, struct buf *out);

/* Appends one row. document: the shared fields, from store_get_document(). */
void store_rows_add(const struct store_rows *how, struct slice document, const char *collection,
                    const struct store_segment *seg, uint32_t row, const struct store_text *t,
                    struct buf *out);

#endif
