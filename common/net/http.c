#include "net/http.h"
#include "net/http_address.h"
#include "net/http_proxy.h"

#include "base/clock.h"
#include "format/gunzip.h"
#include "net/http_library.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define BODY_DEFAULT ((uint64_t)64 << 20)
#define HEADERS_MAX ((size_t)256 << 10)
#define SLOWEST_FILE                                                                                         \
  1000L /* minimum bytes per second into a sink, which may take an hour: slower blocks other requests */

volatile int http_stop;

struct http {
  CURLM *multi;
  struct curl_slist *connect_to;
  const char *ca_file;
  int close_notified; /* a TLS close_notify has arrived since a transfer began */
};

/* One running transfer. */
struct transfer {
  const struct http_request *request;
  struct http_response *response;
  CURL *easy;
  struct curl_slist *headers;
  size_t header_bytes;
  long status;
  struct gunzip *gunzip;  /* set for Content-Encoding: gzip */
  int unasked;            /* the answer has an encoding that was not requested */
  int is_private;         /* the resolved address is private */
  int says_framing;       /* the last header concerned the framing of the body */
  int framed;             /* headers give the body's length or how it ends */
  int misframed;          /* Content-Length is invalid */
  int head_is_whole;      /* the end of the headers was received */
  char length[32];        /* the announced Content-Length, or "" */
  enum http_error failed; /* the error for which a callback aborted it */
  char message[CURL_ERROR_SIZE];
};

void http_response_init(struct http_response *r) {
  memset(r, 0, sizeof *r);
  buf_init(&r->body, BODY_DEFAULT);
  r->retry_after = -1;
}

void http_response_release(struct http_response *r) {
  buf_release(&r->body);
}

struct http *http_new(void) {
  struct http *h = xcalloc(1, sizeof *h);
  const char *to = getenv("BID_CONNECT_TO"), *ca = getenv("BID_CA_FILE");
  unsetenv("SSLKEYLOGFILE"); /* libcurl would write TLS session keys there */
  http_library()->global_init(CURL_GLOBAL_DEFAULT);
  h->multi = http_library()->multi_init();
  if (!h->multi)
    diag_oom();
  h->ca_file = ca && *ca ? ca : NULL;
  if (to && *to) {
    struct buf b;
    buf_init(&b, 4096);
    buf_printf(&b, "::%s", to);
    h->connect_to = http_library()->slist_append(NULL, b.data);
    buf_release(&b);
  }
  return h;
}

void http_free(struct http *h) {
  if (!h)
    return;
  http_library()->multi_cleanup(h->multi);
  http_library()->slist_free_all(h->connect_to);
  free(h);
}

static uint64_t body_ceiling(const struct http_request *q) {
  return q->max_body ? q->max_body : BODY_DEFAULT;
}

/* Takes a piece of the decompressed body, so that the limit applies after decompression.  0, or -1 to abort. */
static int take_body(void *arg, const char *data, size_t len) {
  struct transfer *t = arg;
  size_t take = len;
  uint64_t left = body_ceiling(t->request) - t->response->bytes;
  if (take > left) {
    t->failed = HTTP_TOO_LARGE;
    if (!t->request->truncate)
      return -1;
    take = (size_t)left;
    t->response->truncated = 1;
  }
  t->response->bytes += take;
  if (t->request->sink && t->status == 200) {
    if (take && t->request->sink(t->request->sink_arg, data, take) != 0) {
      t->failed = HTTP_SINK_FAILED;
      return -1;
    }
  } else if (buf_add(&t->response->body, data, take) != 0) {
    t->failed = HTTP_TOO_LARGE;
    return -1;
  }
  return t->failed ? -1 : 0;
}

/* libcurl's write callback; receives the bytes as sent. */
static size_t on_body(char *data, size_t size, size_t count, void *arg) {
  struct transfer *t = arg;
  size_t len = size * count;
  http_library()->easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &t->status);
  if (t->unasked) {
    t->failed = HTTP_BROKEN;
    return 0;
  }
  int rc = t->gunzip ? gunzip_feed(t->gunzip, data, len, take_body, t) : take_body(t, data, len);
  if (rc < 0 && !t->failed)
    t->failed = gunzip_is_bomb(t->gunzip) ? HTTP_TOO_LARGE : HTTP_BROKEN;
  return rc ? 0 : len;
}

static const char *skip_blanks(const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\t'))
    at++;
  return at;
}

/* Copies the value of the named header, "" where it doesn't fit.  1 where it was copied, -1 where it doesn't fit, 0
 * for any other header. */
