/* store_joint.c: several stores as one: a snapshot over them, searched like a single store; and one copied into another.
 *
 * The numbers in a segment that are specific to its store (documents, collections, companies, forms, items) are
 * renumbered over all stores: the segment's table of documents and its column of items are copied with new numbers,
 * and everything else stays mapped.  The upper bits of a document's id tell which store contains it, so that store.c
 * finds its text.  Of a document in several stores, all but the one that merging would keep are
 * marked as removed; frequencies count live rows, so the statistics equal those of the merged store.
 */
#include "store/store_change.h"
#include "store/store_private.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>

/* Assigns numbers from 1 to strings in order of first use, by a tree of tsearch(3). */
struct joint_name {
  uint32_t number;
  char text[];
};

struct joint_names {
  void *tree;
  struct joint_name **list; /* [count], by number - 1 */
  uint32_t count;
};

static int joint_name_order(const void *a, const void *b) {
  return strcmp(((const struct joint_name *)a)->text, ((const struct joint_name *)b)->text);
}

static void joint_names_release(struct joint_names *n) {
  tdestroy(n->tree, free);
  free(n->list);
}

/* 0 for "". */
static uint32_t joint_number(struct joint_names *n, const char *text) {
  if (!*text)
    return 0;
  struct joint_name *fresh = xmalloc(sizeof *fresh + strlen(text) + 1);
  strcpy(fresh->text, text);
  struct joint_name **found = tsearch(fresh, &n->tree, joint_name_order);
  if (!found)
    diag_oom();
  if (*found != fresh) {
    free(fresh);
    return (*found)->number;
  }
  n->list = xgrow(n->list, n->count, sizeof(struct joint_name *));
  n->list[n->count++] = fresh;
  return fresh->number = n->count;
}

/* Maps one store's numbers to the joint ones. */
struct joint_map {
  uint32_t *companies, *collections, *forms, *items;
  size_t company_count, collection_count, form_count, item_count;
};

struct joining {
  struct store_snapshot *all;
  struct joint_names companies, collections, forms, items;
};

static uint32_t *map_strings(struct joint_names *n, const char *const *list, size_t count) {
  uint32_t *map = xcalloc(count + 1, sizeof *map);
  for (size_t i = 0; i < count; i++)
    map[i] = joint_number(n, list[i]);
  return map;
}

/* ---- companies ---- */

static void company_identity(char key[460], const struct store_company *c) {
  snprintf(key, 460, "%c%s",
           *c->cik      ? 'c'
           : *c->ticker ? 't'
                        : 'n',
           *c->cik      ? c->cik
           : *c->ticker ? c->ticker
                        : c->name);
  if (!key[1])
    key[0] = '\0';
}

static size_t company_bytes(const struct store_company *c) {
  return strlen(c->name) + strlen(c->ticker) + strlen(c->cik);
}

static struct store_company copy_company(const struct store_company *c) {
  return (struct store_company){xstrdup(c->name), xstrdup(c->ticker), xstrdup(c->cik)};
}

static void free_company(struct store_company *c) {
  free((void *)(uintptr_t)c->name);
  free((void *)(uintptr_t)c->ticker);
  free((void *)(uintptr_t)c->cik);
}

/* Keeps the longest value that any store has, as a single store does over its documents. */
static void joint_note_company(struct store_snapshot *all, uint32_t number, const struct store_company *c) {
  if (number >= all->company_count) {
    all->companies = xreallocarray(all->companies, number + (size_t)1, sizeof *all->companies);
    all->companies[all->company_count++] = copy_company(c);
    return;
  }
  struct store_company *known = &all->companies[number];
  if (company_bytes(c) <= company_bytes(known))
    return;
  free_company(known);
  *known = copy_company(c);
}

static void join_companies(struct joining *j, const struct store_snapshot *part, struct joint_map *map) {
  static const struct store_company nobody = {"", "", ""};
  const struct store_company *list;
  char key[460];
  map->company_count = store_companies(part, &list);
  map->companies = xcalloc(map->company_count + 1, sizeof *map->companies);
  if (j->all->company_count == 0)
    joint_note_company(j->all, 0, &nobody);
  for (size_t i = 1; i < map->company_count; i++) {
    company_identity(key, &list[i]);
    map->companies[i] = joint_number(&j->companies, key);
    if (map->companies[i])
      joint_note_company(j->all, map->companies[i], &list[i]);
  }
}

