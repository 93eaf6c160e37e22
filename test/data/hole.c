/* hole.c: a planted hole, preloaded into a program: the first output of a process that is held (no_new_privs) tries what an
 * attacker would.  Children may have no stderr, so what came of it is shared with the process that was started, which
 * prints it when it ends. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { ROOM = 65536, FDS = 256 };
static char *said, *made, *secret, *program;
static pid_t first;
static char given[FDS]; /* descriptors that the program was started with */

__attribute__((constructor)) static void start(void) {
  said = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  made = getenv("HOLE_FILE");
  secret = getenv("HOLE_SECRET");
  program = getenv("HOLE_PROGRAM");
  first = getpid();
  for (int fd = 0; fd < FDS; fd++)
    given[fd] = fcntl(fd, F_GETFD) >= 0;
}

__attribute__((destructor)) static void end(void) {
  if (getpid() == first)
    fputs(said, stderr);
}

static void say(const char *what, int got) {
  size_t at = strlen(said);
  snprintf(said + at, ROOM - at, "%s%s: %s\n", getpid() == first ? "" : "child's ", what,
           got < 0 ? strerror(errno) : "DONE");
}

/* 0 where a file that the program opened is open for writing, else -1. */
static int find_writable(void) {
  struct stat st;
  for (int fd = 3; fd < FDS; fd++) {
    int flags = fcntl(fd, F_GETFL);
    if (!given[fd] && flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && fstat(fd, &st) == 0 &&
        S_ISREG(st.st_mode))
      return 0;
  }
  errno = EPERM;
  return -1;
}

static void try(void) {
  static int tried;
  if (tried || prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0 || secret == NULL)
    return;
  tried = 1;
  say("network", socket(AF_INET, SOCK_STREAM, 0));
  say("new file", open(made, O_WRONLY | O_CREAT, 0600));
  say("secret", open(secret, O_RDONLY));
  say("rename", rename(secret, made));
  say("exec", execle(program, program, (char *)NULL, environ));
  say("trace", (int)ptrace(PTRACE_ATTACH, getppid(), NULL, NULL));
  say("keystrokes", ioctl(2, TIOCSTI, "x")); /* on a terminal they would be the shell's next command */
  say("signal", (int)syscall(SYS_tgkill, getppid(), getppid(), 0));
  say("limits", prlimit(getppid(), RLIMIT_CORE, &(struct rlimit){0, 0}, NULL));
  say("writable", find_writable());
}

ssize_t write(int fd, const void *bytes, size_t n) {
  static ssize_t (*real)(int, const void *, size_t);
  if (real == NULL)
    *(void **)&real = dlsym(RTLD_NEXT, "write");
  try();
  return real(fd, bytes, n);
}

ssize_t send(int fd, const void *bytes, size_t n, int flags) {
  static ssize_t (*real)(int, const void *, size_t, int);
  if (real == NULL)
    *(void **)&real = dlsym(RTLD_NEXT, "send");
  try();
  return real(fd, bytes, n, flags);
}
