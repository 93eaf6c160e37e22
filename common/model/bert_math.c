#include "model/bert_math.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>

static int has_vnni(void) {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vnni");
}

/* AMX's tiles are lent to a process by the kernel on request (arch_prctl(2), ARCH_REQ_XCOMP_PERM). */
static int has_amx(void) {
  unsigned a, b, c, d;
  if (!has_vnni() || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(d & 1u << 24) || !(d & 1u << 25))
    return 0;
  return syscall(SYS_arch_prctl, 0x1023, 18) == 0;
}

static int has_avx2(void) {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static int has_avxvnni(void) {
  unsigned a, b, c, d;
  return has_avx2() && __get_cpuid_count(7, 1, &a, &b, &c, &d) && a & 1u << 4;
}
#endif

static int has_base(void) {
  return 1;
}

const struct bert_math *bert_math_best(const char *name) {
  static const struct {
    const struct bert_math *math;
    int (*there)(void);
  } kinds[] = {
#if defined(__x86_64__)
    {&bert_math_amx, has_amx},
    {&bert_math_vnni, has_vnni},
    {&bert_math_avxvnni, has_avxvnni},
    {&bert_math_avx2, has_avx2},
#endif
    {&bert_math_base, has_base}
  };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if ((name == NULL || strcmp(name, kinds[i].math->name) == 0) && kinds[i].there())
      return kinds[i].math;
  return NULL;
}
