#include "facts/statement_line.h"

#include <stdlib.h>
#include <string.h>

enum { CHECK_PARTS = 40 };

struct statement_open { /* a line not yet included in a total */
  size_t line;
  struct decimal value;
};

/* The difference between a value and the sum of the last k open lines, or the first of them minus the others. */
static struct decimal statement_sum_off(const struct statement_open *open, size_t count, size_t k,
                                        struct decimal value, int difference) {
  struct decimal sum = open[count - k].value, none = {INT64_MAX, 0};
  for (size_t i = count - k + 1; i < count; i++)
    if (difference ? decimal_subtract(sum, open[i].value, &sum) : decimal_add(sum, open[i].value, &sum))
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
    filled += open[count - k].value.units != 0;
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
    if (l->rest || !statement_adds_up(l) || statement_value(s, l, column, &value))
      continue;
    size_t parts = value.units ? statement_parts_of(open, count, value) : 0;
    if (!parts && unit && value.units)
      parts = statement_rounded_parts(l, open, count, value, unit);
    l->checked[column] = (int)parts;
    l->seen_equal = parts ? (int)parts : l->seen_equal;
    count -= parts;
    open[count++] = (struct statement_open){i, value};
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

void statement_note_checks(const struct statement *s, struct buf *out) {
  size_t equal = 0, totals = 0;
  for (size_t i = 0; i < s->count; i++) {
    const struct statement_line *l = &s->lines[i];
    struct decimal value;
    totals += l->seen_equal != 0;
    for (size_t c = 0; c < s->key_count; c++) {
      equal += l->checked[c] > 0;
      if (l->seen_equal && !l->checked[c] && statement_value(s, l, c, &value) == 0 && value.units)
        buf_printf(out, "not checked: '%s' in column %zu is not the sum of the lines shown above it\n",
                   l->column.measure.label, c + 1);
    }
  }
  if (totals)
    buf_printf(out, "checked: %zu totals equal the sum or difference of their lines (%zu values)\n", totals,
               equal);
}
