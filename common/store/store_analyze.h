/* store_analyze.h: a batch of documents on its way into the store: copied, then turned into a segment and
 * into document values, without touching the file; private to store*.c. */
#ifndef BID_STORE_ANALYZE_H
#define BID_STORE_ANALYZE_H

#include "store/store_format.h"

#include <zstd.h>

/* Facts of a document's metadata that become columns; strings are owned. */
struct doc_facts {
  char *company, *ticker, *cik, *form;
  struct store_doc columns; /* dates, fiscal year and period, url_hash */
};

struct batch_doc {
  char *collection;
  struct slice url;
  struct store_document given; /* all of it in `copy` */
  char *copy;
  uint64_t hash[2];
  int unchanged;
  struct doc_facts facts;
  char *value; /* document value, but for head.collection and head.check */
  size_t value_len;
  uint32_t seg_doc; /* index in the segment */
};

struct batch {
  char *model;
  uint32_t dims;
  struct batch_doc *docs;
  size_t count, cap;
  size_t passages, bytes; /* that have to be written */
  struct segment_builder segment;
  size_t segment_size;
  char **items; /* numbers of the segment's item column: 1 + index here until they are known */
  size_t item_count;
  const struct store_dictionary *dictionary; /* what texts are packed with; NULL: nothing */
  struct batch *next;
  int analyzed;
};

/* A zstd dictionary; belongs to the writer. */
struct store_dictionary {
  char *data;
  size_t len;
  ZSTD_CDict *cdict;
};

/* Makes one from the passages that wait in b.  0, or -1 where they are too few or too much alike. */
int dictionary_train(struct store_dictionary *d, const struct batch *b);
void dictionary_set(struct store_dictionary *d, const void *data, size_t len);
void dictionary_release(struct store_dictionary *d);

struct batch *batch_new(const char *model, uint32_t dims);
void batch_free(struct batch *b);

/* Copies a document (deeply) to the end; hash as of document_hash(). */
struct batch_doc *batch_add(struct batch *b, const struct store_document *d, const uint64_t hash[2]);

/* Says that it is there already: only its receipt is due. */
struct batch_doc *batch_add_unchanged(struct batch *b, const struct store_document *d);

/* XXH3-128 of what makes a document differ: everything but when and how it was asked for. */
void document_hash(const struct store_document *d, uint64_t hash[2]);

/* Does the work. */
void batch_analyze(struct batch *b);

/* Back to before batch_analyze(). */
void batch_reset(struct batch *b);

#define STORE_ZSTD_LEVEL 3

#endif
