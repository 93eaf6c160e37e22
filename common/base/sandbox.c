/* sandbox.c: dropping privileges: which system calls stay allowed (seccomp), which files can be opened (Landlock). */
#include "base/sandbox.h"
#include "base/helper.h"
#include "base/diag.h"
#include "base/xalloc.h"
#include "tables/system_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sysexits.h>
#include <termios.h>
#include <unistd.h>

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SANDBOX_SANITIZED 1
#else
#define SANDBOX_SANITIZED 0
#endif

/* ---- making a filter of system calls ---- */

#define ABI_X32 0x40000000U /* of x86-64, with 32-bit pointers and numbers of its own */
#define RELOADED 2          /* instructions at the end of a rule with conditions */

static void emit(struct sandbox_filter *f, struct sock_filter instruction) {
  if (f->count < SYSCALL_FILTER_MAX)
    f->code[f->count++] = instruction;
  else
    f->overflowed = 1;
}

static void emit_statement(struct sandbox_filter *f, uint16_t code, uint32_t k) {
  emit(f, (struct sock_filter)BPF_STMT(code, k));
}

static void emit_load(struct sandbox_filter *f, size_t offset) {
  emit_statement(f, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset);
}

static void emit_jump(struct sandbox_filter *f, uint16_t test, uint32_t k, size_t yes, size_t no) {
  emit(f, (struct sock_filter)BPF_JUMP((uint16_t)(BPF_JMP | test | BPF_K), k, (uint8_t)yes, (uint8_t)no));
}

