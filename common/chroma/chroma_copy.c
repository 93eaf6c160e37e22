/* chroma_copy.c: documents from Chroma as records, records to Chroma, and both for "bid-store copy". */
#include "chroma/chroma_copy.h"

#include "base/base64.h"
#include "base/clock.h"
#include "base/helper.h"
#include "chroma/chroma.h"
#include "record/error.h"
#include "record/json.h"
#include "record/output.h"
#include "store/indexer.h"
#include "store/store_batch.h"
#include "store/store_dump.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* reads documents from Chroma as records in the format of "bid-store dump". */

/* A document in a collection. */
struct chroma_entry {
  uint64_t order;
  uint32_t collection; /* index in the list */
  uint32_t rows;
};

#define ROWS_A_REQUEST 1000

/* ---- listing documents ---- */

struct entry_list {
  struct chroma_entry *list;
  size_t count, chosen; /* chosen: collections */
  uint32_t collection;  /* being listed */
};

static void add_entry(void *arg, const struct chroma_row *row, const struct chroma_place *place) {
  struct entry_list *l = arg;
  (void)row;
  l->list = xgrow(l->list, l->count, sizeof *l->list);
  l->list[l->count++] = (struct chroma_entry){place->order, l->collection, place->rows};
}

static int entry_order(const void *a, const void *b) {
  const struct chroma_entry *x = a, *y = b;
  if (x->order != y->order)
    return x->order < y->order ? -1 : 1;
  return (x->collection > y->collection) - (x->collection < y->collection);
}

static enum store_status count_all(struct chroma *c, const struct chroma_collection *from, uint64_t *count,
                                   struct error_text *e) {
  struct chroma_call call;
  chroma_call_init(&call, "GET");
  buf_printf(&call.path, "/collections/%s/count", from->id);
  enum store_status status = chroma_perform(c, &call, 1, e);
  long long n = status ? 0 : json_to_int(buf_slice(&call.response.body), 0);
  *count = n > 0 ? (uint64_t)n : 0;
  chroma_call_release(&call);
  return status;
}

/* Lists all documents of the collections of the subset, in the order in which they were added.  `others` counts rows that
 * BID did not write. */
static enum store_status chroma_entries(struct chroma *c, const struct chroma_collections *all,
                                        const struct store_subset *subset, struct entry_list *l,
                                        uint64_t *others, struct error_text *e) {
  enum store_status status = STORE_OK;
  for (size_t i = 0; i < all->count && !status; i++) {
    uint64_t rows = 0, known = 0;
    size_t before = l->count;
    if (!store_subset_has(subset, all->list[i].name))
      continue;
    l->chosen++;
    l->collection = (uint32_t)i;
    status = chroma_each_document(c, &all->list[i], add_entry, l, e);
    if (!status)
      status = count_all(c, &all->list[i], &rows, e);
    for (size_t k = before; k < l->count; k++)
      known += l->list[k].rows;
    *others += rows > known ? rows - known : 0;
  }
  if (l->count)
    qsort(l->list, l->count, sizeof *l->list, entry_order);
  return status;
}

/* ---- a row as a record ---- */

/* Appends the members of a JSON object, given as a JSON string, to an open object. */
static void add_members(struct buf *out, struct slice value, int braces, struct buf *scratch) {
  struct slice s = json_text(value, scratch);
  if (braces)
    s = s.len > 2 ? slice_of(s.data + 1, s.len - 2) : slice_of(NULL, 0);
  if (s.len && out->data[out->len - 1] != '{')
    buf_add_char(out, ',');
  buf_add_slice(out, s);
}

static void add_row_vector(const struct chroma_row *row, struct buf *out) {
  float x[VECTOR_DIMS_MAX];
  uint32_t dims = chroma_row_vector(row, x);
  json_key(out, "embedding");
  buf_add_char(out, '"');
  base64_add(out, x, dims * sizeof *x);
  buf_add_char(out, '"');
}

