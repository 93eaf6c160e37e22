/* shim.c: makes the N-th call of one kind fail or kill the process; loaded by LD_PRELOAD.
 *
 *   TORTURE_CALL  malloc (also calloc, realloc and the like), open, write (also pwrite, writev, ftruncate), sync (fsync,
 *                 fdatasync, msync), mmap, rename, lock (flock), read (also pread, recv), stat (also fstat, lstat, statfs,
 *                 access), fork (also posix_spawn), pipe (also socketpair), thread, folder (mkdir, opendir, readdir,
 *                 unlink)
 *   TORTURE_AT    which call, from 1
 *   TORTURE_DO    fail (default), kill, or all: every call from the N-th on fails
 *   TORTURE_COUNT a file of two longs: the calls of the process with most, and how many failed.  It is mapped at the start:
 *                 a program in a sandbox can't open it at its end
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long calls;
static long at;
static char what[16], act[16];
static int ready;
static struct tally { atomic_long calls, hits; } * tally;

static void tally_begin(const char *path) {
  int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0 || ftruncate(fd, sizeof *tally) != 0)
    abort();
  tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (tally == MAP_FAILED)
    abort();
  close(fd);
}

__attribute__((constructor)) static void begin(void) {
  const char *call = getenv("TORTURE_CALL"), *n = getenv("TORTURE_AT"), *how = getenv("TORTURE_DO");
  if (call)
    strncpy(what, call, sizeof what - 1);
  strncpy(act, how ? how : "fail", sizeof act - 1);
  at = n ? atol(n) : 0;
  if (getenv("TORTURE_COUNT"))
    tally_begin(getenv("TORTURE_COUNT"));
  ready = 1;
}

/* Whether this call is to fail. */
static int hit(const char *kind, int error) {
  if (!ready || strcmp(kind, what) != 0)
    return 0;
  long n = atomic_fetch_add(&calls, 1) + 1;
  if (tally && n > atomic_load(&tally->calls))
    atomic_store(&tally->calls, n);
  if (at <= 0 || (strcmp(act, "all") == 0 ? n < at : n != at))
    return 0;
  if (tally)
    atomic_fetch_add(&tally->hits, 1);
  if (strcmp(act, "kill") == 0)
    kill(getpid(), SIGKILL);
  errno = error;
  return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
  return hit("malloc", ENOMEM) ? NULL : __libc_malloc(size);
}
void *calloc(size_t n, size_t size) {
  return hit("malloc", ENOMEM) ? NULL : __libc_calloc(n, size);
}
void *realloc(void *p, size_t size) {
  return hit("malloc", ENOMEM) ? NULL : __libc_realloc(p, size);
}
void *reallocarray(void *p, size_t n, size_t size) {
  if (size && n > (size_t)-1 / size) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(p, n * size);
}
int posix_memalign(void **p, size_t alignment, size_t size) {
  if (hit("malloc", ENOMEM))
    return ENOMEM;
  *p = __libc_memalign(alignment, size);
  return *p ? 0 : ENOMEM;
}
void *aligned_alloc(size_t alignment, size_t size) {
  return hit("malloc", ENOMEM) ? NULL : __libc_memalign(alignment, size);
}

