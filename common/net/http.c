#include "net/http.h"
#include "net/http_head.h"
#include "net/http_library.h"
#include "net/http_options.h"
#include "net/http_tls.h"

#include "base/clock.h"
#include "format/gunzip.h"

#include <stdlib.h>
#include <strings.h>
#include <time.h>

volatile int http_stop;

struct http {
  CURLM *multi;
  struct curl_slist *connect_to;
  const char *ca_file;
  struct http_tls_watch watch;
  struct transfer *transfers; /* those of http_perform_all() */
  size_t count;
};

/* One running transfer. */
struct transfer {
  const struct http_request *request;
  struct http_response *response;
  CURL *easy;
  struct curl_slist *headers;
  struct http_head head;
  long status;
  struct gunzip *gunzip;  /* for a body packed by gzip, from its first byte on */
  const void *connection; /* that its headers came by, as OpenSSL knows it, or NULL */
  int close_notified;     /* a TLS close_notify has arrived there since */
  int is_private;         /* the resolved address is private */
  enum http_error failed; /* the error for which a callback aborted it */
  char message[CURL_ERROR_SIZE];
};

void http_response_init(struct http_response *r) {
  memset(r, 0, sizeof *r);
  buf_init(&r->body, HTTP_BODY_DEFAULT);
  r->retry_after = -1;
}

void http_response_release(struct http_response *r) {
  buf_release(&r->body);
}

/* An idle connection may be closed too while a transfer runs on another one. */
static void on_closed(void *arg, const void *connection) {
  struct http *h = arg;
  for (size_t i = 0; i < h->count; i++)
    if (h->transfers[i].easy && h->transfers[i].connection == connection)
      h->transfers[i].close_notified = 1;
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
  h->watch = (struct http_tls_watch){on_closed, h};
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

/* Takes a piece of the decompressed body, so that the limit applies after decompression.  0, or -1 to abort. */
static int take_body(void *arg, const char *data, size_t len) {
  struct transfer *t = arg;
  size_t take = len;
  uint64_t left = http_options_body_ceiling(t->request) - t->response->bytes;
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
  if (t->head.unasked) {
    t->failed = HTTP_BROKEN;
    return 0;
  }
  if (t->head.gzip && !t->gunzip)
    t->gunzip = gunzip_new();
  int rc = t->gunzip ? gunzip_feed(t->gunzip, data, len, take_body, t) : take_body(t, data, len);
  if (rc < 0 && !t->failed)
    t->failed = gunzip_is_bomb(t->gunzip) ? HTTP_TOO_LARGE : HTTP_BROKEN;
  return rc ? 0 : len;
}

static const void *connection_of(CURL *easy) {
  struct curl_tlssessioninfo *session = NULL;
  http_library()->easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session);
  return session ? session->internals : NULL;
}

static size_t on_header(char *line, size_t size, size_t count, void *arg) {
  struct transfer *t = arg;
  t->connection = connection_of(t->easy);
  enum http_error error = http_head_line(&t->head, line, size * count, t->response);
  if (error == HTTP_FINE)
    return size * count;
  t->failed = error;
  return 0;
}

static int on_progress(void *arg, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
  (void)arg, (void)a, (void)b, (void)c, (void)d;
  return http_stop;
}

static CURLcode on_tls(CURL *easy, void *context, void *arg) {
  (void)easy;
  http_tls_watch(context, arg);
  return CURLE_OK;
}

/* Whether a body without a length is known to be complete after a successful transfer.  Other statuses than 200 may have
 * none. */
static int end_is_known(const struct transfer *t) {
  char *scheme = NULL;
  if (t->head.framed || t->close_notified || (t->response->bytes == 0 && t->response->status != 200))
    return 1;
  http_library()->easy_getinfo(t->easy, CURLINFO_SCHEME, &scheme);
  return scheme && strcasecmp(scheme, "http") == 0;
}

