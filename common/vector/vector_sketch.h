/* vector_sketch.h: a query prepared for sketches; private to vector*.c. */
#ifndef BID_VECTOR_SKETCH_H
#define BID_VECTOR_SKETCH_H

#include "vector/vector.h"
#include "vector/vector_kernels.h"

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
