/* typed_company.h: the company that a typed name means, for jobs that reach bid-fetch without a plan. */
#ifndef BID_TYPED_COMPANY_H
#define BID_TYPED_COMPANY_H

#include "query/plan.h"

/* Initialise with {0}; the tables are loaded for the first name. */
struct typed_companies {
  struct planner *planner; /* NULL before the first name, and where the tables can't be read */
  struct plan plan;
  struct buf list; /* the SEC's list in the cache, to which the planner refers */
  int opened;
};

/* Appends {"cik","ticker","name"}, of which ticker may be null.  Appends nothing where the name is a ticker or a
 * number, which EDGAR's own list tells better, or is unknown, ambiguous, or right only with a typing error. */
void typed_company_add_json(struct typed_companies *t, const char *name, struct buf *out);

void typed_companies_release(struct typed_companies *t);

#endif
