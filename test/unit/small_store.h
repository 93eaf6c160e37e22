/* small_store.h: a store of a few documents of one passage each, for the tests of ranking. */
#ifndef BID_SMALL_STORE_H
#define BID_SMALL_STORE_H

#include "store/store.h"

#include "test.h"

#define DIMS 64

static struct store *store;
static struct store_snapshot *snap;
static struct store_writer *writer;
static struct error_text e;

static void small_store_receipt(void *arg, const struct store_receipt *r) {
  (void)arg;
  CHECK_INT(r->status, STORE_OK);
}

static void small_store_begin(const char *path) {
  struct store_options o = {.path = path, .write = 1, .create = 1, .wait = 1};
  CHECK_INT(store_open(&store, &o, &e), STORE_OK);
  writer = store_writer_new(store, 0, small_store_receipt, NULL);
}

/* Document number i; vector: DIMS floats. */
static void small_store_add(size_t i, const char *collection, const char *model, const char *json,
                            const char *context, const char *text, const float *vector) {
  char url[64], id[40];
  snprintf(url, sizeof url, "https://example.org/%zu", i);
  snprintf(id, sizeof id, "%032zx", i + 1);
  struct store_passage p = {.id = slice_str(id),
                            .text = slice_str(text),
                            .context = slice_str(context),
                            .chunk = slice_str("{\"index\":0}"),
                            .vector = vector};
  struct store_document d = {.collection = collection,
                             .model = model,
                             .dims = DIMS,
                             .url = slice_str(url),
                             .json = slice_str(json),
                             .passages = &p,
                             .count = 1};
  CHECK_INT(store_writer_add(writer, &d, &e), STORE_OK);
}

/* Writes what was added, and opens a snapshot of it. */
static void small_store_end(void) {
  CHECK_INT(store_writer_commit(writer, &e), STORE_OK);
  store_writer_free(writer);
  CHECK_INT(store_snapshot_begin(store, &snap, &e), STORE_OK);
}

#endif
