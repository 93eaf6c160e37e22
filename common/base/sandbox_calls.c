/* sandbox_calls.c: which system calls stay allowed.  The numbers are SCMP_SYS() of libseccomp's header, which knows all calls
 * of all processors, and gives a negative number where this one has none.  The library itself isn't used: it doesn't
 * check its allocations (2.5.4). */
#include "base/sandbox_calls.h"
#include "base/syscall_filter.h"

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
    SCMP_SYS(open),
    SCMP_SYS(openat),
    SCMP_SYS(getdents64),
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

#define DENY(error) (SECCOMP_RET_ERRNO | (error))
#define EQUAL(argument, value) ((struct syscall_condition){argument, UINT64_MAX, value, 0})
#define DIFFERENT(argument, value) ((struct syscall_condition){argument, UINT64_MAX, value, 1})
#define MASKED(argument, mask, value) ((struct syscall_condition){argument, mask, value, 0})
#define SET(argument, bit) MASKED(argument, bit, bit)

#define ADD_ALL(f, action, list) add_all(f, action, list, sizeof(list) / sizeof *(list))

static void add_all(struct syscall_filter *f, uint32_t action, const int *calls, size_t count) {
  for (size_t i = 0; i < count; i++)
    syscall_filter_add(f, calls[i], action, NULL, 0);
}

static void add(struct syscall_filter *f, uint32_t action, int call) {
  add_all(f, action, &call, 1);
}

static void add_if(struct syscall_filter *f, uint32_t action, int call, struct syscall_condition condition) {
  syscall_filter_add(f, call, action, &condition, 1);
}

/* seccomp can't read the flags that clone3(2) takes by pointer.  Answering ENOSYS makes the C library use clone(2). */
static void add_threads(struct syscall_filter *f) {
  add_if(f, SECCOMP_RET_ALLOW, SCMP_SYS(clone), SET(0, CLONE_THREAD));
  add(f, DENY(ENOSYS), SCMP_SYS(clone3));
}

/* Nor children in namespaces of their own, where they would be root. */
static void deny_namespaces(struct syscall_filter *f) {
  static const unsigned flags[] = {CLONE_NEWNS,   CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC,
                                   CLONE_NEWUSER, CLONE_NEWPID,    CLONE_NEWNET};
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    add_if(f, DENY(EPERM), SCMP_SYS(clone), SET(0, flags[i]));
  add(f, DENY(ENOSYS), SCMP_SYS(clone3));
}

static void add_reading(struct syscall_filter *f) {
  add_if(f, SECCOMP_RET_ALLOW, SCMP_SYS(openat), MASKED(2, WRITES, 0));
  add_if(f, SECCOMP_RET_ALLOW, SCMP_SYS(open), MASKED(1, WRITES, 0));
  add(f, SECCOMP_RET_ALLOW, SCMP_SYS(getdents64));
}

/* Neither owners nor signals of a descriptor, by which the kernel would signal any process. */
static void add_descriptor_flags(struct syscall_filter *f) {
  static const unsigned commands[] = {F_DUPFD,      F_DUPFD_CLOEXEC, F_GETFD,     F_SETFD,     F_GETFL,
                                      F_GETLK,      F_SETLK,         F_SETLKW,    F_OFD_GETLK, F_OFD_SETLK,
                                      F_OFD_SETLKW, F_GETPIPE_SZ,    F_SETPIPE_SZ};
  const struct syscall_condition not_async[] = {EQUAL(1, F_SETFL), MASKED(2, O_ASYNC, 0)};
  syscall_filter_add(f, SCMP_SYS(fcntl), SECCOMP_RET_ALLOW, not_async, 2);
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    add_if(f, SECCOMP_RET_ALLOW, SCMP_SYS(fcntl), EQUAL(1, commands[i]));
}

/* Calls restricted by argument: ioctl(2) may query a terminal but not inject input (TIOCSTI); signals and limits
 * apply to this process only. */
static void add_own(struct syscall_filter *f) {
  static const unsigned long questions[] = {TCGETS, TIOCGWINSZ, FIONREAD};
  add_if(f, SECCOMP_RET_ALLOW, SCMP_SYS(prlimit64), EQUAL(0, 0));
  add_if(f, SECCOMP_RET_ALLOW, SCMP_SYS(tgkill), EQUAL(0, (uint64_t)getpid()));
  for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
    add_if(f, SECCOMP_RET_ALLOW, SCMP_SYS(ioctl), EQUAL(1, questions[i]));
}

/* The same for a third-party tool, which may use any other ioctl.  The kernel looks at the lower 32 bits of the
 * request. */
static void deny_reaching_out(struct syscall_filter *f) {
  static const unsigned long strokes[] = {TIOCSTI, TIOCLINUX, TIOCSETD, FIOSETOWN, SIOCSPGRP};
  static const unsigned long signals[] = {F_SETOWN, F_SETOWN_EX, F_SETSIG, F_SETLEASE, F_NOTIFY};
  add_if(f, DENY(EPERM), SCMP_SYS(prlimit64), DIFFERENT(0, 0));
  for (size_t i = 0; i < sizeof strokes / sizeof *strokes; i++)
    add_if(f, DENY(EPERM), SCMP_SYS(ioctl), MASKED(1, UINT32_MAX, strokes[i]));
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    add_if(f, DENY(EPERM), SCMP_SYS(fcntl), MASKED(1, UINT32_MAX, signals[i]));
}

