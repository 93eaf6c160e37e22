/* vocab_order.h: a vocabulary's tokens looked up in a table that came with it, sorted: for who needs a few
 * and would spend more on building wordpiece.c's own tables than on all questions to them. */
#ifndef BID_VOCAB_ORDER_H
#define BID_VOCAB_ORDER_H

#include "buf.h"

#include <stdint.h>

/* Where a token's line begins in the vocabulary, and its id. */
struct vocab_entry {
  uint32_t start, id;
};

struct vocab_order {
  struct slice vocab;
  const struct vocab_entry *entries; /* [count] */
  size_t count;
  size_t rest, rest_end; /* those that begin with "##" */
};

/* vocab and order: the sections of model.h, kept by reference.  0, or -1 where order is of no use: not as
 * many entries as lines can be, or none.  What else may be wrong in it leads to wrong ids, to nothing worse.
 */
int vocab_order_init(struct vocab_order *o, struct slice vocab, struct slice order);

/* The longest token that text[0..len) begins with: its length (0: none), and its id in *id.  rest: among
 * those that continue a word, whose "##" text is without.  Of equal tokens the one of the highest id. */
size_t vocab_order_longest(const struct vocab_order *o, int rest, const char *text, size_t len, int32_t *id);

#endif
