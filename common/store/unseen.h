/* unseen.h: filters out payloads that the store already has. */
#ifndef BID_UNSEEN_H
#define BID_UNSEEN_H

#include "record/program.h"
#include "store/store.h"

/* Copies payload records from the program's operands except those whose sourceUrl is in the store with the same
 * sha256, which are counted (--stats: "known").  Records without either field are copied.  s may be NULL where there
 * is no store yet: everything is copied. */
void unseen_run(struct program *p, struct store *s);

#endif
