#include "facts/statement_line.h"

#include <stdlib.h>
#include <string.h>

enum { CHECK_PARTS = 40 };

struct statement_open { /* a line not yet included in a total */
  int rest;             /* what its neighbours lack of a total: with it, the total proves nothing */
  struct decimal value;
};

/* The difference between a value and the sum of the last k open lines, or the first of them minus the others; a rest is
 * always added. */
static struct decimal statement_sum_off(const struct statement_open *open, size_t count, size_t k,
                                        struct decimal value, int difference) {
  struct decimal sum = open[count - k].value, none = {INT64_MAX, 0};
  for (size_t i = count - k + 1; i < count; i++)
    if (difference && !open[i].rest ? decimal_subtract(sum, open[i].value, &sum)
                                    : decimal_add(sum, open[i].value, &sum))
      return none;
  if (decimal_subtract(sum, value, &sum))
    return none;
  sum.units = sum.units < 0 ? -sum.units : sum.units;
  return sum;
}

static int statement_sums_up(const struct statement_open *open, size_t count, size_t k, struct decimal value,
                             struct decimal tolerance) {
  return decimal_compare(statement_sum_off(open, count, k, value, 0), tolerance) <= 0 ||
         decimal_compare(statement_sum_off(open, count, k, value, 1), tolerance) <= 0;
}

/* How many of the last open lines add up to a value; 0 for none.  Zero values prove nothing. */
static size_t statement_parts_of(const struct statement_open *open, size_t count, struct decimal value) {
  size_t filled = 0;
  for (size_t k = 1; k <= count && k <= CHECK_PARTS; k++) {
    filled += (open[count - k].value.units != 0) + (size_t)open[count - k].rest;
    if (filled >= 2 && open[count - k].value.units &&
        statement_sums_up(open, count, k, value, (struct decimal){0, 0}))
      return k;
  }
  return 0;
}

/* Individually rounded lines may differ from their sum by one or two units of the last printed digit: accepted where
 * another column shows the same number of lines as the sum. */
static size_t statement_rounded_parts(const struct statement_line *l, const struct statement_open *open,
                                      size_t count, struct decimal value, int64_t unit) {
  size_t k = (size_t)l->seen_equal;
  struct decimal tolerance = {unit * (int64_t)(k + 1) / 2, 0};
  return k && k <= count && statement_sums_up(open, count, k, value, tolerance) ? k : 0;
}

static int statement_has_rest(const struct statement_open *open, size_t count, size_t k) {
  int rest = 0;
  for (size_t i = count - k; i < count; i++)
    rest |= open[i].rest;
  return rest;
}

static int statement_adds_up(const struct statement_line *l) {
  return !l->heading && l->own.facts ? fact_is_additive(&l->own)
                                     : !l->heading && strchr(l->column.measure.unit, '/') == NULL;
}

static void statement_check_column(struct statement *s, size_t column, int64_t unit) {
  struct statement_open *open = xcalloc(s->count + 1, sizeof *open);
  size_t count = 0;
  for (size_t i = 0; i < s->count; i++) {
    struct decimal value;
    struct statement_line *l = &s->lines[i];
    if (!statement_adds_up(l) || statement_value(s, l, column, &value) || (l->rest && !value.units))
      continue;
    size_t parts = value.units && !l->rest ? statement_parts_of(open, count, value) : 0;
    if (!parts && unit && value.units && !l->rest)
      parts = statement_rounded_parts(l, open, count, value, unit);
    int proves = !statement_has_rest(open, count, parts);
    l->checked[column] = proves ? (int)parts : STATEMENT_MADE_EQUAL;
    l->seen_equal = parts && proves ? (int)parts : l->seen_equal;
    count -= parts;
    open[count++] = (struct statement_open){l->rest, value};
  }
  free(open);
}

void statement_check(struct statement *s, int64_t unit) {
  for (size_t i = 0; i < s->count; i++)
    s->lines[i].checked = xcalloc(s->key_count + 1, sizeof(int));
  for (size_t column = 0; column < s->key_count; column++)
    statement_check_column(s, column, 0);
  for (size_t column = 0; column < s->key_count; column++)
    statement_check_column(s, column, unit);
}

/* Names a column by the period of a line's value. */
static void statement_note_period(const struct statement *s, const struct statement_line *l, size_t column,
                                  enum fact_span span, struct buf *out) {
  char period[64];
  fact_period_text(statement_row(s, l, column), span, period, sizeof period);
  buf_add_str(out, period);
}

/* A total of some columns that is none in others. */
static void statement_note_unequal(const struct statement *s, const struct statement_line *l,
                                   enum fact_span span, struct buf *out) {
  struct decimal value;
  size_t found = 0;
  for (size_t c = 0; c < s->key_count; c++)
    if (!l->checked[c] && statement_value(s, l, c, &value) == 0 && value.units) {
      if (found++)
        buf_add_str(out, ", ");
      else
        buf_printf(out, "not checked: '%s' of ", l->column.measure.label);
      statement_note_period(s, l, c, span, out);
    }
  if (found)
    buf_add_str(out, " is not the sum of the lines shown above it\n");
}

void statement_note_checks(const struct statement *s, enum fact_span span, struct buf *out) {
  size_t equal = 0, totals = 0;
  for (size_t i = 0; i < s->count; i++) {
    const struct statement_line *l = &s->lines[i];
    totals += l->seen_equal != 0;
    for (size_t c = 0; c < s->key_count; c++)
      equal += l->checked[c] > 0;
    if (l->seen_equal)
      statement_note_unequal(s, l, span, out);
  }
  if (totals)
    buf_printf(out, "checked: %zu total%s the sum or difference of %s lines (%zu values)\n", totals,
               totals == 1 ? " equals" : "s equal", totals == 1 ? "its" : "their", equal);
}
