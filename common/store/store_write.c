/* store_write.c: the writer: batches are analyzed by threads, committed one after the other, small segments merged, documents removed. */
#include "store/store_batch.h"
#include "store/store_change.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* ---- stores an analyzed batch of documents in one transaction; private to store*.c ---- */

/* The document is in the batch's segment, but stored as removed. */
static void refuse_document(struct store_change *c, const struct store_batch_doc *d) {
  c->own_dead[d->seg_doc / 64] |= (uint64_t)1 << (d->seg_doc % 64);
}

/* The vectors don't fit the collection's or the store's. */
static void refuse_model(struct store_change *c, const struct store_batch_doc *d, struct store_receipt *r) {
  refuse_document(c, d);
  r->status = STORE_MODEL;
}

/* Whether the stored version was captured later.  One in the future is from a wrong clock, and is replaced. */
static int is_later(const struct store_version *old, const struct store_doc *column) {
  return column->captured != STORE_NO_TIME && old->captured > column->captured &&
         old->captured <= (int64_t)time(NULL);
}

/* Fills in what is only known within the transaction, and stores the document's value and URL. */
static int put_values(struct store_change *c, struct store_doc *column, struct store_batch_doc *d,
                      const struct store_url_key *key) {
  uint32_t form;
  struct store_document_head *h = (void *)d->value;
  int rc = store_change_string_number(c, 'f', d->facts.form, &form);
  if (!rc)
    rc = store_change_company_number(
        c, (const char *const[]){d->facts.company, d->facts.ticker, d->facts.cik}, &column->company);
  column->form = (uint16_t)form;
  column->collection = h->collection = c->collection.id;
  h->check = store_document_check(column->id, d->value, d->value_len);
  if (!rc)
    rc = store_change_put_raw(c, T_DOCUMENTS, &column->id, sizeof column->id, d->value, d->value_len,
                              MDB_APPEND);
  return rc ? rc : store_change_put(c, T_URLS, key, sizeof *key, &column->id, sizeof column->id);
}

struct numbered_model {
  uint32_t number, dims; /* dims: of its vectors in the store; 0: none */
};

/* Stores one document; r gets the outcome.  Returns an LMDB code where the whole transaction must be aborted. */
static int put_document(struct store_change *c, struct store_batch *b, struct store_batch_doc *d,
                        const struct numbered_model *m, struct store_receipt *r) {
  struct store_doc *column = &b->segment.doc[d->seg_doc];
  uint32_t old = 0, rows = column->rows;
  column->id = c->counters.next_doc++;
  if (m->dims && m->dims != b->dims) {
    refuse_model(c, d, r);
    error_set(
        &r->e,
        "the store holds vectors of %s with %u dimensions, these have %u: a model has one number of them, "
        "so give it another name or use another store",
        b->model, m->dims, b->dims);
    return 0;
  }
  int rc = store_change_enter_collection(c, d->collection, 1);
  if (rc)
    return rc;
  if (c->collection.documents && c->collection.model != m->number) {
    refuse_model(c, d, r);
    error_set(&r->e, "collection %s holds vectors of another model than %s", d->collection, b->model);
    return 0;
  }
  c->collection.model = m->number;
  c->collection.dims = b->dims;
  struct store_url_key key = store_url_key(c->collection.id, d->url);
  struct store_version version;
  if ((rc = store_change_find_version(c, &key, &version)))
    return rc;
  if (version.id && !d->given.older && is_later(&version, column)) {
    refuse_document(c, d);
    r->older = rows;
    return 0;
  }
  if (version.id && (rc = store_change_remove_document(c, version.id, &old)))
    return rc;
  if ((rc = put_values(c, column, d, &key)))
    return rc;
  c->collection.documents++;
  c->collection.passages += rows;
  r->replaced = rows < old ? rows : old;
  r->added = rows - r->replaced;
  r->removed = old - r->replaced;
  return 0;
}

