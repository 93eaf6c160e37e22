/* runner_request.c: one request of a connector: parsed, checked, fetched, and its body as the response object. */
#include "source/runner_request.h"

#include "base/base64.h"
#include "base/paths.h"
#include "format/charset.h"
#include "format/content_type.h"
#include "net/fetch.h"
#include "record/error.h"
#include "record/json.h"
#include "source/json_projection.h"
#include "format/xml.h"
#include "source/source.h"
#include "tables/headers.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEXT_MAX ((size_t)1 << 20)
#define NARROWED_FROM ((size_t)64 << 10) /* bytes from which a narrowed body is worth caching */

/* ---- reading a request ---- */

/* Whether a header's name, up to the byte `end`, is a token (RFC 9110, 5.6.2): libcurl reads "Host;" as Host. */
static int is_token(const char *name, char end) {
  size_t n = strspn(name, "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
  return n > 0 && name[n] == end;
}

/* Headers about framing or identity, which only libcurl and BID may set. */
static int is_reserved(const char *line) {
  static const char *const names[] = {HEADERS_RESERVED, NULL};
  return slice_among_nocase(slice_of(line, strcspn(line, ":")), names);
}

static int read_headers(struct runner_request *a, struct error_text *why) {
  struct slice list = json_get(a->json, "headers"), key, value;
  struct json_cursor at = {0};
  struct buf line, scratch;
  size_t count = 0;
  buf_init(&line, 8192);
  buf_init(&scratch, 8192);
  while (json_kind(list) == '{' && count < ASK_HEADERS && json_next_member(list, &at, &key, &value)) {
    struct slice text = json_text(value, &scratch);
    buf_clear(&line);
    buf_printf(&line, "%.*s: %.*s", (int)key.len, key.data, (int)text.len, text.data ? text.data : "");
    a->headers[count++] = xstrdup(line.data ? line.data : "");
  }
  buf_release(&line);
  buf_release(&scratch);
  for (size_t i = 0; i < count; i++)
    if (strpbrk(a->headers[i], "\r\n") || !is_token(a->headers[i], ':')) {
      error_set(why, "a header of a request is malformed: %.60s", a->headers[i]);
      return -1;
    } else if (is_reserved(a->headers[i])) {
      error_set(why, "a connector may not set the header '%.*s'", (int)strcspn(a->headers[i], ":"),
                a->headers[i]);
      return -1;
    }
  return 0;
}

static int read_key(struct runner_request *a, const struct run *run, struct error_text *why) {
  struct slice key = json_get(a->json, "key");
  const struct source *s = run->source;
  char host[256] = "";
  if (json_kind(key) != '{')
    return 0;
  if (s->key && a->stream.data) {
    error_set(
        why,
        "broken connector: a request with a key can't be streamed, since what comes is searched for the key");
    return -1;
  }
  if (s->key && a->url && fetch_host(a->url, host, sizeof host) != 0) {
    error_set(why, "not an https address that may be asked: %.200s", a->url);
    return -1;
  }
  if (s->key && a->url && !source_key_allowed(s->key_variable, host)) {
    error_set(why,
              "the key in %s may not be sent to %s: where that is meant, put the line '%s<TAB>%s' into "
              "~/.config/bid/keys.tsv",
              s->key_variable, host, s->key_variable, host);
    return -1;
  }
  a->key_query = json_text_copy(json_get(key, "query"));
  a->key_header = json_text_copy(json_get(key, "header"));
  a->key_prefix = json_text_copy(json_get(key, "prefix"));
  if (a->key_header && (!is_token(a->key_header, '\0') ||
                        (is_reserved(a->key_header) && strcasecmp(a->key_header, "authorization") != 0))) {
    error_set(why, "a key may not be sent in the header '%.60s'", a->key_header);
    return -1;
  }
  a->fetch.key = (struct fetch_key){s->key, a->key_query, a->key_header, a->key_prefix};
  return 0;
}

static const char *known_form(struct slice as) {
  static const char *const forms[] = {"json", "text", "lines", "xml", "base64", "none"};
  char kind = json_kind(as);
  if (kind == 0 || kind == 'n')
    return "json";
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    if (as.len == strlen(forms[i]) + 2 && memcmp(as.data + 1, forms[i], as.len - 2) == 0)
      return forms[i];
  return NULL;
}

/* The named member where it is an object or an array of objects, else an empty slice. */
static struct slice object_of(struct slice object, const char *name) {
  struct slice value = json_get(object, name);
  return json_kind(value) == '{' ? value : slice_of(NULL, 0);
}

static void fill_fetch(struct runner_request *a, const struct run *run) {
  struct fetch_request *f = &a->fetch;
  long long most = json_to_int(json_get(a->json, "maxBytes"), 0);
  f->url = a->url;
  f->accept = a->accept;
  f->headers = (const char *const *)a->headers;
  f->browser = json_is_true(a->json, "browser");
  f->hosts = (const char *const *)run->source->hosts;
  f->rule = run->source->rule;
  f->user = run->source->name;
  f->immutable = json_is_true(a->json, "immutable");
  f->max_age = json_to_double(json_get(a->json, "maxAge"), 0);
  f->max_body = most > 0 ? (uint64_t)most : 0;
  if (!a->stream.data && f->max_body > RUNNER_HELD) /* held in memory */
    f->max_body = RUNNER_HELD;
  f->truncate = json_is_true(a->json, "truncate");
  f->to_file = a->stream.data != NULL;
}

int runner_request_read(struct runner_request *a, struct slice json, const struct run *run,
                        struct error_text *why) {
  memset(a, 0, sizeof *a);
  fetch_result_init(&a->result);
  a->json = json;
  a->operand = json_kind(json) == '{' ? json_to_int(json_get(json, "operand"), -1) : -1;
  a->url = json_kind(json) == '{' ? json_text_copy(json_get(json, "url")) : NULL;
  a->as = json_kind(json) == '{' ? known_form(json_get(json, "as")) : "json";
  if ((!a->url && a->operand < 0) || a->operand >= (long long)run->job->operands.count) {
    error_set(why, "a request has neither a url nor an operand that was given");
    return -1;
  }
  if (!a->as) {
    error_set(why, "a request's \"as\" is none of json, text, lines, xml, base64, none");
    return -1;
  }
  a->accept = json_text_copy(json_get(json, "accept"));
  a->content_type = json_text_copy(json_get(json, "contentType"));
  a->payload = object_of(json, "payload");
  a->stream = object_of(json, "stream");
  a->select = json_get(json, "select");
  a->strip = json_is_true(json, "strip");
  a->optional = json_is_true(json, "optional");
  a->direct = a->stream.data ? !json_is_true(a->stream, "summary") : a->payload.data != NULL;
  if (read_key(a, run, why) != 0)
    return -1;
  fill_fetch(a, run);
  return read_headers(a, why);
}

void runner_request_release(struct runner_request *a) {
  for (size_t i = 0; a->headers[i]; i++)
    free(a->headers[i]);
  free(a->url);
  free(a->accept);
  free(a->content_type);
  free(a->key_query);
  free(a->key_header);
  free(a->key_prefix);
  fetch_result_release(&a->result);
}

/* ---- fetching the body ---- */

static int operand_fault(struct runner_request *a, const char *category, const char *path) {
  error_set(&a->result.message, "%.300s: %s", path, strerror(errno));
  a->result.category = category;
  return -1;
}

/* Opens the file at path, and reads it unless it is streamed. */
static int read_operand(struct runner_request *a, const char *path) {
  struct fetch_result *r = &a->result;
  clock_stamp(r->captured);
  r->status = 200;
  r->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (r->fd < 0)
    return operand_fault(a, errno == ENOENT ? ERROR_NO_CONTENT : ERROR_UNAVAILABLE, path);
  if (a->stream.data)
    return 0;
  r->body.max = a->fetch.max_body ? a->fetch.max_body : FETCH_BODY_MAX;
  if (buf_read_fd(&r->body, r->fd) != 0)
    return operand_fault(a, ERROR_UNAVAILABLE, path);
  r->bytes = r->body.len;
  digest_hex_of(r->body.data, r->body.len, r->sha256);
  return 0;
}

/* Opens a file of the command line, by its path or URL, instead of a URL of the network. */
static int open_operand(struct runner_request *a, const struct run *run) {
  const char *operand = run->job->operands.items[a->operand];
  char *named = paths_url_is(slice_str(operand)) ? paths_url_path(slice_str(operand)) : NULL;
  const char *path = named ? named : operand;
  struct buf url;
  char *whole = realpath(path, NULL);
  buf_init(&url, 16384);
  paths_url_add(&url, whole ? whole : path);
  a->url = xstrdup(url.data ? url.data : "file:");
  buf_release(&url);
  free(whole);
  int result = read_operand(a, path);
  free(named);
  return result;
}

int runner_request_fetch(struct runner_request *a, struct run *run) {
  a->kept = fetch_computed(run->runner->fetcher);
  if (!a->url)
    return open_operand(a, run);
  return fetch_url(run->runner->fetcher, &a->fetch, &a->result);
}

int runner_request_wants_status(const struct runner_request *a, long status) {
  struct slice list = json_get(a->json, "statuses"), item;
  struct json_cursor at = {0};
  while (json_kind(list) == '[' && json_next_element(list, &at, &item))
    if (json_to_int(item, -1) == status)
      return 1;
  return 0;
}

/* ---- the response ---- */

/* A narrowed body depends only on the body and the select, so for large bodies it is cached instead of parsing again. */
static void narrowed_key(const struct runner_request *a, char key[DIGEST_HEX]) {
  struct digest d;
  uint8_t digest[DIGEST_SIZE];
  digest_start(&d);
  digest_add(&d, "narrowed " BID_VERSION, sizeof "narrowed " BID_VERSION);
  digest_add(&d, a->result.sha256, DIGEST_HEX);
  digest_add(&d, a->select.data, a->select.len);
  digest_end(&d, digest);
  digest_hex(digest, DIGEST_SIZE, key);
}

static int take_narrowed(const struct runner_request *a, const char *key, struct buf *out) {
  struct cache_entry e;
  size_t before = out->len;
  if (cache_find(a->kept, key, &e) && cache_read(a->kept, &e, out) == 0)
    return 1;
  out->len = before;
  return 0;
}

static int valid_json(struct runner_request *a, struct slice body, struct error_text *why) {
  size_t at;
  const char *fault;
  if (json_validate(body.data, body.len, &at, &fault) == 0)
    return 1;
  error_set(why, "the answer is not JSON: %s at byte %zu of %zu (%.100s)", fault, at + 1, body.len,
            a->result.content_type);
  return 0;
}

static int add_narrowed(struct runner_request *a, struct slice body, struct buf *out,
                        struct error_text *why) {
  char key[DIGEST_HEX];
  int large = body.len >= NARROWED_FROM && a->kept;
  if (large) {
    narrowed_key(a, key);
    if (take_narrowed(a, key, out))
      return 0;
  }
  size_t before = out->len;
  if (!valid_json(a, body, why) || json_projection_select(body, a->select, out, why) != 0)
    return -1;
  struct cache_entry e = {.content_type = "application/json"};
  if (large)
    cache_keep(a->kept, key, "", &e, slice_of(out->data + before, out->len - before));
  return 0;
}

static int add_json(struct runner_request *a, struct slice body, struct buf *out, struct error_text *why) {
  if (body.len >= 3 && memcmp(body.data, "\xef\xbb\xbf", 3) == 0)
    body = slice_of(body.data + 3, body.len - 3);
  while (body.len && strchr(" \t\r\n", body.data[0]))
    body = slice_of(body.data + 1, body.len - 1);
  json_key(out, "json");
  if (json_kind(a->select) == '{' && a->result.status == 200)
    return add_narrowed(a, body, out, why);
  if (!valid_json(a, body, why))
    return -1;
  json_numbers_mark(body, out);
  return 0;
}

static struct slice readable(struct runner_request *a, struct buf *scratch) {
  char name[64];
  struct slice declared = slice_str(a->result.content_type);
  const char *charset = content_type_charset(declared, name, sizeof name);
  return charset_read(buf_slice(&a->result.body), charset, strstr(a->result.content_type, "ml") != NULL,
                      scratch);
}

/* Whether a line contains one of the requested strings. */
static int line_wanted(struct slice line, struct slice list) {
  struct json_cursor at = {0};
  struct slice item;
  struct buf scratch;
  int found = json_kind(list) != '[', any = 0;
  buf_init(&scratch, TEXT_MAX);
  while (!found && json_next_element(list, &at, &item)) {
    struct slice text = json_text(item, &scratch);
    any = 1;
    found = text.len == 0 || (line.len >= text.len && memmem(line.data, line.len, text.data, text.len));
  }
  buf_release(&scratch);
  return found || (json_kind(list) == '[' && !any);
}

static void add_lines(struct runner_request *a, struct slice text, struct buf *out) {
  const char *p = text.data, *end = p + text.len;
  struct slice contains = json_get(a->json, "contains");
  long long skip = json_to_int(json_get(a->json, "skip"), 0);
  long long limit = json_to_int(json_get(a->json, "limit"), -1), shown = 0;
  json_key(out, "lines");
  buf_add_char(out, '[');
  while (p < end && (limit < 0 || shown < limit)) {
    const char *stop = memchr(p, '\n', (size_t)(end - p));
    size_t len = (size_t)((stop ? stop : end) - p);
    struct slice line = slice_of(p, len && p[len - 1] == '\r' ? len - 1 : len);
    p = stop ? stop + 1 : end;
    if (skip-- > 0 || !line_wanted(line, contains))
      continue;
    buf_add_str(out, shown++ ? "," : "");
    json_add_slice(out, line);
  }
  buf_add_char(out, ']');
}

static int add_body(struct runner_request *a, struct buf *out, struct error_text *why) {
  struct slice body = buf_slice(&a->result.body);
  struct error_text fault;
  int result = 0;
  struct buf scratch;
  buf_init(&scratch, 4 * body.len + 64);
  if (strcmp(a->as, "json") == 0) {
    result = add_json(a, body, out, why);
  } else if (strcmp(a->as, "text") == 0) {
    json_str(out, "text", readable(a, &scratch));
  } else if (strcmp(a->as, "lines") == 0) {
    add_lines(a, readable(a, &scratch), out);
  } else if (strcmp(a->as, "xml") == 0) {
    json_key(out, "xml");
    result = xml_json_add(out, body, &fault);
    if (result != 0)
      error_set(why, "the answer is not XML: %s", fault.text);
  } else if (strcmp(a->as, "base64") == 0) {
    json_key(out, "base64");
    buf_add_char(out, '"');
    base64_add(out, body.data, body.len);
    buf_add_char(out, '"');
  }
  buf_release(&scratch);
  return result;
}

int runner_request_response(struct runner_request *a, struct buf *out, struct error_text *why) {
  struct fetch_result *r = &a->result;
  struct slice id = json_get(a->json, "id");
  buf_add_char(out, '{');
  json_raw(out, "id", id.data ? id : slice_str("null"));
  json_cstr(out, "url", a->url);
  json_int(out, "status", r->status);
  json_cstr(out, "contentType", r->content_type);
  json_uint(out, "bytes", r->bytes);
  json_cstr(out, "sha256", r->sha256);
  json_bool(out, "truncated", r->truncated);
  size_t before = out->len;
  if (a->given.data)
    json_raw(out, "json", a->given);
  else if (!r->category && add_body(a, out, why) != 0) {
    out->len = before; /* the body of an error status may have any type */
    r->category = r->status == 200 ? ERROR_UNAVAILABLE : NULL;
    r->message = *why;
  }
  int failed = r->category != NULL;
  if (failed) {
    buf_add_str(out, ",\"error\":{");
    json_cstr(out, "category", r->category);
    json_cstr(out, "message", r->message.text);
    buf_add_char(out, '}');
  }
  buf_add_char(out, '}');
  return failed ? -1 : 0;
}
