/* chroma.c: a client for Chroma servers: addresses, requests, collections; passages as rows and back. */
#include "chroma/chroma.h"

#include "net/fetch_secret.h"
#include "net/http.h"
#include "record/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#define IN_FLIGHT 4
#define ATTEMPTS 4
#define WAIT_MAX 30.0
#define NAMES_A_PAGE 500
#define DOCUMENTS_A_PAGE 1000
#define BATCH_MOST 2000 /* limit of rows per request, whatever the server allows: about 20 MB */

struct chroma {
  struct http *http;
  char root[1024], database[1536]; /* http://HOST:PORT/api/v2, and the database's URL */
  char name[1024];                 /* as the user gave it */
  struct buf token;                /* the complete header, or empty */
  const char *secret;              /* the token in it, or NULL */
  size_t batch;
};

/* ---- the address ---- */

int chroma_is_address(const char *text) {
  return strncmp(text, "chroma+", 7) == 0;
}

/* Whether it is a path segment of bytes that need no escape. */
static int is_path_part(const char *text, size_t len) {
  static const char fine[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_";
  return len > 0 && strspn(text, fine) >= len && strspn(text, ".") < len;
}

static enum store_status bad_address(const char *address, const char *why, struct error_text *e) {
  error_set(e, "%.200s: %s; an address is chroma+http://HOST:PORT[/TENANT/DATABASE]", address, why);
  return STORE_REFUSED;
}

static enum store_status take_token(struct chroma *c, int plain, int loopback, struct error_text *e) {
  const char *token = getenv("BID_CHROMA_TOKEN");
  if (!token || !*token)
    return STORE_OK;
  if (plain && !loopback) {
    error_set(e, "%s: http:// would show BID_CHROMA_TOKEN to the network; use chroma+https://", c->name);
    return STORE_REFUSED;
  }
  for (const char *p = token; *p; p++)
    if ((unsigned char)*p < 0x20 || (unsigned char)*p > 0x7e) {
      error_set(e, "BID_CHROMA_TOKEN holds a byte that no header can: is there a line break in it?");
      return STORE_REFUSED;
    }
  int whole = strncasecmp(token, "Bearer ", 7) == 0 || strncasecmp(token, "Basic ", 6) == 0;
  c->secret = whole ? strchr(token, ' ') + 1 : token;
  buf_printf(&c->token, "%s: %s", whole ? "Authorization" : "X-Chroma-Token", token);
  return STORE_OK;
}

static enum store_status take_address(struct chroma *c, const char *address, struct error_text *e) {
  const char *url = address + 7, *tenant = "default_tenant", *database = "default_database";
  int plain = strncmp(url, "http://", 7) == 0;
  if (!chroma_is_address(address) || (!plain && strncmp(url, "https://", 8) != 0))
    return bad_address(address, "no chroma+http:// or chroma+https:// address", e);
  const char *host = url + (plain ? 7 : 8);
  size_t all = strcspn(host, "/"), name = *host == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":/");
  if (all == 0 || name > all || host[strcspn(host, "@?#")] || strlen(address) > 700)
    return bad_address(address, "no host, or more than an address", e);
  size_t tenant_len = strlen(tenant), database_len = strlen(database);
  const char *rest = host + all + (host[all] == '/');
  if (*rest) {
    tenant = rest;
    tenant_len = strcspn(rest, "/");
    database = rest + tenant_len + (rest[tenant_len] == '/');
    database_len = strcspn(database, "/");
    if (!is_path_part(tenant, tenant_len) || !is_path_part(database, database_len) ||
        (database[database_len] && strcmp(database + database_len, "/") != 0))
      return bad_address(
          address, "behind the host comes a tenant and a database, of letters, digits, '.', '-', '_'", e);
  }
  snprintf(c->name, sizeof c->name, "%s", address);
  snprintf(c->root, sizeof c->root, "%.*s%s/api/v2", (int)((size_t)(host - url) + all), url,
           name == all && plain ? ":8000" : "");
  snprintf(c->database, sizeof c->database, "%s/tenants/%.*s/databases/%.*s", c->root, (int)tenant_len,
           tenant, (int)database_len, database);
  return take_token(c, plain, http_is_loopback(slice_of(host, name)), e);
}

/* ---- calls ---- */

void chroma_call_init(struct chroma_call *call, const char *method) {
  *call = (struct chroma_call){.method = method};
  buf_init(&call->path, 8192);
  buf_init(&call->body, (size_t)1 << 30);
  http_response_init(&call->response);
}

