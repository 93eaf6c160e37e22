/* The filter's program, run by an interpreter of the few instructions that it has. */
#include "base/sandbox.h"
#include "test.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <stdlib.h>

#define ALLOW ((long long)SECCOMP_RET_ALLOW)
#define NO(error) ((long long)(SECCOMP_RET_ERRNO | (error)))
#define EVERY_BIT UINT32_MAX
#define HIGH_ONE (1ULL << 32)

static const struct sock_filter *step(const struct sock_filter *at, const struct seccomp_data *call,
                                      uint32_t *a) {
  int holds = BPF_OP(at->code) == BPF_JEQ ? *a == at->k : *a >= at->k;
  if (BPF_CLASS(at->code) == BPF_LD)
    memcpy(a, (const char *)call + at->k, sizeof *a);
  else if (BPF_CLASS(at->code) == BPF_ALU)
    *a &= at->k;
  else
    return at + 1 + (holds ? at->jt : at->jf);
  return at + 1;
}

static long long decide_call(const struct sandbox_filter *f, const struct seccomp_data *call) {
  const struct sock_filter *at = f->code;
  uint32_t a = 0;
  while (at < f->code + f->count && BPF_CLASS(at->code) != BPF_RET)
    at = step(at, call, &a);
  return at < f->code + f->count ? (long long)at->k : -1;
}

#ifdef SYSCALL_FILTER_ARCH
static long long decide(const struct sandbox_filter *f, int number, uint64_t first, uint64_t second) {
  struct seccomp_data call = {.nr = number, .arch = SYSCALL_FILTER_ARCH, .args = {first, second}};
  return decide_call(f, &call);
}

TEST(the_first_rule_that_applies_decides) {
  struct sandbox_filter f;
  const struct syscall_condition seven = {0, EVERY_BIT, 7, 0};
  sandbox_filter_begin(&f);
  sandbox_filter_add(&f, 3, SECCOMP_RET_ERRNO | EPERM, &seven, 1);
  sandbox_filter_add(&f, 3, SECCOMP_RET_ALLOW, NULL, 0);
  sandbox_filter_add(&f, 3, SECCOMP_RET_ERRNO | EIO, NULL, 0);
  sandbox_filter_add(&f, -1, SECCOMP_RET_ERRNO | EIO, NULL, 0);
  sandbox_filter_add(&f, 4, SECCOMP_RET_ERRNO | EBUSY, NULL, 0);
  sandbox_filter_end(&f, SECCOMP_RET_ERRNO | ENOENT);
  CHECK_INT(decide(&f, 3, 7, 0), NO(EPERM));
  CHECK_INT(decide(&f, 3, 8, 7), ALLOW);
  CHECK_INT(decide(&f, 4, 7, 0), NO(EBUSY));
  CHECK_INT(decide(&f, 0, 7, 0), NO(ENOENT));
  CHECK_INT(f.overflowed, 0);
}

TEST(conditions_look_at_the_lower_32_bits_under_the_mask) {
  static const struct {
    struct syscall_condition when;
    uint64_t argument;
    int holds;
  } cases[] = {
      {{0, EVERY_BIT, 5, 0}, 5, 1},
      {{0, EVERY_BIT, 5, 0}, HIGH_ONE | 5, 1},
      {{0, EVERY_BIT, 5, 0}, HIGH_ONE, 0},
      {{0, EVERY_BIT, 5, 0}, HIGH_ONE | 4, 0},
      {{0, 0xf0, 0x10, 0}, 0x1f, 1},
      {{0, 0xf0, 0x10, 0}, 0x3f, 0},
      {{0, EVERY_BIT, 0, 1}, 0, 0},
      {{0, EVERY_BIT, 0, 1}, 1, 1},
      {{0, EVERY_BIT, 0, 1}, HIGH_ONE, 0},
      {{0, EVERY_BIT, 1, 1}, HIGH_ONE | 1, 0},
      {{0, 0, 0, 0}, 9, 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct sandbox_filter f;
    const struct syscall_condition both[] = {cases[i].when, {1, EVERY_BIT, 2, 0}};
    const struct syscall_condition turned[] = {both[1], both[0]};
    sandbox_filter_begin(&f);
    sandbox_filter_add(&f, 1, SECCOMP_RET_ERRNO | EPERM, &cases[i].when, 1);
    sandbox_filter_add(&f, 2, SECCOMP_RET_ERRNO | EPERM, both, 2);
    sandbox_filter_add(&f, 3, SECCOMP_RET_ERRNO | EPERM, turned, 2);
    sandbox_filter_add(&f, 1, SECCOMP_RET_ERRNO | EIO, NULL,
                       0); /* the number is known after a rule that failed */
    sandbox_filter_end(&f, SECCOMP_RET_ALLOW);
    CHECK_INT(decide(&f, 1, cases[i].argument, 0), cases[i].holds ? NO(EPERM) : NO(EIO));
    for (int number = 2; number < 4; number++) {
      CHECK_INT(decide(&f, number, cases[i].argument, 2), cases[i].holds ? NO(EPERM) : ALLOW);
      CHECK_INT(decide(&f, number, cases[i].argument, 3), ALLOW);
    }
    CHECK_INT(decide(&f, 4, cases[i].argument, 2), ALLOW);
  }
}

TEST(calls_of_other_architectures_never_pass) {
  struct sandbox_filter f;
  sandbox_filter_begin(&f);
  sandbox_filter_end(&f, SECCOMP_RET_ALLOW);
  struct seccomp_data call = {.nr = 1, .arch = AUDIT_ARCH_I386};
  CHECK_INT(decide_call(&f, &call), SECCOMP_RET_KILL_PROCESS);
#ifdef __x86_64__
  CHECK_INT(decide(&f, 0x40000001, 0, 0), NO(ENOSYS));
  CHECK_INT(decide(&f, 0x3fffffff, 0, 0), ALLOW);
#endif
}

TEST(more_rules_than_fit_are_not_loaded) {
  struct sandbox_filter f;
  struct syscall_condition many[90];
  sandbox_filter_begin(&f);
  for (int i = 0; i < SYSCALL_FILTER_MAX; i++)
    sandbox_filter_add(&f, i, SECCOMP_RET_ALLOW, NULL, 0);
  CHECK_INT(f.overflowed, 1);
  CHECK(f.count <= SYSCALL_FILTER_MAX);
  CHECK_INT(sandbox_filter_load(&f), -1);
  CHECK_INT(errno, E2BIG);
  for (size_t i = 0; i < sizeof many / sizeof *many; i++)
    many[i] = (struct syscall_condition){0, 1, 1, 0};
  sandbox_filter_begin(&f); /* longer than a jump */
  sandbox_filter_add(&f, 1, SECCOMP_RET_ALLOW, many, sizeof many / sizeof *many);
  sandbox_filter_end(&f, SECCOMP_RET_ALLOW);
  CHECK_INT(f.overflowed, 1);
  CHECK_INT(sandbox_filter_load(&f), -1);
}
#endif

int main(void) {
#ifdef SYSCALL_FILTER_ARCH
  RUN(the_first_rule_that_applies_decides);
  RUN(conditions_look_at_the_lower_32_bits_under_the_mask);
  RUN(calls_of_other_architectures_never_pass);
  RUN(more_rules_than_fit_are_not_loaded);
#endif
  return test_done();
}
