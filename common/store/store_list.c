/* store_list.c: the lists of a snapshot: forms, items, models, collections, companies; documents that a filter selects. */
#include "store/store_format.h"
#include "store/store_private.h"

#include <stdlib.h>

int store_list_counters(const struct store_snapshot *snap, struct store_counters *out) {
  struct slice v;
  *out = (struct store_counters){.next_segment = 1, .next_company = 1};
  int rc = store_meta(snap->store, snap->txn, "counters", &v);
  if (!rc && v.len != sizeof *out)
    rc = MDB_CORRUPTED;
  if (!rc)
    memcpy(out, v.data, sizeof *out);
  return rc;
}

size_t store_list_largest(const struct store_snapshot *snap, enum store_table table) {
  MDB_stat st;
  return mdb_stat(snap->txn, snap->store->dbi[table], &st) ? 0 : st.ms_entries;
}

void store_list_free_strings(struct store_string_list *l) {
  for (size_t i = 0; i < l->count; i++)
    free((void *)(uintptr_t)l->list[i]);
  free(l->list);
}

void store_list_free_companies(struct store_snapshot *snap) {
  for (size_t i = 0; i < snap->company_count; i++) {
    free((void *)(uintptr_t)snap->companies[i].name);
    free((void *)(uintptr_t)snap->companies[i].ticker);
    free((void *)(uintptr_t)snap->companies[i].cik);
  }
  free(snap->companies);
}

static void set_string(struct store_string_list *l, uint32_t number, struct slice text) {
  while (l->count <= number) {
    l->list = xgrow(l->list, l->count, sizeof *l->list);
    l->list[l->count++] = NULL;
  }
  free((void *)(uintptr_t)l->list[number]);
  l->list[number] = xstrndup(text.data, text.len);
}

/* Numbers are consecutive from 1; `counter` names the entry with the next free one.  0, or an error; the list is
 * usable even then. */
static int fill_gaps(const struct store_snapshot *snap, struct store_string_list *l, const char *counter) {
  struct slice v;
  uint32_t next = 1;
  int rc = store_meta(snap->store, snap->txn, counter, &v);
  if (!rc && v.len == sizeof next)
    memcpy(&next, v.data, sizeof next);
  set_string(l, 0, slice_str(""));
  if (!rc && l->count < next)
    rc = MDB_CORRUPTED;
  for (size_t i = 0; i < l->count; i++)
    if (!l->list[i]) {
      l->list[i] = xstrdup("");
      rc = MDB_CORRUPTED;
    }
  return rc;
}

static int add_string(void *arg, struct slice key, struct slice value) {
  struct store_snapshot *snap = arg;
  uint32_t number;
  if (key.len == 0 || value.len != sizeof number)
    return MDB_CORRUPTED;
  struct store_string_list *l = key.data[0] == 'f'   ? &snap->forms
                                : key.data[0] == 'i' ? &snap->items
                                                     : &snap->models;
  memcpy(&number, value.data, sizeof number);
  if (number > store_list_largest(snap, T_STRINGS))
    return MDB_CORRUPTED;
  set_string(l, number, slice_of(key.data + 1, key.len - 1));
  return 0;
}

static int load_strings(struct store_snapshot *snap) {
  int rc = store_each_sealed(snap->store, snap->txn, T_STRINGS, add_string, snap);
  int forms = fill_gaps(snap, &snap->forms, "#f"), items = fill_gaps(snap, &snap->items, "#i"),
      models = fill_gaps(snap, &snap->models, "#m");
  return rc ? rc : forms ? forms : items ? items : models;
}

/* Runs `load` once.  Lists are a cache inside the snapshot, so they are loaded even for a const one. */
static struct store_snapshot *loaded(const struct store_snapshot *snap, int *flag,
                                     int (*load)(struct store_snapshot *)) {
  struct store_snapshot *own = (struct store_snapshot *)(uintptr_t)snap;
  pthread_mutex_lock(&own->mutex);
  int rc = *flag ? 0 : load(own);
  if (rc)
    atomic_store(&own->damaged, rc);
  *flag = 1;
  pthread_mutex_unlock(&own->mutex);
  return own;
}

struct store_snapshot *store_list_with_strings(const struct store_snapshot *snap) {
  return loaded(snap, (int *)(uintptr_t)&snap->strings_loaded, load_strings);
}

const char *store_list_model(const struct store_snapshot *snap, uint32_t number) {
  struct store_string_list *l = &store_list_with_strings(snap)->models;
  return number < l->count ? l->list[number] : "";
}

size_t store_forms(const struct store_snapshot *snap, const char *const **list) {
  struct store_string_list *l = &store_list_with_strings(snap)->forms;
  *list = l->list;
  return l->count;
}

size_t store_items(const struct store_snapshot *snap, const char *const **list) {
  struct store_string_list *l = &store_list_with_strings(snap)->items;
  *list = l->list;
  return l->count;
}