static int take_header(const char *line, size_t len, const char *name, char *out, size_t room) {
  size_t n = strlen(name);
  const char *end = line + len, *at = len > n ? skip_blanks(line + n, end) : end;
  if (at == end || *at != ':' || strncasecmp(line, name, n) != 0)
    return 0;
  at = skip_blanks(at + 1, end);
  while (end > at && strchr(" \t\r\n", end[-1]))
    end--;
  size_t size = (size_t)(end - at) < room ? (size_t)(end - at) : 0;
  memcpy(out, at, size);
  out[size] = '\0';
  return at + size == end ? 1 : -1;
}

/* Retry-After: seconds, or an HTTP date (RFC 9110, 10.2.3). */
static double retry_seconds(const char *text) {
  char *end;
  double seconds = strtod(text, &end);
  if (end != text && seconds >= 0 && isfinite(seconds))
    return seconds;
  time_t when = http_library()->getdate(text, NULL);
  if (when < 0)
    return -1;
  double left = difftime(when, time(NULL));
  return left > 0 ? left : 0;
}

/* Whether a body has an encoding other than one layer of gzip, which is undone here and the only one requested.
 * libcurl also undoes a Transfer-Encoding of gzip but accepts a truncated one. */
static int is_unasked(struct transfer *t, int packed, const char *encoding, int coded, const char *transfer) {
  if (coded < 0 ||
      (*transfer && strcasecmp(transfer, "chunked") != 0 && strcasecmp(transfer, "identity") != 0))
    return 1;
  if (packed >= 0 && (!*encoding || strcasecmp(encoding, "identity") == 0))
    return 0;
  if (t->gunzip || (strcasecmp(encoding, "gzip") != 0 && strcasecmp(encoding, "x-gzip") != 0))
    return 1;
  t->gunzip = gunzip_new();
  return 0;
}

/* Records the encoding of the body and whether its end will be recognisable.  -1 where a length is not a number or
 * contradicts an earlier one, since libcurl would use its leading digits; also for obsolete line folding (RFC 9112,
 * 5.2). */
static int on_framing(struct transfer *t, const char *line, size_t len) {
  char encoding[32] = "", length[32] = "", transfer[32] = "";
  if (t->says_framing && (line[0] == ' ' || line[0] == '\t'))
    return -1;
  int packed = take_header(line, len, "content-encoding", encoding, sizeof encoding);
  int sized = take_header(line, len, "content-length", length, sizeof length);
  int coded = take_header(line, len, "transfer-encoding", transfer, sizeof transfer);
  t->says_framing = packed || sized || coded;
  t->framed |= *length || *transfer;
  if (sized < 0 || length[strspn(length, "0123456789")] ||
      (*length && *t->length && strcmp(length, t->length) != 0))
    return -1;
  if (*length)
    memcpy(t->length, length, sizeof length);
  t->unasked |= is_unasked(t, packed, encoding, coded, transfer);
  return 0;
}

/* The status line; earlier ones may have come before it, such as 103 (Early Hints). */
static void begin_head(struct transfer *t) {
  gunzip_free(t->gunzip);
  t->gunzip = NULL;
  t->head_is_whole = t->framed = t->unasked = t->says_framing = 0;
  t->length[0] = t->response->content_type[0] = t->response->etag[0] = t->response->last_modified[0] = '\0';
}

static size_t on_header(char *line, size_t size, size_t count, void *arg) {
  struct transfer *t = arg;
  struct http_response *r = t->response;
  size_t len = size * count;
  char retry[64] = "";
  t->header_bytes += len;
  if (t->header_bytes > HEADERS_MAX) {
    t->failed = HTTP_BIG_HEADER;
    return 0;
  }
  if (len >= 5 && memcmp(line, "HTTP/", 5) == 0)
    begin_head(t);
  else if (t->head_is_whole) /* a trailer after the body: ignored */
    return len;
  t->head_is_whole = len <= 2 && (line[0] == '\r' || line[0] == '\n');
  if (on_framing(t, line, len) != 0) {
    t->failed = HTTP_BROKEN;
    t->misframed = 1;
    return 0;
  }
  take_header(line, len, "content-type", r->content_type, sizeof r->content_type);
  take_header(line, len, "etag", r->etag, sizeof r->etag);
  take_header(line, len, "last-modified", r->last_modified, sizeof r->last_modified);
  take_header(line, len, "retry-after", retry, sizeof retry);
  if (*retry)
    r->retry_after = retry_seconds(retry);
  return len;
}

