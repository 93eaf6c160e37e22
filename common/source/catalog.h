/* catalog.h: bid-fetch's information about sources: --list, --describe, --check, --quota.  Each prints text on a
 * terminal and NDJSON otherwise. */
#ifndef BID_CATALOG_H
#define BID_CATALOG_H

#include "source/runner.h"

/* Lists all sources.  A broken one is listed as such and sets status 1. */
void catalog_list(struct runner *r);

/* Prints everything that one source declares. */
void catalog_describe(struct runner *r, const char *name);

/* Checks whether a source is usable now: it compiles, its key is set, its host answers. */
void catalog_check(struct runner *r, const char *name);

/* Lifts the block of a domain such as sec.gov. */
void catalog_unblock(struct program *p, const char *domain);

/* Prints today's use of each rate domain. */
void catalog_quota(struct program *p);

#endif
