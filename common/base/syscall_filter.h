/* syscall_filter.h: a seccomp filter, made as a program of classic BPF (seccomp(2)) in memory of the caller's, so that
 * making it can't run out of memory.
 *
 * The rules are tried in the order in which they are added; the first that applies decides.  A call of another
 * architecture than the program's own ends the process; one of x32 gets ENOSYS.  Known are 64-bit processors that pass arguments in the order
 * of the C prototype: SYSCALL_FILTER_ARCH is defined there. */
#ifndef BID_SYSCALL_FILTER_H
#define BID_SYSCALL_FILTER_H

#include <linux/audit.h>
#include <linux/filter.h>
#include <stddef.h>
#include <stdint.h>

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

struct syscall_filter {
  struct sock_filter code[SYSCALL_FILTER_MAX];
  size_t count;
  int overflowed;
};

/* Holds where (argument & mask) == value, or != where negated. */
struct syscall_condition {
  unsigned argument; /* 0 to 5 */
  uint64_t mask, value;
  int negated;
};

void syscall_filter_begin(struct syscall_filter *f);

/* action is a SECCOMP_RET_*; applies where all count conditions hold.  A negative number is of a call that the
 * processor doesn't have: no rule. */
void syscall_filter_add(struct syscall_filter *f, int number, uint32_t action,
                        const struct syscall_condition *conditions, size_t count);

/* action is for calls to which no rule applies. */
void syscall_filter_end(struct syscall_filter *f, uint32_t action);

/* For the calling thread and those that it starts.  0, or -1 with errno: the kernel's, ENOSYS on an unknown processor,
 * E2BIG for more rules than fit.  no_new_privs has to be set. */
int syscall_filter_load(const struct syscall_filter *f);

#endif
