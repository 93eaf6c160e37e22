/* inline_resolve.c: gives the facts of an inline XBRL document their contexts and units, which may stand behind them. */
#include "facts/inline_reader.h"

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

/* Sorts contexts and units by their ids, one of each; an id that is given to several that differ has none: a context without an
 * end, a unit without a text. */
static void settle_contexts(struct inline_document *d) {
  size_t kept = 0;
  if (d->context_count)
    qsort(d->contexts, d->context_count, sizeof *d->contexts, context_order);
  for (size_t i = 0; i < d->context_count; i++)
    if (kept == 0 || !slice_eq(d->contexts[kept - 1].id, d->contexts[i].id))
      d->contexts[kept++] = d->contexts[i];
    else if (!context_is_same(&d->contexts[kept - 1], &d->contexts[i]))
      d->contexts[kept - 1].end = DAY_NONE;
  d->context_count = kept;
}

static void settle_units(struct inline_reader *r) {
  size_t kept = 0;
  if (r->unit_count)
    qsort(r->units, r->unit_count, sizeof *r->units, unit_order);
  for (size_t i = 0; i < r->unit_count; i++)
    if (kept == 0 || !slice_eq(r->units[kept - 1].id, r->units[i].id))
      r->units[kept++] = r->units[i];
    else if (!slice_eq(r->units[kept - 1].text, r->units[i].text))
      r->units[kept - 1].text = slice_of(NULL, 0);
  r->unit_count = kept;
}

/* The context of that id, or NULL. */
static const struct inline_context *context_of(const struct inline_document *d, struct slice id) {
  struct inline_context key = {.id = id}, *c = NULL;
  if (d->context_count)
    c = bsearch(&key, d->contexts, d->context_count, sizeof key, context_order);
  return c && c->end != DAY_NONE ? c : NULL;
}

/* The text of the unit of that id, or empty. */
static struct slice unit_of(const struct inline_reader *r, struct slice id) {
  struct inline_unit key = {.id = id}, *u = NULL;
  if (r->unit_count)
    u = bsearch(&key, r->units, r->unit_count, sizeof key, unit_order);
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
      twins[i].fact->name = slice_of(NULL, 0);
  }
}

void inline_resolve(struct inline_reader *r) {
  struct inline_document *d = r->d;
  struct twin *twins = xcalloc(d->fact_count ? d->fact_count : 1, sizeof *twins);
  size_t told = 0, kept = 0;
  settle_contexts(d);
  settle_units(r);
  while (r->open_count)
    d->facts[r->open[--r->open_count]].name = slice_of(NULL, 0); /* their tags don't end */
  for (size_t i = 0; i < d->fact_count; i++) {
    struct inline_fact *f = &d->facts[i];
    f->context = context_of(d, r->context_refs[i]);
    f->unit = unit_of(r, r->unit_refs[i]);
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