static int on_progress(void *arg, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
  (void)arg, (void)a, (void)b, (void)c, (void)d;
  return http_stop;
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

static void http_set_headers(struct transfer *t) {
  const struct http_request *q = t->request;
  for (const char *const *line = q->headers; line && *line; line++)
    t->headers = http_library()->slist_append(t->headers, *line);
  t->headers = http_library()->slist_append(t->headers, "Accept-Encoding: gzip"); /* decompressed here */
  if (q->body.data)
    t->headers = http_library()->slist_append(t->headers, "Expect:"); /* don't wait for 100 Continue */
  if (t->headers)
    http_library()->easy_setopt(t->easy, CURLOPT_HTTPHEADER, t->headers);
  if (q->user_agent)
    http_library()->easy_setopt(t->easy, CURLOPT_USERAGENT, q->user_agent);
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
  if (!q->truncate && body_ceiling(q) <= INT64_MAX) /* rejects announced sizes at once */
    http_library()->easy_setopt(e, CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)body_ceiling(q));
}

/* A body without a length ends when the server closes the connection.  TLS distinguishes this from a cut connection
 * by its close_notify alert, but libcurl treats both alike and has no API for it.  OpenSSL is loaded in this process
 * by libcurl, and its info callback reports the alert. */
typedef void info_function(const void *ssl, int where, int value);
struct openssl {
  void (*set_info_callback)(void *context, info_function *f);
  int (*set_ex_data)(void *context, int index, void *data);
  void *(*get_ex_data)(const void *context, int index);
  void *(*context_of)(const void *ssl);
};

/* Looked up by name, since libcurl may use another TLS library.  0, or -1 where it does. */
static int find_openssl(struct openssl *o) {
  static const char *const names[] = {"SSL_CTX_set_info_callback", "SSL_CTX_set_ex_data",
                                      "SSL_CTX_get_ex_data", "SSL_get_SSL_CTX"};
  void *found[4];
  for (int i = 0; i < 4; i++)
    if (!(found[i] = dlsym(RTLD_DEFAULT, names[i])))
      return -1;
  memcpy(o, found, sizeof *o);
  return 0;
}

static void on_tls_event(const void *ssl, int where, int value) {
  enum { READ_ALERT = 0x4004, CLOSE_NOTIFY = 0 };
  struct openssl o;
  if (where != READ_ALERT || (value & 0xff) != CLOSE_NOTIFY || find_openssl(&o) != 0)
    return;
  struct http *h = o.get_ex_data(o.context_of(ssl), 0);
  if (h)
    h->close_notified = 1;
}

/* A connection may outlive the transfer that opened it, but not h. */
static CURLcode on_tls(CURL *easy, void *context, void *arg) {
  struct openssl o;
  (void)easy;
  if (find_openssl(&o) == 0 && o.set_ex_data(context, 0, arg))
    o.set_info_callback(context, on_tls_event);
  return CURLE_OK;
}

/* Whether a body without a length is known to be complete after a successful transfer. */
static int end_is_known(const struct http *h, const struct transfer *t) {
  char *scheme = NULL;
  if (t->framed || t->response->bytes == 0 || h->close_notified)
    return 1;
  http_library()->easy_getinfo(t->easy, CURLINFO_SCHEME, &scheme);
  return scheme && strcasecmp(scheme, "http") == 0;
}

