/* reembed.h: a collection's vectors anew, with another model, beside the old ones until they are switched. */
#ifndef BID_REEMBED_H
#define BID_REEMBED_H

#include "record/program.h"
#include "store/store.h"

/* Runs the passages of the collection through "bid-embed --model=MODEL" (beside this program, else on PATH)
 * into a second generation that no search sees, compares the two (a record on p->out: passages of both and
 * how many of the ten nearest neighbours of sample passages they share), and switches in one transaction,
 * which also drops the old one.  Where anything fails, the old one stays and the second is dropped. */
enum store_status reembed_collection(struct program *p, struct store *s, const char *name, const char *model,
                                     struct error_text *e);

#endif
