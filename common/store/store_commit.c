#include "store/store_commit.h"
#include "store/store_change.h"

#include <stdlib.h>

/* The vectors don't fit the collection's or the store's: the document is stored as removed. */
static void refuse_model(struct store_change *c, const struct store_batch_doc *d, struct store_receipt *r) {
  c->own_dead[d->seg_doc / 64] |= (uint64_t)1 << (d->seg_doc % 64);
  r->status = STORE_MODEL;
}

/* Removes the current collection's document with this URL; *rows: number of its passages, or 0. */
static int remove_old(struct store_change *c, const struct store_url_key *key, uint32_t *rows) {
  MDB_val v;
  uint64_t old;
  int rc = store_change_get(c, T_URLS, key, sizeof *key, &v);
  if (rc)
    return rc == MDB_NOTFOUND ? 0 : rc;
  if (v.mv_size != sizeof old)
    return MDB_CORRUPTED;
  memcpy(&old, v.mv_data, sizeof old);
  return store_change_remove_document(c, old, rows);
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
  if ((rc = remove_old(c, &key, &old)) || (rc = put_values(c, column, d, &key)))
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

enum store_status store_commit_batch(struct store *s, struct store_batch *b, struct store_receipt *receipts,
                                     int *again, struct error_text *e) {
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