/* Rejects a host name that resolves to a private address: no public source has one. */
static curl_socket_t open_public(void *arg, curlsocktype purpose, struct curl_sockaddr *address) {
  struct transfer *t = arg;
  (void)purpose;
  if (http_address_is_private(&address->addr)) {
    t->is_private = 1;
    return CURL_SOCKET_BAD;
  }
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/* Through a proxy that the user configured, which may have a private address, or else to public addresses alone: what
 * no_proxy excludes is this network's as a rule, where a connector has no business.  libcurl isn't left to decide. */
static void set_way(CURL *e, struct transfer *t) {
  if (http_goes_by_proxy(t->request->url)) {
    http_library()->easy_setopt(e, CURLOPT_NOPROXY, "");
    return;
  }
  http_library()->easy_setopt(e, CURLOPT_PROXY, "");
  http_library()->easy_setopt(e, CURLOPT_OPENSOCKETFUNCTION, open_public);
  http_library()->easy_setopt(e, CURLOPT_OPENSOCKETDATA, t);
}

static void set_up(struct http *h, struct transfer *t) {
  CURL *e = t->easy = http_library()->easy_init();
  if (!e)
    diag_oom();
  http_library()->easy_setopt(e, CURLOPT_URL, t->request->url);
  http_library()->easy_setopt(e, CURLOPT_PRIVATE, t);
  http_library()->easy_setopt(e, CURLOPT_ERRORBUFFER, t->message);
  http_library()->easy_setopt(e, CURLOPT_WRITEFUNCTION, on_body);
  http_library()->easy_setopt(e, CURLOPT_WRITEDATA, t);
  http_library()->easy_setopt(e, CURLOPT_HEADERFUNCTION, on_header);
  http_library()->easy_setopt(e, CURLOPT_HEADERDATA, t);
  http_library()->easy_setopt(e, CURLOPT_XFERINFOFUNCTION, on_progress);
  http_library()->easy_setopt(e, CURLOPT_NOPROGRESS, 0L);
  h->close_notified = 0;
  http_library()->easy_setopt(e, CURLOPT_SSL_CTX_FUNCTION, on_tls);
  http_library()->easy_setopt(e, CURLOPT_SSL_CTX_DATA, h);
  if (h->connect_to)
    http_library()->easy_setopt(e, CURLOPT_CONNECT_TO, h->connect_to);
  if (h->ca_file)
    http_library()->easy_setopt(e, CURLOPT_CAINFO, h->ca_file);
  if (!h->connect_to && !t->request->allow_private)
    set_way(e, t);
  set_limits(e, t->request);
  set_body(e, t->request);
  http_set_headers(t);
}

static void clear_response(struct http_response *r, const struct http_request *q) {
  struct buf body = r->body;
  memset(r, 0, sizeof *r);
  r->body = body;
  buf_clear(&r->body);
  uint64_t most = body_ceiling(q);
  r->body.max = most < SIZE_MAX / 2 ? (size_t)most : SIZE_MAX / 2;
  r->retry_after = -1;
  r->started = clock_monotonic();
}

static enum http_error error_of(CURLcode code) {
  switch (code) {
  case CURLE_UNSUPPORTED_PROTOCOL:
  case CURLE_URL_MALFORMAT:
    return HTTP_BAD_URL;
  case CURLE_COULDNT_RESOLVE_HOST:
  case CURLE_COULDNT_RESOLVE_PROXY:
    return HTTP_NO_HOST;
  case CURLE_COULDNT_CONNECT:
    return HTTP_NO_CONNECT;
  case CURLE_OPERATION_TIMEDOUT:
    return HTTP_TIMED_OUT;
  case CURLE_SSL_CONNECT_ERROR:
  case CURLE_PEER_FAILED_VERIFICATION:
  case CURLE_SSL_CACERT_BADFILE:
  case CURLE_SSL_CERTPROBLEM:
  case CURLE_SSL_CIPHER:
  case CURLE_SSL_ISSUER_ERROR:
    return HTTP_BAD_TLS;
  case CURLE_ABORTED_BY_CALLBACK:
    return HTTP_INTERRUPTED;
  case CURLE_FILESIZE_EXCEEDED:
    return HTTP_TOO_LARGE;
  case CURLE_OUT_OF_MEMORY: /* libcurl's error for a header line above its 100 KiB */
    return HTTP_BIG_HEADER;
  default:
    return HTTP_BROKEN;
  }
}

static void say_why(struct transfer *t, CURLcode code) {
  struct http_response *r = t->response;
  switch (r->error) {
  case HTTP_TOO_LARGE:
    if (t->gunzip && gunzip_is_bomb(t->gunzip)) {
      error_set(&r->why, "the body unpacks to more than %d times its size", GUNZIP_RATIO);
      break;
    }
    error_set(&r->why, "the body is larger than %llu bytes", (unsigned long long)body_ceiling(t->request));
    break;
  case HTTP_BIG_HEADER:
    error_set(&r->why, "the headers are too large");
    break;
  case HTTP_SINK_FAILED:
    error_set(&r->why, "the body could not be stored");
    break;
  case HTTP_BROKEN:
    if (t->unasked || t->failed) {
      error_set(&r->why, "%s",
                t->misframed ? "what it says of its length can't be"
                : t->unasked ? "the body is packed in a way that was not asked for"
                             : "the body's gzip stream is damaged");
      break;
    }
    /* fall through */
  default:
    error_set(&r->why, "%s", *t->message ? t->message : http_library()->easy_strerror(code));
  }
  if (r->error == HTTP_BAD_TLS && (strstr(r->why.text, "not yet valid") || strstr(r->why.text, "expired"))) {
    char now[CLOCK_TEXT];
    clock_format((int64_t)time(NULL), now);
    error_set(&r->why, "%s: either it is, or the clock of this computer is wrong: %s", t->message, now);
  }
}

static void take_result(const struct http *h, struct transfer *t, CURLcode code) {
  struct http_response *r = t->response;
  char *target = NULL;
  http_library()->easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &r->status);
  http_library()->easy_getinfo(t->easy, CURLINFO_REDIRECT_URL, &target);
  if (target && strlen(target) < sizeof r->redirect)
    memcpy(r->redirect, target, strlen(target) + 1);
  r->seconds = clock_monotonic() - r->started;
  if (r->truncated)
    return;
  int begins = t->head_is_whole && r->status >= 100 &&
               r->status <= 999; /* libcurl reads HTTP/29 as status 9, and takes HTTP/2 2002 */
  if (code == CURLE_OK && (!begins || (t->gunzip && !gunzip_is_whole(t->gunzip)) || !end_is_known(h, t))) {
    r->error = HTTP_BROKEN;
    error_set(&r->why, begins ? "the body ends early" : "the headers end early, or are none");
    return;
  }
  if (code == CURLE_OK)
    return;
  r->error = t->failed ? t->failed : error_of(code);
  if (t->is_private)
    error_set(&r->why, "the host's address is of a private network, which no public source has");
  else
    say_why(t, code);
}

