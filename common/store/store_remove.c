/* store_remove.c: removes documents by a condition; renames collections. */
#include "store/store_change.h"

#include <stdlib.h>

struct store_remove_doomed {
  uint64_t *ids;
  uint32_t *collections;
  size_t count;
};

static void doom(struct store_remove_doomed *d, const struct store_doc *doc) {
  if ((d->count & (d->count - 1)) == 0) {
    d->ids = xreallocarray(d->ids, d->count ? 2 * d->count : 1, sizeof *d->ids);
    d->collections = xreallocarray(d->collections, d->count ? 2 * d->count : 1, sizeof *d->collections);
  }
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

enum store_status store_remove(struct store *s,
                               int (*which)(void *arg, const struct store_segment *seg, uint32_t doc),
                               void *arg, uint64_t *documents, uint64_t *passages, struct error_text *e) {
  struct store_change c;
  struct store_remove_doomed d = {0};
  *documents = *passages = 0;
  enum store_status status = store_change_begin(&c, s, (size_t)16 << 20, e);
  if (status)
    return status;
  int rc = 0;
  for (size_t i = 0; !rc && i < c.count; i++) {
    struct store_segment seg;
    struct store_terms terms;
    if ((rc = store_change_attach(&c, i, &seg, &terms, 0)) == 0 &&
        (rc = store_change_load_dead(&c, i)) == 0) {
      seg.dead_docs = c.dead[i];
      for (uint32_t k = 0; k < seg.docs; k++)
        if (!(c.dead[i][k / 64] >> (k % 64) & 1) && which(arg, &seg, k))
          doom(&d, &seg.doc[k]);
    }
  }
  if (!rc)
    rc = remove_all(&c, &d, documents, passages);
  if (!rc)
    rc = drop_empty_collections(&c);
  free(d.ids);
  free(d.collections);
  status = store_change_end(&c, rc, e);
  return status || *documents == 0 ? status : store_merge(s, 0, e);
}

enum store_status store_rename(struct store *s, const char *from, const char *to, struct error_text *e) {
  struct store_change c;
  struct store_collection_value old = {0}, moved;
  MDB_val v;
  enum store_status status = store_change_begin(&c, s, (size_t)16 << 20, e);
  if (status)
    return status;
  int rc = store_change_enter_collection(&c, from, 0);
  moved = c.collection;
  if (!rc && store_change_get(&c, T_COLLECTIONS, to, strlen(to), &v) == 0 && v.mv_size == sizeof old)
    memcpy(&old, v.mv_data, sizeof old);
  struct store_remove_doomed d = {0};
  for (size_t i = 0; !rc && old.id && i < c.count; i++) {
    struct store_segment seg;
    struct store_terms terms;
    if ((rc = store_change_attach(&c, i, &seg, &terms, 0)) == 0 && (rc = store_change_load_dead(&c, i)) == 0)
      for (uint32_t k = 0; k < seg.docs; k++)
        if (!(c.dead[i][k / 64] >> (k % 64) & 1) && seg.doc[k].collection == old.id)
          doom(&d, &seg.doc[k]);
  }
  uint64_t documents = 0, passages = 0;
  if (!rc)
    rc = remove_all(&c, &d, &documents, &passages);
  c.name[0] = '\0';
  if (!rc)
    rc = store_change_drop(&c, T_COLLECTIONS, from, strlen(from));
  if (!rc)
    rc = store_change_put(&c, T_COLLECTIONS, to, strlen(to), &moved, sizeof moved);
  free(d.ids);
  free(d.collections);
  return store_change_end(&c, rc, e);
}
