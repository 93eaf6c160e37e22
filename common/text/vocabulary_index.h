/* vocabulary_index.h: looks up tokens in a vocabulary by a sorted table stored with it: for programs that need only a
 * few tokens and would spend more time building wordpiece.c's tables than on all look-ups. */
#ifndef BID_VOCABULARY_INDEX_H
#define BID_VOCABULARY_INDEX_H

#include "base/buf.h"

#include <stdint.h>

/* Offset of a token's line in the vocabulary, and its id. */
struct vocabulary_entry {
  uint32_t start, id;
};

struct vocabulary_index {
  struct slice vocab;
  const struct vocabulary_entry *entries; /* [count] */
  size_t count;
  size_t rest, rest_end; /* those that begin with "##" */
};

/* vocab and order: the sections of model.h, kept by reference.  0, or -1 where order is unusable: more entries than
 * lines are possible, or none.  Other errors in it can only lead to wrong ids. */
int vocabulary_index_init(struct vocabulary_index *o, struct slice vocab, struct slice order);

/* The longest token that text[0..len) begins with: its length (0: none), and its id in *id.  rest: among tokens that
 * continue a word, compared without their "##".  Of equal tokens the one with the highest id. */
size_t vocabulary_index_longest(const struct vocabulary_index *o, int rest, const char *text, size_t len,
                                int32_t *id);

#endif