static int number_items(struct store_change *c, struct store_batch *b) {
  uint16_t *numbers = xcalloc(b->item_count + 1, sizeof *numbers);
  int rc = 0;
  for (size_t i = 0; !rc && i < b->item_count; i++) {
    uint32_t n;
    rc = store_change_string_number(c, 'i', b->items[i], &n);
    numbers[i + 1] = (uint16_t)n;
  }
  for (uint32_t r = 0; r < b->segment.rows; r++)
    b->segment.item[r] = numbers[b->segment.item[r]];
  free(numbers);
  return rc;
}

/* Bitmap of the batch's removed documents, or NULL where all are live. */
static uint64_t *take_own_dead(struct store_change *c) {
  uint64_t *dead = c->own_dead, any = 0;
  for (uint32_t i = 0; i <= c->batch->segment.docs / 64; i++)
    any |= dead[i];
  c->own_dead = NULL;
  if (any)
    return dead;
  free(dead);
  return NULL;
}

static int put_batch(struct store_change *c, struct store_batch *b, struct store_receipt *receipts) {
  struct numbered_model model = {0, 0};
  int rc = store_change_string_number(c, 'm', b->model, &model.number);
  if (!rc)
    rc = store_change_model_dims(c, model.number, &model.dims);
  c->batch = b;
  c->own_first = c->counters.next_doc;
  c->own_dead = xcalloc(b->segment.docs / 64 + (size_t)1, sizeof *c->own_dead);
  struct slice dictionary = slice_of(NULL, 0);
  if (!rc && b->dictionary)
    rc = store_meta(c->store, c->txn, "dictionary", &dictionary);
  if (!rc && b->dictionary && dictionary.len == 0)
    rc = store_put_meta(c->store, c->txn, "dictionary", b->dictionary->data, b->dictionary->len);
  for (size_t i = 0; !rc && i < b->count; i++)
    if (!b->docs[i].unchanged)
      rc = put_document(c, b, &b->docs[i], &model, &receipts[i]);
  if (!rc)
    rc = number_items(c, b);
  return rc ? rc
            : store_change_put_segment(c, &b->segment, b->segment_size, model.number, c->count,
                                       take_own_dead(c));
}

static size_t batch_size(const struct store_batch *b) {
  size_t n = b->segment_size + (b->dictionary ? b->dictionary->len : 0);
  for (size_t i = 0; i < b->count; i++)
    n += b->docs[i].value_len + 8192;
  return n;
}

/* Whether another writer has stored a dictionary first: texts packed with ours would then be unreadable. */
static int dictionary_is_other(struct store_change *c, const struct store_batch *b) {
  struct slice v;
  return store_meta(c->store, c->txn, "dictionary", &v) == 0 && b->dictionary && v.len &&
         !slice_eq(v, slice_of(b->dictionary->data, b->dictionary->len));
}

/* receipts[b->count] get the outcomes, also where one document alone is refused.  *again: nothing was committed, since the
 * batch must be packed again, with the dictionary that the store has got meanwhile. */
static enum store_status store_commit_batch(struct store *s, struct store_batch *b,
                                            struct store_receipt *receipts, int *again,
                                            struct error_text *e) {
  struct store_change c;
  *again = 0;
  enum store_status status = store_change_begin(&c, s, batch_size(b), e);
  if (status)
    return status;
  if (dictionary_is_other(&c, b)) {
    *again = 1;
    store_abandon(s, c.txn);
    store_change_release(&c);
    return STORE_OK;
  }
  int rc = put_batch(&c, b, receipts);
  return store_change_end(&c, rc, e);
}

/* ---- merges segments, so that they stay few and removed documents take no space ----
 *
 * Each merge is a transaction of its own that changes nothing visible to readers. */

enum { MERGE_FACTOR = 8 }; /* segments that are merged into one */

