#include "search/edgar.h"
#include "record/error.h"
#include "record/json.h"
#include "record/json_validate.h"
#include "record/record.h"

#include <errno.h>
#include <stdlib.h>

enum { TEXT_MAX = 64 * 1024 * 1024, ERRORS_MAX = 1024 * 1024 };

struct filing {
  size_t json, len; /* the filing as it was given, in own */
  struct buf url;
  int ingested;
};

struct edgar {
  struct buf own;
  size_t company, company_len; /* in own; 0, 0 for none */
  struct filing filings[EDGAR_FILINGS];
  size_t count;
  struct buf errors; /* JSON objects with commas between */
  uint64_t ingested, unchanged, failed;
};

static const char *const fields[] = {"rawContent", "rawEncoding", "added", "replaced",
                                     "unchanged",  "sourceUrl",   "error", NULL};
enum { RAW, ENCODING, ADDED, REPLACED, UNCHANGED, URL, ERROR };

static size_t edgar_keep(struct edgar *g, struct slice s) {
  size_t at = g->own.len;
  buf_add_slice(&g->own, s);
  return at;
}

static void add_filing(struct edgar *g, struct slice object) {
  struct buf scratch;
  if (g->count == EDGAR_FILINGS)
    return;
  struct filing *f = &g->filings[g->count++];
  buf_init(&scratch, TEXT_MAX);
  f->json = edgar_keep(g, object);
  f->len = object.len;
  buf_init(&f->url, TEXT_MAX);
  buf_add_slice(&f->url, json_text(json_get(object, "href"), &scratch));
  buf_release(&scratch);
}

/* A payload of sec-filings without content: {company, filings[]} as JSON text. */
static void add_payload(struct edgar *g, const struct record *rec) {
  struct buf text;
  size_t at;
  const char *why;
  buf_init(&text, TEXT_MAX);
  if (json_decode(rec->field[RAW], &text) == 0 && json_validate(text.data, text.len, &at, &why) == 0) {
    struct slice list = buf_slice(&text), company = json_get(list, "company"), filing;
    struct json_cursor c = {0};
    if (json_kind(company) == '{' && !g->company_len) {
      g->company = edgar_keep(g, company);
      g->company_len = company.len;
    }
    while (json_next_element(json_get(list, "filings"), &c, &filing))
      add_filing(g, filing);
  }
  buf_release(&text);
}

/* A document of a filing may have the filing's address with a part behind it. */
static int same_filing(struct slice filing, struct slice document) {
  return document.len >= filing.len && memcmp(document.data, filing.data, filing.len) == 0 &&
         (document.len == filing.len || document.data[filing.len] == '#');
}

static void add_receipt(struct edgar *g, const struct record *rec) {
  struct buf scratch;
  buf_init(&scratch, TEXT_MAX);
  struct slice url = json_text(rec->field[URL], &scratch);
  int fresh = json_to_int(rec->field[ADDED], 0) + json_to_int(rec->field[REPLACED], 0) > 0;
  g->ingested += (uint64_t)fresh;
  g->unchanged += (uint64_t)!fresh;
  for (size_t i = 0; i < g->count; i++)
    if (g->filings[i].url.len && same_filing(buf_slice(&g->filings[i].url), url))
      g->filings[i].ingested = 1;
  buf_release(&scratch);
}

static void add_error(struct edgar *g, struct slice object) {
  g->failed++;
  if (g->errors.len)
    buf_add_char(&g->errors, ',');
  buf_add_slice(&g->errors, object);
}

static void add_bad_line(struct edgar *g, const struct record_reader *r) {
  struct buf line;
  buf_init(&line, 4096);
  buf_add_str(&line, "{");
  json_cstr(&line, "category", ERROR_INTERNAL);
  json_cstr(&line, "message", record_why(r));
  json_cstr(&line, "stage", "retrieve");
  buf_add_str(&line, "}");
  add_error(g, buf_slice(&line));
  buf_release(&line);
}

static void add_record(struct edgar *g, const struct record *rec) {
  if (rec->is_error)
    add_error(g, rec->field[ERROR]);
  else if (json_kind(rec->field[ADDED]) == '0')
    add_receipt(g, rec);
  else if (json_kind(rec->field[RAW]) == '"' && !rec->field[ENCODING].data)
    add_payload(g, rec);
}

struct edgar *edgar_read(int fd, struct error_text *e) {
  struct edgar *g = xcalloc(1, sizeof *g);
  struct record_reader *r = record_reader_new(fd, fields, NULL, NULL);
  struct record rec;
  enum record_status status;
  buf_init(&g->own, TEXT_MAX);
  buf_init(&g->errors, ERRORS_MAX);
  while ((status = record_read(r, &rec)) == RECORD_OK || status == RECORD_BAD)
    if (status == RECORD_OK)
      add_record(g, &rec);
    else
      add_bad_line(g, r);
  if (status == RECORD_IO) {
    error_set(e, "cannot read the records of EDGAR: %s", strerror(errno));
    edgar_free(g);
    g = NULL;
  }
  record_reader_free(r);
  return g;
}

void edgar_free(struct edgar *g) {
  if (!g)
    return;
  for (size_t i = 0; i < g->count; i++)
    buf_release(&g->filings[i].url);
  buf_release(&g->own);
  buf_release(&g->errors);
  free(g);
}

void edgar_mark(struct edgar *g, int (*stored)(void *arg, struct slice url), void *arg) {
  for (size_t i = 0; i < g->count; i++)
    if (!g->filings[i].ingested && g->filings[i].url.len)
      g->filings[i].ingested = stored(arg, buf_slice(&g->filings[i].url));
}

static void add_forms(const char *forms, struct buf *out) {
  json_key(out, "forms");
  buf_add_char(out, '[');
  for (const char *p = forms ? forms : ""; *p;) {
    size_t n = strcspn(p, ",");
    if (p != forms)
      buf_add_char(out, ',');
    json_add_string(out, p, n);
    p += n + (p[n] == ',');
  }
  buf_add_char(out, ']');
}

static void add_one(const struct edgar *g, const struct filing *f, struct buf *out) {
  static const char *const kept[] = {"form",       "filingDate",      "accessionNumber", "href",
                                     "reportDate", "primaryDocument", "recent"};
  struct slice object = slice_of(g->own.data + f->json, f->len);
  buf_add_char(out, '{');
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
    struct slice value = json_get(object, kept[i]);
    if (value.data)
      json_raw(out, kept[i], value);
  }
  json_bool(out, "ingested", f->ingested);
  buf_add_char(out, '}');
}

void edgar_add(const struct edgar *g, const char *forms, struct buf *out) {
  buf_add_char(out, '{');
  json_raw(out, "company",
           g->company_len ? slice_of(g->own.data + g->company, g->company_len) : slice_str("null"));
  add_forms(forms, out);
  json_key(out, "filings");
  buf_add_char(out, '[');
  for (size_t i = 0; i < g->count; i++) {
    if (i)
      buf_add_char(out, ',');
    add_one(g, &g->filings[i], out);
  }
  buf_add_char(out, ']');
  json_key(out, "attempt");
  buf_add_char(out, '{');
  json_uint(out, "discovered", g->count);
  json_uint(out, "ingested", g->ingested);
  json_uint(out, "unchanged", g->unchanged);
  json_uint(out, "failed", g->failed);
  buf_add_str(out, "}}");
}

void edgar_add_errors(const struct edgar *g, struct buf *out) {
  if (!g->errors.len)
    return;
  if (out->data[out->len - 1] != '[')
    buf_add_char(out, ',');
  buf_add_slice(out, buf_slice(&g->errors));
}
