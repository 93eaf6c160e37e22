/* http.h: HTTP transfers, the only door to the network.  Transport alone: no cache, no retries, no
 * redirects followed, no opinion on statuses (those are in fetch.h).
 *
 * TLS is always verified.  BID_CA_FILE replaces the system's authorities; BID_CONNECT_TO (host:port)
 * opens every connection there, with names and TLS unchanged.  Both are for tests.
 */
#ifndef BID_HTTP_H
#define BID_HTTP_H

#include "base/buf.h"
#include "base/diag.h"

#include <stdint.h>

enum http_error {
  HTTP_FINE,        /* an answer came, of whatever status */
  HTTP_BAD_URL,     /* no URL, or a scheme that is not allowed */
  HTTP_NO_HOST,     /* the name did not resolve */
  HTTP_NO_CONNECT,  /* refused, unreachable */
  HTTP_BAD_TLS,     /* handshake or certificate */
  HTTP_TIMED_OUT,   /* connect time, total time, or silence for too long */
  HTTP_TOO_LARGE,   /* body past max_body, after decompression */
  HTTP_BIG_HEADER,  /* headers past their ceiling (256 KiB in all, 100 KiB a line) */
  HTTP_BROKEN,      /* cut short, bad framing, bad compression, closed */
  HTTP_SINK_FAILED, /* the sink refused; errno is the sink's matter */
  HTTP_INTERRUPTED  /* http_stop was set */
};

struct http_request {
  const char *url;
  const char *method;         /* NULL: GET, or POST where there is a body */
  const char *const *headers; /* "Name: value", NULL at the end; may be NULL */
  const char *user_agent;     /* or NULL for none */
  struct slice body;          /* sent as it is; data NULL for none */
  uint64_t max_body;          /* ceiling of the answer's body in bytes, after decompression; 0: 64 MiB */
  int truncate;               /* cut at max_body instead of failing */
  double connect_timeout;     /* seconds; 0: 10 */
  double stall_timeout;       /* seconds without a byte, or, with a sink, below 1,000 bytes a second; 0: 30 */
  double timeout;             /* seconds for all; 0: 300 */
  int allow_plain;            /* http:// too (a local model server) */
  int allow_private;          /* addresses of private and loopback networks too (one that the user named) */

  /* Takes the body part by part instead of response->body, only of answers with status 200; 0, or -1 to
   * end the transfer.  May be NULL. */
  int (*sink)(void *arg, const char *data, size_t len);
  void *sink_arg;
};

struct http_response {
  enum http_error error;
  struct error_text why; /* one line for people, set where error is not HTTP_FINE */
  long status;
  struct buf body; /* initialised by http_response_init() */
  uint64_t bytes;  /* of the body, after decompression, also where a sink took them */
  int truncated;
  char content_type[256], etag[256], last_modified[64]; /* "" where absent or too long */
  char redirect[4096];                                  /* absolute target of a 3xx, or "" */
  double retry_after;                                   /* seconds, negative where absent */
  double started; /* when it was begun and the seconds it took, monotonic */
  double seconds;
};

void http_response_init(struct http_response *r);
void http_response_release(struct http_response *r);

struct http;

/* A client: connections are kept open and reused.  Not for several threads. */
struct http *http_new(void);
void http_free(struct http *h);

/* One transfer.  response is cleared first.  Returns response->error. */
enum http_error http_perform(struct http *h, const struct http_request *request,
                             struct http_response *response);

/* Several at once, at most `parallel` in flight; responses[i] answers requests[i]. */
void http_perform_all(struct http *h, const struct http_request *requests, struct http_response *responses,
                      size_t count, unsigned parallel);

/* Whether trying again may help: time-outs, lost connections, 408, 429, 5xx but 501 and 505. */
int http_worth_retry(const struct http_response *r);

/* Seconds to wait before try number `attempt` (1 for the first retry): Retry-After where given (capped at
 * `most`), else exponential from 0.5 s with equal jitter ("Exponential Backoff And Jitter", AWS architecture
 * blog, 2015). */
double http_backoff(const struct http_response *r, unsigned attempt, double most);

/* Set from a signal handler: transfers under way end with HTTP_INTERRUPTED. */
extern volatile int http_stop;

#endif