void sandbox_filter_begin(struct sandbox_filter *f) {
  f->count = 0;
  f->overflowed = 0;
#ifdef SYSCALL_FILTER_ARCH
  emit_load(f, offsetof(struct seccomp_data, arch));
  emit_jump(f, BPF_JEQ, SYSCALL_FILTER_ARCH, 1, 0);
  emit_statement(f, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
#endif
  emit_load(f, offsetof(struct seccomp_data, nr)); /* where each rule finds it */
#ifdef __x86_64__
  emit_jump(f, BPF_JGE, ABI_X32, 0, 1);
  emit_statement(f, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS);
#endif
}

#define CONDITION 3 /* instructions of one */

/* Goes on behind itself where it holds, and otherwise over `beyond` instructions more. */
static void emit_condition(struct sandbox_filter *f, const struct syscall_condition *c, size_t beyond) {
  emit_load(f, offsetof(struct seccomp_data, args) + c->argument * sizeof(uint64_t));
  emit_statement(f, BPF_ALU | BPF_AND | BPF_K, c->mask);
  emit_jump(f, BPF_JEQ, c->value, c->negated ? beyond : 0, c->negated ? 0 : beyond);
}

void sandbox_filter_add(struct sandbox_filter *f, int number, uint32_t action,
                        const struct syscall_condition *conditions, size_t count) {
  size_t length = count == 0 ? 1 : CONDITION * count + RELOADED;
  if (number < 0)
    return;
  if (length > UINT8_MAX) {
    f->overflowed = 1;
    return;
  }
  emit_jump(f, BPF_JEQ, (uint32_t)number, 0, length);
  for (size_t i = 0; i < count; i++)
    emit_condition(f, &conditions[i], CONDITION * (count - i - 1) + 1);
  emit_statement(f, BPF_RET | BPF_K, action);
  if (count > 0)
    emit_load(f, offsetof(struct seccomp_data, nr));
}

void sandbox_filter_end(struct sandbox_filter *f, uint32_t action) {
  emit_statement(f, BPF_RET | BPF_K, action);
}

int sandbox_filter_load(const struct sandbox_filter *f) {
#ifdef SYSCALL_FILTER_ARCH
  struct sock_fprog program = {(unsigned short)f->count, (struct sock_filter *)(uintptr_t)f->code};
  if (!f->overflowed)
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0 ? 0 : -1;
  errno = E2BIG;
#else
  (void)f;
  errno = ENOSYS;
#endif
  return -1;
}

/* ---- which system calls stay allowed ----
 *
 * The numbers are SCMP_SYS() of libseccomp's header, which knows all calls
 * of all processors, and gives a negative number where this one has none; data/tables/system_calls.tsv says which list is for what.  The library itself isn't used: it doesn't
 * check its allocations (2.5.4). */

#define WRITES (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)

#define CALL(name, about) SCMP_SYS(name),

static const int needed[] = {SYSTEM_CALLS_NEEDED(CALL)};
static const int changing[] = {SYSTEM_CALLS_CHANGING(CALL)};

/* LeakSanitizer inspects the process at exit from a clone with system calls of its own, so sanitizer builds deny only
 * the calls that are never allowed. */
static const int denied_outside[] = {SYSTEM_CALLS_OUTSIDE(CALL)
#if !SANDBOX_SANITIZED
                                         SYSTEM_CALLS_SIGNALS(CALL)
#endif
};

static const int denied_removal[] = {SYSTEM_CALLS_REMOVAL(CALL)};
static const int denied_changes[] = {SYSTEM_CALLS_CHANGES(CALL)};

static const int denied[] = {SYSTEM_CALLS_DENIED(CALL)
#if !SANDBOX_SANITIZED
                                 SYSTEM_CALLS_TRACING(CALL)
#endif
};

/* The same, by the numbers that they have everywhere: newer than some headers. */
static const int denied_newer[] = {452 /* fchmodat2 */, 463 /* setxattrat */, 466 /* removexattrat */,
                                   467 /* open_tree_attr */, 469 /* file_setattr */};

static const int running[] = {SYSTEM_CALLS_RUNNING(CALL)};

#define DENY(error) (SECCOMP_RET_ERRNO | (error))
#define EQUAL(argument, value) ((struct syscall_condition){argument, UINT32_MAX, (uint32_t)(value), 0})
#define DIFFERENT(argument, value) ((struct syscall_condition){argument, UINT32_MAX, (uint32_t)(value), 1})
#define MASKED(argument, mask, value) ((struct syscall_condition){argument, mask, (uint32_t)(value), 0})
#define SET(argument, bit) MASKED(argument, bit, bit)

#define ADD_ALL(f, action, list) add_all(f, action, list, sizeof(list) / sizeof *(list))

static void add_all(struct sandbox_filter *f, uint32_t action, const int *calls, size_t count) {
  for (size_t i = 0; i < count; i++)
    sandbox_filter_add(f, calls[i], action, NULL, 0);
}

static void add(struct sandbox_filter *f, uint32_t action, int call) {
  add_all(f, action, &call, 1);
}

static void add_if(struct sandbox_filter *f, uint32_t action, int call, struct syscall_condition condition) {
  sandbox_filter_add(f, call, action, &condition, 1);
}

/* seccomp can't read the flags that clone3(2) takes by pointer.  Answering ENOSYS makes the C library use clone(2). */
static void add_threads(struct sandbox_filter *f) {
  add_if(f, SECCOMP_RET_ALLOW, SCMP_SYS(clone), SET(0, CLONE_THREAD));
  add(f, DENY(ENOSYS), SCMP_SYS(clone3));
}

/* Nor children in namespaces of their own, where they would be root. */
static void deny_namespaces(struct sandbox_filter *f) {
  static const unsigned flags[] = {CLONE_NEWNS,   CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC,
                                   CLONE_NEWUSER, CLONE_NEWPID,    CLONE_NEWNET};
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    add_if(f, DENY(EPERM), SCMP_SYS(clone), SET(0, flags[i]));
  add(f, DENY(ENOSYS), SCMP_SYS(clone3));
}

static void add_reading(struct sandbox_filter *f) {
  add_if(f, SECCOMP_RET_ALLOW, SCMP_SYS(openat), MASKED(2, WRITES, 0));
  add_if(f, SECCOMP_RET_ALLOW, SCMP_SYS(open), MASKED(1, WRITES, 0));
  add(f, SECCOMP_RET_ALLOW, SCMP_SYS(getdents64));
}

/* Neither owners nor signals of a descriptor, by which the kernel would signal any process. */
static void add_descriptor_flags(struct sandbox_filter *f) {
  static const unsigned commands[] = {F_DUPFD,      F_DUPFD_CLOEXEC, F_GETFD,     F_SETFD,     F_GETFL,
                                      F_GETLK,      F_SETLK,         F_SETLKW,    F_OFD_GETLK, F_OFD_SETLK,
                                      F_OFD_SETLKW, F_GETPIPE_SZ,    F_SETPIPE_SZ};
  const struct syscall_condition not_async[] = {EQUAL(1, F_SETFL), MASKED(2, O_ASYNC, 0)};
  sandbox_filter_add(f, SCMP_SYS(fcntl), SECCOMP_RET_ALLOW, not_async, 2);
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    add_if(f, SECCOMP_RET_ALLOW, SCMP_SYS(fcntl), EQUAL(1, commands[i]));
}

/* Calls restricted by argument: ioctl(2) may query a terminal but not inject input (TIOCSTI); signals and limits
 * apply to this process only. */
static void add_own(struct sandbox_filter *f) {
  static const unsigned long questions[] = {TCGETS, TIOCGWINSZ, FIONREAD};
  add_if(f, SECCOMP_RET_ALLOW, SCMP_SYS(prlimit64), EQUAL(0, 0));
  add_if(f, SECCOMP_RET_ALLOW, SCMP_SYS(tgkill), EQUAL(0, getpid()));
  for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
    add_if(f, SECCOMP_RET_ALLOW, SCMP_SYS(ioctl), EQUAL(1, questions[i]));
}

/* The same for a third-party tool, which may use any other ioctl. */
static void deny_reaching_out(struct sandbox_filter *f) {
  static const unsigned long strokes[] = {TIOCSTI, TIOCLINUX, TIOCSETD, FIOSETOWN, SIOCSPGRP};
  static const unsigned long signals[] = {F_SETOWN, F_SETOWN_EX, F_SETSIG, F_SETLEASE, F_NOTIFY};
  add_if(f, DENY(EPERM), SCMP_SYS(prlimit64), DIFFERENT(0, 0));
  for (size_t i = 0; i < sizeof strokes / sizeof *strokes; i++)
    add_if(f, DENY(EPERM), SCMP_SYS(ioctl), EQUAL(1, strokes[i]));
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    add_if(f, DENY(EPERM), SCMP_SYS(fcntl), EQUAL(1, signals[i]));
}

/* One rule per bit: a masked comparison can't express "any of these". */
static void deny_writing(struct sandbox_filter *f) {
  static const unsigned bits[] = {O_WRONLY, O_RDWR, O_CREAT, O_TRUNC};
  for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
    add_if(f, DENY(EPERM), SCMP_SYS(openat), SET(2, bits[i]));
    add_if(f, DENY(EPERM), SCMP_SYS(open), SET(1, bits[i]));
  }
}

