/* reembed.h: computes a collection's vectors anew with another model and switches to them at the end. */
#ifndef BID_REEMBED_H
#define BID_REEMBED_H

#include "record/program.h"
#include "store/store.h"

/* Pipes the passages of the collection through "bid-embed --model=MODEL" (from this program's folder, else PATH) into
 * a second generation that searches don't see.  Compares the generations (one record on p->out: number of passages in
 * both, and how many of the ten nearest neighbours of sample passages they share) and switches in one transaction,
 * which also drops the old one.  On any failure the old generation stays and the second is dropped. */
enum store_status reembed_collection(struct program *p, struct store *s, const char *name, const char *model,
                                     struct error_text *e);

#endif
