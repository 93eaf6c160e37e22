/* fetch_transfer.h: asks the source itself, without regard to what the cache holds: under the ledger's rate limits, with the
 * user agent and the API key, with retries and redirects.  Private to fetch.c. */
#ifndef BID_FETCH_TRANSFER_H
#define BID_FETCH_TRANSFER_H

#include "net/fetch.h"

/* What a process asks with. */
struct fetch_line {
  struct fetch_options options;
  struct http *http; /* created at the first transfer: cache hits need none */
  struct cache cache;
  struct buf ledger; /* folder */
};

struct fetch_transfer {
  struct fetch_line *line;
  const struct fetch_request *request;
  const struct cache_entry *held; /* cached answer to revalidate, or NULL */

  struct fetch_request hop; /* the request for the last URL on the way, with the rules of its host */
  char host[256];
  struct http_response response; /* of any status, or an error */
  struct cache_writer writer;    /* with request->to_file: the body of status 200, */
  int writing;                   /* where it has one; the caller commits or drops it */
  struct error_text write_why;   /* set for HTTP_SINK_FAILED */
};

void fetch_transfer_init(struct fetch_transfer *t, struct fetch_line *line, const struct fetch_request *q,
                         const struct cache_entry *held);
void fetch_transfer_release(struct fetch_transfer *t); /* drops a body that is still being written */

/* Does it.  0 with t->response; or -1 with r's error set where nothing was sent, or a redirect isn't followed. */
int fetch_transfer_run(struct fetch_transfer *t, struct fetch_result *r);

#endif