static int level_of_rows(const struct store_segment_entry *entry) {
  uint32_t rows = entry->live_rows;
  int level = 0;
  for (uint32_t limit = SEGMENT_ROWS_MAX / 512; level < 4 && rows >= limit; limit *= 8)
    level++;
  return level;
}

/* Selects the next run of segments to merge: indexes of up to MERGE_FACTOR adjacent entries like entry `like`.  0 where
 * there is nothing to do. */
static size_t pick_run(struct store_change *c, size_t like, int level, size_t *run) {
  size_t n = 0;
  uint64_t rows = 0;
  for (size_t i = 0; i < c->count; i++) {
    const struct store_segment_entry *entry = &c->entries[i];
    if (c->entries[i].model != c->entries[like].model)
      continue;
    if (level_of_rows(entry) > level) {
      n = rows = 0;
      continue;
    }
    if (rows + entry->live_rows > SEGMENT_ROWS_MAX) {
      if (n >= MERGE_FACTOR / 2)
        return n;
      n = rows = 0;
    }
    run[n++] = i;
    rows += entry->live_rows;
    if (n == MERGE_FACTOR)
      return n;
  }
  return 0;
}

static size_t store_write_pick(struct store_change *c, int all, size_t *run) {
  for (size_t i = 0; i < c->count; i++)
    if (c->entries[i].live_rows * 2 <= c->entries[i].rows ||
        (all && c->entries[i].live_rows < c->entries[i].rows)) {
      run[0] = i;
      return 1;
    }
  for (size_t i = 0; i < c->count; i++)
    for (int level = 0; level < 4; level++) {
      size_t n = pick_run(c, i, level, run);
      if (n)
        return n;
    }
  return 0;
}

/* Selects two adjacent entries that fit together, for merging everything. */
static size_t pick_pair(struct store_change *c, size_t *run) {
  for (size_t i = 0; i < c->count; i++) {
    uint64_t rows = c->entries[i].live_rows;
    size_t n = 0;
    run[n++] = i;
    for (size_t k = i + 1; k < c->count && n < MERGE_FACTOR; k++) {
      if (c->entries[i].model != c->entries[k].model)
        continue;
      if ((rows += c->entries[k].live_rows) > SEGMENT_ROWS_MAX)
        break;
      run[n++] = k;
    }
    if (n > 1)
      return n;
  }
  return 0;
}

static int merge_run(struct store_change *c, const size_t *run, size_t n) {
  struct store_segment seg[MERGE_FACTOR];
  struct store_terms terms[MERGE_FACTOR];
  const struct store_segment *from[MERGE_FACTOR];
  int rc = 0;
  for (size_t i = 0; !rc && i < n; i++) {
    from[i] = &seg[i];
    rc = store_change_attach(c, run[i], &seg[i], &terms[i], 1);
    if (!rc && seg[i].vectors.dims != seg[0].vectors.dims) /* forged: a model's vectors have one length */
      rc = MDB_CORRUPTED;
    if (!rc)
      rc = store_change_load_dead(c, run[i]);
    seg[i].dead_docs = c->dead[run[i]];
  }
  if (rc)
    return rc;
  struct store_segment_builder b;
  store_segment_builder_init(&b, (uint32_t)seg[0].vectors.dims);
  store_segment_merge(&b, from, n);
  uint32_t model = c->entries[run[0]].model;
  rc = store_change_put_segment(c, &b, store_segment_seal(&b), model, run[n - 1] + 1, NULL);
  store_segment_builder_release(&b);
  for (size_t i = n; !rc && i-- > 0;)
    rc = store_change_drop_segment(c, run[i]);
  return rc;
}

enum store_status store_merge(struct store *s, int all, struct error_text *e) {
  for (;;) {
    struct store_change c;
    size_t run[MERGE_FACTOR], n;
    enum store_status status = store_change_begin(&c, s, (size_t)256 << 20, e);
    if (status)
      return status;
    n = store_write_pick(&c, all, run);
    if (!n && all)
      n = pick_pair(&c, run);
    int rc = n ? merge_run(&c, run, n) : 0;
    if (n == 0) {
      store_abandon(s, c.txn);
      store_change_release(&c);
      return STORE_OK;
    }
    status = store_change_end(&c, rc, e);
    if (status)
      return status;
  }
}

