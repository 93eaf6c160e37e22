/* mention_corrections.h: words that take back what a question said before: "no wait", "sorry, I meant". */
#ifndef BID_MENTION_CORRECTIONS_H
#define BID_MENTION_CORRECTIONS_H

#include "query/mentions.h"

/* If the words from token `to` on take back what stands before them: the token at which what is meant instead begins; else 0. */
size_t mention_taken_back_at(const struct plan_text *t, size_t to);

/* Whether mention i is taken back, in favour of a later one if there are others. */
int mention_is_taken_back(const struct mention_text *m, const struct mentions *list, size_t i);

#endif
