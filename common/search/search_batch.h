/* search_batch.h: questions as records, answered by several threads, printed in their order. */
#ifndef BID_SEARCH_BATCH_H
#define BID_SEARCH_BATCH_H

#include "record/program.h"
#include "search/search.h"

struct search_batch {
  struct search *shared;
  struct search_request base; /* what the options say; a record's own fields win */
  struct search_output output;
  int bundle, analyse;
  size_t threads;                   /* 0: one a core */
  uint64_t found;                   /* questions with an answer */
  const struct search_fault *fault; /* where shared is NULL: why; every question fails with it */
};

/* Reads {"query": …} records from stdin.  A record may narrow the search by "collection", "company" or
 * "entity"
 * ({"id": …}), "form" or "filingTypes", "item", "since", "until", "asOf", and set "n", "mode" and, with
 * "model", "embedding".  Each is written back with "matches" added (or as a bundle); one that fails becomes
 * an error record. */
void search_batch_run(struct program *p, struct search_batch *b);

/* Reads a mode's name; 0, or -1. */
int search_mode(const char *name, enum rank_mode *mode);

#endif
