/* cpu.c: the CPU features that kernels need, and whether the operating system saves their registers. */
#include "base/cpu.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <stdatomic.h>

#define KNOWN (1u << 31) /* set once the mask has been detected */

static unsigned find_avx512(void) {
  unsigned found = CPU_AVX512;
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512vl") || !__builtin_cpu_supports("avx512dq"))
    return 0;
  found |= __builtin_cpu_supports("avx512vnni") ? CPU_AVX512_VNNI : 0u;
  found |= __builtin_cpu_supports("avx512vpopcntdq") ? CPU_AVX512_POPCNT : 0u;
  return found;
}

static unsigned find_features(void) {
  unsigned a, b, c, d, found = KNOWN;
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("popcnt"))
    found |= CPU_AVX2;
  if (found & CPU_AVX2 && __get_cpuid_count(7, 1, &a, &b, &c, &d) && a & 1u << 4)
    found |= CPU_AVXVNNI;
  return found | find_avx512();
}

int cpu_has(unsigned features) {
  static atomic_uint known;
  unsigned found = atomic_load(&known);
  if (!found)
    atomic_store(&known, found = find_features());
  return (found & features) == features;
}
#else
int cpu_has(unsigned features) {
  return features == 0;
}
#endif

const char *cpu_name(void) {
  if (cpu_has(CPU_AVX512))
    return cpu_has(CPU_AVX512_VNNI) ? "avx512-vnni" : "avx512";
  return cpu_has(CPU_AVX2) ? "avx2" : "plain";
}
