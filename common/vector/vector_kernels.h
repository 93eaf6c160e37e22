/* vector_kernels.h: the inner loops of vector*.c, one table per kind of processor; private to vector*.c and their
 * tests.  All kernels give identical results. */
#ifndef BID_VECTOR_KERNELS_H
#define BID_VECTOR_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/* Parameters that convert the weighted bit count of a sketch to an estimate: axis * along + factor * (unit * count +
 * offset). */
struct vector_sketch_scale {
  float unit, offset, axis;
};

struct vector_kernels {
  const char *name;
  int (*runs_here)(void);
  /* For `count` rows [count][half]: the sum of q[i] * low half of byte i + q[half + i] * high half; half is a
   * multiple of 32, at most VECTOR_DIMS_MAX / 2. */
  void (*nibbles)(const uint8_t *rows, size_t count, size_t half, const int8_t *q, int32_t *out);
  /* Estimates for 8 * `groups` rows [groups][words][8] with a query in four bit planes [4][words], the highest one
   * with negative weight. */
  void (*sketches)(const uint64_t *rows, size_t groups, size_t words, const uint64_t *planes,
                   const uint16_t *factor, const struct vector_sketch_scale *s, float *out);
  /* The positions of the scores that are at least `least`, ascending; returns how many. */
  size_t (*reach)(const float *scores, size_t count, float least, uint32_t *out);
  /* Inner product of a row's 12 bits (minus 2048) and query[2 * half]. */
  float (*score)(const uint8_t *high, const uint8_t *low, size_t half, const float *query);
};

/* Best first, ended by an entry without a name; the last one, "scalar", runs anywhere and is the oracle. */
extern const struct vector_kernels vector_kernel_list[];

/* The kernels in use. */
const struct vector_kernels *vector_kernels_used(void);

#endif
