/* http.c: one HTTP request by libcurl, which is loaded at the first one: its options, headers, proxy, TLS, and retries.
 */
#include "net/http.h"

#include "base/clock.h"
#include "base/diag.h"
#include "base/slice.h"
#include "format/gunzip.h"

#include <ctype.h>
#include <curl/curl.h>
#include <dlfcn.h>
#include <math.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

/* ---- libcurl ---- */

#define CURL_DISABLE_TYPECHECK

/* The functions of libcurl that are called, without their prefix "curl_". */
#define HTTP_LIBRARY(F)                                                                                      \
  F(easy_cleanup)                                                                                            \
  F(easy_getinfo)                                                                                            \
  F(easy_init)                                                                                               \
  F(easy_setopt)                                                                                             \
  F(easy_strerror)                                                                                           \
  F(getdate)                                                                                                 \
  F(global_init)                                                                                             \
  F(multi_add_handle)                                                                                        \
  F(multi_cleanup)                                                                                           \
  F(multi_info_read)                                                                                         \
  F(multi_init)                                                                                              \
  F(multi_perform)                                                                                           \
  F(multi_poll)                                                                                              \
  F(multi_remove_handle)                                                                                     \
  F(slist_append)                                                                                            \
  F(slist_free_all)

struct http_library {
#define F(name) __typeof__(curl_##name) *name;
  HTTP_LIBRARY(F)
#undef F
};

static struct http_library loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void http_library_load(void) {
  /* RTLD_GLOBAL, since on_tls() looks up functions of the TLS library by name. */
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_GLOBAL);
  if (!library) {
    diag_warn("libcurl can't be loaded (%s): install it, in Debian the package libcurl4", dlerror());
    exit(EX_UNAVAILABLE);
  }
#define F(name)                                                                                              \
  *(void **)&loaded.name = dlsym(library, "curl_" #name);                                                    \
  if (!loaded.name) {                                                                                        \
    diag_warn("libcurl has no curl_" #name ": install a newer one");                                         \
    exit(EX_UNAVAILABLE);                                                                                    \
  }
  HTTP_LIBRARY(F)
#undef F
}

/* Loads the library once; ends the program with a message (EX_UNAVAILABLE) where it can't be loaded. */
static const struct http_library *http_library(void) {
  pthread_once(&once, http_library_load);
  return &loaded;
}

/* ---- proxies ---- */

static const char *first_set(const char *const names[]) {
  for (; *names; names++) {
    const char *value = getenv(*names);
    if (value && *value)
      return value;
  }
  return NULL;
}

static struct slice host_of(const char *url) {
  const char *host = strstr(url, "://");
  host = host ? host + 3 : url;
  size_t len = *host == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":/?#");
  while (len > 0 && host[len - 1] == '.')
    len--;
  return slice_of(host, len);
}

/* Whether the host is the name, or ends in it after a dot. */
static int is_within(struct slice host, const char *name, size_t len) {
  for (; len > 0 && *name == '.'; len--)
    name++;
  for (; len > 0 && name[len - 1] == '.'; len--)
    ;
  if (len == 0 || len > host.len || strncasecmp(host.data + host.len - len, name, len) != 0)
    return 0;
  return len == host.len || host.data[host.len - len - 1] == '.';
}

int http_goes_by_proxy(const char *url) {
  if (!first_set((const char *const[]){"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", NULL}))
    return 0;
  const char *but = first_set((const char *const[]){"no_proxy", "NO_PROXY", NULL});
  struct slice host = host_of(url);
  if (but && strcmp(but, "*") == 0)
    return 0;
  for (; but && *but; but += strspn(but, ", ")) {
    size_t len = strcspn(but, ", ");
    if (is_within(host, but, len))
      return 0;
    but += len;
  }
  return 1;
}

/* ---- retries ---- */

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

double http_haste(void) {
  const char *to = getenv("BID_CONNECT_TO"), *set = getenv("BID_HASTE");
  double haste = to && set && strncmp(to, "127.0.0.1:", 10) == 0 ? strtod(set, NULL) : 1;
  return haste > 1 && haste <= 1000 ? haste : 1;
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
  return ceiling * (0.5 + 0.5 * fraction()) / http_haste();
}

/* ---- http ---- */

/* ---- headers of an answer ---- */

/* Reads the headers of an answer, line by line: what is asked of them, and whether the end of the body will be
 * recognisable.  Private to http.c. */

