/* store_private.h: what store*.c share about an open store. */
#ifndef BID_STORE_PRIVATE_H
#define BID_STORE_PRIVATE_H

#include "store/store_format.h"

#include <lmdb.h>
#include <pthread.h>
#include <zstd.h>

enum store_table {
  T_META,
  T_COLLECTIONS,
  T_STRINGS,
  T_COMPANIES,
  T_URLS,
  T_DOCUMENTS,
  T_SEGMENTS,
  T_DEAD,
  T_COUNT
};

struct store {
  char *path;
  MDB_env *env;
  MDB_dbi dbi[T_COUNT];
  int fd;    /* our own descriptor, for locks */
  int fault; /* number from store_fault_begin() */
  double wait;
  size_t headroom;       /* address space reserved beyond the file */
  pthread_mutex_t mutex; /* guards the members below */
  ZSTD_DDict **ddicts;   /* by number; NULL: not needed yet */
  size_t ddict_count;
  int snapshots;
};

/* Lists that are loaded from the tables on first use. */
struct store_string_list {
  const char **list;
  size_t count;
};

#define SNAPSHOT_UNPACKERS 8

/* A document id in a joint snapshot: the store's own id in the bits below, the index of the part above. */
#define JOINT_SHIFT 56

struct store_snapshot {
  struct store_snapshot *
      *parts; /* of a joint snapshot (store_joint.c), which has no transaction of its own; else NULL */
  size_t part_count;
  struct store *store;
  MDB_txn *txn;
  struct store_segment *segments;
  struct store_terms *terms;
  struct store_segment_guard *guards;
  const struct store_segment_entry *entries; /* the manifest, same count */
  size_t count;
  struct store_string_list forms, items, models;
  struct store_collection *collections;
  size_t collection_count, collection_all; /* all: including those of reembed, which come last */
  struct store_company *companies;
  size_t company_count;
  ZSTD_DCtx *unpackers[SNAPSHOT_UNPACKERS]; /* currently unused */
  size_t unpacker_count;
  pthread_mutex_t mutex; /* guards the transaction, the loading of lists, and the unpackers */
  int strings_loaded, collections_loaded, companies_loaded;
  atomic_int damaged; /* one of the lists is damaged */
};

/* ---- store_damage.c: the status of an error; *e gets the message, which names the store's path ---- */

/* Of an LMDB or errno code; `doing` says what failed ("reading"). */
enum store_status store_fail(struct error_text *e, const struct store *s, int code, const char *doing);

/* Of known damage: STORE_CORRUPT; the message names `what`. */
enum store_status store_damaged(struct error_text *e, const struct store *s, const char *what);

/* Of errno: STORE_IO. */
enum store_status store_error_io(struct error_text *e, const char *path);

/* ---- the locked bytes of a file ---- */

#define STORE_LOCK_USERS ((off_t)1 << 61)
#define STORE_LOCK_WRITER (((off_t)1 << 61) + 1)
#define STORE_LOCK_WANTED (((off_t)1 << 61) + 2)

/* Locks a byte (F_RDLCK, F_WRLCK) or unlocks it (F_UNLCK) without waiting.  0, or -1 with errno: EAGAIN or EACCES where
 * another process holds it. */
int store_lock_byte(int fd, off_t byte, short type);

/* The same, retried for `wait` seconds; negative: without limit.  0, 1 after the wait, or -1 with errno. */
int store_lock_wait(int fd, off_t byte, short type, double wait);

/* Whether a process waits for exclusive access. */
int store_lock_is_wanted(int fd);

/* Waits for such a process, 2 seconds at most, so that it isn't starved by newcomers. */
void store_lock_yield(int fd);

/* 1 where the path names the open file, 0 where another one, -1 where none. */
int store_lock_is_at_path(int fd, const char *path);

/* The error where LMDB's lock file belongs to a file that was at this path before. */
enum store_status store_lock_is_others(const struct store *s, struct error_text *e);

/* Waits until no other process has the file open, and keeps others out until the store is closed. */
enum store_status store_alone(struct store *s, struct error_text *e);
/* Removes LMDB's lock file, which refers to a replaced file; only with exclusive access. */
void store_forget_lock(struct store *s);

/* ---- store_damage.c: damage that LMDB doesn't notice; STORE_OK, or STORE_CORRUPT with *e ---- */

/* All pages in use must be within the file; the environment is open. */
enum store_status store_length_check(const struct store *s, struct error_text *e);

/* Whether creating the file was cut short, by a full disk or a power failure: it ends within its two first pages, and the
 * first has no transaction, while the first document comes with the second one.  So there is nothing to lose. */
int store_length_is_unborn(const struct store *s);

/* LMDB's two meta pages hold the states after the last two commits; it uses the one with the higher transaction
 * number.  A flipped bit in that number would silently restore the older state, so the numbers must be consecutive,
 * the even one on the first page.  The environment needn't be open. */
enum store_status store_length_check_meta(struct store *s, struct error_text *e);

/* ---- store_damage.c: ends the process when it meets damage in a mapped store ---- */