void chroma_call_release(struct chroma_call *call) {
  buf_release(&call->path);
  buf_release(&call->body);
  http_response_release(&call->response);
}

/* The server's error message without the token, truncated and masked; empty where it isn't JSON. */
static void chroma_words(const struct chroma *c, const struct http_response *r, struct buf *out) {
  struct buf scratch, plain;
  if (!json_is_valid(buf_slice(&r->body)))
    return;
  buf_init(&scratch, (size_t)1 << 20);
  buf_init(&plain, (size_t)1 << 20);
  buf_add_slice(&plain, json_text(json_get(buf_slice(&r->body), "message"), &scratch));
  fetch_redact(&plain, c->secret);
  buf_add_masked(out, slice_of(plain.data, plain.len < 300 ? plain.len : 300));
  buf_release(&scratch);
  buf_release(&plain);
}

/* Maps an HTTP error to a status. */
static enum store_status meaning(const struct http_response *r, const char *words) {
  if (r->error != HTTP_FINE)
    return STORE_AWAY;
  if (r->status == 401 || r->status == 403)
    return STORE_DENIED;
  if (r->status == 429)
    return STORE_BUSY;
  if (strstr(words, "dimension"))
    return STORE_MODEL;
  if (r->status == 404 || strstr(words, "does not exist"))
    return STORE_MISSING;
  return r->status >= 500 ? STORE_AWAY : STORE_REFUSED;
}

static void chroma_explain(const struct chroma *c, struct chroma_call *call) {
  const struct http_response *r = &call->response;
  struct buf words;
  buf_init(&words, 4096);
  buf_add_str(&words, "");
  chroma_words(c, r, &words);
  call->status = meaning(r, words.data);
  if (call->status == STORE_AWAY && r->error != HTTP_FINE)
    error_set(&call->e, "%s: the Chroma server cannot be reached: %s", c->name, r->why.text);
  else if (call->status == STORE_DENIED)
    error_set(&call->e, "%s: the Chroma server refused the token (status %ld); set BID_CHROMA_TOKEN", c->name,
              r->status);
  else
    error_set(&call->e, "%s: the Chroma server answered with status %ld%s%s", c->name, r->status,
              words.len ? ": " : "", words.data);
  buf_release(&words);
}

/* Sets the call's status after its answer. */
static void chroma_judge(const struct chroma *c, struct chroma_call *call) {
  const struct http_response *r = &call->response;
  call->status = STORE_OK;
  if (r->error != HTTP_FINE || r->status < 200 || r->status >= 300) {
    chroma_explain(c, call);
  } else if (r->body.len && !json_is_valid(buf_slice(&r->body))) {
    call->status = STORE_AWAY;
    error_set(&call->e, "%s: the answer is not JSON: this is no Chroma server of API v2", c->name);
  }
}

enum store_status chroma_perform(struct chroma *c, struct chroma_call *calls, size_t count,
                                 struct error_text *e) {
  const char *headers[] = {"Content-Type: application/json", c->token.len ? c->token.data : NULL, NULL};
  struct http_request *requests = xcalloc(count + 1, sizeof *requests);
  struct http_response *responses = xcalloc(count + 1, sizeof *responses);
  char **urls = xcalloc(count + 1, sizeof *urls);
  struct http_patience patience = {IN_FLIGHT, ATTEMPTS, WAIT_MAX, c->batch == 0};
  enum store_status status = STORE_OK;
  for (size_t i = 0; i < count; i++) {
    struct chroma_call *call = &calls[i];
    int root = strncmp(call->path.data, "//", 2) == 0;
    urls[i] = xformat("%s%s", root ? c->root : c->database, call->path.data + root);
    requests[i] = (struct http_request){.url = urls[i],
                                        .method = call->method,
                                        .headers = headers,
                                        .user_agent = "bid/" BID_VERSION,
                                        .body = call->body.len ? buf_slice(&call->body) : slice_of(NULL, 0),
                                        .max_body = CHROMA_ANSWER_MAX,
                                        .stall_timeout = 120,
                                        .allow_plain = 1,
                                        .allow_private = 1};
    responses[i] = call->response;
  }
  http_perform_patiently(c->http, requests, responses, count, &patience);
  for (size_t i = 0; i < count; i++) {
    calls[i].response = responses[i];
    chroma_judge(c, &calls[i]);
    if (calls[i].status && !status) {
      status = calls[i].status;
      *e = calls[i].e;
    }
    free(urls[i]);
  }
  free(urls);
  free(responses);
  free(requests);
  return status;
}

