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

#endif
