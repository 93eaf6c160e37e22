/* store_remove.c: removes documents by a condition; renames collections. */
#include "store/store_change.h"

#include <errno.h>
#include <stdlib.h>

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

enum store_status store_remove(struct store *s, const struct store_removal *which, uint64_t *documents,
                               uint64_t *passages, struct error_text *e) {
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
      for (uint32_t k = 0; !rc && k < seg.docs; k++)
        if (!(c.dead[i][k / 64] >> (k % 64) & 1))
          rc = doom_where_meant(&c, which, &seg, k, &d);
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

/* Dooms all documents of a collection.  *newest gets the highest id. */
static int doom_collection(struct store_change *c, uint32_t collection, struct store_remove_doomed *d,
                           uint64_t *newest) {
  int rc = 0;
  for (size_t i = 0; !rc && i < c->count; i++) {
    struct store_segment seg;
    struct store_terms terms;
    if ((rc = store_change_attach(c, i, &seg, &terms, 0)) != 0 || (rc = store_change_load_dead(c, i)) != 0)
      break;
    for (uint32_t k = 0; k < seg.docs; k++)
      if (!(c->dead[i][k / 64] >> (k % 64) & 1) && seg.doc[k].collection == collection) {
        doom(d, &seg.doc[k]);
        *newest = seg.doc[k].id > *newest ? seg.doc[k].id : *newest;
      }
  }
  return rc;
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
    rc = doom_collection(&c, old.id, &d, &newest);
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
