#include "net/fetch.h"
#include "net/fetch_fault.h"
#include "net/fetch_host.h"
#include "net/fetch_secret.h"
#include "net/fetch_transfer.h"

#include "base/paths.h"
#include "record/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define CACHE_DEFAULT ((uint64_t)4 << 30)
#define CLOCK_SLACK 2 /* tolerated clock difference in seconds */

struct fetcher {
  struct fetch_line line;
  double began; /* Unix time; answers checked since then are fresh */
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
  f->line.options = *o;
  f->began = fetch_wall_clock();
  buf_init(&f->line.ledger, 4096);
  buf_init(&folder, 4096);
  int result = fetch_ledger_folder(&f->line.ledger);
  if (result != 0)
    paths_unusable(&f->line.ledger, "the ledger", "BID_STATE", why);
  else if ((result = paths_cache(&folder)) != 0)
    paths_unusable(&folder, "the cache", "BID_CACHE", why);
  else
    result = cache_open(&f->line.cache, folder.data, o->cache_bytes ? o->cache_bytes : CACHE_DEFAULT, why);
  buf_release(&folder);
  if (result == 0)
    return f;
  fetch_free(f);
  return NULL;
}

void fetch_free(struct fetcher *f) {
  if (!f)
    return;
  http_free(f->line.http);
  cache_close(&f->line.cache);
  buf_release(&f->line.ledger);
  free(f);
}

struct cache *fetch_cache(struct fetcher *f) {
  return &f->line.cache;
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
    r->fd = cache_body_fd(&f->line.cache, e);
    if (r->fd < 0)
      return -1;
  } else if (cache_read(&f->line.cache, e, &r->body) != 0) {
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
  return cache_find(&f->line.cache, key, e) && e->fetched > 0 && (q->truncate || e->size <= q->max_body) &&
         (!e->host[0] || fetch_host_declared(e->host, q->hosts));
}

/* Whether an answer needs no revalidation.  A time of checking in the future means that the clock has been set back
 * since, so the age is unknown. */
static int fetch_is_fresh(const struct fetcher *f, const struct fetch_request *q,
                          const struct cache_entry *e) {
  if (f->line.options.offline)
    return 1;
  if (e->checked > fetch_wall_clock() + CLOCK_SLACK)
    return 0;
  if (f->line.options.refresh)
    return e->checked >= f->began; /* once per run is enough */
  return q->immutable || e->checked >= f->began || e->checked + q->max_age > fetch_wall_clock();
}

/* ---- putting it together ---- */

/* Handles 304: the cached body is still current. */
static int still_good(struct fetcher *f, const struct fetch_request *q, const char *key,
                      struct cache_entry *e, struct fetch_result *r) {
  e->checked = fetch_wall_clock();
  cache_update(&f->line.cache, key, q->url, e);
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
  e->fetched = e->checked = fetch_wall_clock();
  e->truncated = h->truncated;
}

/* Stores a body from memory; it is used even where storing fails. */
static int keep_in_memory(struct fetcher *f, const char *key, struct fetch_transfer *t,
                          struct fetch_result *r) {
  struct http_response *h = &t->response;
  struct cache_entry e;
  struct error_text why;
  describe(&e, t);
  if (cache_write_start(&f->line.cache, &t->writer, &why) == 0 &&
      cache_write(&t->writer, h->body.data, h->body.len) == 0)
    cache_write_commit(&f->line.cache, &t->writer, key, t->request->url, &e, &why);
  else
    cache_write_drop(&t->writer);
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
  if (!t->writing && cache_write_start(&f->line.cache, &t->writer, &why) != 0)
    return fetch_fault_of_disk(r, why.text);
  t->writing = 0;
  if (cache_write_commit(&f->line.cache, &t->writer, key, t->request->url, &e, &why) != 0)
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
    return fetch_fault_of_transfer(r, h);
  r->status = h->status;
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
  fetch_transfer_init(&t, &f->line, q, held);
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
  if (f->line.options.offline)
    return fetch_fault(r, ERROR_UNAVAILABLE, "not in the cache, and --offline was asked for");
  return over_network(f, &q, key, held && !f->line.options.refresh ? &e : NULL, r);
}
