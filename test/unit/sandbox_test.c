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

/* Calls that reach out of the process or change the machine, with arguments that would fail otherwise, too. */
static const struct {
  const char *name;
  long number;
} reaching[] = {
#define CALL(name)                                                                                           \
  { #name, SYS_##name }
    CALL(socket),
    CALL(socketpair),
    CALL(bind),
    CALL(unlinkat),
    CALL(renameat2),
    CALL(mkdirat),
    CALL(symlinkat),
    CALL(fchmodat),
    CALL(fchownat),
    CALL(truncate),
    CALL(openat2),
    CALL(mount),
    CALL(umount2),
    CALL(pivot_root),
    CALL(move_mount),
    CALL(open_tree),
    CALL(fsopen),
    CALL(setns),
    CALL(unshare),
    CALL(chroot),
    CALL(bpf),
    CALL(io_uring_setup),
    CALL(userfaultfd),
    CALL(init_module),
    CALL(delete_module),
    CALL(kexec_load),
    CALL(reboot),
    CALL(swapon),
    CALL(swapoff),
    CALL(acct),
    CALL(sethostname),
    CALL(settimeofday),
    CALL(clock_settime),
    CALL(adjtimex),
    CALL(syslog),
    CALL(fsetxattr),
    CALL(setxattr),
    CALL(removexattr),
    CALL(utimensat),
    CALL(mq_open),
    CALL(msgget),
    CALL(semget),
    CALL(shmget),
    CALL(setpriority),
    CALL(ioprio_set),
    CALL(memfd_create),
    CALL(sched_setscheduler),
    CALL(migrate_pages),
    CALL(move_pages),
    CALL(pidfd_getfd),
    CALL(perf_event_open),
    CALL(open_by_handle_at),
#ifndef __SANITIZE_ADDRESS__ /* which traces itself to look for leaks */
    CALL(ptrace),
    CALL(process_vm_readv),
    CALL(kill),
#endif
#undef CALL
};

/* The first of these calls that is not refused by the sandbox, or "". */
static const char *first_let_through(unsigned allow) {
  int status, count = (int)(sizeof reaching / sizeof *reaching);
  pid_t pid = fork();
  if (pid == 0) {
    if (sandbox_enter(allow) == SANDBOX_NONE)
      _exit(255);
    int i = 0; /* -1 is no descriptor, address, process or flag that any of them takes */
    while (i < count && syscall(reaching[i].number, -1L, -1L, -1L, -1L, -1L, -1L) < 0 && errno == EPERM)
      i++;
    _exit(i);
  }
  if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
    return "(a signal)";
  return WEXITSTATUS(status) < count ? reaching[WEXITSTATUS(status)].name : "";
}

TEST(no_call_reaches_out_of_a_tool_or_changes_the_machine) {
  CHECK_STR(first_let_through(SANDBOX_TOOL | SANDBOX_READ_FILES), "");
  CHECK_STR(first_let_through(SANDBOX_READ_FILES), "");
  CHECK_STR(first_let_through(0), "");
}

int main(void) {
  RUN(neither_keystrokes_nor_limits_of_others);
  RUN(no_call_reaches_out_of_a_tool_or_changes_the_machine);
  return test_done();
}