/* Appends a row as a record with its vector and "store", and a newline.  0, or -1 where BID did not write the row. */
static int chroma_row_record(const struct chroma_collection *from, const struct chroma_row *row,
                             struct buf *out) {
  struct chroma_place place;
  struct slice m = row->metadata;
  struct buf scratch;
  if (chroma_row_place(row, &place) != 0)
    return -1;
  buf_init(&scratch, (size_t)64 << 20);
  buf_add_char(out, '{');
  add_members(out, json_get(m, "bid_document"), 1, &scratch);
  add_members(out, json_get(m, "bid_extra"), 0, &scratch);
  json_str(out, "id", json_text(row->id, &scratch));
  json_str(out, "text", json_text(row->text, &scratch));
  json_str(out, "context", json_text(json_get(m, "context"), &scratch));
  json_raw(out, "chunk", json_text(json_get(m, "bid_chunk"), &scratch));
  add_row_vector(row, out);
  json_cstr(out, "model", from->model);
  json_key(out, "store");
  buf_add_char(out, '{');
  json_cstr(out, "collection", from->name);
  json_str(out, "hash", json_text(json_get(m, "bid_hash"), &scratch));
  json_double(out, "scale", json_to_double(json_get(m, "bid_scale"), 0));
  buf_add_str(out, "}}\n");
  buf_release(&scratch);
  return 0;
}

/* ---- reading documents ---- */

/* Documents of one collection that one request fetches, or a part of a large document. */
struct chroma_run {
  const struct chroma_collection *from;
  const struct chroma_entry *first;
  size_t count, rows;
  uint32_t row_from, row_to; /* per document */
};

/* The longest run from list[at] on. */
static struct chroma_run next_run(const struct chroma_collections *all, const struct chroma_entry *list,
                                  size_t count, size_t at) {
  struct chroma_run r = {&all->list[list[at].collection], &list[at], 1, list[at].rows, 0, UINT32_MAX};
  while (at + r.count < count && list[at + r.count].collection == list[at].collection &&
         r.rows + list[at + r.count].rows <= ROWS_A_REQUEST)
    r.rows += list[at + r.count++].rows;
  return r;
}

struct placed_row {
  struct chroma_place at;
  struct chroma_row row;
};

static int placed_order(const void *a, const void *b) {
  const struct placed_row *x = a, *y = b;
  if (x->at.order != y->at.order)
    return x->at.order < y->at.order ? -1 : 1;
  return (x->at.row > y->at.row) - (x->at.row < y->at.row);
}

static enum store_status get_run(struct chroma *c, const struct chroma_run *run, struct chroma_call *call,
                                 struct error_text *e) {
  uint64_t last = run->first[run->count - 1].order;
  chroma_call_init(call, "POST");
  buf_printf(&call->path, "/collections/%s/get", run->from->id);
  buf_printf(&call->body,
             "{\"include\":[\"documents\",\"metadatas\",\"embeddings\"],\"where\":{\"$and\":["
             "{\"bid_order\":{\"$gte\":%llu}},{\"bid_order\":{\"$lte\":%llu}}",
             (unsigned long long)run->first->order, (unsigned long long)last);
  if (run->row_to != UINT32_MAX)
    buf_printf(&call->body, ",{\"bid_row\":{\"$gte\":%u}},{\"bid_row\":{\"$lt\":%u}}", run->row_from,
               run->row_to);
  buf_add_str(&call->body, "]}}");
  return chroma_perform(c, call, 1, e);
}

/* The rows of an answer, sorted. */
static struct placed_row *place_rows(struct slice answer, size_t *count) {
  struct chroma_rows rows;
  struct chroma_row row;
  size_t n = 0;
  struct placed_row *list = NULL;
  for (chroma_rows_begin(&rows, answer); chroma_rows_next(&rows, &row);) {
    list = xgrow(list, n, sizeof *list);
    list[n].row = row;
    n += chroma_row_place(&row, &list[n].at) == 0;
  }
  if (n)
    qsort(list, n, sizeof *list, placed_order);
  *count = n;
  return list;
}

