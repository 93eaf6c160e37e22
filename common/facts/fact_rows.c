/* fact_rows.c: one value a span among the filings; derived quarters, halves and twelve months; splits of shares. */
#include "facts/fact_rows.h"
#include "filing/form.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  DAYS_APART = 6,
  YEAR_APART_DAYS = 12
}; /* tolerance between facts, for fiscal years of 52 or 53 weeks */

void fact_rows_add(struct fact_rows *rows, const struct fact_row *row) {
  rows->rows = xgrow(rows->rows, rows->count, sizeof *rows->rows);
  rows->rows[rows->count++] = *row;
}

void fact_rows_release(struct fact_rows *rows) {
  free(rows->rows);
  *rows = (struct fact_rows){.mixed_end = DAY_NONE};
}

static int fact_name_has(struct slice name, const char *word) {
  return name.len && memmem(name.data, name.len, word, strlen(word)) != NULL;
}

int fact_is_additive(const struct fact_series *s) {
  int currency = s->unit.len == 3;
  for (size_t i = 0; i < s->unit.len; i++)
    currency &= s->unit.data[i] >= 'A' && s->unit.data[i] <= 'Z';
  return (currency || slice_is(s->unit, "shares")) && !fact_name_has(s->concept, "Average") &&
         !fact_name_has(s->concept, "Diluted") && !fact_name_has(s->concept, "PerShare");
}

/* The row of a span: fact is the value to show, other one that another filing gives, or NULL. */
static struct fact_row fact_row_of(const struct fact_company *c, const struct fact_series *s,
                                   const struct fact *f, const struct fact *other) {
  struct fact_row row = {.company = c, .series = s, .start = f->start, .end = f->end, .months = f->months};
  row.fact = f;
  row.number = f->number;
  snprintf(row.value, sizeof row.value, "%.*s", (int)f->value.len, f->value.data);
  row.fiscal_year = fact_fiscal(c, f->start, f->end, f->months, row.fiscal_period);
  row.other = other && !slice_eq(other->value, f->value) && decimal_compare(other->number, f->number) != 0
                  ? other
                  : NULL;
  return row;
}

static int fact_same_span(const struct fact *a, const struct fact *b) {
  return a->end == b->end && a->months == b->months;
}

/* Whether a form reports on the period itself; proxy statements and prospectuses only repeat some figures. */
static int fact_is_report(const struct fact *f) {
  return f->form.len == 0 || form_kind_of(f->form) != FORM_OTHER;
}

/* Makes one row per span from the selected facts. */
static void fact_rows_pick(struct fact_rows *all, const struct fact_company *c, const struct fact_series *s,
                           const struct fact_choice *choice) {
  for (size_t i = 0, next; i < s->count; i = next) {
    const struct fact *first = NULL, *last = NULL;
    int reported = 0;
    for (next = i; next < s->count && fact_same_span(&s->facts[i], &s->facts[next]); next++) {
      const struct fact *f = &s->facts[next];
      if (!f->exact || (choice->as_of != DAY_NONE && f->filed > choice->as_of))
        continue;
      if (reported && !fact_is_report(f))
        continue;
      first = first && reported == fact_is_report(f) ? first : f;
      reported = fact_is_report(f);
      last = f;
    }
    if (!first)
      continue;
    struct fact_row row =
        choice->first_reported ? fact_row_of(c, s, first, last) : fact_row_of(c, s, last, first);
    fact_rows_add(all, &row);
  }
}

void fact_row_add_parts(struct fact_row *row, const struct fact_row *with, char sign) {
  struct fact_part own = {with->series, with->fact, '+'};
  size_t n = with->fact ? 1 : with->part_count;
  for (size_t i = 0; i < n && row->part_count < FACT_PARTS; i++) {
    struct fact_part part = with->fact ? own : with->parts[i];
    if (sign == '-')
      part.sign = part.sign == '-' ? '+' : '-';
    else if (sign == '/') /* what divides a divisor multiplies */
      part.sign = part.sign == '/' ? '*' : '/';
    else if (sign == '*')
      part.sign = part.sign == '/' ? '/' : '*';
    row->parts[row->part_count++] = part;
  }
}

