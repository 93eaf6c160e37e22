/* postings_kernels.h: decodes a full block of postings directly to BM25 scores; private to the store. */
#ifndef BID_POSTINGS_KERNELS_H
#define BID_POSTINGS_KERNELS_H

#include "store/store.h"

/* A block of 128 in the format of postings.h. */
struct postings_block {
  const uint8_t *data; /* gaps, then term frequencies */
  unsigned row_bits, tf_bits;
  uint32_t before, most;   /* row before the first one; upper limit of rows in a damaged file */
  const uint16_t *lengths; /* by row, with two readable bytes after the last */
};

typedef void postings_score_function(const struct postings_block *b, const struct store_bm25 *m,
                                     float *score);

/* The fastest kernel for this processor, or the one named by `kernel` ("scalar", "avx2", "avx512"); NULL where it
 * can't run here.  All give identical results. */
postings_score_function *postings_score(const char *kernel);

#endif
