/* store_error.c: the exit status and category of a status; errors of LMDB and of the file system as statuses. */
#include "store/store_private.h"

#include "record/error.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#define NEARLY ((uint64_t)16 << 20) /* bytes left on a disk or below a limit that count as none */

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

enum store_status store_error_io(struct error_text *e, const char *path) {
  enum store_status status = errno == ENOENT || errno == ENOTDIR ? STORE_MISSING : STORE_IO;
  error_set(e, "%s: %s", path, status == STORE_MISSING ? "no store there" : strerror(errno));
  return status;
}
