/* sandbox_calls.c: which system calls stay allowed, by libseccomp. */
#include "base/sandbox_calls.h"
#include "base/xalloc.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#define WRITES (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)

/* LeakSanitizer inspects the process at exit from a clone with system calls of its own, so sanitizer builds deny only
 * the calls that are never allowed. */
#if SANDBOX_SANITIZED
#define TRACING
#else
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

/* What LMDB and the store need besides: their files are found by name and mapped, and the lock file is removed. */
static const int changing[] = {
    SCMP_SYS(unlink),
    SCMP_SYS(unlinkat),
    SCMP_SYS(msync),
    SCMP_SYS(statfs),
    SCMP_SYS(fstatfs),
    SCMP_SYS(getpriority),
    SCMP_SYS(landlock_create_ruleset),
    SCMP_SYS(landlock_restrict_self),
};

/* System calls that parsers and pdftotext have no use for: network, signals. */
static const int denied_outside[] = {
    SCMP_SYS(socket),
    SCMP_SYS(connect),
    SCMP_SYS(bind),
    SCMP_SYS(listen),
    SCMP_SYS(accept),
    SCMP_SYS(accept4),
#if !SANDBOX_SANITIZED
    SCMP_SYS(kill),
    SCMP_SYS(tkill),
    SCMP_SYS(tgkill),
    SCMP_SYS(rt_sigqueueinfo),
    SCMP_SYS(rt_tgsigqueueinfo),
    SCMP_SYS(pidfd_send_signal),
#endif
};

static const int denied_removal[] = {SCMP_SYS(unlink), SCMP_SYS(unlinkat)};

/* Changes of files that only a process that fetches makes. */
static const int denied_changes[] = {
    SCMP_SYS(rename), SCMP_SYS(renameat),  SCMP_SYS(renameat2), SCMP_SYS(mkdir),   SCMP_SYS(mkdirat),
    SCMP_SYS(rmdir),  SCMP_SYS(link),      SCMP_SYS(linkat),    SCMP_SYS(symlink), SCMP_SYS(symlinkat),
    SCMP_SYS(mknod),  SCMP_SYS(mknodat),   SCMP_SYS(creat),     SCMP_SYS(openat2), SCMP_SYS(utime),
    SCMP_SYS(utimes), SCMP_SYS(futimesat), SCMP_SYS(utimensat),
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
    SCMP_SYS(fremovexattr),
    SCMP_SYS(chmod), /* of which Landlock knows nothing, as of owners */
    SCMP_SYS(fchmod),
    SCMP_SYS(fchmodat),
    SCMP_SYS(chown),
    SCMP_SYS(fchown),
    SCMP_SYS(fchownat),
    SCMP_SYS(lchown),
    SCMP_SYS(mq_open),
    SCMP_SYS(mq_unlink),
    SCMP_SYS(msgget), /* the rest of their kind takes numbers that can be guessed */
    SCMP_SYS(msgsnd),
    SCMP_SYS(msgrcv),
    SCMP_SYS(msgctl),
    SCMP_SYS(semget),
    SCMP_SYS(semop),
    SCMP_SYS(semtimedop),
    SCMP_SYS(semctl),
    SCMP_SYS(shmget),
    SCMP_SYS(shmat),
    SCMP_SYS(shmctl),
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

/* The same, by the numbers that they have everywhere: newer than some headers. */
static const int denied_newer[] = {452 /* fchmodat2 */, 463 /* setxattrat */, 466 /* removexattrat */,
                                   467 /* open_tree_attr */, 469 /* file_setattr */};

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

/* Neither owners nor signals of a descriptor, by which the kernel would signal any process. */
static int add_descriptor_flags(scmp_filter_ctx filter) {
  static const unsigned commands[] = {F_DUPFD,      F_DUPFD_CLOEXEC, F_GETFD,     F_SETFD,     F_GETFL,
                                      F_GETLK,      F_SETLK,         F_SETLKW,    F_OFD_GETLK, F_OFD_SETLK,
                                      F_OFD_SETLKW, F_GETPIPE_SZ,    F_SETPIPE_SZ};
  int failed = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(fcntl), 2, SCMP_A1(SCMP_CMP_EQ, F_SETFL, 0),
                                SCMP_A2(SCMP_CMP_MASKED_EQ, O_ASYNC, 0));
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    failed |=
        seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(fcntl), 1, SCMP_A1(SCMP_CMP_EQ, commands[i], 0));
  return failed;
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
  static const unsigned long strokes[] = {TIOCSTI, TIOCLINUX, TIOCSETD, FIOSETOWN, SIOCSPGRP};
  static const unsigned long signals[] = {F_SETOWN, F_SETOWN_EX, F_SETSIG, F_SETLEASE, F_NOTIFY};
  int failed =
      seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prlimit64), 1, SCMP_A0(SCMP_CMP_NE, 0, 0));
  for (size_t i = 0; i < sizeof strokes / sizeof *strokes; i++)
    failed |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1,
                               SCMP_A1(SCMP_CMP_MASKED_EQ, UINT32_MAX, strokes[i]));
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    failed |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(fcntl), 1,
                               SCMP_A1(SCMP_CMP_MASKED_EQ, UINT32_MAX, signals[i]));
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

