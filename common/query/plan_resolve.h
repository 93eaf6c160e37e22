/* plan_resolve.h: the company that a name typed alone means. */
#ifndef BID_PLAN_RESOLVE_H
#define BID_PLAN_RESOLVE_H

#include "query/plan_mentions.h"

/* A company given outright.  1 with *found; 0 where nothing is called so; -1 where several are, and none of them is
 * much likelier: *found holds them as rivals. */
int resolve_company(const struct directory *d, const struct plan_words *words, struct slice name,
                    struct mention *found);

/* Companies that a name which is nobody's nearly names, the likeliest first, as rivals of *found: those that its first
 * words name; of a single word those whose ticker is one letter (more, less, other, or two exchanged) from it.  How many. */
size_t resolve_near(const struct directory *d, struct slice name, struct mention *found);

#endif
