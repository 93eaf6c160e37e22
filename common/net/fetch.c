#include "net/fetch.h"
#include "net/fetch_fault.h"

#include "net/agent.h"

#include "record/error.h"
#include "base/paths.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define CACHE_DEFAULT ((uint64_t)4 << 30)
#define HEAD_MAX 4096
#define REDIRECTS_MAX 5
#define CLOCK_SLACK 2 /* tolerated clock difference in seconds */

struct fetcher {
  struct fetch_options options;
  struct http *http; /* created at the first transfer: cache hits need none */
  struct cache cache;
  struct buf ledger; /* folder */
  double began;      /* Unix time; answers checked since then are fresh */
};

static double fetch_wall_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int fetch_ledger_folder(struct buf *out) {
  return paths_state(out) == 0 ? buf_add_str(out, "/ledger") : -1;
}

struct fetcher *fetch_new(const struct fetch_options *o, struct error_text *why) {
  struct fetcher *f = xcalloc(1, sizeof *f);
  struct buf folder;
  f->options = *o;
  f->began = fetch_wall_clock();
  buf_init(&f->ledger, 4096);
  buf_init(&folder, 4096);
  int result = fetch_ledger_folder(&f->ledger);
  if (result != 0)
    paths_unusable(&f->ledger, "the ledger", "BID_STATE", why);
  else if ((result = paths_cache(&folder)) != 0)
    paths_unusable(&folder, "the cache", "BID_CACHE", why);
  else
    result = cache_open(&f->cache, folder.data, o->cache_bytes ? o->cache_bytes : CACHE_DEFAULT, why);
  buf_release(&folder);
  if (result == 0)
    return f;
  fetch_free(f);
  return NULL;
}

void fetch_free(struct fetcher *f) {
  if (!f)
    return;
  http_free(f->http);
  cache_close(&f->cache);
  buf_release(&f->ledger);
  free(f);
}

struct cache *fetch_cache(struct fetcher *f) {
  return &f->cache;
}

void fetch_result_init(struct fetch_result *r) {
  memset(r, 0, sizeof *r);
  buf_init(&r->body, SIZE_MAX / 2);
  r->fd = -1;
  r->retry_after = -1;
}

void fetch_result_release(struct fetch_result *r) {
  if (r->fd >= 0)
    close(r->fd);
  buf_release(&r->body);
  fetch_result_init(r);
}

/* ---- URLs, keys, agents ---- */

static int host_end(char c) {
  return c == '\0' || c == '/' || c == '?' || c == '#';
}

int fetch_host(const char *url, char *host, size_t room) {
  size_t n = 0, len = strlen(url);
  if (strncmp(url, "https://", 8) != 0 || len >= FETCH_URL_MAX)
    return -1;
  for (const char *p = url; *p; p++)
    if ((unsigned char)*p <= ' ' || *p == 0x7f || *p == '\\')
      return -1;
  const char *p = url + 8;
  for (; !host_end(*p) && *p != ':'; p++) {
    if ((!isalnum((unsigned char)*p) && *p != '-' && *p != '.') || n + 1 >= room)
      return -1;
    if (*p == '.' && (n == 0 || host[n - 1] == '.'))
      return -1;
    host[n++] = (char)tolower((unsigned char)*p);
  }
  host[n] = '\0';
  if (n > 0 && host[n - 1] == '.') /* a trailing dot names the same host but would bypass its rate limit */
    return -1;
  if (strncmp(p, ":443", 4) == 0)
    p += 4;
  return n > 0 && host_end(*p) ? 0 : -1;
}

static int ends_in(const char *host, const char *tail) {
  size_t a = strlen(host), b = strlen(tail);
  return a > b && strcmp(host + a - b, tail) == 0;
}

int fetch_host_declared(const char *host, const char *const *hosts) {
  for (; hosts && *hosts; hosts++)
    if (strcmp(host, *hosts) == 0 || ((*hosts)[0] == '*' && (*hosts)[1] == '.' && ends_in(host, *hosts + 1)))
      return 1;
  return 0;
}

static void fetch_add_escaped(struct buf *out, const char *text) {
  for (; *text; text++)
    if (isalnum((unsigned char)*text) || strchr("-._~", *text))
      buf_add_char(out, *text);
    else
      buf_printf(out, "%%%02X", (unsigned char)*text);
}

#define SECRET_LEAST 3