static mode_t mode_of(int flags, va_list args) {
  return flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
}
int open(const char *path, int flags, ...) {
  va_list args;
  va_start(args, flags);
  mode_t mode = mode_of(flags, args);
  va_end(args);
  return hit("open", EMFILE) ? -1 : REAL(open)(path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  va_list args;
  va_start(args, flags);
  mode_t mode = mode_of(flags, args);
  va_end(args);
  return hit("open", EMFILE) ? -1 : REAL(open64)(path, flags, mode);
}
ssize_t write(int fd, const void *data, size_t n) {
  return fd != 2 && hit("write", ENOSPC) ? -1 : REAL(write)(fd, data, n);
}
ssize_t pwrite(int fd, const void *data, size_t n, off_t where) {
  return hit("write", ENOSPC) ? -1 : REAL(pwrite)(fd, data, n, where);
}
ssize_t pwrite64(int fd, const void *data, size_t n, off64_t where) {
  return hit("write", ENOSPC) ? -1 : REAL(pwrite64)(fd, data, n, where);
}
ssize_t writev(int fd, const struct iovec *v, int n) {
  return hit("write", ENOSPC) ? -1 : REAL(writev)(fd, v, n);
}
ssize_t pwritev(int fd, const struct iovec *v, int n, off_t where) {
  return hit("write", ENOSPC) ? -1 : REAL(pwritev)(fd, v, n, where);
}
int ftruncate(int fd, off_t size) {
  return hit("write", ENOSPC) ? -1 : REAL(ftruncate)(fd, size);
}
int ftruncate64(int fd, off64_t size) {
  return hit("write", ENOSPC) ? -1 : REAL(ftruncate64)(fd, size);
}
int fsync(int fd) {
  return hit("sync", EIO) ? -1 : REAL(fsync)(fd);
}
int fdatasync(int fd) {
  return hit("sync", EIO) ? -1 : REAL(fdatasync)(fd);
}
int msync(void *p, size_t n, int flags) {
  return hit("sync", EIO) ? -1 : REAL(msync)(p, n, flags);
}
void *mmap(void *p, size_t n, int prot, int flags, int fd, off_t where) {
  return hit("mmap", ENOMEM) ? MAP_FAILED : REAL(mmap)(p, n, prot, flags, fd, where);
}
void *mmap64(void *p, size_t n, int prot, int flags, int fd, off64_t where) {
  return hit("mmap", ENOMEM) ? MAP_FAILED : REAL(mmap64)(p, n, prot, flags, fd, where);
}
int rename(const char *from, const char *to) {
  return hit("rename", ENOSPC) ? -1 : REAL(rename)(from, to);
}
int flock(int fd, int how) {
  return hit("lock", ENOLCK) ? -1 : REAL(flock)(fd, how);
}
ssize_t read(int fd, void *data, size_t n) {
  return hit("read", EIO) ? -1 : REAL(read)(fd, data, n);
}
ssize_t pread(int fd, void *data, size_t n, off_t where) {
  return hit("read", EIO) ? -1 : REAL(pread)(fd, data, n, where);
}
ssize_t pread64(int fd, void *data, size_t n, off64_t where) {
  return hit("read", EIO) ? -1 : REAL(pread64)(fd, data, n, where);
}
ssize_t recv(int fd, void *data, size_t n, int flags) {
  return hit("read", EIO) ? -1 : REAL(recv)(fd, data, n, flags);
}
int stat(const char *path, struct stat *st) {
  return hit("stat", EIO) ? -1 : REAL(stat)(path, st);
}
int lstat(const char *path, struct stat *st) {
  return hit("stat", EIO) ? -1 : REAL(lstat)(path, st);
}
int access(const char *path, int how) {
  return hit("stat", EIO) ? -1 : REAL(access)(path, how);
}
int statfs(const char *path, struct statfs *st) {
  return hit("stat", EIO) ? -1 : REAL(statfs)(path, st);
}
int fstatfs(int fd, struct statfs *st) {
  return hit("stat", EIO) ? -1 : REAL(fstatfs)(fd, st);
}
int fstat(int fd, struct stat *st) {
  return hit("stat", EIO) ? -1 : REAL(fstat)(fd, st);
}
pid_t fork(void) {
  return hit("fork", EAGAIN) ? -1 : REAL(fork)();
}
int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attr, char *const argv[], char *const envp[]) {
  return hit("fork", EAGAIN) ? EAGAIN : REAL(posix_spawn)(pid, path, actions, attr, argv, envp);
}
int posix_spawnp(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attr, char *const argv[], char *const envp[]) {
  return hit("fork", EAGAIN) ? EAGAIN : REAL(posix_spawnp)(pid, path, actions, attr, argv, envp);
}
int pipe(int ends[2]) {
  return hit("pipe", EMFILE) ? -1 : REAL(pipe)(ends);
}
int pipe2(int ends[2], int flags) {
  return hit("pipe", EMFILE) ? -1 : REAL(pipe2)(ends, flags);
}
int socketpair(int domain, int type, int protocol, int ends[2]) {
  return hit("pipe", EMFILE) ? -1 : REAL(socketpair)(domain, type, protocol, ends);
}
int pthread_create(pthread_t *t, const pthread_attr_t *attr, void *(*f)(void *), void *arg) {
  return hit("thread", EAGAIN) ? EAGAIN : REAL(pthread_create)(t, attr, f, arg);
}
int mkdir(const char *path, mode_t mode) {
  return hit("folder", ENOSPC) ? -1 : REAL(mkdir)(path, mode);
}
DIR *opendir(const char *path) {
  return hit("folder", EMFILE) ? NULL : REAL(opendir)(path);
}
struct dirent *readdir(DIR *d) {
  return hit("folder", EIO) ? NULL : REAL(readdir)(d);
}
int unlink(const char *path) {
  return hit("folder", EIO) ? -1 : REAL(unlink)(path);
}
