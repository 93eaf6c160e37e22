/* rank_kernels.h: adding remembered lists to scores, and finding the best of these.
 *
 * A list holds, for each row that has its term, the saturated term frequency of BM25: all of a score that
 * doesn't depend on the question.  Adding it is a multiplication and an addition a row, without a division
 * and without unpacking.  Rows are cut into chunks whose scores stay in the first cache while all terms of a
 * question are added.
 *
 * Where at least one row in eight has the term, a list is a bit a row and the values packed behind each
 * other: sixteen rows are one masked expansion, and cost the same wherever the bits are.  Other lists name
 * their rows. A full array of values, zeros included, was no faster even for terms that all rows have but its
 * memory.
 *
 * All kernels give the same bits: products and sums are rounded one by one in the same order.
 */
#ifndef BID_RANK_KERNELS_H
#define BID_RANK_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#define RANK_CHUNK 4096u /* rows */
#define RANK_WINDOW 256u /* rows of which the best score is kept; divides a chunk */
#define RANK_GROUP 16u   /* rows of a mask */

struct rank_list {
  uint32_t count, chunks;
  int dense;
  uint32_t *start; /* [chunks + 1] each chunk's first value */
  uint16_t *where; /* dense: [chunks * RANK_CHUNK / RANK_GROUP] which rows of sixteen, the lowest bit first;
                      else [count] rows of their chunk, ascending, with RANK_GROUP readable behind */
  float *value;    /* [count], with RANK_GROUP readable behind */
};

struct rank_kernels {
  const char *name;
  /* score[row of the chunk] += weight * value; score: [RANK_CHUNK]. */
  void (*add)(const struct rank_list *l, size_t chunk, float weight, float *score);
  /* best[i]: the highest of each window's scores, which aren't negative. */
  void (*best)(const float *score, size_t windows, float *best);
  /* How many of the list's rows of the chunk pass; passing: as a dense list's `where`, of the chunk. */
  uint32_t (*count)(const struct rank_list *l, size_t chunk, const uint16_t *passing);
  /* score[row] = 0 of those that don't pass; score: [RANK_CHUNK]. */
  void (*keep)(float *score, const uint16_t *passing);
  /* How many of n values reach `least`. */
  size_t (*reach)(const float *value, size_t n, float least);
  /* The rows among the first `count` (RANK_WINDOW at most) whose scores reach `least`, ascending.
   * rows: [RANK_WINDOW + RANK_GROUP].  Returns how many. */
  size_t (*above)(const float *score, uint32_t count, float least, uint32_t *rows);
};

/* The fastest that this processor runs, or the one named ("scalar", "avx512"); NULL where it can't run it. */
const struct rank_kernels *rank_kernels(const char *name);

#endif
