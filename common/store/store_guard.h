/* store_guard.h: verifies the blocks of a segment as they are read; private to store*.c and to tests.  Does not use
 * LMDB. */
#ifndef BID_STORE_GUARD_H
#define BID_STORE_GUARD_H

#include "store/store_format.h"

#include <stdatomic.h>

struct store_segment_guard {
  const char *value;
  const struct store_segment_directory *dir;
  const uint32_t *sums;
  _Atomic(uint64_t) *seen; /* bitmap of verified blocks */
  atomic_int damaged;      /* 1 + the first part found damaged; 0: none */
};

/* Starts verifying reads of seg (attached to `value`).  Columns that are read everywhere are verified at once: 0, or
 * -1 with *e where they are damaged. */
int store_segment_guard_start(struct store_segment_guard *g, struct store_segment *seg, const void *value,
                              struct error_text *e);
void store_segment_guard_release(struct store_segment_guard *g);

/* To be called before bytes [from, to) of a part are read: 0, or -1 where one of their blocks is damaged, which is
 * remembered.  Thread-safe. */
int store_segment_guard_check(struct store_segment_guard *g, enum store_segment_part part, uint64_t from,
                              uint64_t to);

/* Marks a part as damaged although its checksums are right. */
void store_segment_guard_blame(struct store_segment_guard *g, enum store_segment_part part);

/* Verifies blocks [from, to) of a part, regardless of earlier results: 1 or 0. */
int store_segment_blocks_are_right(const void *value, enum store_segment_part part, uint64_t from,
                                   uint64_t to);
uint64_t store_segment_block_count(uint64_t bytes);

/* Fills the part `sums` of a value that is otherwise complete; returns its XXH3-64. */
uint64_t store_segment_write_sums(void *value, const struct store_segment_directory *dir);

const char *store_segment_part_name(enum store_segment_part part);

#endif
