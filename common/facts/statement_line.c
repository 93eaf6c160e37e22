#include "facts/statement_line.h"

#include <stdlib.h>

#define OPENING_DAYS 3 /* between the end of a balance's day and the start of a span */

struct statement_line *statement_line_add(struct statement *s) {
  if ((s->count & (s->count - 1)) == 0)
    s->lines = xreallocarray(s->lines, s->count ? 2 * s->count : 1, sizeof *s->lines);
  struct statement_line *l = &s->lines[s->count++];
  memset(l, 0, sizeof *l);
  buf_init(&l->column.measure.notes, 4096);
  return l;
}

struct fact statement_line_fact(const struct inline_fact *f, const struct fact *filing,
                                struct fact_company *keep) {
  char digits[DECIMAL_TEXT];
  struct fact fact = *filing;
  fact.start = f->context->start;
  fact.end = f->context->end;
  fact.number = f->number;
  fact.exact = 1;
  fact.months = (int16_t)day_months(fact.start, fact.end);
  fact.value = fact_company_keep(keep, slice_str(decimal_write(f->number, digits)));
  return fact;
}

void statement_line_name(struct statement_line *l, const struct inline_fact *f, struct fact_company *keep) {
  const char *colon = memchr(f->name.data, ':', f->name.len);
  size_t n = colon ? (size_t)(colon - f->name.data) : 0;
  struct slice concept = colon ? slice_of(colon + 1, f->name.len - n - 1) : f->name;
  struct buf name;
  buf_init(&name, 65536);
  buf_add_slice(&name, concept);
  if (f->context->members.len)
    buf_printf(&name, " [%.*s]", (int)f->context->members.len, f->context->members.data);
  l->own.taxonomy = fact_company_keep(keep, slice_of(f->name.data, n));
  l->own.concept = fact_company_keep(keep, buf_slice(&name));
  l->own.label = l->own.concept;
  l->own.unit = fact_company_keep(keep, f->unit);
  buf_release(&name);
}

void statement_line_fill(struct statement_line *l, const struct statement_request *ask, int whole_company) {
  struct measure *m = &l->column.measure;
  struct fact_rows own;
  const struct fact_series *s =
      whole_company ? fact_company_find(ask->company, l->own.concept, l->own.unit) : NULL;
  if (s)
    fact_rows_of(&m->rows, ask->company, s, &ask->choice);
  fact_rows_of(&own, ask->company, &l->own, &ask->choice);
  for (size_t i = 0; i < own.count; i++)
    if (!fact_rows_find(&m->rows, fact_row_key(&own.rows[i])))
      fact_rows_add(&m->rows, &own.rows[i]);
  fact_rows_release(&own);
}

void statement_line_release(struct statement_line *l) {
  measure_release(&l->column.measure);
  free(l->own.facts);
  free(l->checked);
}

void statement_release(struct statement *s) {
  for (size_t i = 0; i < s->count; i++)
    statement_line_release(&s->lines[i]);
  free(s->lines);
  free(s->keys);
  free(s->sums);
  free(s->missing);
  buf_release(&s->table);
  memset(s, 0, sizeof *s);
}

/* The first day of the flows of a column; DAY_NONE where there are none. */
static int32_t statement_start(const struct statement *s, size_t column) {
  for (size_t i = 0; i < s->count; i++) {
    const struct statement_line *l = &s->lines[i];
    const struct fact_row *row =
        l->heading || l->shift ? NULL : fact_rows_find(&l->column.measure.rows, s->keys[column]);
    if (row && row->months > 0 && row->start != DAY_NONE)
      return row->start;
  }
  return DAY_NONE;
}

/* The balance at the end of the day before `start`; of weeks that end on other days than months, the nearest. */
static const struct fact_row *statement_opening(const struct statement_line *l, int32_t start) {
  const struct fact_rows *rows = &l->column.measure.rows;
  const struct fact_row *best = NULL;
  for (size_t i = 0; start != DAY_NONE && i < rows->count; i++) {
    const struct fact_row *row = &rows->rows[i];
    int off = abs(row->end - (start - 1));
    if (row->months == 0 && off <= OPENING_DAYS && (!best || off < abs(best->end - (start - 1))))
      best = row;
  }
  return best;
}

const struct fact_row *statement_row(const struct statement *s, const struct statement_line *l,
                                     size_t column) {
  return l->shift ? statement_opening(l, statement_start(s, column))
                  : fact_rows_find(&l->column.measure.rows, s->keys[column]);
}

int statement_value(const struct statement *s, const struct statement_line *l, size_t column,
                    struct decimal *value) {
  const struct fact_row *row = l->heading ? NULL : statement_row(s, l, column);
  if (!row)
    return -1;
  *value = row->number;
  if (l->negated)
    value->units = -value->units;
  return 0;
}