int fact_row_set(struct fact_row *row, double value, int digits) {
  if (decimal_from_double(value, digits, &row->number))
    return -1;
  decimal_write(row->number, row->value);
  return 0;
}

/* ---- derived values ---- */

static const struct fact_row *fact_span_find(const struct fact_rows *all, int months, int32_t end) {
  const struct fact_row *found = NULL;
  for (size_t i = 0; i < all->count; i++)
    if (all->rows[i].months == months && abs(all->rows[i].end - end) <= DAYS_APART &&
        (!found || abs(all->rows[i].end - end) < abs(found->end - end)))
      found = &all->rows[i];
  return found;
}

/* The span of `months` that a filing reports from a day on. */
static const struct fact_row *fact_span_from(const struct fact_rows *all, int32_t start, int months) {
  for (size_t i = 0; i < all->count; i++)
    if (all->rows[i].fact && all->rows[i].months == months && abs(all->rows[i].start - start) <= DAYS_APART)
      return &all->rows[i];
  return NULL;
}

/* The spans that a derived value is made of; the first is the longest. */
struct fact_spans {
  const struct fact_row *rows[FACT_PARTS];
  const struct fact *facts[FACT_PARTS]; /* of one vintage */
  size_t count;
};

/* Adds reported spans that fill `months` from a day on, as few as possible; 0 where none do. */
static int fact_spans_fill(struct fact_spans *s, const struct fact_rows *all, int32_t start, int months) {
  size_t had = s->count;
  for (int first = months; first > 0 && had < FACT_PARTS; first -= 3) {
    const struct fact_row *row = fact_span_from(all, start, first);
    s->count = had + 1;
    s->rows[had] = row;
    if (row && (first == months || fact_spans_fill(s, all, row->end + 1, months - first)))
      return 1;
  }
  s->count = had;
  return months == 0;
}

/* The fact of a row's span that was filed last by a day, or first; of reports, where there are any. */
static const struct fact *fact_known(const struct fact_row *row, const struct fact_choice *choice,
                                     int32_t by) {
  const struct fact *found = NULL;
  for (size_t i = 0; i < row->series->count; i++) {
    const struct fact *f = &row->series->facts[i];
    if (fact_same_span(f, row->fact) && f->exact && fact_is_report(f) == fact_is_report(row->fact) &&
        (choice->as_of == DAY_NONE || f->filed <= choice->as_of) && (!found || f->filed <= by))
      found = f;
  }
  return found;
}

/* The fact of a row's span in a filing, or NULL. */
static const struct fact *fact_in_filing(const struct fact_row *row, struct slice accession) {
  for (size_t i = 0; i < row->series->count; i++) {
    const struct fact *f = &row->series->facts[i];
    if (fact_same_span(f, row->fact) && f->exact && slice_eq(f->accession, accession))
      return f;
  }
  return NULL;
}

/* The newest filing that has all spans. */
static int fact_spans_together(struct fact_spans *s, const struct fact_choice *choice) {
  const struct fact_series *longest = s->rows[0]->series;
  int found = 0;
  for (size_t i = 0; i < longest->count; i++) {
    const struct fact *facts[FACT_PARTS] = {&longest->facts[i]};
    size_t n = 1;
    if (fact_in_filing(s->rows[0], facts[0]->accession) != facts[0] ||
        (choice->as_of != DAY_NONE && facts[0]->filed > choice->as_of))
      continue;
    while (n < s->count && (facts[n] = fact_in_filing(s->rows[n], facts[0]->accession)) != NULL)
      n++;
    if (n < s->count)
      continue;
    memcpy(s->facts, facts, sizeof facts);
    found = 1;
  }
  return found;
}

