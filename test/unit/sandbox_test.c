/* What a tool of others is held to.  Each look is a child, since nothing of it can be taken back. */
#include "base/sandbox.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

enum look { KEYSTROKES, KEYSTROKES_WIDE, LIMITS, OWNER, SIGNAL, DATAGRAMS, QUESTION };

/* errno of the look in a child that holds itself to allow; 0 where it went through. */
static int look(enum look what, unsigned allow) {
  int status;
  pid_t pid = fork();
  if (pid == 0) {
    struct rlimit limit = {0, 0};
    long got = -1;
    if (sandbox_enter(allow, NULL, 0) == SANDBOX_NONE)
      _exit(255);
    if (what == KEYSTROKES || what == KEYSTROKES_WIDE)
      got = syscall(SYS_ioctl, 99, (what == KEYSTROKES_WIDE ? 1UL << 32 : 0) | TIOCSTI, "x");
    else if (what == LIMITS)
      got = prlimit(getppid(), RLIMIT_CORE, NULL, &limit);
    else if (what == OWNER || what == SIGNAL) /* the kernel would send its signal to another process */
      got = fcntl(99, what == OWNER ? F_SETOWN : 10 /* F_SETSIG */, getppid());
    else if (what == DATAGRAMS) /* which may go to any address */
      got = socketpair(AF_UNIX, SOCK_DGRAM, 0, (int[2]){0, 0});
    else
      got = ioctl(99, TIOCGWINSZ, &limit);
    _exit(got < 0 ? errno : 0);
  }
  return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(neither_keystrokes_nor_limits_of_others) {
  static const unsigned allows[] = {0,
                                    SANDBOX_READ_FILES,
                                    SANDBOX_CHANGE_FILES,
                                    SANDBOX_TOOL,
                                    SANDBOX_TOOL | SANDBOX_READ_FILES,
                                    SANDBOX_FETCH,
                                    SANDBOX_NETWORK};
  if (look(QUESTION, 0) == 255)
    return; /* the kernel has no seccomp */
#ifndef __SANITIZE_ADDRESS__
  CHECK_INT(look(DATAGRAMS, SANDBOX_CHANGE_FILES), EPERM);
#endif
  for (size_t i = 0; i < sizeof allows / sizeof *allows; i++) {
    CHECK_INT(look(KEYSTROKES, allows[i]), EPERM);
    CHECK_INT(look(KEYSTROKES_WIDE, allows[i]), EPERM);
    CHECK_INT(look(LIMITS, allows[i]), EPERM);
    CHECK_INT(look(OWNER, allows[i]), EPERM);
    CHECK_INT(look(SIGNAL, allows[i]), EPERM);
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
    CALL(shmat),
    CALL(semctl),
    CALL(msgsnd),
    CALL(fremovexattr),
    {"fchmodat2", 452},
    {"setxattrat", 463},
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
    if (sandbox_enter(allow, NULL, 0) == SANDBOX_NONE)
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
#ifndef __SANITIZE_ADDRESS__ /* removing and opening for writing are left to Landlock */
  CHECK_STR(first_let_through(SANDBOX_CHANGE_FILES), "unlinkat");
#endif
  CHECK_STR(first_let_through(0), "");
}

/* What reading `secret` in folder gives a child that may read what is named: 0, or errno. */
static int reading(unsigned allow, const char *named, const char *secret) {
  int status;
  pid_t pid = fork();
  if (pid == 0) {
    if (sandbox_enter(allow, &named, 1) != SANDBOX_BOTH)
      _exit(255);
    _exit(open(secret, O_RDONLY) < 0 ? errno : 0);
  }
  return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* errno of a child's socket of that family; 0 where it got one. */
static int socket_of(unsigned allow, int family) {
  int status;
  pid_t pid = fork();
  if (pid == 0) {
    if (sandbox_enter(allow, NULL, 0) == SANDBOX_NONE)
      _exit(255);
    _exit(socket(family, SOCK_DGRAM, 0) < 0 ? errno : 0);
  }
  return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(what_fetches_talks_to_the_internet_alone) {
  static const unsigned allows[] = {SANDBOX_FETCH, SANDBOX_NETWORK};
  for (size_t i = 0; i < 2 && socket_of(allows[i], AF_UNIX) != 255; i++) {
    CHECK_INT(socket_of(allows[i], AF_INET), 0);
    CHECK(socket_of(allows[i], AF_INET6) == 0 || socket(AF_INET6, SOCK_DGRAM, 0) < 0);
    CHECK_INT(socket_of(allows[i], AF_NETLINK), 0);
    CHECK_INT(socket_of(allows[i], AF_UNIX),
              EAFNOSUPPORT); /* services of this machine that listen on a file */
    CHECK_INT(socket_of(allows[i], 17 /* AF_PACKET */), EAFNOSUPPORT);
    CHECK_INT(socket_of(allows[i], 40 /* AF_VSOCK */), EAFNOSUPPORT);
  }
}

/* errno of a child's clone(2) with that flag besides an invalid one; with 0, of its clone3(2). */
static int cloning(unsigned allow, unsigned long flag) {
  int status;
  pid_t pid = fork();
  if (pid == 0) {
    if (sandbox_enter(allow, NULL, 0) == SANDBOX_NONE)
      _exit(255);
    long got = flag ? syscall(SYS_clone, flag | CLONE_THREAD, 0L, 0L, 0L, 0L) : syscall(SYS_clone3, NULL, 0L);
    _exit(got < 0 ? errno : 0);
  }
  return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(no_child_gets_a_namespace_of_its_own) {
  static const unsigned allows[] = {SANDBOX_TOOL, SANDBOX_FETCH, SANDBOX_NETWORK};
  static const unsigned long flags[] = {CLONE_NEWNS,   CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC,
                                        CLONE_NEWUSER, CLONE_NEWPID,    CLONE_NEWNET};
  for (size_t i = 0; i < sizeof allows / sizeof *allows && cloning(allows[i], 0) != 255; i++) {
    for (size_t j = 0; j < sizeof flags / sizeof *flags; j++)
      CHECK_INT(cloning(allows[i], flags[j]), EPERM);
    CHECK_INT(cloning(allows[i], CLONE_VM), EINVAL); /* the kernel's own word: no CLONE_SIGHAND */
    CHECK_INT(cloning(allows[i], 0), ENOSYS);
  }
}

/* errno of kill(2) with no signal by a child that is held: of its parent, or of a child of its own; 0 where it could. */
static int signalling(unsigned allow, int own) {
  int status;
  pid_t pid = fork();
  if (pid == 0) {
    if (sandbox_enter(allow, NULL, 0) != SANDBOX_BOTH)
      _exit(255);
    pid_t child = fork();
    if (child == 0)
      _exit(pause());
    int why = kill(own ? child : getppid(), 0) < 0 ? errno : 0;
    kill(child, SIGKILL);
    _exit(why);
  }
  return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(what_fetches_signals_its_own_children_alone) {
  static const unsigned allows[] = {SANDBOX_FETCH, SANDBOX_NETWORK};
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0L, 1L);
  for (size_t i = 0; i < 2 && version >= 6 && signalling(allows[i], 0) != 255; i++) {
    CHECK_INT(signalling(allows[i], 0), EPERM);
    CHECK_INT(signalling(allows[i], 1), 0);
  }
}

/* How a child ends that enters without a descriptor left for Landlock. */
static int entering_without_descriptors(void) {
  int status;
  pid_t pid = fork();
  if (pid == 0) {
    struct rlimit none = {0, 0};
    close(STDERR_FILENO);
    setrlimit(RLIMIT_NOFILE, &none);
    _exit(sandbox_enter(0, NULL, 0) == SANDBOX_BOTH ? 0 : 255);
  }
  return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(no_descriptor_for_a_sandbox_ends_the_program) {
  if (reading(0, "/dev/null", "/dev/null") != 255) /* else no Landlock, or a sanitizer's build */
    CHECK_INT(entering_without_descriptors(), EX_OSERR);
}

static int running(unsigned allow, const char *program) {
  int status;
  pid_t pid = fork();
  if (pid == 0) {
    if (sandbox_enter(allow, NULL, 0) != SANDBOX_BOTH)
      _exit(255);
    execl(program, "true", (char *)NULL);
    _exit(errno);
  }
  return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* A copy of a file, executable. */
static void copy_file(const char *from, const char *to) {
  char block[4096];
  int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_EXCL, 0700);
  for (ssize_t n; (n = read(in, block, sizeof block)) > 0;)
    CHECK_INT(write(out, block, (size_t)n), n);
  close(in), close(out);
}

TEST(only_the_named_files_are_read_and_only_installed_programs_run) {
  char folder[] = "/tmp/bid-sandbox-XXXXXX", one[64], other[64];
  CHECK(mkdtemp(folder) != NULL);
  snprintf(one, sizeof one, "%s/one", folder);
  snprintf(other, sizeof other, "%s/other", folder);
  copy_file("/bin/true", one);
  copy_file("/bin/true", other);
  if (reading(SANDBOX_READ_FILES, one, one) !=
      255) { /* else the kernel has no Landlock, or this is a sanitizer's build */
    CHECK_INT(reading(SANDBOX_READ_FILES, one, one), 0);
    CHECK_INT(reading(SANDBOX_READ_FILES, one, other), EACCES);
    CHECK_INT(reading(SANDBOX_READ_FILES, one, folder), EACCES);
    CHECK_INT(reading(SANDBOX_READ_FILES, folder, other), 0);
    CHECK_INT(reading(SANDBOX_READ_FILES | SANDBOX_AGAIN, one, other), EACCES);
    CHECK_INT(reading(SANDBOX_READ_FILES, "/nowhere", one), EACCES);
    CHECK_INT(reading(SANDBOX_READ_FILES, "/nowhere", "/nowhere"), ENOENT);
    CHECK_INT(reading(0, one, one), EPERM);
    CHECK_INT(reading(SANDBOX_TOOL, one, one), EACCES);
    CHECK_INT(reading(SANDBOX_TOOL, one, "/etc/passwd"), EACCES);
    CHECK_INT(reading(SANDBOX_TOOL, one, "/usr/bin/env"), 0);
    CHECK_INT(running(SANDBOX_TOOL, "/bin/true"), 0);
    CHECK_INT(running(SANDBOX_TOOL, one), EACCES);
    CHECK_INT(running(SANDBOX_FETCH, "/bin/true"), 0);
    CHECK_INT(running(SANDBOX_FETCH, one), EACCES);
    CHECK_INT(running(SANDBOX_READ_FILES, "/bin/true"), EPERM);
  }
  unlink(one), unlink(other), rmdir(folder);
}

enum change { MAKE, WRITE, REMOVE };

/* errno of a change to `what` by a child that may read `folder`/one and change `folder`/kept; 0 where it went through. */
static int changing(enum change how, const char *folder, const char *what, int no_more) {
  int status;
  pid_t pid = fork();
  if (pid == 0) {
    struct sandbox_scope s = {.allow = SANDBOX_CHANGE_FILES};
    char one[64], kept[64], path[80];
    snprintf(one, sizeof one, "%s/one", folder);
    snprintf(kept, sizeof kept, "%s/kept", folder);
    snprintf(path, sizeof path, "%s/%s", folder, what);
    sandbox_may_read(&s, one);
    sandbox_may_change(&s, kept);
    if (sandbox_enter_scope(&s) != SANDBOX_BOTH)
      _exit(255);
    if (no_more)
      sandbox_no_more_changes();
    int got = how == MAKE    ? open(path, O_RDWR | O_CREAT | O_EXCL, 0600)
              : how == WRITE ? open(path, O_WRONLY | O_TRUNC)
                             : unlink(path);
    _exit(got < 0 ? errno : open(one, O_RDONLY) < 0 ? 254 : 0);
  }
  return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(files_are_changed_only_in_the_named_folder) {
  char folder[] = "/tmp/bid-sandbox-XXXXXX", one[64], kept[64], mine[80];
  CHECK(mkdtemp(folder) != NULL);
  snprintf(one, sizeof one, "%s/one", folder);
  snprintf(kept, sizeof kept, "%s/kept", folder);
  snprintf(mine, sizeof mine, "%s/kept/mine", folder);
  copy_file("/bin/true", one);
  CHECK_INT(mkdir(kept, 0700), 0);
  if (changing(MAKE, folder, "kept/mine", 0) != 255) { /* else no Landlock, or a sanitizer's build */
    CHECK_INT(access(mine, F_OK), 0);
    CHECK_INT(changing(WRITE, folder, "kept/mine", 0), 0);
    CHECK_INT(changing(WRITE, folder, "kept/mine", 1), EACCES);
    CHECK_INT(changing(MAKE, folder, "kept/other", 1), EACCES);
    CHECK_INT(changing(REMOVE, folder, "kept/mine", 1), EACCES);
    CHECK_INT(changing(REMOVE, folder, "kept/mine", 0), 0);
    CHECK_INT(changing(MAKE, folder, "other", 0), EACCES);
    CHECK_INT(changing(WRITE, folder, "one", 0), EACCES);
    CHECK_INT(changing(REMOVE, folder, "one", 0), EACCES);
  }
  unlink(one), rmdir(kept), rmdir(folder);
}

int main(void) {
  RUN(files_are_changed_only_in_the_named_folder);
  RUN(what_fetches_talks_to_the_internet_alone);
  RUN(no_child_gets_a_namespace_of_its_own);
  RUN(what_fetches_signals_its_own_children_alone);
  RUN(no_descriptor_for_a_sandbox_ends_the_program);
  RUN(neither_keystrokes_nor_limits_of_others);
  RUN(no_call_reaches_out_of_a_tool_or_changes_the_machine);
  RUN(only_the_named_files_are_read_and_only_installed_programs_run);
  return test_done();
}