/* One rule per bit: a masked comparison can't express "any of these". */
static void deny_writing(struct syscall_filter *f) {
  static const unsigned bits[] = {O_WRONLY, O_RDWR, O_CREAT, O_TRUNC};
  for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
    add_if(f, DENY(EPERM), SCMP_SYS(openat), SET(2, bits[i]));
    add_if(f, DENY(EPERM), SCMP_SYS(open), SET(1, bits[i]));
  }
}

static void add_entering(struct syscall_filter *f) {
  static const int calls[] = {SCMP_SYS(prctl), SCMP_SYS(seccomp), SCMP_SYS(landlock_create_ruleset),
                              SCMP_SYS(landlock_restrict_self)};
  ADD_ALL(f, SECCOMP_RET_ALLOW, calls);
}

/* Landlock says which files; a thread may lower its own priority, and a pair of sockets is for a helper's child.  One of
 * datagrams could send to any address. */
static void add_changing(struct syscall_filter *f) {
  const struct syscall_condition streams[] = {EQUAL(0, AF_UNIX), MASKED(1, 0xf, SOCK_STREAM)};
  const struct syscall_condition itself[] = {EQUAL(0, PRIO_PROCESS), EQUAL(1, 0)};
  ADD_ALL(f, SECCOMP_RET_ALLOW, changing);
  syscall_filter_add(f, SCMP_SYS(socketpair), SECCOMP_RET_ALLOW, streams, 2);
  syscall_filter_add(f, SCMP_SYS(setpriority), SECCOMP_RET_ALLOW, itself, 2);
}

/* A process that has a helper connects its children by a pair of sockets, which reaches nobody else. */
static void deny_pairs(struct syscall_filter *f, unsigned allow) {
  if (allow & SANDBOX_CHANGE_FILES)
    add_if(f, DENY(EPERM), SCMP_SYS(socketpair), DIFFERENT(0, AF_UNIX));
  else
    add(f, DENY(EPERM), SCMP_SYS(socketpair));
}

/* The internet, and the kernel's word on this machine's addresses (getaddrinfo(3)): no service of this machine that
 * listens on a file, no packets of other protocols. */
static void add_internet(struct syscall_filter *f) {
  static const unsigned families[] = {AF_INET, AF_INET6, AF_NETLINK};
  for (size_t i = 0; i < sizeof families / sizeof *families; i++)
    add_if(f, SECCOMP_RET_ALLOW, SCMP_SYS(socket), MASKED(0, UINT32_MAX, families[i]));
  add(f, DENY(EAFNOSUPPORT), SCMP_SYS(socket));
}

/* All but what is known to be of no use. */
static void deny_calls(struct syscall_filter *f, unsigned allow) {
  int fetches = (allow & (SANDBOX_FETCH | SANDBOX_NETWORK)) != 0;
  ADD_ALL(f, DENY(EPERM), denied);
  ADD_ALL(f, DENY(EPERM), denied_newer);
  deny_reaching_out(f);
  deny_namespaces(f);
  if (fetches) {
    add_internet(f);
  } else {
    ADD_ALL(f, DENY(EPERM), denied_outside);
    ADD_ALL(f, DENY(EPERM), denied_changes);
    deny_pairs(f, allow);
  }
  if (!fetches && !(allow & SANDBOX_CHANGE_FILES)) {
    ADD_ALL(f, DENY(EPERM), denied_removal);
    deny_writing(f);
  }
  if (!(allow & (SANDBOX_TOOL | SANDBOX_FETCH)))
    ADD_ALL(f, DENY(EPERM), running);
}

/* Only what is known to be of use. */
static void allow_calls(struct syscall_filter *f, unsigned allow) {
  ADD_ALL(f, SECCOMP_RET_ALLOW, needed);
  add_threads(f);
  add_own(f);
  add_descriptor_flags(f);
  if (allow & SANDBOX_CHANGE_FILES)
    add_changing(f);
  else if (allow & SANDBOX_READ_FILES)
    add_reading(f);
  if (allow & SANDBOX_AGAIN)
    add_entering(f);
}

void sandbox_calls_make(struct syscall_filter *f, unsigned allow) {
  int by_denial = SANDBOX_SANITIZED || allow & (SANDBOX_TOOL | SANDBOX_FETCH | SANDBOX_NETWORK);
  syscall_filter_begin(f);
  (by_denial ? deny_calls : allow_calls)(f, allow);
  syscall_filter_end(f, by_denial ? SECCOMP_RET_ALLOW : DENY(EPERM));
}

int sandbox_calls_hold(unsigned allow) {
  struct syscall_filter filter;
  sandbox_calls_make(&filter, allow);
  return syscall_filter_load(&filter);
}
