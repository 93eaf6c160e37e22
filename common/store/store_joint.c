/* store_joint.c: one snapshot over several stores, searched like a single store.
 *
 * The numbers in a segment that are specific to its store (documents, collections, companies, forms, items) are
 * renumbered over all stores: the segment's table of documents and its column of items are copied with new numbers,
 * and everything else stays mapped.  The upper bits of a document's id tell which store contains it, so that store.c
 * finds its text.  Of a document in several stores, all but the one that merging would keep (store_absorb.c) are
 * marked as removed; frequencies count live rows, so the statistics equal those of the merged store.
 */
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
