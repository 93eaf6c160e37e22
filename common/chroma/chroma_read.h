/* chroma_read.h: reads documents from Chroma as records in the format of "bid-store dump". */
#ifndef BID_CHROMA_READ_H
#define BID_CHROMA_READ_H

#include "chroma/chroma.h"
#include "chroma/chroma_row.h"
#include "record/output.h"

/* A document in a collection. */
struct chroma_entry {
  uint64_t order;
  uint32_t collection; /* index in the list */
  uint32_t rows;
};

/* Lists all documents of the collections for which wanted[i] is set (NULL: all), in the order in which they were
 * added.  `others` counts rows that BID did not write. */
enum store_status chroma_entries(struct chroma *c, const struct chroma_collections *all, const char *wanted,
                                 struct chroma_entry **list, size_t *count, uint64_t *others,
                                 struct error_text *e);

/* Writes the documents as records.  A document with missing rows is skipped, and fault is called with the reason. */
enum store_status chroma_dump(struct chroma *c, const struct chroma_collections *all,
                              const struct chroma_entry *list, size_t count, struct output *out,
                              void (*fault)(void *arg, const char *why), void *arg, struct error_text *e);

#endif
