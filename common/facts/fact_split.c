/* fact_split.c: finds splits: pairs of facts of one span, filed before and after, whose ratio is that of a split. */
#include "facts/fact_split.h"

#include <math.h>

/* A split is shown by so many share counts, or by one and an amount a share.  A ratio that is rare among splits, or that an error
 * of scale may be, is shown by as many of both. */
enum { SPLIT_SEEN_LEAST = 3, SPLIT_CLUSTER_DAYS = 420, SPLIT_PARTS_MOST = 10, SPLIT_USUAL_MOST = 100 };
#define SPLIT_EXACT 0.006 /* share counts are rounded to thousands or millions */

static int split_is_per_share(const struct fact_series *s) {
  return s->unit.len > 7 && memcmp(s->unit.data + s->unit.len - 7, "/shares", 7) == 0;
}

static int split_is_share_count(const struct fact_series *s) {
  return slice_is(s->unit, "shares") && s->concept.len &&
         memmem(s->concept.data, s->concept.len, "Average", 7);
}

/* The ratio of small whole numbers that a restatement suggests, or 0: 40, 1.25 (5 for 4) and their inverses. */
static double split_ratio(double factor) {
  double bigger = factor < 1 ? 1 / factor : factor;
  for (int of = 1; of <= SPLIT_PARTS_MOST; of++) {
    double to = round(bigger * of);
    if (to > of && (of == 1 || to <= (double)SPLIT_PARTS_MOST) && fabs(bigger * of / to - 1) < SPLIT_EXACT)
      return factor < 1 ? of / to : to / of;
  }
  return 0;
}

static void split_vote(struct fact_splits *splits, double ratio, const struct fact *old,
                       const struct fact *new, int per_share) {
  struct fact_split *found = NULL;
  for (size_t i = 0; i < splits->count && !found; i++)
    if (fabs(splits->split[i].ratio / ratio - 1) < SPLIT_EXACT && old->filed < splits->split[i].after &&
        new->filed - splits->split[i].after<SPLIT_CLUSTER_DAYS &&new->filed> splits->split[i].before)
      found = &splits->split[i];
  if (!found && (per_share || splits->count == FACT_SPLITS))
    return;
  if (!found) {
    found = &splits->split[splits->count++];
    *found = (struct fact_split){ratio, old->filed, new->filed, new->accession, 0, 0};
  }
  found->seen += !per_share;
  found->seen_per_share += (size_t)per_share;
  if (old->filed > found->before)
    found->before = old->filed;
  if (new->filed < found->after) {
    found->after = new->filed;
    found->accession = new->accession;
  }
}

/* How far a quotient of two amounts may be off, since both are rounded. */
static double split_rounding(struct decimal a, struct decimal b) {
  return 0.5 * pow(10, -a.scale) / fabs(decimal_to_double(a)) +
         0.5 * pow(10, -b.scale) / fabs(decimal_to_double(b));
}

/* Share counts give the ratios; amounts a share, which are rounded more, confirm them. */
static void split_search(struct fact_splits *splits, const struct fact_series *s, int per_share) {
  for (size_t i = 1; i < s->count; i++) {
    const struct fact *old = &s->facts[i - 1], *new = &s->facts[i];
    double a = decimal_to_double(old->number), b = decimal_to_double(new->number);
    if (old->end != new->end || old->months != new->months || old->start != new->start || a * b <= 0 ||
        old->filed == new->filed)
      continue;
    double ratio = per_share ? 0 : split_ratio(b / a);
    if (ratio > 0)
      split_vote(splits, ratio, old, new, 0);
    for (size_t k = 0; per_share && k < splits->count; k++)
      if (fabs(a / b / splits->split[k].ratio - 1) <= split_rounding(old->number, new->number) &&
          fabs(a - b) > 0)
        split_vote(splits, splits->split[k].ratio, old, new, 1);
  }
}

static int split_is_sure(const struct fact_split *p) {
  double bigger = p->ratio < 1 ? 1 / p->ratio : p->ratio;
  int usual = bigger == 1.5 || (bigger == round(bigger) && bigger <= (double)SPLIT_USUAL_MOST);
  if (usual && p->seen_per_share)
    return p->seen > 0;
  return p->seen >= SPLIT_SEEN_LEAST && (usual || p->seen_per_share >= SPLIT_SEEN_LEAST);
}

/* The newest fact of a series in a filing. */
static const struct fact *split_newest_in(const struct fact_series *s, struct slice accession) {
  const struct fact *newest = NULL;
  for (size_t i = 0; i < s->count; i++)
    if (slice_eq(s->facts[i].accession, accession) && (!newest || s->facts[i].end >= newest->end))
      newest = &s->facts[i];
  return newest;
}

/* A filing between the last one with restated values and the first one that restates is from before the split if its
 * share counts are closer to the earlier ones. */
static void split_widen(struct fact_split *p, const struct fact_series *s) {
  const struct fact *new = split_newest_in(s, p->accession);
  double after = new ? decimal_to_double(new->number) : 0;
  int32_t until = p->before;
  for (size_t i = 0; after > 0 && i < s->count; i++) {
    const struct fact *f = &s->facts[i];
    double was = decimal_to_double(f->number);
    if (f->filed > p->before && f->filed < p->after && f->filed > until && was > 0 &&
        fabs(log(after / was / p->ratio)) < fabs(log(after / was)))
      until = f->filed;
  }
  p->before = until;
}

void fact_splits_find(struct fact_splits *splits, const struct fact_company *c, int32_t as_of) {
  splits->count = 0;
  for (int per_share = 0; per_share < 2; per_share++)
    for (size_t i = 0; i < c->series_count; i++)
      if (per_share ? split_is_per_share(&c->series[i]) : split_is_share_count(&c->series[i]))
        split_search(splits, &c->series[i], per_share);
  size_t kept = 0;
  for (size_t i = 0; i < splits->count; i++)
    if (split_is_sure(&splits->split[i]) && (as_of == DAY_NONE || splits->split[i].after <= as_of))
      splits->split[kept++] = splits->split[i];
  splits->count = kept;
  for (size_t i = 0; i < kept; i++)
    for (size_t k = 0; k < c->series_count; k++)
      if (split_is_share_count(&c->series[k]))
        split_widen(&splits->split[i], &c->series[k]);
}

static double split_fact_factor(const struct fact_splits *splits, const struct fact_series *s,
                                const struct fact *f) {
  int per_share = split_is_per_share(s);
  double factor = 1;
  if (!per_share && !slice_is(s->unit, "shares"))
    return 1;
  for (size_t i = 0; i < splits->count; i++)
    if (f->filed <= splits->split[i].before)
      factor *= per_share ? splits->split[i].ratio : 1 / splits->split[i].ratio;
  return factor;
}

double fact_split_factor(const struct fact_splits *splits, const struct fact_row *row) {
  double factor = 1;
  if (row->adjusted)
    return 1;
  if (row->fact)
    return row->series ? split_fact_factor(splits, row->series, row->fact) : 1;
  for (size_t i = 0; i < row->part_count; i++) {
    const struct fact_part *p = &row->parts[i];
    double own = p->fact && p->series ? split_fact_factor(splits, p->series, p->fact) : 1;
    if (i == 0 || p->sign == '*')
      factor *= own;
    else if (p->sign == '/')
      factor /= own;
  }
  return factor;
}