/* Whether rows [i, i + rows) are those of the document from row `first` on, each exactly once. */
static int are_whole(const struct placed_row *rows, size_t count, size_t i, uint64_t order, uint32_t first,
                     uint32_t wanted) {
  for (uint32_t k = 0; k < wanted; k++)
    if (i + k >= count || rows[i + k].at.order != order || rows[i + k].at.row != first + k)
      return 0;
  return 1;
}

/* A document with missing rows is skipped, and reported. */
static void write_run(struct program *p, const struct chroma_run *run, const struct placed_row *rows,
                      size_t count) {
  size_t i = 0;
  for (size_t d = 0; d < run->count && !p->out.error; d++) {
    const struct chroma_entry *x = &run->first[d];
    uint32_t end = run->row_to < x->rows ? run->row_to : x->rows, wanted = end - run->row_from;
    while (i < count && rows[i].at.order < x->order)
      i++;
    if (!are_whole(rows, count, i, x->order, run->row_from, wanted)) {
      program_error(p, NULL, ERROR_INTERNAL, slice_of(NULL, 0), slice_of(NULL, 0),
                    "collection %s: not all rows of document %llu are there: it was cut short while it was "
                    "written; index it again",
                    run->from->name, (unsigned long long)x->order);
      continue;
    }
    for (uint32_t k = 0; k < wanted; k++, i++) {
      chroma_row_record(run->from, &rows[i].row, &p->out.buf);
      output_flush_if_full(&p->out);
    }
  }
}

static enum store_status dump_run(struct program *p, struct chroma *c, const struct chroma_run *run,
                                  struct error_text *e) {
  struct chroma_call call;
  size_t count;
  enum store_status status = get_run(c, run, &call, e);
  if (!status) {
    struct placed_row *rows = place_rows(buf_slice(&call.response.body), &count);
    write_run(p, run, rows, count);
    free(rows);
  }
  chroma_call_release(&call);
  return status;
}

/* Writes the documents as records. */
static enum store_status chroma_dump(struct program *p, struct chroma *c,
                                     const struct chroma_collections *all, const struct entry_list *l,
                                     struct error_text *e) {
  enum store_status status = STORE_OK;
  for (size_t at = 0; at < l->count && !status && !p->out.error;) {
    struct chroma_run run = next_run(all, l->list, l->count, at);
    at += run.count;
    if (run.rows <= ROWS_A_REQUEST) {
      status = dump_run(p, c, &run, e);
      continue;
    }
    for (uint32_t row = 0; row < run.first->rows && !status; row += ROWS_A_REQUEST) {
      run.row_from = row;
      run.row_to = row + ROWS_A_REQUEST;
      status = dump_run(p, c, &run, e);
    }
  }
  return status;
}

/* writes documents to Chroma: the sink of bid-index and of "bid-store copy" (store/indexer.h).
 *
 * A document goes into the collection of its name, which is created if missing.  A document that is already there
 * with the same hash and all rows is skipped.  Chroma has no transactions, so a new version's rows are written before
 * the old ones are removed: an interrupted run leaves extra rows rather than missing ones, and the next run
 * recognises them by the hash and removes them.  A request that is rejected is split in halves and retried, so that
 * only the document that Chroma rejects is lost.
 */

#define BODY_BYTES ((size_t)24 << 20) /* bytes of texts and metadata at which a request is sent */

/* What belongs to a document of the batch. */
struct chroma_pending {
  struct chroma_document doc;
  struct store_receipt receipt;
  size_t collection; /* index in the list */
  size_t before;     /* number of its rows in Chroma */
};

