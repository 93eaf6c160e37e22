/* store_analyze.h: a batch of documents on its way into the store: copied, then turned into a segment and
 * into document values, without touching the file; private to store*.c. */
#ifndef BID_STORE_ANALYZE_H
#define BID_STORE_ANALYZE_H

#include "store_format.h"

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
  char *dictionary; /* made here, or NULL */
  size_t dictionary_len;
  struct batch *next;
  int analyzed;
};

struct batch *batch_new(const char *model, uint32_t dims);
void batch_free(struct batch *b);

/* Copies a document (deeply) to the end; hash as of document_hash(). */
struct batch_doc *batch_add(struct batch *b, const struct store_document *d, const uint64_t hash[2]);

/* Says that it is there already: only its receipt is due. */
struct batch_doc *batch_add_unchanged(struct batch *b, const struct store_document *d);

/* XXH3-128 of what makes a document differ: everything but capturedAt. */
void document_hash(const struct store_document *d, uint64_t hash[2]);

/* Does the work; cdict may be NULL.  make_dictionary: train one from this batch and use it. */
void batch_analyze(struct batch *b, const ZSTD_CDict *cdict, int make_dictionary);

/* Back to before batch_analyze(). */
void batch_reset(struct batch *b);

#define STORE_ZSTD_LEVEL 3

#endif
