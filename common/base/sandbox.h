/* sandbox.h: dropping privileges of the running process for good, since filings, model inputs and connectors are
 * untrusted.
 *
 * To be entered once everything needed is open.  System calls are restricted by seccomp: a call
 * that is not allowed fails with EPERM.  File access is also restricted by Landlock where the kernel has it (5.13):
 * without it, a process that may read the named files may read any.
 * Neither can be undone, and threads and children inherit both.  no_new_privs is set.  Where the kernel has them and
 * lacks memory or descriptors for them now, the program ends with 71 (EX_OSERR).
 */
#ifndef BID_SANDBOX_H
#define BID_SANDBOX_H

#include <linux/audit.h>
#include <linux/filter.h>
#include <stddef.h>
#include <stdint.h>

/* What stays allowed besides I/O on open descriptors, memory, time and threads. */
enum sandbox_allow {
  SANDBOX_READ_FILES = 1, /* opening the named files for reading, for operands that are opened one by one */
  SANDBOX_AGAIN = 2,      /* entering a stricter sandbox later */
  /* For a child that executes a third-party tool (pdftotext): everything but network, writing, ptrace and
   * administrative calls; reads and executes only what is installed with the system. */
  SANDBOX_TOOL = 4,
  /* For a process that fetches: network, reading, and changes in the named folders; runs what lies beside it, or is
   * installed with the system. */
  SANDBOX_FETCH = 8,
  /* Making, changing and removing files in the named folders, as LMDB does beside a store, and reading the named files. */
  SANDBOX_CHANGE_FILES = 16,
  /* For a process that talks to a server and runs no program: network, reading, removing empty folders, and changes in
   * the named ones. */
  SANDBOX_NETWORK = 32
};

/* The protection in force afterwards. */
enum sandbox_state {
  SANDBOX_NONE,    /* the kernel has no seccomp filters: the process goes on unrestricted */
  SANDBOX_SECCOMP, /* system calls only */
  SANDBOX_BOTH     /* system calls and files */
};

/* With SANDBOX_READ_FILES, names says which files may still be opened, and folders with everything in them; with
 * SANDBOX_FETCH, what may be changed.  They are looked up once, now: one that is missing, or is replaced later, can't
 * be opened then. */
enum sandbox_state sandbox_enter(unsigned allow, const char *const *names, size_t count);

/* What a process may still open by name where it reads some files and changes others; zeroed at first. */
struct sandbox_scope {
  unsigned allow;
  struct sandbox_names {
    char **names;
    size_t count;
  } reads, changes;
};

/* Add a file, or a folder with everything in it; the name is copied. */
void sandbox_may_read(struct sandbox_scope *s, const char *name);
void sandbox_may_change(struct sandbox_scope *s, const char *name);

/* Enters, and frees the names.  To be called before other threads are started, which would not be restricted. */
enum sandbox_state sandbox_enter_scope(struct sandbox_scope *s);

/* In a sandbox with SANDBOX_CHANGE_FILES: from now on no file can be made, opened for writing or removed. */
void sandbox_no_more_changes(void);

/* What sandbox_enter() would achieve, for display: "seccomp and Landlock", "seccomp", "none (...)"; static. */
const char *sandbox_offered(void);

/* ---- a seccomp filter, made as a program of classic BPF (seccomp(2)) in memory of the caller's, so that making it can't run out of memory. ---- */

#if defined __x86_64__ && defined __LP64__
#define SYSCALL_FILTER_ARCH AUDIT_ARCH_X86_64
#elif defined __aarch64__ && defined __LP64__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define SYSCALL_FILTER_ARCH AUDIT_ARCH_AARCH64
#elif defined __riscv && __riscv_xlen == 64
#define SYSCALL_FILTER_ARCH AUDIT_ARCH_RISCV64
#elif defined __powerpc64__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define SYSCALL_FILTER_ARCH AUDIT_ARCH_PPC64LE
#endif

#define SYSCALL_FILTER_MAX 1024 /* instructions */

struct sandbox_filter {
  struct sock_filter code[SYSCALL_FILTER_MAX];
  size_t count;
  int overflowed;
};

/* Holds where (argument & mask) == value, or != where negated.  Of an argument only the lower 32 bits count: the kernel takes
 * no more of those that are looked at, descriptors, commands and flags. */
struct syscall_condition {
  unsigned argument; /* 0 to 5 */
  uint32_t mask, value;
  int negated;
};

void sandbox_filter_begin(struct sandbox_filter *f);

/* action is a SECCOMP_RET_*; applies where all count conditions hold.  A negative number is of a call that the
 * processor doesn't have: no rule. */
void sandbox_filter_add(struct sandbox_filter *f, int number, uint32_t action,
                        const struct syscall_condition *conditions, size_t count);

/* action is for calls to which no rule applies. */
void sandbox_filter_end(struct sandbox_filter *f, uint32_t action);

/* For the calling thread and those that it starts.  0, or -1 with errno: the kernel's, ENOSYS on an unknown processor,
 * E2BIG for more rules than fit.  no_new_privs has to be set. */
int sandbox_filter_load(const struct sandbox_filter *f);

#endif
