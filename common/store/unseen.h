/* unseen.h: which payloads the store does not have yet. */
#ifndef BID_UNSEEN_H
#define BID_UNSEEN_H

#include "record/program.h"
#include "store/store.h"

/* Reads payload records from the program's operands and passes on those whose sourceUrl is not in the store
 * with the same sha256; the others are counted (--stats: "known").  A record without either field passes.  s
 * may be NULL: no store yet, everything passes. */
void unseen_run(struct program *p, struct store *s);

#endif