/* ---- collections ---- */

/* Counts live documents of all stores; the model is that of the store with most of them. */
static void joint_note_collection(struct store_snapshot *all, uint32_t id, const struct store_collection *c) {
  if (id > all->collection_all) {
    all->collections = xreallocarray(all->collections, id, sizeof *all->collections);
    all->collections[all->collection_all++] = *c;
    all->collections[id - 1].id = id;
    all->collections[id - 1].name = xstrdup(c->name);
    return;
  }
  struct store_collection *known = &all->collections[id - 1];
  if (c->passages > known->passages) {
    known->model = c->model;
    known->dims = c->dims;
  }
  known->documents += c->documents;
  known->passages += c->passages;
  known->updated = c->updated > known->updated ? c->updated : known->updated;
}

static void join_collections(struct joining *j, const struct store_snapshot *part, struct joint_map *map) {
  const struct store_collection *list;
  size_t count = store_collections(part, &list);
  for (size_t i = 0; i < count; i++)
    map->collection_count =
        list[i].id >= map->collection_count ? list[i].id + (size_t)1 : map->collection_count;
  map->collections = xcalloc(map->collection_count + 1, sizeof *map->collections);
  for (size_t i = 0; i < count; i++) {
    map->collections[list[i].id] = joint_number(&j->collections, list[i].name);
    joint_note_collection(j->all, map->collections[list[i].id], &list[i]);
  }
}

static int joint_by_name(const void *a, const void *b) {
  return strcmp(((const struct store_collection *)a)->name, ((const struct store_collection *)b)->name);
}

/* ---- segments ---- */

static uint32_t translated(const uint32_t *map, size_t count, uint32_t number) {
  return number < count ? map[number] : 0;
}

static uint64_t *copy_bits(const uint64_t *bits, size_t count) {
  uint64_t *copy = xcalloc(count / 64 + 1, sizeof *copy);
  memcpy(copy, bits, (count / 64 + 1) * sizeof *copy);
  return copy;
}

static void mark_dead(struct store_segment *seg, uint32_t doc) {
  const struct store_doc *d = &seg->doc[doc];
  uint64_t *dead = (uint64_t *)(uintptr_t)seg->dead_docs, *live = (uint64_t *)(uintptr_t)seg->live_bits;
  if (!dead) {
    seg->dead_docs = dead = xcalloc(seg->docs / 64 + (size_t)1, sizeof *dead);
    seg->live_bits = live = xmalloc((seg->rows / 64 + (size_t)1) * sizeof *live);
    memset(live, 255, (seg->rows / 64 + (size_t)1) * sizeof *live);
  }
  if (store_segment_doc_is_dead(seg, doc))
    return;
  dead[doc / 64] |= (uint64_t)1 << (doc % 64);
  seg->live_docs--;
  for (uint32_t r = d->first; r < store_segment_doc_end(seg, d); r++) {
    live[r / 64] &= ~((uint64_t)1 << (r % 64));
    seg->live_rows--;
    seg->live_length -= seg->length[r];
  }
}

/* A segment with joint numbers; the joint snapshot owns its copies of documents, items and bitmaps. */
static struct store_segment join_segment(const struct store_segment *from, size_t part, size_t number,
                                         const struct joint_map *map) {
  struct store_segment seg = *from;
  struct store_doc *docs = xcalloc(seg.docs + (size_t)1, sizeof *docs);
  uint16_t *items = xcalloc(seg.rows + (size_t)1, sizeof *items);
  for (uint32_t i = 0; i < seg.docs; i++) {
    docs[i] = from->doc[i];
    docs[i].id |= (uint64_t)part << JOINT_SHIFT;
    docs[i].company = translated(map->companies, map->company_count, from->doc[i].company);
    docs[i].collection = translated(map->collections, map->collection_count, from->doc[i].collection);
    docs[i].form = (uint16_t)translated(map->forms, map->form_count, from->doc[i].form);
  }
  for (uint32_t r = 0; r < seg.rows; r++)
    items[r] = (uint16_t)translated(map->items, map->item_count, from->item[r]);
  seg.id = (uint32_t)number + 1;
  seg.doc = docs;
  seg.item = items;
  seg.dead_docs = from->dead_docs ? copy_bits(from->dead_docs, seg.docs) : NULL;
  seg.live_bits = from->live_bits ? copy_bits(from->live_bits, seg.rows) : NULL;
  for (uint32_t i = 0; i < seg.docs; i++)
    if (docs[i].collection == 0) /* a collection in progress ("bid-store reembed") */
      mark_dead(&seg, i);
  return seg;
}

