/* chroma_write.h: documents into Chroma: the sink of bid-index and of "bid-store copy" (store/indexer.h).
 *
 * A document goes into the collection of its name, made where it is missing.  One that is there with the same hash and
 * all its rows is left alone.  Chroma has no transactions: of a document that is there in another version the new rows
 * are put first and the old ones removed after it, so that a run which dies leaves more, never less; the next run sees
 * it by the hash and mends it.  A request that is refused is cut in half and tried again, so that what Chroma won't
 * have costs its own document alone.
 */
#ifndef BID_CHROMA_WRITE_H
#define BID_CHROMA_WRITE_H

#include "chroma/chroma.h"
#include "store/indexer.h"

/* Its place is a struct chroma. */
extern const struct indexer_sink chroma_sink;

#endif