/* The first report of a row's span from a day on, or NULL. */
static const struct fact *fact_reported_since(const struct fact_row *row, const struct fact_choice *choice,
                                              int32_t day) {
  for (size_t i = 0; i < row->series->count; i++) {
    const struct fact *f = &row->series->facts[i];
    if (fact_same_span(f, row->fact) && f->exact && f->filed >= day &&
        (choice->as_of == DAY_NONE || f->filed <= choice->as_of))
      return f;
  }
  return NULL;
}

/* Chooses facts of one vintage, since companies restate some spans and not others: those of the newest filing that has them
 * all; else those known when the last of them was first reported.  Where the others were reported anew, with other values or only
 * then, theirs are the newest, and the longest's is the next report.  Returns the day of
 * the longest's report, or DAY_NONE for the first ones. */
static int32_t fact_spans_vintage(struct fact_spans *s, const struct fact_choice *choice) {
  const struct fact *newest[FACT_PARTS];
  int32_t day = DAY_NONE, last = DAY_NONE;
  int changed = 0;
  for (size_t i = 0; i < s->count; i++) {
    s->facts[i] = fact_known(s->rows[i], choice, DAY_NONE);
    newest[i] = fact_known(s->rows[i], choice, INT32_MAX);
    changed |= s->facts[i]->filed > s->facts[0]->filed;
    day = s->facts[i]->filed > day ? s->facts[i]->filed : day;
    last = i && newest[i]->filed > last ? newest[i]->filed : last;
  }
  if (choice->first_reported)
    return DAY_NONE;
  int together = fact_spans_together(s, choice);
  for (size_t i = 0; i < s->count; i++) {
    s->facts[i] = together ? s->facts[i] : fact_known(s->rows[i], choice, day);
    changed |= i && decimal_compare(newest[i]->number, s->facts[i]->number) != 0;
  }
  const struct fact *next = changed && !together ? fact_reported_since(s->rows[0], choice, last) : NULL;
  day = next ? next->filed : together ? s->facts[0]->filed : DAY_NONE;
  for (size_t i = 0; i < s->count; i++) {
    s->facts[i] = !next ? s->facts[i] : i ? newest[i] : next;
    if (decimal_compare(newest[i]->number, s->facts[i]->number) == 0)
      s->facts[i] = newest[i];
  }
  return day;
}

/* Adds the row of the sum of spans with their signs, from `start` to `end`, unless it has another length. */
static void fact_rows_derive(struct fact_rows *all, const struct fact_spans *s, const char *signs,
                             int32_t start, int32_t end, int months) {
  const struct fact_row *like = s->rows[0];
  struct fact_row row = {
      .company = like->company, .series = like->series, .start = start, .end = end, .derived = 1};
  row.months = day_months(start, end);
  row.fiscal_year = fact_fiscal(like->company, start, end, row.months, row.fiscal_period);
  int failed = row.months != months;
  for (size_t i = 0; i < s->count && !failed; i++) {
    row.parts[row.part_count++] = (struct fact_part){row.series, s->facts[i], signs[i]};
    failed = signs[i] == '+' ? decimal_add(row.number, s->facts[i]->number, &row.number)
                             : decimal_subtract(row.number, s->facts[i]->number, &row.number);
  }
  if (failed)
    return;
  decimal_write(row.number, row.value);
  fact_rows_add(all, &row);
}

/* Derives the last `months` of a reported span, or those before its last `behind` months, as the rest of it. */
static void fact_add_rest(struct fact_rows *all, size_t longer, int months, int behind,
                          const struct fact_choice *choice) {
  const struct fact_row *whole = &all->rows[longer], *last = NULL;
  struct fact_spans s = {.rows = {whole}, .count = 1};
  if (behind && (!(last = fact_span_find(all, behind, whole->end)) || !last->fact))
    return;
  int32_t end = last ? last->start - 1 : whole->end;
  if (fact_span_find(all, months, end) ||
      !fact_spans_fill(&s, all, whole->start, whole->months - months - behind))
    return;
  int32_t start = s.rows[s.count - 1]->end + 1;
  if (last)
    s.rows[s.count++] = last;
  fact_spans_vintage(&s, choice);
  fact_rows_derive(all, &s, "+-------", start, end, months);
}

