/* search_call.h: one run of bid-search: its options, and one question or questions on stdin. */
#ifndef BID_SEARCH_CALL_H
#define BID_SEARCH_CALL_H

#include "record/program.h"
#include "search/search.h"

/* The options; search_call_check() fills in the rest. */
struct search_call {
  struct option_list collections, companies, forms, items, stores;
  const char *since, *until, *as_of, *where;
  struct option_choice mode, format; /* of enum rank_mode, enum program_form */
  const char *model, *edgar;
  size_t limit, context_tokens, threads;
  int explain, exact, fold, routing, threshold, news, neighbours, bundle, wants, edgar_always, analyse;

  const struct search_remote *remote; /* supplies candidates for `store`; or NULL */

  int full, documents; /* whole passages; documents alone */

  struct search_request request;
  struct search_output output;
  enum program_form form;
};

/* Default values of the options. */
extern const struct search_call search_call_defaults;

/* 0, or the status of a usage error. */
int search_call_check(const struct program *p, struct search_call *call);

/* Answers the operands as one question, or without operands the questions on stdin. */
void search_call_run(struct program *p, struct search_call *call);

/* Reports an error, in a pipe also as an error record, and raises the exit status. */
void search_print_fault(struct program *p, const struct search_fault *f, enum program_form form);

/* Enters the sandbox before a store, which may be anybody's, is opened: shipped tables and models are read, files are
 * changed only in the folders of the stores, where LMDB's lock files are.  With call->remote or an embedding server, the
 * network and all files that are read stay; with call->remote, `local` names stores that are used beside it, else it is
 * NULL.  A helper starts the pager and --where. */
void search_enter_sandbox(const struct search_call *call, const struct option_list *local);

/* Answers questions given as records, with several threads, in their order. */

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
