/* indexer.c: collects the passages of a document until the next one begins, and stores the document as a whole. */
#include "store/indexer.h"

#include "base/base64.h"
#include "base/clock.h"
#include "record/error.h"
#include "record/json.h"
#include "tables/file_types.h"

#include <stdio.h>
#include <stdlib.h>

enum field {
  F_ID,
  F_TEXT,
  F_CONTEXT,
  F_CHUNK,
  F_BOILERPLATE,
  F_EMBEDDING,
  F_MODEL,
  F_URL,
  F_METADATA,
  F_SOURCE,
  F_ENTITY,
  F_TYPE,
  F_STORE
};
static const char *const fields[] = {"id",        "text",        "context",   "chunk",    "boilerplate",
                                     "embedding", "model",       "sourceUrl", "metadata", "source",
                                     "entity",    "contentType", "store",     NULL};

/* Members that are not stored with the document: those that belong to a passage, and what a job asked for when it was
 * fetched, which is no part of it (entity is kept: it says whose a document without metadata is). */
static const char *const own_fields[] = {"id",        "text",        "context", "chunk", "boilerplate",
                                         "embedding", "model",       "store",   "job",   "query",
                                         "period",    "filingTypes", "sources", NULL};

/* Commit interval for slow input; fast input is committed in full batches, which leave less to merge. */
enum { COMMIT_SECONDS = 10 };

/* A passage whose bytes are in group.bytes, as offsets while that still grows. */
struct indexer_piece {
  size_t at;
  size_t id, text, context, chunk, shared, item; /* lengths, in this order */
  size_t vector;                                 /* number of floats before it in group.vectors */
  int boilerplate;
  float scale; /* scale of the stored row, where it is restored */
};

/* The document being read. */
struct indexer_group {
  char collection[STORE_NAME_MAX + 1], model[256];
  struct buf url, bytes, vectors, shared;
  struct indexer_piece *pieces;
  size_t count, cap;
  uint32_t dims;
  int cut;                /* the last passage so far isn't the document's last one (chunk.last is false) */
  long long first, index; /* chunk.index of the first and the last passage so far, or -1 */
  int disordered;         /* a passage came after a later one */
  uint64_t errors_before; /* program.errors at its start */
  const char *fault;      /* why it can't be stored, or NULL */
  const char *category;
  int hashed;
  uint64_t hash[2]; /* content hash of a restored document */
};

/* Tickers of the most recent companies with a ticker; other documents of their filings have only the CIK. */
enum { INDEXER_TICKERS = 64 };
struct indexer_ticker {
  char cik[16], ticker[16];
};

struct indexer {
  struct program *program;
  struct indexer_options options;
  const struct indexer_sink *sink;
  void *writer; /* of the sink */
  struct indexer_group group;
  struct buf scratch, vector;
  struct indexer_ticker tickers[INDEXER_TICKERS]; /* a ring */
  size_t ticker_count;
  double committed;
  int stopped;
  uint64_t documents, passages;
};

/* ---- the collection's name ---- */

