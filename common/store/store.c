/* store.c: opening and closing. */
#include "store/store_private.h"
#include "store/store_fault.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEADROOM ((size_t)64 << 30) /* address space beyond the file; free until it is used */

/* LMDB's lock file is found by name only.  A file that replaces another one uses the lock file of the replaced one,
 * with that one's last transaction number, as long as any process has it open.  LMDB would select the wrong meta page
 * by that number, and the next commit would destroy the file.  So a process that opens the store waits until the
 * others have closed it, which they do once they notice the new file. */
#define OTHERS_WAIT 5.0 /* seconds */

/* A dead writer may leave the number one too low, which the next writer corrects; a commit may come in between. */
static int has_own_lock(const struct store *s) {
  for (int tries = 0; tries < 20; tries++) {
    MDB_envinfo info;
    MDB_txn *txn;
    if (mdb_txn_begin(s->env, NULL, MDB_RDONLY, &txn))
      return 1; /* reported where it matters */
    size_t id = mdb_txn_id(txn);
    mdb_env_info(s->env, &info);
    mdb_txn_abort(txn);
    if (id == info.me_last_txnid || id + 1 == info.me_last_txnid)
      return 1;
    usleep(200);
  }
  return 0;
}

static enum store_status open_environment(struct store *s, const struct store_options *o,
                                          struct error_text *e) {
  struct stat st;
  int rc = mdb_env_create(&s->env);
  if (rc)
    return store_fail(e, s, rc, "opening");
  fstat(s->fd, &st);
  mdb_env_set_maxdbs(s->env, T_COUNT + 4);
  mdb_env_set_maxreaders(s->env, 1024);
  store_fault_mapped(s->fault, s->env, NULL);
  unsigned flags = MDB_NOSUBDIR | MDB_NOTLS | (o->write ? 0u : MDB_RDONLY);
  s->headroom = HEADROOM;
  store_set_map(s->env, (size_t)st.st_size, s->headroom);
  rc = mdb_env_open(s->env, s->path, flags, 0600);
  if (rc == ENOMEM || rc == EINVAL) { /* limited address space, or valgrind */
    mdb_env_close(s->env);
    s->env = NULL;
    if ((rc = mdb_env_create(&s->env)))
      return store_fail(e, s, rc, "opening");
    mdb_env_set_maxdbs(s->env, T_COUNT + 4);
    store_fault_mapped(s->fault, s->env, NULL);
    s->headroom = (size_t)1 << 28;
    store_set_map(s->env, (size_t)st.st_size, s->headroom);
    rc = mdb_env_open(s->env, s->path, flags, 0600);
  }
  if (rc == EACCES) {
    error_set(
        e,
        "%s: readers register in %s-lock, which you may not write: ask user %u, whose store it is, for that "
        "permission (or a folder where it can be made), or copy the store and set BID_STORE to the copy",
        s->path, s->path, (unsigned)st.st_uid);
    return STORE_IO;
  }
  if (rc)
    return store_fail(e, s, rc, "opening");
  int dead;
  mdb_reader_check(s->env, &dead);
  return store_length_check(s, e);
}

/* LMDB opens the file again by name. */
static enum store_status open_own(struct store *s, const struct store_options *o, struct error_text *e) {
  for (double end = clock_monotonic() + OTHERS_WAIT;; usleep(50000)) {
    enum store_status status = open_environment(s, o, e);
    if (status)
      return status;
    if (store_lock_is_at_path(s->fd, s->path) == 0) {
      error_set(e, "%s: was replaced while it was opened; try again", s->path);
      return STORE_BUSY;
    }
    if (has_own_lock(s))
      return STORE_OK;
    if (clock_monotonic() >= end)
      return store_lock_is_others(s, e);
    mdb_env_close(s->env);
    s->env = NULL;
  }
}

/* An empty store, or one whose creation was cut short and is begun again here. */
static enum store_status open_unborn(struct store *s, const struct store_options *o, struct error_text *e) {
  struct stat st;
  int empty = fstat(s->fd, &st) == 0 && st.st_size == 0;
  if (!empty && !store_length_is_unborn(s))
    return STORE_OK;
  if (!o->create) { /* another process may be creating it */
    error_set(e, "%s: an empty store", s->path);
    return STORE_MISSING;
  }
  if (empty)
    return STORE_OK;
  enum store_status status = store_alone(s, e);
  if (!status && store_length_is_unborn(s) && ftruncate(s->fd, 0) != 0)
    status = store_error_io(e, s->path);
  if (!status && store_lock_byte(s->fd, STORE_LOCK_USERS, F_RDLCK) != 0)
    status = store_error_io(e, s->path);
  return status;
}

enum store_status store_open(struct store **out, const struct store_options *o, struct error_text *e) {
  struct store *s = xcalloc(1, sizeof *s);
  *out = NULL;
  s->fd = s->fault = -1;
  pthread_mutex_init(&s->mutex, NULL);
  s->can_write = o->write;
  s->wait = o->wait;
  s->path = store_place_find(o, e);
  enum store_status status = s->path ? store_file_open(s, o, e) : STORE_UNNAMED;
  if (!status)
    status = open_unborn(s, o, e);
  if (!status) {
    s->fault = store_fault_begin(s->path, s->fd);
    status = store_length_check_meta(s, e);
  }
  if (!status)
    status = store_file_check_lock(s, e);
  if (!status)
    status = open_own(s, o, e);
  if (!status)
    status = store_contents_open(s, o, e);
  if (status)
    store_close(s);
  else
    *out = s;
  return status;
}

int store_is_at(const struct store *s, const char *path) {
  struct store_options o = {.path = path};
  struct error_text e;
  char *found = store_place_find(&o, &e);
  int same = found && store_lock_is_at_path(s->fd, found) > 0;
  free(found);
  return same;
}

void store_close(struct store *s) {
  if (!s)
    return;
  if (s->env)
    mdb_env_close(s->env);
  store_fault_end(s->fault);
  if (s->fd >= 0)
    close(s->fd);
  for (size_t i = 0; i < s->ddict_count; i++)
    ZSTD_freeDDict(s->ddicts[i]);
  free(s->ddicts);
  pthread_mutex_destroy(&s->mutex);
  free(s->path);
  free(s);
}

const char *store_path(const struct store *s) {
  return s->path;
}