/* ---- opening ---- */

enum store_status chroma_open(struct chroma **out, const char *address, struct error_text *e) {
  struct chroma *c = xcalloc(1, sizeof *c);
  struct chroma_call call;
  buf_init(&c->token, 8192);
  *out = NULL;
  enum store_status status = take_address(c, address, e);
  if (status) {
    chroma_close(c);
    return status;
  }
  c->http = http_new();
  chroma_call_init(&call, "GET");
  buf_add_str(&call.path, "//pre-flight-checks");
  status = chroma_perform(c, &call, 1, e);
  if (!status) {
    long long most = json_to_int(json_get(buf_slice(&call.response.body), "max_batch_size"), 100);
    c->batch = most < 1 ? 1 : most > BATCH_MOST ? BATCH_MOST : (size_t)most;
  }
  chroma_call_release(&call);
  if (status)
    chroma_close(c);
  else
    *out = c;
  return status;
}

void chroma_close(struct chroma *c) {
  if (!c)
    return;
  http_free(c->http);
  if (c->token.data)
    memset(c->token.data, 0, c->token.len);
  buf_release(&c->token);
  free(c);
}

const char *chroma_name(const struct chroma *c) {
  return c->name;
}

size_t chroma_batch(const struct chroma *c) {
  return c->batch;
}

/* ---- collections ---- */

static struct chroma_collection *add_listed(struct chroma_collections *all, struct slice json) {
  struct buf scratch;
  buf_init(&scratch, (size_t)1 << 20);
  all->list = xgrow(all->list, all->count, sizeof *all->list);
  struct chroma_collection *c = &all->list[all->count++];
  *c = (struct chroma_collection){0};
  struct slice text = json_text(json_get(json, "name"), &scratch);
  c->name = xstrndup(text.len ? text.data : "", text.len);
  text = json_text(json_get(json, "id"), &scratch);
  if (is_path_part(text.len ? text.data : "", text.len))
    snprintf(c->id, sizeof c->id, "%.*s", (int)text.len, text.data);
  struct slice meta = json_get(json, "metadata");
  text = json_kind(meta) == '{' ? json_text(json_get(meta, "model"), &scratch) : slice_str("");
  c->model = xstrndup(text.len ? text.data : "", text.len);
  long long dims = json_to_int(json_get(json, "dimension"), 0);
  c->dims = dims > 0 && dims <= VECTOR_DIMS_MAX ? (uint32_t)dims : 0;
  buf_release(&scratch);
  return c;
}

static int collection_order(const void *a, const void *b) {
  return strcmp(((const struct chroma_collection *)a)->name, ((const struct chroma_collection *)b)->name);
}

enum store_status chroma_list(struct chroma *c, struct chroma_collections *all, struct error_text *e) {
  enum store_status status = STORE_OK;
  memset(all, 0, sizeof *all);
  for (size_t before = 0, more = 1; !status && more; before = all->count) {
    struct chroma_call call;
    struct json_cursor cursor = {0};
    struct slice one;
    chroma_call_init(&call, "GET");
    buf_printf(&call.path, "/collections?limit=%d&offset=%zu", NAMES_A_PAGE, all->count);
    status = chroma_perform(c, &call, 1, e);
    if (!status && json_kind(buf_slice(&call.response.body)) == '[')
      while (json_next_element(buf_slice(&call.response.body), &cursor, &one))
        add_listed(all, one);
    more = all->count - before == NAMES_A_PAGE;
    chroma_call_release(&call);
  }
  if (all->count)
    qsort(all->list, all->count, sizeof *all->list, collection_order);
  return status;
}

void chroma_collections_release(struct chroma_collections *all) {
  for (size_t i = 0; i < all->count; i++) {
    free(all->list[i].name);
    free(all->list[i].model);
  }
  free(all->list);
  memset(all, 0, sizeof *all);
}

enum store_status chroma_make(struct chroma *c, struct chroma_collections *all, const char *name,
                              const char *model, uint32_t dims, struct error_text *e) {
  struct chroma_call call;
  chroma_call_init(&call, "POST");
  buf_add_str(&call.path, "/collections");
  buf_add_char(&call.body, '{');
  json_cstr(&call.body, "name", name);
  json_bool(&call.body, "get_or_create", 1);
  buf_add_str(&call.body, ",\"configuration\":{\"hnsw\":{\"space\":\"cosine\"}},\"metadata\":{");
  json_cstr(&call.body, "model", model);
  json_uint(&call.body, "dimensions", dims);
  buf_add_str(&call.body, "}}");
  enum store_status status = chroma_perform(c, &call, 1, e);
  if (!status && !add_listed(all, buf_slice(&call.response.body))->id[0]) {
    error_set(e, "%s: the answer names no collection", c->name);
    status = STORE_AWAY;
  }
  chroma_call_release(&call);
  return status;
}