/* ---- the writer, which analyzes and commits batches of documents ----
 *
 * A batch is analyzed (in a thread of its own where several are in progress) and committed in one transaction:
 * document values, the segment, the marks of replaced documents, the counts.  If the process is killed, the store is
 * in the state before or after it. */

enum {
  BATCH_PASSAGES = 16384,
  IN_FLIGHT = 3,
  WORKERS = 2,
  WORKER_NICE = 5, /* gives concurrent searches priority */
  DICTIONARY_LEAST = 500,
  DICTIONARY_WANTED = 3000
};
#define BATCH_BYTES ((size_t)128 << 20)

struct store_writer {
  struct store *store;
  size_t limit;
  store_receipt_function *f;
  void *arg;
  struct store_batch *open;         /* being filled, or NULL */
  struct store_batch *first, *last; /* complete, in order */
  size_t sealed;
  struct store_dictionary made, stored;      /* trained by this writer; read from the store */
  const struct store_dictionary *dictionary; /* in use, or NULL */
  int trained, workers;
  pthread_t thread[WORKERS];
  pthread_mutex_t mutex;
  pthread_cond_t work, done;
  int quit;
};

/* Where the store has a dictionary, it must be used. */
static void store_write_load_dictionary(struct store_writer *w) {
  MDB_txn *txn;
  if (mdb_txn_begin(w->store->env, NULL, MDB_RDONLY, &txn))
    return;
  struct slice v;
  if (store_meta(w->store, txn, "dictionary", &v) == 0 && v.len) { /* damage is reported by the first
                                                                      commit */
    store_dictionary_set(&w->stored, v.data, v.len);
    w->dictionary = &w->stored;
  }
  mdb_txn_abort(txn);
}

/* The first large batch of a store trains the dictionary, which is stored with that batch. */
static void need_dictionary(struct store_writer *w, const struct store_batch *b, size_t passages) {
  if (w->dictionary || w->trained || b->passages < passages)
    return;
  w->trained = 1;
  if (store_dictionary_train(&w->made, b) == 0)
    w->dictionary = &w->made;
}

struct store_writer *store_writer_new(struct store *s, size_t batch, store_receipt_function *f, void *arg) {
  struct store_writer *w = xcalloc(1, sizeof *w);
  w->store = s;
  w->limit = batch ? batch : BATCH_PASSAGES;
  w->f = f;
  w->arg = arg;
  pthread_mutex_init(&w->mutex, NULL);
  pthread_cond_init(&w->work, NULL);
  pthread_cond_init(&w->done, NULL);
  store_write_load_dictionary(w);
  return w;
}

/* Lowers the priority of the current thread. */
static void yield_to_readers(void) {
  enum { SELF = 0 };
  setpriority(PRIO_PROCESS, SELF, getpriority(PRIO_PROCESS, SELF) + WORKER_NICE);
}

/* analyzed: 0 waiting, -1 in progress, 1 done. */
static void *worker(void *arg) {
  struct store_writer *w = arg;
  yield_to_readers();
  pthread_mutex_lock(&w->mutex);
  for (;;) {
    struct store_batch *b = w->first;
    while (b && b->analyzed)
      b = b->next;
    if (b) {
      b->analyzed = -1;
      pthread_mutex_unlock(&w->mutex);
      store_batch_analyze(b);
      pthread_mutex_lock(&w->mutex);
      b->analyzed = 1;
      pthread_cond_broadcast(&w->done);
    } else if (w->quit)
      break;
    else
      pthread_cond_wait(&w->work, &w->mutex);
  }
  pthread_mutex_unlock(&w->mutex);
  return NULL;
}

