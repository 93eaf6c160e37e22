/* store_subset.c: which documents the options of a command select, by collection, company and URL; documents that expire. */
#include "store/store_subset.h"
#include "base/clock.h"
#include "record/json.h"
#include "store/indexer.h"
#include "store/store_format.h"
#include "text/terms.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* A subset resolved in one store. */
struct subset_ids {
  const struct store_subset *sel;
  uint32_t *collections, *companies;
  size_t collection_count, company_count;
};

int store_subset_has(const struct store_subset *sel, const char *collection) {
  for (size_t i = 0; i < sel->collections.count; i++)
    if (fnmatch(sel->collections.items[i], collection, 0) == 0)
      return 1;
  return sel->collections.count == 0;
}

size_t store_subset_ids(const struct store_subset *sel, const struct store_snapshot *snap, uint32_t **ids) {
  const struct store_collection *c;
  size_t n = store_collections(snap, &c), count = 0;
  *ids = xcalloc(n + 1, sizeof **ids);
  for (size_t i = 0; i < n; i++)
    if (store_subset_has(sel, c[i].name))
      (*ids)[count++] = c[i].id;
  return count;
}

int store_subset_is_company(const struct store_company *c, const char *want) {
  const char *cik = c->cik + strspn(c->cik, "0");
  return *want && (strcasecmp(want, c->ticker) == 0 || strcasecmp(want, c->name) == 0 ||
                   (*cik && strcmp(want + strspn(want, "0"), cik) == 0));
}

static int subset_names_company(const struct store_subset *sel, const struct store_company *c) {
  for (size_t i = 0; i < sel->companies.count; i++)
    if (store_subset_is_company(c, sel->companies.items[i]))
      return 1;
  return 0;
}

static enum store_status subset_ids_find(struct store *s, struct subset_ids *ids, struct error_text *e) {
  struct store_snapshot *snap;
  const struct store_company *company;
  enum store_status status = store_snapshot_begin(s, &snap, e);
  if (status)
    return status;
  size_t n = store_companies(snap, &company);
  ids->collection_count = store_subset_ids(ids->sel, snap, &ids->collections);
  ids->companies = xcalloc(n + 1, sizeof *ids->companies);
  for (size_t i = 1; i < n; i++)
    if (subset_names_company(ids->sel, &company[i]))
      ids->companies[ids->company_count++] = (uint32_t)i;
  status = store_snapshot_check(snap, e);
  store_snapshot_end(snap);
  return status;
}

static int subset_ids_take(void *arg, const struct store_segment *seg, uint32_t doc) {
  const struct subset_ids *ids = arg;
  const struct option_list *urls = &ids->sel->urls;
  const struct store_doc *d = &seg->doc[doc];
  int url = urls->count == 0;
  for (size_t i = 0; i < urls->count; i++)
    url |= terms_hash(slice_str(urls->items[i])) == d->url_hash;
  return url && store_list_has(ids->collections, ids->collection_count, d->collection) &&
         (ids->sel->companies.count == 0 || store_list_has(ids->companies, ids->company_count, d->company));
}

static int subset_has_url(void *arg, struct slice url) {
  const struct subset_ids *ids = arg;
  for (size_t i = 0; i < ids->sel->urls.count; i++)
    if (slice_is(url, ids->sel->urls.items[i]))
      return 1;
  return 0;
}

enum store_status store_subset_remove(struct store *s, const struct store_subset *sel, uint64_t *documents,
                                      uint64_t *passages, struct error_text *e) {
  struct subset_ids ids = {.sel = sel};
  enum store_status status = subset_ids_find(s, &ids, e);
  struct store_removal which = {subset_ids_take, sel->urls.count ? subset_has_url : NULL, &ids};
  if (!status)
    status = store_remove(s, &which, documents, passages, e);
  free(ids.collections);
  free(ids.companies);
  return status;
}

/* ---- removes documents by age, by the rule of bid-index --expire ---- */

struct store_expiry {
  char *glob;
  int64_t before;
  uint32_t *ids; /* matching collections */
  size_t count;
};

static int store_expiry_parse(struct store_expiry *x, const char *rule) {
  const char *colon = strrchr(rule, ':'), *when = rule;
  int64_t t;
  memset(x, 0, sizeof *x);
  if (clock_when(rule, &t) && colon) {
    x->glob = xstrndup(rule, (size_t)(colon - rule));
    when = colon + 1;
  }
  return clock_when(when, &x->before);
}

static int store_expiry_takes(void *arg, const struct store_segment *seg, uint32_t doc) {
  const struct store_expiry *x = arg;
  const struct store_doc *d = &seg->doc[doc];
  int64_t when = d->filed != STORE_NO_DAY ? (int64_t)d->filed * 86400 : d->captured;
  int named = 0;
  for (size_t i = 0; i < x->count; i++)
    named |= x->ids[i] == d->collection;
  return named && when != STORE_NO_TIME && when < x->before;
}

static enum store_status store_expiry_collections(struct store *s, struct store_expiry *ex,
                                                  struct error_text *e) {
  struct store_snapshot *snap;
  struct store_subset subset = {
      .collections = {.items = (const char **)&ex->glob, .count = ex->glob != NULL}};
  enum store_status status = store_snapshot_begin(s, &snap, e);
  if (status)
    return status;
  ex->count = store_subset_ids(&subset, snap, &ex->ids);
  store_snapshot_end(snap);
  return STORE_OK;
}

int store_expiry_check(const char *rule) {
  struct store_expiry ex;
  int status = store_expiry_parse(&ex, rule) ? -1 : 0;
  free(ex.glob);
  return status;
}

void store_expiry_run(struct program *p, struct store *s, const char *rule) {
  struct store_expiry ex;
  struct error_text e;
  uint64_t documents = 0, passages = 0;
  store_expiry_parse(&ex, rule);
  enum store_status status = store_expiry_collections(s, &ex, &e);
  if (!status)
    status = store_remove(s, &(struct store_removal){.takes = store_expiry_takes, .arg = &ex}, &documents,
                          &passages, &e);
  if (status)
    indexer_fault(p, status, &e);
  else if (documents) {
    struct buf *out = &p->out.buf;
    buf_add_char(out, '{');
    json_cstr(out, "expired", rule);
    json_uint(out, "documents", documents);
    json_uint(out, "removed", passages);
    buf_add(out, "}\n", 2);
  }
  free(ex.ids);
  free(ex.glob);
}