#define LIST_MAX ((size_t)1 << 28) /* limit of one list of a body, in bytes */
#define FILTER_TEXT 1024           /* limit of a text used for filtering, in bytes */
#define FILTER_DIGITS 15           /* digits of a number that every JSON reader preserves */

/* ---- to Chroma ---- */

/* The lists of a request or an answer, in the order of enum chroma_list. */
static const char *const list_names[CHROMA_LISTS] = {"ids", "documents", "metadatas", "embeddings"};

void chroma_body_init(struct chroma_body *b) {
  for (int i = 0; i < CHROMA_LISTS; i++)
    buf_init(&b->lists[i], LIST_MAX);
}

void chroma_body_release(struct chroma_body *b) {
  for (int i = 0; i < CHROMA_LISTS; i++)
    buf_release(&b->lists[i]);
}

void chroma_body_clear(struct chroma_body *b) {
  for (int i = 0; i < CHROMA_LISTS; i++)
    buf_clear(&b->lists[i]);
}

/* Appends "2025-10-31" as 20251031. */
static void add_day(struct buf *out, const char *name, struct slice metadata, const char *date) {
  struct slice s = json_get(metadata, date);
  char digits[9];
  if (json_kind(s) != '"' || s.len < 12 || s.data[5] != '-' || s.data[8] != '-')
    return;
  snprintf(digits, sizeof digits, "%.4s%.2s%.2s", s.data + 1, s.data + 6, s.data + 9);
  if (strspn(digits, "0123456789") == 8 && digits[0] != '0')
    json_raw(out, name, slice_str(digits));
}

/* Whether a name is one of the row's own members. */
static int is_taken(struct slice key) {
  static const char *const own[] = {"sourceUrl", "source", "item", "context", "filingDay", "reportDay"};
  if (key.len == 0 || key.data[0] == '#' || key.data[0] == '$' ||
      (key.len >= 4 && memcmp(key.data, "bid_", 4) == 0) ||
      (key.len >= 7 && memcmp(key.data, "chroma:", 7) == 0))
    return 1;
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (slice_is(key, own[i]))
      return 1;
  return 0;
}

/* Appends the scalars of the document's metadata, for filtering. */
static void add_filters(struct buf *out, struct slice document) {
  struct slice metadata = json_get(document, "metadata"), key, value;
  struct json_cursor c = {0};
  if (json_kind(metadata) != '{')
    return;
  while (json_next_member(metadata, &c, &key, &value)) {
    char kind = json_kind(value);
    int fits = kind == '"'   ? value.len <= FILTER_TEXT
               : kind == '0' ? value.len <= FILTER_DIGITS && !memchr(value.data, 'e', value.len) &&
                                   !memchr(value.data, 'E', value.len)
                             : kind == 't' || kind == 'f';
    if (fits && !is_taken(key))
      json_add_member(out, key, value);
  }
  add_day(out, "filingDay", metadata, "filingDate");
  add_day(out, "reportDay", metadata, "reportDate");
}

static void add_row_metadata(struct buf *out, const struct chroma_document *doc, size_t i) {
  const struct store_passage *p = &doc->d->passages[i];
  struct slice source = json_get(doc->d->json, "source");
  char hash[40];
  buf_add_char(out, '{');
  json_str(out, "sourceUrl", doc->d->url);
  json_str(out, "context", p->context);
  if (json_kind(source) == '"')
    json_raw(out, "source", source);
  if (p->item.len)
    json_str(out, "item", p->item);
  add_filters(out, doc->d->json);
  json_str(out, "bid_document", doc->d->json);
  json_str(out, "bid_chunk", p->chunk);
  if (p->extra.len)
    json_str(out, "bid_extra", p->extra);
  if (p->scale > 0)
    json_double(out, "bid_scale", (double)p->scale);
  snprintf(hash, sizeof hash, "%016llx%016llx", (unsigned long long)doc->hash[0],
           (unsigned long long)doc->hash[1]);
  json_cstr(out, "bid_hash", hash);
  json_uint(out, "bid_order", doc->order);
  json_uint(out, "bid_row", i);
  json_uint(out, "bid_rows", doc->d->count);
  buf_add_char(out, '}');
}

