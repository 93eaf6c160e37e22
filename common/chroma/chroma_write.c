#include "chroma/chroma_write.h"

#include "chroma/chroma_row.h"

#include "record/json.h"
#include "store/store_batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define BODY_BYTES ((size_t)24 << 20) /* bytes of texts and metadata at which a request is sent */

/* A document to be sent; deep copies, since its passages belong to the caller. */
struct chroma_pending {
  struct chroma_document doc;
  struct store_document d;
  struct buf bytes;
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
  size_t collection; /* the one being queried or written */
  struct chroma_pending *waiting;
  size_t count, cap, rows, bytes, limit;
  uint64_t order;
  struct chroma_body body;
};

static void *chroma_writer_open(void *place, size_t batch, store_receipt_function *f, void *arg) {
  struct chroma_writer *w = xcalloc(1, sizeof *w);
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  w->chroma = place;
  w->f = f;
  w->arg = arg;
  w->limit = batch && batch < chroma_batch(place) ? batch : chroma_batch(place);
  w->order = (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
  chroma_body_init(&w->body);
  return w;
}

/* ---- copies ---- */

/* Appends the slice to bytes, whose memory doesn't move, and points the slice there. */
static void keep_slice(struct buf *bytes, struct slice *s) {
  size_t at = bytes->len;
  buf_add_slice(bytes, *s);
  *s = slice_of(bytes->data + at, s->len);
}

static size_t document_bytes(const struct store_document *d) {
  size_t n = d->url.len + d->json.len + strlen(d->model) + strlen(d->collection) + 64;
  for (size_t i = 0; i < d->count; i++) {
    const struct store_passage *p = &d->passages[i];
    n += p->id.len + p->text.len + p->context.len + p->chunk.len + p->extra.len + p->item.len +
         d->dims * sizeof(float);
  }
  return n + d->count * sizeof *d->passages;
}

static void copy_document(struct chroma_pending *p, const struct store_document *d) {
  buf_init(&p->bytes, (size_t)1 << 32);
  buf_reserve(&p->bytes, document_bytes(d) + 1);
  p->d = *d;
  struct store_passage *list = xcalloc(d->count, sizeof *list);
  float *vectors = xcalloc(d->count * d->dims, sizeof *vectors);
  for (size_t i = 0; i < d->count; i++) {
    list[i] = d->passages[i];
    keep_slice(&p->bytes, &list[i].id);
    keep_slice(&p->bytes, &list[i].text);
    keep_slice(&p->bytes, &list[i].context);
    keep_slice(&p->bytes, &list[i].chunk);
    keep_slice(&p->bytes, &list[i].extra);
    keep_slice(&p->bytes, &list[i].item);
    memcpy(vectors + i * d->dims, d->passages[i].vector, d->dims * sizeof *vectors);
    list[i].vector = vectors + i * d->dims;
  }
  keep_slice(&p->bytes, &p->d.url);
  keep_slice(&p->bytes, &p->d.json);
  p->d.passages = list;
  p->d.collection = NULL; /* owned by the writer */
  p->d.model = NULL;
}

static void forget_documents(struct chroma_writer *w) {
  for (size_t i = 0; i < w->count; i++) {
    free((void *)(uintptr_t)w->waiting[i].d.passages[0].vector);
    free((void *)(uintptr_t)w->waiting[i].d.passages);
    buf_release(&w->waiting[i].bytes);
  }
  w->count = w->rows = w->bytes = 0;
}

static void chroma_writer_close(void *writer) {
  struct chroma_writer *w = writer;
  forget_documents(w);
  chroma_collections_release(&w->all);
  chroma_body_release(&w->body);
  free(w->waiting);
  free(w);
}

/* ---- existing rows ---- */

/* Finds the ids of matching rows as a raw JSON list, appended to ids. */
static enum store_status find_ids(struct chroma_writer *w, struct slice where, struct buf *ids, size_t *count,
                                  struct error_text *e) {
  struct chroma_call call;
  struct chroma_rows rows;
  struct chroma_row row;
  chroma_call_init(&call, "POST");
  buf_printf(&call.path, "/collections/%s/get", w->all.list[w->collection].id);
  buf_add_str(&call.body, "{\"include\":[],\"where\":");
  buf_add_slice(&call.body, where);
  buf_add_char(&call.body, '}');
  enum store_status status = chroma_perform(w->chroma, &call, 1, e);
  *count = 0;
  if (!status)
    for (chroma_rows_begin(&rows, buf_slice(&call.response.body)); chroma_rows_next(&rows, &row); ++*count)
      buf_printf(ids, "%s%.*s", *count ? "," : "", (int)row.id.len, row.id.data);
  chroma_call_release(&call);
  return status;
}

static void hash_text(const uint64_t hash[2], char out[33]) {
  snprintf(out, 33, "%016llx%016llx", (unsigned long long)hash[0], (unsigned long long)hash[1]);
}

/* Finds rows with the document's URL whose hash equals its own ("$eq") or not ("$ne"); NULL: all. */
static enum store_status find_rows(struct chroma_writer *w, const struct chroma_document *doc,
                                   const char *operator, struct buf * ids, size_t *count,
                                   struct error_text *e) {
  struct buf where;
  char hash[33];
  hash_text(doc->hash, hash);
  buf_init(&where, 1 << 20);
  buf_add_str(&where, operator? "{\"$and\":[{" : "{");
  json_str(&where, "sourceUrl", doc->d->url);
  if (operator)
    buf_printf(&where, "},{\"bid_hash\":{\"%s\":\"%s\"}}]", operator, hash);
  buf_add_char(&where, '}');
  enum store_status status = find_ids(w, buf_slice(&where), ids, count, e);
  buf_release(&where);
  return status;
}

/* Counts the document's rows in Chroma, and those of this version. */
static enum store_status count_rows(struct chroma_writer *w, const struct chroma_document *doc, size_t *all,
                                    size_t *same, struct error_text *e) {
  struct buf ids;
  buf_init(&ids, CHROMA_ANSWER_MAX);
  *same = 0;
  enum store_status status = find_rows(w, doc, NULL, &ids, all, e);
  buf_clear(&ids);
  if (!status && *all)
    status = find_rows(w, doc, "$eq", &ids, same, e);
  buf_release(&ids);
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
  struct chroma_collection *c = NULL;
  if (status)
    return status;
  w->listed = 1;
  size_t i = find_collection(w, d->collection);
  if (i == w->all.count &&
      (status = chroma_make(w->chroma, &w->all, d->collection, d->model, d->dims, &c, e)))
    return status;
  c = &w->all.list[i];
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
static enum store_status send_document(struct chroma_writer *w, const struct chroma_pending *p,
                                       struct error_text *e) {
  enum store_status status = STORE_OK;
  for (size_t at = 0; at < p->d.count && !status; at += w->limit) {
    size_t end = at + w->limit < p->d.count ? at + w->limit : p->d.count;
    chroma_body_clear(&w->body);
    chroma_body_add(&w->body, &p->doc, at, end);
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
    status = send_document(w, &w->waiting[from], e);
  else {
    chroma_body_clear(&w->body);
    for (size_t i = from; i < to; i++)
      chroma_body_add(&w->body, &w->waiting[i].doc, 0, w->waiting[i].d.count);
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
static enum store_status remove_others(struct chroma_writer *w, const struct chroma_pending *p,
                                       size_t *removed, struct error_text *e) {
  struct chroma_call call;
  struct buf ids;
  buf_init(&ids, CHROMA_ANSWER_MAX);
  enum store_status status = find_rows(w, &p->doc, "$ne", &ids, removed, e);
  chroma_call_init(&call, "POST");
  buf_printf(&call.path, "/collections/%s/delete", w->all.list[w->collection].id);
  buf_printf(&call.body, "{\"ids\":[%s]}", ids.len ? ids.data : "");
  if (!status && *removed)
    status = chroma_perform(w->chroma, &call, 1, e);
  chroma_call_release(&call);
  buf_release(&ids);
  return status;
}

static enum store_status finish_document(struct chroma_writer *w, struct chroma_pending *p,
                                         struct error_text *e) {
  struct store_receipt *r = &p->receipt;
  size_t removed = 0, rows = p->d.count;
  enum store_status status = STORE_OK;
  if (r->status == STORE_OK && p->before)
    status = remove_others(w, p, &removed, e);
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
      give_receipt(w, &w->waiting[i].receipt, w->all.list[w->collection].name, w->waiting[i].d.url);
  }
  return status;
}

static enum store_status chroma_writer_commit(void *writer, struct error_text *e) {
  struct chroma_writer *w = writer;
  enum store_status status = STORE_OK;
  if (w->count)
    qsort(w->waiting, w->count, sizeof *w->waiting, by_collection);
  for (size_t i = 0; i < w->count; i++)
    w->waiting[i].doc.d = &w->waiting[i].d;
  for (size_t from = 0, to; from < w->count && !status; from = to) {
    for (to = from + 1; to < w->count && w->waiting[to].collection == w->waiting[from].collection;)
      to++;
    status = commit_collection(w, from, to, e);
  }
  forget_documents(w);
  return status;
}

/* ---- adding ---- */

static int waits(const struct chroma_writer *w, struct slice url) {
  for (size_t i = 0; i < w->count; i++)
    if (slice_eq(w->waiting[i].d.url, url))
      return 1;
  return 0;
}

static void add_waiting(struct chroma_writer *w, const struct chroma_document *doc, size_t before) {
  if (w->count == w->cap) {
    w->cap = w->cap ? w->cap * 2 : 64;
    w->waiting = xreallocarray(w->waiting, w->cap, sizeof *w->waiting);
    for (size_t i = 0; i < w->count; i++)
      w->waiting[i].doc.d = &w->waiting[i].d;
  }
  struct chroma_pending *p = &w->waiting[w->count++];
  *p = (struct chroma_pending){.doc = *doc, .collection = w->collection, .before = before};
  copy_document(p, doc->d);
  p->doc.d = &p->d;
  w->rows += p->d.count;
  w->bytes += p->bytes.len;
}

static enum store_status chroma_writer_add(void *writer, const struct store_document *d,
                                           struct error_text *e) {
  struct chroma_writer *w = writer;
  struct chroma_document doc = {.d = d};
  size_t all = 0, same = 0;
  enum store_status status = STORE_OK;
  if (w->count && (w->rows + d->count > w->limit || w->bytes > BODY_BYTES || waits(w, d->url)))
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
    status = count_rows(w, &doc, &all, &same, e);
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

const struct indexer_sink chroma_sink = {chroma_writer_open, chroma_writer_close, chroma_writer_add,
                                         chroma_writer_commit};