static void start_workers(struct store_writer *w) {
  while (w->workers < WORKERS && pthread_create(&w->thread[w->workers], NULL, worker, w) == 0)
    w->workers++;
}

static void stop_workers(struct store_writer *w) {
  pthread_mutex_lock(&w->mutex);
  w->quit = 1;
  pthread_cond_broadcast(&w->work);
  pthread_mutex_unlock(&w->mutex);
  for (int i = 0; i < w->workers; i++)
    pthread_join(w->thread[i], NULL);
  w->workers = w->quit = 0;
}

void store_writer_free(struct store_writer *w) {
  if (!w)
    return;
  pthread_mutex_lock(&w->mutex);
  for (struct store_batch *b = w->first; b; b = b->next) /* batches that no worker has begun are dropped */
    if (!b->analyzed)
      b->analyzed = 1;
  pthread_mutex_unlock(&w->mutex);
  stop_workers(w);
  while (w->first) {
    struct store_batch *next = w->first->next;
    store_batch_free(w->first);
    w->first = next;
  }
  store_batch_free(w->open);
  store_dictionary_release(&w->made);
  store_dictionary_release(&w->stored);
  pthread_mutex_destroy(&w->mutex);
  pthread_cond_destroy(&w->work);
  pthread_cond_destroy(&w->done);
  free(w);
}

static void give_receipts(struct store_writer *w, const struct store_batch *b,
                          struct store_receipt *receipts) {
  for (size_t i = 0; i < b->count; i++) {
    struct store_receipt *r = &receipts[i];
    r->collection = b->docs[i].collection;
    r->url = b->docs[i].url;
    if (b->docs[i].unchanged)
      r->unchanged = b->docs[i].given.count;
    w->f(w->arg, r);
  }
}

/* Analyzes the batch here, or waits for the worker that does. */
static void finish_analysis(struct store_writer *w, struct store_batch *b) {
  pthread_mutex_lock(&w->mutex);
  if (b->analyzed == 0) {
    b->analyzed = -1;
    pthread_mutex_unlock(&w->mutex);
    store_batch_analyze(b);
    pthread_mutex_lock(&w->mutex);
    b->analyzed = 1;
  }
  while (b->analyzed != 1)
    pthread_cond_wait(&w->done, &w->mutex);
  pthread_mutex_unlock(&w->mutex);
}

static enum store_status commit_first(struct store_writer *w, struct error_text *e) {
  struct store_batch *b = w->first;
  finish_analysis(w, b);
  struct store_receipt *receipts = xcalloc(b->count + 1, sizeof *receipts);
  enum store_status status = STORE_OK;
  int again = 0;
  if (b->passages)
    status = store_commit_batch(w->store, b, receipts, &again, e);
  if (again) { /* another process created this store meanwhile: ours is packed with a different dictionary */
    if (w->dictionary != &w->stored)
      store_write_load_dictionary(w);
    store_batch_reset(b);
    b->dictionary = w->dictionary;
    store_batch_analyze(b);
    status = store_commit_batch(w->store, b, receipts, &again, e);
    if (!status && again) {
      error_set(e, "%s: another process replaced the store while it was written", w->store->path);
      status = STORE_BUSY;
    }
  }
  if (!status)
    give_receipts(w, b, receipts);
  free(receipts);
  if (status)
    return status;
  pthread_mutex_lock(&w->mutex);
  w->first = b->next;
  w->last = w->first ? w->last : NULL;
  w->sealed--;
  pthread_mutex_unlock(&w->mutex);
  int wrote = b->passages > 0;
  store_batch_free(b);
  return wrote ? store_merge(w->store, 0, e) : STORE_OK;
}

/* Completes the open batch and queues it. */
static void seal(struct store_writer *w) {
  struct store_batch *b = w->open;
  if (!b)
    return;
  w->open = NULL;
  need_dictionary(w, b, DICTIONARY_LEAST);
  b->dictionary = w->dictionary;
  pthread_mutex_lock(&w->mutex);
  if (w->last)
    w->last->next = b;
  else
    w->first = b;
  w->last = b;
  w->sealed++;
  pthread_cond_signal(&w->work);
  pthread_mutex_unlock(&w->mutex);
}

