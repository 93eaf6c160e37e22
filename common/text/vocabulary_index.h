/* vocabulary_index.h: a vocabulary's tokens looked up in a table that came with it, sorted: for who needs a few
 * and would spend more on building wordpiece.c's own tables than on all questions to them. */
#ifndef BID_VOCABULARY_INDEX_H
#define BID_VOCABULARY_INDEX_H

#include "base/buf.h"

#include <stdint.h>

/* Where a token's line begins in the vocabulary, and its id. */
struct vocabulary_entry {
  uint32_t start, id;
};

struct vocabulary_index {
  struct slice vocab;
  const struct vocabulary_entry *entries; /* [count] */
  size_t count;
  size_t rest, rest_end; /* those that begin with "##" */
};

/* vocab and order: the sections of model.h, kept by reference.  0, or -1 where order is of no use: not as
 * many entries as lines can be, or none.  What else may be wrong in it leads to wrong ids, to nothing worse.
 */
int vocabulary_index_init(struct vocabulary_index *o, struct slice vocab, struct slice order);

/* The longest token that text[0..len) begins with: its length (0: none), and its id in *id.  rest: among
 * those that continue a word, whose "##" text is without.  Of equal tokens the one of the highest id. */
size_t vocabulary_index_longest(const struct vocabulary_index *o, int rest, const char *text, size_t len,
                                int32_t *id);

#endif
