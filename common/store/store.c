/* store.c: opening, locks, snapshots, reading.  store_format.h documents the file format.
 *
 * Locks.  LMDB coordinates writers and readers, but waiting for its writers' mutex can't be limited in time, and it
 * doesn't handle a file being replaced.  So three bytes far beyond the end of the data file are locked too, with
 * open-file-description locks, which are released when their process dies:
 * - `USERS` is shared by every process that has the store open, and exclusive while the file is replaced by its
 *   compacted copy.
 * - `WRITER` is exclusive during a write transaction.
 * - `WANTED` is exclusive while a process waits for `USERS`, so that long-lived readers can release it and no new one
 *   takes it.
 */
#include "store/store_private.h"
#include "store/store_fault.h"
#include "base/hash.h"

#include "base/clock.h"
#include "record/error.h"
#include "base/paths.h"
#include "text/terms.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <xxhash.h>

#define LOCK_USERS ((off_t)1 << 61)
#define LOCK_WRITER (((off_t)1 << 61) + 1)
#define LOCK_WANTED (((off_t)1 << 61) + 2)
#define WANTED_WAIT 2.0             /* seconds a newcomer waits for a process that wants exclusive access */
#define HEADROOM ((size_t)64 << 30) /* address space beyond the file; free until it is used */
#define LARGE_EXTENT ((size_t)4 << 20) /* bytes */
#define TEXT_MAX ((size_t)512 << 20)
#define NEARLY ((uint64_t)16 << 20) /* bytes left on a disk or below a limit that count as none */

static const char *const table_names[T_COUNT] = {"meta", "collections", "strings",  "companies",
                                                 "urls", "documents",   "segments", "dead"};

static enum error_kind kind_of(enum store_status s) {
  static const enum error_kind kinds[] = {
      [STORE_OK] = FAULT_NONE,           [STORE_MISSING] = FAULT_NO_STORE, [STORE_UNNAMED] = FAULT_SETTING,
      [STORE_ABSENT] = FAULT_NO_CONTENT, [STORE_BUSY] = FAULT_BUSY,        [STORE_NOT_STORE] = FAULT_DATA,
      [STORE_VERSION] = FAULT_SETTING,   [STORE_CORRUPT] = FAULT_DATA,     [STORE_IO] = FAULT_DISK,
      [STORE_MODEL] = FAULT_MODEL,       [STORE_LIMIT] = FAULT_REQUEST,    [STORE_AWAY] = FAULT_UNAVAILABLE,
      [STORE_DENIED] = FAULT_AUTH,       [STORE_REFUSED] = FAULT_REQUEST};
  return kinds[s];
}

int store_exit_status(enum store_status s) {
  return error_kind_status(kind_of(s));
}

const char *store_category(enum store_status s) {
  return error_kind_category(kind_of(s));
}

enum store_status store_damaged(struct error_text *e, const struct store *s, const char *what) {
  error_set(e,
            "%s: the file is damaged (%s); \"bid-store verify\" lists what is; restore a backup, or index "
            "the sources "
            "again into a new store",
            s ? s->path : "", what);
  return STORE_CORRUPT;
}

/* LMDB reports EIO where a write was incomplete: usually the disk is full, or the file has reached its size limit. */
static int real_cause(const struct store *s, int code) {
  struct statvfs fs;
  struct rlimit limit;
  struct stat st;
  if (code != EIO || !s || fstat(s->fd, &st))
    return code;
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
      (uint64_t)st.st_size + NEARLY >= limit.rlim_cur)
    return EFBIG;
  if (fstatvfs(s->fd, &fs) == 0 && (uint64_t)fs.f_bavail * fs.f_frsize < NEARLY)
    return ENOSPC;
  return code;
}

enum store_status store_fail(struct error_text *e, const struct store *s, int code, const char *doing) {
  const char *path = s ? s->path : "";
  error_set(e, "%s: %s: %s", path, doing, mdb_strerror(real_cause(s, code)));
  switch (code) {
  case MDB_INVALID:
    error_set(e, "%s: not a store of bid", path);
    return STORE_NOT_STORE;
  case MDB_VERSION_MISMATCH:
    error_set(e, "%s: an LMDB file of another version, not a store of bid", path);
    return STORE_NOT_STORE;
  case MDB_CORRUPTED:
  case MDB_PAGE_NOTFOUND:
  case MDB_CURSOR_FULL:
  case MDB_BAD_VALSIZE:
  case MDB_INCOMPATIBLE:
  case MDB_PANIC:
  case MDB_BAD_TXN:
    return store_damaged(e, s, doing);
  case MDB_READERS_FULL:
    return STORE_BUSY;
  case MDB_NOTFOUND:
    return STORE_ABSENT;
  default:
    return STORE_IO;
  }
}

/* ---- locks ---- */

static int lock_byte(int fd, off_t byte, short type) {
  struct flock l = {.l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
  int rc;
  while ((rc = fcntl(fd, F_OFD_SETLK, &l)) < 0 && errno == EINTR) {
  }
  return rc;
}

/* 0, 1 after the wait, or -1 with errno. */
static int lock_waiting(int fd, off_t byte, short type, double wait) {
  double end = clock_monotonic() + wait;
  for (useconds_t nap = 500; lock_byte(fd, byte, type) < 0; nap = nap < 20000 ? nap * 2 : nap) {
    if (errno != EAGAIN && errno != EACCES)
      return -1;
    if (wait >= 0 && clock_monotonic() >= end)
      return 1;
    usleep(nap);
  }
  return 0;
}

static int is_wanted_alone(int fd) {
  struct flock l = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = LOCK_WANTED, .l_len = 1};
  return fcntl(fd, F_OFD_GETLK, &l) == 0 && l.l_type != F_UNLCK;
}

static void let_go_first(int fd) {
  double end = clock_monotonic() + WANTED_WAIT;
  while (is_wanted_alone(fd) && clock_monotonic() < end)
    usleep(5000);
}

/* ---- replaced files ---- */

/* 1 where the path names the open file, 0 where another one, -1 where none. */
static int is_at_path(int fd, const char *path) {
  struct stat ours, now;
  if (fstat(fd, &ours) != 0 || stat(path, &now) != 0)
    return -1;
  return ours.st_ino == now.st_ino && ours.st_dev == now.st_dev;
}

/* The writer's file is no longer at its path: writes to it would be lost. */
static enum store_status store_moved(const struct store *s, struct error_text *e) {
  error_set(e, "%s: was moved, removed or replaced while it was written; run it again", s->path);
  return STORE_BUSY;
}

/* LMDB's lock file is found by name only.  A file that replaces another one uses the lock file of the replaced one,
 * with that one's last transaction number, as long as any process has it open.  LMDB would select the wrong meta page
 * by that number, and the next commit would destroy the file.  So a process that opens the store waits until the
 * others have closed it, which they do once they notice the new file. */
#define OTHERS_WAIT 5.0 /* seconds */

static enum store_status store_lock_is_others(const struct store *s, struct error_text *e) {
  error_set(e,
            "%s: the file that was there before is still open in another program, whose lock file %s-lock it "
            "shares; end that "
            "program, then try again",
            s->path, s->path);
  return STORE_BUSY;
}

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

/* ---- opening ---- */

static char *find_path(const struct store_options *o, struct error_text *e) {
  struct buf path;
  struct stat st;
  buf_init(&path, 4096);
  if (o->path)
    buf_add_str(&path, o->path);
  else if (paths_store(&path)) {
    error_set(e, "neither BID_STORE nor HOME is set");
    return NULL;
  }
  if (path.overflow || path.len == 0) {
    error_set(e, "the store's path is empty or too long");
    buf_release(&path);
    return NULL;
  }
  if (stat(path.data, &st) == 0 && S_ISDIR(st.st_mode))
    buf_add_str(&path, "/store.bid");
  return path.data;
}

