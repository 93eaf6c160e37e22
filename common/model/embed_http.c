/* embed_http.c: vectors from a server with OpenAI's API, POST /v1/embeddings (API reference 2024-10):
 *
 *     {"model": NAME, "input": [TEXT, ...], "encoding_format": "float"}
 *     {"data": [{"index": 0, "embedding": [NUMBER, ...]}, ...]}
 *
 * An embedding may also be a base64 string, the default of some servers.  Texts are split into requests of at most
 * REQUEST_TEXTS texts, IN_FLIGHT at a time.  Temporary failures are retried after the time that the server specified.
 * The API key is never displayed: it is removed from the server's messages, which are not shown at all where the key
 * was rejected.
 */
#include "base/base64.h"

#include "base/hash.h"
#include "model/embed_backend.h"
#include "net/fetch_secret.h"
#include "net/http.h"
#include "record/error.h"
#include "record/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define REQUEST_TEXTS 64
#define REQUEST_BYTES ((size_t)1 << 20) /* bytes of texts; one longer text is sent alone */
#define IN_FLIGHT 4
#define ATTEMPTS 6
#define WAIT_MAX 120.0
#define URL_MAX 2048
#define BODY_MAX ((size_t)160 << 20)
#define DIMENSION_MAX 65536

struct server {
  struct embed_backend base;
  struct http *http;
  char url[URL_MAX], label[128], name[96];
  struct buf authorization; /* the Authorization header, or empty */
  const char *key;          /* from the environment, or NULL */
  int asked;                /* dimensions requested by the user, or 0 */
};

/* Adjacent texts of one request. */
struct embed_http_part {
  size_t first, count;
  struct buf body;
};

/* Checks that the key may be sent to this URL. */
static int embed_http_check_url(const char *url, const char *key, struct error_text *e) {
  const char *host = strstr(url, "://");
  int plain = strncmp(url, "http://", 7) == 0;
  if (!host || (!plain && strncmp(url, "https://", 8) != 0)) {
    error_set(e, "BID_EMBED_URL: no http:// or https:// URL");
    return -1;
  }
  host += 3;
  if (memchr(host, '@', strcspn(host, "/"))) {
    error_set(e, "BID_EMBED_URL: holds a user name or password; put the key into BID_EMBED_KEY");
    return -1;
  }
  if (plain && key &&
      !http_is_loopback(slice_of(host, *host == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":/?#")))) {
    error_set(e, "BID_EMBED_URL: http:// would show BID_EMBED_KEY to the network; use https://");
    return -1;
  }
  return 0;
}

/* Completes the user's URL to ".../v1/embeddings". */
static int embed_http_set_url(struct server *s, const char *url, struct error_text *e) {
  size_t len = strlen(url);
  while (len > 0 && url[len - 1] == '/')
    len--;
  const char *add = "/v1/embeddings";
  if (len >= 11 && strncmp(url + len - 11, "/embeddings", 11) == 0)
    add = "";
  else if (len >= 3 && strncmp(url + len - 3, "/v1", 3) == 0)
    add = "/embeddings";
  if (snprintf(s->url, sizeof s->url, "%.*s%s", (int)len, url, add) < (int)sizeof s->url)
    return 0;
  error_set(e, "BID_EMBED_URL: longer than %d bytes", URL_MAX);
  return -1;
}

static void add_request(const struct server *s, struct buf *out, const struct slice *texts, size_t count) {
  buf_add_char(out, '{');
  json_cstr(out, "model", s->name);
  json_key(out, "input");
  buf_add_char(out, '[');
  for (size_t i = 0; i < count; i++) {
    if (i)
      buf_add_char(out, ',');
    json_add_slice(out, texts[i]);
  }
  buf_add_char(out, ']');
  json_cstr(out, "encoding_format", "float");
  if (s->asked)
    json_int(out, "dimensions", s->asked);
  buf_add_char(out, '}');
}

static const char *category_of(const struct http_response *r) {
  if (r->error != HTTP_FINE)
    return ERROR_UNAVAILABLE;
  if (r->status == 401 || r->status == 403)
    return ERROR_AUTH_FAILED;
  if (r->status == 429)
    return ERROR_RATE_LIMITED;
  return r->status >= 400 && r->status < 500 ? ERROR_INVALID_REQUEST : ERROR_UNAVAILABLE;
}

/* Appends the server's error message with the key removed. */
static void add_message(const struct server *s, struct buf *out, const struct http_response *r) {
  struct buf scratch, plain;
  if (r->status == 401 || r->status == 403 || !json_is_valid(buf_slice(&r->body)))
    return;
  buf_init(&scratch, BODY_MAX);
  struct slice error = json_get(buf_slice(&r->body), "error");
  struct slice text = json_text(json_kind(error) == '{' ? json_get(error, "message") : error, &scratch);
  if (text.len)
    buf_add_str(out, ": ");
  buf_init(&plain, BODY_MAX);
  buf_add_slice(&plain, text);
  fetch_redact(&plain, s->key);
  buf_add(out, plain.data, plain.len < 250 ? plain.len : 250);
  buf_release(&scratch);
  buf_release(&plain);
}

