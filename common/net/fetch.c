/* fetch.c: one address for a connector: the User-Agent line, hosts, a transfer, the cache, and what puts them together. */
#include "net/fetch.h"
#include "base/paths.h"
#include "net/fetch_secret.h"
#include "net/http.h"
#include "record/error.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define AGENT_SHIPPED "# This is the contact that BID ships." /* second line of the installed bid.conf */

/* Finds the e-mail address in a contact line; its start, or NULL. */
static const char *fetch_agent_address(const char *text, size_t *len) {
  const char *at = strchr(text, '@'), *from = at, *to = at;
  while (at && from > text && !isspace((unsigned char)from[-1]) && !strchr("<(,;", from[-1]))
    from--;
  while (at && *to && !isspace((unsigned char)*to) && !strchr(">),;", *to))
    to++;
  *len = at ? (size_t)(to - from) : 0;
  return at ? from : NULL;
}

static void fetch_agent_browser_form(struct buf *out, const char *line) {
  size_t len;
  const char *address = fetch_agent_address(line, &len);
  size_t name = address ? (size_t)(address - line) : strlen(line);
  while (name > 0 && strchr(" <(", line[name - 1]))
    name--;
  buf_add_str(out, "Mozilla/5.0 (compatible; ");
  buf_add(out, line, name);
  if (address)
    buf_printf(out, "; +mailto:%.*s", (int)len, address);
  buf_add_char(out, ')');
}

int fetch_agent_has_address(const char *line) {
  size_t len;
  const char *address = fetch_agent_address(line, &len), *at = address ? memchr(address, '@', len) : NULL;
  return at && at > address && memchr(at, '.', (size_t)(address + len - at)) != NULL;
}

/* Reads the user's file, or the installed one.  0, or -1 where neither has a line. */
static int fetch_agent_read(struct buf *text) {
  struct buf path;
  buf_init(&path, 4096);
  int found = paths_config(&path, "bid.conf") == 0 && buf_read_file(text, path.data) == 0 && text->len;
  buf_clear(&path);
  if (!found) {
    buf_clear(text);
    found = paths_data(&path, "bid.conf") == 0 && buf_read_file(text, path.data) == 0 && text->len;
  }
  buf_release(&path);
  return found ? 0 : -1;
}

int fetch_agent_is_shipped(void) {
  const char *line = getenv("BID_USER_AGENT");
  struct buf text;
  buf_init(&text, 4096);
  int shipped =
      !(line && *line) && fetch_agent_read(&text) == 0 && strstr(text.data, "\n" AGENT_SHIPPED) != NULL;
  buf_release(&text);
  return shipped;
}

int fetch_agent_keep(const char *line, struct error_text *why) {
  struct buf path;
  buf_init(&path, 4096);
  int result = paths_config(&path, "") == 0 ? paths_make(path.data) : -1;
  buf_clear(&path);
  int fd = result == 0 && paths_config(&path, "bid.conf") == 0
               ? open(path.data, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600)
               : -1;
  result = fd >= 0 && dprintf(fd, "%s\n", line) > 0 ? 0 : -1;
  if (fd >= 0 && close(fd) != 0)
    result = -1;
  if (result != 0)
    error_set(why, "%s: %s", path.len ? path.data : "bid.conf", strerror(errno));
  buf_release(&path);
  return result;
}

int fetch_agent_line(struct buf *out, int browser) {
  const char *line = getenv("BID_USER_AGENT");
  struct buf text;
  buf_init(&text, 4096);
  if (!line || !*line) {
    line = "";
    if (fetch_agent_read(&text) == 0) {
      text.data[strcspn(text.data, "\r\n")] = '\0';
      line = text.data;
    }
  }
  int found = *line != '\0' && strcspn(line, "\r\n") == strlen(line);
  if (found && browser && strncmp(line, "Mozilla/", 8) != 0)
    fetch_agent_browser_form(out, line);
  else if (found)
    buf_add_str(out, line);
  buf_release(&text);
  return found ? 0 : -1;
}

/* ---- faults ---- */

#define FETCH_SEC "sec.gov"                /* the rate domain of all its hosts */
#define FETCH_OTHER_MAX ((size_t)64 << 10) /* limit of the body of an answer other than 200 */