/* Initialised as {0}. */
struct http_head {
  size_t bytes;
  int gzip;         /* the body is packed once, by gzip */
  int unasked;      /* it has an encoding that was not requested */
  int says_framing; /* the last header concerned the framing of the body */
  int framed;       /* headers give the body's length or how it ends */
  int unchunked;    /* a Transfer-Encoding under which libcurl ignores Content-Length */
  int misframed;    /* Content-Length is invalid */
  int has_status;   /* the status line is "HTTP/VERSION DDD", which libcurl doesn't insist on */
  int is_whole;     /* the end of the headers was received */
  char length[32];  /* the announced Content-Length, or "" */
};

#define HEADERS_MAX ((size_t)256 << 10)
#define LENGTH_DIGITS 18 /* of Content-Length */

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
static int is_unasked(struct http_head *h, int packed, const char *encoding, int coded,
                      const char *transfer) {
  if (coded < 0 ||
      (*transfer && strcasecmp(transfer, "chunked") != 0 && strcasecmp(transfer, "identity") != 0))
    return 1;
  if (packed >= 0 && (!*encoding || strcasecmp(encoding, "identity") == 0))
    return 0;
  if (h->gzip || (strcasecmp(encoding, "gzip") != 0 && strcasecmp(encoding, "x-gzip") != 0))
    return 1;
  h->gzip = 1;
  return 0;
}

/* Whether libcurl would use only a part of a header about framing, or none of it: it ignores one with a blank before its
 * colon, and a length of more than 63 bits. */
static int is_misread(const char *line, size_t len, int sized, const char *length, int coded) {
  const char *colon = memchr(line, ':', len);
  return ((sized || coded) && colon && colon > line && strchr(" \t", colon[-1])) || sized < 0 ||
         length[strspn(length, "0123456789")] || strlen(length) > LENGTH_DIGITS;
}

/* Records the encoding of the body and whether its end will be recognisable.  -1 where a length is not a number or
 * contradicts an earlier one, since libcurl would use its leading digits; also for obsolete line folding (RFC 9112,
 * 5.2). */
static int on_framing(struct http_head *h, const char *line, size_t len) {
  char encoding[32] = "", length[32] = "", transfer[32] = "";
  if (h->says_framing && (line[0] == ' ' || line[0] == '\t'))
    return -1;
  int packed = take_header(line, len, "content-encoding", encoding, sizeof encoding);
  int sized = take_header(line, len, "content-length", length, sizeof length);
  int coded = take_header(line, len, "transfer-encoding", transfer, sizeof transfer);
  h->says_framing = packed || sized || coded;
  int chunked = strcasecmp(transfer, "chunked") == 0;
  h->framed |= *length || chunked;
  h->unchunked |= *transfer && !chunked;
  if (is_misread(line, len, sized, length, coded) ||
      (*length && *h->length && strcmp(length, h->length) != 0))
    return -1;
  if (*length)
    memcpy(h->length, length, sizeof length);
  h->unasked |= is_unasked(h, packed, encoding, coded, transfer);
  return h->unchunked && *h->length ? -1 : 0;
}

/* Whether a status line is "HTTP/1.1 200", with a reason or without (RFC 9112, section 4). */
static int is_status_line(const char *line, size_t len) {
  size_t i = 5;
  while (i < len && i < 8 && (isdigit((unsigned char)line[i]) || (line[i] == '.' && i == 6)))
    i++;
  if ((i != 6 && i != 8) || i + 5 > len || line[i] != ' ')
    return 0;
  for (size_t k = i + 1; k < i + 4; k++)
    if (!isdigit((unsigned char)line[k]))
      return 0;
  return line[i + 1] != '0' && strchr(" \r\n", line[i + 4]) != NULL;
}

/* The status line; earlier ones may have come before it, such as 103 (Early Hints). */
static void begin_head(struct http_head *h, const char *line, size_t len, struct http_response *r) {
  *h = (struct http_head){.bytes = h->bytes, .has_status = is_status_line(line, len)};
  r->content_type[0] = r->etag[0] = r->last_modified[0] = '\0';
}

/* Takes a line, with its end.  Earlier heads, such as 103 (Early Hints), are forgotten and trailers ignored.  HTTP_FINE,
 * HTTP_BIG_HEADER or HTTP_BROKEN. */
