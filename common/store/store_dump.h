/* store_dump.h: writes stored passages as records. */
#ifndef BID_STORE_DUMP_H
#define BID_STORE_DUMP_H

#include "record/output.h"
#include "store/store.h"

enum {
  DUMP_VECTORS = 1, /* with embedding and model */
  DUMP_STORE = 2    /* with "store": {collection, hash, scale}, for an exact restore */
};

/* Appends the passage as it was given to bid-index: an object and a newline. t is a buffer that the caller reuses. */
enum store_status store_dump_passage(const struct store_snapshot *snap, const struct store_segment *seg,
                                     uint32_t row, unsigned flags, struct store_text *t, struct buf *out,
                                     struct error_text *e);

/* Writes all documents of these collections (ids) in the order in which they were added, across collections, so that
 * a store loaded from them orders ties in the same way.  Stops where writing fails. */
enum store_status store_dump(const struct store_snapshot *snap, const uint32_t *collections, size_t count,
                             unsigned flags, struct output *out, struct error_text *e);

enum store_rows_vectors { ROWS_NO_VECTORS, ROWS_BASE64, ROWS_FLOATS };

/* Flat rows for other tools: one JSON object without nesting per line, or CSV (RFC 4180) with a header line. */
struct store_rows {
  int csv;
  enum store_rows_vectors vectors; /* as a last column, embedding: base64 of float32, or [0.1,...] */
};

/* Writes the same documents in the same order as rows. */
enum store_status store_dump_rows(const struct store_snapshot *snap, const uint32_t *collections,
                                  size_t count, const struct store_rows *how, struct output *out,
                                  struct error_text *e);

#endif