/* ---- the SEC ---- */

/* Its error answers, as users have recorded them: pages with known titles for exceeding the rate or for a missing
 * User-Agent (with 403, sometimes 200), and XML for missing objects.  A 429 without such a page is obeyed as sent, for the
 * time of its Retry-After. */
enum fetch_sec_answer { SEC_PLAIN, SEC_BLOCKED, SEC_NAMELESS, SEC_MISSING };

static int fetch_fault(struct fetch_result *r, const char *category, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The message is formatted. */
static int fetch_fault(struct fetch_result *r, const char *category, const char *format, ...) {
  char text[sizeof r->message.text];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  error_set(&r->message, "%s", text);
  r->category = category;
  return -1;
}

static int contains(const struct buf *b, const char *text) {
  return b->len && memmem(b->data, b->len, text, strlen(text)) != NULL;
}

/* Whether the request is under the SEC's rate limit. */
static int fetch_is_sec(const struct fetch_request *q) {
  return strcmp(q->rule.domain, FETCH_SEC) == 0;
}

/* SEC_PLAIN for what others answer. */
static enum fetch_sec_answer fetch_sec_answer_of(const struct fetch_request *q, const struct http_response *h,
                                                 const struct buf *body) {
  if (!fetch_is_sec(q) || (h->status == 200 && body->len >= FETCH_OTHER_MAX))
    return SEC_PLAIN; /* its pages are about 5 KB */
  if ((h->status == 429 && h->retry_after < 0) ||
      contains(body, "<title>SEC.gov | Request Rate Threshold Exceeded"))
    return SEC_BLOCKED;
  if (contains(body, "<title>SEC.gov | Your Request Originates from an Undeclared"))
    return SEC_NAMELESS;
  if ((h->status == 403 && contains(body, "<Code>AccessDenied</Code>")) ||
      (h->status == 404 && contains(body, "<Code>NoSuchKey</Code>")))
    return SEC_MISSING;
  return SEC_PLAIN;
}

/* Any but SEC_PLAIN. */
static int fetch_fault_of_sec(struct fetch_result *r, const char *url, enum fetch_sec_answer what) {
  if (what == SEC_BLOCKED) {
    r->retry_after = FETCH_BLOCK_SECONDS;
    return fetch_fault(r, ERROR_RATE_LIMITED,
                       "the SEC has sent this host away for being too fast; no process will "
                       "ask it for ten minutes");
  }
  if (what == SEC_NAMELESS) {
    r->exit_status = error_kind_status(FAULT_SETTING);
    return fetch_fault(r, ERROR_AUTH_FAILED,
                       "the SEC wants a user agent with a name and an e-mail address; set "
                       "BID_USER_AGENT to 'Name name@example.org'");
  }
  r->status = 404;
  return fetch_fault(r, ERROR_NO_CONTENT,
                     "there is no such object: %.*s (the SEC's server: access denied or no such key)",
                     (int)strcspn(url, "?#"), url);
}

/* A status that the request didn't ask for. */
static int fetch_fault_of_status(struct fetch_result *r, const char *url, long status, double retry_after) {
  r->retry_after = retry_after;
  if (status == 404 || status == 410)
    return fetch_fault(r, ERROR_NO_CONTENT, "there is nothing at %.*s (status %ld)", (int)strcspn(url, "?#"),
                       url, status);
  if (status == 401 || status == 403 || status == 407)
    return fetch_fault(r, ERROR_AUTH_FAILED, "the server refused access (status %ld)", status);
  if (status == 429)
    return fetch_fault(r, ERROR_RATE_LIMITED, "too many requests (status 429)");
  if (status >= 400 && status < 500)
    return fetch_fault(r, ERROR_INVALID_REQUEST, "the server refused the request (status %ld)", status);
  return fetch_fault(r, ERROR_UNAVAILABLE, "the server answered with status %ld: %.*s", status,
                     (int)strcspn(url, "?#"), url);
}

/* The cache or the ledger can't be read or written. */
static int fetch_fault_of_disk(struct fetch_result *r, const char *why) {
  r->exit_status = error_kind_status(FAULT_DISK);
  return fetch_fault(r, error_kind_category(FAULT_DISK), "%s", why);
}

/* ---- hosts ---- */

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

/* Whether two URLs that may be fetched have one host. */
static int fetch_host_same(const char *a, const char *b) {
  char x[256], y[256];
  return fetch_host(a, x, sizeof x) == 0 && fetch_host(b, y, sizeof y) == 0 && strcmp(x, y) == 0;
}

/* Whether a host is this domain or lies in it. */
static int fetch_host_is_in(const char *host, const char *domain) {
  size_t a = strlen(host), b = strlen(domain);
  return strcmp(host, domain) == 0 || (ends_in(host, domain) && host[a - b - 1] == '.');
}

/* ---- transfers ---- */

/* Asks the source itself, without regard to what the cache holds: under the ledger's rate limits, with the
 * user agent and the API key, with retries and redirects.  Private to fetch.c. */

struct fetcher {
  struct fetch_options options;
  struct http *http; /* created at the first transfer: cache hits need none */
  struct cache cache, computed;
  struct buf ledger; /* folder */
  double began;      /* Unix time; answers checked since then are fresh */
};

struct fetch_transfer {
  struct fetcher *fetcher;
  const struct fetch_request *request;
  const struct cache_entry *held; /* cached answer to revalidate, or NULL */

  struct fetch_request hop; /* the request for the last URL on the way, with the rules of its host */
  char host[256];
  struct http_response response; /* of any status, or an error */
  struct cache_writer writer;    /* with request->to_file: the body of status 200, */
  int writing;                   /* where it has one; the caller commits or drops it */
  struct error_text write_why;   /* set for HTTP_SINK_FAILED */
};

#define HEAD_MAX 4096
#define REDIRECTS_MAX 5

/* One attempt for one URL; a redirect is another URL. */
struct attempt {
  struct fetch_transfer *transfer;
  struct buf url, agent, lines; /* lines: header lines, each with its '\0' */
  const char *headers[40];
  struct buf head; /* the first bytes of a body that is written to disk */
};

static void fetch_add_line(struct attempt *a, size_t *count, const char *name, const char *middle,
                           const char *value) {
  size_t at = a->lines.len;
  if (*count + 1 >= sizeof a->headers / sizeof *a->headers || strpbrk(value, "\r\n"))
    return;
  if (buf_printf(&a->lines, "%s%s%s%c", name, middle, value, '\0') == 0)
    a->headers[(*count)++] = a->lines.data + at;
}

/* `lines` is reserved in advance, so pointers into it stay valid. */
static void fetch_set_headers(struct attempt *a, int with_key) {
  const struct fetch_request *q = &a->transfer->hop;
  const struct cache_entry *held = a->transfer->held;
  size_t count = 0;
  buf_init(&a->lines, 32766);
  buf_reserve(&a->lines, 32766);
  if (q->accept)
    fetch_add_line(a, &count, "Accept", ": ", q->accept);
  for (const char *const *h = q->headers; h && *h; h++)
    fetch_add_line(a, &count, *h, "", "");
  if (held && held->etag[0])
    fetch_add_line(a, &count, "If-None-Match", ": ", held->etag);
  if (held && held->last_modified[0])
    fetch_add_line(a, &count, "If-Modified-Since", ": ", held->last_modified);
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
static void fetch_set_url(struct attempt *a, const char *url, int with_key) {
  const struct fetch_request *q = &a->transfer->hop;
  buf_init(&a->url, 2 * FETCH_URL_MAX);
  buf_add_str(&a->url, url);
  if (with_key && q->key.value && q->key.query) {
    buf_printf(&a->url, "%c%s=", strchr(url, '?') ? '&' : '?', q->key.query);
    fetch_secret_escape(&a->url, q->key.value);
  }
}

static int sink(void *arg, const char *data, size_t len) {
  struct attempt *a = arg;
  struct fetch_transfer *t = a->transfer;
  if (!t->writing && cache_write_start(&t->fetcher->cache, &t->writer, &t->write_why) != 0)
    return -1;
  t->writing = 1;
  if (a->head.len < HEAD_MAX)
    buf_add(&a->head, data, len < HEAD_MAX - a->head.len ? len : HEAD_MAX - a->head.len);
  if (cache_write(&t->writer, data, len) == 0)
    return 0;
  error_set(&t->write_why, "cache: %s", strerror(errno));
  return -1;
}

/* Before the first request of a run to the SEC with the shipped user agent: explains how to set one. */
static void fetch_introduce(const struct fetch_options *o, const struct fetch_request *q) {
  static int done;
  if (done || !o->notice || !fetch_is_sec(q))
    return;
  done = 1;
  if (fetch_agent_is_shipped())
    o->notice("the SEC wants to know who asks; requests go out with the contact that BID ships "
              "until you set your own: "
              "export BID_USER_AGENT='Your Name name@example.org'");
}

/* 0 with the ledger's permission to ask, or -1 with r's error set. */
static int enter_ledger(const struct fetch_transfer *t, struct ledger_turn *turn, struct fetch_result *r) {
  const struct fetch_request *q = &t->hop;
  struct error_text why;
  enum ledger_status s = ledger_enter(turn, t->fetcher->ledger.data, &q->rule, q->user, &why);
  if (s == LEDGER_FAILED)
    return fetch_fault_of_disk(r, why.text);
  if (s != LEDGER_BLOCKED)
    return 0;
  r->retry_after = (double)(long)(turn->wait + 1);
  return fetch_fault(r, ERROR_RATE_LIMITED,
                     "%s: nobody may ask for another %ld seconds: %s; bid-fetch --quota shows it",
                     q->rule.domain, (long)turn->wait + 1, turn->why);
}

static void leave_ledger(const struct fetch_transfer *t, struct ledger_turn *turn) {
  const struct fetch_request *q = &t->hop;
  const struct http_response *h = &t->response;
  int blocked = h->error == HTTP_FINE && fetch_sec_answer_of(q, h, &h->body) == SEC_BLOCKED;
  double away = blocked ? FETCH_BLOCK_SECONDS : fetch_is_sec(q) && h->status == 429 ? h->retry_after : 0;
  ledger_leave(turn, t->fetcher->ledger.data, &q->rule, q->user, h->bytes, away,
               blocked ? "the SEC's page for exceeding its request rate was received"
                       : "the server asked to wait (status 429)");
}

/* Sends the request under the ledger.  0, or -1 with r's error set where it was not sent. */
static int fetch_ask(struct attempt *a, struct fetch_result *r) {
  struct fetch_transfer *t = a->transfer;
  const struct fetch_request *q = &t->hop;
  struct http_response *h = &t->response;
  double timeout = t->fetcher->options.timeout;
  struct ledger_turn turn;
  struct http_request ask = {.url = a->url.data,
                             .headers = a->headers,
                             .user_agent = a->agent.data,
                             .max_body = q->max_body,
                             .truncate = q->truncate,
                             .timeout = timeout > 0  ? timeout
                                        : q->to_file ? 3600
                                                     : 0,
                             .stall_timeout = timeout,
                             .sink = q->to_file ? sink : NULL,
                             .sink_arg = a};
  if (enter_ledger(t, &turn, r) != 0)
    return -1;
  if (!t->fetcher->http)
    t->fetcher->http = http_new();
  http_perform(t->fetcher->http, &ask, h);
  if (a->head.len && fetch_sec_answer_of(q, h, &a->head) != SEC_PLAIN)
    buf_add_slice(&h->body, buf_slice(&a->head)); /* a page instead of the expected file */
  leave_ledger(t, &turn);
  return 0;
}

/* Sets the user agent.  0, or -1 with r's error set where there is none that the sources accept. */
static int set_agent(struct attempt *a, struct fetch_result *r) {
  buf_init(&a->agent, 4096);
  int found = fetch_agent_line(&a->agent, a->transfer->request->browser) == 0;
  if (found && fetch_agent_has_address(a->agent.data))
    return 0;
  r->exit_status = error_kind_status(FAULT_SETTING);
  if (!found)
    return fetch_fault(r, ERROR_AUTH_FAILED, "no user agent: set BID_USER_AGENT to 'Name name@example.org'");
  return fetch_fault(
      r, ERROR_AUTH_FAILED,
      "the user agent '%.60s' has no e-mail address: export BID_USER_AGENT='%.60s name@example.org'",
      a->agent.data, a->agent.data);
}

static int try_once(struct fetch_transfer *t, const char *url, int with_key, struct fetch_result *r) {
  struct attempt a = {.transfer = t};
  buf_init(&a.head, HEAD_MAX);
  fetch_set_url(&a, url, with_key);
  fetch_set_headers(&a, with_key);
  int result = set_agent(&a, r);
  if (result == 0) {
    fetch_introduce(&t->fetcher->options, &t->hop);
    result = fetch_ask(&a, r);
  }
  buf_release(&a.agent);
  buf_release(&a.head);
  buf_release(&a.url);
  buf_release(&a.lines);
  return result;
}

/* Whether the answer to attempt number `attempt`, from 0, is worth another one. */
static int may_retry(const struct fetch_transfer *t, unsigned attempt) {
  const struct http_response *h = &t->response;
  if (!http_worth_retry(h) || attempt >= FETCH_RETRIES || h->retry_after > FETCH_RETRY_MOST)
    return 0;
  if (h->error == HTTP_FINE && fetch_sec_answer_of(&t->hop, h, &h->body) != SEC_PLAIN)
    return 0;
  return h->error != HTTP_TIMED_OUT || attempt == 0; /* each attempt would take its whole time-out */
}

/* Requests one URL with retries.  A 429 of the SEC is a block and not retried; a long Retry-After is reported instead
 * of waited for. */
static int try_hard(struct fetch_transfer *t, const char *url, int with_key, struct fetch_result *r) {
  for (unsigned attempt = 0;; attempt++) {
    if (try_once(t, url, with_key, r) != 0)
      return -1;
    if (!may_retry(t, attempt))
      return 0;
    if (t->writing)
      cache_write_drop(&t->writer);
    t->writing = 0;
    /* slightly longer than the block that the ledger recorded for the same answer */
    clock_sleep(http_backoff(&t->response, attempt + 1, FETCH_RETRY_MOST) +
                (t->response.status == 429 ? 0.1 : 0));
  }
}

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
  if (!fetch_host_same(h->redirect, q->url) && fetch_secret_is_in(h->redirect, q->key.value))
    return fetch_fault(r, ERROR_UNAVAILABLE,
                       "redirected to %s with the key, which is not for that host; refused", host);
  return 0;
}

/* All hosts of the SEC share one domain and its rate limit, whatever a connector declares.  No other host may join
 * that domain, or any other that it doesn't lie in, since its answers and pace would hold up everybody else's requests
 * there; a domain without a dot is only the connector's own name for its hosts. */
static void tighten(struct fetch_request *q, const char *host) {
  int sec = fetch_host_is_in(host, FETCH_SEC);
  if (!(q->rule.per_second > 0))
    q->rule.per_second = sec ? 8 : 1;
  if (!sec) {
    if (strchr(q->rule.domain, '.') && !fetch_host_is_in(host, q->rule.domain))
      q->rule.domain = host;
    return;
  }
  q->rule.domain = FETCH_SEC;
  q->rule.serial = 1;
  q->rule.burst = 1;
  q->rule.per_second = fmin(fmax(q->rule.per_second, 1), 10);
}

/* Does it.  0 with t->response; or -1 with r's error set where nothing was sent, or a redirect isn't followed. */
static int fetch_transfer_run(struct fetch_transfer *t, struct fetch_result *r) {
  const struct fetch_request *q = t->request;
  const struct http_response *h = &t->response;
  char url[FETCH_URL_MAX];
  snprintf(url, sizeof url, "%s", q->url);
  for (int hops = 0;; hops++) {
    t->hop = *q;
    fetch_host(url, t->host, sizeof t->host);
    tighten(&t->hop, t->host);
    if (try_hard(t, url, fetch_host_same(url, q->url), r) != 0)
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

static void fetch_transfer_init(struct fetch_transfer *t, struct fetcher *fetcher,
                                const struct fetch_request *q, const struct cache_entry *held) {
  memset(t, 0, sizeof *t);
  t->fetcher = fetcher;
  t->request = q;
  t->held = held;
  http_response_init(&t->response);
}

static void fetch_transfer_release(struct fetch_transfer *t) {
  if (t->writing)
    cache_write_drop(&t->writer);
  http_response_release(&t->response);
}

/* ---- a request ---- */

#define CACHE_DEFAULT ((uint64_t)4 << 30)
#define CLOCK_SLACK 2 /* tolerated clock difference in seconds */

int fetch_ledger_folder(struct buf *out) {
  return paths_state(out) == 0 ? buf_add_str(out, "/ledger") : -1;
}

/* Shares the SEC's budget with the other users of this machine, in BID_LOCKS or the folder for locks; tests that ask an
 * upstream of their own share nothing. */
static void share_budget(void) {
  const char *folder = getenv("BID_LOCKS"), *own = getenv("BID_CONNECT_TO");
  struct error_text why;
  if (!folder)
    folder = own && *own ? "" : "/run/lock";
  if (*folder && ledger_share(folder, FETCH_SEC, &why) != 0)
    diag_warn("%s", why.text);
}

/* An eighth of the limit is for what is computed. */
static int open_caches(struct fetcher *f, struct buf *folder, uint64_t limit, struct error_text *why) {
  if (cache_open(&f->cache, folder->data, limit - limit / 8, why) != 0)
    return -1;
  buf_add_str(folder, "/computed");
  return cache_open(&f->computed, folder->data, limit / 8, why);
}

struct fetcher *fetch_new(const struct fetch_options *o, struct error_text *why) {
  struct fetcher *f = xcalloc(1, sizeof *f);
  struct buf folder;
  f->options = *o;
  f->began = clock_wall();
  buf_init(&f->ledger, 4096);
  buf_init(&folder, 4096);
  int result = fetch_ledger_folder(&f->ledger);
  if (result != 0)
    paths_unusable(&f->ledger, "the ledger", "BID_STATE", why);
  else if ((result = paths_cache(&folder)) != 0)
    paths_unusable(&folder, "the cache", "BID_CACHE", why);
  else
    result = open_caches(f, &folder, o->cache_bytes ? o->cache_bytes : CACHE_DEFAULT, why);
  buf_release(&folder);
  if (result == 0) {
    if (!o->offline)
      share_budget();
    return f;
  }
  fetch_free(f);
  return NULL;
}

void fetch_free(struct fetcher *f) {
  if (!f)
    return;
  http_free(f->http);
  cache_close(&f->cache);
  cache_close(&f->computed);
  buf_release(&f->ledger);
  free(f);
}

struct cache *fetch_cache(struct fetcher *f) {
  return &f->cache;
}

struct cache *fetch_computed(struct fetcher *f) {
  return &f->computed;
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

/* Whether there is an answer that may be used.  One without a time is damaged; one that exceeds the limit of this request
 * was stored under a higher one, and one of a host that isn't declared for a connector that was redirected there: asking
 * again reports it. */
static int fetch_is_held(const struct fetcher *f, const struct fetch_request *q, const char *key,
                         struct cache_entry *e) {
  return cache_find(&f->cache, key, e) && e->fetched > 0 && (q->truncate || e->size <= q->max_body) &&
         (!e->host[0] || fetch_host_declared(e->host, q->hosts));
}

/* Whether an answer needs no revalidation.  A time of checking in the future means that the clock has been set back
 * since, so the age is unknown. */
static int fetch_is_fresh(const struct fetcher *f, const struct fetch_request *q,
                          const struct cache_entry *e) {
  if (f->options.offline)
    return 1;
  if (e->checked > clock_wall() + CLOCK_SLACK)
    return 0;
  if (f->options.refresh)
    return e->checked >= f->began; /* once per run is enough */
  /* An empty document is a server's fault that may have passed. */
  return (q->immutable && e->size > 0) || e->checked >= f->began || e->checked + q->max_age > clock_wall();
}

/* ---- putting it together ---- */

/* Handles 304: the cached body is still current. */
static int still_good(struct fetcher *f, const struct fetch_request *q, const char *key,
                      struct cache_entry *e, struct fetch_result *r) {
  e->checked = clock_wall();
  cache_update(&f->cache, key, q->url, e);
  r->cached = 1;
  return take_cached(f, q, e, r);
}

static void describe(struct cache_entry *e, const struct fetch_transfer *t) {
  const struct http_response *h = &t->response;
  char first[256];
  memset(e, 0, sizeof *e);
  if (fetch_host(t->request->url, first, sizeof first) == 0 && strcmp(first, t->host) != 0)
    memcpy(e->host, t->host, sizeof e->host);
  memcpy(e->content_type, h->content_type, sizeof e->content_type);
  memcpy(e->etag, h->etag, sizeof e->etag);
  memcpy(e->last_modified, h->last_modified, sizeof e->last_modified);
  e->fetched = e->checked = clock_wall();
  e->truncated = h->truncated;
}

/* Stores a body from memory; it is used even where storing fails. */
static int keep_in_memory(struct fetcher *f, const char *key, struct fetch_transfer *t,
                          struct fetch_result *r) {
  struct http_response *h = &t->response;
  struct cache_entry e;
  describe(&e, t);
  cache_keep(&f->cache, key, t->request->url, &e, buf_slice(&h->body));
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

/* Stores a body that was written to disk as it came. */
static int keep_file(struct fetcher *f, const char *key, struct fetch_transfer *t, struct fetch_result *r) {
  struct cache_entry e;
  struct error_text why;
  describe(&e, t);
  if (!t->writing && cache_write_start(&f->cache, &t->writer, &why) != 0)
    return fetch_fault_of_disk(r, why.text);
  t->writing = 0;
  if (cache_write_commit(&f->cache, &t->writer, key, t->request->url, &e, &why) != 0)
    return fetch_fault_of_disk(r, why.text);
  if (take_cached(f, t->request, &e, r) != 0)
    return fetch_fault(r, ERROR_INTERNAL, "the body vanished from the cache");
  return 0;
}

/* Handles an error answer: r takes its status and the start of its body. */
static int fetch_refuse(struct fetch_transfer *t, struct fetch_result *r) {
  const struct fetch_request *q = &t->hop;
  struct http_response *h = &t->response;
  if (h->error == HTTP_SINK_FAILED && t->write_why.text[0])
    return fetch_fault_of_disk(r, t->write_why.text);
  if (h->error != HTTP_FINE)
    return fetch_fault(r, ERROR_UNAVAILABLE, "%s", h->why.text);
  r->status = h->status;
  buf_clear(&r->body);
  buf_add(&r->body, h->body.data, h->body.len < FETCH_OTHER_MAX ? h->body.len : FETCH_OTHER_MAX);
  memcpy(r->content_type, h->content_type, sizeof r->content_type);
  clock_stamp(r->captured);
  enum fetch_sec_answer what = fetch_sec_answer_of(q, h, &h->body);
  return what != SEC_PLAIN ? fetch_fault_of_sec(r, q->url, what)
                           : fetch_fault_of_status(r, q->url, h->status, h->retry_after);
}

static int good(const struct fetch_request *q, const struct http_response *h) {
  return h->error == HTTP_FINE && h->status == 200 && fetch_sec_answer_of(q, h, &h->body) == SEC_PLAIN;
}

/* Removes the API key from an answer.  A validator that has it is of no use without it. */
static void fetch_redact_answer(struct http_response *h, const char *key) {
  if (h->truncated)
    fetch_redact_cut(&h->body, key);
  else
    fetch_redact(&h->body, key);
  fetch_redact_text(h->content_type, sizeof h->content_type, key);
  if (fetch_secret_is_in(h->etag, key))
    h->etag[0] = '\0';
  if (fetch_secret_is_in(h->last_modified, key))
    h->last_modified[0] = '\0';
}

/* held: the cached answer to ask for changes of, or NULL.  Where its body turns out to be missing or damaged, the whole
 * answer is requested. */
static int over_network(struct fetcher *f, const struct fetch_request *q, const char *key,
                        struct cache_entry *held, struct fetch_result *r) {
  struct fetch_transfer t;
  int vanished = 0;
  fetch_transfer_init(&t, f, q, held);
  int result = fetch_transfer_run(&t, r);
  fetch_redact_answer(&t.response, q->key.value);
  if (result == 0 && held && t.response.error == HTTP_FINE && t.response.status == 304) {
    result = still_good(f, q, key, held, r);
    vanished = result != 0;
  } else if (result == 0 && !good(&t.hop, &t.response))
    result = fetch_refuse(&t, r);
  else if (result == 0)
    result = q->to_file ? keep_file(f, key, &t, r) : keep_in_memory(f, key, &t, r);
  fetch_redact_text(r->message.text, sizeof r->message.text, q->key.value);
  fetch_transfer_release(&t);
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
