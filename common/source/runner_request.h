/* runner_request.h: one request of a connector, parsed from its JSON, and its stream; private to runner*.c. */
#ifndef BID_RUNNER_REQUEST_H
#define BID_RUNNER_REQUEST_H

#include "net/fetch.h"
#include "source/runner_emit.h"

#define ASK_HEADERS 32

struct runner_request {
  struct slice json; /* the request object */
  char *url, *accept, *content_type;
  char *headers[ASK_HEADERS + 1];
  char *key_query, *key_header, *key_prefix;
  const char *as; /* "json", "text", "lines", "xml", "base64", "none" */
  struct slice payload, stream, select;
  struct cache *kept; /* cache of narrowed bodies */
  struct slice given; /* JSON to use instead of the body (a stream's summary), or empty */
  int strip, optional, direct;
  long long operand; /* index of an operand of the command line, or -1 */
  struct fetch_request fetch;
  struct fetch_result result;
};

/* Parses a request.  0, or -1 with why; call runner_request_release() in both cases. */
int runner_request_read(struct runner_request *a, struct slice json, const struct run *run,
                        struct error_text *why);
void runner_request_release(struct runner_request *a);

/* Fetches the URL, or opens the operand.  0, or -1 with a->result's category and message set. */
int runner_request_fetch(struct runner_request *a, struct run *run);

/* Whether the connector asked to receive this status. */
int runner_request_wants_status(const struct runner_request *a, long status);

/* Appends the response object of bid-connectors(5).  0, or -1 with why where the body is not of the requested type. */
int runner_request_response(struct runner_request *a, struct buf *out, struct error_text *why);

/* Reads the stream of a request whose body is open and writes its payloads; where `summary` is not NULL, appends the
 * JSON of its summary instead.  0, or -1 after an error record. */
int runner_run_stream(struct run *run, struct runner_request *a, struct buf *summary);

#endif
