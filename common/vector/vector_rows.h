/* vector_rows.h: the layout of a row's components, for vector*.c. */
#ifndef BID_VECTOR_ROWS_H
#define BID_VECTOR_ROWS_H

#include "vector/vector.h"
#include "vector/vector_kernels.h"

enum { VECTOR_ZERO = 2048 }; /* the 12-bit number that represents 0 */

/* Position of component i's upper bits: the byte, and the shift of its half. */
static inline size_t vector_byte_of(size_t i) {
  return i / 64 * 32 + i % 32;
}
static inline unsigned vector_shift_of(size_t i) {
  return (unsigned)(i / 32 % 2 * 4);
}

static inline void vector_prefetch(const uint8_t *row, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 64)
    __builtin_prefetch(row + i);
}

/* Announces that rows [from, to) of an array, of `bytes` each, are about to be read. */
static inline void vector_touch(const struct vector_rows *r, enum vector_array array, size_t from, size_t to,
                                size_t bytes) {
  if (r->touch)
    r->touch(r->touch_arg, array, from * bytes, to * bytes);
}

/* The largest magnitude of the components; non-finite ones count as 0. */
float vector_largest(const float *x, size_t dims);

/* As vector_score(), for a query padded to [width]. */
float vector_score_padded(const struct vector_rows *r, size_t row, const float *query);

/* ---- a query prepared for sketches; private to vector*.c ---- */

/* The orthogonal transform of `width` components.  It must never change, since stored sketches depend on it. */
#define SKETCH_ROUNDS 4
struct vector_sketch_rotation {
  size_t width, power; /* power: the largest power of 2 up to width */
  float *sign;         /* [SKETCH_ROUNDS][width], 1 or -1 */
};
void vector_sketch_rotation_init(struct vector_sketch_rotation *t, size_t width);
void vector_sketch_rotation_release(struct vector_sketch_rotation *t);
void vector_sketch_rotate(const struct vector_sketch_rotation *t, float *x); /* [width], in place */

/* A query for one block: its residual after removing the axis, rotated, in four bit planes, and the factors for the
 * counts. */
struct vector_sketch_query {
  uint64_t *planes; /* [4][width / 64] */
  struct vector_sketch_scale scale;
};
/* rotated: the query after vector_sketch_rotate(). */
void vector_sketch_query_init(struct vector_sketch_query *q, const float *rotated, const float *axis,
                              size_t width);
void vector_sketch_query_release(struct vector_sketch_query *q);

#endif
