#include "net/http_options.h"
#include "net/http_address.h"
#include "net/http_proxy.h"

#include <math.h>
#include <sys/socket.h>

#define SLOWEST_FILE                                                                                         \
  1000L /* minimum bytes per second into a sink, which may take an hour: slower blocks other requests */

uint64_t http_options_body_ceiling(const struct http_request *q) {
  return q->max_body ? q->max_body : HTTP_BODY_DEFAULT;
}

/* At most a million seconds: libcurl ignores times beyond the range of an int. */
static long milliseconds(double seconds, double otherwise) {
  return (long)(fmin(seconds > 0 ? seconds : otherwise, 1e6) * 1000);
}

static void set_body(CURL *e, const struct http_request *q) {
  if (q->body.data) {
    http_library()->easy_setopt(e, CURLOPT_POST, 1L);
    http_library()->easy_setopt(e, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)q->body.len);
    http_library()->easy_setopt(e, CURLOPT_POSTFIELDS, q->body.data);
  }
  if (q->method)
    http_library()->easy_setopt(e, CURLOPT_CUSTOMREQUEST, q->method);
}

static struct curl_slist *http_set_headers(CURL *e, const struct http_request *q) {
  struct curl_slist *lines = NULL;
  for (const char *const *line = q->headers; line && *line; line++)
    lines = http_library()->slist_append(lines, *line);
  lines = http_library()->slist_append(lines, "Accept-Encoding: gzip"); /* decompressed here */
  if (q->body.data)
    lines = http_library()->slist_append(lines, "Expect:"); /* don't wait for 100 Continue */
  if (lines)
    http_library()->easy_setopt(e, CURLOPT_HTTPHEADER, lines);
  if (q->user_agent)
    http_library()->easy_setopt(e, CURLOPT_USERAGENT, q->user_agent);
  return lines;
}

static void set_limits(CURL *e, const struct http_request *q) {
  long stall = milliseconds(q->stall_timeout, 30) / 1000;
  http_library()->easy_setopt(e, CURLOPT_CONNECTTIMEOUT_MS, milliseconds(q->connect_timeout, 10));
  http_library()->easy_setopt(e, CURLOPT_TIMEOUT_MS, milliseconds(q->timeout, 300));
  http_library()->easy_setopt(e, CURLOPT_LOW_SPEED_LIMIT, q->sink ? SLOWEST_FILE : 1L);
  http_library()->easy_setopt(e, CURLOPT_LOW_SPEED_TIME, stall > 0 ? stall : 1L);
  http_library()->easy_setopt(e, CURLOPT_FOLLOWLOCATION, 0L);
  http_library()->easy_setopt(e, CURLOPT_PROTOCOLS_STR, q->allow_plain ? "https,http" : "https");
  http_library()->easy_setopt(e, CURLOPT_SSL_VERIFYPEER, 1L);
  http_library()->easy_setopt(e, CURLOPT_SSL_VERIFYHOST, 2L);
  http_library()->easy_setopt(e, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2); /* the minimum */
  /* HTTP/2 would be no faster for single requests, and libcurl 7.88 takes a body for whole that a server has cut off by
   * resetting its stream without an error. */
  http_library()->easy_setopt(e, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  http_library()->easy_setopt(e, CURLOPT_BUFFERSIZE, 256L << 10);
  if (!q->truncate && http_options_body_ceiling(q) <= INT64_MAX) /* rejects announced sizes at once */
    http_library()->easy_setopt(e, CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)http_options_body_ceiling(q));
}

/* Rejects a host name that resolves to a private address: no public source has one. */
static curl_socket_t open_public(void *arg, curlsocktype purpose, struct curl_sockaddr *address) {
  int *is_private = arg;
  (void)purpose;
  if (http_address_is_private(&address->addr)) {
    *is_private = 1;
    return CURL_SOCKET_BAD;
  }
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/* What no_proxy excludes is this network's as a rule, where a connector has no business.  libcurl isn't left to decide. */
void http_options_set_way(CURL *e, const struct http_request *q, int *is_private) {
  if (http_goes_by_proxy(q->url)) {
    http_library()->easy_setopt(e, CURLOPT_NOPROXY, "");
    return;
  }
  http_library()->easy_setopt(e, CURLOPT_PROXY, "");
  http_library()->easy_setopt(e, CURLOPT_OPENSOCKETFUNCTION, open_public);
  http_library()->easy_setopt(e, CURLOPT_OPENSOCKETDATA, is_private);
}

struct curl_slist *http_options_set(CURL *e, const struct http_request *q) {
  http_library()->easy_setopt(e, CURLOPT_URL, q->url);
  set_limits(e, q);
  set_body(e, q);
  return http_set_headers(e, q);
}