struct chroma_writer {
  struct chroma *chroma;
  struct chroma_collections all;
  int listed;
  store_receipt_function *f;
  void *arg;
  size_t collection;              /* the one being queried or written */
  struct store_batch *batch;      /* copies of the documents to be sent; NULL: none */
  struct chroma_pending *waiting; /* [batch->count] */
  size_t limit;
  uint64_t order;
  struct chroma_body body;
};

static void *chroma_writer_open(void *place, size_t batch, store_receipt_function *f, void *arg) {
  struct chroma_writer *w = xcalloc(1, sizeof *w);
  w->chroma = place;
  w->f = f;
  w->arg = arg;
  w->limit = batch && batch < chroma_batch(place) ? batch : chroma_batch(place);
  w->order = (uint64_t)(clock_wall() * 1e6);
  chroma_body_init(&w->body);
  return w;
}

static void forget_documents(struct chroma_writer *w) {
  store_batch_free(w->batch);
  free(w->waiting);
  w->batch = NULL;
  w->waiting = NULL;
}

static void chroma_writer_close(void *writer) {
  struct chroma_writer *w = writer;
  forget_documents(w);
  chroma_collections_release(&w->all);
  chroma_body_release(&w->body);
  free(w);
}

/* ---- existing rows ---- */

/* Appends the filter of the rows with the document's URL whose hash equals its own ("$eq") or not ("$ne"); NULL: all. */
static void add_version(struct buf *out, const struct chroma_document *doc, const char *hash) {
  buf_add_str(out, "\"where\":");
  buf_add_str(out, hash ? "{\"$and\":[{" : "{");
  json_str(out, "sourceUrl", doc->d->url);
  if (hash)
    buf_printf(out, "},{\"bid_hash\":{\"%s\":\"%016llx%016llx\"}}]", hash, (unsigned long long)doc->hash[0],
               (unsigned long long)doc->hash[1]);
  buf_add_str(out, "}}");
}

static enum store_status count_version(struct chroma_writer *w, const struct chroma_document *doc,
                                       const char *hash, size_t *count, struct error_text *e) {
  struct chroma_call call;
  struct chroma_rows rows;
  struct chroma_row row;
  chroma_call_init(&call, "POST");
  buf_printf(&call.path, "/collections/%s/get", w->all.list[w->collection].id);
  buf_add_str(&call.body, "{\"include\":[],");
  add_version(&call.body, doc, hash);
  enum store_status status = chroma_perform(w->chroma, &call, 1, e);
  if (!status)
    for (chroma_rows_begin(&rows, buf_slice(&call.response.body)); chroma_rows_next(&rows, &row);)
      ++*count;
  chroma_call_release(&call);
  return status;
}

/* ---- collections ---- */

static size_t find_collection(const struct chroma_writer *w, const char *name) {
  size_t i = 0;
  while (i < w->all.count && strcmp(w->all.list[i].name, name) != 0)
    i++;
  return i;
}

static enum store_status enter_chroma_collection(struct chroma_writer *w, const struct store_document *d,
                                                 struct error_text *e) {
  enum store_status status = w->listed ? STORE_OK : chroma_list(w->chroma, &w->all, e);
  if (status)
    return status;
  w->listed = 1;
  size_t i = find_collection(w, d->collection);
  if (i == w->all.count && (status = chroma_make(w->chroma, &w->all, d->collection, d->model, d->dims, e)))
    return status;
  struct chroma_collection *c = &w->all.list[i];
  if ((c->dims && c->dims != d->dims) || (c->model[0] && strcmp(c->model, d->model) != 0)) {
    error_set(e, "collection %s of Chroma holds vectors of another model than %s (%s, %u dimensions)",
              c->name, d->model, c->model[0] ? c->model : "unknown", c->dims);
    return STORE_MODEL;
  }
  c->dims = d->dims;
  w->collection = i;
  return STORE_OK;
}

/* ---- sending ---- */

