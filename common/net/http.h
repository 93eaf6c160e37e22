/* http.h: HTTP transfers; the only module that accesses the network.  It only transports: caching, retries, redirects
 * and the meaning of statuses are in fetch.h.
 *
 * TLS certificates are always verified.  BID_CA_FILE replaces the system's certificate authorities.  BID_CONNECT_TO
 * (host:port) redirects every connection there, with host names and TLS unchanged.  Both are for tests.
 */
#ifndef BID_HTTP_H
#define BID_HTTP_H

#include "base/buf.h"
#include "base/diag.h"

#include <stdint.h>

enum http_error {
  HTTP_FINE,       /* an answer arrived, with any status */
  HTTP_BAD_URL,    /* no URL, or a scheme that is not allowed */
  HTTP_NO_HOST,    /* the name did not resolve */
  HTTP_NO_CONNECT, /* refused, unreachable */
  HTTP_BAD_TLS,    /* handshake or certificate */
  HTTP_TIMED_OUT,  /* connect time, total time, or silence for too long */
  HTTP_TOO_LARGE,  /* body exceeds max_body after decompression */
  HTTP_BIG_HEADER, /* headers exceed their limit (256 KiB in all, 100 KiB per line) */
  HTTP_BROKEN,     /* truncated, bad framing or compression, connection closed */
  HTTP_SINK_FAILED /* the sink returned -1 */
};

#define HTTP_BODY_DEFAULT ((uint64_t)64 << 20) /* default limit of an answer's body */

struct http_request {
  const char *url;
  const char *method;         /* NULL: GET, or POST with a body */
  const char *const *headers; /* "Name: value", ended by NULL; may be NULL */
  const char *user_agent;     /* or NULL for none */
  struct slice body;          /* sent unchanged; data NULL for none */
  uint64_t max_body;          /* limit of the answer's body in bytes, after decompression; 0: 64 MiB */
  int truncate;               /* truncate at max_body instead of failing */
  double stall_timeout;       /* seconds without a byte; with a sink, below 1,000 bytes a second; 0: 30 */
  double timeout;             /* seconds in total; 0: 300 */
  int allow_plain;            /* also allow http:// (a local model server) */
  int allow_private;          /* also allow private and loopback addresses (named by the user) */

  /* Receives the body in parts instead of response->body, for answers with status 200 only.  Returns 0, or -1 to
   * abort the transfer.  May be NULL. */
  int (*sink)(void *arg, const char *data, size_t len);
  void *sink_arg;
};

struct http_response {
  enum http_error error;
  struct error_text why; /* one line for display, set unless error is HTTP_FINE */
  long status;
  struct buf body; /* initialised by http_response_init() */
  uint64_t bytes;  /* body size after decompression, including what a sink received */
  int truncated;
  char content_type[256], etag[256], last_modified[64]; /* "" where absent or too long */
  char redirect[4096];                                  /* absolute target of a redirect, or "" */
  double retry_after;                                   /* seconds, negative where absent */
};

void http_response_init(struct http_response *r);
void http_response_release(struct http_response *r);

struct http;

/* A client, which keeps connections open for reuse.  Not thread-safe. */
struct http *http_new(void);
void http_free(struct http *h);

/* Does one transfer.  Clears response first.  Returns response->error. */
enum http_error http_perform(struct http *h, const struct http_request *request,
                             struct http_response *response);

/* Does several transfers, at most `parallel` at a time; responses[i] answers requests[i]. */
void http_perform_all(struct http *h, const struct http_request *requests, struct http_response *responses,
                      size_t count, unsigned parallel);

/* Whether a host name or address (without a port, an IPv6 address in brackets) is this machine. */
static inline int http_is_loopback(struct slice host) {
  return slice_among_nocase(host, (const char *const[]){"localhost", "127.0.0.1", "[::1]", NULL});
}

/* ---- proxies ---- */

/* Whether requests to this https URL go through a proxy, as in curl(1): https_proxy, HTTPS_PROXY, all_proxy or
 * ALL_PROXY is set, and no_proxy (NO_PROXY) doesn't exclude the host.  That is "*" or a list of names, separated by
 * commas or spaces, each of which also stands for all names that end in it after a dot; networks (10.0.0.0/8) in it
 * exclude nothing. */
int http_goes_by_proxy(const char *url);

/* ---- retries ---- */

/* Whether a retry may help: time-outs, lost connections, 408, 429, 5xx except 501 and 505. */
int http_worth_retry(const struct http_response *r);

/* Seconds to wait before retry number `attempt`, from 1: Retry-After where given (at most `most`), else exponential
 * backoff from 0.5 s with equal jitter ("Exponential Backoff And Jitter", AWS Architecture Blog, 2015). */
double http_backoff(const struct http_response *r, unsigned attempt, double most);

struct http_patience {
  unsigned parallel, attempts;
  double most;    /* seconds between two attempts */
  int new_server; /* one that can't be connected is not asked again */
};
/* Does the transfers as http_perform_all() does, and again those for which it may help. */
void http_perform_patiently(struct http *h, const struct http_request *requests,
                            struct http_response *responses, size_t count, const struct http_patience *p);

/* By how much waits that no server asked for are divided: 1, or BID_HASTE where BID_CONNECT_TO leads all requests to
 * this machine, as in tests. */
double http_haste(void);

#endif
