/* store_transaction.c: write transactions, one writer at a time. */
#include "store/store_private.h"

#include <fcntl.h>

/* The writer's file is no longer at its path: writes to it would be lost. */
static enum store_status store_moved(const struct store *s, struct error_text *e) {
  error_set(e, "%s: was moved, removed or replaced while it was written; run it again", s->path);
  return STORE_BUSY;
}

int store_set_map(MDB_env *env, size_t file, size_t more) {
  size_t size = (file + more + 0xffff) & ~(size_t)0xffff;
  return mdb_env_set_mapsize(env, size);
}

/* The map may only be enlarged while this process has no transaction. */
static int grow_map(struct store *s, size_t bytes) {
  MDB_envinfo info;
  MDB_stat st;
  mdb_env_info(s->env, &info);
  mdb_env_stat(s->env, &st);
  size_t used = (info.me_last_pgno + 1) * st.ms_psize;
  if (info.me_mapsize >= used && info.me_mapsize - used > 2 * bytes + ((size_t)64 << 20))
    return 0;
  if (s->snapshots) /* its pointers would become invalid */
    return MDB_MAP_FULL;
  return store_set_map(s->env, used, 4 * bytes + s->headroom);
}

enum store_status store_begin(struct store *s, size_t bytes, MDB_txn **txn, struct error_text *e) {
  int rc = store_lock_wait(s->fd, STORE_LOCK_WRITER, F_WRLCK, s->wait);
  if (rc > 0) {
    error_set(e, "%s: another process is writing; waited %.3g seconds (--wait sets how long)", s->path,
              s->wait);
    return STORE_BUSY;
  }
  if (rc < 0)
    return store_error_io(e, s->path);
  rc = grow_map(s, bytes);
  if (!rc)
    rc = mdb_txn_begin(s->env, NULL, 0, txn);
  if (rc == MDB_MAP_RESIZED && !(rc = mdb_env_set_mapsize(s->env, 0)))
    rc = mdb_txn_begin(s->env, NULL, 0, txn);
  enum store_status status = rc ? store_fail(e, s, rc, "beginning to write") : STORE_OK;
  MDB_envinfo info;
  if (!rc && store_lock_is_at_path(s->fd, s->path) <= 0)
    status = store_moved(s, e);
  else if (!rc && mdb_env_info(s->env, &info) == 0 && mdb_txn_id(*txn) != info.me_last_txnid + 1)
    status = store_lock_is_others(s, e);
  if (status && !rc)
    mdb_txn_abort(*txn);
  if (status)
    store_lock_byte(s->fd, STORE_LOCK_WRITER, F_UNLCK);
  return status;
}

enum store_status store_finish(struct store *s, MDB_txn *txn, enum store_status status,
                               struct error_text *e) {
  if (status)
    mdb_txn_abort(txn);
  else {
    int rc = mdb_txn_commit(txn);
    if (rc)
      status = store_fail(e, s, rc, "writing");
    else if (store_lock_is_at_path(s->fd, s->path) <= 0)
      status = store_moved(s, e);
  }
  store_lock_byte(s->fd, STORE_LOCK_WRITER, F_UNLCK);
  return status;
}

void store_abandon(struct store *s, MDB_txn *txn) {
  mdb_txn_abort(txn);
  store_lock_byte(s->fd, STORE_LOCK_WRITER, F_UNLCK);
}