/* Landlock says which files; a thread may lower its own priority, and a pair of sockets is for a helper's child.  One of
 * datagrams could send to any address. */
static int add_changing(scmp_filter_ctx filter) {
  return add_all(filter, SCMP_ACT_ALLOW, changing, sizeof changing / sizeof *changing) ||
         seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(open), 0) != 0 ||
         seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(openat), 0) != 0 ||
         seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(getdents64), 0) != 0 ||
         seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(socketpair), 2, SCMP_A0(SCMP_CMP_EQ, AF_UNIX, 0),
                          SCMP_A1(SCMP_CMP_MASKED_EQ, 0xf, SOCK_STREAM)) != 0 ||
         seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(setpriority), 2,
                          SCMP_A0(SCMP_CMP_EQ, PRIO_PROCESS, 0), SCMP_A1(SCMP_CMP_EQ, 0, 0)) != 0;
}

#define DENY(list) deny_all(filter, list, sizeof(list) / sizeof *(list))

/* A process that has a helper connects its children by a pair of sockets, which reaches nobody else. */
static int deny_pairs(scmp_filter_ctx filter, unsigned allow) {
  if (!(allow & SANDBOX_CHANGE_FILES))
    return seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socketpair), 0);
  return seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socketpair), 1,
                          SCMP_A0(SCMP_CMP_NE, AF_UNIX, 0));
}

/* All but what is known to be of no use. */
static int deny_calls(scmp_filter_ctx filter, unsigned allow) {
  int fetches = (allow & (SANDBOX_FETCH | SANDBOX_NETWORK)) != 0;
  int failed = DENY(denied) || DENY(denied_newer) || deny_reaching_out(filter);
  if (!fetches)
    failed |= DENY(denied_outside) || DENY(denied_changes) || deny_pairs(filter, allow);
  if (!fetches && !(allow & SANDBOX_CHANGE_FILES))
    failed |= DENY(denied_removal) || deny_writing(filter);
  if (!(allow & (SANDBOX_TOOL | SANDBOX_FETCH)))
    failed |= DENY(running);
  return failed;
}

/* Only what is known to be of use. */
static int allow_calls(scmp_filter_ctx filter, unsigned allow) {
  int failed = add_all(filter, SCMP_ACT_ALLOW, needed, sizeof needed / sizeof *needed) ||
               add_threads(filter) || add_own(filter) || add_descriptor_flags(filter);
  if (allow & SANDBOX_CHANGE_FILES)
    failed |= add_changing(filter);
  else if (allow & SANDBOX_READ_FILES)
    failed |= add_reading(filter);
  if (allow & SANDBOX_AGAIN)
    failed |= add_entering(filter);
  return failed;
}

#define FILTER_ROOM ((size_t)4 << 20) /* more than libseccomp needs to make a filter */

int sandbox_calls_hold(unsigned allow) {
  xroom(FILTER_ROOM); /* libseccomp doesn't check its allocations */
  int by_denial = SANDBOX_SANITIZED || allow & (SANDBOX_TOOL | SANDBOX_FETCH | SANDBOX_NETWORK);
  scmp_filter_ctx filter = seccomp_init(by_denial ? SCMP_ACT_ALLOW : SCMP_ACT_ERRNO(EPERM));
  if (filter == NULL)
    return -1;
  int failed = (by_denial ? deny_calls : allow_calls)(filter, allow);
  failed |= seccomp_load(filter) != 0;
  seccomp_release(filter);
  return failed ? -1 : 0;
}
