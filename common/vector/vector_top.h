/* vector_top.h: selecting the best: a heap of k hits, and the n-th largest of many scores.  Private to vector.c. */
#ifndef BID_VECTOR_TOP_H
#define BID_VECTOR_TOP_H

#include "vector/vector.h"

/* The best k hits, as a heap with the worst of them on top.  Initialised as {hits[k], 0, k}. */
struct vector_top {
  struct vector_hit *hits;
  size_t count, k;
};

void vector_top_add(struct vector_top *t, struct vector_hit h);

/* The score that a hit has to exceed. */
float vector_top_worst(const struct vector_top *t);

/* Best first, ties by part and row.  The heap is no heap any more. */
void vector_top_sort(struct vector_top *t);

/* The n-th largest of x[count], n from 1; modifies x. */
float vector_nth_largest(float *x, size_t count, size_t n);

#endif