enum store_status store_writer_commit(struct store_writer *w, struct error_text *e) {
  enum store_status status = STORE_OK;
  seal(w);
  while (!status && w->first)
    status = commit_first(w, e);
  return status ? status : store_measure_sketches(w->store, e);
}

/* Hands a full batch to the workers, so that reading continues. */
static enum store_status store_write_pass_on(struct store_writer *w, struct error_text *e) {
  if (!w->workers)
    start_workers(w);
  if (!w->workers)
    return store_writer_commit(w, e);
  seal(w);
  enum store_status status = STORE_OK;
  while (!status && w->sealed >= IN_FLIGHT)
    status = commit_first(w, e);
  return status;
}

/* Whether the store has this document with the same content. */
static int is_stored(struct store *s, const struct store_document *d, const uint64_t hash[2]) {
  MDB_txn *txn;
  struct store_collection_value collection;
  MDB_val v;
  int found = 0;
  if (mdb_txn_begin(s->env, NULL, MDB_RDONLY, &txn))
    return 0;
  if (store_get_sealed(txn, s->dbi[T_COLLECTIONS], d->collection, strlen(d->collection), &v) == 0 &&
      v.mv_size == sizeof collection) {
    memcpy(&collection, v.mv_data, sizeof collection);
    struct store_url_key key = store_url_key(collection.id, d->url);
    uint64_t id;
    if (store_get_sealed(txn, s->dbi[T_URLS], &key, sizeof key, &v) == 0 && v.mv_size == sizeof id) {
      memcpy(&id, v.mv_data, sizeof id);
      MDB_val k = {sizeof id, &id};
      struct store_document_view view;
      found = mdb_get(txn, s->dbi[T_DOCUMENTS], &k, &v) == 0 &&
              store_document_attach(&view, id, v.mv_data, v.mv_size) == 0 &&
              memcmp(view.head.hash, hash, sizeof view.head.hash) == 0 && slice_eq(view.url, d->url);
    }
  }
  mdb_txn_abort(txn);
  return found;
}

static int in_batch(const struct store_batch *b, const struct store_document *d) {
  for (size_t i = 0; b && b->passages && i < b->count; i++)
    if (!b->docs[i].unchanged && slice_eq(b->docs[i].url, d->url) &&
        strcmp(b->docs[i].collection, d->collection) == 0)
      return 1;
  return 0;
}

static int is_pending(const struct store_writer *w, const struct store_document *d) {
  int found = in_batch(w->open, d);
  for (const struct store_batch *b = w->first; b && !found; b = b->next)
    found = in_batch(b, d);
  return found;
}

static enum store_status check_document(const struct store_document *d, struct error_text *e) {
  size_t bytes = d->url.len + d->json.len, name = strlen(d->collection);
  for (size_t i = 0; i < d->count; i++)
    bytes += d->passages[i].text.len + d->passages[i].context.len + d->passages[i].chunk.len +
             d->passages[i].extra.len;
  if (d->count && d->count <= STORE_DOCUMENT_ROWS && bytes <= STORE_DOCUMENT_BYTES && name &&
      name <= STORE_NAME_MAX && d->dims && d->dims <= VECTOR_DIMS_MAX)
    return STORE_OK;
  error_set(e,
            "a document of %zu passages and %zu bytes, dimensions %u, collection name of %zu bytes: past the "
            "limits",
            d->count, bytes, d->dims, name);
  return STORE_LIMIT;
}

