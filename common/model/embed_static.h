/* embed_static.h: sums of rows for static models, for embed_static.c and its tests. */
#ifndef BID_EMBED_STATIC_H
#define BID_EMBED_STATIC_H

#include "model/embed_backend.h"

/* out[d] = sum over i < count of weight[i] * rows[row[i]][d], for d < dimensions.  rows: int8 [...][stride];
 * dimensions and stride are multiples of 64.  With count <= 1024 and weights of at most 16383 the sums fit into 32
 * bits.  All kernels give the same numbers. */
typedef void embed_kernel(int32_t *out, const int8_t *rows, size_t stride, size_t dimensions,
                          const int32_t *row, const int16_t *weight, size_t count);

embed_kernel embed_rows_scalar;

/* The fastest kernel for this machine. */
embed_kernel *embed_static_kernel(void);

/* All kernels available on this machine, the scalar one first, with their names.  Returns how many (at most 4). */
int embed_static_kernels(embed_kernel *kernels[4], const char *names[4]);

#endif
