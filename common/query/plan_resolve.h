/* plan_resolve.h: finds the company for a name given by itself. */
#ifndef BID_PLAN_RESOLVE_H
#define BID_PLAN_RESOLVE_H

#include "query/mentions.h"

/* Resolves a name.  1 with *found; 0 where no company has it; -1 where several do and none is much more likely:
 * *found has them as rivals. */
int plan_resolve_company(const struct planner *p, struct slice name, struct mention *found);

/* The same by names and tickers as they are listed: no typing error is mended, no missing word completed. */
int plan_resolve_listed(const struct planner *p, struct slice name, struct mention *found);

/* ---- suggestions ---- */

/* Suggestions for a name that matches nothing, most likely first, as rivals of *found: companies that match its first
 * words; for a single word, companies whose ticker differs by one typing error.  Returns how many. */
size_t plan_near_resolve(const struct directory *d, struct slice name, struct mention *found);

#endif
