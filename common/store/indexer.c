/* indexer.c: writes embedded chunks to the store, document by document: names the collection, collects the passages of a
 * document until it is complete, and keeps once what its passages share. */
#include "store/indexer.h"
#include "base/base64.h"
#include "base/buf.h"
#include "base/clock.h"
#include "record/error.h"
#include "record/json.h"
#include "record/record.h"
#include "store/store.h"
#include "tables/file_types.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum indexer_field {
  F_ID,
  F_TEXT,
  F_CONTEXT,
  F_CHUNK,
  F_EMBEDDING,
  F_MODEL,
  F_URL,
  F_METADATA,
  F_SOURCE,
  F_ENTITY,
  F_TYPE,
  F_STORE
};

/* The object that says where in its document the passage is, "{}" where it is missing. */
static struct slice indexer_fields_chunk(const struct record *rec) {
  return json_kind(rec->field[F_CHUNK]) == '{' ? rec->field[F_CHUNK] : slice_str("{}");
}

/* ---- the members of a document's records ----
 *
 * Those that are equal in all passages, usually almost all, are
 * stored once with the document, the rest with each passage. */

static int has_member(struct slice object, struct slice key, struct slice value) {
  struct json_cursor c = {0};
  struct slice k, v;
  while (json_next_member(object, &c, &k, &v))
    if (slice_eq(k, key))
      return slice_eq(v, value);
  return 0;
}

static int all_alike(const struct slice *objects, size_t count) {
  for (size_t i = 1; i < count; i++)
    if (!slice_eq(objects[i], objects[0]))
      return 0;
  return 1;
}

/* Appends the object of the members that are equal in all of objects[count], count > 0. */
static void indexer_members_shared(const struct slice *objects, size_t count, struct buf *shared) {
  struct json_cursor c = {0};
  struct slice key, value, first = objects[0];
  if (all_alike(objects, count)) {
    buf_add_slice(shared, first);
    return;
  }
  buf_add_char(shared, '{');
  while (json_next_member(first, &c, &key, &value)) {
    size_t i = 1;
    while (i < count && (slice_eq(objects[i], first) || has_member(objects[i], key, value)))
      i++;
    if (i == count)
      json_add_member(shared, key, value);
  }
  buf_add_char(shared, '}');
}

/* Appends the members of an object that are not in `shared`, without braces; returns the number of bytes. */
static size_t indexer_members_extra(struct slice object, struct slice shared, struct buf *out) {
  struct json_cursor c = {0};
  struct slice key, value;
  struct buf members;
  size_t n;
  if (slice_eq(object, shared))
    return 0;
  buf_init(&members, RECORD_MAX);
  while (json_next_member(object, &c, &key, &value))
    if (!has_member(shared, key, value))
      json_add_member(&members, key, value);
  n = members.len;
  buf_add_slice(out, buf_slice(&members));
  buf_release(&members);
  return n;
}

/* ---- names the collection of a document after its metadata: DOMAIN_CORPUS_COMPANY_FORM ---- */

/* Tickers of the most recent companies with a ticker; other documents of their filings have only the CIK. */
enum { INDEXER_TICKERS = 64 };
struct indexer_ticker {
  char cik[16], ticker[16];
};

struct indexer_names {
  struct indexer_ticker tickers[INDEXER_TICKERS]; /* a ring */
  size_t ticker_count;
  struct buf scratch;
};

static int indexer_is_plain(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '.' || c == '-';
}

static void indexer_add_part(struct buf *out, struct slice part) {
  if (out->len)
    buf_add_char(out, '_');
  for (size_t i = 0; i < part.len; i++)
    buf_add_char(out, indexer_is_plain(part.data[i]) ? part.data[i] : '-');
}

/* The CIK without its leading zeros. */
static struct slice indexer_bare_cik(struct slice cik) {
  while (cik.len > 1 && cik.data[0] == '0')
    cik = slice_of(cik.data + 1, cik.len - 1);
  return cik;
}

static void indexer_note_ticker(struct indexer_names *names, struct slice ticker, struct slice cik) {
  struct indexer_ticker *t = &names->tickers[names->ticker_count % INDEXER_TICKERS];
  if (ticker.len == 0 || ticker.len >= sizeof t->ticker || cik.len == 0 || cik.len >= sizeof t->cik)
    return;
  snprintf(t->ticker, sizeof t->ticker, "%.*s", (int)ticker.len, ticker.data);
  snprintf(t->cik, sizeof t->cik, "%.*s", (int)cik.len, cik.data);
  names->ticker_count++;
}

