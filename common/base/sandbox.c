#include "base/sandbox.h"
#include "base/child.h"
#include "base/xalloc.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#define WRITES (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)

/* LeakSanitizer inspects the process at exit from a clone with system calls of its own, so sanitizer builds deny only
 * the calls that are never allowed. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { SANITIZED = 1 };
#define TRACING
#else
enum { SANITIZED = 0 };
#define TRACING SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv),
#endif

/* What a filter on open descriptors needs: memory, time, threads, its own state. */
static const int needed[] = {
    SCMP_SYS(read),
    SCMP_SYS(readv),
    SCMP_SYS(pread64),
    SCMP_SYS(write),
    SCMP_SYS(writev),
    SCMP_SYS(pwrite64),
    SCMP_SYS(close),
    SCMP_SYS(close_range),
    SCMP_SYS(lseek),
    SCMP_SYS(fstat),
    SCMP_SYS(newfstatat),
    SCMP_SYS(statx),
    SCMP_SYS(stat),
    SCMP_SYS(lstat),
    SCMP_SYS(access),
    SCMP_SYS(faccessat),
    SCMP_SYS(faccessat2),
    SCMP_SYS(readlink),
    SCMP_SYS(readlinkat),
    SCMP_SYS(getcwd),
    SCMP_SYS(fcntl),
    SCMP_SYS(dup),
    SCMP_SYS(dup2),
    SCMP_SYS(dup3),
    SCMP_SYS(fsync),
    SCMP_SYS(fdatasync),
    SCMP_SYS(ftruncate),
    SCMP_SYS(fadvise64),
    SCMP_SYS(flock),
    SCMP_SYS(mmap),
    SCMP_SYS(mremap),
    SCMP_SYS(munmap),
    SCMP_SYS(mprotect),
    SCMP_SYS(madvise),
    SCMP_SYS(mlock),
    SCMP_SYS(brk),
    SCMP_SYS(futex),
    SCMP_SYS(set_robust_list),
    SCMP_SYS(rseq),
    SCMP_SYS(membarrier),
    SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(gettid),
    SCMP_SYS(getpid),
    SCMP_SYS(getppid),
    SCMP_SYS(getuid),
    SCMP_SYS(geteuid),
    SCMP_SYS(getgid),
    SCMP_SYS(getegid),
    SCMP_SYS(getrandom),
    SCMP_SYS(uname),
    SCMP_SYS(sysinfo),
    SCMP_SYS(getrusage),
    SCMP_SYS(times),
    SCMP_SYS(getrlimit),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_getres),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(time),
    SCMP_SYS(nanosleep),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(setitimer), /* process_open() of a FIFO */
    SCMP_SYS(poll),
    SCMP_SYS(ppoll),
    SCMP_SYS(select),
    SCMP_SYS(pselect6),
    SCMP_SYS(pipe2),
    SCMP_SYS(sendmsg),
    SCMP_SYS(recvmsg),
    SCMP_SYS(sendto),
    SCMP_SYS(recvfrom),
    SCMP_SYS(shutdown),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(rt_sigtimedwait),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(arch_prctl),
    SCMP_SYS(set_tid_address),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
};