static void redact_form(struct buf *b, struct slice form) {
  struct buf clean;
  char *at;
  if (b->len < form.len || !memmem(b->data, b->len, form.data, form.len))
    return;
  buf_init(&clean, SIZE_MAX / 2); /* "REDACTED" may be longer than what it replaces */
  const char *from = b->data, *end = b->data + b->len;
  while ((at = memmem(from, (size_t)(end - from), form.data, form.len))) {
    buf_add(&clean, from, (size_t)(at - from));
    buf_add_str(&clean, "REDACTED");
    from = at + form.len;
  }
  buf_add(&clean, from, (size_t)(end - from));
  buf_release(b);
  *b = clean;
}

/* Redacts the key as it is and percent-encoded.  A key of a byte or two would mutilate words. */
void fetch_redact(struct buf *b, const char *secret) {
  struct buf escaped;
  size_t len = secret ? strlen(secret) : 0;
  if (len < SECRET_LEAST)
    return;
  redact_form(b, slice_of(secret, len));
  buf_init(&escaped, 3 * len + 64);
  fetch_add_escaped(&escaped, secret);
  if (escaped.len != len)
    redact_form(b, buf_slice(&escaped));
  buf_release(&escaped);
}

static void redact_text(char *text, size_t room, const char *secret) {
  struct buf b;
  buf_init(&b, 2 * room + 64);
  buf_add_str(&b, text);
  fetch_redact(&b, secret);
  snprintf(text, room, "%s", b.data ? b.data : "");
  buf_release(&b);
}

/* ---- the cache ---- */

/* Everything that the answer depends on, except the API key. */
static void fetch_key_of(const struct fetch_request *q, char key[DIGEST_HEX]) {
  struct buf b;
  buf_init(&b, SIZE_MAX / 2);
  buf_printf(&b, "%s\n%s\n%s\n%llu", q->url, q->accept ? q->accept : "", q->browser ? "browser" : "",
             q->truncate ? (unsigned long long)q->max_body : 0);
  for (const char *const *h = q->headers; h && *h; h++)
    buf_printf(&b, "\n%s", *h);
  cache_key(buf_slice(&b), key);
  buf_release(&b);
}

/* Takes the cached body into r.  0, or -1 where it can't be read after all. */
static int take_cached(struct fetcher *f, const struct fetch_request *q, const struct cache_entry *e,
                       struct fetch_result *r) {
  buf_clear(&r->body);
  if (q->to_file) {
    r->fd = cache_body_fd(&f->cache, e);
    if (r->fd < 0)
      return -1;
  } else if (cache_read(&f->cache, e, &r->body) != 0) {
    buf_clear(&r->body);
    return -1;
  }
  r->status = 200;
  r->bytes = e->size;
  r->truncated = e->truncated;
  memcpy(r->content_type, e->content_type, sizeof r->content_type);
  memcpy(r->sha256, e->sha256, sizeof r->sha256);
  clock_format((int64_t)e->fetched, r->captured);
  return 0;
}

/* Whether there is an answer that may be used.  One that exceeds the limit of this request was stored under a higher one:
 * asking for it again reports the excess. */
static int fetch_is_held(const struct fetcher *f, const struct fetch_request *q, const char *key,
                         struct cache_entry *e) {
  return cache_find(&f->cache, key, e) && (q->truncate || e->size <= q->max_body);
}

/* Whether an answer needs no revalidation.  A time of checking in the future means that the clock has been set back
 * since, so the age is unknown. */
static int fetch_is_fresh(const struct fetcher *f, const struct fetch_request *q,
                          const struct cache_entry *e) {
  if (f->options.offline)
    return 1;
  if (e->checked > fetch_wall_clock() + CLOCK_SLACK)
    return 0;
  if (f->options.refresh)
    return e->checked >= f->began; /* once per run is enough */
  return q->immutable || e->checked >= f->began || e->checked + q->max_age > fetch_wall_clock();
}

/* ---- one transfer ---- */

/* State of one transfer. */
struct fetch_asking {
  struct fetcher *fetcher;
  const struct fetch_request *request;
  const struct cache_entry *held; /* cached answer to revalidate, or NULL */
  struct buf url, agent, lines;   /* lines: header lines, each with its '\0' */
  const char *headers[40];
  struct cache_writer writer;
  struct buf head; /* the first bytes of a body that is written to disk */
  int writing;
  struct error_text write_why;
};

static void fetch_add_line(struct fetch_asking *a, size_t *count, const char *name, const char *middle,
                           const char *value) {
  size_t at = a->lines.len;
  if (*count + 1 >= sizeof a->headers / sizeof *a->headers || strpbrk(value, "\r\n"))
    return;
  if (buf_printf(&a->lines, "%s%s%s%c", name, middle, value, '\0') == 0)
    a->headers[(*count)++] = a->lines.data + at;
}

