/* chroma_write.h: writes documents to Chroma: the sink of bid-index and of "bid-store copy" (store/indexer.h).
 *
 * A document goes into the collection of its name, which is created if missing.  A document that is already there
 * with the same hash and all rows is skipped.  Chroma has no transactions, so a new version's rows are written before
 * the old ones are removed: an interrupted run leaves extra rows rather than missing ones, and the next run
 * recognises them by the hash and removes them.  A request that is rejected is split in halves and retried, so that
 * only the document that Chroma rejects is lost.
 */
#ifndef BID_CHROMA_WRITE_H
#define BID_CHROMA_WRITE_H

#include "chroma/chroma.h"
#include "store/indexer.h"

/* Its place argument is a struct chroma. */
extern const struct indexer_sink chroma_sink;

#endif