/* System calls that pdftotext and similar tools have no use for: network, signals, changes of files. */
static const int denied_to_tools[] = {
    SCMP_SYS(socket),
    SCMP_SYS(socketpair),
    SCMP_SYS(connect),
    SCMP_SYS(bind),
    SCMP_SYS(listen),
    SCMP_SYS(accept),
    SCMP_SYS(accept4),
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
    SCMP_SYS(kill),
    SCMP_SYS(tkill),
    SCMP_SYS(tgkill),
    SCMP_SYS(rt_sigqueueinfo),
    SCMP_SYS(rt_tgsigqueueinfo),
    SCMP_SYS(pidfd_send_signal),
#endif
    SCMP_SYS(unlink),
    SCMP_SYS(unlinkat),
    SCMP_SYS(rename),
    SCMP_SYS(renameat),
    SCMP_SYS(renameat2),
    SCMP_SYS(mkdir),
    SCMP_SYS(mkdirat),
    SCMP_SYS(rmdir),
    SCMP_SYS(link),
    SCMP_SYS(linkat),
    SCMP_SYS(symlink),
    SCMP_SYS(symlinkat),
    SCMP_SYS(mknod),
    SCMP_SYS(mknodat),
    SCMP_SYS(chmod),
    SCMP_SYS(fchmod),
    SCMP_SYS(fchmodat),
    SCMP_SYS(chown),
    SCMP_SYS(fchown),
    SCMP_SYS(fchownat),
    SCMP_SYS(lchown),
    SCMP_SYS(creat),
    SCMP_SYS(openat2),
    SCMP_SYS(utime),
    SCMP_SYS(utimes),
    SCMP_SYS(futimesat),
    SCMP_SYS(utimensat),
};

/* What none of them, nor bid-fetch, has a use for: other processes, and the machine. */
static const int denied[] = {
    TRACING SCMP_SYS(process_vm_writev),
    SCMP_SYS(truncate),
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(chroot),
    SCMP_SYS(setns),
    SCMP_SYS(unshare),
    SCMP_SYS(bpf),
    SCMP_SYS(keyctl),
    SCMP_SYS(add_key),
    SCMP_SYS(request_key),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(kexec_load),
    SCMP_SYS(init_module),
    SCMP_SYS(finit_module),
    SCMP_SYS(delete_module),
    SCMP_SYS(kexec_file_load),
    SCMP_SYS(reboot),
    SCMP_SYS(swapon),
    SCMP_SYS(swapoff),
    SCMP_SYS(acct),
    SCMP_SYS(quotactl),
    SCMP_SYS(syslog),
    SCMP_SYS(sethostname),
    SCMP_SYS(setdomainname),
    SCMP_SYS(settimeofday),
    SCMP_SYS(clock_settime),
    SCMP_SYS(adjtimex),
    SCMP_SYS(clock_adjtime),
    SCMP_SYS(iopl),
    SCMP_SYS(ioperm),
    SCMP_SYS(pivot_root),
    SCMP_SYS(move_mount),
    SCMP_SYS(open_tree),
    SCMP_SYS(fsopen),
    SCMP_SYS(fspick),
    SCMP_SYS(open_by_handle_at),
    SCMP_SYS(fanotify_init),
    SCMP_SYS(setxattr),
    SCMP_SYS(lsetxattr),
    SCMP_SYS(fsetxattr),
    SCMP_SYS(removexattr),
    SCMP_SYS(lremovexattr),
    SCMP_SYS(mq_open),
    SCMP_SYS(mq_unlink),
    SCMP_SYS(msgget),
    SCMP_SYS(semget),
    SCMP_SYS(shmget),
    SCMP_SYS(setpriority),
    SCMP_SYS(ioprio_set),
    SCMP_SYS(sched_setscheduler),
    SCMP_SYS(sched_setparam),
    SCMP_SYS(sched_setattr),
    SCMP_SYS(sched_setaffinity),
    SCMP_SYS(migrate_pages),
    SCMP_SYS(move_pages),
    SCMP_SYS(kcmp),
    SCMP_SYS(memfd_create),
    SCMP_SYS(pidfd_getfd),
};

static const int running[] = {SCMP_SYS(execve), SCMP_SYS(execveat)};

static int add_all(scmp_filter_ctx filter, uint32_t action, const int *calls, size_t count) {
  int failed = 0;
  for (size_t i = 0; i < count; i++)
    failed |= calls[i] >= 0 && seccomp_rule_add(filter, action, calls[i], 0) != 0;
  return failed;
}

static int deny_all(scmp_filter_ctx filter, const int *calls, size_t count) {
  return add_all(filter, SCMP_ACT_ERRNO(EPERM), calls, count);
}