void chroma_body_add(struct chroma_body *b, const struct chroma_document *doc, size_t from, size_t to) {
  for (size_t i = from; i < to; i++) {
    const struct store_passage *p = &doc->d->passages[i];
    for (int k = 0; k < CHROMA_LISTS; k++)
      buf_add_str(&b->lists[k], b->lists[k].len ? "," : "");
    json_add_slice(&b->lists[CHROMA_IDS], p->id);
    json_add_slice(&b->lists[CHROMA_TEXTS], p->text);
    add_row_metadata(&b->lists[CHROMA_METADATAS], doc, i);
    json_add_floats(&b->lists[CHROMA_VECTORS], p->vector, doc->d->dims);
  }
}

void chroma_body_write(const struct chroma_body *b, struct buf *out) {
  for (int i = 0; i < CHROMA_LISTS; i++) {
    buf_printf(out, "%s\"%s\":[", i ? "]," : "{", list_names[i]);
    buf_add_slice(out, buf_slice(&b->lists[i]));
  }
  buf_add_str(out, "]}");
}

/* ---- from Chroma ---- */

void chroma_rows_begin(struct chroma_rows *rows, struct slice answer) {
  memset(rows, 0, sizeof *rows);
  for (int i = 0; i < CHROMA_LISTS; i++) {
    struct slice list = json_kind(answer) == '{' ? json_get(answer, list_names[i]) : slice_str("");
    rows->lists[i] = json_kind(list) == '[' ? list : slice_str("[]");
  }
}

int chroma_rows_next(struct chroma_rows *rows, struct chroma_row *row) {
  struct slice *to[] = {&row->id, &row->text, &row->metadata, &row->vector};
  memset(row, 0, sizeof *row);
  for (int i = 0; i < CHROMA_LISTS; i++)
    if (!json_next_element(rows->lists[i], &rows->at[i], to[i]) && i == 0)
      return 0;
  return 1;
}

int chroma_row_place(const struct chroma_row *row, struct chroma_place *place) {
  if (json_kind(row->metadata) != '{' || json_kind(json_get(row->metadata, "bid_document")) != '"')
    return -1;
  long long order = json_to_int(json_get(row->metadata, "bid_order"), -1);
  long long number = json_to_int(json_get(row->metadata, "bid_row"), -1);
  long long rows = json_to_int(json_get(row->metadata, "bid_rows"), -1);
  if (order < 0 || rows < 1 || rows > STORE_DOCUMENT_ROWS || number < 0 || number >= rows)
    return -1;
  *place = (struct chroma_place){(uint64_t)order, (uint32_t)number, (uint32_t)rows};
  return 0;
}

enum store_status chroma_each_document(struct chroma *c, const struct chroma_collection *from,
                                       chroma_document_function *f, void *arg, struct error_text *e) {
  enum store_status status = STORE_OK;
  for (size_t offset = 0, got = DOCUMENTS_A_PAGE; got == DOCUMENTS_A_PAGE && !status; offset += got) {
    struct chroma_call call;
    struct chroma_rows rows;
    struct chroma_row row;
    struct chroma_place place;
    chroma_call_init(&call, "POST");
    buf_printf(&call.path, "/collections/%s/get", from->id);
    buf_printf(&call.body,
               "{\"include\":[\"metadatas\"],\"where\":{\"bid_row\":0},\"limit\":%d,\"offset\":%zu}",
               DOCUMENTS_A_PAGE, offset);
    status = chroma_perform(c, &call, 1, e);
    chroma_rows_begin(&rows, status ? slice_of(NULL, 0) : buf_slice(&call.response.body));
    for (got = 0; chroma_rows_next(&rows, &row); got++)
      if (chroma_row_place(&row, &place) == 0)
        f(arg, &row, &place);
    chroma_call_release(&call);
  }
  return status;
}

int chroma_row_is_id(struct slice id) {
  return id.len == 32 && strspn(id.data, "0123456789abcdef") >= 32;
}

uint32_t chroma_row_vector(const struct chroma_row *row, float *x) {
  struct json_cursor c = {0};
  struct slice number;
  uint32_t n = 0;
  if (json_kind(row->vector) != '[')
    return 0;
  while (json_next_element(row->vector, &c, &number)) {
    if (n == VECTOR_DIMS_MAX || json_kind(number) != '0')
      return 0;
    x[n++] = (float)json_to_double(number, 0);
  }
  return n;
}
