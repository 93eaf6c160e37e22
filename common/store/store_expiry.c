/* store_expiry.c: removes documents by age, by the rule of bid-index --expire. */
#include "base/clock.h"
#include "record/json.h"
#include "store/indexer.h"
#include "store/store_format.h"
#include "store/store_subset.h"

#include <stdlib.h>
#include <string.h>

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