/* seccomp can't read the flags that clone3(2) takes by pointer.  Answering ENOSYS makes the C library use clone(2). */
static int add_threads(scmp_filter_ctx filter) {
  return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
                          SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD)) != 0 ||
         seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) != 0;
}

static int add_reading(scmp_filter_ctx filter) {
  return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(openat), 1,
                          SCMP_A2(SCMP_CMP_MASKED_EQ, WRITES, 0)) != 0 ||
         seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(open), 1,
                          SCMP_A1(SCMP_CMP_MASKED_EQ, WRITES, 0)) != 0 ||
         seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(getdents64), 0) != 0;
}

/* Calls restricted by argument: ioctl(2) may query a terminal but not inject input (TIOCSTI); signals and limits
 * apply to this process only. */
static int add_own(scmp_filter_ctx filter) {
  static const unsigned long questions[] = {TCGETS, TIOCGWINSZ, FIONREAD};
  int failed = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 1, SCMP_A0(SCMP_CMP_EQ, 0, 0)) |
               seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
                                SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid(), 0));
  for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
    failed |=
        seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), 1, SCMP_A1(SCMP_CMP_EQ, questions[i], 0));
  return failed;
}

/* The same for a third-party tool, which may use any other ioctl.  The kernel looks at the lower 32 bits of the
 * request. */
static int deny_reaching_out(scmp_filter_ctx filter) {
  static const unsigned long strokes[] = {TIOCSTI, TIOCLINUX, TIOCSETD};
  int failed =
      seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prlimit64), 1, SCMP_A0(SCMP_CMP_NE, 0, 0));
  for (size_t i = 0; i < sizeof strokes / sizeof *strokes; i++)
    failed |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1,
                               SCMP_A1(SCMP_CMP_MASKED_EQ, UINT32_MAX, strokes[i]));
  return failed;
}

/* One rule per bit: a masked comparison can't express "any of these". */
static int deny_writing(scmp_filter_ctx filter) {
  static const unsigned bits[] = {O_WRONLY, O_RDWR, O_CREAT, O_TRUNC};
  int failed = 0;
  for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
    failed |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(openat), 1,
                               SCMP_A2(SCMP_CMP_MASKED_EQ, bits[i], bits[i])) != 0;
    failed |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(open), 1,
                               SCMP_A1(SCMP_CMP_MASKED_EQ, bits[i], bits[i])) != 0;
  }
  return failed;
}

static int add_entering(scmp_filter_ctx filter) {
  static const int calls[] = {SCMP_SYS(prctl), SCMP_SYS(seccomp), SCMP_SYS(landlock_create_ruleset),
                              SCMP_SYS(landlock_restrict_self)};
  return add_all(filter, SCMP_ACT_ALLOW, calls, sizeof calls / sizeof *calls);
}

#define FILTER_ROOM ((size_t)4 << 20) /* more than libseccomp needs to make a filter */

static int hold_calls(unsigned allow) {
  xroom(FILTER_ROOM); /* libseccomp doesn't check its allocations */
  int by_denial = SANITIZED || allow & (SANDBOX_TOOL | SANDBOX_FETCH), failed;
  scmp_filter_ctx filter = seccomp_init(by_denial ? SCMP_ACT_ALLOW : SCMP_ACT_ERRNO(EPERM));
  if (filter == NULL)
    return -1;
  if (by_denial) {
    failed = deny_all(filter, denied, sizeof denied / sizeof *denied) || deny_reaching_out(filter);
    if (!(allow & SANDBOX_FETCH))
      failed |= deny_all(filter, denied_to_tools, sizeof denied_to_tools / sizeof *denied_to_tools) ||
                deny_writing(filter);
    if (!(allow & (SANDBOX_TOOL | SANDBOX_FETCH)))
      failed |= deny_all(filter, running, sizeof running / sizeof *running);
  } else {
    failed = add_all(filter, SCMP_ACT_ALLOW, needed, sizeof needed / sizeof *needed) || add_threads(filter) ||
             add_own(filter);
    failed |= allow & SANDBOX_READ_FILES && add_reading(filter);
    failed |= allow & SANDBOX_AGAIN && add_entering(filter);
  }
  failed |= seccomp_load(filter) != 0;
  seccomp_release(filter);
  return failed ? -1 : 0;
}

