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
  int people, colour;               /* bundles for a terminal */
  size_t width;                     /* of it */
  int wants;                        /* write no answers, but the jobs that EDGAR is to be asked for */
  int html;                         /* bundles as pages */
  int edgar_always;                 /* all that name a company */
  const struct edgar_set *edgar;    /* what EDGAR gave, by the number of the line, from 1; or NULL */
  size_t threads;                   /* 0: one a core */
  uint64_t found;                   /* questions with an answer */
  const struct search_fault *fault; /* where shared is NULL: why; every question fails with it */
};

/* With `wants`: each job of which EDGAR is to be asked, with "sources" and "job", the number of its line, for
 * bid-fetch: something of its plan is not in the store, or it wants the newest.  Where `edgar` tells what discovery
 * chose, those of which a filing is not in the store, with "content" and in "have" the accession numbers that are.
 *
 * With `bundle` there is a bundle for every line, for bad lines and error records too; a job that bid-plan refused is
 * planned again with the companies of the store.
 *
 * Reads {"query": …} records from stdin.  A record may narrow the search by "collection", "company" or
 * "entity"
 * ({"id": …}), "form" or "filingTypes", "item", "since", "until", "asOf", and set "n", "mode" and, with
 * "model", "embedding".  Each is written back with "matches" added (or as a bundle); one that fails becomes
 * an error record. */
void search_batch_run(struct program *p, struct search_batch *b);

/* Reads a mode's name; 0, or -1. */
int search_mode(const char *name, enum rank_mode *mode);

#endif