static void indexer_add_part(struct buf *out, struct slice part) {
  if (out->len)
    buf_add_char(out, '_');
  for (size_t i = 0; i < part.len; i++) {
    unsigned char c = (unsigned char)part.data[i];
    int fine =
        (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '.' || c == '-';
    buf_add_char(out, fine ? (char)c : '-');
  }
}

/* The CIK without its leading zeros. */
static struct slice indexer_bare_cik(struct slice cik) {
  while (cik.len > 1 && cik.data[0] == '0')
    cik = slice_of(cik.data + 1, cik.len - 1);
  return cik;
}

static void indexer_note_ticker(struct indexer *x, struct slice ticker, struct slice cik) {
  struct indexer_ticker *t = &x->tickers[x->ticker_count % INDEXER_TICKERS];
  if (ticker.len == 0 || ticker.len >= sizeof t->ticker || cik.len == 0 || cik.len >= sizeof t->cik)
    return;
  snprintf(t->ticker, sizeof t->ticker, "%.*s", (int)ticker.len, ticker.data);
  snprintf(t->cik, sizeof t->cik, "%.*s", (int)cik.len, cik.data);
  x->ticker_count++;
}

/* The last ticker seen with this CIK, or NULL. */
static const char *indexer_ticker_of(const struct indexer *x, struct slice cik) {
  for (size_t i = x->ticker_count, n = 0; i-- > 0 && n < INDEXER_TICKERS; n++)
    if (slice_is(cik, x->tickers[i % INDEXER_TICKERS].cik))
      return x->tickers[i % INDEXER_TICKERS].ticker;
  return NULL;
}

static void indexer_add_company(struct indexer *x, struct buf *out, const struct record *rec,
                                struct slice meta) {
  struct buf own;
  char name[40];
  buf_init(&own, 4096);
  struct slice ticker = json_text(json_get(meta, "ticker"), &x->scratch);
  struct slice cik = indexer_bare_cik(json_text(json_get(meta, "cik"), &own)), s = ticker;
  if (s.len == 0 && cik.len > 0) {
    const char *known = indexer_ticker_of(x, cik);
    snprintf(name, sizeof name, "%s%.*s", known ? known : "CIK",
             known ? 0 : (int)(cik.len < 30 ? cik.len : 30), cik.data);
    s = slice_str(name);
  } else if (indexer_ticker_of(x, cik) == NULL) {
    indexer_note_ticker(x, ticker, cik);
  }
  if (s.len == 0 && json_kind(rec->field[F_ENTITY]) == '{')
    s = json_text(json_get(rec->field[F_ENTITY], "id"), &x->scratch);
  if (s.len == 0)
    s = json_text(json_get(meta, "company"), &x->scratch);
  indexer_add_part(out, s.len ? slice_of(s.data, s.len < 60 ? s.len : 60) : slice_str("unknown"));
  buf_release(&own);
}

static struct slice file_type(const struct record *rec, struct buf *scratch) {
  struct slice type = json_text(rec->field[F_TYPE], scratch);
  static const char *const known[][2] = {FILE_TYPES_CALLED};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (memmem(type.data ? type.data : "", type.len, known[i][0], strlen(known[i][0])))
      return slice_str(known[i][1]);
  return slice_str("document");
}

/* Builds DOMAIN_CORPUS_COMPANY_FORM from the metadata.  0, or -1 where it is too long. */
static int name_collection(struct indexer *x, const struct record *rec, char out[STORE_NAME_MAX + 1]) {
  struct buf name;
  struct slice meta = json_kind(rec->field[F_METADATA]) == '{' ? rec->field[F_METADATA] : slice_str("{}");
  buf_init(&name, STORE_NAME_MAX);
  if (x->options.collection)
    buf_add_str(&name, x->options.collection);
  else if (x->options.restore)
    buf_add_slice(&name, json_text(json_get(rec->field[F_STORE], "collection"), &x->scratch));
  else {
    struct slice s =
        x->options.domain ? slice_str(x->options.domain) : json_text(json_get(meta, "domain"), &x->scratch);
    indexer_add_part(&name, s.len ? s : slice_str("finance"));
    struct buf form;
    buf_init(&form, 256);
    buf_add_slice(&form, json_text(json_get(meta, "form"), &x->scratch));
    s = x->options.corpus ? slice_str(x->options.corpus) : json_text(json_get(meta, "corpus"), &x->scratch);
    indexer_add_part(&name, s.len ? s : slice_str(form.len ? "edgar" : "reports"));
    indexer_add_company(x, &name, rec, meta);
    indexer_add_part(&name, form.len ? buf_slice(&form) : file_type(rec, &x->scratch));
    buf_release(&form);
  }
  int rc = name.overflow || name.len == 0 ? -1 : 0;
  snprintf(out, STORE_NAME_MAX + 1, "%s", rc ? "" : name.data);
  buf_release(&name);
  return rc;
}

/* ---- collecting a document ---- */

static void group_fault(struct indexer_group *g, const char *category, const char *fault) {
  if (!g->fault) {
    g->fault = fault;
    g->category = category;
  }
}

static void group_clear(struct indexer_group *g) {
  buf_clear(&g->url);
  buf_clear(&g->bytes);
  buf_clear(&g->vectors);
  buf_clear(&g->shared);
  g->count = 0;
  g->dims = 0;
  g->fault = g->category = NULL;
  g->cut = g->hashed = g->disordered = 0;
}

static int indexer_add_vector(struct indexer_group *g, const struct record *rec, struct buf *raw,
                              struct buf *scratch) {
  buf_clear(raw);
  struct slice text = json_text(rec->field[F_EMBEDDING], scratch);
  if (text.len == 0 || base64_decode(text, raw) || raw->len % 4 || raw->len / 4 > VECTOR_DIMS_MAX ||
      raw->len == 0)
    return -1;
  if (g->count && raw->len / 4 != g->dims)
    return -1;
  g->dims = (uint32_t)(raw->len / 4);
  return buf_add_slice(&g->vectors, buf_slice(raw));
}

static size_t indexer_add_text(struct indexer_group *g, struct slice value, struct buf *scratch) {
  struct slice s = json_text(value, scratch);
  buf_add_slice(&g->bytes, s);
  return s.len;
}

static size_t add_shared(struct indexer_group *g, const struct record *rec) {
  size_t before = g->bytes.len;
  record_open_without(&g->bytes, rec, own_fields);
  buf_add_char(&g->bytes, '}');
  return g->bytes.len - before;
}

static struct indexer_piece *new_piece(struct indexer_group *g) {
  if (g->count == g->cap) {
    g->cap = g->cap ? g->cap * 2 : 256;
    g->pieces = xreallocarray(g->pieces, g->cap, sizeof *g->pieces);
  }
  return &g->pieces[g->count];
}

/* Reads the document's hash from a dump: 32 hex digits. */
static void read_hash(struct indexer_group *g, struct slice value, struct buf *scratch) {
  struct slice s = json_text(value, scratch);
  char half[17] = {0};
  g->hashed = s.len == 32;
  for (int i = 0; g->hashed && i < 2; i++) {
    memcpy(half, s.data + (size_t)i * 16, 16);
    g->hash[i] = strtoull(half, NULL, 16);
  }
}

static void add_piece(struct indexer *x, const struct record *rec) {
  struct indexer_group *g = &x->group;
  struct slice chunk = json_kind(rec->field[F_CHUNK]) == '{' ? rec->field[F_CHUNK] : slice_str("{}");
  struct indexer_piece *p = new_piece(g);
  int restored = x->options.restore && json_kind(rec->field[F_STORE]) == '{';
  if (restored)
    read_hash(g, json_get(rec->field[F_STORE], "hash"), &x->scratch);
  if (g->count >= STORE_DOCUMENT_ROWS) {
    group_fault(g, ERROR_INVALID_REQUEST, "the document has too many passages");
    return;
  }
  if (indexer_add_vector(g, rec, &x->vector, &x->scratch)) {
    group_fault(g, ERROR_INVALID_REQUEST,
                "the embedding of a passage is no base64 of floats, or not as long as the others: bid-embed "
                "makes them");
    return;
  }
  p->at = g->bytes.len;
  p->id = indexer_add_text(g, rec->field[F_ID], &x->scratch);
  p->text = indexer_add_text(g, rec->field[F_TEXT], &x->scratch);
  p->context = indexer_add_text(g, rec->field[F_CONTEXT], &x->scratch);
  buf_add_slice(&g->bytes, chunk);
  p->chunk = chunk.len;
  p->shared = add_shared(g, rec);
  p->item = indexer_add_text(g, json_get(chunk, "item"), &x->scratch);
  p->boilerplate = json_kind(rec->field[F_BOILERPLATE]) == 't';
  p->scale = restored ? (float)json_to_double(json_get(rec->field[F_STORE], "scale"), 0) : 0;
  if (p->id != 32)
    group_fault(g, ERROR_INVALID_REQUEST, "a passage has no id of 32 hex digits: bid-chunk makes them");
  g->cut = json_kind(json_get(chunk, "last")) == 'f';
  g->index = json_to_int(json_get(chunk, "index"), -1);
  g->first = g->count ? g->first : g->index;
  g->count++;
}

/* ---- storing it ---- */

/* Members that are equal in all passages (usually almost all) are stored with the document, the rest with each
 * passage. */
static int has_member(struct slice object, struct slice key, struct slice value) {
  struct json_cursor c = {0};
  struct slice k, v;
  while (json_next_member(object, &c, &k, &v))
    if (slice_eq(k, key))
      return slice_eq(v, value);
  return 0;
}

static void indexer_add_member(struct buf *out, struct slice key, struct slice value) {
  if (out->len && out->data[out->len - 1] != '{')
    buf_add_char(out, ',');
  buf_add_char(out, '"');
  buf_add_slice(out, key);
  buf_add(out, "\":", 2);
  buf_add_slice(out, value);
}

static struct slice shared_of(const struct indexer_group *g, size_t i) {
  const struct indexer_piece *p = &g->pieces[i];
  return slice_of(g->bytes.data + p->at + p->id + p->text + p->context + p->chunk, p->shared);
}

static int all_alike(const struct indexer_group *g) {
  for (size_t i = 1; i < g->count; i++)
    if (!slice_eq(shared_of(g, i), shared_of(g, 0)))
      return 0;
  return 1;
}

static void find_shared(struct indexer_group *g) {
  struct json_cursor c = {0};
  struct slice key, value, first = shared_of(g, 0);
  if (all_alike(g)) {
    buf_add_slice(&g->shared, first);
    return;
  }
  buf_add_char(&g->shared, '{');
  while (json_next_member(first, &c, &key, &value)) {
    size_t i = 1;
    while (i < g->count && (slice_eq(shared_of(g, i), first) || has_member(shared_of(g, i), key, value)))
      i++;
    if (i == g->count)
      indexer_add_member(&g->shared, key, value);
  }
  buf_add_char(&g->shared, '}');
}

/* Appends the members of passage i that are not shared. */
static size_t find_extra(const struct indexer_group *g, size_t i, struct buf *out) {
  struct json_cursor c = {0};
  struct slice key, value;
  struct buf members;
  size_t n;
  if (slice_eq(shared_of(g, i), buf_slice(&g->shared)))
    return 0;
  buf_init(&members, RECORD_MAX);
  while (json_next_member(shared_of(g, i), &c, &key, &value))
    if (!has_member(buf_slice(&g->shared), key, value))
      indexer_add_member(&members, key, value);
  n = members.len;
  buf_add_slice(out, buf_slice(&members));
  buf_release(&members);
  return n;
}

static struct slice indexer_take(const char **at, size_t len) {
  struct slice s = slice_of(*at, len);
  *at += len;
  return s;
}

static struct store_passage *make_passages(const struct indexer_group *g, struct buf *extras) {
  struct store_passage *list = xcalloc(g->count, sizeof *list);
  size_t *extra = xcalloc(g->count, sizeof *extra), at_extra = 0;
  for (size_t i = 0; i < g->count; i++)
    extra[i] = find_extra(g, i, extras);
  for (size_t i = 0; i < g->count; i++) {
    const struct indexer_piece *p = &g->pieces[i];
    const char *at = g->bytes.data + p->at;
    list[i].id = indexer_take(&at, p->id);
    list[i].text = indexer_take(&at, p->text);
    list[i].context = indexer_take(&at, p->context);
    list[i].chunk = indexer_take(&at, p->chunk);
    indexer_take(&at, p->shared);
    list[i].item = indexer_take(&at, p->item);
    list[i].extra = slice_of(extras->data ? extras->data + at_extra : "", extra[i]);
    at_extra += extra[i];
    list[i].vector = (const float *)(void *)g->vectors.data + i * g->dims;
    list[i].boilerplate = p->boilerplate;
    list[i].scale = p->scale;
  }
  free(extra);
  return list;
}

void indexer_fault(struct program *p, enum store_status status, const struct error_text *e) {
  program_fail(p, store_exit_status(status));
  program_error(p, NULL, store_category(status), slice_of(NULL, 0), slice_of(NULL, 0), "%s", e->text);
}

static void indexer_store_fault(struct indexer *x, enum store_status status, const struct error_text *e) {
  indexer_fault(x->program, status, e);
  x->stopped = status != STORE_LIMIT;
}

static void give_to_store(struct indexer *x) {
  struct indexer_group *g = &x->group;
  struct buf extras;
  struct error_text e;
  buf_init(&extras, STORE_DOCUMENT_BYTES);
  find_shared(g);
  struct store_passage *passages = make_passages(g, &extras);
  struct store_document d = {.collection = g->collection,
                             .model = g->model,
                             .dims = g->dims,
                             .url = buf_slice(&g->url),
                             .json = buf_slice(&g->shared),
                             .passages = passages,
                             .count = g->count,
                             .hash = g->hashed ? g->hash : NULL};
  enum store_status status = x->sink->add(x->writer, &d, &e);
  double now = clock_monotonic();
  if (!status && now - x->committed > COMMIT_SECONDS) {
    status = x->sink->commit(x->writer, &e);
    x->committed = clock_monotonic();
  }
  if (x->program->out.buf.len) /* flushed at once, so that a kill loses no receipt */
    output_flush(&x->program->out);
  if (status)
    indexer_store_fault(x, status, &e);
  free(passages);
  buf_release(&extras);
}

/* A document is complete unless part of it was lost on the way: an error among its passages, or an input that ends, or
 * continues with another document (truncated files, concatenated), before its last passage.  An incomplete document
 * must not replace a stored one. */
static void check_whole(struct indexer *x, int at_end) {
  struct indexer_group *g = &x->group;
  int failed = x->program->errors > g->errors_before;
  if (g->bytes.overflow || g->vectors.overflow)
    group_fault(g, ERROR_INVALID_REQUEST, "the document is too large");
  if (g->cut && failed)
    group_fault(g, ERROR_INTERNAL, "some of its passages failed before: what the store has of it is kept");
  if (g->disordered)
    group_fault(g, ERROR_INVALID_REQUEST,
                "its passages are not in the order in which bid-chunk wrote them, as after parallel without "
                "-k: what the store has of it is kept");
  if (g->cut && !x->options.partial)
    group_fault(g, ERROR_INTERNAL,
                at_end
                    ? "the input ends in the middle of the document: what the store has of it is kept"
                    : "its last passages are missing: what the store has of it is kept; --partial stores it "
                      "as it is");
}

static void end_group(struct indexer *x, int at_end) {
  struct indexer_group *g = &x->group;
  if (g->url.len == 0)
    return;
  check_whole(x, at_end);
  if (g->fault)
    program_error(x->program, NULL, g->category, slice_of(NULL, 0), buf_slice(&g->url), "%s", g->fault);
  else if (g->count)
    give_to_store(x);
  group_clear(g);
}

/* The same address again from its first passage on: the document's next version, or a repetition of it.  From another
 * passage on: the passages aren't in their order. */
static int begins_again(struct indexer_group *g, const struct record *rec) {
  long long index =
      json_kind(rec->field[F_CHUNK]) == '{' ? json_to_int(json_get(rec->field[F_CHUNK], "index"), -1) : -1;
  if (g->count == 0 || index < 0 || index > g->index)
    return 0;
  g->disordered |= index != g->first;
  return !g->disordered;
}

static void begin_group(struct indexer *x, const struct record *rec, struct slice url, struct slice model) {
  struct indexer_group *g = &x->group;
  buf_add_slice(&g->url, url);
  snprintf(g->model, sizeof g->model, "%.*s", (int)(model.len < 255 ? model.len : 255), model.data);
  g->errors_before = x->program->errors;
  if (name_collection(x, rec, g->collection))
    group_fault(g, ERROR_INVALID_REQUEST,
                x->options.restore && json_kind(rec->field[F_STORE]) != '{'
                    ? "it was not written by bid-store dump; bid-index reads what bid-embed wrote"
                    : "the collection's name would be longer than 256 bytes");
}

static int index_record(struct program *p, const struct record *rec, void *arg) {
  struct indexer *x = arg;
  struct indexer_group *g = &x->group;
  struct buf url, model;
  buf_init(&url, 1 << 16);
  buf_init(&model, 1 << 16);
  buf_add_slice(&url, json_text(rec->field[F_URL], &x->scratch));
  buf_add_slice(&model, json_text(rec->field[F_MODEL], &x->scratch));
  if (url.len == 0 || model.len == 0 || json_kind(rec->field[F_TEXT]) != '"')
    program_error(p, rec, ERROR_INVALID_REQUEST, slice_of(NULL, 0), buf_slice(&url),
                  "not an embedded chunk: it needs id, text, sourceUrl, embedding and model");
  else {
    if (!slice_eq(buf_slice(&url), buf_slice(&g->url)) || begins_again(g, rec))
      end_group(x, 0);
    if (g->url.len == 0)
      begin_group(x, rec, buf_slice(&url), buf_slice(&model));
    else if (p->errors > g->errors_before)
      group_fault(g, ERROR_INTERNAL, "an error came among its passages: what the store has of it is kept");
    const char *fault = record_metadata_fault(rec->field[F_METADATA]);
    if (fault)
      group_fault(g, ERROR_INVALID_REQUEST, fault);
    if (!slice_is(buf_slice(&model), g->model))
      group_fault(g, ERROR_MODEL_MISMATCH, "its passages are embedded with different models");
    add_piece(x, rec);
  }
  buf_release(&url);
  buf_release(&model);
  return x->stopped ? -1 : 0;
}

/* ---- receipts ---- */

/* "  40 new  finance_edgar_AAPL_10-K  https://..." */
static void receipt_for_people(struct buf *out, const struct store_receipt *r) {
  if (r->added + r->replaced + r->removed == 0)
    buf_printf(out, "%6s known  ", "");
  else
    buf_printf(out, "%6llu %s  ", (unsigned long long)(r->added + r->replaced),
               r->replaced ? "again" : "new  ");
  buf_printf(out, "%-32s ", r->collection);
  buf_add_masked(out, r->url);
  buf_add_char(out, '\n');
}

static void print_receipt(void *arg, const struct store_receipt *r) {
  struct indexer *x = arg;
  struct buf *out = &x->program->out.buf;
  if (r->status) {
    program_error(x->program, NULL, store_category(r->status), slice_of(NULL, 0), r->url, "%s", r->e.text);
    return;
  }
  x->documents++;
  x->passages += r->added + r->replaced;
  if (x->options.silent)
    return;
  if (x->program->people) {
    receipt_for_people(out, r);
    return;
  }
  buf_add_char(out, '{');
  json_cstr(out, "collection", r->collection);
  json_str(out, "sourceUrl", r->url);
  json_uint(out, "added", r->added);
  json_uint(out, "replaced", r->replaced);
  json_uint(out, "unchanged", r->unchanged);
  json_uint(out, "removed", r->removed);
  buf_add(out, "}\n", 2);
  output_flush_if_full(&x->program->out);
}

/* ---- running ---- */

static void *open_store_writer(void *place, size_t batch, store_receipt_function *f, void *arg) {
  return store_writer_new(place, batch, f, arg);
}

static void close_store_writer(void *writer) {
  store_writer_free(writer);
}

static enum store_status add_to_store(void *writer, const struct store_document *d, struct error_text *e) {
  return store_writer_add(writer, d, e);
}

static enum store_status commit_to_store(void *writer, struct error_text *e) {
  return store_writer_commit(writer, e);
}

static const struct indexer_sink store_sink = {open_store_writer, close_store_writer, add_to_store,
                                               commit_to_store};

struct indexer *indexer_new(struct program *p, struct store *s, const struct indexer_options *o) {
  return indexer_new_to(p, &store_sink, s, o);
}

struct indexer *indexer_new_to(struct program *p, const struct indexer_sink *sink, void *place,
                               const struct indexer_options *o) {
  struct indexer *x = xcalloc(1, sizeof *x);
  x->program = p;
  x->options = *o;
  x->sink = sink;
  x->writer = sink->open(place, o->batch, print_receipt, x);
  buf_init(&x->group.url, 1 << 16);
  buf_init(&x->group.bytes, 2 * STORE_DOCUMENT_BYTES);
  buf_init(&x->group.vectors, (size_t)STORE_DOCUMENT_ROWS * VECTOR_DIMS_MAX * 4);
  buf_init(&x->group.shared, RECORD_MAX);
  buf_init(&x->scratch, RECORD_MAX);
  buf_init(&x->vector, VECTOR_DIMS_MAX * 4 + 64);
  group_clear(&x->group);
  x->committed = clock_monotonic();
  return x;
}

void indexer_free(struct indexer *x) {
  if (!x)
    return;
  x->sink->close(x->writer);
  buf_release(&x->group.url);
  buf_release(&x->group.bytes);
  buf_release(&x->group.vectors);
  buf_release(&x->group.shared);
  buf_release(&x->scratch);
  buf_release(&x->vector);
  free(x->group.pieces);
  free(x);
}

int indexer_run(struct indexer *x) {
  struct error_text e;
  enum store_status status;
  x->program->reads = "embedded chunk records, as bid-embed writes them";
  program_each_record(x->program, fields, index_record, x);
  if (!x->stopped)
    end_group(x, 1);
  if (!x->stopped && (status = x->sink->commit(x->writer, &e)) != STORE_OK)
    indexer_store_fault(x, status, &e);
  return x->stopped ? -1 : 0;
}

uint64_t indexer_passages(const struct indexer *x) {
  return x->passages;
}

uint64_t indexer_documents(const struct indexer *x) {
  return x->documents;
}
