/* chroma_read.h: documents of Chroma as the records that "bid-store dump" writes. */
#ifndef BID_CHROMA_READ_H
#define BID_CHROMA_READ_H

#include "chroma/chroma.h"
#include "chroma/chroma_row.h"
#include "record/output.h"

/* A document of a collection. */
struct chroma_entry {
  uint64_t order;
  uint32_t collection; /* in the list */
  uint32_t rows;
};

/* All documents of the collections for which wanted[i] is set (NULL: all), by the order in which they came.  `others`
 * counts rows that BID did not write. */
enum store_status chroma_entries(struct chroma *c, const struct chroma_collections *all, const char *wanted,
                                 struct chroma_entry **list, size_t *count, uint64_t *others,
                                 struct error_text *e);

/* Appends a row as a record with its vector and "store", and a newline.  0, or -1 where the row is none of BID's. */
int chroma_row_record(const struct chroma_collection *from, const struct chroma_row *row, struct buf *out);

/* Writes them as records.  Of a document whose rows are not all there nothing is written: fault is called with why. */
enum store_status chroma_dump(struct chroma *c, const struct chroma_collections *all,
                              const struct chroma_entry *list, size_t count, struct output *out,
                              void (*fault)(void *arg, const char *why), void *arg, struct error_text *e);

#endif
