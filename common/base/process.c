#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
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
