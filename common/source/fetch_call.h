/* fetch_call.h: a call of bid-fetch: its options as a job, or the jobs on stdin, run; or what is asked of the sources. */
#ifndef BID_FETCH_CALL_H
#define BID_FETCH_CALL_H

#include "record/program.h"

#define FETCH_NO_LIMIT SIZE_MAX

/* What the options say; strings are NULL, numbers 0, limit is FETCH_NO_LIMIT where they are not given. */
struct fetch_call {
  const char *entity, *period, *query, *since;
  struct option_list aliases, forms, params;
  size_t limit;
  int content;
  const char *describe, *check, *unblock; /* a source, a source, a domain */
  int list, quota;
  int offline, refresh;
  double timeout;
  size_t cache_bytes;
};

/* Does what the call asks for and reports what fails.  The exit status, as of program_finish(). */
int fetch_call_run(struct program *p, const struct fetch_call *call);

#endif