/* `lines` is reserved in advance, so pointers into it stay valid. */
static void fetch_set_headers(struct fetch_asking *a, int with_key) {
  const struct fetch_request *q = a->request;
  size_t count = 0;
  buf_init(&a->lines, 32766);
  buf_reserve(&a->lines, 32766);
  if (q->accept)
    fetch_add_line(a, &count, "Accept", ": ", q->accept);
  for (const char *const *h = q->headers; h && *h; h++)
    fetch_add_line(a, &count, *h, "", "");
  if (a->held && a->held->etag[0])
    fetch_add_line(a, &count, "If-None-Match", ": ", a->held->etag);
  if (a->held && a->held->last_modified[0])
    fetch_add_line(a, &count, "If-Modified-Since", ": ", a->held->last_modified);
  if (with_key && q->key.value && q->key.header) {
    struct buf value;
    buf_init(&value, 4096);
    buf_printf(&value, "%s%s", q->key.prefix ? q->key.prefix : "", q->key.value);
    fetch_add_line(a, &count, q->key.header, ": ", value.data ? value.data : "");
    buf_release(&value);
  }
  a->headers[count] = NULL;
}

/* The key is added to the URL here, and only for the host that was asked first. */
static void fetch_set_url(struct fetch_asking *a, const char *url, int with_key) {
  const struct fetch_request *q = a->request;
  buf_init(&a->url, 2 * FETCH_URL_MAX);
  buf_add_str(&a->url, url);
  if (with_key && q->key.value && q->key.query) {
    buf_printf(&a->url, "%c%s=", strchr(url, '?') ? '&' : '?', q->key.query);
    fetch_add_escaped(&a->url, q->key.value);
  }
}

static int sink(void *arg, const char *data, size_t len) {
  struct fetch_asking *a = arg;
  if (!a->writing && cache_write_start(&a->fetcher->cache, &a->writer, &a->write_why) != 0)
    return -1;
  a->writing = 1;
  if (a->head.len < HEAD_MAX)
    buf_add(&a->head, data, len < HEAD_MAX - a->head.len ? len : HEAD_MAX - a->head.len);
  if (cache_write(&a->writer, data, len) == 0)
    return 0;
  error_set(&a->write_why, "cache: %s", strerror(errno));
  return -1;
}

/* Before the first request to the SEC with the shipped user agent: explains how to set one, once per state folder. */
static void fetch_introduce(struct fetcher *f, const struct fetch_request *q) {
  struct buf told;
  if (!f->options.notice || !fetch_is_sec(q) || !agent_is_shipped())
    return;
  buf_init(&told, 4096);
  if (paths_state(&told) == 0 && paths_make(told.data) == 0) {
    buf_add_str(&told, "/introduced");
    int fd = open(told.data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd >= 0) {
      close(fd);
      f->options.notice("the SEC wants to know who asks; requests go out with the contact that BID ships "
                        "until you set your own: "
                        "export BID_USER_AGENT='Your Name name@example.org'");
    }
  }
  buf_release(&told);
}

/* Sends the request under the ledger.  0, or -1 with r's error set where it was not sent. */
static int fetch_ask(struct fetch_asking *a, struct http_response *h, struct fetch_result *r) {
  const struct fetch_request *q = a->request;
  struct fetcher *f = a->fetcher;
  struct ledger_turn turn;
  struct error_text why;
  enum ledger_status s = ledger_enter(&turn, f->ledger.data, &q->rule, q->user, &why);
  if (s == LEDGER_FAILED)
    return fetch_fault_of_disk(r, why.text);
  if (s == LEDGER_BLOCKED) {
    r->retry_after = (double)(long)(turn.wait + 1);
    return fetch_fault(r, ERROR_RATE_LIMITED,
                       "%s: nobody may ask for another %ld seconds: %s; bid-fetch --quota shows it",
                       q->rule.domain, (long)turn.wait + 1, turn.why);
  }
  struct http_request ask = {.url = a->url.data,
                             .headers = a->headers,
                             .user_agent = a->agent.data,
                             .max_body = q->max_body,
                             .truncate = q->truncate,
                             .timeout = f->options.timeout > 0 ? f->options.timeout
                                        : q->to_file           ? 3600
                                                               : 0,
                             .stall_timeout = f->options.timeout,
                             .sink = q->to_file ? sink : NULL,
                             .sink_arg = a};
  if (!f->http)
    f->http = http_new();
  http_perform(f->http, &ask, h);
  if (a->head.len && fetch_is_sec(q) && fetch_sec_answer_of(h->status, h->retry_after, &a->head) != SEC_PLAIN)
    buf_add_slice(&h->body, buf_slice(&a->head)); /* a page instead of the expected file */
  int blocked = h->error == HTTP_FINE && fetch_is_sec(q) &&
                fetch_sec_answer_of(h->status, h->retry_after, &h->body) == SEC_BLOCKED;
  double away = blocked ? FETCH_BLOCK_SECONDS : fetch_is_sec(q) && h->status == 429 ? h->retry_after : 0;
  ledger_leave(&turn, f->ledger.data, &q->rule, q->user, h->bytes, away,
               blocked ? "the SEC's page for exceeding its request rate was received"
                       : "the server asked to wait (status 429)");
  return 0;
}

