/* vector.h: nearest-neighbour search by scanning: quantised rows, 1-bit sketches, and the kernels for both.
 *
 * A row of `dims` numbers is stored as `width` components (dims rounded up to a multiple of 64, padded with zeros).
 * Component i is scale * (v - 2048) with v of 12 bits, about the precision of float16.  The bits of v are stored in
 * two parts, so that a scan reads only what it needs:
 *
 *   high     upper 4 bits   scanned; byte 32g + j has component 64g + j in its low half and 64g + 32 + j in
 *                           its high half
 *   low      lower 8 bits   read for the best rows of a scan
 *   scale    float
 *   sketch   1 bit          scanned first where measurements showed that to be safe
 *
 * Sketches follow RaBitQ (Gao and Long, SIGMOD 2024).  A row is rotated (an orthogonal transform of sign changes and
 * Hadamard butterflies) and split into `along` times the block's axis (the direction of the mean of its rows) and a
 * residual r.  Of r the signs are kept, and `factor` = |r|^2 / sum |r_i|, which makes factor * (sum of +-q_i) an
 * unbiased estimate of its inner product.  Subtracting the mean from the rows only, as is usual, leaves the query's
 * component along the mean in the error: with passages of filings as queries that needed four times the candidates.
 * Eight rows are interleaved word by word, for registers of eight words.
 *
 * The score is the inner product with the query (the cosine where both have length 1); higher is nearer.  Rows are
 * excluded by a bitmap or by ranges before anything is computed, so there are always k hits where k rows are allowed.
 * This module knows nothing of the store, allocates only during a search, and can't fail.
 */
#ifndef BID_VECTOR_H
#define BID_VECTOR_H

#include <stddef.h>
#include <stdint.h>

#define VECTOR_DIMS_MAX 4096

static inline size_t vector_width(size_t dims) {
  return (dims + 63) / 64 * 64;
}

/* Number of groups of eight rows, the last one padded. */
static inline size_t vector_groups(size_t rows) {
  return (rows + 7) / 8;
}

/* Arrays whose reads are announced by touch(), so that they can be verified block by block. */
enum vector_array { VECTOR_HIGH, VECTOR_LOW, VECTOR_SKETCHES, VECTOR_FACTORS };

/* Rows of one block (of a segment of the store).  The arrays are 64-byte aligned and owned by the caller. */
struct vector_rows {
  size_t rows, dims, width;
  const uint8_t *high;    /* [rows][width / 2] */
  const uint8_t *low;     /* [rows][width] */
  const float *scale;     /* [rows] */
  const uint64_t *sketch; /* [groups][width / 64][8] */
  const uint16_t *factor; /* [groups][2][8]: factor and along, as upper halves of floats */
  const float *axis;      /* [width], rotated, of length 1 (or 0) */
  /* Called before bytes [from, to) of an array are read, by any thread; may be NULL. */
  void (*touch)(void *arg, enum vector_array array, size_t from, size_t to);
  void *touch_arg;
};

/* One part of the search space: rows [from, to) of a block whose bit is set in `allow` (bit r % 64 of word r / 64,
 * counted from the block's row 0), or all of them where it is NULL. */
struct vector_part {
  const struct vector_rows *rows;
  uint32_t from, to;
  const uint64_t *allow;
};

struct vector_hit {
  float score;
  uint32_t part; /* index of the part */
  uint32_t row;  /* row within its block */
};

enum vector_how {
  VECTOR_PRUNED, /* scans 4 bits of every row, then 12 bits of all rows that could be among the best, with
                    a bound of 4.5 standard deviations of the quantisation error: it could miss one row in
                    150,000 */
  VECTOR_SKETCH, /* scans 1 bit of every row, then 12 bits of the best `candidates`; same as pruned, which is
                    then faster, where there are fewer than 8 rows per candidate */
  VECTOR_EXACT   /* scans 12 bits of every row without a bound: half as fast as pruned; the oracle of the
                    others */
};

struct vector_query {
  const float *query; /* [dims], any length */
  size_t k;           /* hits requested, at most 10,000 */
  enum vector_how how;
  size_t candidates; /* for VECTOR_SKETCH; 0: 400 */
  int threads;       /* maximum number of threads; 0: all cores, one per 131,072 rows */
  size_t rescore;    /* minimum number of rows compared with 12 bits; 0: max(40, 4k) */
};

/* Fills hits[k], best first, ties ordered by part and row; independent of the number of threads.  Returns how many
 * (k, or all that are allowed).  All parts must have the same dims. */
size_t vector_search(const struct vector_part *parts, size_t count, const struct vector_query *q,
                     struct vector_hit *hits);

/* Quantises one vector into high[width / 2] and low[width] and returns its scale.  NaN and infinite components count
 * as 0.  Quantising the result of vector_restore() with its own scale gives the same row; scale 0, or one that the
 * components are no multiples of, chooses the scale. */
float vector_quantize(const float *x, size_t dims, float scale, uint8_t *high, uint8_t *low);

/* Restores a row as dims floats. */
void vector_restore(const struct vector_rows *r, size_t row, float *out);

/* Computes axis, sketches and factors of rows (which have high, low and scale) into arrays of the sizes above. */
void vector_make_sketches(const struct vector_rows *r, uint64_t *sketch, uint16_t *factor, float *axis);

/* Prefetches a row that will be scored soon. */
void vector_fetch(const struct vector_rows *r, size_t row);

/* Inner product of one row (12 bits) and the query. */
float vector_score(const struct vector_rows *r, size_t row, const float *query);

/* Inner product of float vectors. */
float vector_dot(const float *a, const float *b, size_t dims);

/* vector_kernels(): name of the kernels in use: "avx512", "avx2", "scalar".  vector_force() selects one for tests,
 * NULL for the best one: 0, or -1 where this machine can't run it. */
const char *vector_kernels(void);
int vector_force(const char *name);

#endif
