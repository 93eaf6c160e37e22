/* store.c: opening and closing a store, its file and tables; locks between processes and write transactions.
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
#include "store/store.h"
#include "base/clock.h"
#include "base/paths.h"
#include "base/sandbox.h"
#include "base/slice.h"
#include "store/store_private.h"
#include "text/terms.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
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

static char *store_lock_path(const struct store *s) {
  struct buf path;
  buf_init(&path, 4200);
  buf_printf(&path, "%s-lock", s->path);
  return path.data;
}

void store_forget_lock(struct store *s) {
  char *path = store_lock_path(s);
  unlink(path);
  free(path);
}

/* Refuses what LMDB would open as its lock file although it is none: it opens that by name, follows a link there and
 * overwrites what it finds. */
static enum store_status store_file_check_lock(const struct store *s, struct error_text *e) {
  struct stat st;
  char *path = store_lock_path(s);
  int foreign = lstat(path, &st) == 0 && !S_ISREG(st.st_mode);
  if (foreign)
    error_set(e, "%s: is a link, FIFO, folder or the like where the store's lock file belongs; remove it",
              path);
  free(path);
  return foreign ? STORE_NOT_STORE : STORE_OK;
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

/* ---- where a store is ---- */

/* The path of the store's file, to be freed; NULL with *e where none is named. */
static char *store_place_find(const struct store_options *o, struct error_text *e) {
  struct buf path;
  struct stat st;
  int unset = 0;
  buf_init(&path, 4096);
  if (o->path)
    buf_add_str(&path, o->path);
  else
    unset = paths_store(&path) != 0;
  if (path.overflow || unset || path.len == 0) {
    if (path.overflow || unset)
      paths_unusable(&path, "the store", "BID_STORE", e);
    else
      error_set(e, "the path of the store is empty");
    buf_release(&path);
    return NULL;
  }
  if (stat(path.data, &st) == 0 && S_ISDIR(st.st_mode))
    buf_add_str(&path, "/store.bid");
  return path.data;
}

/* Makes the folder of the file where it is missing; opening the file reports a failure. */
static void store_place_make_parent(const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash || slash == path)
    return;
  char *folder = xstrndup(path, (size_t)(slash - path));
  paths_make(folder);
  free(folder);
}

void store_may_change(const struct store_options *o, struct sandbox_scope *scope) {
  struct error_text e; /* store_open() reports it */
  char *path = store_place_find(o, &e), *slash = path ? strrchr(path, '/') : NULL;
  if (path && o->write && o->create)
    store_place_make_parent(path);
  if (slash)
    slash[slash == path] = '\0';
  if (path)
    sandbox_may_change(scope, slash ? path : ".");
  free(path);
}

/* ---- opens a store's file as a file ----
 *
 * What is no store, lies where no store is safe, or is being replaced. */

/* LMDB creates its lock file before it checks the data; a foreign file should not get one. */
static int store_is_foreign(int fd) {
  uint32_t magic[6] = {0}; /* LMDB's meta page: 16 bytes of page header, then the magic number */
  ssize_t n = slice_read_at(fd, magic, sizeof magic, 0);
  return n > 0 && (n < (ssize_t)sizeof magic || magic[4] != 0xbeefc0deu);
}

/* LMDB maps the file and relies on its locks, neither of which works over a network. */
static const char *network_file_system(int fd) {
  struct statfs fs;
  if (fstatfs(fd, &fs))
    return NULL;
  switch ((unsigned long)fs.f_type) {
  case 0x6969:
    return "NFS";
  case 0x517b:
  case 0xff534d42:
  case 0xfe534d42:
    return "SMB";
  case 0x5346414f:
    return "AFS";
  case 0x73757245:
    return "Coda";
  case 0x00c36400:
    return "Ceph";
  case 0x01021997:
    return "9P";
  default:
    return NULL;
  }
}

