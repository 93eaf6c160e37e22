/* indexer.h: writes embedded chunks to the store, document by document; used by bid-index and "bid-store load". */
#ifndef BID_INDEXER_H
#define BID_INDEXER_H

#include "record/program.h"
#include "store/store.h"

struct indexer_options {
  const char *collection; /* collection for all documents; NULL: DOMAIN_CORPUS_COMPANY_FORM from the
                             metadata */
  const char *domain,
      *corpus;  /* parts of that name; NULL: from the metadata, else "finance", "edgar" or "reports" */
  int partial;  /* accept documents that lack passages */
  int older;    /* accept documents of which the store has a version that was captured later */
  int restore;  /* input is from "bid-store dump": restore collection, hash and scale from the "store"
                   objects */
  int silent;   /* print no receipts */
  size_t batch; /* passages per transaction; 0: the default */
};

/* Destination of documents, where it is not a local store: functions like store_writer_new() and related ones in
 * store.h. */
struct indexer_sink {
  void *(*open)(void *place, size_t batch, store_receipt_function *f, void *arg);
  void (*close)(void *writer);
  enum store_status (*add)(void *writer, const struct store_document *d, struct error_text *e);
  enum store_status (*commit)(void *writer, struct error_text *e);
};

struct indexer;

/* An indexer that prints receipts and error records to p->out. s must outlive it. */
struct indexer *indexer_new(struct program *p, struct store *s, const struct indexer_options *o);
struct indexer *indexer_new_to(struct program *p, const struct indexer_sink *sink, void *place,
                               const struct indexer_options *o);
void indexer_free(struct indexer *x);

/* Reads all operands of the program and commits.  0, or -1 after reporting a fatal error. */
int indexer_run(struct indexer *x);

/* ---- removes documents by age, by a rule "[GLOB:]WHEN", where GLOB selects collections and WHEN is a date
 * or a time span ("2years", "*_8-K:2020-01-01") ---- */

/* Checks the syntax of a rule: 0 or -1. */
int store_expiry_check(const char *rule);

/* Removes documents filed before WHEN (captured, where they have no filing date), prints a record with their number
 * if there are any, and reports errors.  rule must have passed store_expiry_check(). */
void store_expiry_run(struct program *p, struct store *s, const char *rule);

/* Number of passages written and of documents read so far. */
uint64_t indexer_passages(const struct indexer *x);
uint64_t indexer_documents(const struct indexer *x);

/* Reports a store error and raises the exit status. */
void indexer_fault(struct program *p, enum store_status status, const struct error_text *e);

/* ---- names the collection of a document after its metadata: DOMAIN_CORPUS_COMPANY_FORM ---- */

/* Whether a name has letters, digits, '.', '-' and '_' alone, and one at least. */
int indexer_name_is_plain(struct slice name);

#endif
