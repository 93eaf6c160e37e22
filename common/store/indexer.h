/* indexer.h: embedded chunks into the store, document by document: the work of bid-index and "bid-store
 * load". */
#ifndef BID_INDEXER_H
#define BID_INDEXER_H

#include "record/program.h"
#include "store/store.h"

struct indexer_options {
  const char *collection; /* all goes there; NULL: DOMAIN_CORPUS_COMPANY_FORM after the metadata */
  const char *domain,
      *corpus;  /* parts of that name; NULL: the metadata's, else "finance", "edgar" or "reports" */
  int partial;  /* take a last document that seems cut short */
  int restore;  /* records are of "bid-store dump": their "store" object says where they were */
  int silent;   /* no receipts */
  size_t batch; /* passages a transaction; 0: the default */
};

/* Where documents go, if not to a store of this machine: as store_writer_new() and its kin in store.h. */
struct indexer_sink {
  void *(*open)(void *place, size_t batch, store_receipt_function *f, void *arg);
  void (*close)(void *writer);
  enum store_status (*add)(void *writer, const struct store_document *d, struct error_text *e);
  enum store_status (*commit)(void *writer, struct error_text *e);
};

struct indexer;

/* Reads no option of its own accord; prints receipts and error records to p->out.  s outlives it. */
struct indexer *indexer_new(struct program *p, struct store *s, const struct indexer_options *o);
struct indexer *indexer_new_to(struct program *p, const struct indexer_sink *sink, void *place,
                               const struct indexer_options *o);
void indexer_free(struct indexer *x);

/* Reads all operands of the program and commits.  0, or -1 where it had to stop (reported). */
int indexer_run(struct indexer *x);

/* Passages written and documents seen so far. */
uint64_t indexer_passages(const struct indexer *x);
uint64_t indexer_documents(const struct indexer *x);

/* Reports what the store said, and raises the exit status. */
void indexer_fault(struct program *p, enum store_status status, const struct error_text *e);

#endif
