#include "query/choices.h"

#include <math.h>
#include <stdlib.h>

/* The weight of a kind of match, for choosing among companies with the same key. */
static double way_weight(enum directory_way way, size_t others) {
  switch (way) {
  case WAY_ALIAS:
    return 6.5;
  case WAY_ALONE:
  case WAY_PERSON:
  case WAY_BRAND: /* less than a listed company's own name */
    return 0.5;
  case WAY_FULL:
    return 4.5;
  case WAY_CORE:
    return 3.6;
  case WAY_FORMER:
    return 3.2;
  case WAY_TICKER:
    return others ? 3.0 : 4.0;
  case WAY_PREFIX:
    return 2.2 - 0.3 * (double)others;
  }
  return 0;
}

void choices_add(struct choices *c, const struct directory *d, struct choice one) {
  one.weight += -0.9 * log((double)directory_company(d, one.company)->rank + 20);
  for (size_t i = 0; i < c->count; i++)
    if (c->list[i].company == one.company) {
      if (one.weight > c->list[i].weight)
        c->list[i] = one;
      return;
    }
  if (c->count < CHOICES) {
    c->list[c->count++] = one;
    return;
  }
  size_t least = 0;
  for (size_t i = 1; i < CHOICES; i++)
    least = c->list[i].weight < c->list[least].weight ? i : least;
  if (one.weight > c->list[least].weight)
    c->list[least] = one;
}

static void choices_add_entry(struct choices *c, const struct directory *d, const struct directory_entry *e,
                              double extra) {
  choices_add(
      c, d,
      (struct choice){e->company, (enum directory_way)e->way, e, way_weight(e->way, e->others) + extra});
}

static int compare_choices(const void *a, const void *b) {
  const struct choice *x = a, *y = b;
  if (x->weight != y->weight)
    return x->weight < y->weight ? 1 : -1;
  return x->company < y->company ? -1 : x->company > y->company;
}

void choices_add_key(struct choices *c, const struct directory *d, const char *key, size_t len,
                     enum choices_of of, size_t words, double extra) {
  for (const struct directory_entry *e = len ? directory_find(d, key, len) : NULL; e; e = directory_next(e))
    if ((e->way == WAY_TICKER) == (of == OF_TICKERS) && (e->way != WAY_ALONE || of == OF_ALL_NAMES) &&
        (e->way != WAY_PERSON || of == OF_NAMES) && !(of == OF_TICKERS && words > 1 && e->words != words))
      choices_add_entry(c, d, e, extra - (words == 0 || e->words == words ? 0 : e->len <= 3 ? 4 : 0.2));
}

static enum plan_how how_of(enum directory_way way) {
  switch (way) {
  case WAY_TICKER:
    return PLAN_TICKER;
  case WAY_ALIAS:
  case WAY_BRAND:
  case WAY_ALONE:
  case WAY_PERSON:
    return PLAN_ALIAS;
  case WAY_FORMER:
    return PLAN_FORMER;
  default:
    return PLAN_NAME;
  }
}

int choices_best(struct choices *c, struct mention *found) {
  if (c->count == 0)
    return 0;
  qsort(c->list, c->count, sizeof *c->list, compare_choices);
  found->company = c->list[0].company;
  found->way = (int)c->list[0].way;
  found->how = how_of(c->list[0].way);
  found->margin = c->count > 1 ? c->list[0].weight - c->list[1].weight : 20;
  found->rival_count = 0;
  for (size_t i = 0; i < c->count && i < PLAN_CANDIDATES; i++)
    found->rivals[found->rival_count++] = c->list[i].company;
  return 1;
}

void choices_add_slips(struct choices *c, const struct directory *d, const char *key, size_t len) {
  const struct directory_entry *found[CHOICES];
  size_t n = directory_find_slip(d, key, len, found, CHOICES);
  for (size_t i = 0; i < n; i++)
    choices_add_entry(c, d, found[i], 0);
}
