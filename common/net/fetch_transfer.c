#include "net/fetch_transfer.h"
#include "net/fetch_fault.h"
#include "net/fetch_host.h"
#include "net/fetch_secret.h"

#include "base/paths.h"
#include "net/agent.h"
#include "net/http_retry.h"
#include "record/error.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

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
  if (!t->writing && cache_write_start(&t->line->cache, &t->writer, &t->write_why) != 0)
    return -1;
  t->writing = 1;
  if (a->head.len < HEAD_MAX)
    buf_add(&a->head, data, len < HEAD_MAX - a->head.len ? len : HEAD_MAX - a->head.len);
  if (cache_write(&t->writer, data, len) == 0)
    return 0;
  error_set(&t->write_why, "cache: %s", strerror(errno));
  return -1;
}

/* Before the first request to the SEC with the shipped user agent: explains how to set one, once per state folder. */
static void fetch_introduce(const struct fetch_options *o, const struct fetch_request *q) {
  struct buf told;
  if (!o->notice || !fetch_is_sec(q) || !agent_is_shipped())
    return;
  buf_init(&told, 4096);
  if (paths_state(&told) == 0 && paths_make(told.data) == 0) {
    buf_add_str(&told, "/introduced");
    int fd = open(told.data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd >= 0) {
      close(fd);
      o->notice("the SEC wants to know who asks; requests go out with the contact that BID ships "
                "until you set your own: "
                "export BID_USER_AGENT='Your Name name@example.org'");
    }
  }
  buf_release(&told);
}

/* 0 with the ledger's permission to ask, or -1 with r's error set. */
static int enter_ledger(const struct fetch_transfer *t, struct ledger_turn *turn, struct fetch_result *r) {
  const struct fetch_request *q = &t->hop;
  struct error_text why;
  enum ledger_status s = ledger_enter(turn, t->line->ledger.data, &q->rule, q->user, &why);
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
  int blocked = h->error == HTTP_FINE && fetch_is_sec(q) &&
                fetch_sec_answer_of(h->status, h->retry_after, &h->body) == SEC_BLOCKED;
  double away = blocked ? FETCH_BLOCK_SECONDS : fetch_is_sec(q) && h->status == 429 ? h->retry_after : 0;
  ledger_leave(turn, t->line->ledger.data, &q->rule, q->user, h->bytes, away,
               blocked ? "the SEC's page for exceeding its request rate was received"
                       : "the server asked to wait (status 429)");
}

/* Sends the request under the ledger.  0, or -1 with r's error set where it was not sent. */
static int fetch_ask(struct attempt *a, struct fetch_result *r) {
  struct fetch_transfer *t = a->transfer;
  const struct fetch_request *q = &t->hop;
  struct http_response *h = &t->response;
  double timeout = t->line->options.timeout;
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
  if (!t->line->http)
    t->line->http = http_new();
  http_perform(t->line->http, &ask, h);
  if (a->head.len && fetch_is_sec(q) && fetch_sec_answer_of(h->status, h->retry_after, &a->head) != SEC_PLAIN)
    buf_add_slice(&h->body, buf_slice(&a->head)); /* a page instead of the expected file */
  leave_ledger(t, &turn);
  return 0;
}

/* Sets the user agent.  0, or -1 with r's error set where there is none that the sources accept. */
static int set_agent(struct attempt *a, struct fetch_result *r) {
  buf_init(&a->agent, 4096);
  int found = agent_line(&a->agent, a->transfer->request->browser) == 0;
  if (found && agent_has_address(a->agent.data))
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
    fetch_introduce(&t->line->options, &t->hop);
    result = fetch_ask(&a, r);
  }
  buf_release(&a.agent);
  buf_release(&a.head);
  buf_release(&a.url);
  buf_release(&a.lines);
  return result;
}

static void fetch_sleep_seconds(double seconds) {
  struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  while (nanosleep(&t, &t) != 0 && errno == EINTR)
    ;
}

/* Whether the answer to attempt number `attempt`, from 0, is worth another one. */
static int may_retry(const struct fetch_transfer *t, unsigned attempt) {
  const struct http_response *h = &t->response;
  if (!http_worth_retry(h) || attempt >= FETCH_RETRIES || h->retry_after > FETCH_RETRY_MOST)
    return 0;
  if (h->error == HTTP_FINE && fetch_is_sec(&t->hop) &&
      fetch_sec_answer_of(h->status, h->retry_after, &h->body) != SEC_PLAIN)
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
    fetch_sleep_seconds(http_backoff(&t->response, attempt + 1, FETCH_RETRY_MOST) +
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
  int sec = fetch_host_is_in(host, "sec.gov");
  if (!(q->rule.per_second > 0))
    q->rule.per_second = sec ? 8 : 1;
  if (!sec) {
    if (strchr(q->rule.domain, '.') && !fetch_host_is_in(host, q->rule.domain))
      q->rule.domain = host;
    return;
  }
  q->rule.domain = "sec.gov";
  q->rule.serial = 1;
  q->rule.burst = 1;
  q->rule.per_second = fmin(fmax(q->rule.per_second, 1), 10);
}

int fetch_transfer_run(struct fetch_transfer *t, struct fetch_result *r) {
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

void fetch_transfer_init(struct fetch_transfer *t, struct fetch_line *line, const struct fetch_request *q,
                         const struct cache_entry *held) {
  memset(t, 0, sizeof *t);
  t->line = line;
  t->request = q;
  t->held = held;
  http_response_init(&t->response);
}

void fetch_transfer_release(struct fetch_transfer *t) {
  if (t->writing)
    cache_write_drop(&t->writer);
  http_response_release(&t->response);
}