enum store_status store_writer_add(struct store_writer *w, const struct store_document *d,
                                   struct error_text *e) {
  uint64_t hash[2];
  enum store_status status = check_document(d, e);
  if (status)
    return status;
  if (d->hash)
    memcpy(hash, d->hash, sizeof hash);
  else
    store_document_hash(d, hash);
  int stored = is_stored(w->store, d, hash) && !is_pending(w, d);
  if (!stored && w->open && w->open->passages &&
      (strcmp(w->open->model, d->model) != 0 || w->open->dims != d->dims))
    status = store_write_pass_on(w, e);
  if (status)
    return status;
  if (w->open && !w->open->passages && !stored &&
      (strcmp(w->open->model, d->model) != 0 || w->open->dims != d->dims))
    status = store_writer_commit(w, e);
  if (status)
    return status;
  if (!w->open)
    w->open = store_batch_new(d->model, d->dims);
  if (stored)
    store_batch_add_unchanged(w->open, d);
  else
    store_batch_add(w->open, d, hash);
  need_dictionary(w, w->open, DICTIONARY_WANTED);
  if (w->open->passages >= w->limit || w->open->bytes >= BATCH_BYTES || w->open->count >= BATCH_PASSAGES)
    status = store_write_pass_on(w, e);
  return status;
}

/* ---- removes documents by a condition; renames collections ---- */

struct store_remove_doomed {
  uint64_t *ids;
  uint32_t *collections;
  size_t count;
};

static void doom(struct store_remove_doomed *d, const struct store_doc *doc) {
  d->ids = xgrow(d->ids, d->count, sizeof *d->ids);
  d->collections = xgrow(d->collections, d->count, sizeof *d->collections);
  d->ids[d->count] = doc->id;
  d->collections[d->count++] = doc->collection;
}

static int remove_all(struct store_change *c, const struct store_remove_doomed *d, uint64_t *documents,
                      uint64_t *passages) {
  int rc = 0;
  for (size_t i = 0; !rc && i < d->count; i++) {
    uint32_t rows = 0;
    rc = store_change_enter_collection_id(c, d->collections[i]);
    if (rc == MDB_NOTFOUND)
      rc = 0;
    if (!rc)
      rc = store_change_remove_document(c, d->ids[i], &rows);
    *documents += rc == 0;
    *passages += rows;
  }
  return rc;
}

/* Drops collections without documents. */
static int drop_empty_collections(struct store_change *c) {
  MDB_cursor *cursor;
  MDB_val k, v;
  int rc = store_change_flush_collection(c);
  c->name[0] = '\0';
  if (rc || (rc = mdb_cursor_open(c->txn, c->store->dbi[T_COLLECTIONS], &cursor)))
    return rc;
  while (!rc && mdb_cursor_get(cursor, &k, &v, MDB_NEXT) == 0) {
    struct store_collection_value value;
    if ((rc = store_unseal(&k, &v)) || v.mv_size != sizeof value) {
      rc = MDB_CORRUPTED;
      break;
    }
    memcpy(&value, v.mv_data, sizeof value);
    if (value.documents == 0)
      rc = mdb_cursor_del(cursor, 0);
  }
  mdb_cursor_close(cursor);
  return rc;
}

/* Dooms a live document that is to be removed. */
static int doom_where_meant(struct store_change *c, const struct store_removal *which,
                            const struct store_segment *seg, uint32_t doc, struct store_remove_doomed *d) {
  const uint64_t *id = &seg->doc[doc].id;
  struct store_document_view view;
  MDB_val v;
  if (!which->takes(which->arg, seg, doc))
    return 0;
  if (which->has_url) {
    int rc = store_change_get_raw(c, T_DOCUMENTS, id, sizeof *id, &v);
    if (rc || store_document_attach(&view, *id, v.mv_data, v.mv_size))
      return rc && rc != MDB_NOTFOUND ? rc : MDB_CORRUPTED;
    if (!which->has_url(which->arg, view.url))
      return 0;
  }
  doom(d, &seg->doc[doc]);
  return 0;
}