static int add_collection(void *arg, struct slice key, struct slice value) {
  struct store_snapshot *snap = arg;
  struct store_collection_value v;
  size_t n = snap->collection_all;
  if (value.len != sizeof v)
    return MDB_CORRUPTED;
  memcpy(&v, value.data, sizeof v);
  snap->collections = xgrow(snap->collections, n, sizeof *snap->collections);
  const char *model = v.model < snap->models.count ? snap->models.list[v.model] : "";
  snap->collections[snap->collection_all++] = (struct store_collection){
      v.id, xstrndup(key.data, key.len), model, v.dims, v.documents, v.passages, v.updated};
  return 0;
}

static int load_collections(struct store_snapshot *snap) {
  int rc = store_each_sealed(snap->store, snap->txn, T_COLLECTIONS, add_collection, snap);
  while (snap->collection_count < snap->collection_all &&
         snap->collections[snap->collection_count].name[0] != '~')
    snap->collection_count++; /* '~' sorts after all characters of collection names */
  return rc;
}

size_t store_collections(const struct store_snapshot *snap, const struct store_collection **list) {
  store_list_with_strings(snap);
  struct store_snapshot *own = loaded(snap, (int *)(uintptr_t)&snap->collections_loaded, load_collections);
  *list = own->collections;
  return own->collection_count;
}

const char *store_collection_name(const struct store_snapshot *snap, uint32_t id) {
  const struct store_collection *list;
  size_t n = store_collections(snap, &list);
  for (size_t i = 0; i < n; i++)
    if (list[i].id == id)
      return list[i].name;
  return "";
}

