/* interrupt.c: calls that may be interrupted or transfer less than asked do both, often; loaded by LD_PRELOAD.
 *
 * Every third call or so fails with EINTR; of the others half transfer a random part.  Files' pwrite is never cut short,
 * since a disk does that only where it is full, and LMDB, which reads and writes local disks only, is left alone.
 * TORTURE_SEED selects which calls.  Only programs of bid are treated so.  TORTURE_FILES=0 leaves all files alone: below the
 * sanitizers it can't be told who calls.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static atomic_uint_fast64_t calls;
static uint64_t seed;
static int on, files = 1;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void) {
  const char *s = getenv("TORTURE_SEED");
  seed = s ? strtoull(s, NULL, 10) * 0x9e3779b97f4a7c15u : 0;
  files = !getenv("TORTURE_FILES");
  on = strncmp(program_invocation_short_name, "bid", 3) == 0;
}

static uint64_t next(void) {
  uint64_t z = seed + (atomic_fetch_add(&calls, 1) + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static int interrupted(void) {
  if (!on || next() % 3 != 0)
    return 0;
  errno = EINTR;
  return 1;
}

#define BY_LMDB() (!files || is_lmdb(__builtin_return_address(0)))
static int is_lmdb(const void *caller) {
  Dl_info i;
  return dladdr(caller, &i) && i.dli_fname && strstr(i.dli_fname, "liblmdb");
}

static size_t part(size_t n) {
  uint64_t z = on ? next() : 0;
  return n > 1 && z % 2 == 1 ? 1 + (size_t)(z / 2) % n : n;
}

ssize_t read(int fd, void *data, size_t n) {
  return interrupted() ? -1 : REAL(read)(fd, data, part(n));
}
ssize_t write(int fd, const void *data, size_t n) {
  struct stat st;
  return BY_LMDB() && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? REAL(write)(fd, data, n)
         : interrupted()                                         ? -1
                                                                 : REAL(write)(fd, data, part(n));
}
ssize_t pread(int fd, void *data, size_t n, off_t at) {
  return BY_LMDB() ? REAL(pread)(fd, data, n, at) : interrupted() ? -1 : REAL(pread)(fd, data, part(n), at);
}
ssize_t pread64(int fd, void *data, size_t n, off64_t at) {
  return BY_LMDB()       ? REAL(pread64)(fd, data, n, at)
         : interrupted() ? -1
                         : REAL(pread64)(fd, data, part(n), at);
}
ssize_t pwrite(int fd, const void *data, size_t n, off_t at) {
  return BY_LMDB() ? REAL(pwrite)(fd, data, n, at) : interrupted() ? -1 : REAL(pwrite)(fd, data, n, at);
}
ssize_t pwrite64(int fd, const void *data, size_t n, off64_t at) {
  return BY_LMDB() ? REAL(pwrite64)(fd, data, n, at) : interrupted() ? -1 : REAL(pwrite64)(fd, data, n, at);
}
ssize_t recv(int fd, void *data, size_t n, int flags) {
  return interrupted() ? -1 : REAL(recv)(fd, data, flags & MSG_WAITALL ? n : part(n), flags);
}
ssize_t send(int fd, const void *data, size_t n, int flags) {
  return interrupted() ? -1 : REAL(send)(fd, data, part(n), flags);
}
ssize_t recvmsg(int fd, struct msghdr *m, int flags) {
  return interrupted() ? -1 : REAL(recvmsg)(fd, m, flags);
}
ssize_t sendmsg(int fd, const struct msghdr *m, int flags) {
  return interrupted() ? -1 : REAL(sendmsg)(fd, m, flags);
}
int poll(struct pollfd *fds, nfds_t n, int timeout) {
  return interrupted() ? -1 : REAL(poll)(fds, n, timeout);
}
int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask) {
  return interrupted() ? -1 : REAL(ppoll)(fds, n, timeout, mask);
}
pid_t waitpid(pid_t pid, int *status, int options) {
  return !(options & WNOHANG) && interrupted() ? -1 : REAL(waitpid)(pid, status, options);
}
int flock(int fd, int how) {
  return how != LOCK_UN && interrupted() ? -1 : REAL(flock)(fd, how);
}
int nanosleep(const struct timespec *t, struct timespec *left) {
  if (interrupted()) {
    if (left)
      *left = *t;
    return -1;
  }
  return REAL(nanosleep)(t, left);
}
