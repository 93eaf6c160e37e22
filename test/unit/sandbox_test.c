/* What a tool of others is held to.  Each look is a child, since nothing of it can be taken back. */
#include "base/sandbox.h"
#include "test.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum look { KEYSTROKES, KEYSTROKES_WIDE, LIMITS, QUESTION };

/* errno of the look in a child that holds itself to allow; 0 where it went through. */
static int look(enum look what, unsigned allow) {
  int status;
  pid_t pid = fork();
  if (pid == 0) {
    struct rlimit limit = {0, 0};
    long got = -1;
    if (sandbox_enter(allow) == SANDBOX_NONE)
      _exit(255);
    if (what == KEYSTROKES || what == KEYSTROKES_WIDE)
      got = syscall(SYS_ioctl, 99, (what == KEYSTROKES_WIDE ? 1UL << 32 : 0) | TIOCSTI, "x");
    else if (what == LIMITS)
      got = prlimit(getppid(), RLIMIT_CORE, NULL, &limit);
    else
      got = ioctl(99, TIOCGWINSZ, &limit);
    _exit(got < 0 ? errno : 0);
  }
  return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(neither_keystrokes_nor_limits_of_others) {
  static const unsigned allows[] = {0, SANDBOX_READ_FILES, SANDBOX_TOOL, SANDBOX_TOOL | SANDBOX_READ_FILES};
  if (look(QUESTION, 0) == 255)
    return; /* the kernel has no seccomp */
  for (size_t i = 0; i < sizeof allows / sizeof *allows; i++) {
    CHECK_INT(look(KEYSTROKES, allows[i]), EPERM);
    CHECK_INT(look(KEYSTROKES_WIDE, allows[i]), EPERM);
    CHECK_INT(look(LIMITS, allows[i]), EPERM);
    CHECK_INT(look(QUESTION, allows[i]), EBADF);
  }
}

int main(void) {
  RUN(neither_keystrokes_nor_limits_of_others);
  return test_done();
}