static void explain(struct server *s, const struct http_response *r, struct error_text *e) {
  struct buf text;
  buf_init(&text, 1024);
  if (r->error != HTTP_FINE)
    buf_printf(&text, "the embedding server cannot be used: %s", r->why.text);
  else if (r->status == 401 || r->status == 403)
    buf_printf(&text, "the embedding server refused the key (status %ld); set BID_EMBED_KEY", r->status);
  else
    buf_printf(&text, "the embedding server answered with status %ld", r->status);
  if (r->error == HTTP_FINE)
    add_message(s, &text, r);
  error_set(e, "%s", text.data);
  s->base.category = category_of(r);
  buf_release(&text);
}

static int malformed(struct server *s, struct error_text *e, const char *what) {
  error_set(e, "the embedding server's answer %s", what);
  s->base.category = ERROR_UNAVAILABLE;
  return -1;
}

/* Appends numbers, or base64 of float32, to vector (at most DIMENSION_MAX); returns how many, or -1. */
static int read_vector(struct slice value, float *vector) {
  int n = 0;
  if (json_kind(value) == '"') {
    struct buf bytes;
    buf_init(&bytes, DIMENSION_MAX * sizeof(float));
    int failed = base64_decode(slice_of(value.data + 1, value.len - 2), &bytes);
    n = failed || bytes.len % sizeof(float) != 0 ? -1 : (int)(bytes.len / sizeof(float));
    if (n > 0)
      memcpy(vector, bytes.data, bytes.len);
    buf_release(&bytes);
    return n;
  }
  struct json_cursor c = {0};
  struct slice number;
  if (json_kind(value) != '[')
    return -1;
  while (json_next_element(value, &c, &number)) {
    if (n == DIMENSION_MAX || json_kind(number) != '0')
      return -1;
    vector[n++] = (float)json_to_double(number, (double)NAN);
  }
  return n;
}

static int embed_http_normalize(float *out, const float *v, int n) {
  double square = 0;
  for (int i = 0; i < n; i++)
    square += (double)v[i] * (double)v[i];
  if (!isfinite(square))
    return -1;
  for (int i = 0; i < n; i++)
    out[i] = square > 0 ? (float)(v[i] / sqrt(square)) : 0;
  return 0;
}

/* Stores one element of "data" at its place. seen[] marks the places that are filled. */
static int take_one(struct server *s, struct slice item, size_t order, const struct embed_http_part *p,
                    char *seen, float *v, float *out, struct error_text *e) {
  long long index = json_to_int(json_get(item, "index"), (long long)order);
  int n = read_vector(json_get(item, "embedding"), v);
  if (index < 0 || (size_t)index >= p->count || seen[index] || n <= 0)
    return malformed(s, e, "is no list of embeddings");
  if (s->base.dimensions == 0)
    s->base.dimensions = n;
  if (n != s->base.dimensions) {
    error_set(e, "the embedding server gave %d dimensions where %d were expected", n, s->base.dimensions);
    s->base.category = ERROR_INVALID_REQUEST;
    return -1;
  }
  seen[index] = 1;
  if (out && embed_http_normalize(out + ((size_t)index + p->first) * (size_t)n, v, n) != 0)
    return malformed(s, e, "has numbers that are not finite");
  return 0;
}

static int take_answer(struct server *s, const struct http_response *r, const struct embed_http_part *p,
                       float *out, struct error_text *e) {
  size_t count = 0;
  struct json_cursor c = {0};
  struct slice item, data;
  char seen[REQUEST_TEXTS] = {0};
  if (!json_is_valid(buf_slice(&r->body)))
    return malformed(s, e, "is not JSON");
  data = json_get(buf_slice(&r->body), "data");
  if (json_kind(data) != '[')
    return malformed(s, e, "has no \"data\"");
  float *v = xcalloc(DIMENSION_MAX, sizeof *v);
  int failed = 0;
  while (!failed && json_next_element(data, &c, &item))
    failed = take_one(s, item, count++, p, seen, v, out, e);
  free(v);
  if (failed)
    return -1;
  return count == p->count ? 0 : malformed(s, e, "has not one embedding for each text");
}