#define READS ((uint64_t)(LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR))
#define RUNS ((uint64_t)LANDLOCK_ACCESS_FS_EXECUTE)
/* What a rule for a file may speak of. */
#define OF_FILES                                                                                             \
  ((uint64_t)(LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE))

/* All kinds of file access that this version of Landlock knows: its bits from the lowest on. */
static uint64_t known_access(long version) {
  static const int bits[] = {13, 14, 15, 15, 16};
  long last = sizeof bits / sizeof *bits;
  return ((uint64_t)1 << bits[(version < last ? version : last) - 1]) - 1;
}

/* What can't be opened now, or lies on no file system (a pipe), needs no rule. */
static void grant(int ruleset, const char *const *names, size_t count, uint64_t access) {
  struct stat st;
  for (size_t i = 0; i < count; i++) {
    int fd = open(names[i], O_PATH | O_CLOEXEC);
    if (fd < 0)
      continue;
    struct landlock_path_beneath_attr rule = {.parent_fd = fd, .allowed_access = access};
    if (fstat(fd, &st) != 0 || !S_ISDIR(st.st_mode))
      rule.allowed_access &= OF_FILES;
    syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(fd);
  }
}

static void grant_system(int ruleset, uint64_t handled) {
  static const char *const programs[] = {"/bin", "/lib", "/lib64", "/nix", "/opt", "/usr"};
  static const char *const settings[] = {"/dev/null",        "/dev/urandom",       "/etc/fonts",
                                         "/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/localtime"};
  grant(ruleset, programs, sizeof programs / sizeof *programs, handled & (READS | RUNS));
  grant(ruleset, settings, sizeof settings / sizeof *settings, handled & READS);
}

/* bid-strip, which bid-fetch starts, lies beside it. */
static void grant_own_folder(int ruleset) {
  char path[PATH_MAX];
  if (child_path("", path) == 0)
    grant(ruleset, (const char *const[]){path}, 1, RUNS);
}

static int hold_files(unsigned allow, const char *const *names, size_t count) {
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < (allow & SANDBOX_FETCH ? 2 : 1)) /* the first forbids any rename from one folder to another */
    return -1;
  uint64_t all = known_access(version), changes = all & ~(READS | RUNS);
  struct landlock_ruleset_attr rules = {.handled_access_fs = allow & SANDBOX_FETCH ? all & ~READS : all};
  int fd = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules.handled_access_fs, 0);
  if (fd < 0)
    return -1;
  if (allow & SANDBOX_READ_FILES)
    grant(fd, names, count, READS);
  if (allow & SANDBOX_FETCH) {
    grant(fd, names, count, changes);
    grant_own_folder(fd);
  }
  if (allow & (SANDBOX_TOOL | SANDBOX_FETCH))
    grant_system(fd, rules.handled_access_fs);
  long held = syscall(SYS_landlock_restrict_self, fd, 0);
  close(fd);
  return held == 0 ? 0 : -1;
}

enum sandbox_state sandbox_enter(unsigned allow, const char *const *names, size_t count) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return SANDBOX_NONE;
  /* before seccomp denies Landlock's own system calls */
  int files = !SANITIZED && hold_files(allow, names, count) == 0;
  if (hold_calls(allow) != 0)
    return SANDBOX_NONE;
  return files ? SANDBOX_BOTH : SANDBOX_SECCOMP;
}

const char *sandbox_offered(void) {
  uint32_t action = SECCOMP_RET_ERRNO;
  if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) != 0)
    return "none (the kernel has no seccomp filters)";
  return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) < 1
             ? "seccomp (the kernel has no Landlock)"
             : "seccomp and Landlock";
}