static void add_entering(struct sandbox_filter *f) {
  static const int calls[] = {SCMP_SYS(prctl), SCMP_SYS(seccomp), SCMP_SYS(landlock_create_ruleset),
                              SCMP_SYS(landlock_restrict_self)};
  ADD_ALL(f, SECCOMP_RET_ALLOW, calls);
}

/* Landlock says which files; a thread may lower its own priority, and a pair of sockets is for a helper's child.  One of
 * datagrams could send to any address. */
static void add_changing(struct sandbox_filter *f) {
  const struct syscall_condition streams[] = {EQUAL(0, AF_UNIX), MASKED(1, 0xf, SOCK_STREAM)};
  const struct syscall_condition itself[] = {EQUAL(0, PRIO_PROCESS), EQUAL(1, 0)};
  ADD_ALL(f, SECCOMP_RET_ALLOW, changing);
  sandbox_filter_add(f, SCMP_SYS(socketpair), SECCOMP_RET_ALLOW, streams, 2);
  sandbox_filter_add(f, SCMP_SYS(setpriority), SECCOMP_RET_ALLOW, itself, 2);
}

/* A process that has a helper connects its children by a pair of sockets, which reaches nobody else. */
static void deny_pairs(struct sandbox_filter *f, unsigned allow) {
  if (allow & SANDBOX_CHANGE_FILES)
    add_if(f, DENY(EPERM), SCMP_SYS(socketpair), DIFFERENT(0, AF_UNIX));
  else
    add(f, DENY(EPERM), SCMP_SYS(socketpair));
}