static void tear_down(struct http *h, struct transfer *t) {
  http_library()->multi_remove_handle(h->multi, t->easy);
  http_library()->easy_cleanup(t->easy);
  http_library()->slist_free_all(t->headers);
  gunzip_free(t->gunzip);
  t->gunzip = NULL;
  t->easy = NULL;
  t->headers = NULL;
}

/* Finishes completed transfers; returns how many. */
static size_t reap(struct http *h) {
  size_t done = 0;
  CURLMsg *message;
  int left;
  while ((message = http_library()->multi_info_read(h->multi, &left))) {
    struct transfer *t = NULL;
    if (message->msg != CURLMSG_DONE)
      continue;
    CURLcode code = message->data.result;
    http_library()->easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&t);
    take_result(h, t, code);
    tear_down(h, t);
    done++;
  }
  return done;
}

void http_perform_all(struct http *h, const struct http_request *requests, struct http_response *responses,
                      size_t count, unsigned parallel) {
  struct transfer *all = xcalloc(count ? count : 1, sizeof *all);
  size_t next = 0, done = 0, most = parallel ? parallel : 1;
  while (done < count) {
    for (; next < count && next - done < most; next++) {
      clear_response(&responses[next], &requests[next]);
      all[next].request = &requests[next];
      all[next].response = &responses[next];
      set_up(h, &all[next]);
      http_library()->multi_add_handle(h->multi, all[next].easy);
    }
    int running;
    http_library()->multi_perform(h->multi, &running);
    size_t now = reap(h);
    done += now;
    if (!now)
      http_library()->multi_poll(h->multi, NULL, 0, 200, NULL);
  }
  free(all);
}

enum http_error http_perform(struct http *h, const struct http_request *request,
                             struct http_response *response) {
  http_perform_all(h, request, response, 1, 1);
  return response->error;
}

int http_worth_retry(const struct http_response *r) {
  switch (r->error) {
  case HTTP_FINE:
    return r->status == 408 || r->status == 429 || (r->status >= 500 && r->status != 501 && r->status != 505);
  case HTTP_TIMED_OUT:
  case HTTP_NO_CONNECT:
  case HTTP_NO_HOST:
  case HTTP_BROKEN:
    return 1;
  default:
    return 0;
  }
}

/* A fraction in [0, 1) that differs between processes and calls, for jitter. */
static double fraction(void) {
  static uint64_t state;
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  state = state * 6364136223846793005u + (uint64_t)t.tv_nsec * 2 + (uint64_t)getpid() * 4 + 1;
  return (double)(state >> 11) / 9007199254740992.0;
}

double http_backoff(const struct http_response *r, unsigned attempt, double most) {
  double ceiling = 0.5;
  if (r->retry_after >= 0)
    return r->retry_after < most ? r->retry_after : most;
  for (unsigned i = 1; i < attempt && ceiling < most; i++)
    ceiling *= 2;
  if (ceiling > most)
    ceiling = most;
  return ceiling * (0.5 + 0.5 * fraction());
}