static enum store_status send_rows(struct chroma_writer *w, struct error_text *e) {
  struct chroma_call call;
  chroma_call_init(&call, "POST");
  buf_printf(&call.path, "/collections/%s/upsert", w->all.list[w->collection].id);
  chroma_body_write(&w->body, &call.body);
  enum store_status status = chroma_perform(w->chroma, &call, 1, e);
  chroma_call_release(&call);
  return status;
}

/* Sends all passages of one document, as many per request as allowed. */
static enum store_status send_document(struct chroma_writer *w, const struct chroma_document *doc,
                                       struct error_text *e) {
  enum store_status status = STORE_OK;
  size_t count = doc->d->count;
  for (size_t at = 0; at < count && !status; at += w->limit) {
    chroma_body_clear(&w->body);
    chroma_body_add(&w->body, doc, at, at + w->limit < count ? at + w->limit : count);
    status = send_rows(w, e);
  }
  return status;
}

/* Sends documents [from, to): together, or in halves where that is rejected.  A document rejected by itself gets the
 * error in its receipt; other errors are returned. */
static enum store_status send_documents(struct chroma_writer *w, size_t from, size_t to,
                                        struct error_text *e) {
  enum store_status status;
  if (to - from == 1)
    status = send_document(w, &w->waiting[from].doc, e);
  else {
    chroma_body_clear(&w->body);
    for (size_t i = from; i < to; i++)
      chroma_body_add(&w->body, &w->waiting[i].doc, 0, w->waiting[i].doc.d->count);
    status = send_rows(w, e);
  }
  if (status != STORE_REFUSED && status != STORE_MODEL)
    return status;
  if (to - from == 1) {
    w->waiting[from].receipt.status = status;
    w->waiting[from].receipt.e = *e;
    return STORE_OK;
  }
  size_t middle = from + (to - from) / 2;
  status = send_documents(w, from, middle, e);
  return status ? status : send_documents(w, middle, to, e);
}

/* Removes rows of earlier versions. */
static enum store_status remove_others(struct chroma_writer *w, const struct chroma_document *doc,
                                       struct error_text *e) {
  struct chroma_call call;
  chroma_call_init(&call, "POST");
  buf_printf(&call.path, "/collections/%s/delete", w->all.list[w->collection].id);
  buf_add_char(&call.body, '{');
  add_version(&call.body, doc, "$ne");
  enum store_status status = chroma_perform(w->chroma, &call, 1, e);
  chroma_call_release(&call);
  return status;
}

static enum store_status finish_document(struct chroma_writer *w, struct chroma_pending *p,
                                         struct error_text *e) {
  struct store_receipt *r = &p->receipt;
  size_t rows = p->doc.d->count;
  enum store_status status = STORE_OK;
  if (r->status == STORE_OK && p->before)
    status = remove_others(w, &p->doc, e);
  r->replaced = rows < p->before ? rows : p->before;
  r->added = rows - r->replaced;
  r->removed = p->before - r->replaced;
  return status;
}

static void give_receipt(struct chroma_writer *w, struct store_receipt *r, const char *collection,
                         struct slice url) {
  r->collection = collection;
  r->url = url;
  w->f(w->arg, r);
}

static int by_collection(const void *a, const void *b) {
  const struct chroma_pending *x = a, *y = b;
  if (x->collection != y->collection)
    return x->collection < y->collection ? -1 : 1;
  return (x->doc.order > y->doc.order) - (x->doc.order < y->doc.order);
}

/* Writes documents [from, to), which are in one collection. */
static enum store_status commit_collection(struct chroma_writer *w, size_t from, size_t to,
                                           struct error_text *e) {
  w->collection = w->waiting[from].collection;
  enum store_status status = send_documents(w, from, to, e);
  for (size_t i = from; i < to && !status; i++) {
    status = finish_document(w, &w->waiting[i], e);
    if (!status)
      give_receipt(w, &w->waiting[i].receipt, w->all.list[w->collection].name, w->waiting[i].doc.d->url);
  }
  return status;
}

