/* vector_kernels.h: the inner loops of vector.c, one table a kind of processor; private to vector*.c. */
#ifndef BID_VECTOR_KERNELS_H
#define BID_VECTOR_KERNELS_H

#include <stddef.h>
#include <stdint.h>

struct vector_kernels {
  const char *name;
  int (*runs_here)(void);
  /* Inner products of `count` rows [count][width] with q, whose components add up to `sum`; width is a
   * multiple of 64. */
  void (*dots)(const int8_t *rows, size_t count, size_t width, const int8_t *q, int32_t sum, int32_t *out);
  /* Scores of `count` sketches of `words` words for a query in four bit planes [4][words], the highest one of
   * negative weight: sum over set bits of the query's component (-8 to 7), plus 512 * words, so never
   * negative. */
  void (*sketches)(const uint64_t *rows, size_t count, size_t words, const uint64_t *planes, uint16_t *out);
  /* Positions of the scores that are at least `least`, ascending; how many. */
  size_t (*reach)(const uint16_t *scores, size_t count, uint16_t least, uint32_t *out);
};

/* Best first, ended by an entry without name; the last one, "scalar", runs anywhere and is the oracle. */
extern const struct vector_kernels vector_kernel_list[];

#endif
