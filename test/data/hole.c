/* hole.c: a planted hole, preloaded into a program: its first write(2) of output tries what an attacker would. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void say(const char *what, int got) {
  fprintf(stderr, "%s: %s\n", what, got < 0 ? strerror(errno) : "DONE");
}

ssize_t write(int fd, const void *bytes, size_t n) {
  static ssize_t (*real)(int, const void *, size_t);
  static int tried;
  if (real == NULL)
    *(void **)&real = dlsym(RTLD_NEXT, "write");
  if (fd != 1 || tried++)
    return real(fd, bytes, n);
  say("network", socket(AF_INET, SOCK_STREAM, 0));
  say("new file", open(getenv("HOLE_FILE"), O_WRONLY | O_CREAT, 0600));
  say("secret", open(getenv("HOLE_SECRET"), O_RDONLY));
  say("rename", rename(getenv("HOLE_SECRET"), getenv("HOLE_FILE")));
  say("exec", execle("/bin/true", "true", (char *)NULL, environ));
  say("trace", (int)ptrace(PTRACE_ATTACH, getppid(), NULL, NULL));
  say("keystrokes", ioctl(2, TIOCSTI, "x")); /* on a terminal they would be the shell's next command */
  say("signal", (int)syscall(SYS_tgkill, getppid(), getppid(), 0));
  say("limits", prlimit(getppid(), RLIMIT_CORE, &(struct rlimit){0, 0}, NULL));
  return real(fd, bytes, n);
}
