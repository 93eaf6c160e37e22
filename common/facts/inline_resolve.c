/* inline_resolve.c: gives the facts of an inline XBRL document their contexts and units, which may stand behind them. */
#include "facts/inline_reader.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

static int slice_order(struct slice a, struct slice b) {
  size_t n = a.len < b.len ? a.len : b.len;
  int order = n ? memcmp(a.data, b.data, n) : 0;
  return order ? order : (a.len > b.len) - (a.len < b.len);
}

static int context_order(const void *a, const void *b) {
  return slice_order(((const struct inline_context *)a)->id, ((const struct inline_context *)b)->id);
}

static int unit_order(const void *a, const void *b) {
  return slice_order(((const struct inline_unit *)a)->id, ((const struct inline_unit *)b)->id);
}

static int context_is_same(const struct inline_context *a, const struct inline_context *b) {
  return a->start == b->start && a->end == b->end && slice_eq(a->members, b->members) &&
         slice_eq(a->entity, b->entity);
}

/* The context of that id; NULL where there is none, or several that differ. */
static const struct inline_context *context_of(const struct inline_document *d, struct slice id) {
  struct inline_context key = {.id = id};
  const struct inline_context *end = d->contexts + d->context_count, *c, *other;
  c = bsearch(&key, d->contexts, d->context_count, sizeof key, context_order);
  for (other = c; other && other + 1 < end && slice_eq(other[1].id, id); other++)
    if (!context_is_same(other + 1, c))
      return NULL;
  for (other = c; other && other > d->contexts && slice_eq(other[-1].id, id); other--)
    if (!context_is_same(other - 1, c))
      return NULL;
  return c;
}

/* The unit of that id; empty where there is none, or several that differ. */
static struct slice unit_of(const struct inline_reader *r, struct slice id) {
  struct inline_unit key = {.id = id};
  const struct inline_unit *end = r->units + r->unit_count, *u, *other;
  u = bsearch(&key, r->units, r->unit_count, sizeof key, unit_order);
  for (other = u; other && other + 1 < end && slice_eq(other[1].id, id); other++)
    if (!slice_eq(other[1].text, u->text))
      return slice_of(NULL, 0);
  for (other = u; other && other > r->units && slice_eq(other[-1].id, id); other--)
    if (!slice_eq(other[-1].text, u->text))
      return slice_of(NULL, 0);
  return u ? u->text : slice_of(NULL, 0);
}

/* An identifier without the zeros that pad a CIK. */
static struct slice identifier(struct slice text) {
  while (text.len > 1 && text.data[0] == '0')
    text = slice_of(text.data + 1, text.len - 1);
  return text;
}

static int entity_is_own(const struct inline_document *d, const struct inline_context *c) {
  return !d->cik.len || !c->entity.len || slice_eq(identifier(c->entity), identifier(d->cik));
}

/* A fact while facts are compared. */
struct twin {
  struct inline_fact *fact;
  int place;
};

static int twin_order(const void *a, const void *b) {
  const struct inline_fact *x = ((const struct twin *)a)->fact, *y = ((const struct twin *)b)->fact;
  int order = slice_order(x->name, y->name);
  if (!order)
    order = (x->context > y->context) - (x->context < y->context);
  return order ? order : slice_order(x->unit, y->unit);
}

/* Whether one number may be the other one, rounded to its last digit. */
static int may_be_same(const struct twin *a, const struct twin *b) {
  double half = pow(10, a->place > b->place ? a->place : b->place) / 2;
  return fabs(decimal_to_double(a->fact->number) - decimal_to_double(b->fact->number)) <= half * (1 + 1e-9);
}

/* Takes the names of facts that contradict each other. */
static void drop_contradictions(struct twin *twins, size_t count) {
  qsort(twins, count, sizeof *twins, twin_order);
  for (size_t from = 0, to; from < count; from = to) {
    int agree = 1;
    for (to = from + 1; to < count && twin_order(&twins[from], &twins[to]) == 0; to++)
      agree &= may_be_same(&twins[from], &twins[to]);
    for (size_t i = from; !agree && i < to; i++)
      twins[i].place = INT_MAX;
  }
  for (size_t i = 0; i < count; i++)
    if (twins[i].place == INT_MAX)
      twins[i].fact->name = slice_of(NULL, 0);
}

void inline_resolve(struct inline_reader *r) {
  struct inline_document *d = r->d;
  struct twin *twins = xcalloc(d->fact_count ? d->fact_count : 1, sizeof *twins);
  size_t told = 0, kept = 0;
  if (d->context_count)
    qsort(d->contexts, d->context_count, sizeof *d->contexts, context_order);
  if (r->unit_count)
    qsort(r->units, r->unit_count, sizeof *r->units, unit_order);
  for (size_t i = 0; i < d->fact_count; i++) {
    struct inline_fact *f = &d->facts[i];
    f->context = d->context_count ? context_of(d, r->context_refs[i]) : NULL;
    f->unit = r->unit_count ? unit_of(r, r->unit_refs[i]) : slice_of(NULL, 0);
    if (!f->context || !f->unit.len || !entity_is_own(d, f->context))
      f->name = slice_of(NULL, 0);
    if (f->name.len)
      twins[told++] = (struct twin){f, r->places[i]};
  }
  drop_contradictions(twins, told);
  free(twins);
  for (size_t i = 0; i < d->fact_count; i++)
    if (d->facts[i].name.len)
      d->facts[kept++] = d->facts[i];
  d->fact_count = kept;
}
