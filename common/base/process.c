/* process.c: process setup: descriptors, umask, signals, room for heap and stack before the libraries start. */
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sysexits.h>
#include <unistd.h>

/* open(2) takes the lowest free number, so in ascending order each descriptor gets its own. */
static void open_standard_descriptors(void) {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
    if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
      continue;
    int got = open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (got != fd)
      _exit(EX_OSERR);
  }
}

#ifndef __SANITIZE_ADDRESS__ /* its own start comes later */
enum {
  STACK_ROOM = 512 * 1024,
  STACK_PAGE = 4096
}; /* the deepest use is some 350 KB: a batch of bid-search */

/* Grows the main thread's stack. */
static __attribute__((noinline)) void grow_stack(void) {
  volatile char room[STACK_ROOM];
  for (size_t i = STACK_ROOM; i >= STACK_PAGE; i -= STACK_PAGE)
    room[i - 1] = 0;
  (void)room[0];
}

/* Whether the stack may grow: where it may not, growing it is a SIGSEGV. */
static int may_grow_stack(void) {
  void *room = mmap(NULL, 2 * (size_t)STACK_ROOM, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return room != MAP_FAILED && munmap(room, 2 * (size_t)STACK_ROOM) == 0;
}

/* Makes the heap before the constructors of the libraries run: those of libjq, xxHash and zstd write to what malloc()
 * gave them unchecked.  Makes the stack before other threads can take what a limit of address space leaves. */
static void make_room(int argc, char **argv, char **environment) {
  static const char why[] = ": out of memory\n";
  void *volatile first = malloc(1);
  (void)environment;
  if (first == NULL || !may_grow_stack()) {
    const char *name = argc > 0 ? argv[0] : "bid", *slash = strrchr(name, '/');
    name = slash ? slash + 1 : name;
    (void)!write(STDERR_FILENO, name, strlen(name));
    (void)!write(STDERR_FILENO, why, sizeof why - 1);
    _exit(EX_SOFTWARE);
  }
  free(first);
  struct rlimit stack;
  if (getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur >= 2 * (rlim_t)STACK_ROOM)
    grow_stack();
}

__attribute__((section(".preinit_array"), used)) static void (*before_libraries)(int, char **,
                                                                                 char **) = make_room;
#endif

enum { FIFO_WAIT = 5 }; /* seconds */

static mode_t process_mask;

void process_publish(int fd) {
  (void)fchmod(fd, 0666 & ~process_mask);
}

void process_init(void) {
  struct rlimit none = {0, 0};
  open_standard_descriptors();
  process_mask = umask(077);
  signal(SIGXFSZ, SIG_IGN); /* exceeding a file size limit becomes an error like a full disk */
  signal(SIGCHLD, SIG_DFL); /* ignored, as a parent may leave it, children could not be waited for */
  (void)setrlimit(RLIMIT_CORE, &none);
}

static void on_alarm(int number) {
  (void)number;
}

/* Blocking in open(2) itself is what distinguishes a slow writer from one that never comes. */
static int open_fifo(const char *name) {
  struct sigaction act = {.sa_handler = on_alarm}, before;
  struct itimerval timer = {{1, 0}, {FIFO_WAIT, 0}},
                   off = {{0, 0}, {0, 0}}; /* repeated, in case the first came before open(2) */
  sigaction(SIGALRM, &act, &before);
  setitimer(ITIMER_REAL, &timer, NULL);
  int fd = open(name, O_RDONLY | O_CLOEXEC), saved = errno;
  setitimer(ITIMER_REAL, &off, NULL);
  sigaction(SIGALRM, &before, NULL);
  errno = saved == EINTR ? ETIMEDOUT : saved;
  return fd;
}

int process_open(const char *name) {
  struct stat st;
  if (stat(name, &st) == 0 && S_ISFIFO(st.st_mode))
    return open_fifo(name);
  return open(name, O_RDONLY | O_CLOEXEC);
}

int process_keep_only(int fd) {
  int null = dup2(fd, 3) == 3 ? open("/dev/null", O_RDWR) : -1;
  if (null < 0)
    _exit(EX_OSERR);
  for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
    dup2(null, i);
  if (close_range(4, ~0u, 0) != 0)
    for (int i = 4; i < 1024; i++)
      close(i);
  return 3;
}
