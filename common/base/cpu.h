/* cpu.h: run-time detection of CPU features; the only module that queries the processor. */
#ifndef BID_CPU_H
#define BID_CPU_H

/* Instruction sets that kernels are written for, as bits of a mask.  None is reported on processors other than
 * x86-64. */
enum cpu_feature {
  CPU_AVX2 = 1,          /* AVX2, FMA, POPCNT (Haswell, 2013) */
  CPU_AVXVNNI = 2,       /* AVX2 and AVX-VNNI (Alder Lake, 2021) */
  CPU_AVX512 = 4,        /* AVX-512 F, BW, VL, DQ (Skylake-X, 2017) */
  CPU_AVX512_VNNI = 8,   /* and VNNI */
  CPU_AVX512_POPCNT = 32 /* and AVX512_VPOPCNTDQ */
};

/* Whether all features of the mask are available.  May be called from constructors. */
int cpu_has(unsigned features);

/* The name of the widest usable set, for display: "avx512-vnni", "avx512", "avx2" or "plain"; static. */
const char *cpu_name(void);

#endif