/* The internet, and the kernel's word on this machine's addresses (getaddrinfo(3)): no service of this machine that
 * listens on a file, no packets of other protocols. */
static void add_internet(struct sandbox_filter *f) {
  static const unsigned families[] = {AF_INET, AF_INET6, AF_NETLINK};
  for (size_t i = 0; i < sizeof families / sizeof *families; i++)
    add_if(f, SECCOMP_RET_ALLOW, SCMP_SYS(socket), EQUAL(0, families[i]));
  add(f, DENY(EAFNOSUPPORT), SCMP_SYS(socket));
}

/* All but what is known to be of no use. */
static void deny_calls(struct sandbox_filter *f, unsigned allow) {
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
static void allow_calls(struct sandbox_filter *f, unsigned allow) {
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

/* Makes the filter; *f needs no release. */
static void sandbox_calls_make(struct sandbox_filter *f, unsigned allow) {
  int by_denial = SANDBOX_SANITIZED || allow & (SANDBOX_TOOL | SANDBOX_FETCH | SANDBOX_NETWORK);
  sandbox_filter_begin(f);
  (by_denial ? deny_calls : allow_calls)(f, allow);
  sandbox_filter_end(f, by_denial ? SECCOMP_RET_ALLOW : DENY(EPERM));
}

/* Restricts the calling thread, and those that it starts, to the system calls that allow (enum sandbox_allow) needs.
 * 0, or -1 with errno where the kernel has no filters, or no memory for this one. */
static int restrict_calls(unsigned allow) {
  struct sandbox_filter filter;
  sandbox_calls_make(&filter, allow);
  return sandbox_filter_load(&filter);
}

/* ---- files, and entering ---- */

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

/* Ends the program where the kernel has a sandbox but lacked memory or descriptors for it. */
static void insist(long result) {
  if (result >= 0 || (errno != ENOMEM && errno != EMFILE && errno != ENFILE && errno != E2BIG))
    return;
  diag_errno("the sandbox can't be entered");
  _exit(EX_OSERR);
}

/* What can't be opened now, or lies on no file system (a pipe), needs no rule. */
static void grant(int ruleset, char *const *names, size_t count, uint64_t access) {
  struct stat st;
  for (size_t i = 0; i < count; i++) {
    int fd = open(names[i], O_PATH | O_CLOEXEC);
    if (fd < 0)
      continue;
    struct landlock_path_beneath_attr rule = {.parent_fd = fd, .allowed_access = access};
    if (fstat(fd, &st) != 0 || !S_ISDIR(st.st_mode))
      rule.allowed_access &= OF_FILES;
    insist(syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0));
    close(fd);
  }
}

static void grant_system(int ruleset, uint64_t handled) {
  static char *const programs[] = {"/bin", "/lib", "/lib64", "/nix", "/opt", "/usr"};
  static char *const settings[] = {"/dev/null",        "/dev/urandom",       "/etc/fonts",
                                   "/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/localtime"};
  grant(ruleset, programs, sizeof programs / sizeof *programs, handled & (READS | RUNS));
  grant(ruleset, settings, sizeof settings / sizeof *settings, handled & READS);
}

/* bid-strip, which bid-fetch starts, lies beside it. */
static void grant_own_folder(int ruleset) {
  char path[PATH_MAX];
  if (helper_path("", path) == 0)
    grant(ruleset, (char *const[]){path}, 1, RUNS);
}

#define TRUNCATES ((uint64_t)1 << 14) /* LANDLOCK_ACCESS_FS_TRUNCATE, which is newer than some headers */

/* Everything in the folder of a store: its file, LMDB's lock file, and the folder itself, to sync it. */
#define CHANGES                                                                                              \
  (READS | TRUNCATES |                                                                                       \
   (uint64_t)(LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE))

static void grant_scope(int ruleset, const struct sandbox_scope *s, uint64_t handled) {
  int fetches = (s->allow & SANDBOX_FETCH) != 0;
  if (s->allow & (SANDBOX_READ_FILES | SANDBOX_CHANGE_FILES))
    grant(ruleset, s->reads.names, s->reads.count, handled & READS);
  grant(ruleset, s->changes.names, s->changes.count, handled & (fetches ? ~(READS | RUNS) : CHANGES));
  if (fetches)
    grant_own_folder(ruleset);
  if (s->allow & (SANDBOX_TOOL | SANDBOX_FETCH))
    grant_system(ruleset, handled);
}

static int restrict_to(int ruleset) {
  long result = syscall(SYS_landlock_restrict_self, ruleset, 0);
  insist(result);
  close(ruleset);
  return result == 0 ? 0 : -1;
}

/* struct landlock_ruleset_attr, of which some headers know only the start. */
struct rules {
  uint64_t files, ports, scopes;
};

#define SCOPED 6L             /* the version from which on scopes are known */
#define SCOPES (1U | 1U << 1) /* LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET, LANDLOCK_SCOPE_SIGNAL */

static int make_rules(uint64_t handled, long version) {
  struct rules rules = {.files = handled, .scopes = version < SCOPED ? 0 : SCOPES};
  size_t size = version < SCOPED ? sizeof rules.files : sizeof rules;
  int fd = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
  insist(fd);
  return fd;
}

static int restrict_files(const struct sandbox_scope *s) {
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version <
      (s->allow & SANDBOX_FETCH ? 2 : 1)) /* the first forbids any rename from one folder to another */
    return -1;
  uint64_t all = known_access(version);
  uint64_t handled = s->allow & SANDBOX_FETCH     ? all & ~READS
                     : s->allow & SANDBOX_NETWORK ? all & ~(READS | LANDLOCK_ACCESS_FS_REMOVE_DIR)
                                                  : all;
  int fd = make_rules(handled, version);
  if (fd < 0)
    return -1;
  grant_scope(fd, s, handled);
  return restrict_to(fd);
}