static enum http_error http_head_line(struct http_head *h, const char *line, size_t len,
                                      struct http_response *r) {
  char retry[64] = "";
  int first = h->bytes == 0 || h->is_whole;
  h->bytes += len;
  if (h->bytes > HEADERS_MAX)
    return HTTP_BIG_HEADER;
  if (first && len >= 5 && memcmp(line, "HTTP/", 5) == 0)
    begin_head(h, line, len, r);
  else if (h->is_whole) /* a trailer after the body: ignored */
    return HTTP_FINE;
  h->is_whole = len <= 2 && (line[0] == '\r' || line[0] == '\n');
  h->misframed = on_framing(h, line, len) != 0;
  if (h->misframed)
    return HTTP_BROKEN;
  take_header(line, len, "content-type", r->content_type, sizeof r->content_type);
  take_header(line, len, "etag", r->etag, sizeof r->etag);
  take_header(line, len, "last-modified", r->last_modified, sizeof r->last_modified);
  take_header(line, len, "retry-after", retry, sizeof retry);
  if (*retry)
    r->retry_after = retry_seconds(retry);
  return HTTP_FINE;
}

/* ---- private addresses ---- */

/* Private and special-purpose IPv4 networks (RFC 6890), as first address and prefix length. */
static int is_private4(uint32_t a) {
  static const struct {
    uint32_t net, bits;
  } nets[] = {{0x00000000, 8},  {0x0a000000, 8},  {0x64400000, 10}, {0x7f000000, 8},  {0xa9fe0000, 16},
              {0xac100000, 12}, {0xc0000000, 24}, {0xc0a80000, 16}, {0xc6120000, 15}, {0xe0000000, 3}};
  for (size_t i = 0; i < sizeof nets / sizeof *nets; i++)
    if ((a ^ nets[i].net) >> (32 - nets[i].bits) == 0)
      return 1;
  return 0;
}

/* Loopback, unspecified, link-local, unique local, multicast, a site's own translation (64:ff9b:1::/48, RFC 8215), and
 * embedded IPv4 addresses (mapped, translated, NAT64, 6to4). */
static int is_private6(const uint8_t a[16]) {
  static const uint8_t zeros[12], mapped[12] = {[10] = 0xff, [11] = 0xff},
                                  translated[12] = {[8] = 0xff, [9] = 0xff},
                                  local_nat64[6] = {0x00, 0x64, 0xff, 0x9b, 0x00, 0x01};
  if (a[0] == 0x20 && a[1] == 0x02)
    return is_private4((uint32_t)a[2] << 24 | (uint32_t)a[3] << 16 | (uint32_t)a[4] << 8 | a[5]);
  if (memcmp(a, local_nat64, sizeof local_nat64) == 0)
    return 1;
  if (memcmp(a, mapped, 12) == 0 || memcmp(a, zeros, 12) == 0 || memcmp(a, translated, 12) == 0 ||
      (a[0] == 0x00 && a[1] == 0x64 && a[2] == 0xff))
    return is_private4((uint32_t)a[12] << 24 | (uint32_t)a[13] << 16 | (uint32_t)a[14] << 8 | a[15]);
  return (a[0] & 0xfe) == 0xfc || (a[0] == 0xfe && (a[1] & 0x80) == 0x80) || a[0] == 0xff;
}

/* Whether an address is private or special-purpose, also where it embeds such an IPv4 address; 1 for other families than
 * IPv4 and IPv6. */