static enum store_status chroma_writer_commit(void *writer, struct error_text *e) {
  struct chroma_writer *w = writer;
  enum store_status status = STORE_OK;
  size_t count = w->batch ? w->batch->count : 0;
  for (size_t i = 0; i < count; i++)
    w->waiting[i].doc.d = &w->batch->docs[i].given;
  if (count)
    qsort(w->waiting, count, sizeof *w->waiting, by_collection);
  for (size_t from = 0, to; from < count && !status; from = to) {
    for (to = from + 1; to < count && w->waiting[to].collection == w->waiting[from].collection;)
      to++;
    status = commit_collection(w, from, to, e);
  }
  forget_documents(w);
  return status;
}

/* ---- adding ---- */

/* Whether the batch must be sent before the document is added to it. */
static int is_full(const struct chroma_writer *w, const struct store_document *d) {
  for (size_t i = 0; i < w->batch->count; i++)
    if (slice_eq(w->batch->docs[i].url, d->url))
      return 1;
  return w->batch->passages + d->count > w->limit || w->batch->bytes > BODY_BYTES;
}

static void add_waiting(struct chroma_writer *w, const struct chroma_document *doc, size_t before) {
  if (!w->batch)
    w->batch = store_batch_new("", 0);
  size_t n = w->batch->count;
  w->waiting = xgrow(w->waiting, n, sizeof *w->waiting);
  w->waiting[n] = (struct chroma_pending){.doc = *doc, .collection = w->collection, .before = before};
  store_batch_add(w->batch, doc->d, doc->hash);
}

static enum store_status chroma_writer_add(void *writer, const struct store_document *d,
                                           struct error_text *e) {
  struct chroma_writer *w = writer;
  struct chroma_document doc = {.d = d};
  size_t all = 0, same = 0;
  enum store_status status = STORE_OK;
  if (w->batch && is_full(w, d))
    status = chroma_writer_commit(w, e);
  if (!status)
    status = enter_chroma_collection(w, d, e);
  if (d->hash)
    memcpy(doc.hash, d->hash, sizeof doc.hash);
  else
    store_document_hash(d, doc.hash);
  if (status == STORE_MODEL || status == STORE_REFUSED) { /* concerns only this document */
    struct store_receipt refused = {.status = status, .e = *e};
    give_receipt(w, &refused, d->collection, d->url);
    return STORE_OK;
  }
  if (!status)
    status = count_version(w, &doc, NULL, &all, e);
  if (!status && all)
    status = count_version(w, &doc, "$eq", &same, e);
  if (status)
    return status;
  if (same == d->count && all == same) {
    struct store_receipt unchanged = {.unchanged = same};
    give_receipt(w, &unchanged, d->collection, d->url);
    return STORE_OK;
  }
  doc.order = w->order++;
  add_waiting(w, &doc, all);
  return STORE_OK;
}

/* Its place argument is a struct chroma. */
static const struct indexer_sink chroma_sink = {chroma_writer_open, chroma_writer_close, chroma_writer_add,
                                                chroma_writer_commit};

/* ---- reading ---- */

static enum store_status dump_store(struct program *p, const char *path, const struct store_subset *subset,
                                    struct error_text *e) {
  struct store_options o = {.path = path};
  struct store *s = NULL;
  struct store_snapshot *snap = NULL;
  uint32_t *ids = NULL;
  enum store_status status = store_open(&s, &o, e);
  if (!status)
    status = store_snapshot_begin(s, &snap, e);
  if (!status) {
    size_t count = store_subset_ids(subset, snap, &ids);
    status = store_dump(snap, ids, count, DUMP_VECTORS | DUMP_STORE, &p->out, e);
    if (!count)
      program_nothing(p, "no collection matches; bid-store ls without -c lists all");
  }
  free(ids);
  store_snapshot_end(snap);
  store_close(s);
  return status;
}

