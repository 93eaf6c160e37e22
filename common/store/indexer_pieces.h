/* indexer_pieces.h: collects the passages of one document, which arrive one by one, until they can be stored together. */
#ifndef BID_INDEXER_PIECES_H
#define BID_INDEXER_PIECES_H

#include "record/record.h"
#include "store/store.h"

struct indexer_pieces;

struct indexer_pieces *indexer_pieces_new(void);
void indexer_pieces_free(struct indexer_pieces *g);
void indexer_pieces_clear(struct indexer_pieces *g);
size_t indexer_pieces_count(const struct indexer_pieces *g);

/* Adds the passage of an embedded chunk (indexer_fields.h).  restore: it is from a dump, with hash and scale in its "store"
 * object.  NULL, or a static text that says why the document can't be stored. */
const char *indexer_pieces_add(struct indexer_pieces *g, const struct record *rec, int restore);

/* Why the document can't be stored although each of its passages could, or NULL. */
const char *indexer_pieces_fault(const struct indexer_pieces *g);

/* Fills json, passages, count, dims and hash of d, valid until the next call on g. */
void indexer_pieces_document(struct indexer_pieces *g, struct store_document *d);

#endif
