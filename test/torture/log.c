/* log.c: writes down, in order, what a program does to the files of one folder; loaded by LD_PRELOAD, read by power.py.
 *
 *   TORTURE_UNDER  the folder, without links in its name
 *   TORTURE_LOG    the log, appended to: records of a struct event and its data
 *
 * Writes to stdout are written down too: they are what the program has promised so far.  What is written through a mapping
 * isn't seen; of the files of a store that is the lock alone, which a power cut may lose.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { NAME_MAX_BYTES = 4096 };

/* kind: 'W' write, 'D' write that is on the disk when it returns, 'T' truncate (at: the size), 'S' sync, 'F' sync of the
 * folder, 'N' name made, 'R' rename (two names, each with its '\0'), 'U' unlink, 'A' stdout. */
struct event {
  uint64_t kind, inode, at, len;
};

static const char *under;
static size_t under_len;
static int log_fd = -1;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("TORTURE_LOG");
  under = getenv("TORTURE_UNDER");
  under_len = under ? strlen(under) : 0;
  if (path && under_len) {
    int fd = REAL(open)(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    log_fd = fcntl(fd, F_DUPFD_CLOEXEC, 500); /* out of the way of those that the program looks at */
    close(fd);
  }
}

static void tell(char kind, uint64_t inode, uint64_t at, const void *data, size_t len) {
  struct event e = {(unsigned char)kind, inode, at, len};
  struct iovec v[2] = {{&e, sizeof e}, {(void *)(uintptr_t)data, len}};
  if (log_fd >= 0 && REAL(writev)(log_fd, v, len ? 2 : 1) != (ssize_t)(sizeof e + len))
    abort();
}

static int is_under(const char *path) {
  return log_fd >= 0 && strncmp(path, under, under_len) == 0 && !strstr(path, "-lock");
}

/* Whether fd is a file (or folder) below the folder. */
static int watched(int fd, struct stat *st) {
  char link[64], path[NAME_MAX_BYTES];
  if (log_fd < 0)
    return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t n = readlink(link, path, sizeof path - 1);
  if (n <= 0)
    return 0;
  path[n] = '\0';
  return is_under(path) && fstat(fd, st) == 0;
}

static void wrote(int fd, const void *data, ssize_t n, uint64_t at) {
  struct stat st;
  if (n <= 0)
    return;
  if (fd == 1)
    tell('A', 0, 0, data, (size_t)n);
  else if (watched(fd, &st))
    tell(fcntl(fd, F_GETFL) & O_DSYNC ? 'D' : 'W', st.st_ino, at, data, (size_t)n);
}

static uint64_t place(int fd) {
  off_t at = fd == 1 ? 0 : lseek(fd, 0, SEEK_CUR);
  return at < 0 ? 0 : (uint64_t)at;
}

ssize_t write(int fd, const void *data, size_t n) {
  uint64_t at = place(fd);
  ssize_t done = REAL(write)(fd, data, n);
  wrote(fd, data, done, at);
  return done;
}
ssize_t pwrite(int fd, const void *data, size_t n, off_t at) {
  ssize_t done = REAL(pwrite)(fd, data, n, at);
  wrote(fd, data, done, (uint64_t)at);
  return done;
}
ssize_t pwrite64(int fd, const void *data, size_t n, off64_t at) {
  return pwrite(fd, data, n, at);
}

static void wrote_parts(int fd, const struct iovec *v, int count, ssize_t done, uint64_t at) {
  for (int i = 0; i < count && done > 0; i++) {
    ssize_t part = done < (ssize_t)v[i].iov_len ? done : (ssize_t)v[i].iov_len;
    wrote(fd, v[i].iov_base, part, at);
    at += (uint64_t)part;
    done -= part;
  }
}
ssize_t writev(int fd, const struct iovec *v, int count) {
  uint64_t at = place(fd);
  ssize_t done = REAL(writev)(fd, v, count);
  wrote_parts(fd, v, count, done, at);
  return done;
}
ssize_t pwritev(int fd, const struct iovec *v, int count, off_t at) {
  ssize_t done = REAL(pwritev)(fd, v, count, at);
  wrote_parts(fd, v, count, done, (uint64_t)at);
  return done;
}
ssize_t pwritev64(int fd, const struct iovec *v, int count, off64_t at) {
  return pwritev(fd, v, count, at);
}

static void synced(int fd, int status) {
  struct stat st;
  if (status == 0 && watched(fd, &st))
    tell(S_ISDIR(st.st_mode) ? 'F' : 'S', st.st_ino, 0, NULL, 0);
}
int fsync(int fd) {
  int status = REAL(fsync)(fd);
  synced(fd, status);
  return status;
}
int fdatasync(int fd) {
  int status = REAL(fdatasync)(fd);
  synced(fd, status);
  return status;
}
int ftruncate(int fd, off_t size) {
  int status = REAL(ftruncate)(fd, size);
  struct stat st;
  if (status == 0 && watched(fd, &st))
    tell('T', st.st_ino, (uint64_t)size, NULL, 0);
  return status;
}
int ftruncate64(int fd, off64_t size) {
  return ftruncate(fd, size);
}

int open(const char *path, int flags, ...) {
  va_list args;
  va_start(args, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
  va_end(args);
  int made = flags & O_CREAT && is_under(path) && access(path, F_OK) != 0;
  int fd = REAL(open)(path, flags, mode);
  struct stat st;
  if (made && fd >= 0 && fstat(fd, &st) == 0)
    tell('N', st.st_ino, 0, path, strlen(path) + 1);
  return fd;
}
int open64(const char *path, int flags, ...) {
  va_list args;
  va_start(args, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
  va_end(args);
  return open(path, flags, mode);
}

int rename(const char *from, const char *to) {
  int status = REAL(rename)(from, to);
  if (status == 0 && is_under(to)) {
    char names[2 * NAME_MAX_BYTES];
    int n = snprintf(names, sizeof names, "%s%c%s", from, '\0', to);
    tell('R', 0, 0, names, (size_t)n + 1);
  }
  return status;
}
int unlink(const char *path) {
  int status = REAL(unlink)(path);
  if (status == 0 && is_under(path))
    tell('U', 0, 0, path, strlen(path) + 1);
  return status;
}