static enum store_status dump_chroma(struct program *p, const char *address,
                                     const struct store_subset *subset, struct error_text *e) {
  struct chroma *c;
  struct chroma_collections all = {0};
  struct entry_list l = {0};
  uint64_t others = 0;
  enum store_status status = chroma_open(&c, address, e);
  if (!status)
    status = chroma_list(c, &all, e);
  if (!status)
    status = chroma_entries(c, &all, subset, &l, &others, e);
  if (!status && !l.chosen)
    program_nothing(p, "no collection matches; bid-store ls without -c lists all");
  if (!status && others)
    program_error(
        p, NULL, ERROR_INVALID_REQUEST, slice_of(NULL, 0), slice_of(NULL, 0),
        "%s: %llu rows are not copied: bid-index or bid-store did not write them, so they have no document",
        chroma_name(c), (unsigned long long)others);
  if (!status)
    status = chroma_dump(p, c, &all, &l, e);
  free(l.list);
  chroma_collections_release(&all);
  chroma_close(c);
  return status;
}

/* Main function of the child. */
static _Noreturn void read_from(struct program *p, const char *from, const struct store_subset *subset,
                                int fd) {
  struct error_text e;
  output_close(&p->out);
  output_init(&p->out, fd);
  p->people = p->stats = p->progress = 0;
  enum store_status status =
      chroma_is_address(from) ? dump_chroma(p, from, subset, &e) : dump_store(p, from, subset, &e);
  if (status)
    indexer_fault(p, status, &e);
  exit(program_finish(p));
}

/* ---- writing ---- */

static void run_indexer(struct indexer *x, struct program *p) {
  indexer_run(x);
  program_stat(p, "documents", (double)indexer_documents(x));
  program_stat(p, "passages", (double)indexer_passages(x));
  indexer_free(x);
}

void chroma_index(struct program *p, const char *address, const struct indexer_options *o) {
  struct chroma *c;
  struct error_text e;
  enum store_status status = chroma_open(&c, address, &e);
  if (status) {
    indexer_fault(p, status, &e);
    return;
  }
  run_indexer(indexer_new_to(p, &chroma_sink, c, o), p);
  chroma_close(c);
}

static enum store_status write_to(struct program *p, const char *to, const struct store_call *call,
                                  struct error_text *e) {
  struct indexer_options o = {.restore = 1, .partial = call->partial, .older = call->older};
  if (chroma_is_address(to)) {
    chroma_index(p, to, &o);
    return STORE_OK;
  }
  struct store *s;
  struct store_options so = {.path = to, .write = 1, .create = 1, .wait = call->wait};
  enum store_status status = store_open(&s, &so, e);
  if (!status) {
    run_indexer(indexer_new(p, s, &o), p);
    store_close(s);
  }
  return status;
}

/* Reports the child's exit status. */
static void take_status(struct program *p, pid_t child) {
  int status = helper_wait(child);
  if (WIFEXITED(status) && WEXITSTATUS(status))
    program_fail(p, WEXITSTATUS(status));
  else if (WIFSIGNALED(status) && WTERMSIG(status) != SIGPIPE)
    program_fail(p, EX_SOFTWARE);
}

enum store_status chroma_command_copy(struct program *p, struct store *s, const struct store_call *call,
                                      struct error_text *e) {
  const char *from = p->operands[0], *to = p->operands[1];
  int ends[2];
  pid_t child = -1;
  (void)s;
  if (pipe(ends) != 0 || (child = fork()) < 0) {
    error_set(e, "no process can be started for copying: %s", strerror(errno));
    return STORE_IO;
  }
  if (child == 0) {
    close(ends[0]);
    read_from(p, from, &call->subset, ends[1]);
  }
  close(ends[1]);
  dup2(ends[0], STDIN_FILENO);
  close(ends[0]);
  p->operand_count = 0;
  enum store_status status = write_to(p, to, call, e);
  close(STDIN_FILENO); /* where writing stopped early, the closed pipe ends the child */
  take_status(p, child);
  return status;
}
