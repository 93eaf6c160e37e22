/* fact_fetch.h: facts by way of bid-fetch, which runs as a child: everything that goes over the network is its. */
#ifndef BID_FACT_FETCH_H
#define BID_FACT_FETCH_H

#include "base/diag.h"
#include "base/buf.h"

/* Runs `bid-fetch --quiet ARGUMENTS` (NULL at the end) and gathers its records in out, one a line.  What fails it
 * says itself on stderr, unless `silent`.  Its exit status, or -1 with why where it could not be run. */
int fact_fetch(const char *const *arguments, int silent, struct buf *out, struct error_text *why);

#endif
