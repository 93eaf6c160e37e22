/* indexer.c: collects the passages of a document until the next one begins, and stores the document as a whole. */
#include "store/indexer.h"
#include "store/indexer_fields.h"
#include "store/indexer_name.h"
#include "store/indexer_pieces.h"

#include "base/clock.h"
#include "record/error.h"
#include "record/json.h"

#include <stdio.h>
#include <stdlib.h>

/* In the order of enum indexer_field. */
static const char *const fields[] = {"id",        "text",        "context",   "chunk",    "boilerplate",
                                     "embedding", "model",       "sourceUrl", "metadata", "source",
                                     "entity",    "contentType", "store",     NULL};

/* Commit interval for slow input; fast input is committed in full batches, which leave less to merge. */
enum { COMMIT_SECONDS = 10 };

/* The document being read. */
struct indexer_group {
  char collection[STORE_NAME_MAX + 1], model[256];
  struct buf url;
  struct indexer_pieces *pieces;
  int cut;                /* the last passage so far isn't the document's last one (chunk.last is false) */
  long long first, index; /* chunk.index of the first and the last passage so far, or -1 */
  int disordered;         /* a passage came after a later one */
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
  struct indexer_names *names;
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
  indexer_pieces_clear(g->pieces);
  g->fault = g->category = NULL;
  g->cut = g->disordered = 0;
}

/* The same address again from its first passage on: the document's next version, or a repetition of it.  From another
 * passage on: the passages aren't in their order. */
static int begins_again(struct indexer_group *g, const struct record *rec) {
  long long index = json_to_int(json_get(indexer_fields_chunk(rec), "index"), -1);
  if (indexer_pieces_count(g->pieces) == 0 || index < 0 || index > g->index)
    return 0;
  g->disordered |= index != g->first;
  return !g->disordered;
}

static void begin_group(struct indexer *x, const struct record *rec, struct slice url, struct slice model) {
  struct indexer_group *g = &x->group;
  buf_add_slice(&g->url, url);
  snprintf(g->model, sizeof g->model, "%.*s", (int)(model.len < 255 ? model.len : 255), model.data);
  g->errors_before = x->program->errors;
  group_fault(g, ERROR_INVALID_REQUEST, indexer_name(x->names, &x->options, rec, g->collection));
}

static void group_add(struct indexer *x, const struct record *rec) {
  struct indexer_group *g = &x->group;
  struct slice chunk = indexer_fields_chunk(rec);
  size_t before = indexer_pieces_count(g->pieces);
  group_fault(g, ERROR_INVALID_REQUEST, indexer_pieces_add(g->pieces, rec, x->options.restore));
  if (indexer_pieces_count(g->pieces) == before)
    return;
  g->cut = json_kind(json_get(chunk, "last")) == 'f';
  g->index = json_to_int(json_get(chunk, "index"), -1);
  g->first = before ? g->first : g->index;
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
  struct store_document d = {.collection = g->collection, .model = g->model, .url = buf_slice(&g->url)};
  struct error_text e;
  indexer_pieces_document(g->pieces, &d);
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
  group_fault(g, ERROR_INVALID_REQUEST, indexer_pieces_fault(g->pieces));
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
  else if (indexer_pieces_count(g->pieces))
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
  x->group.pieces = indexer_pieces_new();
  x->names = indexer_names_new();
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
  indexer_pieces_free(x->group.pieces);
  indexer_names_free(x->names);
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