const struct store_collection *store_collection(const struct store_snapshot *snap, const char *name) {
  const struct store_collection *list;
  size_t low = 0, high = store_collections(snap, &list);
  if (name[0] == '~')
    high = snap->collection_all;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = strcmp(list[middle].name, name);
    if (order == 0)
      return &list[middle];
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

static void set_company(struct store_snapshot *snap, uint32_t number, const char *text, size_t len) {
  const char *part[3] = {text, text, text}, *end = text + len;
  for (int i = 1; i < 3; i++) {
    const char *zero = memchr(part[i - 1], 0, (size_t)(end - part[i - 1]));
    part[i] = zero ? zero + 1 : end;
  }
  while (snap->company_count <= number) {
    size_t n = snap->company_count;
    snap->companies = xgrow(snap->companies, n, sizeof *snap->companies);
    snap->companies[snap->company_count++] = (struct store_company){NULL, NULL, NULL};
  }
  if (snap->companies[number].name)
    return;
  snap->companies[number] =
      (struct store_company){xstrndup(part[0], strnlen(part[0], (size_t)(end - part[0]))),
                             xstrndup(part[1], strnlen(part[1], (size_t)(end - part[1]))),
                             xstrndup(part[2], strnlen(part[2], (size_t)(end - part[2])))};
}

static int add_company_entry(void *arg, struct slice key, struct slice value) {
  uint32_t number;
  (void)key;
  if (value.len < sizeof number)
    return MDB_CORRUPTED;
  memcpy(&number, value.data, sizeof number);
  if (number > store_list_largest(arg, T_COMPANIES))
    return MDB_CORRUPTED;
  set_company(arg, number, value.data + sizeof number, value.len - sizeof number);
  return 0;
}

static int load_companies(struct store_snapshot *snap) {
  int rc = store_each_sealed(snap->store, snap->txn, T_COMPANIES, add_company_entry, snap);
  struct store_counters counters;
  int missing = store_list_counters(snap, &counters);
  uint32_t last = (uint32_t)store_list_largest(snap, T_COMPANIES);
  set_company(snap, 0, "", 0);
  if (!missing && counters.next_company > (uint64_t)last + 1)
    missing = MDB_CORRUPTED;
  if (snap->company_count <= last) { /* segments refer to numbers up to this one */
    missing = missing ? missing : MDB_CORRUPTED;
    set_company(snap, last, "", 0);
  }
  for (size_t i = 0; i < snap->company_count; i++)
    if (!snap->companies[i].name) { /* numbers are consecutive from 1 */
      set_company(snap, (uint32_t)i, "", 0);
      missing = MDB_CORRUPTED;
    }
  return rc ? rc : missing;
}

size_t store_companies(const struct store_snapshot *snap, const struct store_company **list) {
  struct store_snapshot *own = loaded(snap, (int *)(uintptr_t)&snap->companies_loaded, load_companies);
  *list = own->companies;
  return own->company_count;
}

/* ---- the rows of a segment that pass a filter ---- */

static int has16(const uint16_t *list, size_t n, uint16_t v) {
  for (size_t i = 0; i < n; i++)
    if (list[i] == v)
      return 1;
  return 0;
}

static int has_year(const struct store_filter *f, int16_t v) {
  for (size_t i = 0; i < f->year_count; i++)
    if (f->years[i] == v)
      return 1;
  return 0;
}

static int dates_pass(const struct store_filter *f, const struct store_doc *d) {
  if ((f->since || f->until) && (d->filed == STORE_NO_DAY || d->filed < f->since || d->filed > f->until))
    return 0;
  return !f->as_of || (d->accepted != STORE_NO_TIME && d->accepted <= f->as_of);
}

/* A set of collections: a bitmap by id, since both may number thousands. */
struct id_set {
  uint64_t *bits;
  uint32_t max;
};

static struct id_set make_set(const uint32_t *ids, size_t count) {
  struct id_set s = {NULL, 0};
  for (size_t i = 0; i < count; i++)
    s.max = ids[i] > s.max ? ids[i] : s.max;
  if (count > 8) {
    s.bits = xcalloc(s.max / 64 + (size_t)1, sizeof *s.bits);
    for (size_t i = 0; i < count; i++)
      s.bits[ids[i] / 64] |= (uint64_t)1 << (ids[i] % 64);
  }
  return s;
}

static inline int in_set(const struct id_set *s, const uint32_t *ids, size_t count, uint32_t id) {
  if (!s->bits)
    return store_list_has(ids, count, id);
  return id <= s->max && (s->bits[id / 64] >> (id % 64) & 1);
}

struct sieve {
  const struct store_segment *seg;
  const struct store_filter *f;
  struct id_set collections, companies;
};

static int doc_passes(const struct sieve *s, uint32_t i) {
  const struct store_filter *f = s->f;
  const struct store_doc *d = &s->seg->doc[i];
  if (f->collection_count && !in_set(&s->collections, f->collections, f->collection_count, d->collection))
    return 0;
  if (f->company_count && !in_set(&s->companies, f->companies, f->company_count, d->company))
    return 0;
  if (f->form_count && !has16(f->forms, f->form_count, d->form))
    return 0;
  if (f->year_count && !has_year(f, d->fiscal_year))
    return 0;
  if (!dates_pass(f, d) || store_segment_doc_is_dead(s->seg, i))
    return 0;
  return !f->keep || f->keep(f->arg, s->seg, i);
}

static void set_run(uint64_t *bits, uint32_t from, uint32_t to) {
  for (uint32_t r = from; r < to; r++) {
    if (r % 64 == 0 && to - r >= 64) {
      bits[r / 64] = UINT64_MAX;
      r += 63;
    } else
      bits[r / 64] |= (uint64_t)1 << (r % 64);
  }
}

static void need_bits(struct store_selection *out, uint32_t rows) {
  if (out->bits)
    return;
  out->bits = xcalloc(rows / 64 + (size_t)1, sizeof *out->bits);
  set_run(out->bits, out->from, out->to);
}

/* Adds rows [from, to), which follow all rows added so far. */
static void select_run(struct store_selection *out, uint32_t rows, uint32_t from, uint32_t to) {
  if (from >= to || (out->count && from < out->to)) /* a damaged table of documents */
    return;
  if (out->count == 0)
    out->from = out->to = from;
  if (out->to != from)
    need_bits(out, rows);
  if (out->bits)
    set_run(out->bits, from, to);
  out->to = to;
  out->count += to - from;
}

/* bits: as returned by f->rows, or NULL. */
static void select_some(struct store_selection *out, const struct sieve *s, const struct store_doc *d,
                        const uint64_t *bits) {
  for (uint32_t r = d->first; r < store_segment_doc_end(s->seg, d); r++) {
    uint32_t i = r - d->first;
    if ((!s->f->item_count || has16(s->f->items, s->f->item_count, s->seg->item[r])) &&
        (!bits || (bits[i / 64] >> (i % 64) & 1)))
      select_run(out, s->seg->rows, r, r + 1);
  }
}

static int filter_is_open(const struct store_filter *f) {
  return !f || (!f->collection_count && !f->company_count && !f->form_count && !f->item_count &&
                !f->year_count && !f->since && !f->until && !f->as_of && !f->keep && !f->rows);
}

void store_select(const struct store_segment *seg, const struct store_filter *f,
                  struct store_selection *out) {
  static const struct store_filter open_filter;
  memset(out, 0, sizeof *out);
  if (filter_is_open(f) && !seg->dead_docs) {
    out->count = out->to = seg->rows;
    return;
  }
  f = f ? f : &open_filter;
  struct sieve s = {seg, f, make_set(f->collections, f->collection_count),
                    make_set(f->companies, f->company_count)};
  for (uint32_t i = 0; i < seg->docs; i++) {
    const struct store_doc *d = &seg->doc[i];
    if (!doc_passes(&s, i))
      continue;
    const uint64_t *bits = f->rows ? f->rows(f->arg, seg, i) : NULL;
    if (f->rows && !bits)
      continue;
    if (f->item_count || bits)
      select_some(out, &s, d, bits);
    else
      select_run(out, seg->rows, d->first, store_segment_doc_end(seg, d));
  }
  free(s.collections.bits);
  free(s.companies.bits);
}

void store_selection_release(struct store_selection *sel) {
  free(sel->bits);
  sel->bits = NULL;
}
