/* vector.h: nearest neighbours by scanning: quantised rows, 1-bit sketches, and the kernels for both.
 *
 * A row of `dims` numbers is kept in `width` components (dims rounded up to a multiple of 64, the rest zero).
 * Component i is scale * (v - 2048) with v of 12 bits, about as fine as float16, cut in two, so that a scan
 * reads what it needs and no more:
 *
 *   high     upper 4 bits   scanned; byte 32g + j has component 64g + j in its low half and 64g + 32 + j in
 *                           its high half
 *   low      lower 8 bits   for the best of a scan
 *   scale    float
 *   sketch   1 bit          scanned first where that was measured to be safe
 *
 * Sketches follow RaBitQ (Gao and Long, SIGMOD 2024).  A row is rotated (an orthogonal transform of sign
 * changes and Hadamard butterflies) and parted into `along` times the block's axis (the direction of the mean
 * of its rows: what all have in common) and a rest r; of r the signs are kept, and `factor` = |r|^2 / sum
 * |r_i|, which makes factor * (sum of +-q_i) an estimate of its inner product without bias.  Taking the mean
 * off the rows alone, as is usual, leaves its share of the query in the error: passages of filings as queries
 * needed four times the candidates.  Eight rows lie interleaved, word by word, for registers of eight words.
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

/* Groups of eight rows, the last one filled up. */
static inline size_t vector_groups(size_t rows) {
  return (rows + 7) / 8;
}

/* Arrays of which the reader is told before it reads them, so that they can be checked bit by bit. */
enum vector_array { VECTOR_HIGH, VECTOR_LOW, VECTOR_SKETCHES, VECTOR_FACTORS };

/* Rows of one block (of a segment of the store); the arrays are 64-byte aligned and belong to the caller. */
struct vector_rows {
  size_t rows, dims, width;
  const uint8_t *high;    /* [rows][width / 2] */
  const uint8_t *low;     /* [rows][width] */
  const float *scale;     /* [rows] */
  const uint64_t *sketch; /* [groups][width / 64][8] */
  const uint16_t *factor; /* [groups][2][8]: factor and along, the upper halves of floats */
  const float *axis;      /* [width], rotated, of length 1 (or 0) */
  /* Called before bytes [from, to) of an array are read, by any thread; NULL: nobody wants to know. */
  void (*touch)(void *arg, enum vector_array array, size_t from, size_t to);
  void *touch_arg;
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
  VECTOR_PRUNED, /* 4 bits of every row, 12 of all that could be among the best by a bound of 4.5 standard
                  * deviations of what the 4 bits leave out: one row in 150,000 could be missed by it */
  VECTOR_SKETCH, /* 1 bit of every row, 4 of the best `candidates`, 12 of those that are likely among the best
                  * (3 standard deviations); pruned where there are fewer than 8 rows a candidate, since that
                  * is faster */
  VECTOR_EXACT   /* 12 bits over every row, no bound: twice as slow as pruned; the oracle of the others */
};

struct vector_query {
  const float *query; /* [dims], any length */
  size_t k;           /* hits wanted, at most 10,000 */
  enum vector_how how;
  size_t candidates; /* of VECTOR_SKETCH; 0: 400 */
  int threads;       /* most to use; 0: all cores, one for each 131,072 rows */
  size_t rescore;    /* rows looked at with 12 bits, at least; 0: max(40, 4k) */
};

/* Fills hits[k], best first, whatever the number of threads, ties by part and row; returns how many (k, or
 * all that are allowed).  Parts must have the same dims. */
size_t vector_search(const struct vector_part *parts, size_t count, const struct vector_query *q,
                     struct vector_hit *hits);

/* Quantises one vector into high[width / 2] and low[width]; returns its scale.  Not-a-number and infinite
 * components count as 0.  Quantising what vector_restore() gives with its scale as `scale` gives the
 * same row; `scale` is 0 to choose it. */
float vector_quantize(const float *x, size_t dims, float scale, uint8_t *high, uint8_t *low);

/* The row back as dims floats. */
void vector_restore(const struct vector_rows *r, size_t row, float *out);

/* Makes the axis, the sketches and the factors of rows (high, low and scale are there) into arrays of
 * the sizes above. */
void vector_make_sketches(const struct vector_rows *r, uint64_t *sketch, uint16_t *factor, float *axis);

/* Asks memory for a row that will be scored soon. */
void vector_fetch(const struct vector_rows *r, size_t row);

/* Inner product of one row (12 bits) and the query. */
float vector_score(const struct vector_rows *r, size_t row, const float *query);

/* Inner product of float vectors. */
float vector_dot(const float *a, const float *b, size_t dims);

/* Name of the kernels in use: "avx512", "avx2", "scalar"; vector_force() picks one for tests, NULL for the
 * best of this machine.  0, or -1 where it can't run here. */
const char *vector_kernels(void);
int vector_force(const char *name);

#endif
