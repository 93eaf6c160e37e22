/* store_change.h: a write transaction that changes segments, collections and documents; private to store*.c.
 *
 * Functions that return an int return an LMDB code: 0, or an error that store_change_end() converts to a status and for
 * which it aborts the transaction.  The manifest, the counters, the bitmaps of removed documents and the current
 * collection are kept in memory and written by store_change_end().
 */
#ifndef BID_STORE_CHANGE_H
#define BID_STORE_CHANGE_H

#include "store/store_private.h"

struct store_batch;

struct store_change {
  struct store *store;
  MDB_txn *txn;
  struct store_counters counters;
  struct store_segment_entry *entries;
  size_t count;
  uint64_t **dead;               /* one bitmap per entry, loaded when needed */
  char name[STORE_NAME_MAX + 1]; /* of the current collection; empty: none */
  struct store_collection_value collection;
  uint64_t own_first;        /* first document id of the batch being written */
  uint64_t *own_dead;        /* bitmap of its documents that were replaced within it */
  struct store_batch *batch; /* or NULL */
};

/* Waits for the write lock; `bytes` is the amount about to be written. */
enum store_status store_change_begin(struct store_change *c, struct store *s, size_t bytes,
                                     struct error_text *e);
/* Writes the changes and commits; where rc isn't 0, aborts.  Releases c. */
enum store_status store_change_end(struct store_change *c, int rc, struct error_text *e);
/* Releases memory only, for a transaction given up with store_abandon(). */
void store_change_release(struct store_change *c);

/* Stores values with their own checksums (documents and segments); all others are sealed. */
int store_change_put_raw(struct store_change *c, enum store_table t, const void *key, size_t key_len,
                         const void *data, size_t len, unsigned flags);
int store_change_get_raw(struct store_change *c, enum store_table t, const void *key, size_t key_len,
                         MDB_val *v);
int store_change_put(struct store_change *c, enum store_table t, const void *key, size_t key_len,
                     const void *data, size_t len);
int store_change_get(struct store_change *c, enum store_table t, const void *key, size_t key_len, MDB_val *v);
int store_change_drop(struct store_change *c, enum store_table t, const void *key, size_t key_len);

/* Selects the current collection.  MDB_NOTFOUND where it doesn't exist and may not be created. */
int store_change_enter_collection(struct store_change *c, const char *name, int create);
/* The same by id, to reduce its counts.  MDB_NOTFOUND where it doesn't exist. */
int store_change_enter_collection_id(struct store_change *c, uint32_t id);
/* Writes the current collection, before it is changed in another way. */
int store_change_flush_collection(struct store_change *c);

/* The dimensions of the store's vectors of a model; 0 where no document has any.  A model's name stands for one length: a
 * search compares one vector with all rows of its model. */
int store_change_model_dims(struct store_change *c, uint32_t model, uint32_t *dims);

/* The number of a string, assigned if it has none; kinds as in store_format.h.  0 for "" and where numbers are
 * exhausted. */
int store_change_string_number(struct store_change *c, char kind, const char *text, uint32_t *number);
/* The number of a company, identified by CIK, else ticker, else name; parts: name, ticker, CIK, "" where unknown.
 * The longest value of each part is kept: a later document may know the ticker.  0 where nothing is known. */
int store_change_company_number(struct store_change *c, const char *const parts[3], uint32_t *number);

/* Attaches the segment of entry i.  whole: verifies all of its checksums, since merged data gets new ones; otherwise
 * only what marking documents reads. */
int store_change_attach(struct store_change *c, size_t i, struct store_segment *seg,
                        struct store_terms *terms, int whole);
/* Loads c->dead[i]. */
int store_change_load_dead(struct store_change *c, size_t i);
uint64_t store_change_length_of(const struct store_segment *seg, const struct store_doc *d);

/* A stored version of a document: its id (0 where there is none), content hash and capture time. */
struct store_version {
  uint64_t id, hash[2];
  int64_t captured;
};
/* Finds the version with that URL, which may be one of the batch being written. */
int store_change_find_version(struct store_change *c, const struct store_url_key *key,
                              struct store_version *out);
/* Removes a document of the current collection; *rows: number of its passages. */
int store_change_remove_document(struct store_change *c, uint64_t id, uint32_t *rows);
/* Removes the segment of entry i, its bitmap and the entry. */
int store_change_drop_segment(struct store_change *c, size_t i);
/* dead: ownership is transferred; NULL: to be loaded when changed. */
void store_change_insert_entry(struct store_change *c, size_t at, const struct store_segment_entry *entry,
                               uint64_t *dead);

/* Writes a built segment (size: as store_segment_seal() returned) and inserts it as entry `at`; dead: as above, of its
 * removed documents, or NULL for none.  One without documents is not written. */
int store_change_put_segment(struct store_change *c, struct store_segment_builder *b, size_t size,
                             uint32_t model, size_t at, uint64_t *dead);

#endif
