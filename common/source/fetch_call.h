/* fetch_call.h: one run of bid-fetch: a job from its options, jobs from stdin, or a question about sources. */
#ifndef BID_FETCH_CALL_H
#define BID_FETCH_CALL_H

#include "record/program.h"

#define FETCH_NO_LIMIT SIZE_MAX

/* The options.  Not given: strings NULL, numbers 0, limit FETCH_NO_LIMIT. */
struct fetch_call {
  const char *period, *query, *since;
  struct option_list entities, aliases, forms, params; /* several entities: a job for each */
  size_t limit;
  int content;
  const char *describe, *check, *lint; /* name of a source */
  const char *unblock;                 /* name of a domain */
  int list, quota;
  int offline, refresh;
  double timeout;
  size_t cache_bytes;
  /* Appends {"cik","ticker","name"} of a company given by a name in use; nothing for a name to be looked up. */
  void (*add_company)(const char *name, struct buf *out);
};

/* Does what the options ask for and reports failures.  Returns the exit status, as program_finish() does. */
int fetch_call_run(struct program *p, const struct fetch_call *call);

#endif