/* Derives quarters, or halves, as the rest of longer spans. */
static void fact_derive_rests(struct fact_rows *all, int months, const struct fact_choice *choice) {
  size_t reported = all->count;
  for (int longer = 2 * months; longer <= 12; longer += 3)
    for (size_t i = 0; i < reported; i++) {
      const struct fact_row *row = &all->rows[i];
      if (row->months != longer || (longer == 12 && strcmp(row->fiscal_period, "FY") != 0))
        continue;
      fact_add_rest(all, i, months, 0, choice);
      if (longer == 9)
        fact_add_rest(all, i, months, months, choice);
    }
}

/* Derives twelve months to the end of a year-to-date span: that span plus the year before, less the same span of that year. */
static void fact_add_trailing(struct fact_rows *all, size_t to_date, const struct fact_choice *choice) {
  const struct fact_row *now = &all->rows[to_date], *before = fact_span_find(all, 12, now->start - 1);
  const struct fact_row *same = before ? fact_span_from(all, before->start, now->months) : NULL;
  if (!before || !before->fact || !same || fact_span_find(all, 12, now->end))
    return;
  struct fact_spans year = {.rows = {before, same}, .count = 2},
                    s = {.rows = {before, now, same}, .count = 3};
  int32_t day = fact_spans_vintage(&year, choice);
  const struct fact *then = fact_known(now, choice, day);
  s.facts[0] = year.facts[0];
  s.facts[1] = decimal_compare(then->number, now->fact->number) == 0 ? now->fact : then;
  s.facts[2] = year.facts[1];
  /* The part was restated by then, and the year was not: what is left of the year isn't known. */
  if (day == DAY_NONE && !choice->first_reported &&
      decimal_compare(fact_known(same, choice, then->filed)->number, s.facts[2]->number) != 0) {
    all->mixed++;
    all->mixed_end = now->end > all->mixed_end ? now->end : all->mixed_end;
    return;
  }
  fact_rows_derive(all, &s, "++-", same->end + 1, now->end, 12);
}

static void fact_derive_trailing(struct fact_rows *all, const struct fact_choice *choice) {
  size_t reported = all->count;
  for (int months = 9; months >= 3; months -= 3)
    for (size_t i = 0; i < reported; i++) {
      const char *p = all->rows[i].fiscal_period;
      if (all->rows[i].months == months &&
          (strcmp(p, "Q1") == 0 || strcmp(p, "H1") == 0 || strcmp(p, "9M") == 0))
        fact_add_trailing(all, i, choice);
    }
}

/* ---- the column ---- */

static int fact_row_order(const void *x, const void *y) {
  const struct fact_row *a = x, *b = y;
  return (a->end > b->end) - (a->end < b->end);
}

void fact_rows_sort(struct fact_rows *rows) {
  if (rows->count)
    qsort(rows->rows, rows->count, sizeof *rows->rows, fact_row_order);
}

static int fact_row_fits(const struct fact_row *r, const struct fact_choice *choice, int at_ends) {
  int transition = strcmp(r->fiscal_period, "TP") == 0,
      year_end = transition || strcmp(r->fiscal_period, "FY") == 0;
  if (r->months == 0)
    return !at_ends || (fact_ends_on(r->company, r->end) && (choice->span != FACT_ANNUAL || year_end));
  if (choice->span == FACT_QUARTERLY)
    return r->months == 3;
  if (choice->span == FACT_HALF || choice->span == FACT_NINE_MONTHS)
    return r->fiscal_period[0] == (choice->span == FACT_HALF ? 'H' : '9');
  if (choice->span == FACT_ANNUAL)
    return transition || (r->months == 12 && year_end);
  return r->months == 12;
}

