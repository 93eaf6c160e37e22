/* store_select.c: the rows of a segment that pass a filter. */
#include "store/store_format.h"

#include <stdlib.h>

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