static void sandbox_add_name(struct sandbox_names *n, const char *name) {
  n->names = xreallocarray(n->names, n->count + 1, sizeof *n->names);
  n->names[n->count++] = xstrdup(name);
}

static void sandbox_release_names(struct sandbox_names *n) {
  for (size_t i = 0; i < n->count; i++)
    free(n->names[i]);
  free(n->names);
  *n = (struct sandbox_names){NULL, 0};
}

void sandbox_may_read(struct sandbox_scope *s, const char *name) {
  sandbox_add_name(&s->reads, name);
}

void sandbox_may_change(struct sandbox_scope *s, const char *name) {
  sandbox_add_name(&s->changes, name);
}

enum sandbox_state sandbox_enter_scope(struct sandbox_scope *s) {
  int files = 0, calls = -1;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) {
    /* before seccomp denies Landlock's own system calls */
    files = !SANDBOX_SANITIZED && restrict_files(s) == 0;
    calls = restrict_calls(s->allow);
    insist(calls);
  }
  sandbox_release_names(&s->reads);
  sandbox_release_names(&s->changes);
  return calls != 0 ? SANDBOX_NONE : files ? SANDBOX_BOTH : SANDBOX_SECCOMP;
}

enum sandbox_state sandbox_enter(unsigned allow, const char *const *names, size_t count) {
  struct sandbox_scope s = {.allow = allow};
  for (size_t i = 0; i < count; i++)
    sandbox_add_name(allow & SANDBOX_FETCH ? &s.changes : &s.reads, names[i]);
  return sandbox_enter_scope(&s);
}

void sandbox_no_more_changes(void) {
  int fd = SANDBOX_SANITIZED ? -1 : make_rules(known_access(1) & ~(READS | RUNS), 1);
  if (fd >= 0)
    restrict_to(fd);
}

const char *sandbox_offered(void) {
  uint32_t action = SECCOMP_RET_ERRNO;
#ifndef SYSCALL_FILTER_ARCH
  return "none (BID has no filter for this processor)";
#endif
  if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) != 0)
    return "none (the kernel has no seccomp filters)";
  return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) < 1
             ? "seccomp (the kernel has no Landlock)"
             : "seccomp and Landlock";
}
