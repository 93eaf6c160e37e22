/* store_pack.h: compresses documents for the store, in blocks of a few passages; private to store*.c. */
#ifndef BID_STORE_PACK_H
#define BID_STORE_PACK_H

#include "store/store_analyze.h"

struct store_packer;

struct store_packer *store_packer_new(const struct store_dictionary *dictionary); /* NULL: without one */
void store_packer_free(struct store_packer *p);

/* Sets the document's value, except for head.collection and head.check. */
void store_packer_document(struct store_packer *p, struct store_batch_doc *d);

#endif
