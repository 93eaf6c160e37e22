#include "store/store_fault.h"

#include "base/diag.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sysexits.h>
#include <unistd.h>

enum { WATCHED_MAX = 16, LINE = 768, LOCK_FILE = 128 << 10 /* bytes, more than LMDB's takes */ };

/* Prepared in advance, since a signal handler may call almost nothing. */
struct watched {
  int used, fd;
  uintptr_t from, until; /* range of the map; 0: still being opened */
  char damaged[LINE], cut[LINE], full[LINE], unknown[LINE];
};

static struct watched watched[WATCHED_MAX];
static pthread_mutex_t watched_lock = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction before_bus, before_segv;
static int installed;

static _Noreturn void end_with(const char *line, int status) {
  ssize_t ignored = write(STDERR_FILENO, line, strlen(line));
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
static _Noreturn void end_outside(const struct watched *w, int number) {
  if (number == SIGBUS && is_disk_full(w))
    end_with(w->full, EX_IOERR);
  if (number == SIGBUS)
    end_with(w->cut, w->from ? EX_IOERR : EX_DATAERR);
  end_with(w->damaged, EX_DATAERR);
}

static void pass_to(const struct sigaction *before, int number, siginfo_t *info, void *context) {
  if (before->sa_flags & SA_SIGINFO && before->sa_sigaction)
    before->sa_sigaction(number, info, context);
  else
    sigaction(number, before, NULL); /* the signal is raised again, for the previous handler */
}

static void on_store_fault(int number, siginfo_t *info, void *context) {
  uintptr_t address = (uintptr_t)info->si_addr;
  struct watched *any = NULL;
  for (int i = 0; i < WATCHED_MAX; i++) {
    struct watched *w = &watched[i];
    if (!w->used)
      continue;
    any = w;
    if (address >= w->from && address < w->until)
      end_with(is_past_end(w, address) ? w->cut : w->damaged,
               is_past_end(w, address) ? EX_IOERR : EX_DATAERR);
    if (!w->from)
      end_outside(w, number);
  }
  if (any && number == SIGBUS)
    end_outside(any, number);
  if (any && (before_segv.sa_flags & SA_SIGINFO) == 0)
    end_with(any->unknown, EX_SOFTWARE);
  pass_to(number == SIGBUS ? &before_bus : &before_segv, number, info, context);
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

static void make_lines(struct watched *w, const char *path) {
  const char *program = diag_program();
  snprintf(
      w->damaged, LINE,
      "%s: %.400s: the file is damaged; \"bid-store verify\" lists what is; restore a backup, or index the "
      "sources again into a new store\n",
      program, path);
  snprintf(w->cut, LINE,
           "%s: %.400s: the file was cut short or replaced while it was in use, or its disk can't be read; "
           "restore a backup\n",
           program, path);
  snprintf(
      w->full, LINE,
      "%s: %.400s: No space left on device: whoever opens a store needs some for the lock file beside it\n",
      program, path);
  snprintf(
      w->unknown, LINE,
      "%s: %.400s: crashed while this store was open: it may be damaged (\"bid-store verify\" tells), or "
      "this is a fault of bid\n",
      program, path);
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
    make_lines(w, path);
    w->fd = fd;
    w->from = w->until = 0;
    w->used = 1;
  }
  pthread_mutex_unlock(&watched_lock);
  return number;
}

static void on_assertion(MDB_env *env, const char *text) {
  struct watched *w = mdb_env_get_userctx(env);
  (void)text;
  end_with(w ? w->damaged : "the store is damaged\n", EX_DATAERR);
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
