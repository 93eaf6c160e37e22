/* search_batch.h: answers questions given as records, with several threads, in their order. */
#ifndef BID_SEARCH_BATCH_H
#define BID_SEARCH_BATCH_H

#include "record/program.h"
#include "search/search.h"

struct search_batch {
  struct search *shared;
  struct search_request base; /* options; a record's own members take precedence */
  struct search_output output;
  int bundle, analyse;
  int people, colour;               /* bundles for a terminal */
  size_t width;                     /* of the terminal */
  int wants;                        /* write no answers but the jobs for EDGAR */
  int html;                         /* bundles as pages */
  int edgar_always;                 /* for all questions that name a company */
  const struct edgar_set *edgar;    /* results from EDGAR by line number, from 1; or NULL */
  size_t threads;                   /* 0: one per core */
  uint64_t found;                   /* questions with an answer */
  const struct search_fault *fault; /* where shared is NULL: the reason, reported for every question */
};

/* Reads {"query": …} records from stdin.  A record may filter by "collection", "company" or "entity" ({"id": …}),
 * "form" or "filingTypes", "item", "since", "until", "asOf", and set "n", "mode" and, with "model", "embedding".
 * Each is written with "matches" added (or as a bundle); one that fails becomes an error record.
 *
 * With `wants`, writes the jobs that name a company in the format of bid-fetch and bid-facts, with "job" (the line number), and
 * in "have" the accession numbers that the store has.  "sources" is empty unless part of the plan is not in the store, a form is
 * named, or the question wants the newest filing.
 *
 * With `bundle` there is a bundle for every line, including bad lines and error records; a job that bid-plan rejected
 * is planned again with the companies of the store.
 */
void search_batch_run(struct program *p, struct search_batch *b);

#define SEARCH_MODES                                                                                         \
  {                                                                                                          \
    .words = { [RANK_HYBRID] = "hybrid", [RANK_VECTOR] = "vector", [RANK_TEXT] = "text" }                    \
  }

#endif