static int doom_all(struct store_change *c, const struct store_removal *which,
                    struct store_remove_doomed *d) {
  int rc = 0;
  for (size_t i = 0; !rc && i < c->count; i++) {
    struct store_segment seg;
    struct store_terms terms;
    if ((rc = store_change_attach(c, i, &seg, &terms, 0)) != 0 || (rc = store_change_load_dead(c, i)) != 0)
      break;
    seg.dead_docs = c->dead[i];
    for (uint32_t k = 0; !rc && k < seg.docs; k++)
      if (!store_segment_doc_is_dead(&seg, k))
        rc = doom_where_meant(c, which, &seg, k, d);
  }
  return rc;
}

enum store_status store_remove(struct store *s, const struct store_removal *which, uint64_t *documents,
                               uint64_t *passages, struct error_text *e) {
  struct store_change c;
  struct store_remove_doomed d = {0};
  *documents = *passages = 0;
  enum store_status status = store_change_begin(&c, s, (size_t)16 << 20, e);
  if (status)
    return status;
  int rc = doom_all(&c, which, &d);
  if (!rc)
    rc = remove_all(&c, &d, documents, passages);
  if (!rc)
    rc = drop_empty_collections(&c);
  free(d.ids);
  free(d.collections);
  status = store_change_end(&c, rc, e);
  return status || *documents == 0 ? status : store_merge(s, 0, e);
}

enum store_status store_mark(struct store *s, const char *name, struct store_mark *m, struct error_text *e) {
  struct store_snapshot *snap;
  const struct store_segment *seg;
  *m = (struct store_mark){0};
  enum store_status status = store_snapshot_begin(s, &snap, e);
  if (status)
    return status;
  const struct store_collection *c = store_collection(snap, name);
  size_t n = c ? store_segments(snap, &seg) : 0;
  for (size_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < seg[i].docs; k++)
      if (seg[i].doc[k].collection == c->id && seg[i].doc[k].id > m->last)
        m->last = seg[i].doc[k].id;
  m->documents = c ? c->documents : 0;
  store_snapshot_end(snap);
  return STORE_OK;
}

static int is_of_collection(void *arg, const struct store_segment *seg, uint32_t doc) {
  return seg->doc[doc].collection == *(const uint32_t *)arg;
}

enum store_status store_rename(struct store *s, const char *from, const char *to, const struct store_mark *m,
                               struct error_text *e) {
  struct store_change c;
  struct store_collection_value old = {0}, moved;
  struct store_remove_doomed d = {0};
  uint64_t documents = 0, passages = 0, newest = 0;
  MDB_val v;
  enum store_status status = store_change_begin(&c, s, (size_t)16 << 20, e);
  if (status)
    return status;
  int rc = store_change_enter_collection(&c, from, 0);
  moved = c.collection;
  if (!rc && store_change_get(&c, T_COLLECTIONS, to, strlen(to), &v) == 0 && v.mv_size == sizeof old)
    memcpy(&old, v.mv_data, sizeof old);
  if (!rc && old.id)
    rc = doom_all(&c, &(struct store_removal){.takes = is_of_collection, .arg = &old.id}, &d);
  for (size_t i = 0; i < d.count; i++)
    newest = d.ids[i] > newest ? d.ids[i] : newest;
  int changed = m && (rc == MDB_NOTFOUND || (!rc && (d.count != m->documents || newest > m->last)));
  if (!rc && !changed)
    rc = remove_all(&c, &d, &documents, &passages);
  c.name[0] = '\0';
  if (!rc && !changed)
    rc = store_change_drop(&c, T_COLLECTIONS, from, strlen(from));
  if (!rc && !changed)
    rc = store_change_put(&c, T_COLLECTIONS, to, strlen(to), &moved, sizeof moved);
  free(d.ids);
  free(d.collections);
  status = store_change_end(&c, changed ? EAGAIN : rc, e);
  if (!changed)
    return status;
  error_set(e, "%s: another process changed it meanwhile, so it stays as it was; try again", to);
  return STORE_BUSY;
}