/* Starts watching a store; call before its file is mapped.  path is kept by reference; fd is the file's.  Signals
 * unrelated to a store are passed to the previous handler.  Returns a number for the functions below; -1 where too
 * many stores are open. */
int store_fault_begin(const char *path, int fd);
/* Sets the file's mapped address, given a value of a small entry in it. */
void store_fault_mapped(int number, MDB_env *env, const void *value);
void store_fault_end(int number);

/* ---- write transactions ---- */

/* Sets the size of LMDB's map to `more` bytes beyond those of the file.  LMDB's code. */
int store_set_map(MDB_env *env, size_t file, size_t more);

/* Acquires the write lock, makes room for `bytes` more, and starts a write transaction. */
enum store_status store_begin(struct store *s, size_t bytes, MDB_txn **txn, struct error_text *e);
/* Ends the transaction: commits, or aborts where status isn't STORE_OK; releases the lock. */
enum store_status store_finish(struct store *s, MDB_txn *txn, enum store_status status, struct error_text *e);
/* Ends it without changes. */
void store_abandon(struct store *s, MDB_txn *txn);

/* ---- store_seal.c: values followed by their checksum.  LMDB codes; MDB_CORRUPTED for a wrong checksum ---- */

/* Verifies and removes the checksum. */
int store_unseal(const MDB_val *key, MDB_val *value);
int store_get_sealed(MDB_txn *txn, MDB_dbi dbi, const void *key, size_t key_len, MDB_val *value);
int store_put_sealed(MDB_txn *txn, MDB_dbi dbi, const void *key, size_t key_len, const void *data,
                     size_t len);

/* Calls f for each entry of a table until it returns nonzero.  Fails unless it finds as many entries as the table
 * claims to have, since a damaged page can hide some. */
int store_each_sealed(const struct store *s, MDB_txn *txn, enum store_table table,
                      int (*f)(void *arg, struct slice key, struct slice value), void *arg);

/* The value of a key of `meta`; 0 and a NULL slice where it doesn't exist. */
int store_meta(const struct store *s, MDB_txn *txn, const char *name, struct slice *out);
int store_put_meta(const struct store *s, MDB_txn *txn, const char *name, const void *data, size_t len);

/* ---- store_document.c ---- */

/* The key of a document in the table of URLs. */
struct store_url_key {
  uint8_t bytes[16];
};
struct store_url_key store_url_key(uint32_t collection, struct slice url);

/* A document's value, verified except for its blocks. */
struct store_document_view {
  struct store_document_head head;
  struct slice url, json, blocks;
  const char *ends, *sums; /* u32[blocks] each, unaligned */
};
int store_document_attach(struct store_document_view *v, uint64_t id, const void *value, size_t len);
/* XXH3-64 of the part verified by store_document_attach(); len: size of the whole value. */
uint64_t store_document_check(uint64_t id, const void *value, size_t len);

/* Finds a document's value by its id; verified except for its blocks. */
enum store_status store_find_value(const struct store_snapshot *snap, uint64_t id,
                                   struct store_document_view *view, struct error_text *e);

/* ---- store_list.c: lists are loaded on first use, and belong to the snapshot; damage is noted in it ---- */

/* Loads the forms, items and models.  The snapshot itself, not const. */
struct store_snapshot *store_list_with_strings(const struct store_snapshot *snap);

/* The name of a model by its number; "" where there is none. */
const char *store_list_model(const struct store_snapshot *snap, uint32_t number);

/* The counters of the store; the first ones where it has none yet.  An LMDB code. */
int store_list_counters(const struct store_snapshot *snap, struct store_counters *out);

/* The largest number of a string or a company: numbers start at 1 and are consecutive, so it is the number of
 * entries. */
size_t store_list_largest(const struct store_snapshot *snap, enum store_table table);

/* For store_snapshot_end(). */
void store_list_free_strings(struct store_string_list *l);
void store_list_free_companies(struct store_snapshot *snap);

/* ---- store_sketch.c ---- */

/* Measures the accuracy of 1-bit sketches where a model's passages have grown by a quarter since the last time. */
enum store_status store_measure_sketches(struct store *s, struct error_text *e);

/* ---- store_snapshot.c: decompression ---- */

/* The key in `meta` of a dictionary. */
void store_dictionary_name(uint32_t number, char name[24]);

/* The dictionary that a document was compressed with, owned by the store; NULL: none, or a damaged one, which is noted
 * in the snapshot. */
const ZSTD_DDict *store_unpack_dictionary(const struct store_snapshot *snap,
                                          const struct store_document_head *h);

/* A context, freed by the caller. */
ZSTD_DCtx *store_unpack_new(void);

/* A context of the snapshot's, to be given back: creating one takes as long as unpacking ten documents. */
ZSTD_DCtx *store_unpack_take(const struct store_snapshot *snap);
void store_unpack_give(const struct store_snapshot *snap, ZSTD_DCtx *ctx);

/* Decompresses and appends to out.  0, or -1: damaged, or more than `max` bytes. */
int store_unpack(ZSTD_DCtx *ctx, const ZSTD_DDict *dict, struct slice packed, struct buf *out, size_t max);

#endif
