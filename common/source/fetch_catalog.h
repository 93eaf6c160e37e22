/* fetch_catalog.h: what is known of sources.  Each function prints text on a terminal and NDJSON otherwise. */
#ifndef BID_FETCH_CATALOG_H
#define BID_FETCH_CATALOG_H

#include "source/runner.h"

void fetch_catalog_list(struct runner *r);

/* All that one source declares. */
void fetch_catalog_describe(struct runner *r, const char *name);

/* Asks the source once, and says whether its answer is one that the connector reads. */
void fetch_catalog_check(struct runner *r, const char *name);

/* What a connector's author should mend. */
void fetch_catalog_lint(struct runner *r, const char *name);

/* The accounts of the ledger, a domain a row. */
void fetch_catalog_quota(struct program *p);

/* Ends the pause of a domain that had blocked requests. */
void fetch_catalog_unblock(struct program *p, const char *domain);

#endif