/* Why the file can't be opened; errno is the reason. */
static enum store_status open_fault(const struct store *s, const struct store_options *o,
                                    struct error_text *e) {
  struct stat st;
  if (errno == ELOOP) {
    error_set(e, "%s: is a link, which is not followed; name the file itself", s->path);
    return STORE_NOT_STORE;
  }
  if (o->create) {
    error_set(e, "%s: can't be made or written: %s; set BID_STORE to a path that can", s->path,
              strerror(errno));
    return STORE_IO;
  }
  if (errno == EACCES &&
      access(s->path, o->write ? R_OK | W_OK : R_OK) == 0) { /* so the sandbox forbids it */
    error_set(e,
              "%s: its folder was replaced since this program began, which may open no other one; start it "
              "again",
              s->path);
    return STORE_IO;
  }
  if (errno == EACCES && stat(s->path, &st) == 0) {
    error_set(e, "%s: belongs to user %u and may not be %s by you: ask for the permission, or set BID_STORE",
              s->path, (unsigned)st.st_uid, o->write ? "written" : "read");
    return STORE_IO;
  }
  return store_error_io(e, s->path);
}

static enum store_status open_file(struct store *s, const struct store_options *o, struct error_text *e) {
  int flags = (o->write ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW; /* no FIFO wait */
  if (o->write && o->create) {
    store_place_make_parent(s->path);
    flags |= O_CREAT;
  }
  s->fd = open(s->path, flags, 0600);
  struct stat st;
  if (s->fd < 0)
    return open_fault(s, o, e);
  if (fstat(s->fd, &st) < 0)
    return store_error_io(e, s->path);
  if (!S_ISREG(st.st_mode)) {
    error_set(e, "%s: not a file", s->path);
    return STORE_NOT_STORE;
  }
  if (store_is_foreign(s->fd)) {
    error_set(e, "%s: not a store of bid", s->path);
    return STORE_NOT_STORE;
  }
  const char *network = network_file_system(s->fd);
  if (network) {
    error_set(e, "%s: on a network file system (%s), where a store isn't safe: set BID_STORE to a local disk",
              s->path, network);
    return STORE_IO;
  }
  return STORE_OK;
}

/* Opens the file as s->fd and shares it with its other users; opens it again where it was replaced meanwhile. */
static enum store_status store_file_open(struct store *s, const struct store_options *o,
                                         struct error_text *e) {
  for (int tries = 0; tries < 10; tries++) {
    enum store_status status = open_file(s, o, e);
    if (status)
      return status;
    store_lock_yield(s->fd);
    int rc = store_lock_wait(s->fd, STORE_LOCK_USERS, F_RDLCK, o->wait > 5 || o->wait < 0 ? o->wait : 5);
    if (rc > 0) {
      error_set(e, "%s: is being compacted by another process", s->path);
      return STORE_BUSY;
    }
    if (rc < 0)
      return store_error_io(e, s->path);
    if (store_lock_is_at_path(s->fd, s->path) > 0)
      return STORE_OK;
    close(s->fd);
    s->fd = -1;
  }
  error_set(e, "%s: is being replaced again and again", s->path);
  return STORE_BUSY;
}

/* ---- the tables of an open store and their format, which store_format.h documents ---- */

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
    if (t == T_DOCUMENTS || t == T_SEGMENTS || t == T_DEAD)
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

/* Opens the tables of an open environment, or creates them where o asks for it; refuses other formats. */
static enum store_status store_contents_open(struct store *s, const struct store_options *o,
                                             struct error_text *e) {
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

/* ---- opening and closing ---- */

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

static int open_mapped(struct store *s, size_t file, unsigned flags) {
  int rc = mdb_env_create(&s->env);
  if (rc)
    return rc;
  mdb_env_set_maxdbs(s->env, T_COUNT + 4);
  mdb_env_set_maxreaders(s->env, 1024);
  store_fault_mapped(s->fault, s->env, NULL);
  store_set_map(s->env, file, s->headroom);
  return mdb_env_open(s->env, s->path, flags, 0600);
}

static enum store_status open_environment(struct store *s, const struct store_options *o,
                                          struct error_text *e) {
  struct stat st;
  unsigned flags = MDB_NOSUBDIR | MDB_NOTLS | (o->write ? 0u : MDB_RDONLY);
  fstat(s->fd, &st);
  s->headroom = HEADROOM;
  int rc = open_mapped(s, (size_t)st.st_size, flags);
  if (rc == ENOMEM || rc == EINVAL) { /* limited address space, or valgrind */
    mdb_env_close(s->env);
    s->env = NULL;
    s->headroom = (size_t)1 << 28;
    rc = open_mapped(s, (size_t)st.st_size, flags);
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