/* LMDB creates its lock file before it checks the data; a foreign file should not get one. */
static int store_is_foreign(int fd) {
  uint32_t magic[6] = {0}; /* LMDB's meta page: 16 bytes of page header, then the magic number */
  ssize_t n = pread(fd, magic, sizeof magic, 0);
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

static enum store_status io_error(struct error_text *e, const char *path) {
  enum store_status status = errno == ENOENT || errno == ENOTDIR ? STORE_MISSING : STORE_IO;
  error_set(e, "%s: %s", path, status == STORE_MISSING ? "no store there" : strerror(errno));
  return status;
}

static void make_parent(const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash || slash == path)
    return;
  char *folder = xstrndup(path, (size_t)(slash - path));
  paths_make(folder);
  free(folder);
}

static enum store_status store_open_file(struct store *s, const struct store_options *o,
                                         struct error_text *e) {
  int flags = (o->write ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW; /* no FIFO wait */
  if (o->write && o->create) {
    make_parent(s->path);
    flags |= O_CREAT;
  }
  s->fd = open(s->path, flags, 0600);
  struct stat st;
  if (s->fd < 0 && errno == ELOOP) {
    error_set(e, "%s: is a link, which is not followed; name the file itself", s->path);
    return STORE_NOT_STORE;
  }
  if (s->fd < 0 && o->create) {
    error_set(e, "%s: can't be made or written: %s; set BID_STORE to a path that can", s->path,
              strerror(errno));
    return STORE_IO;
  }
  if (s->fd < 0 && errno == EACCES && stat(s->path, &st) == 0) {
    error_set(e, "%s: belongs to user %u and may not be %s by you: ask for the permission, or set BID_STORE",
              s->path, (unsigned)st.st_uid, o->write ? "written" : "read");
    return STORE_IO;
  }
  if (s->fd < 0 || fstat(s->fd, &st) < 0)
    return io_error(e, s->path);
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

/* Shares the file with its other users; reopens it where it was replaced meanwhile. */
static enum store_status open_shared(struct store *s, const struct store_options *o, struct error_text *e) {
  for (int tries = 0; tries < 10; tries++) {
    enum store_status status = store_open_file(s, o, e);
    if (status)
      return status;
    let_go_first(s->fd);
    int rc = lock_waiting(s->fd, LOCK_USERS, F_RDLCK, o->wait > 5 || o->wait < 0 ? o->wait : 5);
    if (rc > 0) {
      error_set(e, "%s: is being compacted by another process", s->path);
      return STORE_BUSY;
    }
    if (rc < 0)
      return io_error(e, s->path);
    if (is_at_path(s->fd, s->path) > 0)
      return STORE_OK;
    close(s->fd);
    s->fd = -1;
  }
  error_set(e, "%s: is being replaced again and again", s->path);
  return STORE_BUSY;
}

static int set_map(MDB_env *env, size_t file, size_t more) {
  size_t size = (file + more + 0xffff) & ~(size_t)0xffff;
  return mdb_env_set_mapsize(env, size);
}

/* How many pages from `first` to `last` are in LMDB's list of free pages (its table 0: a count, then page numbers). */
static size_t free_pages(MDB_txn *txn, size_t first, size_t last) {
  MDB_cursor *cursor;
  MDB_val k, v;
  size_t found = 0, id;
  if (mdb_cursor_open(txn, 0, &cursor))
    return 0;
  while (mdb_cursor_get(cursor, &k, &v, MDB_NEXT) == 0)
    for (size_t at = sizeof id; at + sizeof id <= v.mv_size; at += sizeof id) {
      memcpy(&id, (const char *)v.mv_data + at, sizeof id);
      found += id >= first && id <= last;
    }
  mdb_cursor_close(cursor);
  return found;
}

/* Whether the roots of the free list and of the tables are among the first `pages` pages; otherwise the list
 * can't be read. */
static int has_roots(const struct store *s, size_t page_size, size_t pages) {
  enum { FREE_ROOT_AT = 80, MAIN_ROOT_AT = 128, TXNID_AT = 144 };
  char meta[2][TXNID_AT + 8];
  uint64_t id[2], root[2];
  for (int i = 0; i < 2; i++) {
    if (pread(s->fd, meta[i], sizeof meta[i], (off_t)(page_size * (size_t)i)) != (ssize_t)sizeof meta[i])
      return 0;
    memcpy(&id[i], meta[i] + TXNID_AT, sizeof id[i]);
  }
  const char *newer = meta[id[1] > id[0]];
  memcpy(&root[0], newer + FREE_ROOT_AT, sizeof root[0]);
  memcpy(&root[1], newer + MAIN_ROOT_AT, sizeof root[1]);
  return root[0] < pages && root[1] < pages;
}

/* Whether all pages in use are within the file.  LMDB counts pages that a transaction added and freed again, but
 * doesn't write them, so after a removal the file may end before the last page. */
static int is_long_enough(const struct store *s, size_t *bytes, size_t *wanted) {
  MDB_envinfo info;
  MDB_stat page;
  MDB_txn *txn;
  struct stat st;
  if (mdb_txn_begin(s->env, NULL, MDB_RDONLY, &txn))
    return 1; /* reported where it matters */
  mdb_env_info(s->env, &info);
  mdb_env_stat(s->env, &page);
  *bytes = fstat(s->fd, &st) == 0 ? (size_t)st.st_size : 0;
  *wanted = (info.me_last_pgno + 1) * page.ms_psize;
  size_t pages = *bytes / page.ms_psize, last = info.me_last_pgno;
  int enough = pages > last ||
               (has_roots(s, page.ms_psize, pages) && free_pages(txn, pages, last) == last + 1 - pages);
  mdb_txn_abort(txn);
  return enough;
}

static enum store_status check_length(const struct store *s, struct error_text *e) {
  size_t bytes, wanted;
  for (int tries = 0; tries < 5; tries++) { /* a commit may happen meanwhile */
    if (is_long_enough(s, &bytes, &wanted))
      return STORE_OK;
    usleep(200);
  }
  error_set(e, "%s: is cut short: %zu bytes of %zu; restore a backup", s->path, bytes, wanted);
  return STORE_CORRUPT;
}

/* LMDB's two meta pages hold the states after the last two commits; it uses the one with the higher transaction
 * number.  A flipped bit in that number would silently restore the older state, so the numbers must be consecutive,
 * the even one on the first page. */
static enum store_status check_meta_pages(struct store *s, struct error_text *e) {
  enum { PSIZE_AT = 40, TXNID_AT = 144 };
  unsigned char page[TXNID_AT + 8];
  for (int tries = 0; tries < 50; tries++) {
    uint64_t id[2] = {0, 0};
    uint32_t size;
    if (pread(s->fd, page, sizeof page, 0) != (ssize_t)sizeof page)
      return STORE_OK; /* empty: new, or reported by check_length() */
    memcpy(&id[0], page + TXNID_AT, 8);
    memcpy(&size, page + PSIZE_AT, 4);
    if (pread(s->fd, page, sizeof page, size) != (ssize_t)sizeof page)
      break;
    memcpy(&id[1], page + TXNID_AT, 8);
    if ((id[0] == 0 && id[1] <= 1) || (id[0] % 2 == 0 && (id[0] + 1 == id[1] || id[0] == id[1] + 1)))
      return STORE_OK;
    usleep(200); /* a commit may happen between the two reads */
  }
  return store_damaged(e, s, "its first pages disagree");
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
  set_map(s->env, (size_t)st.st_size, s->headroom);
  rc = mdb_env_open(s->env, s->path, flags, 0600);
  if (rc == ENOMEM || rc == EINVAL) { /* limited address space, or valgrind */
    mdb_env_close(s->env);
    s->env = NULL;
    if ((rc = mdb_env_create(&s->env)))
      return store_fail(e, s, rc, "opening");
    mdb_env_set_maxdbs(s->env, T_COUNT + 4);
    store_fault_mapped(s->fault, s->env, NULL);
    s->headroom = (size_t)1 << 28;
    set_map(s->env, (size_t)st.st_size, s->headroom);
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
  return check_length(s, e);
}

/* LMDB opens the file again by name. */
static enum store_status open_own(struct store *s, const struct store_options *o, struct error_text *e) {
  for (double end = clock_monotonic() + OTHERS_WAIT;; usleep(50000)) {
    enum store_status status = open_environment(s, o, e);
    if (status)
      return status;
    if (is_at_path(s->fd, s->path) == 0) {
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

static enum store_status open_contents(struct store *s, const struct store_options *o, struct error_text *e) {
  MDB_txn *txn;
  enum store_status status = STORE_OK;
  int fresh = store_is_fresh(s);
  if (fresh && o->write && o->create) {
    (void)fsync(s->fd); /* LMDB's meta pages, before what they refer to */
    status = create_tables(s, e);
    if (!status && paths_sync_folder_of(s->path)) /* otherwise a power failure loses the file */
      status = io_error(e, s->path);
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

enum store_status store_open(struct store **out, const struct store_options *o, struct error_text *e) {
  struct store *s = xcalloc(1, sizeof *s);
  *out = NULL;
  s->fd = s->fault = -1;
  pthread_mutex_init(&s->mutex, NULL);
  s->can_write = o->write;
  s->wait = o->wait;
  s->path = find_path(o, e);
  enum store_status status = s->path ? open_shared(s, o, e) : STORE_UNNAMED;
  struct stat st;
  if (!status && !o->create && fstat(s->fd, &st) == 0 && st.st_size == 0) {
    /* Another process may be creating it. */
    error_set(e, "%s: an empty store", s->path);
    status = STORE_MISSING;
  }
  if (!status) {
    s->fault = store_fault_begin(s->path, s->fd);
    status = check_meta_pages(s, e);
  }
  if (!status)
    status = open_own(s, o, e);
  if (!status)
    status = open_contents(s, o, e);
  if (status)
    store_close(s);
  else
    *out = s;
  return status;
}

int store_is_at(const struct store *s, const char *path) {
  struct store_options o = {.path = path};
  struct error_text e;
  char *found = find_path(&o, &e);
  int same = found && is_at_path(s->fd, found) > 0;
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

/* ---- write transactions ---- */

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
  return set_map(s->env, used, 4 * bytes + s->headroom);
}

enum store_status store_begin(struct store *s, size_t bytes, MDB_txn **txn, struct error_text *e) {
  int rc = lock_waiting(s->fd, LOCK_WRITER, F_WRLCK, s->wait);
  if (rc > 0) {
    error_set(e, "%s: another process is writing; waited %.3g seconds (--wait sets how long)", s->path,
              s->wait);
    return STORE_BUSY;
  }
  if (rc < 0)
    return io_error(e, s->path);
  rc = grow_map(s, bytes);
  if (!rc)
    rc = mdb_txn_begin(s->env, NULL, 0, txn);
  if (rc == MDB_MAP_RESIZED && !(rc = mdb_env_set_mapsize(s->env, 0)))
    rc = mdb_txn_begin(s->env, NULL, 0, txn);
  enum store_status status = rc ? store_fail(e, s, rc, "beginning to write") : STORE_OK;
  MDB_envinfo info;
  if (!rc && is_at_path(s->fd, s->path) <= 0)
    status = store_moved(s, e);
  else if (!rc && mdb_env_info(s->env, &info) == 0 && mdb_txn_id(*txn) != info.me_last_txnid + 1)
    status = store_lock_is_others(s, e);
  if (status && !rc)
    mdb_txn_abort(*txn);
  if (status)
    lock_byte(s->fd, LOCK_WRITER, F_UNLCK);
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
    else if (is_at_path(s->fd, s->path) <= 0)
      status = store_moved(s, e);
  }
  lock_byte(s->fd, LOCK_WRITER, F_UNLCK);
  return status;
}

void store_abandon(struct store *s, MDB_txn *txn) {
  mdb_txn_abort(txn);
  lock_byte(s->fd, LOCK_WRITER, F_UNLCK);
}

struct store_url_key store_url_key(uint32_t collection, struct slice url) {
  struct store_url_key k;
  XXH128_hash_t h = XXH3_128bits(url.data, url.len);
  for (int i = 0; i < 4; i++)
    k.bytes[i] = (uint8_t)(collection >> (24 - 8 * i));
  memcpy(k.bytes + 4, &h.low64, 8);
  memcpy(k.bytes + 12, &h.high64, 4);
  return k;
}

/* ---- snapshots ---- */

/* Copies the bitmap of removed documents (it may be unaligned) and marks the live rows. */
static int store_load_dead(struct store_snapshot *snap, struct store_segment *seg) {
  MDB_val v;
  int rc = store_get_sealed(snap->txn, snap->store->dbi[T_DEAD], &seg->id, sizeof seg->id, &v);
  if (rc)
    return rc == MDB_NOTFOUND ? 0 : rc;
  size_t words = seg->docs / 64 + 1;
  uint64_t *dead = xcalloc(words, sizeof *dead);
  uint64_t *live = xmalloc((seg->rows / 64 + (size_t)1) * sizeof *live);
  memcpy(dead, v.mv_data, v.mv_size < words * 8 ? v.mv_size : words * 8);
  memset(live, 255, (seg->rows / 64 + (size_t)1) * sizeof *live);
  for (uint32_t d = 0; d < seg->docs; d++)
    if (dead[d / 64] >> (d % 64) & 1)
      for (uint32_t r = seg->doc[d].first; r < store_segment_doc_end(seg, &seg->doc[d]); r++)
        live[r / 64] &= ~((uint64_t)1 << (r % 64));
  seg->dead_docs = dead;
  seg->live_bits = live;
  return 0;
}

static const char *store_model_name(const struct store_snapshot *snap, uint32_t number);

/* Address range of the segments in the map: [from, until). */
struct extent {
  uintptr_t from, until;
};

static void extend(struct extent *x, MDB_val value) {
  uintptr_t from = (uintptr_t)value.mv_data, until = from + value.mv_size;
  x->from = x->until == 0 || from < x->from ? from : x->from;
  x->until = until > x->until ? until : x->until;
}

/* Reads pages that are not in memory yet in units of 2 MiB and maps them so: the kernel's read-ahead of a mapped file
 * makes 4 KiB pages, each of which costs every process that maps it 200 ns.  Harmless where the kernel doesn't
 * support it. */
static void want_large_pages(const struct extent *x) {
#ifdef MADV_HUGEPAGE
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uintptr_t from = x->from / page * page, until = (x->until + page - 1) / page * page;
  if (until - from >= LARGE_EXTENT)
    (void)madvise((void *)from, until - from, MADV_HUGEPAGE);
#else
  (void)x;
#endif
}

/* Locates all segments in the map before reading any. */
static enum store_status find_segments(struct store_snapshot *snap, MDB_val *values, struct error_text *e) {
  struct extent extent = {0, 0};
  for (size_t i = 0; i < snap->count; i++) {
    uint32_t id = snap->entries[i].id;
    MDB_val k = {sizeof id, &id};
    int rc = mdb_get(snap->txn, snap->store->dbi[T_SEGMENTS], &k, &values[i]);
    if (rc)
      return store_fail(e, snap->store, rc == MDB_NOTFOUND ? MDB_CORRUPTED : rc, "reading a segment");
    extend(&extent, values[i]);
  }
  want_large_pages(&extent);
  return STORE_OK;
}

static uint32_t count_dead(const struct store_segment *seg) {
  uint32_t n = 0;
  for (uint32_t i = 0; seg->dead_docs && i <= seg->docs / 64; i++)
    n += (uint32_t)__builtin_popcountll(seg->dead_docs[i]);
  return n;
}

static int read_counters(const struct store_snapshot *snap, struct store_counters *out) {
  struct slice v;
  *out = (struct store_counters){.next_segment = 1, .next_company = 1};
  int rc = store_meta(snap->store, snap->txn, "counters", &v);
  if (!rc && v.len != sizeof *out)
    rc = MDB_CORRUPTED;
  if (!rc)
    memcpy(out, v.data, sizeof *out);
  return rc;
}

/* Numbers of strings and of companies are given from 1 on, one for each entry: the table holds no larger one. */
static size_t largest_number(const struct store_snapshot *snap, enum store_table table) {
  MDB_stat st;
  return mdb_stat(snap->txn, snap->store->dbi[table], &st) ? 0 : st.ms_entries;
}

/* Whether a segment's numbers of forms, items and companies are in the lists that readers look them up in: a checksum
 * doesn't say that of a forged one. */
static int numbers_are_known(const struct store_snapshot *snap, const struct store_segment *seg) {
  const char *const *list;
  size_t forms = store_forms(snap, &list), items = store_items(snap, &list);
  size_t companies = largest_number(snap, T_COMPANIES);
  uint16_t item = 0;
  for (uint32_t d = 0; d < seg->docs; d++)
    if (seg->doc[d].form >= forms || seg->doc[d].company > companies)
      return 0;
  for (uint32_t r = 0; r < seg->rows; r++)
    item = seg->item[r] > item ? seg->item[r] : item;
  return item < items;
}

static enum store_status load_segment(struct store_snapshot *snap, size_t i, MDB_val value,
                                      struct error_text *e) {
  const struct store_segment_entry *entry = &snap->entries[i];
  struct store_segment *seg = &snap->segments[i];
  struct error_text why;
  int failed = store_segment_attach(seg, &snap->terms[i], value.mv_data, value.mv_size, &why);
  if (!failed && (seg->id != entry->id || seg->docs != entry->docs || seg->rows != entry->rows)) {
    error_set(&why, "segment %u is another than the manifest names", entry->id);
    failed = -1;
  }
  if (failed || store_segment_guard_start(&snap->guards[i], seg, value.mv_data, &why))
    return store_damaged(e, snap->store, why.text);
  if (!numbers_are_known(snap, seg))
    return store_damaged(e, snap->store, "a segment's numbers are in no list");
  int rc = store_load_dead(snap, seg);
  if (!rc && seg->docs - count_dead(seg) != entry->live_docs) /* the bitmap is lost */
    rc = MDB_CORRUPTED;
  if (rc)
    return store_fail(e, snap->store, rc, "reading");
  seg->live_rows = entry->live_rows;
  seg->live_docs = entry->live_docs;
  seg->live_length = entry->live_length;
  seg->model = store_model_name(snap, entry->model);
  return STORE_OK;
}

/* Keys in LMDB's pages have no checksum, and a damaged key makes its value appear missing; so everything that could
 * be missing is also counted elsewhere. */
static enum store_status check_manifest(const struct store_snapshot *snap, int is_there,
                                        struct error_text *e) {
  struct store_counters counters;
  uint64_t documents = 0, passages = 0;
  int rc = read_counters(snap, &counters);
  if (rc || (!is_there && counters.next_segment > 1))
    return store_fail(e, snap->store, rc ? rc : MDB_CORRUPTED, "reading the manifest");
  const struct store_collection *list;
  store_collections(snap, &list);
  for (size_t i = 0; i < snap->collection_all; i++) {
    documents += list[i].documents;
    passages += list[i].passages;
  }
  for (size_t i = 0; i < snap->count; i++) {
    documents -= snap->entries[i].live_docs;
    passages -= snap->entries[i].live_rows;
  }
  if (documents || passages)
    return store_damaged(e, snap->store, "its collections and its segments count different documents");
  return STORE_OK;
}

enum store_status store_load_segments(struct store_snapshot *snap, struct error_text *e) {
  struct slice v;
  int rc = store_meta(snap->store, snap->txn, "segments", &v);
  if (rc)
    return store_fail(e, snap->store, rc, "reading the manifest");
  snap->count = v.len / sizeof(struct store_segment_entry);
  struct store_segment_entry *entries = xcalloc(snap->count + 1, sizeof *entries);
  if (v.len)
    memcpy(entries, v.data, snap->count * sizeof *entries);
  snap->entries = entries;
  snap->segments = xcalloc(snap->count + 1, sizeof *snap->segments);
  snap->terms = xcalloc(snap->count + 1, sizeof *snap->terms);
  snap->guards = xcalloc(snap->count + 1, sizeof *snap->guards);
  MDB_val *values = xcalloc(snap->count + 1, sizeof *values);
  enum store_status status = find_segments(snap, values, e);
  for (size_t i = 0; i < snap->count && status == STORE_OK; i++)
    status = load_segment(snap, i, values[i], e);
  free(values);
  if (!status)
    status = check_manifest(snap, v.data != NULL, e); /* loads the collections, which every caller needs */
  return status ? status : store_snapshot_check(snap, e);
}

void store_dictionary_name(uint32_t number, char name[24]) {
  snprintf(name, 24, number ? "dictionary.%u" : "dictionary", number);
}

/* The caller must hold s->mutex. */
static int store_load_dictionary(struct store_snapshot *snap, uint32_t number) {
  struct store *s = snap->store;
  char name[24];
  struct slice v;
  if (number < s->ddict_count && s->ddicts[number])
    return 0;
  while (s->ddict_count <= number && number < STORE_DICTIONARIES_MAX) {
    s->ddicts = xreallocarray(s->ddicts, s->ddict_count + 1, sizeof(ZSTD_DDict *));
    s->ddicts[s->ddict_count++] = NULL;
  }
  if (number >= s->ddict_count)
    return MDB_CORRUPTED;
  store_dictionary_name(number, name);
  int rc = store_meta(s, snap->txn, name, &v);
  if (!rc && v.len && !(s->ddicts[number] = ZSTD_createDDict(v.data, v.len)))
    diag_oom();
  return rc;
}

static int begin_reading(struct store *s, MDB_txn **txn) {
  int rc = mdb_txn_begin(s->env, NULL, MDB_RDONLY, txn);
  if (rc == MDB_MAP_RESIZED && s->snapshots == 0 && !(rc = mdb_env_set_mapsize(s->env, 0)))
    rc = mdb_txn_begin(s->env, NULL, MDB_RDONLY, txn);
  return rc;
}

enum store_status store_snapshot_begin(struct store *s, struct store_snapshot **out, struct error_text *e) {
  struct store_snapshot *snap = xcalloc(1, sizeof *snap);
  *out = NULL;
  snap->store = s;
  pthread_mutex_init(&snap->mutex, NULL);
  pthread_mutex_lock(&s->mutex);
  int rc = begin_reading(s, &snap->txn);
  if (!rc) {
    s->snapshots++;
    rc = store_load_dictionary(snap, 0);
  }
  pthread_mutex_unlock(&s->mutex);
  enum store_status status = rc ? store_fail(e, s, rc, "reading") : store_load_segments(snap, e);
  if (status)
    store_snapshot_end(snap);
  else
    *out = snap;
  return status;
}

static void free_strings(struct store_string_list *l) {
  for (size_t i = 0; i < l->count; i++)
    free((void *)(uintptr_t)l->list[i]);
  free(l->list);
}

static void free_companies(struct store_snapshot *snap) {
  for (size_t i = 0; i < snap->company_count; i++) {
    free((void *)(uintptr_t)snap->companies[i].name);
    free((void *)(uintptr_t)snap->companies[i].ticker);
    free((void *)(uintptr_t)snap->companies[i].cik);
  }
  free(snap->companies);
}

/* Ends the parts of a joint snapshot and frees its copies of their segments' data. */
static void end_parts(struct store_snapshot *snap) {
  for (size_t i = 0; snap->parts && i < snap->count; i++) {
    free((void *)(uintptr_t)snap->segments[i].doc);
    free((void *)(uintptr_t)snap->segments[i].item);
  }
  for (size_t i = 0; i < snap->part_count; i++)
    store_snapshot_end(snap->parts[i]);
  free(snap->parts);
}

void store_snapshot_end(struct store_snapshot *snap) {
  if (!snap)
    return;
  for (size_t i = 0; snap->segments && i < snap->count; i++) {
    free((void *)(uintptr_t)snap->segments[i].dead_docs);
    free((void *)(uintptr_t)snap->segments[i].live_bits);
    if (!snap->parts)
      store_segment_guard_release(&snap->guards[i]);
  }
  end_parts(snap);
  if (snap->txn) {
    mdb_txn_abort(snap->txn);
    pthread_mutex_lock(&snap->store->mutex);
    snap->store->snapshots--;
    pthread_mutex_unlock(&snap->store->mutex);
  }
  free(snap->segments);
  free(snap->terms);
  free(snap->guards);
  free((void *)(uintptr_t)snap->entries);
  for (size_t i = 0; i < snap->collection_all; i++)
    free((void *)(uintptr_t)snap->collections[i].name);
  free(snap->collections);
  free_strings(&snap->forms);
  free_strings(&snap->items);
  free_strings(&snap->models);
  free_companies(snap);
  while (snap->unpacker_count)
    ZSTD_freeDCtx(snap->unpackers[--snap->unpacker_count]);
  pthread_mutex_destroy(&snap->mutex);
  free(snap);
}

enum store_status store_snapshot_check(const struct store_snapshot *snap, struct error_text *e) {
  char text[80];
  int rc = atomic_load(&snap->damaged);
  if (rc)
    return store_fail(e, snap->store, rc, "reading its lists");
  for (size_t i = 0; i < snap->part_count; i++) {
    enum store_status status = store_snapshot_check(snap->parts[i], e);
    if (status)
      return status;
  }
  for (size_t i = 0; !snap->parts && i < snap->count; i++) {
    int part = atomic_load(&snap->guards[i].damaged);
    if (!part)
      continue;
    snprintf(text, sizeof text, "segment %u: its %s are damaged", snap->entries[i].id,
             store_segment_part_name((enum store_segment_part)(part - 1)));
    return store_damaged(e, snap->store, text);
  }
  return STORE_OK;
}

int store_is_outdated(const struct store *s, const struct store_snapshot *snap) {
  MDB_envinfo info;
  for (size_t i = 0; i < snap->part_count; i++)
    if (snap->parts[i]->store == s)
      return store_is_outdated(s, snap->parts[i]);
  return mdb_env_info(s->env, &info) != 0 || info.me_last_txnid != mdb_txn_id(snap->txn) ||
         is_wanted_alone(s->fd) || is_at_path(s->fd, s->path) == 0;
}

size_t store_segments(const struct store_snapshot *snap, const struct store_segment **list) {
  *list = snap->segments;
  return snap->count;
}

void store_totals(const struct store_snapshot *snap, uint64_t *rows, uint64_t *length) {
  *rows = *length = 0;
  for (size_t i = 0; i < snap->count; i++) {
    *rows += snap->segments[i].live_rows;
    *length += snap->segments[i].live_length;
  }
}

/* ---- lists ---- */

static void set_string(struct store_string_list *l, uint32_t number, struct slice text) {
  while (l->count <= number) {
    if ((l->count & (l->count - 1)) == 0)
      l->list = xreallocarray(l->list, l->count ? 2 * l->count : 1, sizeof *l->list);
    l->list[l->count++] = NULL;
  }
  free((void *)(uintptr_t)l->list[number]);
  l->list[number] = xstrndup(text.data, text.len);
}

/* Numbers are consecutive from 1; `counter` names the entry with the next free one.  0, or an error; the list is
 * usable even then. */
static int fill_gaps(const struct store_snapshot *snap, struct store_string_list *l, const char *counter) {
  struct slice v;
  uint32_t next = 1;
  int rc = store_meta(snap->store, snap->txn, counter, &v);
  if (!rc && v.len == sizeof next)
    memcpy(&next, v.data, sizeof next);
  set_string(l, 0, slice_str(""));
  if (!rc && l->count < next)
    rc = MDB_CORRUPTED;
  for (size_t i = 0; i < l->count; i++)
    if (!l->list[i]) {
      l->list[i] = xstrdup("");
      rc = MDB_CORRUPTED;
    }
  return rc;
}

static int add_string(void *arg, struct slice key, struct slice value) {
  struct store_snapshot *snap = arg;
  uint32_t number;
  if (key.len == 0 || value.len != sizeof number)
    return MDB_CORRUPTED;
  struct store_string_list *l = key.data[0] == 'f'   ? &snap->forms
                                : key.data[0] == 'i' ? &snap->items
                                                     : &snap->models;
  memcpy(&number, value.data, sizeof number);
  if (number > largest_number(snap, T_STRINGS))
    return MDB_CORRUPTED;
  set_string(l, number, slice_of(key.data + 1, key.len - 1));
  return 0;
}

static int load_strings(struct store_snapshot *snap) {
  int rc = store_each_sealed(snap->store, snap->txn, T_STRINGS, add_string, snap);
  int forms = fill_gaps(snap, &snap->forms, "#f"), items = fill_gaps(snap, &snap->items, "#i"),
      models = fill_gaps(snap, &snap->models, "#m");
  return rc ? rc : forms ? forms : items ? items : models;
}

/* Runs `load` once.  Lists are a cache inside the snapshot, so they are loaded even for a const one. */
static struct store_snapshot *loaded(const struct store_snapshot *snap, int *flag,
                                     int (*load)(struct store_snapshot *)) {
  struct store_snapshot *own = (struct store_snapshot *)(uintptr_t)snap;
  pthread_mutex_lock(&own->mutex);
  int rc = *flag ? 0 : load(own);
  if (rc)
    atomic_store(&own->damaged, rc);
  *flag = 1;
  pthread_mutex_unlock(&own->mutex);
  return own;
}

static struct store_snapshot *with_strings(const struct store_snapshot *snap) {
  return loaded(snap, (int *)(uintptr_t)&snap->strings_loaded, load_strings);
}

static const char *store_model_name(const struct store_snapshot *snap, uint32_t number) {
  struct store_string_list *l = &with_strings(snap)->models;
  return number < l->count ? l->list[number] : "";
}

size_t store_forms(const struct store_snapshot *snap, const char *const **list) {
  struct store_string_list *l = &with_strings(snap)->forms;
  *list = l->list;
  return l->count;
}

size_t store_items(const struct store_snapshot *snap, const char *const **list) {
  struct store_string_list *l = &with_strings(snap)->items;
  *list = l->list;
  return l->count;
}

static int add_collection(void *arg, struct slice key, struct slice value) {
  struct store_snapshot *snap = arg;
  struct store_collection_value v;
  size_t n = snap->collection_all;
  if (value.len != sizeof v)
    return MDB_CORRUPTED;
  memcpy(&v, value.data, sizeof v);
  if ((n & (n - 1)) == 0)
    snap->collections = xreallocarray(snap->collections, n ? 2 * n : 1, sizeof *snap->collections);
  const char *model = v.model < snap->models.count ? snap->models.list[v.model] : "";
  snap->collections[snap->collection_all++] = (struct store_collection){
      v.id, xstrndup(key.data, key.len), model, v.dims, v.documents, v.passages, v.updated};
  return 0;
}

static int load_collections(struct store_snapshot *snap) {
  int rc = store_each_sealed(snap->store, snap->txn, T_COLLECTIONS, add_collection, snap);
  while (snap->collection_count < snap->collection_all &&
         snap->collections[snap->collection_count].name[0] != '~')
    snap->collection_count++; /* '~' sorts after all characters of collection names */
  return rc;
}

size_t store_collections(const struct store_snapshot *snap, const struct store_collection **list) {
  with_strings(snap);
  struct store_snapshot *own = loaded(snap, (int *)(uintptr_t)&snap->collections_loaded, load_collections);
  *list = own->collections;
  return own->collection_count;
}

const char *store_collection_name(const struct store_snapshot *snap, uint32_t id) {
  const struct store_collection *list;
  size_t n = store_collections(snap, &list);
  for (size_t i = 0; i < n; i++)
    if (list[i].id == id)
      return list[i].name;
  return "";
}

const struct store_collection *store_collection(const struct store_snapshot *snap, const char *name) {
  const struct store_collection *list;
  size_t low = 0, high = store_collections(snap, &list);
  if (name[0] == '~')
    high = snap->collection_all;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = strcmp(list[middle].name, name);
    if (order == 0)
      return &list[middle];
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

static void set_company(struct store_snapshot *snap, uint32_t number, const char *text, size_t len) {
  const char *part[3] = {text, text, text}, *end = text + len;
  for (int i = 1; i < 3; i++) {
    const char *zero = memchr(part[i - 1], 0, (size_t)(end - part[i - 1]));
    part[i] = zero ? zero + 1 : end;
  }
  while (snap->company_count <= number) {
    size_t n = snap->company_count;
    if ((n & (n - 1)) == 0)
      snap->companies = xreallocarray(snap->companies, n ? 2 * n : 1, sizeof *snap->companies);
    snap->companies[snap->company_count++] = (struct store_company){NULL, NULL, NULL};
  }
  if (snap->companies[number].name)
    return;
  snap->companies[number] =
      (struct store_company){xstrndup(part[0], strnlen(part[0], (size_t)(end - part[0]))),
                             xstrndup(part[1], strnlen(part[1], (size_t)(end - part[1]))),
                             xstrndup(part[2], strnlen(part[2], (size_t)(end - part[2])))};
}

static int add_company_entry(void *arg, struct slice key, struct slice value) {
  uint32_t number;
  (void)key;
  if (value.len < sizeof number)
    return MDB_CORRUPTED;
  memcpy(&number, value.data, sizeof number);
  if (number > largest_number(arg, T_COMPANIES))
    return MDB_CORRUPTED;
  set_company(arg, number, value.data + sizeof number, value.len - sizeof number);
  return 0;
}

static int load_companies(struct store_snapshot *snap) {
  int rc = store_each_sealed(snap->store, snap->txn, T_COMPANIES, add_company_entry, snap);
  struct store_counters counters;
  int missing = read_counters(snap, &counters);
  uint32_t last = (uint32_t)largest_number(snap, T_COMPANIES);
  set_company(snap, 0, "", 0);
  if (!missing && counters.next_company > (uint64_t)last + 1)
    missing = MDB_CORRUPTED;
  if (snap->company_count <= last) { /* segments have numbers up to that */
    missing = missing ? missing : MDB_CORRUPTED;
    set_company(snap, last, "", 0);
  }
  for (size_t i = 0; i < snap->company_count; i++)
    if (!snap->companies[i].name) { /* numbers are consecutive from 1 */
      set_company(snap, (uint32_t)i, "", 0);
      missing = MDB_CORRUPTED;
    }
  return rc ? rc : missing;
}

size_t store_companies(const struct store_snapshot *snap, const struct store_company **list) {
  struct store_snapshot *own = loaded(snap, (int *)(uintptr_t)&snap->companies_loaded, load_companies);
  *list = own->companies;
  return own->company_count;
}

/* More rows than were measured need proportionally more candidates. */
static size_t scale_candidates(const struct store_snapshot *snap, const struct store_sketch_entry *s) {
  uint64_t rows = 0;
  for (size_t i = 0; i < snap->count; i++)
    if (snap->entries[i].model == s->model)
      rows += snap->entries[i].live_rows;
  return rows > s->rows && s->rows ? (size_t)(s->candidates * rows / s->rows) : s->candidates;
}

/* The measurement for a model: 1, or 0 where there is none. */
static int find_sketch(const struct store_snapshot *snap, const char *model, struct store_sketch_entry *out) {
  struct store_snapshot *own = with_strings(snap);
  struct slice v;
  pthread_mutex_lock(&own->mutex);
  int rc = store_meta(snap->store, snap->txn, "sketch", &v);
  pthread_mutex_unlock(&own->mutex);
  if (rc)
    atomic_store(&own->damaged, rc);
  for (size_t i = 0; i + 1 <= v.len / sizeof *out; i++) {
    memcpy(out, v.data + i * sizeof *out, sizeof *out);
    if (out->model < own->models.count && strcmp(own->models.list[out->model], model) == 0)
      return 1;
  }
  return 0;
}

/* For several stores: the number for the store that needs most, scaled to the rows of all.  A store too small to be
 * measured is ignored; one where sketches are not accurate enough excludes them. */
static size_t joint_candidates(const struct store_snapshot *snap, const char *model) {
  uint64_t rows = 0, most = 0;
  for (size_t i = 0; i < snap->count; i++)
    rows += strcmp(snap->segments[i].model, model) == 0 ? snap->segments[i].live_rows : 0;
  for (size_t i = 0; i < snap->part_count; i++) {
    struct store_sketch_entry s;
    if (!find_sketch(snap->parts[i], model, &s) || s.rows == 0)
      continue;
    if (s.candidates == 0)
      return 0;
    uint64_t need = rows > s.rows ? s.candidates * rows / s.rows : s.candidates;
    most = need > most ? need : most;
  }
  return (size_t)most;
}

size_t store_sketch_candidates(const struct store_snapshot *snap, const char *model) {
  struct store_sketch_entry s;
  if (snap->parts)
    return joint_candidates(snap, model);
  return find_sketch(snap, model, &s) ? scale_candidates(snap, &s) : 0;
}

/* ---- documents and passages ---- */

/* Size of a value before its blocks. */
static uint64_t fixed_part(const struct store_document_head *h) {
  return sizeof *h + (uint64_t)h->url_len + h->json_packed + 8 * (uint64_t)h->blocks;
}

uint64_t store_document_check(uint64_t id, const void *value, size_t len) {
  struct store_document_head h;
  memcpy(&h, value, sizeof h);
  uint64_t fixed = fixed_part(&h);
  return hash_seeded((const char *)value + sizeof h.check, (fixed < len ? fixed : len) - sizeof h.check, id);
}

int store_document_attach(struct store_document_view *v, uint64_t id, const void *value, size_t len) {
  const char *at = value;
  const struct store_document_head *h = &v->head;
  if (len < sizeof v->head)
    return -1;
  memcpy(&v->head, value, sizeof v->head);
  uint64_t fixed = fixed_part(h);
  if (fixed > len || h->block_rows == 0 || h->rows > SEGMENT_ROWS_LIMIT ||
      h->blocks != (h->rows + h->block_rows - 1) / h->block_rows ||
      h->check != store_document_check(id, value, len))
    return -1;
  at += sizeof *h;
  v->url = slice_of(at, h->url_len);
  v->json = slice_of(at + h->url_len, h->json_packed);
  v->ends = at + h->url_len + h->json_packed;
  v->sums = v->ends + 4 * (size_t)h->blocks;
  v->blocks = slice_of((const char *)value + fixed, len - (size_t)fixed);
  return 0;
}

int store_unpack(ZSTD_DCtx *ctx, const ZSTD_DDict *dict, struct slice packed, struct buf *out, size_t max) {
  unsigned long long size = ZSTD_getFrameContentSize(packed.data, packed.len);
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > max ||
      buf_reserve(out, (size_t)size))
    return -1;
  size_t n = dict ? ZSTD_decompress_usingDDict(ctx, out->data + out->len, (size_t)size, packed.data,
                                               packed.len, dict)
                  : ZSTD_decompressDCtx(ctx, out->data + out->len, (size_t)size, packed.data, packed.len);
  if (ZSTD_isError(n) || n != size)
    return -1;
  out->len += n;
  out->data[out->len] = '\0';
  return 0;
}

/* Every document in a segment must exist, so a missing one is reported as damage. */
static enum store_status document_damaged(struct error_text *e, const struct store_snapshot *snap,
                                          uint64_t id) {
  char text[80];
  snprintf(text, sizeof text, "document %llu is damaged", (unsigned long long)id);
  atomic_store(&((struct store_snapshot *)(uintptr_t)snap)->damaged, MDB_CORRUPTED);
  return store_damaged(e, snap->store, text);
}

/* The snapshot that contains a document, and the document's id there. */
static const struct store_snapshot *joint_part(const struct store_snapshot *snap, uint64_t *id) {
  if (!snap->parts)
    return snap;
  size_t part = (size_t)(*id >> JOINT_SHIFT);
  *id &= ((uint64_t)1 << JOINT_SHIFT) - 1;
  return snap->parts[part < snap->part_count ? part : 0];
}

const char *store_snapshot_path(const struct store_snapshot *snap, uint64_t doc_id) {
  return snap->parts ? joint_part(snap, &doc_id)->store->path : NULL;
}

enum store_status store_find_value(const struct store_snapshot *snap, uint64_t id,
                                   struct store_document_view *view, struct error_text *e) {
  snap = joint_part(snap, &id);
  struct store_snapshot *own = (struct store_snapshot *)(uintptr_t)snap;
  MDB_val k = {sizeof id, &id}, v;
  pthread_mutex_lock(&own->mutex);
  int rc = mdb_get(snap->txn, snap->store->dbi[T_DOCUMENTS], &k, &v);
  pthread_mutex_unlock(&own->mutex);
  if (rc == 0 && store_document_attach(view, id, v.mv_data, v.mv_size) == 0)
    return STORE_OK;
  return document_damaged(e, snap, id);
}

static const ZSTD_DDict *dictionary_of(const struct store_snapshot *snap,
                                       const struct store_document_head *h) {
  struct store_snapshot *own = (struct store_snapshot *)(uintptr_t)snap;
  struct store *s = snap->store;
  uint32_t number = h->packed >> 8;
  const ZSTD_DDict *found = NULL;
  if (!(h->packed & 1))
    return NULL;
  pthread_mutex_lock(&own->mutex); /* guards the transaction */
  pthread_mutex_lock(&s->mutex);
  int rc = store_load_dictionary(own, number);
  if (!rc)
    found = s->ddicts[number];
  pthread_mutex_unlock(&s->mutex);
  pthread_mutex_unlock(&own->mutex);
  if (rc)
    atomic_store(&own->damaged, rc);
  return found;
}

static ZSTD_DCtx *new_unpacker(void) {
  ZSTD_DCtx *ctx = ZSTD_createDCtx();
  if (!ctx)
    diag_oom();
  return ctx;
}

/* Creating a context takes as long as unpacking ten documents. */
static ZSTD_DCtx *take_unpacker(const struct store_snapshot *snap) {
  struct store_snapshot *own = (struct store_snapshot *)(uintptr_t)snap;
  pthread_mutex_lock(&own->mutex);
  ZSTD_DCtx *ctx = own->unpacker_count ? own->unpackers[--own->unpacker_count] : NULL;
  pthread_mutex_unlock(&own->mutex);
  return ctx ? ctx : new_unpacker();
}

static void give_unpacker(const struct store_snapshot *snap, ZSTD_DCtx *ctx) {
  struct store_snapshot *own = (struct store_snapshot *)(uintptr_t)snap;
  pthread_mutex_lock(&own->mutex);
  int room = own->unpacker_count < SNAPSHOT_UNPACKERS;
  if (room)
    own->unpackers[own->unpacker_count++] = ctx;
  pthread_mutex_unlock(&own->mutex);
  if (!room)
    ZSTD_freeDCtx(ctx);
}

enum store_status store_get_document(const struct store_snapshot *snap, uint64_t doc_id, struct buf *out,
                                     struct error_text *e) {
  struct store_document_view v;
  snap = joint_part(snap, &doc_id);
  enum store_status status = store_find_value(snap, doc_id, &v, e);
  if (status)
    return status;
  size_t before = out->len;
  int rc;
  if (v.head.json_packed == v.head.json_len)
    rc = buf_add_slice(out, v.json);
  else {
    ZSTD_DCtx *ctx = take_unpacker(snap);
    rc = store_unpack(ctx, dictionary_of(snap, &v.head), v.json, out, v.head.json_len);
    give_unpacker(snap, ctx);
  }
  if (out->overflow) {
    error_set(e, "document %llu: its fields have %u bytes, more than fit", (unsigned long long)doc_id,
              v.head.json_len);
    return STORE_LIMIT;
  }
  if (rc || hash_bytes(out->data + before, out->len - before) != v.head.json_check)
    return document_damaged(e, snap, doc_id);
  return STORE_OK;
}

/* The most recently unpacked block, which usually contains the neighbours too. */
struct text_state {
  ZSTD_DCtx *ctx;
  const struct store_snapshot *snap;
  uint64_t doc;
  uint32_t block;
};

void store_text_init(struct store_text *t) {
  memset(t, 0, sizeof *t);
  buf_init(&t->own, TEXT_MAX);
}

void store_text_release(struct store_text *t) {
  struct text_state *state = t->state;
  if (state)
    ZSTD_freeDCtx(state->ctx);
  free(state);
  buf_release(&t->own);
  store_text_init(t);
}

static int get_length(const char **at, const char *end, size_t *out) {
  *out = 0;
  for (unsigned shift = 0; *at < end && shift < 35; shift += 7) {
    unsigned char c = (unsigned char)*(*at)++;
    *out |= (size_t)(c & 127) << shift;
    if (c < 128)
      return 0;
  }
  return -1;
}

/* Extracts passage `index` of an unpacked block. */
static int cut_passage(struct store_text *t, uint32_t index) {
  const char *at = t->own.data, *end = at + t->own.len;
  struct slice *parts[4] = {&t->text, &t->context, &t->chunk, &t->extra};
  for (uint32_t i = 0; i <= index; i++) {
    size_t len[4];
    for (int p = 0; p < 4; p++)
      if (get_length(&at, end, &len[p]))
        return -1;
    for (int p = 0; p < 4; p++) {
      if (len[p] > (size_t)(end - at))
        return -1;
      *parts[p] = slice_of(at, len[p]);
      at += len[p];
    }
  }
  return 0;
}

static int unpack_block(const struct store_snapshot *snap, struct text_state *state,
                        const struct store_document_view *v, uint32_t block, struct buf *out) {
  uint32_t from = 0, to, sum;
  if (block >= v->head.blocks)
    return -1;
  if (block)
    memcpy(&from, v->ends + 4 * ((size_t)block - 1), 4);
  memcpy(&to, v->ends + 4 * (size_t)block, 4);
  if (from > to || to > v->blocks.len)
    return -1;
  memcpy(&sum, v->sums + 4 * (size_t)block, 4);
  buf_clear(out);
  if (store_unpack(state->ctx, dictionary_of(snap, &v->head), slice_of(v->blocks.data + from, to - from), out,
                   TEXT_MAX))
    return -1;
  return (uint32_t)hash_bytes(out->data, out->len) == sum ? 0 : -1;
}

static struct text_state *state_of(struct store_text *t, const struct store_snapshot *snap) {
  if (!t->state) {
    struct text_state *fresh = xcalloc(1, sizeof *fresh);
    fresh->ctx = new_unpacker();
    t->state = fresh;
  }
  struct text_state *state = t->state;
  if (state->snap != snap)
    state->doc = 0;
  state->snap = snap;
  return state;
}

enum store_status store_get_text(const struct store_snapshot *snap, const struct store_segment *seg,
                                 uint32_t row, struct store_text *t, struct error_text *e) {
  const struct store_doc *d = &seg->doc[store_doc_of_row(seg, row)];
  uint64_t id = d->id;
  snap = joint_part(snap, &id);
  struct text_state *state = state_of(t, snap);
  struct store_document_view v;
  enum store_status status = store_find_value(snap, id, &v, e);
  if (status)
    return status;
  uint32_t index = row - d->first, block = index / v.head.block_rows;
  int cached = state->doc == id && state->block == block && t->own.data;
  state->doc = 0;
  if ((!cached && unpack_block(snap, state, &v, block, &t->own)) || cut_passage(t, index % v.head.block_rows))
    return document_damaged(e, snap, id);
  memcpy(t->hash, v.head.hash, sizeof t->hash);
  state->doc = id;
  state->block = block;
  return STORE_OK;
}

static int hex_value(char c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static int parse_id(const char *text, uint8_t id[16]) {
  if (strlen(text) != 32)
    return -1;
  for (int i = 0; i < 16; i++) {
    int a = hex_value(text[2 * i]), b = hex_value(text[2 * i + 1]);
    if (a < 0 || b < 0)
      return -1;
    id[i] = (uint8_t)(a << 4 | b);
  }
  return 0;
}

static int row_lives(const struct store_segment *seg, uint32_t row) {
  return !seg->live_bits || (seg->live_bits[row / 64] >> (row % 64) & 1);
}

enum store_status store_find_passage(const struct store_snapshot *snap, const char *id, size_t skip,
                                     const struct store_segment **seg, uint32_t *row, struct error_text *e) {
  uint8_t bytes[16];
  if (parse_id(id, bytes)) {
    error_set(e, "'%.40s' is not an id of 32 hex digits", id);
    return STORE_ABSENT;
  }
  for (size_t i = 0; i < snap->count; i++) {
    const struct store_segment *s = &snap->segments[i];
    store_segment_guard_check(s->guard, PART_IDS, 0, s->rows * (uint64_t)16);
    for (uint32_t r = 0; r < s->rows; r++)
      if (memcmp(s->ids + (size_t)r * 16, bytes, 16) == 0 && row_lives(s, r) && skip-- == 0) {
        *seg = s;
        *row = r;
        return STORE_OK;
      }
  }
  error_set(e, "no passage has the id %s", id);
  return store_snapshot_check(snap, e) ? STORE_CORRUPT : STORE_ABSENT;
}

uint32_t store_doc_index(const struct store_segment *s, uint64_t id) {
  uint32_t low = 0, high = s->docs;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (s->doc[middle].id < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low < s->docs && s->doc[low].id == id ? low : s->docs;
}

static enum store_status no_document(struct slice url, struct error_text *e) {
  error_set(e, "no such document: %.*s", (int)(url.len < 200 ? url.len : 200), url.data);
  return STORE_ABSENT;
}

/* Searches the store in which it is live. */
static enum store_status find_in_parts(const struct store_snapshot *snap, uint32_t collection,
                                       struct slice url, const struct store_segment **seg, uint32_t *doc,
                                       struct error_text *e) {
  const char *name = NULL;
  size_t first = 0;
  for (size_t i = 0; i < snap->collection_all; i++)
    if (snap->collections[i].id == collection)
      name = snap->collections[i].name;
  for (size_t i = 0; name && i < snap->part_count; first += snap->parts[i++]->count) {
    const struct store_collection *c = store_collection(snap->parts[i], name);
    enum store_status status =
        c ? store_find_document(snap->parts[i], c->id, url, seg, doc, e) : STORE_ABSENT;
    if (status == STORE_ABSENT)
      continue;
    if (status)
      return status;
    *seg = &snap->segments[first + (size_t)(*seg - snap->parts[i]->segments)];
    if (!(*seg)->dead_docs || !((*seg)->dead_docs[*doc / 64] >> (*doc % 64) & 1))
      return STORE_OK;
  }
  return no_document(url, e);
}

enum store_status store_find_document(const struct store_snapshot *snap, uint32_t collection,
                                      struct slice url, const struct store_segment **seg, uint32_t *doc,
                                      struct error_text *e) {
  if (snap->parts)
    return find_in_parts(snap, collection, url, seg, doc, e);
  struct store_snapshot *own = (struct store_snapshot *)(uintptr_t)snap;
  struct store_url_key key = store_url_key(collection, url);
  MDB_val v;
  uint64_t id = 0;
  pthread_mutex_lock(&own->mutex);
  int rc = store_get_sealed(snap->txn, snap->store->dbi[T_URLS], &key, sizeof key, &v);
  pthread_mutex_unlock(&own->mutex);
  if (rc == 0 && v.mv_size == sizeof id)
    memcpy(&id, v.mv_data, sizeof id);
  else if (rc && rc != MDB_NOTFOUND)
    return store_fail(e, snap->store, rc, "looking for a URL");
  for (size_t i = 0; id && i < snap->count; i++) {
    const struct store_segment_entry *entry = &snap->entries[i];
    if (id < entry->first_doc || id > entry->last_doc)
      continue;
    *seg = &snap->segments[i];
    *doc = store_doc_index(*seg, id);
    if (*doc < (*seg)->docs)
      return STORE_OK;
  }
  return no_document(url, e);
}

/* ---- replacing the file ---- */

enum store_status store_alone(struct store *s, struct error_text *e) {
  if (lock_byte(s->fd, LOCK_WANTED, F_WRLCK) < 0) { /* each would wait until the other has closed it */
    error_set(e, "%s: another process is about to compact it", s->path);
    return STORE_BUSY;
  }
  int rc = lock_waiting(s->fd, LOCK_USERS, F_WRLCK, s->wait);
  lock_byte(s->fd, LOCK_WANTED, F_UNLCK);
  if (rc == 0)
    return STORE_OK;
  if (rc < 0)
    return io_error(e, s->path);
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
