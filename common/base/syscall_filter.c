#include "base/syscall_filter.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ABI_X32 0x40000000U /* of x86-64, with 32-bit pointers and numbers of its own */
#define RELOADED 2          /* instructions at the end of a rule with conditions */

static void emit(struct syscall_filter *f, struct sock_filter instruction) {
  if (f->count < SYSCALL_FILTER_MAX)
    f->code[f->count++] = instruction;
  else
    f->overflowed = 1;
}

static void emit_statement(struct syscall_filter *f, uint16_t code, uint32_t k) {
  emit(f, (struct sock_filter)BPF_STMT(code, k));
}

static void emit_load(struct syscall_filter *f, size_t offset) {
  emit_statement(f, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset);
}

static void emit_jump(struct syscall_filter *f, uint16_t test, uint32_t k, size_t yes, size_t no) {
  emit(f, (struct sock_filter)BPF_JUMP((uint16_t)(BPF_JMP | test | BPF_K), k, (uint8_t)yes, (uint8_t)no));
}

void syscall_filter_begin(struct syscall_filter *f) {
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

/* BPF compares 32 bits at a time. */
struct half {
  size_t offset;
  uint32_t mask, value;
};

/* The halves that the mask looks at, the high one first; their number. */
static size_t halves_of(const struct syscall_condition *c, struct half halves[2]) {
  size_t low = offsetof(struct seccomp_data, args) + c->argument * sizeof(uint64_t), n = 0;
  if (c->mask >> 32 != 0)
    halves[n++] =
        (struct half){low + sizeof(uint32_t), (uint32_t)(c->mask >> 32), (uint32_t)(c->value >> 32)};
  if ((uint32_t)c->mask != 0)
    halves[n++] = (struct half){low, (uint32_t)c->mask, (uint32_t)c->value};
  return n;
}

static size_t length_of_half(const struct half *h) {
  return h->mask == UINT32_MAX ? 2 : 3;
}

static size_t length_of_condition(const struct syscall_condition *c) {
  struct half halves[2];
  size_t length = 0;
  for (size_t n = halves_of(c, halves); n-- > 0;)
    length += length_of_half(&halves[n]);
  return length;
}

static size_t length_of_conditions(const struct syscall_condition *conditions, size_t count) {
  size_t length = 0;
  for (size_t i = 0; i < count; i++)
    length += length_of_condition(&conditions[i]);
  return length;
}

/* Goes on behind itself where it holds, and otherwise over beyond instructions more. */
static void emit_condition(struct syscall_filter *f, const struct syscall_condition *c, size_t beyond) {
  struct half halves[2];
  size_t count = halves_of(c, halves), left = length_of_condition(c);
  for (size_t i = 0; i < count; i++) {
    int last = i + 1 == count;
    left -= length_of_half(&halves[i]);
    emit_load(f, halves[i].offset);
    if (halves[i].mask != UINT32_MAX)
      emit_statement(f, BPF_ALU | BPF_AND | BPF_K, halves[i].mask);
    if (c->negated)
      emit_jump(f, BPF_JEQ, halves[i].value, last ? beyond : 0, left);
    else
      emit_jump(f, BPF_JEQ, halves[i].value, 0, left + beyond);
  }
}

void syscall_filter_add(struct syscall_filter *f, int number, uint32_t action,
                        const struct syscall_condition *conditions, size_t count) {
  size_t left = length_of_conditions(conditions, count);
  size_t length = count == 0 ? 1 : left + RELOADED;
  if (number < 0)
    return;
  if (length > UINT8_MAX) {
    f->overflowed = 1;
    return;
  }
  emit_jump(f, BPF_JEQ, (uint32_t)number, 0, length);
  for (size_t i = 0; i < count; i++) {
    left -= length_of_condition(&conditions[i]);
    emit_condition(f, &conditions[i], left + 1);
  }
  emit_statement(f, BPF_RET | BPF_K, action);
  if (count > 0)
    emit_load(f, offsetof(struct seccomp_data, nr));
}

void syscall_filter_end(struct syscall_filter *f, uint32_t action) {
  emit_statement(f, BPF_RET | BPF_K, action);
}

int syscall_filter_load(const struct syscall_filter *f) {
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
