/* store_transaction.c: locks on the file, between processes.
 *
 * LMDB coordinates writers and readers, but waiting for its writers' mutex can't be limited in time, and it doesn't
 * handle a file being replaced.  So three bytes far beyond the end of the data file are locked too, with
 * open-file-description locks, which are released when their process dies:
 * - `USERS` is shared by every process that has the store open, and exclusive while the file is replaced by its
 *   compacted copy.
 * - `WRITER` is exclusive during a write transaction.
 * - `WANTED` is exclusive while a process waits for `USERS`, so that long-lived readers can release it and no new one
 *   takes it.
 */
#include "base/clock.h"
#include "store/store_private.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define WANTED_WAIT 2.0 /* seconds a newcomer waits for a process that wants exclusive access */

/* ---- locks ---- */

int store_lock_byte(int fd, off_t byte, short type) {
  struct flock l = {.l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
  int rc;
  while ((rc = fcntl(fd, F_OFD_SETLK, &l)) < 0 && errno == EINTR) {
  }
  return rc;
}

int store_lock_wait(int fd, off_t byte, short type, double wait) {
  double end = clock_monotonic() + wait;
  for (useconds_t nap = 500; store_lock_byte(fd, byte, type) < 0; nap = nap < 20000 ? nap * 2 : nap) {
    if (errno != EAGAIN && errno != EACCES)
      return -1;
    if (wait >= 0 && clock_monotonic() >= end)
      return 1;
    usleep(nap);
  }
  return 0;
}

int store_lock_is_wanted(int fd) {
  struct flock l = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = STORE_LOCK_WANTED, .l_len = 1};
  return fcntl(fd, F_OFD_GETLK, &l) == 0 && l.l_type != F_UNLCK;
}

void store_lock_yield(int fd) {
  double end = clock_monotonic() + WANTED_WAIT;
  while (store_lock_is_wanted(fd) && clock_monotonic() < end)
    usleep(5000);
}

/* ---- replaced files ---- */

int store_lock_is_at_path(int fd, const char *path) {
  struct stat ours, now;
  if (fstat(fd, &ours) != 0 || stat(path, &now) != 0)
    return -1;
  return ours.st_ino == now.st_ino && ours.st_dev == now.st_dev;
}

/* ---- replacing the file ---- */

enum store_status store_alone(struct store *s, struct error_text *e) {
  /* Otherwise two would wait for each other to close it. */
  if (store_lock_byte(s->fd, STORE_LOCK_WANTED, F_WRLCK) < 0) {
    error_set(e, "%s: another process is about to compact it", s->path);
    return STORE_BUSY;
  }
  int rc = store_lock_wait(s->fd, STORE_LOCK_USERS, F_WRLCK, s->wait);
  store_lock_byte(s->fd, STORE_LOCK_WANTED, F_UNLCK);
  if (rc == 0)
    return STORE_OK;
  if (rc < 0)
    return store_error_io(e, s->path);
  error_set(e, "%s: is open in another process; waited %.3g seconds (--wait sets how long)", s->path,
            s->wait);
  return STORE_BUSY;
}

void store_forget_lock(struct store *s) {
  struct buf path;
  buf_init(&path, 4200);
  buf_printf(&path, "%s-lock", s->path);
  unlink(path.data);
  buf_release(&path);
}
enum store_status store_lock_is_others(const struct store *s, struct error_text *e) {
  error_set(e,
            "%s: the file that was there before is still open in another program, whose lock file %s-lock it "
            "shares; end that "
            "program, then try again",
            s->path, s->path);
  return STORE_BUSY;
}

/* ---- write transactions, one writer at a time ---- */

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