/* One attempt for one URL; a redirect is another URL. */
static int try_once(struct fetcher *f, const struct fetch_request *q, const char *url, int with_key,
                    const struct cache_entry *held, struct http_response *h, struct fetch_asking *a,
                    struct fetch_result *r) {
  memset(a, 0, sizeof *a);
  a->fetcher = f;
  a->request = q;
  a->held = held;
  buf_init(&a->agent, 4096);
  buf_init(&a->head, HEAD_MAX);
  fetch_set_url(a, url, with_key);
  fetch_set_headers(a, with_key);
  int result;
  if (agent_line(&a->agent, q->browser) != 0) {
    r->exit_status = error_kind_status(FAULT_SETTING);
    result =
        fetch_fault(r, ERROR_AUTH_FAILED, "no user agent: set BID_USER_AGENT to 'Name name@example.org'");
  } else if (!agent_has_address(a->agent.data)) {
    r->exit_status = error_kind_status(FAULT_SETTING);
    result = fetch_fault(
        r, ERROR_AUTH_FAILED,
        "the user agent '%.60s' has no e-mail address: export BID_USER_AGENT='%.60s name@example.org'",
        a->agent.data, a->agent.data);
  } else {
    fetch_introduce(f, q);
    result = fetch_ask(a, h, r);
  }
  buf_release(&a->agent);
  buf_release(&a->head);
  buf_release(&a->url);
  buf_release(&a->lines);
  return result;
}

static void fetch_sleep_seconds(double seconds) {
  struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  while (nanosleep(&t, &t) != 0 && errno == EINTR)
    ;
}

/* Requests one URL with retries.  A 429 of the SEC is a block and not retried; a long Retry-After is reported instead
 * of waited for. */
static int try_hard(struct fetcher *f, const struct fetch_request *q, const char *url, int with_key,
                    const struct cache_entry *held, struct http_response *h, struct fetch_asking *a,
                    struct fetch_result *r) {
  for (unsigned attempt = 0;; attempt++) {
    if (try_once(f, q, url, with_key, held, h, a, r) != 0)
      return -1;
    int again = http_worth_retry(h) && attempt < FETCH_RETRIES && h->retry_after <= FETCH_RETRY_MOST;
    if (again && h->error == HTTP_FINE && fetch_is_sec(q) &&
        fetch_sec_answer_of(h->status, h->retry_after, &h->body) != SEC_PLAIN)
      again = 0;
    if (again && h->error == HTTP_TIMED_OUT && attempt >= 1)
      again = 0; /* each attempt would take its whole time-out */
    if (!again)
      return 0;
    if (a->writing)
      cache_write_drop(&a->writer);
    a->writing = 0;
    /* slightly longer than the block that the ledger recorded for the same answer */
    fetch_sleep_seconds(http_backoff(h, attempt + 1, FETCH_RETRY_MOST) + (h->status == 429 ? 0.1 : 0));
  }
}

/* ---- putting it together ---- */

