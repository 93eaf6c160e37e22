/* store_commit.h: stores an analyzed batch of documents in one transaction; private to store*.c. */
#ifndef BID_STORE_COMMIT_H
#define BID_STORE_COMMIT_H

#include "store/store_analyze.h"

/* receipts[b->count] get the outcomes, also where one document alone is refused.  *again: nothing was committed, since the
 * batch must be packed again, with the dictionary that the store has got meanwhile. */
enum store_status store_commit_batch(struct store *s, struct store_batch *b, struct store_receipt *receipts,
                                     int *again, struct error_text *e);

#endif
