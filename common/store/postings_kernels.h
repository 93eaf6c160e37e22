/* postings_kernels.h: a full block of postings straight to BM25 scores; private to the store. */
#ifndef BID_POSTINGS_KERNELS_H
#define BID_POSTINGS_KERNELS_H

#include "store/store.h"

/* A block of 128 as postings.h lays it out. */
struct postings_block {
  const uint8_t *data; /* gaps, then term frequencies */
  unsigned row_bits, tf_bits;
  uint32_t before, most; /* row before the first one; no row is above `most`, whatever a damaged file says */
  const uint16_t *lengths; /* by row, with two readable bytes behind the last */
};

typedef void postings_score_function(const struct postings_block *b, const struct store_bm25 *m,
                                     float *score);

/* The fastest that this processor runs, or the name given in `kernel` ("scalar", "avx2", "avx512"); NULL
 * where it can't run that one.  All give the same bits. */
postings_score_function *postings_score(const char *kernel);

#endif