static int is_redirect(long status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

/* Checks the target of a redirect: 0, or -1 with r's error set. */
static int check_redirect(const struct fetch_request *q, const struct http_response *h,
                          struct fetch_result *r) {
  char host[256];
  if (!h->redirect[0])
    return fetch_fault(r, ERROR_UNAVAILABLE, "redirected to nowhere (status %ld)", h->status);
  if (fetch_host(h->redirect, host, sizeof host) != 0)
    return fetch_fault(r, ERROR_UNAVAILABLE, "redirected to what is no plain https address; refused");
  if (!fetch_host_declared(host, q->hosts))
    return fetch_fault(r, ERROR_UNAVAILABLE, "redirected to %s, a host that is not declared; refused", host);
  return 0;
}

static int same_host(const char *a, const char *b) {
  char x[256], y[256];
  return fetch_host(a, x, sizeof x) == 0 && fetch_host(b, y, sizeof y) == 0 && strcmp(x, y) == 0;
}

/* Whether a host is this domain or lies in it. */
static int is_in_domain(const char *host, const char *domain) {
  size_t a = strlen(host), b = strlen(domain);
  return strcmp(host, domain) == 0 || (ends_in(host, domain) && host[a - b - 1] == '.');
}

/* All hosts of the SEC share one domain and its rate limit, whatever a connector declares.  No other host may join
 * that domain, or any other that it doesn't lie in, since its answers and pace would hold up everybody else's requests
 * there; a domain without a dot is only the connector's own name for its hosts. */
static void tighten(struct fetch_request *q, const char *host) {
  int sec = is_in_domain(host, "sec.gov");
  if (!(q->rule.per_second > 0))
    q->rule.per_second = sec ? 8 : 1;
  if (!sec) {
    if (strchr(q->rule.domain, '.') && !is_in_domain(host, q->rule.domain))
      q->rule.domain = host;
    return;
  }
  q->rule.domain = "sec.gov";
  q->rule.serial = 1;
  q->rule.burst = 1;
  q->rule.per_second = fmin(fmax(q->rule.per_second, 1), 10);
}

/* The request for one URL on the way, with the rules of that URL's host. */
struct fetch_hop {
  struct fetch_request request;
  char host[256];
};

/* Requests the URL and follows redirects; hop: the last of them. */
static int travel(struct fetcher *f, const struct fetch_request *q, struct fetch_hop *hop,
                  const struct cache_entry *held, struct http_response *h, struct fetch_asking *a,
                  struct fetch_result *r) {
  char url[FETCH_URL_MAX];
  snprintf(url, sizeof url, "%s", q->url);
  for (int hops = 0;; hops++) {
    hop->request = *q;
    fetch_host(url, hop->host, sizeof hop->host);
    tighten(&hop->request, hop->host);
    if (try_hard(f, &hop->request, url, same_host(url, q->url), held, h, a, r) != 0)
      return -1;
    if (h->error != HTTP_FINE || !is_redirect(h->status))
      return 0;
    if (check_redirect(q, h, r) != 0)
      return -1;
    if (hops == REDIRECTS_MAX)
      return fetch_fault(r, ERROR_UNAVAILABLE, "more than %d redirects", REDIRECTS_MAX);
    snprintf(url, sizeof url, "%s", h->redirect);
  }
}

/* Handles 304: the cached body is still current. */
static int still_good(struct fetcher *f, const struct fetch_request *q, const char *key,
                      struct cache_entry *e, struct fetch_result *r) {
  e->checked = fetch_wall_clock();
  cache_update(&f->cache, key, q->url, e);
  r->cached = 1;
  return take_cached(f, q, e, r);
}

static void describe(struct cache_entry *e, const struct http_response *h) {
  memset(e, 0, sizeof *e);
  memcpy(e->content_type, h->content_type, sizeof e->content_type);
  memcpy(e->etag, h->etag, sizeof e->etag);
  memcpy(e->last_modified, h->last_modified, sizeof e->last_modified);
  e->fetched = e->checked = fetch_wall_clock();
  e->truncated = h->truncated;
}

/* Stores a new body; one in memory is used even where storing fails. */
static int fetch_keep(struct fetcher *f, const struct fetch_request *q, const char *key,
                      struct http_response *h, struct fetch_asking *a, struct fetch_result *r) {
  struct cache_entry e;
  struct error_text why;
  describe(&e, h);
  if (!q->to_file) {
    fetch_redact(&h->body, q->key.value);
    if (cache_write_start(&f->cache, &a->writer, &why) == 0 &&
        cache_write(&a->writer, h->body.data, h->body.len) == 0)
      cache_write_commit(&f->cache, &a->writer, key, q->url, &e, &why);
    else
      cache_write_drop(&a->writer);
    r->status = 200;
    r->bytes = h->body.len;
    r->truncated = h->truncated;
    memcpy(r->content_type, e.content_type, sizeof r->content_type);
    clock_format((int64_t)e.fetched, r->captured);
    digest_hex_of(h->body.data, h->body.len, r->sha256);
    struct buf swap = r->body;
    r->body = h->body;
    h->body = swap;
    return 0;
  }
  if (!a->writing && cache_write_start(&f->cache, &a->writer, &why) != 0)
    return fetch_fault_of_disk(r, why.text);
  a->writing = 0;
  if (cache_write_commit(&f->cache, &a->writer, key, q->url, &e, &why) != 0)
    return fetch_fault_of_disk(r, why.text);
  return take_cached(f, q, &e, r) == 0 ? 0
                                       : fetch_fault(r, ERROR_INTERNAL, "the body vanished from the cache");
}

/* Handles an error answer: r takes its status and the start of its body. */
static int fetch_refuse(const struct fetch_asking *a, struct http_response *h, struct fetch_result *r) {
  const struct fetch_request *q = a->request;
  if (h->error == HTTP_SINK_FAILED && a->write_why.text[0])
    return fetch_fault_of_disk(r, a->write_why.text);
  if (h->error != HTTP_FINE)
    return fetch_fault_of_transfer(r, h);
  r->status = h->status;
  fetch_redact(&h->body, q->key.value);
  buf_clear(&r->body);
  buf_add(&r->body, h->body.data, h->body.len < FETCH_OTHER_MAX ? h->body.len : FETCH_OTHER_MAX);
  memcpy(r->content_type, h->content_type, sizeof r->content_type);
  clock_stamp(r->captured);
  enum fetch_sec_answer what =
      fetch_is_sec(q) ? fetch_sec_answer_of(h->status, h->retry_after, &h->body) : SEC_PLAIN;
  return what != SEC_PLAIN ? fetch_fault_of_sec(r, q->url, what)
                           : fetch_fault_of_status(r, q->url, h->status, h->retry_after);
}

static int good(const struct fetch_request *q, const struct http_response *h) {
  return h->error == HTTP_FINE && h->status == 200 &&
         !(fetch_is_sec(q) && fetch_sec_answer_of(200, -1, &h->body) != SEC_PLAIN);
}

/* held: the cached answer to ask for changes of, or NULL.  Where its body turns out to be missing or damaged, the whole
 * answer is requested. */
static int over_network(struct fetcher *f, const struct fetch_request *q, const char *key,
                        struct cache_entry *held, struct fetch_result *r) {
  struct http_response h;
  struct fetch_asking a;
  struct fetch_hop hop;
  int vanished = 0;
  memset(&a, 0, sizeof a);
  http_response_init(&h);
  int result = travel(f, q, &hop, held, &h, &a, r);
  if (result == 0 && held && h.error == HTTP_FINE && h.status == 304) {
    result = still_good(f, q, key, held, r);
    vanished = result != 0;
  } else if (result == 0) {
    result = good(&hop.request, &h) ? fetch_keep(f, q, key, &h, &a, r) : fetch_refuse(&a, &h, r);
  }
  if (a.writing)
    cache_write_drop(&a.writer);
  redact_text(r->message.text, sizeof r->message.text, q->key.value);
  http_response_release(&h);
  return vanished ? over_network(f, q, key, NULL, r) : result;
}

static void set_defaults(struct fetch_request *q) {
  if (q->max_body == 0)
    q->max_body = q->to_file ? FETCH_FILE_MAX : FETCH_BODY_MAX;
  if (q->rule.burst == 0)
    q->rule.burst = 1;
}

int fetch_url(struct fetcher *f, const struct fetch_request *request, struct fetch_result *r) {
  struct fetch_request q = *request;
  struct cache_entry e;
  char host[256], key[DIGEST_HEX];
  fetch_result_release(r);
  if (fetch_host(q.url, host, sizeof host) != 0)
    return fetch_fault(r, ERROR_INVALID_REQUEST, "not an https address that may be asked: %.200s", q.url);
  if (!fetch_host_declared(host, q.hosts))
    return fetch_fault(r, ERROR_INVALID_REQUEST, "%s is not a declared host of %s", host, q.user);
  if (!q.rule.domain)
    q.rule.domain = host;
  set_defaults(&q);
  fetch_key_of(&q, key);
  int held = fetch_is_held(f, &q, key, &e);
  if (held && fetch_is_fresh(f, &q, &e) && take_cached(f, &q, &e, r) == 0) {
    r->cached = 1;
    return 0;
  }
  if (f->options.offline)
    return fetch_fault(r, ERROR_UNAVAILABLE, "not in the cache, and --offline was asked for");
  return over_network(f, &q, key, held && !f->options.refresh ? &e : NULL, r);
}
