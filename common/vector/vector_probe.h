/* vector_probe.h: a query in the form that the kernels take, and the scores of rows with it: estimates by sketches, upper
 * bounds by the upper 4 bits, and exact ones by all 12.  Private to vector.c. */
#ifndef BID_VECTOR_PROBE_H
#define BID_VECTOR_PROBE_H

#include "vector/vector_scan.h"

struct vector_probe;

/* sketches: also for vector_probe_sketches(). */
struct vector_probe *vector_probe_new(const struct vector_part *parts, size_t count, const float *query,
                                      int sketches);
void vector_probe_free(struct vector_probe *p);

/* Computes scores of rows [from, to) of part `index`, at most VECTOR_RUN, into room; returns the position of the first. */
#define VECTOR_PROBE_ROOM (VECTOR_RUN + 16)
typedef const float *vector_probe_function(const struct vector_probe *p, const struct vector_rows *r,
                                           uint32_t index, uint32_t from, uint32_t to,
                                           float room[VECTOR_PROBE_ROOM]);
vector_probe_function vector_probe_sketches, vector_probe_bounds, vector_probe_scores;

/* The bound of one row that it likely doesn't exceed, lower than vector_probe_bounds(). */
float vector_probe_likely(const struct vector_probe *p, const struct vector_rows *r, uint32_t row);

/* Prefetches what vector_probe_likely() reads. */
void vector_probe_fetch(const struct vector_rows *r, uint32_t row);

/* The score of one row. */
float vector_probe_score(const struct vector_probe *p, const struct vector_rows *r, uint32_t row);

#endif
