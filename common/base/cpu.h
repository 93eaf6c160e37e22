/* cpu.h: what this processor can do beyond its base instruction set: the one place that asks it. */
#ifndef BID_CPU_H
#define BID_CPU_H

/* Sets of instructions that kernels are written for, bits of a mask.  Other processors than x86-64 have none. */
enum cpu_feature {
  CPU_AVX2 = 1,           /* AVX2, FMA, POPCNT (Haswell, 2013) */
  CPU_AVXVNNI = 2,        /* AVX2 and AVX-VNNI (Alder Lake, 2021) */
  CPU_AVX512 = 4,         /* AVX-512 F, BW, VL, DQ (Skylake-X, 2017) */
  CPU_AVX512_VNNI = 8,    /* and VNNI */
  CPU_AVX512_VBMI = 16,   /* and VBMI */
  CPU_AVX512_POPCNT = 32, /* and VPOPCNTDQ */
  CPU_AMX = 64            /* AMX tiles and int8, lent to the process by the kernel; with CPU_AVX512_VNNI */
};

/* Whether all features of the mask are there.  Constructors may ask, too. */
int cpu_has(unsigned features);

/* For people: "avx512-vnni", "avx512", "avx2" or "plain"; static. */
const char *cpu_name(void);

#endif