/* The last ticker seen with this CIK, or NULL. */
static const char *indexer_ticker_of(const struct indexer_names *names, struct slice cik) {
  for (size_t i = names->ticker_count, n = 0; i-- > 0 && n < INDEXER_TICKERS; n++)
    if (slice_is(cik, names->tickers[i % INDEXER_TICKERS].cik))
      return names->tickers[i % INDEXER_TICKERS].ticker;
  return NULL;
}

static void indexer_add_company(struct indexer_names *names, struct buf *out, const struct record *rec,
                                struct slice meta) {
  struct buf own;
  char name[40];
  buf_init(&own, 4096);
  struct slice ticker = json_text(json_get(meta, "ticker"), &names->scratch);
  struct slice cik = indexer_bare_cik(json_text(json_get(meta, "cik"), &own)), s = ticker;
  if (s.len == 0 && cik.len > 0) {
    const char *known = indexer_ticker_of(names, cik);
    snprintf(name, sizeof name, "%s%.*s", known ? known : "CIK",
             known ? 0 : (int)(cik.len < 30 ? cik.len : 30), cik.data);
    s = slice_str(name);
  } else if (indexer_ticker_of(names, cik) == NULL) {
    indexer_note_ticker(names, ticker, cik);
  }
  if (s.len == 0 && json_kind(rec->field[F_ENTITY]) == '{')
    s = json_text(json_get(rec->field[F_ENTITY], "id"), &names->scratch);
  if (s.len == 0)
    s = json_text(json_get(meta, "company"), &names->scratch);
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

/* DOMAIN_CORPUS_COMPANY_FORM. */
static void compose_name(struct indexer_names *names, const struct indexer_options *o,
                         const struct record *rec, struct buf *out) {
  struct slice meta = json_kind(rec->field[F_METADATA]) == '{' ? rec->field[F_METADATA] : slice_str("{}");
  struct slice s = o->domain ? slice_str(o->domain) : json_text(json_get(meta, "domain"), &names->scratch);
  struct buf form;
  indexer_add_part(out, s.len ? s : slice_str("finance"));
  buf_init(&form, 256);
  buf_add_slice(&form, json_text(json_get(meta, "form"), &names->scratch));
  s = o->corpus ? slice_str(o->corpus) : json_text(json_get(meta, "corpus"), &names->scratch);
  indexer_add_part(out, s.len ? s : slice_str(form.len ? "edgar" : "reports"));
  indexer_add_company(names, out, rec, meta);
  indexer_add_part(out, form.len ? buf_slice(&form) : file_type(rec, &names->scratch));
  buf_release(&form);
}

int indexer_name_is_plain(struct slice name) {
  for (size_t i = 0; i < name.len; i++)
    if (name.data[i] != '_' && !indexer_is_plain(name.data[i]))
      return 0;
  return name.len > 0;
}

/* The collection of the record's document, also where the options or a dump's "store" object give it.
 * NULL, or why it has no name. */
static const char *indexer_name(struct indexer_names *n, const struct indexer_options *o,
                                const struct record *rec, char out[STORE_NAME_MAX + 1]) {
  const char *fault = NULL;
  struct buf name;
  buf_init(&name, STORE_NAME_MAX);
  if (o->collection)
    buf_add_str(&name, o->collection);
  else if (o->restore)
    buf_add_slice(&name, json_text(json_get(rec->field[F_STORE], "collection"), &n->scratch));
  else
    compose_name(n, o, rec, &name);
  if (o->restore && json_kind(rec->field[F_STORE]) != '{')
    fault = "it was not written by bid-store dump; bid-index reads what bid-embed wrote";
  else if (name.overflow)
    fault = "the collection's name would be longer than 256 bytes";
  else if (name.len == 0 || memchr(name.data, '\0', name.len) != NULL)
    fault = "the collection's name is empty or has a NUL";
  snprintf(out, STORE_NAME_MAX + 1, "%s", fault ? "" : name.data);
  buf_release(&name);
  return fault;
}

/* ---- collects the passages of one document, which arrive one by one, until they can be stored together ---- */

/* Members that are not stored with the document: those that belong to a passage, and what a job asked for when it was
 * fetched, which is no part of it (entity is kept: it says whose a document without metadata is). */
static const char *const own_fields[] = {"id",          "text",    "context", "chunk", "embedding",
                                         "model",       "store",   "job",     "query", "period",
                                         "filingTypes", "sources", "ignored", NULL};

/* A passage whose bytes are in `bytes`, as offsets while that still grows. */
struct indexer_piece {
  size_t at;
  size_t id, text, context, chunk, shared, item; /* lengths, in this order */
  size_t vector;                                 /* number of floats before it in `vectors` */
  float scale;                                   /* scale of the stored row, where it is restored */
};

struct indexer_pieces {
  struct buf bytes, vectors;
  struct indexer_piece *list;
  size_t count;
  uint32_t dims;
  int hashed;
  uint64_t hash[2]; /* content hash of a restored document */
  struct buf scratch, vector;

  struct buf shared, extras; /* what indexer_pieces_document() gives */
  struct store_passage *passages;
};

static void indexer_pieces_init(struct indexer_pieces *g) {
  buf_init(&g->bytes, 2 * STORE_DOCUMENT_BYTES);
  buf_init(&g->vectors, (size_t)STORE_DOCUMENT_ROWS * VECTOR_DIMS_MAX * 4);
  buf_init(&g->scratch, RECORD_MAX);
  buf_init(&g->vector, VECTOR_DIMS_MAX * 4 + 64);
  buf_init(&g->shared, RECORD_MAX);
  buf_init(&g->extras, STORE_DOCUMENT_BYTES);
}

static void indexer_pieces_clear(struct indexer_pieces *g) {
  buf_clear(&g->bytes);
  buf_clear(&g->vectors);
  buf_clear(&g->shared);
  buf_clear(&g->extras);
  free(g->passages);
  g->passages = NULL;
  g->count = 0;
  g->dims = 0;
  g->hashed = 0;
}

static void indexer_pieces_release(struct indexer_pieces *g) {
  indexer_pieces_clear(g);
  buf_release(&g->bytes);
  buf_release(&g->vectors);
  buf_release(&g->scratch);
  buf_release(&g->vector);
  buf_release(&g->shared);
  buf_release(&g->extras);
  free(g->list);
}

static int indexer_add_vector(struct indexer_pieces *g, const struct record *rec) {
  struct buf *raw = &g->vector;
  buf_clear(raw);
  struct slice text = json_text(rec->field[F_EMBEDDING], &g->scratch);
  if (text.len == 0 || base64_decode(text, raw) || raw->len % 4 || raw->len / 4 > VECTOR_DIMS_MAX ||
      raw->len == 0)
    return -1;
  if (g->count && raw->len / 4 != g->dims)
    return -1;
  g->dims = (uint32_t)(raw->len / 4);
  return buf_add_slice(&g->vectors, buf_slice(raw));
}

static size_t indexer_add_text(struct indexer_pieces *g, struct slice value) {
  struct slice s = json_text(value, &g->scratch);
  buf_add_slice(&g->bytes, s);
  return s.len;
}

static size_t add_shared(struct indexer_pieces *g, const struct record *rec) {
  size_t before = g->bytes.len;
  record_open_without(&g->bytes, rec, own_fields);
  buf_add_char(&g->bytes, '}');
  return g->bytes.len - before;
}

static struct indexer_piece *new_piece(struct indexer_pieces *g) {
  g->list = xgrow(g->list, g->count, sizeof *g->list);
  return &g->list[g->count];
}

/* Reads the document's hash from a dump: 32 hex digits. */
static void read_hash(struct indexer_pieces *g, struct slice value) {
  struct slice s = json_text(value, &g->scratch);
  char half[17] = {0};
  g->hashed = s.len == 32;
  for (int i = 0; g->hashed && i < 2; i++) {
    memcpy(half, s.data + (size_t)i * 16, 16);
    g->hash[i] = strtoull(half, NULL, 16);
  }
}

/* Whether the text at the pieces' end of that length is an id: 32 hex digits. */
static int ends_with_id(const struct indexer_pieces *g, size_t len) {
  const char *id = g->bytes.data + g->bytes.len - len;
  size_t digits = 0;
  while (digits < len && isxdigit((unsigned char)id[digits]))
    digits++;
  return len == 32 && digits == len;
}

/* Adds the passage of an embedded chunk.  restore: it is from a dump, with hash and scale in its "store"
 * object.  NULL, or a static text that says why the document can't be stored. */
static const char *indexer_pieces_add(struct indexer_pieces *g, const struct record *rec, int restore) {
  struct slice chunk = indexer_fields_chunk(rec);
  struct indexer_piece *p = new_piece(g);
  int restored = restore && json_kind(rec->field[F_STORE]) == '{';
  if (restored)
    read_hash(g, json_get(rec->field[F_STORE], "hash"));
  if (g->count >= STORE_DOCUMENT_ROWS)
    return "the document has too many passages";
  if (indexer_add_vector(g, rec))
    return "the embedding of a passage is no base64 of floats, or not as long as the others: bid-embed makes "
           "them";
  p->at = g->bytes.len;
  p->id = indexer_add_text(g, rec->field[F_ID]);
  int has_id = g->bytes.overflow || ends_with_id(g, p->id);
  p->text = indexer_add_text(g, rec->field[F_TEXT]);
  p->context = indexer_add_text(g, rec->field[F_CONTEXT]);
  buf_add_slice(&g->bytes, chunk);
  p->chunk = chunk.len;
  p->shared = add_shared(g, rec);
  p->item = indexer_add_text(g, json_get(chunk, "item"));
  p->scale = restored ? (float)json_to_double(json_get(rec->field[F_STORE], "scale"), 0) : 0;
  g->count++;
  return has_id ? NULL : "a passage has no id of 32 hex digits: bid-chunk makes them";
}

static struct slice indexer_take(const char **at, size_t len) {
  struct slice s = slice_of(*at, len);
  *at += len;
  return s;
}

/* Fills all but `extra`; members: the JSON object of what is not stored by itself. */
static void fill_passage(const struct indexer_pieces *g, size_t i, struct store_passage *out,
                         struct slice *members) {
  const struct indexer_piece *p = &g->list[i];
  const char *at = g->bytes.data + p->at;
  out->id = indexer_take(&at, p->id);
  out->text = indexer_take(&at, p->text);
  out->context = indexer_take(&at, p->context);
  out->chunk = indexer_take(&at, p->chunk);
  *members = indexer_take(&at, p->shared);
  out->item = indexer_take(&at, p->item);
  out->vector = (const float *)(void *)g->vectors.data + i * g->dims;
  out->scale = p->scale;
}

/* Fills json, passages, count, dims and hash of d, valid until the next call on g. */
static void indexer_pieces_document(struct indexer_pieces *g, struct store_document *d) {
  struct slice *members = xcalloc(g->count, sizeof *members);
  g->passages = xcalloc(g->count, sizeof *g->passages);
  for (size_t i = 0; i < g->count; i++)
    fill_passage(g, i, &g->passages[i], &members[i]);
  indexer_members_shared(members, g->count, &g->shared);
  for (size_t i = 0; i < g->count; i++)
    g->passages[i].extra.len = indexer_members_extra(members[i], buf_slice(&g->shared), &g->extras);
  const char *at = g->extras.data ? g->extras.data : "";
  for (size_t i = 0; i < g->count; i++)
    g->passages[i].extra = indexer_take(&at, g->passages[i].extra.len);
  free(members);
  d->json = buf_slice(&g->shared);
  d->passages = g->passages;
  d->count = g->count;
  d->dims = g->dims;
  d->hash = g->hashed ? g->hash : NULL;
}

/* ---- collects the passages of a document until the next one begins, and stores the document as a whole ---- */

/* In the order of enum indexer_field. */
static const char *const fields[] = {"id",          "text",      "context",  "chunk",  "embedding",
                                     "model",       "sourceUrl", "metadata", "source", "entity",
                                     "contentType", "store",     NULL};

/* Commit interval for slow input; fast input is committed in full batches, which leave less to merge. */
#define COMMIT_SECONDS 10

/* The document being read. */
struct indexer_group {
  char collection[STORE_NAME_MAX + 1], model[256];
  struct buf url;
  struct indexer_pieces pieces;
  int cut;                /* the last passage so far isn't the document's last one (chunk.last is false) */
  long long first, index; /* chunk.index of the first and the last passage so far, or -1 */
  int disordered;         /* a passage came after a later one */
  int gap;                /* a passage before the last one so far is missing */
  uint64_t errors_before; /* program.errors at its start */
  const char *fault;      /* why it can't be stored, or NULL */
  const char *category;
};

struct indexer {
  struct program *program;
  struct indexer_options options;
  const struct indexer_sink *sink;
  void *writer; /* of the sink */
  struct indexer_group group;
  struct indexer_names names;
  struct buf scratch;
  double committed;
  int stopped;
  uint64_t documents, passages;
};

/* ---- collecting a document ---- */

/* Keeps the first fault; NULL is none. */
static void group_fault(struct indexer_group *g, const char *category, const char *fault) {
  if (!g->fault && fault) {
    g->fault = fault;
    g->category = category;
  }
}

static void group_clear(struct indexer_group *g) {
  buf_clear(&g->url);
  indexer_pieces_clear(&g->pieces);
  g->fault = g->category = NULL;
  g->cut = g->disordered = g->gap = 0;
}

/* The same address again from its first passage on: the document's next version, or a repetition of it.  From another
 * passage on: the passages aren't in their order. */
static int begins_again(struct indexer_group *g, const struct record *rec) {
  long long index = json_to_int(json_get(indexer_fields_chunk(rec), "index"), -1);
  if (g->pieces.count == 0 || index < 0 || index > g->index)
    return 0;
  g->disordered |= index != g->first;
  return !g->disordered;
}

static void begin_group(struct indexer *x, const struct record *rec, struct slice url, struct slice model) {
  struct indexer_group *g = &x->group;
  buf_add_slice(&g->url, url);
  snprintf(g->model, sizeof g->model, "%.*s", (int)(model.len < 255 ? model.len : 255), model.data);
  g->errors_before = x->program->errors;
  group_fault(g, ERROR_INVALID_REQUEST, indexer_name(&x->names, &x->options, rec, g->collection));
}

static void group_add(struct indexer *x, const struct record *rec) {
  struct indexer_group *g = &x->group;
  struct slice chunk = indexer_fields_chunk(rec);
  size_t before = g->pieces.count;
  group_fault(g, ERROR_INVALID_REQUEST, indexer_pieces_add(&g->pieces, rec, x->options.restore));
  if (g->pieces.count == before)
    return;
  g->cut = json_kind(json_get(chunk, "last")) == 'f';
  long long due = before ? g->index + 1 : 0;
  g->index = json_to_int(json_get(chunk, "index"), -1);
  g->first = before ? g->first : g->index;
  g->gap |= g->index > due;
}

/* ---- storing it ---- */

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
  struct store_document d = {
      .collection = g->collection, .model = g->model, .url = buf_slice(&g->url), .older = x->options.older};
  struct error_text e;
  indexer_pieces_document(&g->pieces, &d);
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
}

