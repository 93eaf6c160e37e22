/* store_dump.h: passages of the store as records again. */
#ifndef BID_STORE_DUMP_H
#define BID_STORE_DUMP_H

#include "record/output.h"
#include "store/store.h"
#include "store/store_rows.h"

enum {
  DUMP_VECTORS = 1, /* with embedding and model */
  DUMP_STORE = 2    /* with "store": {collection, hash, scale}, which restores exactly what is there */
};

/* Appends the passage as it was given to bid-index: an object and a newline.  t is the caller's, to be used
 * again. */
enum store_status store_dump_passage(const struct store_snapshot *snap, const struct store_segment *seg,
                                     uint32_t row, unsigned flags, struct store_text *t, struct buf *out,
                                     struct error_text *e);

/* Writes all documents of these collections (ids) in the order in which they came, whatever the collection: a
 * store that is loaded from it ranks equal passages alike.  Stops where writing fails. */
enum store_status store_dump(const struct store_snapshot *snap, const uint32_t *collections, size_t count,
                             unsigned flags, struct output *out, struct error_text *e);

/* The same documents and order, as rows. */
enum store_status store_dump_rows(const struct store_snapshot *snap, const uint32_t *collections,
                                  size_t count, const struct store_rows *how, struct output *out,
                                  struct error_text *e);

#endif