static void set_up(struct http *h, struct transfer *t) {
  CURL *e = t->easy = http_library()->easy_init();
  if (!e)
    diag_oom();
  http_library()->easy_setopt(e, CURLOPT_PRIVATE, t);
  http_library()->easy_setopt(e, CURLOPT_ERRORBUFFER, t->message);
  http_library()->easy_setopt(e, CURLOPT_WRITEFUNCTION, on_body);
  http_library()->easy_setopt(e, CURLOPT_WRITEDATA, t);
  http_library()->easy_setopt(e, CURLOPT_HEADERFUNCTION, on_header);
  http_library()->easy_setopt(e, CURLOPT_HEADERDATA, t);
  http_library()->easy_setopt(e, CURLOPT_XFERINFOFUNCTION, on_progress);
  http_library()->easy_setopt(e, CURLOPT_NOPROGRESS, 0L);
  http_library()->easy_setopt(e, CURLOPT_SSL_CTX_FUNCTION, on_tls);
  http_library()->easy_setopt(e, CURLOPT_SSL_CTX_DATA, &h->watch);
  if (h->connect_to)
    http_library()->easy_setopt(e, CURLOPT_CONNECT_TO, h->connect_to);
  if (h->ca_file)
    http_library()->easy_setopt(e, CURLOPT_CAINFO, h->ca_file);
  if (!h->connect_to && !t->request->allow_private)
    http_options_set_way(e, t->request, &t->is_private);
  t->headers = http_options_set(e, t->request);
}

static void clear_response(struct http_response *r, const struct http_request *q) {
  struct buf body = r->body;
  memset(r, 0, sizeof *r);
  r->body = body;
  buf_clear(&r->body);
  uint64_t most = http_options_body_ceiling(q);
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
    error_set(&r->why, "the body is larger than %llu bytes",
              (unsigned long long)http_options_body_ceiling(t->request));
    break;
  case HTTP_BIG_HEADER:
    error_set(&r->why, "the headers are too large");
    break;
  case HTTP_SINK_FAILED:
    error_set(&r->why, "the body could not be stored");
    break;
  case HTTP_BROKEN:
    if (t->head.unasked || t->failed) {
      error_set(&r->why, "%s",
                t->head.misframed ? "what it says of its length can't be"
                : t->head.unasked ? "the body is packed in a way that was not asked for"
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

/* Whether all of the body has come.  One that is packed has at least a gzip header. */
static int body_is_whole(const struct transfer *t) {
  int is_packed = t->head.gzip || t->head.unasked;
  if (t->gunzip ? !gunzip_is_whole(t->gunzip) : is_packed && t->response->status == 200)
    return 0;
  return end_is_known(t);
}

static void take_result(struct transfer *t, CURLcode code) {
  struct http_response *r = t->response;
  char *target = NULL;
  http_library()->easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &r->status);
  http_library()->easy_getinfo(t->easy, CURLINFO_REDIRECT_URL, &target);
  if (target && strlen(target) < sizeof r->redirect)
    memcpy(r->redirect, target, strlen(target) + 1);
  r->seconds = clock_monotonic() - r->started;
  if (r->truncated)
    return;
  int begins = t->head.is_whole && r->status >= 100 &&
               r->status <= 999; /* libcurl reads HTTP/29 as status 9, and takes HTTP/2 2002 */
  if (code == CURLE_OK && (!begins || !body_is_whole(t))) {
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
    take_result(t, code);
    tear_down(h, t);
    done++;
  }
  return done;
}

void http_perform_all(struct http *h, const struct http_request *requests, struct http_response *responses,
                      size_t count, unsigned parallel) {
  struct transfer *all = xcalloc(count ? count : 1, sizeof *all);
  h->transfers = all;
  h->count = count;
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
  h->count = 0;
  free(all);
}

enum http_error http_perform(struct http *h, const struct http_request *request,
                             struct http_response *response) {
  http_perform_all(h, request, response, 1, 1);
  return response->error;
}
