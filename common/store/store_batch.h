/* store_batch.h: a batch of documents to be written: copied, then converted to a segment and document values,
 * without access to the file; private to store*.c. */
#ifndef BID_STORE_BATCH_H
#define BID_STORE_BATCH_H

#include "store/store_format.h"

#include <zstd.h>

/* A document's metadata that becomes columns; strings are owned. */
struct store_doc_facts {
  char *company, *ticker, *cik, *form;
  struct store_doc columns; /* dates, fiscal year and period, url_hash */
};

struct store_batch_doc {
  char *collection;
  struct slice url;
  struct store_document given; /* all memory is in `copy` */
  char *copy;
  uint64_t hash[2];
  int unchanged;
  struct store_doc_facts facts;
  char *value; /* document value, except for head.collection and head.check */
  size_t value_len;
  uint32_t seg_doc; /* index in the segment */
};

struct store_batch {
  char *model;
  uint32_t dims;
  struct store_batch_doc *docs;
  size_t count;
  size_t passages, bytes; /* to be written */
  struct store_segment_builder segment;
  size_t segment_size;
  char **items; /* strings of the segment's item column, which has 1 + index here until their numbers are
                   known */
  size_t item_count;
  const struct store_dictionary *dictionary; /* dictionary for compressing texts; NULL: none */
  struct store_batch *next;
  int analyzed;
};

/* A zstd dictionary, owned by the writer. */
struct store_dictionary {
  char *data;
  size_t len;
  ZSTD_CDict *cdict;
};

/* Trains one on the passages collected in b.  0, or -1 where they are too few or too similar. */
int store_dictionary_train(struct store_dictionary *d, const struct store_batch *b);
void store_dictionary_set(struct store_dictionary *d, const void *data, size_t len);
void store_dictionary_release(struct store_dictionary *d);

struct store_batch *store_batch_new(const char *model, uint32_t dims);
void store_batch_free(struct store_batch *b);

/* Appends a deep copy of a document; hash as of store_document_hash(). */
struct store_batch_doc *store_batch_add(struct store_batch *b, const struct store_document *d,
                                        const uint64_t hash[2]);

/* Appends a document that is stored already: only its receipt is needed. */
struct store_batch_doc *store_batch_add_unchanged(struct store_batch *b, const struct store_document *d);

/* XXH3-128 of a document's content: everything except when and how it was fetched. */
void store_document_hash(const struct store_document *d, uint64_t hash[2]);

/* Builds the segment and the document values. */
void store_batch_analyze(struct store_batch *b);

/* Restores the state before store_batch_analyze(). */
void store_batch_reset(struct store_batch *b);

#define STORE_ZSTD_LEVEL 3

#endif
