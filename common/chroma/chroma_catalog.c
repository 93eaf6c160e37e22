#include "chroma/chroma_catalog.h"

#include "base/hash.h"
#include "chroma/chroma_row.h"
#include "record/json_validate.h"

#include <stdio.h>
#include <stdlib.h>

#define DOCUMENTS_A_REQUEST 1000

/* Adds a row's document, where the row is complete and valid. */
static void add_known(struct chroma_catalog *all, size_t collection, const struct chroma_row *row,
                      struct buf *scratch) {
  struct chroma_place place;
  size_t at;
  const char *why;
  if (chroma_row_place(row, &place) != 0)
    return;
  struct chroma_known k = {.collection = collection};
  struct slice text = json_text(row->id, scratch);
  if (!chroma_row_is_id(text))
    return;
  memcpy(k.id, text.data, 32);
  text = json_text(json_get(row->metadata, "bid_document"), scratch);
  if (json_kind(text) != '{' || json_validate(text.data, text.len, &at, &why) != 0)
    return;
  k.json = xstrndup(text.data, text.len);
  text = json_text(json_get(row->metadata, "sourceUrl"), scratch);
  k.url = xstrndup(text.len ? text.data : "", text.len);
  k.url_hash = hash_bytes(text.data, text.len);
  if (all->count == all->cap) {
    all->cap = all->cap ? all->cap * 2 : 256;
    all->list = xreallocarray(all->list, all->cap, sizeof *all->list);
  }
  all->list[all->count++] = k;
}

/* Reads one page of a collection's documents; *got: number of rows. */
static enum store_status read_page(struct chroma *c, struct chroma_catalog *all, size_t collection,
                                   size_t offset, size_t *got, struct error_text *e) {
  struct chroma_call call;
  struct chroma_rows rows;
  struct chroma_row row;
  struct buf scratch;
  buf_init(&scratch, (size_t)64 << 20);
  chroma_call_init(&call, "POST");
  buf_printf(&call.path, "/collections/%s/get", all->collections.list[collection].id);
  buf_printf(&call.body,
             "{\"include\":[\"metadatas\"],\"where\":{\"bid_row\":0},\"limit\":%d,\"offset\":%zu}",
             DOCUMENTS_A_REQUEST, offset);
  enum store_status status = chroma_perform(c, &call, 1, e);
  *got = 0;
  if (!status)
    for (chroma_rows_begin(&rows, buf_slice(&call.response.body)); chroma_rows_next(&rows, &row); ++*got)
      add_known(all, collection, &row, &scratch);
  chroma_call_release(&call);
  buf_release(&scratch);
  return status;
}

static int known_order(const void *a, const void *b) {
  const struct chroma_known *x = a, *y = b;
  if (x->url_hash != y->url_hash)
    return x->url_hash < y->url_hash ? -1 : 1;
  return (x->collection > y->collection) - (x->collection < y->collection);
}

enum store_status chroma_catalog_read(struct chroma *c, struct chroma_catalog *all, struct error_text *e) {
  memset(all, 0, sizeof *all);
  enum store_status status = chroma_list(c, &all->collections, e);
  for (size_t i = 0; i < all->collections.count && !status; i++) {
    const struct chroma_collection *from = &all->collections.list[i];
    size_t got = from->dims && from->model[0] ? DOCUMENTS_A_REQUEST : 0;
    for (size_t at = 0; got == DOCUMENTS_A_REQUEST && !status; at += got)
      status = read_page(c, all, i, at, &got, e);
  }
  if (all->count)
    qsort(all->list, all->count, sizeof *all->list, known_order);
  return status;
}

void chroma_catalog_release(struct chroma_catalog *all) {
  for (size_t i = 0; i < all->count; i++) {
    free(all->list[i].url);
    free(all->list[i].json);
  }
  free(all->list);
  chroma_collections_release(&all->collections);
}

const struct chroma_known *chroma_catalog_find(const struct chroma_catalog *all, struct slice url,
                                               const char *collection) {
  uint64_t url_hash = hash_bytes(url.data, url.len);
  size_t from = 0, to = all->count;
  while (from < to) {
    size_t middle = from + (to - from) / 2;
    if (all->list[middle].url_hash < url_hash)
      from = middle + 1;
    else
      to = middle;
  }
  for (; from < all->count && all->list[from].url_hash == url_hash; from++)
    if (slice_is(url, all->list[from].url) &&
        strcmp(all->collections.list[all->list[from].collection].name, collection) == 0)
      return &all->list[from];
  return NULL;
}