static void join_part(struct joining *j, size_t part) {
  struct store_snapshot *all = j->all, *of = all->parts[part];
  const char *const *list;
  struct joint_map map = {0};
  join_companies(j, of, &map);
  join_collections(j, of, &map);
  map.form_count = store_forms(of, &list);
  map.forms = map_strings(&j->forms, list, map.form_count);
  map.item_count = store_items(of, &list);
  map.items = map_strings(&j->items, list, map.item_count);
  all->segments = xreallocarray(all->segments, all->count + of->count + 1, sizeof *all->segments);
  for (size_t i = 0; i < of->count; i++, all->count++)
    all->segments[all->count] = join_segment(&of->segments[i], part, all->count, &map);
  free(map.companies);
  free(map.collections);
  free(map.forms);
  free(map.items);
}

/* ---- documents in several stores ---- */

struct joint_place {
  uint32_t seg, doc;
};

/* Documents by collection and URL: open addressing, an empty slot has seg + 1 == 0. */
struct joint_documents {
  struct joint_place *slots;
  size_t mask;
};

static uint64_t document_slot(const struct store_doc *d) {
  return (d->url_hash ^ d->collection * 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u >> 20;
}

static int is_same_document(const struct store_doc *a, const struct store_doc *b) {
  return a->url_hash == b->url_hash && a->collection == b->collection && (a->id ^ b->id) >> JOINT_SHIFT;
}

/* Which of two versions to drop: 1 the first, 0 the second.  -1: their URLs differ, or can't be read. */
static int first_goes(const struct store_snapshot *all, const struct store_doc *a,
                      const struct store_doc *b) {
  struct store_document_view x, y;
  struct error_text e;
  if (store_find_value(all, a->id, &x, &e) || store_find_value(all, b->id, &y, &e) || !slice_eq(x.url, y.url))
    return -1;
  if (memcmp(x.head.hash, y.head.hash, sizeof x.head.hash) == 0)
    return 0;
  return a->captured <= b->captured;
}

static void uncount(struct store_snapshot *all, const struct store_doc *d) {
  struct store_collection *c = &all->collections[d->collection - 1];
  c->documents -= c->documents > 0;
  c->passages -= c->passages < d->rows ? c->passages : d->rows;
}

/* Inserts a document, or decides between it and the version already there. */
static void place_document(struct store_snapshot *all, struct joint_documents *t, struct joint_place at) {
  struct store_segment *seg = &all->segments[at.seg];
  const struct store_doc *d = &seg->doc[at.doc];
  size_t i = document_slot(d) & t->mask;
  for (; t->slots[i].seg; i = (i + 1) & t->mask) {
    struct store_segment *other = &all->segments[t->slots[i].seg - 1];
    const struct store_doc *o = &other->doc[t->slots[i].doc];
    int goes = is_same_document(o, d) ? first_goes(all, o, d) : -1;
    if (goes < 0)
      continue;
    uncount(all, goes ? o : d);
    mark_dead(goes ? other : seg, goes ? t->slots[i].doc : at.doc);
    if (!goes)
      return;
    break;
  }
  t->slots[i] = (struct joint_place){at.seg + 1, at.doc};
}

static void drop_older(struct store_snapshot *all) {
  struct joint_documents t = {.mask = 63};
  size_t docs = 0;
  for (size_t s = 0; s < all->count; s++)
    docs += all->segments[s].live_docs;
  while (t.mask < 2 * docs)
    t.mask = 2 * t.mask + 1;
  t.slots = xcalloc(t.mask + 1, sizeof *t.slots);
  for (uint32_t s = 0; s < all->count; s++)
    for (uint32_t d = 0; d < all->segments[s].docs; d++)
      if (!store_segment_doc_is_dead(&all->segments[s], d))
        place_document(all, &t, (struct joint_place){s, d});
  free(t.slots);
}

/* ---- the snapshot ---- */

static void take_strings(struct store_string_list *to, struct joint_names *from) {
  to->count = from->count + (size_t)1;
  to->list = xcalloc(to->count, sizeof *to->list);
  for (size_t i = 0; i < to->count; i++)
    to->list[i] = xstrdup(i ? from->list[i - 1]->text : "");
}

static void join_all(struct store_snapshot *all) {
  struct joining j = {.all = all};
  for (size_t i = 0; i < all->part_count; i++)
    join_part(&j, i);
  take_strings(&all->forms, &j.forms);
  take_strings(&all->items, &j.items);
  drop_older(all);
  qsort(all->collections, all->collection_all, sizeof *all->collections, joint_by_name);
  all->collection_count = all->collection_all;
  all->strings_loaded = all->collections_loaded = all->companies_loaded = 1;
  joint_names_release(&j.companies);
  joint_names_release(&j.collections);
  joint_names_release(&j.forms);
  joint_names_release(&j.items);
}

enum store_status store_joint_begin(struct store *const *stores, size_t count, struct store_snapshot **out,
                                    struct error_text *e) {
  enum store_status status = STORE_OK;
  *out = NULL;
  if (count == 1)
    return store_snapshot_begin(stores[0], out, e);
  if (count > STORE_JOINT_MAX) {
    error_set(e, "%zu stores at once: %d is the most; merge some", count, STORE_JOINT_MAX);
    return STORE_LIMIT;
  }
  struct store_snapshot *all = xcalloc(1, sizeof *all);
  pthread_mutex_init(&all->mutex, NULL);
  all->parts = xcalloc(count + 1, sizeof(struct store_snapshot *));
  for (size_t i = 0; i < count && !status; i++) {
    status = store_snapshot_begin(stores[i], &all->parts[i], e);
    all->part_count += status == STORE_OK;
  }
  if (!status) {
    join_all(all);
    status = store_snapshot_check(all, e);
  }
  if (status)
    store_snapshot_end(all);
  else
    *out = all;
  return status;
}

/* ---- copies the contents of another store without indexing them again ----
 *
 * Segments are immutable, and the numbers in them that are specific to a store (documents, collections, companies,
 * forms, items) are confined to two columns.  So a segment is copied as it is, with these two columns translated and
 * their checksums recomputed.  A document's value is copied with its collection's new number.  Texts stay compressed
 * with their dictionary, which is copied under a number of its own (store_format.h).
 *
 * A segment and its documents are copied in one transaction: if the process is killed, some segments are copied
 * completely and the others not at all; repeating it continues, since documents already stored with the same content
 * are skipped.  Other writers may write between two segments.  Of two versions of a document (a URL in a collection)
 * the one captured later is kept; if captured at the same time, the one that comes last, as if it had been indexed
 * last. */

#define UNKNOWN UINT32_MAX /* not translated yet */

/* Maps numbers of the source store to those of the destination. */
struct translation {
  uint32_t *to;
  size_t count;
};

struct absorber {
  struct store *into;
  struct store_snapshot *from;
  struct store_absorbed *sum;
  struct translation companies, forms, items, dictionaries;
  const char **collections; /* names by number; NULL: none, or skipped */
  size_t collection_count;
  enum store_status status; /* of an error that doesn't come from LMDB; its message is in e */
  struct error_text e;
};

/* A segment being copied. */
struct taken {
  const struct store_segment *seg;
  struct store_doc *docs; /* [seg->docs] with their new numbers */
  uint16_t *items;        /* [seg->rows] */
  uint64_t *dead;         /* bitmap of docs that are skipped */
  struct store_segment_entry entry;
};

static struct translation translation_new(size_t count) {
  struct translation t = {xmalloc((count + 1) * sizeof *t.to), count};
  for (size_t i = 0; i <= count; i++)
    t.to[i] = UNKNOWN;
  t.to[0] = 0; /* "unknown" is 0 in every store */
  return t;
}

/* The translation slot of a number, or NULL where the source store doesn't have that number. */
static uint32_t *translation_of(struct translation *t, uint32_t number) {
  return number < t->count || number == 0 ? &t->to[number] : NULL;
}

static int refuse(struct absorber *x, enum store_status status) {
  x->status = status;
  return MDB_CORRUPTED; /* any error aborts the transaction */
}

/* ---- numbers ---- */

static int translate_company(struct absorber *x, struct store_change *c, uint32_t number, uint32_t *out) {
  const struct store_company *list;
  size_t count = store_companies(x->from, &list);
  uint32_t *known = translation_of(&x->companies, number);
  if (!known || (number && number >= count))
    return MDB_CORRUPTED;
  if (*known == UNKNOWN) {
    const char *parts[3] = {list[number].name, list[number].ticker, list[number].cik};
    int rc = store_change_company_number(c, parts, known);
    if (rc)
      return rc;
  }
  *out = *known;
  return 0;
}

static int translate_string(struct store_change *c, char kind, struct translation *t, const char *const *list,
                            uint16_t number, uint16_t *out) {
  uint32_t *known = translation_of(t, number);
  if (!known)
    return MDB_CORRUPTED;
  if (*known == UNKNOWN) {
    int rc = store_change_string_number(c, kind, list[number], known);
    if (rc)
      return rc;
  }
  *out = (uint16_t)*known;
  return 0;
}

/* ---- dictionaries ---- */

/* The number under which the destination has these bytes, or the first free one. */
static int find_dictionary(struct store_change *c, struct slice bytes, uint32_t *number, int *found) {
  struct slice v;
  char name[24];
  *found = 0;
  for (*number = 0; *number < STORE_DICTIONARIES_MAX; ++*number) {
    store_dictionary_name(*number, name);
    int rc = store_meta(c->store, c->txn, name, &v);
    if (rc)
      return rc;
    *found = v.len && slice_eq(v, bytes);
    if (*found || v.len == 0)
      return 0;
  }
  return 0;
}

/* A store with several dictionaries gets a new format version, since older versions of BID know only one. */
static int share_format(struct store_change *c) {
  struct slice v;
  struct store_format_head head;
  int rc = store_meta(c->store, c->txn, "format", &v);
  if (rc || v.len != sizeof head)
    return rc ? rc : MDB_CORRUPTED;
  memcpy(&head, v.data, sizeof head);
  head.version = STORE_FORMAT_SHARED;
  return store_put_meta(c->store, c->txn, "format", &head, sizeof head);
}

static int bring_dictionary(struct absorber *x, struct store_change *c, struct slice bytes,
                            uint32_t *number) {
  char name[24];
  int found, rc = find_dictionary(c, bytes, number, &found);
  if (rc || found)
    return rc;
  if (*number == STORE_DICTIONARIES_MAX) {
    error_set(&x->e, "%s: has %d dictionaries, and no room for another store's; dump and load it",
              c->store->path, STORE_DICTIONARIES_MAX);
    return refuse(x, STORE_LIMIT);
  }
  store_dictionary_name(*number, name);
  rc = store_put_meta(c->store, c->txn, name, bytes.data, bytes.len);
  return rc || *number == 0 ? rc : share_format(c);
}

static int translate_dictionary(struct absorber *x, struct store_change *c, uint32_t number, uint32_t *out) {
  struct slice v;
  char name[24];
  while (x->dictionaries.count <= number && number < STORE_DICTIONARIES_MAX) {
    x->dictionaries.to = xreallocarray(x->dictionaries.to, x->dictionaries.count + 1, sizeof(uint32_t));
    x->dictionaries.to[x->dictionaries.count++] = UNKNOWN;
  }
  if (number >= x->dictionaries.count)
    return MDB_CORRUPTED;
  uint32_t *known = &x->dictionaries.to[number];
  if (*known == UNKNOWN) {
    store_dictionary_name(number, name);
    int rc = store_meta(x->from->store, x->from->txn, name, &v);
    if (!rc && v.len == 0)
      rc = MDB_CORRUPTED;
    if (!rc)
      rc = bring_dictionary(x, c, v, known);
    if (rc)
      return rc;
  }
  *out = *known;
  return 0;
}

/* ---- documents ---- */

/* Selects the destination collection of the document. */
static int enter(struct absorber *x, struct store_change *c, const char *name,
                 const struct store_segment *seg) {
  uint32_t model, dims = (uint32_t)seg->vectors.dims;
  int rc = store_change_enter_collection(c, name, 1);
  if (!rc)
    rc = store_change_string_number(c, 'm', seg->model, &model);
  if (rc)
    return rc;
  if (c->collection.documents && c->collection.model != model) {
    error_set(&x->e, "%s: collection %s holds vectors of another model than %s, which %s has", c->store->path,
              name, seg->model, x->from->store->path);
    return refuse(x, STORE_MODEL);
  }
  c->collection.model = model;
  c->collection.dims = dims;
  return 0;
}

/* Copies a document's value under its new id. */
static int put_value(struct absorber *x, struct store_change *c, const struct store_doc *d,
                     const MDB_val *value) {
  struct store_document_head head;
  MDB_val k = {sizeof d->id, (void *)(uintptr_t)&d->id}, v = {value->mv_size, NULL};
  memcpy(&head, value->mv_data, sizeof head);
  if (head.packed & 1) {
    uint32_t number;
    int rc = translate_dictionary(x, c, head.packed >> 8, &number);
    if (rc)
      return rc;
    head.packed = 1 | number << 8;
  }
  int rc = mdb_put(c->txn, c->store->dbi[T_DOCUMENTS], &k, &v, MDB_RESERVE | MDB_APPEND);
  if (rc)
    return rc;
  head.collection = d->collection;
  memcpy(v.mv_data, value->mv_data, value->mv_size);
  memcpy(v.mv_data, &head, sizeof head);
  head.check = store_document_check(d->id, v.mv_data, v.mv_size);
  memcpy(v.mv_data, &head, sizeof head);
  return 0;
}

static int absorb_put(struct absorber *x, struct store_change *c, struct store_doc *d,
                      const struct store_url_key *key, const MDB_val *value) {
  const char *const *forms;
  store_forms(x->from, &forms);
  d->collection = c->collection.id;
  int rc = translate_company(x, c, d->company, &d->company);
  if (!rc)
    rc = translate_string(c, 'f', &x->forms, forms, d->form, &d->form);
  if (!rc)
    rc = put_value(x, c, d, value);
  if (!rc)
    rc = store_change_put(c, T_URLS, key, sizeof *key, &d->id, sizeof d->id);
  if (rc)
    return rc;
  c->collection.documents++;
  c->collection.passages += d->rows;
  x->sum->documents++;
  x->sum->passages += d->rows;
  return 0;
}

/* 1 where the document is skipped, since the destination has it or a newer one. */
static int is_passed_over(struct absorber *x, const struct store_version *old, const struct store_doc *d,
                          const uint64_t hash[2]) {
  if (old->id == 0)
    return 0;
  if (memcmp(old->hash, hash, sizeof old->hash) == 0) {
    x->sum->unchanged++;
    return 1;
  }
  x->sum->older += old->captured > d->captured;
  return old->captured > d->captured;
}

/* *stays: set where the document is copied. */
static int absorb_document(struct absorber *x, struct store_change *c, const struct store_segment *seg,
                           struct store_doc *d, uint64_t from_id, int *stays) {
  struct store_document_view view;
  struct store_version old;
  MDB_val k = {sizeof from_id, &from_id}, value;
  const char *name = d->collection < x->collection_count ? x->collections[d->collection] : NULL;
  *stays = 0;
  if (!name) /* a collection in progress ("bid-store reembed") */
    return 0;
  int rc = mdb_get(x->from->txn, x->from->store->dbi[T_DOCUMENTS], &k, &value);
  if (rc || store_document_attach(&view, from_id, value.mv_data, value.mv_size)) {
    store_damaged(&x->e, x->from->store, "a document's value");
    return refuse(x, STORE_CORRUPT);
  }
  if ((rc = enter(x, c, name, seg)))
    return rc;
  struct store_url_key key = store_url_key(c->collection.id, view.url);
  if ((rc = store_change_find_version(c, &key, &old)) || is_passed_over(x, &old, d, view.head.hash))
    return rc;
  uint32_t rows = 0;
  if (old.id && (rc = store_change_remove_document(c, old.id, &rows)))
    return rc;
  x->sum->replaced += old.id != 0;
  *stays = 1;
  return absorb_put(x, c, d, &key, &value);
}

/* ---- segments ---- */

static void count_live(struct taken *t, uint32_t i) {
  t->entry.live_docs++;
  t->entry.live_rows += t->docs[i].rows;
  t->entry.live_length += store_change_length_of(t->seg, &t->docs[i]);
}

static int absorb_documents(struct absorber *x, struct store_change *c, struct taken *t) {
  const struct store_segment *seg = t->seg;
  int rc = 0;
  for (uint32_t i = 0; !rc && i < seg->docs; i++) {
    struct store_doc *d = &t->docs[i];
    int stays = 0;
    *d = seg->doc[i];
    d->id = c->counters.next_doc++;
    if (!store_segment_doc_is_dead(seg, i))
      rc = absorb_document(x, c, seg, d, seg->doc[i].id, &stays);
    if (stays)
      count_live(t, i);
    else
      t->dead[i / 64] |= (uint64_t)1 << (i % 64);
  }
  return rc;
}

static int translate_items(struct absorber *x, struct store_change *c, struct taken *t) {
  const char *const *items;
  store_items(x->from, &items);
  for (uint32_t r = 0; r < t->seg->rows; r++) {
    int rc = translate_string(c, 'i', &x->items, items, t->seg->item[r], &t->items[r]);
    if (rc)
      return rc;
  }
  return 0;
}

static int put_copy(struct store_change *c, struct taken *t, const MDB_val *value) {
  struct store_segment_entry *entry = &t->entry;
  entry->id = c->counters.next_segment++;
  entry->first_doc = t->docs[0].id;
  entry->last_doc = t->docs[entry->docs - 1].id;
  MDB_val k = {sizeof entry->id, &entry->id}, v = {value->mv_size, NULL};
  int rc = mdb_put(c->txn, c->store->dbi[T_SEGMENTS], &k, &v, MDB_RESERVE | MDB_APPEND);
  if (rc)
    return rc;
  store_segment_copy(value->mv_data, value->mv_size, entry->id, t->docs, t->items, v.mv_data);
  uint64_t *dead = NULL;
  if (entry->live_docs < entry->docs) {
    dead = t->dead;
    t->dead = NULL;
  }
  store_change_insert_entry(c, c->count, entry, dead);
  return 0;
}

/* Total size of the documents' values. */
static size_t values_of(const struct absorber *x, const struct store_segment *seg) {
  size_t bytes = 0;
  for (uint32_t i = 0; i < seg->docs; i++) {
    uint64_t id = seg->doc[i].id;
    MDB_val k = {sizeof id, &id}, v;
    if (mdb_get(x->from->txn, x->from->store->dbi[T_DOCUMENTS], &k, &v) == 0)
      bytes += v.mv_size + 8192;
  }
  return bytes;
}

static int check_dims(struct absorber *x, struct store_change *c, const struct taken *t) {
  uint32_t ours, theirs = (uint32_t)t->seg->vectors.dims;
  int rc = store_change_model_dims(c, t->entry.model, &ours);
  if (rc || !ours || ours == theirs)
    return rc;
  error_set(&x->e, "%s: has vectors of %s with %u dimensions, %s with %u", c->store->path, t->seg->model,
            ours, x->from->store->path, theirs);
  return refuse(x, STORE_MODEL);
}

static int absorb_into(struct absorber *x, struct store_change *c, struct taken *t, const MDB_val *value) {
  int rc = store_change_string_number(c, 'm', t->seg->model, &t->entry.model);
  if (!rc)
    rc = check_dims(x, c, t);
  if (!rc)
    rc = absorb_documents(x, c, t);
  if (rc || t->entry.live_docs == 0)
    return rc;
  rc = translate_items(x, c, t);
  return rc ? rc : put_copy(c, t, value);
}

static enum store_status absorb_segment(struct absorber *x, const struct store_segment *seg,
                                        struct error_text *e) {
  struct store_change c;
  uint32_t id = seg->id;
  MDB_val k = {sizeof id, &id}, value;
  int rc = mdb_get(x->from->txn, x->from->store->dbi[T_SEGMENTS], &k, &value);
  if (rc || !store_segment_is_sound(seg, value.mv_data))
    return store_damaged(e, x->from->store, "a segment");
  enum store_status status = store_change_begin(&c, x->into, value.mv_size + values_of(x, seg), e);
  if (status)
    return status;
  struct taken t = {.seg = seg,
                    .docs = xcalloc(seg->docs + (size_t)1, sizeof *t.docs),
                    .items = xcalloc(seg->rows + (size_t)1, sizeof *t.items),
                    .dead = xcalloc(seg->docs / 64 + (size_t)1, sizeof *t.dead),
                    .entry = {.rows = seg->rows, .docs = seg->docs, .bytes = value.mv_size}};
  struct store_absorbed before = *x->sum;
  rc = absorb_into(x, &c, &t, &value);
  status = store_change_end(&c, rc, e);
  if (x->status) {
    status = x->status;
    *e = x->e;
  }
  if (status)
    *x->sum = before;
  free(t.docs);
  free(t.items);
  free(t.dead);
  return status;
}

/* ---- the store ---- */

/* Collections get consecutive numbers; a larger one is forged, and would allocate memory in proportion to it. */
#define COLLECTIONS_MAX (1u << 24)

static void name_collections(struct absorber *x) {
  const struct store_collection *list;
  size_t count = store_collections(x->from, &list), most = 0;
  for (size_t i = 0; i < count; i++)
    most = list[i].id > most && list[i].id < COLLECTIONS_MAX ? list[i].id : most;
  x->collections = xcalloc(most + 1, sizeof *x->collections);
  x->collection_count = most + 1;
  for (size_t i = 0; i < count; i++)
    if (list[i].id <= most)
      x->collections[list[i].id] = list[i].name;
}

static void absorber_init(struct absorber *x) {
  const struct store_company *companies;
  const char *const *list;
  x->companies = translation_new(store_companies(x->from, &companies));
  x->forms = translation_new(store_forms(x->from, &list));
  x->items = translation_new(store_items(x->from, &list));
  name_collections(x);
}

static void absorber_release(struct absorber *x) {
  free(x->companies.to);
  free(x->forms.to);
  free(x->items.to);
  free(x->dictionaries.to);
  free(x->collections);
}

/* Checked before anything is written: a collection in both stores must have one model. */
static enum store_status models_agree(const struct absorber *x, struct error_text *e) {
  struct store_snapshot *snap;
  const struct store_collection *list;
  enum store_status status = store_snapshot_begin(x->into, &snap, e);
  if (status)
    return status;
  size_t count = store_collections(x->from, &list);
  for (size_t i = 0; i < count && !status; i++) {
    const struct store_collection *ours = store_collection(snap, list[i].name);
    if (!ours || !ours->documents || !list[i].documents || strcmp(ours->model, list[i].model) == 0)
      continue;
    error_set(e, "%s: collection %s holds vectors of %s, in %s of %s; nothing was taken in", x->into->path,
              list[i].name, ours->model, x->from->store->path, list[i].model);
    status = STORE_MODEL;
  }
  store_snapshot_end(snap);
  return status;
}

enum store_status store_absorb(struct store *into, struct store *from, struct store_absorbed *sum,
                               struct error_text *e) {
  struct absorber x = {.into = into, .sum = sum};
  const struct store_segment *list;
  memset(sum, 0, sizeof *sum);
  enum store_status status = store_snapshot_begin(from, &x.from, e);
  if (status)
    return status;
  absorber_init(&x);
  status = store_snapshot_check(x.from, e);
  if (!status)
    status = models_agree(&x, e);
  size_t count = store_segments(x.from, &list);
  for (size_t i = 0; i < count && !status; i++)
    status = absorb_segment(&x, &list[i], e);
  absorber_release(&x);
  store_snapshot_end(x.from);
  return status;
}

enum store_status store_absorb_end(struct store *into, struct error_text *e) {
  enum store_status status = store_merge(into, 0, e);
  return status ? status : store_measure_sketches(into, e);
}