/* Sends the parts that have texts.  0, or -1 with *e. */
static int send_parts(struct server *s, const struct embed_http_part parts[IN_FLIGHT], float *out,
                      struct error_text *e) {
  const char *headers[] = {"Content-Type: application/json",
                           s->authorization.len ? s->authorization.data : NULL, NULL};
  struct http_request requests[IN_FLIGHT];
  struct http_response responses[IN_FLIGHT];
  size_t n = 0;
  int failed = 0;
  for (; n < IN_FLIGHT && parts[n].count; n++) {
    requests[n] = (struct http_request){.url = s->url,
                                        .headers = headers,
                                        .user_agent = "bid/" BID_VERSION,
                                        .body = buf_slice(&parts[n].body),
                                        .max_body = BODY_MAX,
                                        .allow_plain = 1,
                                        .allow_private = 1};
    http_response_init(&responses[n]);
  }
  http_perform_patiently(s->http, requests, responses, n,
                         &(struct http_patience){IN_FLIGHT, ATTEMPTS, WAIT_MAX, 0});
  for (size_t i = 0; i < n; i++) {
    const struct http_response *r = &responses[i];
    if (!failed && r->error == HTTP_FINE && r->status == 200)
      failed = take_answer(s, r, &parts[i], out, e);
    else if (!failed) {
      explain(s, r, e);
      failed = -1;
    }
    http_response_release(&responses[i]);
  }
  return failed;
}

/* Collects the next texts, as many as fit into a request. */
static void embed_http_fill(const struct server *s, struct embed_http_part *p, const struct slice *texts,
                            size_t count, size_t first) {
  size_t bytes = 0, n = 0;
  while (first + n < count && n < REQUEST_TEXTS && (n == 0 || bytes + texts[first + n].len <= REQUEST_BYTES))
    bytes += texts[first + n++].len;
  p->first = first;
  p->count = n;
  buf_clear(&p->body);
  if (n)
    add_request(s, &p->body, texts + first, n);
}

static int embed_http_encode(struct embed_backend *b, const struct slice *texts, size_t count,
                             enum embed_role role, int threads, float *out, size_t *truncated,
                             struct error_text *e) {
  (void)role;
  (void)threads;
  (void)truncated;
  struct server *s = (struct server *)b;
  struct embed_http_part parts[IN_FLIGHT] = {{0}};
  int failed = 0;
  for (size_t i = 0; i < IN_FLIGHT; i++)
    buf_init(&parts[i].body, BODY_MAX);
  for (size_t at = 0; at < count && !failed;) {
    for (size_t i = 0; i < IN_FLIGHT; i++) {
      embed_http_fill(s, &parts[i], texts, count, at);
      at += parts[i].count;
    }
    failed = send_parts(s, parts, out, e);
  }
  for (size_t i = 0; i < IN_FLIGHT; i++)
    buf_release(&parts[i].body);
  return failed;
}

/* Sends one short text to learn the dimensions and check that the key is accepted. */
static int embed_http_prepare(struct embed_backend *b, struct error_text *e) {
  struct slice text = slice_str("dimensions");
  return embed_http_encode(b, &text, 1, EMBED_PASSAGE, 1, NULL, NULL, e);
}

static void close_server(struct embed_backend *b) {
  struct server *s = (struct server *)b;
  http_free(s->http);
  if (s->authorization.data)
    memset(s->authorization.data, 0, s->authorization.len);
  buf_release(&s->authorization);
  free(s);
}

static void set_names(struct server *s, const char *name) {
  snprintf(s->name, sizeof s->name, "%s", *name ? name : "default");
  uint64_t mark = hash_bytes(s->name, strlen(s->name));
  snprintf(s->label, sizeof s->label, "http:%s@%012llx", s->name, (unsigned long long)(mark >> 16));
  s->base.label = s->label;
}

struct embed_backend *embed_http_open(const char *name, int dimensions, struct error_text *e) {
  const char *url = getenv("BID_EMBED_URL"), *key = getenv("BID_EMBED_KEY");
  if (!url || !*url) {
    error_set(e,
              "model \"http%s%.100s\": set BID_EMBED_URL to the server's address, for example "
              "http://localhost:8080/v1",
              *name ? ":" : "", name);
    return NULL;
  }
  key = key && *key ? key : NULL;
  struct server *s = xcalloc(1, sizeof *s);
  buf_init(&s->authorization, 8192);
  s->key = key;
  s->asked = s->base.dimensions = dimensions;
  s->base.batch = REQUEST_TEXTS * IN_FLIGHT;
  s->base.encode = embed_http_encode;
  s->base.prepare = embed_http_prepare;
  s->base.close = close_server;
  set_names(s, name);
  if (embed_http_check_url(url, key, e) != 0 || embed_http_set_url(s, url, e) != 0) {
    close_server(&s->base);
    return NULL;
  }
  if (key)
    buf_printf(&s->authorization, "Authorization: Bearer %s", key);
  s->http = http_new();
  return &s->base;
}
