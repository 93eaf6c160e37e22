/* store_write.c: the writer, which analyzes and commits batches of documents.
 *
 * A batch is analyzed (in a thread of its own where several are in progress) and committed in one transaction:
 * document values, the segment, the marks of replaced documents, the counts.  If the process is killed, the store is
 * in the state before or after it.
 */
#include "store/store_analyze.h"
#include "store/store_change.h"
#include "store/store_commit.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

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

size_t store_writer_pending(const struct store_writer *w) {
  size_t n = w->open ? w->open->passages : 0;
  for (const struct store_batch *b = w->first; b; b = b->next)
    n += b->passages;
  return n;
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
