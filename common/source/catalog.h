/* catalog.h: what bid-fetch says of its sources: --list, --describe, --check, --quota.  Each prints for
 * people on a terminal and NDJSON otherwise. */
#ifndef BID_CATALOG_H
#define BID_CATALOG_H

#include "source/runner.h"

/* All sources.  A broken one is listed as such and makes the status 1. */
void catalog_list(struct runner *r);

/* One source: all that it declares. */
void catalog_describe(struct runner *r, const char *name);

/* Whether a source can be used now: it compiles, its key is there, its host answers. */
void catalog_check(struct runner *r, const char *name);

/* Lifts the block of a domain (sec.gov). */
void catalog_unblock(struct program *p, const char *domain);

/* Who used what of each rate domain today. */
void catalog_quota(struct program *p);

#endif
