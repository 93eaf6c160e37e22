/* plan_partial.h: companies by some words of their name, in order, where the others are missing or words have slips. */
#ifndef BID_PLAN_PARTIAL_H
#define BID_PLAN_PARTIAL_H

#include "query/plan_mentions.h"

/* The company of whose name t has some words: "royal bank canada", "Grainger", "align tech", "Thermo Fischer Scientfic".
 * Reads every name, so it is for texts that are no key.  1 with *found; 0; -1 where several fit and none is much
 * likelier, *found holds them as rivals. */
int partial_resolve(const struct directory *d, const struct plan_words *words, const struct plan_text *t,
                    struct mention *found);

#endif
