/* postings.h: lists of (row, term frequencies), delta-coded in blocks; private to the store.
 *
 * tf is one byte: text frequency (at most 63) << 2 | context frequency (at most 3).  A list of one posting has no
 * bytes (see `where` in store_format.h).  Other lists, all numbers little-endian:
 *
 *   varint  total
 *   for each full block of 128:
 *     u32 last row | u8 row bits + max context << 5 | u8 tf bits | u8 max text | u8 length code
 *   for each full block: 128 gaps minus one, bit-packed (16 * row bits bytes), 128 tf (16 * tf bits bytes)
 *   the rest, if any: where total is 16 or more: u8 max text | u8 max context | u8 length code;
 *     then for each: varint (gap - 1) << 1 | (tf is not 4), and the tf's byte where it isn't 4
 *
 * A gap is the difference to the previous row of the list, for the first one to -1.  The length code is a lower bound
 * of the block's passage lengths: 4 bits of mantissa under a 4-bit exponent.
 */
#ifndef BID_POSTINGS_H
#define BID_POSTINGS_H

#include "base/buf.h"
#include "store/store.h"

#include <stdint.h>

#define POSTINGS_INLINE 0x80000000u
#define POSTINGS_TF(text, context)                                                                           \
  ((uint8_t)(((text) > 63 ? 63 : (text)) << 2 | ((context) > 3 ? 3 : (context))))

struct postings_builder;

struct postings_builder *postings_builder_new(void);
void postings_builder_free(struct postings_builder *b);

/* Counts an occurrence of each of n terms, some dozen at a time; rows must be passed in ascending order. */
void postings_add(struct postings_builder *b, const uint64_t *hashes, size_t n, uint32_t row, int in_context);

/* Appends the complete list of a term (rows ascending).  Hashes must ascend from call to call, and postings_add()
 * must not be used on the same builder. */
void postings_add_list(struct postings_builder *b, uint64_t hash, const uint32_t *rows, const uint8_t *tf,
                       uint32_t count, const uint16_t *lengths);

/* Encodes what postings_add() collected; lengths are indexed by row. */
void postings_finish(struct postings_builder *b, const uint16_t *lengths);

/* The result, owned by b. */
struct postings_result {
  const uint64_t *hashes;
  const uint32_t *where;
  uint32_t terms;
  const uint8_t *bytes; /* followed by 8 zero bytes */
  size_t len;           /* without these */
};
struct postings_result postings_result(const struct postings_builder *b);

/* The bound that the code of a passage length stands for (<= length). */
uint16_t postings_length_bound(uint8_t code);

/* Unpacks 128 numbers of `bits` (0 to 25) from p; reads up to 8 bytes past them. */
void postings_unpack(const uint8_t *p, unsigned bits, uint32_t out[128]);

/* ---- decodes a full block of postings directly to BM25 scores; private to the store ---- */

/* A block of 128 in the format of postings.h. */
struct postings_block {
  const uint8_t *data; /* gaps, then term frequencies */
  unsigned row_bits, tf_bits;
  uint32_t before, most;   /* row before the first one; upper limit of rows in a damaged file */
  const uint16_t *lengths; /* by row, with two readable bytes after the last */
};

typedef void postings_score_function(const struct postings_block *b, const struct store_bm25 *m,
                                     float *score);

/* The fastest kernel for this processor, or the one named by `kernel` ("scalar", "avx2"); NULL where it
 * can't run here.  All give identical results. */
postings_score_function *postings_score(const char *kernel);

#endif
