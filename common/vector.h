/* vector.h: nearest neighbours by scanning: quantised rows, 1-bit sketches, and the kernels for both.
 *
 * A row of `dims` numbers is kept in `width` components (dims rounded up to a multiple of 64, the rest zero):
 *
 *   scale   float      component i is scale * (16 * high[i] + low[i]): 12 bits, about as fine as float16
 *   high    int8       -127 to 127; scanned
 *   low     4 bits     -8 to 7, two a byte, the even component in the low nibble; only for re-scoring
 *   sketch  1 bit      whether a component is above 0; scanned first where that was measured to be safe
 *
 * The score is the inner product with the query (the cosine where both have length 1), higher is nearer.
 * Rows that the caller doesn't want are left out by a bitmap or by ranges, before anything is computed, so
 * there are always k hits where k rows are allowed.  Nothing here knows of the store, allocates past a
 * search, or fails.
 */
#ifndef BID_VECTOR_H
#define BID_VECTOR_H

#include <stddef.h>
#include <stdint.h>

#define VECTOR_DIMS_MAX 4096

static inline size_t vector_width(size_t dims) {
  return (dims + 63) / 64 * 64;
}

/* Rows of one block (of a segment of the store); the arrays are 64-byte aligned and belong to the caller. */
struct vector_rows {
  size_t rows, dims, width;
  const int8_t *high;     /* [rows][width] */
  const uint8_t *low;     /* [rows][width / 2] */
  const float *scale;     /* [rows] */
  const uint64_t *sketch; /* [rows][width / 64] */
};

/* One part of what is searched: rows [from, to) of a block, those whose bit is set in `allow` (bit r % 64 of
 * word r / 64, counted from the block's row 0), or all where it is NULL. */
struct vector_part {
  const struct vector_rows *rows;
  uint32_t from, to;
  const uint64_t *allow;
};

struct vector_hit {
  float score;
  uint32_t part; /* index into the parts given */
  uint32_t row;  /* of its block */
};

enum vector_how {
  VECTOR_EXACT,  /* int8 over every row, the best re-scored with all 12 bits */
  VECTOR_SKETCH, /* 1-bit over every row, the best `candidates` with int8, the best of those with 12 bits;
                  * exact where there are fewer than 8 rows a candidate, since that is faster */
  VECTOR_FLOAT   /* 12 bits over every row: slow; the oracle of tests and of measuring */
};

struct vector_query {
  const float *query; /* [dims], any length */
  size_t k;           /* hits wanted, at most 10,000 */
  enum vector_how how;
  size_t candidates; /* of VECTOR_SKETCH; 0: 400 */
  int threads;       /* most to use; 0: all cores, one for each 131,072 rows */
  size_t rescore;    /* rows re-scored with 12 bits; 0: max(40, 4k) */
};

/* Fills hits[k], best first, whatever the number of threads, ties by part and row; returns how many (k, or
 * all that are allowed).  Parts must have the same dims. */
size_t vector_search(const struct vector_part *parts, size_t count, const struct vector_query *q,
                     struct vector_hit *hits);

/* Quantises one vector into a row (high[width], low[width / 2], sketch[width / 64]); returns its scale.
 * Not-a-number and infinite components count as 0.  Quantising what vector_restore() gives with its scale as
 * `scale` gives the same row; `scale` is 0 to choose it. */
float vector_quantize(const float *x, size_t dims, float scale, int8_t *high, uint8_t *low, uint64_t *sketch);

/* The row back as dims floats. */
void vector_restore(const struct vector_rows *r, size_t row, float *out);

/* Inner product of one row (12 bits) and the query. */
float vector_score(const struct vector_rows *r, size_t row, const float *query);

/* Inner product of float vectors. */
float vector_dot(const float *a, const float *b, size_t dims);

/* Name of the kernels in use: "avx512-vnni", "avx2", "scalar"; vector_force() picks one for tests, NULL for
 * the best of this machine.  0, or -1 where it can't run here. */
const char *vector_kernels(void);
int vector_force(const char *name);

/* int8 inner products of rows from..to of a [rows][width] array with q[width] (components -127 to 127) into
 * out[to - from].  Exact integers, whatever the kernel. */
void vector_dots_int8(const int8_t *rows, size_t from, size_t to, size_t width, const int8_t *q,
                      int32_t *out);

/* Scores of sketches of `words` words: the sum of the query's components (4 bits, in bit planes [4][words],
 * see vector_planes()) where the row's bit is set, plus 512 * words.  A larger one means nearer.  Exact
 * integers. */
void vector_sketches(const uint64_t *rows, size_t from, size_t to, size_t words, const uint64_t *planes,
                     uint16_t *out);
void vector_planes(const float *query, size_t dims, uint64_t *planes);

#endif
