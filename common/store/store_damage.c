/* store_damage.c: damage that LMDB does not notice, faults while a damaged page is read, and the status of every error. */
#include "base/diag.h"
#include "base/slice.h"
#include "record/error.h"
#include "store/store_private.h"

#include <errno.h>
#include <lmdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sysexits.h>
#include <unistd.h>

/* ---- the exit status and category of a status; errors of LMDB and of the file system as statuses ---- */

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

/* ---- checks that a file is complete and at its latest transaction, which LMDB doesn't ---- */

/* The start of LMDB's first two pages (its structs MDB_meta and MDB_db, behind a page's header). */
struct meta {
  char header[16];
  uint32_t magic, version;
  uint64_t address, map_size;
  struct {
    uint32_t page_size; /* in the first table; unused in the second */
    uint16_t flags, depth;
    uint64_t branches, leaves, overflows, entries, root;
  } free, main;
  uint64_t last_page, transaction;
};

static int read_meta(const struct store *s, size_t at, struct meta *m) {
  return slice_read_at(s->fd, m, sizeof *m, (off_t)at) == (ssize_t)sizeof *m;
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

/* Whether the roots of the free list and of the tables are among the first `pages` pages; otherwise the list can't be
 * read. */
static int has_roots(const struct store *s, size_t page_size, size_t pages) {
  struct meta m[2];
  if (!read_meta(s, 0, &m[0]) || !read_meta(s, page_size, &m[1]))
    return 0;
  const struct meta *newer = &m[m[1].transaction > m[0].transaction];
  return newer->free.root < pages && newer->main.root < pages;
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

enum store_status store_length_check(const struct store *s, struct error_text *e) {
  size_t bytes, wanted;
  for (int tries = 0; tries < 5; tries++) { /* a commit may happen meanwhile */
    if (is_long_enough(s, &bytes, &wanted))
      return STORE_OK;
    usleep(200);
  }
  error_set(e, "%s: is cut short: %zu bytes of %zu; restore a backup", s->path, bytes, wanted);
  return STORE_CORRUPT;
}

int store_length_is_unborn(const struct store *s) {
  struct stat st;
  struct meta m;
  for (int tries = 0; tries < 50; tries++) {
    if (!read_meta(s, 0, &m) || fstat(s->fd, &st) != 0)
      return 0;
    if (m.transaction != 0 || st.st_size >= 2 * (off_t)m.free.page_size)
      return 0;
    usleep(200); /* it may be written just now */
  }
  return 1;
}

/* LMDB divides by the page size of the newer of both pages without a look at it. */
static int is_page_size(uint32_t size) {
  return size >= 256 && size <= 65536 && (size & (size - 1)) == 0;
}

enum store_status store_length_check_meta(struct store *s, struct error_text *e) {
  struct meta even, odd;
  for (int tries = 0; tries < 50; tries++) {
    if (!read_meta(s, 0, &even))
      return STORE_OK; /* empty: new, or reported by store_length_check() */
    if (!is_page_size(even.free.page_size) || !read_meta(s, even.free.page_size, &odd) ||
        odd.free.page_size != even.free.page_size)
      break;
    uint64_t a = even.transaction, b = odd.transaction;
    if ((a == 0 && b <= 1) || (a % 2 == 0 && (a + 1 == b || a == b + 1)))
      return STORE_OK;
    usleep(200); /* a commit may happen between the two reads */
  }
  return store_damaged(e, s, "its first pages disagree");
}

/* ---- ends the process when it meets damage in a mapped store ----
 *
 * LMDB trusts its pages: on damaged ones it may access memory beyond the file, and a file that is truncated while
 * mapped loses its pages.  Either raises a signal (SIGBUS, SIGSEGV) or an assertion in LMDB.  The process can't
 * continue after that: it prints one line on stderr and exits with 65 (the file is damaged), 74 (it was truncated) or
 * 70 (possibly a bug in BID).  Committed data is unaffected, and no partial answer is output.  This is the only place
 * in common/ besides diag.h that ends the process. */

enum { WATCHED_MAX = 16, LINE = 768, LOCK_FILE = 128 << 10 /* bytes, more than LMDB's takes */ };

static const char damaged[] = "the file is damaged; \"bid-store verify\" lists what is; restore a backup, or "
                              "index the sources again into a new store\n";
static const char cut[] =
    "the file was cut short or replaced while it was in use, or its disk can't be read; restore a backup\n";
static const char full[] =
    "No space left on device: whoever opens a store needs some for the lock file beside it\n";
static const char unknown[] = "crashed while this store was open: it may be damaged (\"bid-store verify\" "
                              "tells), or this is a fault of bid\n";

struct watched {
  int used, fd;
  uintptr_t from, until; /* range of the map; 0: still being opened */
  char line[LINE];       /* "PROGRAM: PATH: ", since a signal handler may call almost nothing */
};

static struct watched watched[WATCHED_MAX];
static pthread_mutex_t watched_lock = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction before_bus, before_segv;
static int installed;

static _Noreturn void end_with(struct watched *w, const char *text, int status) {
  strcat(w->line, text);
  ssize_t ignored = write(STDERR_FILENO, w->line, strlen(w->line));
  (void)ignored;
  _exit(status);
}

/* Whether the address is past the current end of the file: it was truncated, or a damaged page refers to pages that
 * never existed. */
static int is_past_end(const struct watched *w, uintptr_t address) {
  struct stat st;
  return w->from && fstat(w->fd, &st) == 0 && address - w->from >= (uint64_t)st.st_size;
}

/* Whether the lock file may have been what had no room: its pages are taken from the disk when they are first written. */
static int is_disk_full(const struct watched *w) {
  struct statvfs fs;
  return fstatvfs(w->fd, &fs) == 0 && (uint64_t)fs.f_bavail * fs.f_frsize < LOCK_FILE;
}

/* A fault outside of the file's map, or before that is known. */
static _Noreturn void end_outside(struct watched *w, int number) {
  if (number == SIGBUS && is_disk_full(w))
    end_with(w, full, EX_IOERR);
  if (number == SIGBUS)
    end_with(w, cut, w->from ? EX_IOERR : EX_DATAERR);
  end_with(w, damaged, EX_DATAERR);
}

static void on_store_fault(int number, siginfo_t *info, void *context) {
  uintptr_t address = (uintptr_t)info->si_addr;
  const struct sigaction *before = number == SIGBUS ? &before_bus : &before_segv;
  struct watched *any = NULL;
  (void)context;
  for (struct watched *w = watched; w < watched + WATCHED_MAX; w++) {
    if (!w->used)
      continue;
    any = w;
    if (address >= w->from && address < w->until)
      end_with(w, is_past_end(w, address) ? cut : damaged, is_past_end(w, address) ? EX_IOERR : EX_DATAERR);
    if (!w->from)
      end_outside(w, number);
  }
  if (any && number == SIGBUS)
    end_outside(any, number);
  if (any && (before->sa_flags & SA_SIGINFO) == 0)
    end_with(any, unknown, EX_SOFTWARE);
  sigaction(number, before, NULL); /* the signal is raised again, for the previous handler */
}

static void install(void) {
  struct sigaction act = {0};
  act.sa_sigaction = on_store_fault;
  act.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigemptyset(&act.sa_mask);
  sigaction(SIGBUS, &act, &before_bus);
  sigaction(SIGSEGV, &act, &before_segv);
  installed = 1;
}

int store_fault_begin(const char *path, int fd) {
  int number = -1;
  pthread_mutex_lock(&watched_lock);
  if (!installed)
    install();
  for (int i = 0; i < WATCHED_MAX && number < 0; i++)
    if (!watched[i].used)
      number = i;
  if (number >= 0) {
    struct watched *w = &watched[number];
    snprintf(w->line, LINE - 256, "%s: %.400s: ", diag_program(), path);
    w->fd = fd;
    w->from = w->until = 0;
    w->used = 1;
  }
  pthread_mutex_unlock(&watched_lock);
  return number;
}

static void on_assertion(MDB_env *env, const char *text) {
  (void)text;
  end_with(mdb_env_get_userctx(env), damaged, EX_DATAERR);
}

/* LMDB doesn't report the address.  A page begins with its number (8 bytes), so any small value leads to page 0. */
void store_fault_mapped(int number, MDB_env *env, const void *value) {
  MDB_envinfo info;
  MDB_stat st;
  uint64_t page_number;
  if (number < 0)
    return;
  struct watched *w = &watched[number];
  mdb_env_set_userctx(env, w);
  mdb_env_set_assert(env, on_assertion);
  if (!value || mdb_env_info(env, &info) || mdb_env_stat(env, &st))
    return;
  uintptr_t page = (uintptr_t)value / st.ms_psize * st.ms_psize;
  memcpy(&page_number, (const void *)page, sizeof page_number);
  if (page_number > info.me_last_pgno || page < page_number * st.ms_psize)
    return;
  w->from = page - (uintptr_t)page_number * st.ms_psize;
  w->until = w->from + info.me_mapsize;
}

void store_fault_end(int number) {
  if (number >= 0)
    watched[number].used = 0;
}
