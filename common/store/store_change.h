/* store_change.h: one write transaction that changes segments, collections and documents; private to store*.c.
 *
 * Functions that return an int give an LMDB code: 0, or what change_end() turns into a status, where the whole transaction
 * is lost.  The manifest, the counters, the bitmaps of removed documents and the collection at hand are kept in memory and
 * written by change_end().
 */
#ifndef BID_STORE_CHANGE_H
#define BID_STORE_CHANGE_H

#include "store/store_private.h"

struct batch;

struct change {
  struct store *store;
  MDB_txn *txn;
  struct counters counters;
  struct segment_entry *entries;
  size_t count;
  uint64_t **dead;               /* bitmap an entry, loaded when it is changed */
  char name[STORE_NAME_MAX + 1]; /* of the collection at hand; empty: none */
  struct collection_value collection;
  uint64_t own_first;  /* first id of the batch that is being written */
  uint64_t *own_dead;  /* its documents that died again */
  struct batch *batch; /* or NULL */
};

/* Waits for the writer's turn; `bytes` more are about to be written. */
enum store_status change_begin(struct change *c, struct store *s, size_t bytes, struct error_text *e);
/* Writes what changed and commits, or where rc isn't 0 takes all of it back.  Releases c. */
enum store_status change_end(struct change *c, int rc, struct error_text *e);
/* What is in memory alone; for one whose transaction was given up with store_abandon(). */
void change_release(struct change *c);

/* Documents and segments, which have checksums of their own; all else is sealed. */
int change_put_raw(struct change *c, enum store_table t, const void *key, size_t key_len, const void *data,
                   size_t len, unsigned flags);
int change_get_raw(struct change *c, enum store_table t, const void *key, size_t key_len, MDB_val *v);
int change_put(struct change *c, enum store_table t, const void *key, size_t key_len, const void *data,
               size_t len);
int change_get(struct change *c, enum store_table t, const void *key, size_t key_len, MDB_val *v);
/* One that isn't there is no fault. */
int change_drop(struct change *c, enum store_table t, const void *key, size_t key_len);

/* Makes `name` the collection at hand.  MDB_NOTFOUND where it isn't there and may not be made. */
int change_enter_collection(struct change *c, const char *name, int create);
/* The same by id, to count down what it has.  MDB_NOTFOUND where it isn't there. */
int change_enter_collection_id(struct change *c, uint32_t id);
/* Writes the one at hand, before another way of changing it. */
int change_flush_collection(struct change *c);

/* The number of a word, given to it where it has none; kinds as in store_format.h.  0 for "" and where there are no more
 * numbers. */
int change_string_number(struct change *c, char kind, const char *text, uint32_t *number);
/* The number of a company, by its CIK, else its ticker, else its name; parts: name, ticker, CIK, "" where unknown.  It
 * keeps the longest of what was ever said of it: a later document may know the ticker.  0 where nothing is known. */
int change_company_number(struct change *c, const char *const parts[3], uint32_t *number);

/* Attaches the segment of entry i.  whole: checked with all its sums, since what is merged gets new ones; else what marking
 * documents needs is. */
int change_attach(struct change *c, size_t i, struct store_segment *seg, struct store_terms *terms,
                  int whole);
/* Fills c->dead[i]. */
int change_load_dead(struct change *c, size_t i);
uint64_t change_length_of(const struct store_segment *seg, const struct store_doc *d);

/* What its segment knows of a stored document. */
int change_find_document(struct change *c, uint64_t id, struct store_doc *out);
/* Removes a document of the collection at hand; *rows: its passages. */
int change_remove_document(struct change *c, uint64_t id, uint32_t *rows);
int change_drop_segment(struct change *c, size_t i);
/* dead: owned from now on; NULL: to be loaded when it is changed. */
void change_insert_entry(struct change *c, size_t at, const struct segment_entry *entry, uint64_t *dead);

#endif
