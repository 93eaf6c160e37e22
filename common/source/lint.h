/* lint.h: the contract of connectors, bid-connectors(5), row by row. */
#ifndef BID_LINT_H
#define BID_LINT_H

#include "source/source.h"

#define LINT_ROWS 16

struct lint_row {
  const char *rule;        /* "rateLimit" */
  struct error_text fault; /* empty where the connector keeps it */
};

/* Checks a source that is ready, without the network: its declaration, and its first step for a job that gives every
 * parameter its example.  Returns the number of rows. */
size_t lint_connector(struct source *s, struct lint_row rows[LINT_ROWS]);

#endif
