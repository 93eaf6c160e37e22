/* plan_near.h: suggestions for names and tickers that match nothing. */
#ifndef BID_PLAN_NEAR_H
#define BID_PLAN_NEAR_H

#include "query/mentions.h"

/* Suggestions for a name that matches nothing, most likely first, as rivals of *found: companies that match its first
 * words; for a single word, companies whose ticker differs by one typing error.  Returns how many. */
size_t plan_near_resolve(const struct directory *d, struct slice name, struct mention *found);

#endif
