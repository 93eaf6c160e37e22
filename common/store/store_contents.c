/* store_contents.c: the tables of an open store and their format, which store_format.h documents. */
#include "store/store_private.h"
#include "store/store_fault.h"

#include "base/paths.h"
#include "text/terms.h"

#include <time.h>
#include <unistd.h>

static const char *const table_names[T_COUNT] = {"meta", "collections", "strings",  "companies",
                                                 "urls", "documents",   "segments", "dead"};

static enum store_status check_format(struct store *s, MDB_txn *txn, struct error_text *e) {
  MDB_val k = {strlen("format"), (void *)(uintptr_t) "format"}, v;
  struct store_format_head head;
  int rc = mdb_get(txn, s->dbi[T_META], &k, &v);
  if (rc || v.mv_size < sizeof head || memcmp(v.mv_data, STORE_MAGIC, 8) != 0) {
    error_set(e, "%s: an LMDB file, but not a store of bid", s->path);
    return STORE_NOT_STORE;
  }
  memcpy(&head, v.mv_data, sizeof head);
  store_fault_mapped(s->fault, s->env, v.mv_data);
  int known = head.version == STORE_FORMAT || head.version == STORE_FORMAT_SHARED;
  if (known && store_unseal(&k, &v)) /* earlier versions had no checksums */
    return store_fail(e, s, MDB_CORRUPTED, "reading its format");
  if (known && head.terms_version == TERMS_VERSION)
    return STORE_OK;
  error_set(e,
            "%s: written by %s version of bid (format %u.%u, this one's is %u.%u): with that version "
            "\"bid-store dump > FILE\", then \"bid-store load < FILE\" into a new store",
            s->path,
            head.version > STORE_FORMAT_SHARED || head.terms_version > TERMS_VERSION ? "a newer" : "an older",
            head.version, head.terms_version, STORE_FORMAT_SHARED, TERMS_VERSION);
  return STORE_VERSION;
}

static int open_tables(struct store *s, MDB_txn *txn, int create) {
  for (int t = 0; t < T_COUNT; t++) {
    unsigned flags = create ? MDB_CREATE : 0u;
    if (t == T_DOCUMENTS)
      flags |= MDB_INTEGERKEY;
    if (t == T_SEGMENTS || t == T_DEAD)
      flags |= MDB_INTEGERKEY;
    int rc = mdb_dbi_open(txn, table_names[t], flags, &s->dbi[t]);
    if (rc)
      return rc;
  }
  return 0;
}

static int store_is_fresh(const struct store *s) {
  MDB_stat st;
  MDB_txn *txn;
  int fresh = 0;
  MDB_dbi main_dbi;
  if (mdb_txn_begin(s->env, NULL, MDB_RDONLY, &txn))
    return 0;
  if (mdb_dbi_open(txn, NULL, 0, &main_dbi) == 0 && mdb_stat(txn, main_dbi, &st) == 0)
    fresh = st.ms_entries == 0;
  mdb_txn_abort(txn);
  return fresh;
}

static enum store_status create_tables(struct store *s, struct error_text *e) {
  MDB_txn *txn;
  struct store_format_head head = {
      .version = STORE_FORMAT, .terms_version = TERMS_VERSION, .created = (int64_t)time(NULL)};
  struct store_counters counters = {
      .next_doc = 1, .next_segment = 1, .next_collection = 1, .next_company = 1};
  memcpy(head.magic, STORE_MAGIC, sizeof head.magic);
  enum store_status status = store_begin(s, 1 << 20, &txn, e);
  if (status)
    return status;
  struct slice format;
  int rc = open_tables(s, txn, 1);
  if (!rc && !(rc = store_meta(s, txn, "format", &format)) && format.len == 0) {
    rc = store_put_meta(s, txn, "format", &head, sizeof head);
    if (!rc)
      rc = store_put_meta(s, txn, "counters", &counters, sizeof counters);
  }
  return store_finish(s, txn, rc ? store_fail(e, s, rc, "creating") : STORE_OK, e);
}

enum store_status store_contents_open(struct store *s, const struct store_options *o, struct error_text *e) {
  MDB_txn *txn;
  enum store_status status = STORE_OK;
  int fresh = store_is_fresh(s);
  if (fresh && o->write && o->create) {
    (void)fsync(s->fd); /* LMDB's meta pages, before what they refer to */
    status = create_tables(s, e);
    if (!status && paths_sync_folder_of(s->path)) /* otherwise a power failure loses the file */
      status = store_error_io(e, s->path);
  }
  if (status)
    return status;
  int rc = mdb_txn_begin(s->env, NULL, MDB_RDONLY, &txn);
  if (rc)
    return store_fail(e, s, rc, "opening");
  rc = open_tables(s, txn, 0);
  if (rc == MDB_NOTFOUND || rc == MDB_INCOMPATIBLE) {
    error_set(e, fresh ? "%s: an empty store" : "%s: an LMDB file, but not a store of bid", s->path);
    status = fresh ? STORE_MISSING : STORE_NOT_STORE;
  } else if (rc)
    status = store_fail(e, s, rc, "opening");
  else
    status = check_format(s, txn, e);
  if (status)
    mdb_txn_abort(txn);
  else
    mdb_txn_commit(txn); /* keeps the table handles */
  return status;
}