static int http_address_is_private(const struct sockaddr *address) {
  if (address->sa_family == AF_INET)
    return is_private4(ntohl(((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr));
  if (address->sa_family == AF_INET6)
    return is_private6(((const struct sockaddr_in6 *)(const void *)address)->sin6_addr.s6_addr);
  return 1;
}

/* ---- options for libcurl ---- */

#define SLOWEST_FILE                                                                                         \
  1000L /* minimum bytes per second into a sink, which may take an hour: slower blocks other requests */

/* Limit of the answer's body in bytes. */
static uint64_t http_options_body_ceiling(const struct http_request *q) {
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

/* Returns the header lines, to be freed after the transfer. */
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
  http_library()->easy_setopt(e, CURLOPT_CONNECTTIMEOUT_MS, 10000L);
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
/* The way to the host: through the user's proxy, or else to public addresses alone, setting *is_private where the host has
 * none. */
static void http_options_set_way(CURL *e, const struct http_request *q, int *is_private) {
  if (http_goes_by_proxy(q->url)) {
    http_library()->easy_setopt(e, CURLOPT_NOPROXY, "");
    return;
  }
  http_library()->easy_setopt(e, CURLOPT_PROXY, "");
  http_library()->easy_setopt(e, CURLOPT_OPENSOCKETFUNCTION, open_public);
  http_library()->easy_setopt(e, CURLOPT_OPENSOCKETDATA, is_private);
}

/* ---- http ---- */

struct http {
  CURLM *multi;
  struct curl_slist *connect_to;
  const char *ca_file;
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

/* ---- the end of a TLS connection ---- */

/* A body without a length ends when the server closes the connection.  TLS distinguishes this from a cut
 * connection by its close_notify alert, but libcurl treats both alike and has no API for it.  OpenSSL is loaded in this
 * process by libcurl, and its info callback reports the alert. */

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

/* An idle connection may be closed too while a transfer runs on another one. */
static void on_tls_event(const void *ssl, int where, int value) {
  enum { READ_ALERT = 0x4004, CLOSE_NOTIFY = 0 };
  struct openssl o;
  if (where != READ_ALERT || (value & 0xff) != CLOSE_NOTIFY || find_openssl(&o) != 0)
    return;
  struct http *h = o.get_ex_data(o.context_of(ssl), 0);
  for (size_t i = 0; h && i < h->count; i++)
    if (h->transfers[i].easy && h->transfers[i].connection == ssl)
      h->transfers[i].close_notified = 1;
}

/* libcurl's callback for a new TLS context; h outlives it.  Does nothing where libcurl uses another library than
 * OpenSSL. */
static CURLcode on_tls(CURL *easy, void *context, void *h) {
  struct openssl o;
  (void)easy;
  if (find_openssl(&o) == 0 && o.set_ex_data(context, 0, h))
    o.set_info_callback(context, on_tls_event);
  return CURLE_OK;
}

/* ---- transfers ---- */

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
  http_library()->easy_setopt(e, CURLOPT_SSL_CTX_FUNCTION, on_tls);
  http_library()->easy_setopt(e, CURLOPT_SSL_CTX_DATA, h);
  if (h->connect_to)
    http_library()->easy_setopt(e, CURLOPT_CONNECT_TO, h->connect_to);
  if (h->ca_file)
    http_library()->easy_setopt(e, CURLOPT_CAINFO, h->ca_file);
  if (!h->connect_to && !t->request->allow_private)
    http_options_set_way(e, t->request, &t->is_private);
  http_library()->easy_setopt(e, CURLOPT_URL, t->request->url);
  set_limits(e, t->request);
  set_body(e, t->request);
  t->headers = http_set_headers(e, t->request);
}

static void clear_response(struct http_response *r, const struct http_request *q) {
  struct buf body = r->body;
  memset(r, 0, sizeof *r);
  r->body = body;
  buf_clear(&r->body);
  uint64_t most = http_options_body_ceiling(q);
  r->body.max = most < SIZE_MAX / 2 ? (size_t)most : SIZE_MAX / 2;
  r->retry_after = -1;
}

/* Headers that are too large have an error of their own from libcurl 8.6 on (CURLE_TOO_LARGE), which older headers don't declare. */
enum { TOO_LARGE = 100 };

static enum http_error error_of(CURLcode code) {
  if ((int)code == TOO_LARGE)
    return HTTP_BIG_HEADER;
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
  case CURLE_FILESIZE_EXCEEDED:
    return HTTP_TOO_LARGE;
  case CURLE_OUT_OF_MEMORY: /* an older libcurl's error for a header line above its 100 KiB */
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
  if (r->truncated)
    return;
  int begins = t->head.is_whole && t->head.has_status;
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

void http_perform_patiently(struct http *h, const struct http_request *requests,
                            struct http_response *responses, size_t count, const struct http_patience *p) {
  struct http_request *ask = xcalloc(count + 1, sizeof *ask);
  struct http_response *got = xcalloc(count + 1, sizeof *got);
  size_t *of = xcalloc(count + 1, sizeof *of), left = count;
  for (size_t i = 0; i < count; i++)
    of[i] = i;
  for (unsigned attempt = 1; left > 0; attempt++) {
    size_t sent = left;
    double wait = 0;
    for (size_t i = 0; i < sent; i++) {
      ask[i] = requests[of[i]];
      got[i] = responses[of[i]];
    }
    http_perform_all(h, ask, got, sent, p->parallel);
    left = 0;
    for (size_t i = 0; i < sent; i++) {
      responses[of[i]] = got[i];
      if (attempt < p->attempts && http_worth_retry(&got[i]) &&
          !(p->new_server && got[i].error == HTTP_NO_CONNECT)) {
        wait = fmax(wait, http_backoff(&got[i], attempt, p->most));
        of[left++] = of[i];
      }
    }
    if (left)
      clock_sleep(wait);
  }
  free(ask);
  free(got);
  free(of);
}
