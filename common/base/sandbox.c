#include "base/sandbox.h"
#include "base/child.h"
#include "base/diag.h"
#include "base/sandbox_calls.h"
#include "base/xalloc.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sysexits.h>
#include <unistd.h>

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

/* A kernel that can hold the process, but didn't for want of something, isn't one that can't. */
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
  if (child_path("", path) == 0)
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
  long held = syscall(SYS_landlock_restrict_self, ruleset, 0);
  insist(held);
  close(ruleset);
  return held == 0 ? 0 : -1;
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

static int hold_files(const struct sandbox_scope *s) {
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
    files = !SANDBOX_SANITIZED && hold_files(s) == 0;
    calls = sandbox_calls_hold(s->allow);
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