/* A document is complete unless part of it was lost on the way: an error among its passages, or an input that ends, or
 * continues with another document (truncated files, concatenated), before its last passage.  An incomplete document
 * must not replace a stored one. */
static void check_whole(struct indexer *x, int at_end) {
  struct indexer_group *g = &x->group;
  int failed = x->program->errors > g->errors_before;
  if (g->pieces.bytes.overflow || g->pieces.vectors.overflow)
    group_fault(g, ERROR_INVALID_REQUEST, "the document is too large");
  if (g->cut && failed)
    group_fault(g, ERROR_INTERNAL, "some of its passages failed before: what the store has of it is kept");
  if (g->disordered)
    group_fault(g, ERROR_INVALID_REQUEST,
                "its passages are not in the order in which bid-chunk wrote them, as after parallel without "
                "-k: what the store has of it is kept");
  if (g->gap && !x->options.partial)
    group_fault(
        g, ERROR_INTERNAL,
        "passages before its last one are missing: what the store has of it is kept; --partial stores "
        "it as it is");
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
    program_error(x->program, NULL, g->category, slice_of(NULL, 0), buf_slice(&g->url), "%.*s: %s",
                  (int)g->url.len, g->url.data, g->fault);
  else if (g->pieces.count)
    give_to_store(x);
  group_clear(g);
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
    group_fault(g, ERROR_INVALID_REQUEST, record_metadata_fault(rec->field[F_METADATA]));
    if (!slice_is(buf_slice(&model), g->model))
      group_fault(g, ERROR_MODEL_MISMATCH, "its passages are embedded with different models");
    group_add(x, rec);
  }
  buf_release(&url);
  buf_release(&model);
  return x->stopped ? -1 : 0;
}

/* ---- receipts ---- */

/* "  40 new  finance_edgar_AAPL_10-K  https://..." */
static void receipt_for_people(struct buf *out, const struct store_receipt *r) {
  if (r->added + r->replaced + r->removed == 0)
    buf_printf(out, "%6s %s  ", "", r->older ? "older" : "known");
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
  if (r->older)
    diag_warn("%.*s: the stored version was captured later and is kept; --older replaces it", (int)r->url.len,
              r->url.data);
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
  if (r->older)
    json_uint(out, "older", r->older);
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
  indexer_pieces_init(&x->group.pieces);
  buf_init(&x->names.scratch, RECORD_MAX);
  buf_init(&x->scratch, RECORD_MAX);
  group_clear(&x->group);
  x->committed = clock_monotonic();
  return x;
}

void indexer_free(struct indexer *x) {
  if (!x)
    return;
  x->sink->close(x->writer);
  buf_release(&x->group.url);
  indexer_pieces_release(&x->group.pieces);
  buf_release(&x->names.scratch);
  buf_release(&x->scratch);
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