/* Keeps one row per period: of ends that differ by days, the one filed last. */
static void fact_rows_merge(struct fact_rows *rows) {
  size_t n = 0;
  for (size_t i = 0; i < rows->count; i++) {
    struct fact_row *last = n ? &rows->rows[n - 1] : NULL, *r = &rows->rows[i];
    if (last && last->months == r->months && r->months && r->end - last->end <= DAYS_APART) {
      if (!last->fact || (r->fact && r->fact->filed >= last->fact->filed))
        *last = *r;
    } else {
      rows->rows[n++] = *r;
    }
  }
  rows->count = n;
}

static int fact_has_ends(const struct fact_rows *all, const struct fact_choice *choice) {
  for (size_t i = 0; i < all->count; i++)
    if (fact_row_fits(&all->rows[i], choice, 1))
      return 1;
  return 0;
}

/* Of balances between the ends of periods, such as the shares on a cover, keeps those of annual reports, if there are any. */
static void fact_rows_keep_covers(struct fact_rows *rows) {
  size_t n = 0;
  for (size_t i = 0; i < rows->count; i++) {
    struct fact_row r = rows->rows[i];
    if (r.months || r.company->by_day || !r.fact || form_kind_of(r.fact->form) == FORM_ANNUAL) {
      rows->rows[i] = rows->rows[n];
      rows->rows[n++] = r;
    }
  }
  rows->count = n ? n : rows->count;
}

void fact_rows_of(struct fact_rows *rows, const struct fact_company *c, const struct fact_series *s,
                  const struct fact_choice *choice) {
  struct fact_rows all = {.mixed_end = DAY_NONE};
  *rows = all;
  fact_rows_pick(&all, c, s, choice);
  if (fact_is_additive(s) && (choice->span == FACT_QUARTERLY || choice->span == FACT_HALF))
    fact_derive_rests(&all, choice->span == FACT_HALF ? 6 : 3, choice);
  if (fact_is_additive(s) && choice->span == FACT_TRAILING)
    fact_derive_trailing(&all, choice);
  rows->mixed = all.mixed;
  rows->mixed_end = all.mixed_end;
  int at_ends = fact_has_ends(&all, choice);
  for (size_t i = 0; i < all.count; i++)
    if (fact_row_fits(&all.rows[i], choice, at_ends))
      fact_rows_add(rows, &all.rows[i]);
  fact_rows_release(&all);
  if (!at_ends && choice->span == FACT_ANNUAL)
    fact_rows_keep_covers(rows);
  fact_rows_sort(rows);
  fact_rows_merge(rows);
}

int fact_row_key(const struct fact_row *row) {
  return row->company->by_day ? row->end : fact_key(row->company, row->end);
}

const struct fact_row *fact_rows_find(const struct fact_rows *rows, int key) {
  for (size_t i = 0; i < rows->count; i++)
    if (fact_row_key(&rows->rows[i]) == key)
      return &rows->rows[i];
  return NULL;
}

const struct fact_row *fact_rows_year_before(const struct fact_rows *rows, const struct fact_row *row) {
  for (size_t i = 0; i < rows->count; i++)
    if (rows->rows[i].months == row->months && abs(row->end - 365 - rows->rows[i].end) <= YEAR_APART_DAYS)
      return &rows->rows[i];
  return NULL;
}

void fact_rows_narrow(struct fact_rows *rows, int32_t from, int32_t until, size_t limit) {
  size_t n = 0;
  for (size_t i = 0; i < rows->count; i++)
    if ((from == DAY_NONE || rows->rows[i].end >= from) && (until == DAY_NONE || rows->rows[i].end <= until))
      rows->rows[n++] = rows->rows[i];
  size_t skip = n > limit ? n - limit : 0;
  if (skip)
    memmove(rows->rows, rows->rows + skip, (n - skip) * sizeof *rows->rows);
  rows->count = n - skip;
}

/* ---- finds splits ----
 *
 * Pairs of facts of one span, filed before and after, whose ratio is that of a split. */

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
