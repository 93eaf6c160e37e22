/* fact_rows.c: selects one value a span among the filings, and derives quarters, halves and twelve months. */
#include "facts/fact_rows.h"

#include "filing/form.h"

#include <stdio.h>
#include <stdlib.h>

enum { DAYS_APART = 6 }; /* tolerance between facts, for fiscal years of 52 or 53 weeks */

void fact_rows_add(struct fact_rows *rows, const struct fact_row *row) {
  rows->rows = xgrow(rows->rows, rows->count, sizeof *rows->rows);
  rows->rows[rows->count++] = *row;
}

void fact_rows_release(struct fact_rows *rows) {
  free(rows->rows);
  *rows = (struct fact_rows){NULL, 0};
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

/* ---- derived values ---- */

static const struct fact_row *fact_span_find(const struct fact_rows *all, int months, int32_t end) {
  const struct fact_row *found = NULL;
  for (size_t i = 0; i < all->count; i++)
    if (all->rows[i].months == months && abs(all->rows[i].end - end) <= DAYS_APART &&
        (!found || abs(all->rows[i].end - end) < abs(found->end - end)))
      found = &all->rows[i];
  return found;
}

/* The span of `months` that starts at the same day. */
static const struct fact_row *fact_span_from(const struct fact_rows *all, int32_t start, int months) {
  for (size_t i = 0; i < all->count; i++)
    if (all->rows[i].months == months && abs(all->rows[i].start - start) <= DAYS_APART)
      return &all->rows[i];
  return NULL;
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

/* Adds or subtracts another row's value; -1 on overflow. */
static int fact_row_combine(struct fact_row *row, const struct fact_row *with, char sign) {
  fact_row_add_parts(row, with, sign);
  return sign == '+' ? decimal_add(row->number, with->number, &row->number)
                     : decimal_subtract(row->number, with->number, &row->number);
}

static struct fact_row fact_row_between(const struct fact_row *like, int32_t start, int32_t end) {
  struct fact_row row = {.company = like->company, .series = like->series, .start = start, .end = end};
  row.months = day_months(start, end);
  row.fiscal_year = fact_fiscal(like->company, start, end, row.months, row.fiscal_period);
  return row;
}

static void fact_rows_add_derived(struct fact_rows *all, struct fact_row *row, int months) {
  if (row->months != months)
    return;
  row->derived = 1;
  decimal_write(row->number, row->value);
  fact_rows_add(all, row);
}

/* Adds the difference of `months` between a longer and a shorter span with the same start. */
static void fact_add_difference(struct fact_rows *all, const struct fact_row *longer, int shorter_months,
                                int months) {
  const struct fact_row *shorter = fact_span_from(all, longer->start, shorter_months);
  if (!shorter || fact_span_find(all, months, longer->end))
    return;
  struct fact_row row = fact_row_between(longer, shorter->end + 1, longer->end);
  if (fact_row_combine(&row, longer, '+') == 0 && fact_row_combine(&row, shorter, '-') == 0)
    fact_rows_add_derived(all, &row, months);
}

/* Derives a fourth quarter as the year minus three quarters, where nine months were not reported. */
static void fact_add_fourth(struct fact_rows *all, const struct fact_row *year) {
  if (fact_span_find(all, 3, year->end))
    return;
  const struct fact_row *quarter = fact_span_from(all, year->start, 3);
  struct fact_row row = fact_row_between(year, year->start, year->end);
  if (fact_row_combine(&row, year, '+'))
    return;
  for (int i = 0; i < 3; i++) {
    if (!quarter || fact_row_combine(&row, quarter, '-'))
      return;
    row.start = quarter->end + 1;
    quarter = fact_span_from(all, row.start, 3);
  }
  row.months = day_months(row.start, row.end);
  row.fiscal_year = fact_fiscal(year->company, row.start, row.end, row.months, row.fiscal_period);
  fact_rows_add_derived(all, &row, 3);
}

/* Rows are copied before use, since adding may move them. */
static void fact_derive_quarters(struct fact_rows *all) {
  static const int pairs[][2] = {{6, 3}, {9, 6}, {12, 9}};
  size_t reported = all->count;
  for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++)
    for (size_t i = 0; i < reported; i++) {
      struct fact_row row = all->rows[i];
      if (row.months == pairs[p][0] && (row.months < 12 || strcmp(row.fiscal_period, "FY") == 0))
        fact_add_difference(all, &row, pairs[p][1], 3);
    }
  for (size_t i = 0; i < reported; i++) {
    struct fact_row row = all->rows[i];
    if (strcmp(row.fiscal_period, "FY") == 0 && row.months == 12)
      fact_add_fourth(all, &row);
  }
}

/* Derives the second half as the year minus the first. */
static void fact_derive_halves(struct fact_rows *all) {
  size_t reported = all->count;
  for (size_t i = 0; i < reported; i++) {
    struct fact_row row = all->rows[i];
    if (row.months == 12 && strcmp(row.fiscal_period, "FY") == 0)
      fact_add_difference(all, &row, 6, 6);
  }
}

/* Derives twelve months to the end of a year-to-date span: that span plus the previous year minus the same span of
 * the previous year. */
static int fact_add_trailing(struct fact_rows *all, const struct fact_row *to_date) {
  const struct fact_row *before = fact_span_find(all, 12, to_date->start - 1);
  const struct fact_row *same = before ? fact_span_from(all, before->start, to_date->months) : NULL;
  if (!before || !same || fact_span_find(all, 12, to_date->end))
    return -1;
  struct fact_row row = fact_row_between(to_date, same->end + 1, to_date->end);
  if (fact_row_combine(&row, before, '+') || fact_row_combine(&row, to_date, '+') ||
      fact_row_combine(&row, same, '-'))
    return -1;
  fact_rows_add_derived(all, &row, 12);
  return 0;
}

static void fact_derive_trailing(struct fact_rows *all) {
  size_t reported = all->count;
  for (int months = 9; months >= 3; months -= 3)
    for (size_t i = 0; i < reported; i++) {
      struct fact_row row = all->rows[i];
      const char *p = row.fiscal_period;
      if (row.months == months && (strcmp(p, "Q1") == 0 || strcmp(p, "H1") == 0 || strcmp(p, "9M") == 0))
        fact_add_trailing(all, &row);
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
  int year_end = strcmp(r->fiscal_period, "FY") == 0;
  if (r->months == 0)
    return !at_ends || (fact_ends_on(r->company, r->end) && (choice->span != FACT_ANNUAL || year_end));
  if (choice->span == FACT_QUARTERLY)
    return r->months == 3;
  if (choice->span == FACT_HALF || choice->span == FACT_NINE_MONTHS)
    return r->fiscal_period[0] == (choice->span == FACT_HALF ? 'H' : '9');
  return r->months == 12 && (choice->span == FACT_TRAILING || year_end);
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
  struct fact_rows all = {NULL, 0};
  *rows = all;
  fact_rows_pick(&all, c, s, choice);
  if (fact_is_additive(s) && choice->span == FACT_QUARTERLY)
    fact_derive_quarters(&all);
  if (fact_is_additive(s) && choice->span == FACT_HALF)
    fact_derive_halves(&all);
  if (fact_is_additive(s) && choice->span == FACT_TRAILING)
    fact_derive_trailing(&all);
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
  char period[8];
  if (row->company->by_day)
    return row->end;
  int year = fact_fiscal(row->company, DAY_NONE, row->end, 0, period);
  return 4 * year + (period[0] == 'F' ? 3 : period[1] - '1');
}

const struct fact_row *fact_rows_find(const struct fact_rows *rows, int key) {
  for (size_t i = 0; i < rows->count; i++)
    if (fact_row_key(&rows->rows[i]) == key)
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
