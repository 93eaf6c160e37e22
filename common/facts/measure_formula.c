#include "facts/measure_formula.h"

#include <stdio.h>
#include <stdlib.h>

char measure_split(struct slice formula, struct slice *left, struct slice *right) {
  int depth = 0;
  for (size_t i = formula.len; i-- > 2;) {
    const char *p = formula.data + i;
    depth += (*p == ')') - (*p == '(');
    if (depth || i + 1 >= formula.len || p[-1] != ' ' || p[1] != ' ' || !strchr("+-*/", *p) || !*p)
      continue;
    *left = slice_of(formula.data, i - 1);
    *right = slice_of(p + 2, formula.len - i - 2);
    return *p;
  }
  return 0;
}

struct slice measure_formula_inside(struct slice text) {
  int depth = 0;
  for (size_t i = 0; i < text.len; i++) {
    depth += (text.data[i] == '(') - (text.data[i] == ')');
    if (depth == 0)
      return i > 1 && i + 1 == text.len ? slice_of(text.data + 1, text.len - 2) : slice_of(NULL, 0);
  }
  return slice_of(NULL, 0);
}

static int measure_combine(struct fact_row *row, const struct fact_row *with, char sign) {
  double a = decimal_to_double(row->number), b = decimal_to_double(with->number);
  fact_row_add_parts(row, with, sign);
  row->derived |= with->derived;
  if (sign == '+')
    return decimal_add(row->number, with->number, &row->number);
  if (sign == '-')
    return decimal_subtract(row->number, with->number, &row->number);
  if (sign == '/' && b == 0)
    return -1;
  if (decimal_from_double(sign == '/' ? a / b : a * b, MEASURE_FORMULA_DIGITS, &row->number))
    return -1;
  while (sign == '*' && row->number.scale > 0 && row->number.units % 10 == 0) {
    row->number.units /= 10;
    row->number.scale--;
  }
  return 0;
}

struct fact_row measure_formula_row(const struct fact_row *r) {
  struct fact_row row = *r;
  row.part_count = 0;
  fact_row_add_parts(&row, r, '+');
  row.fact = row.other = NULL;
  row.formula = NULL;
  row.series = NULL;
  return row;
}

/* A flow combined with a balance keeps its span. */
static void measure_take_span(struct fact_row *row, const struct fact_row *with) {
  if (row->months || !with->months)
    return;
  row->start = with->start;
  row->months = with->months;
  memcpy(row->fiscal_period, with->fiscal_period, sizeof row->fiscal_period);
}

void measure_formula_combine(struct measure *m, const struct measure *a, const struct measure *b, char sign) {
  for (size_t i = 0; i < a->rows.count; i++) {
    const struct fact_row *with = fact_rows_find(&b->rows, fact_row_key(&a->rows.rows[i]));
    struct fact_row row = measure_formula_row(&a->rows.rows[i]);
    if (!with || measure_combine(&row, with, sign))
      continue;
    measure_take_span(&row, with);
    decimal_write(row.number, row.value);
    fact_rows_add(&m->rows, &row);
  }
}

/* What is left of two units that are multiplied: "USD" of "USD/shares" and "shares"; else NULL. */
static char *measure_unit_left(const char *per, const char *by) {
  const char *slash = strchr(per, '/');
  return slash && strcmp(slash + 1, by) == 0 ? xstrndup(per, (size_t)(slash - per)) : NULL;
}

char *measure_formula_unit(const char *a, const char *b, char sign) {
  struct buf text;
  char *left = NULL;
  if (!a || !b)
    return NULL;
  if (sign == '+' || sign == '-')
    return strcmp(a, b) == 0 ? xstrdup(a) : NULL;
  if (sign == '/' && strcmp(a, b) == 0)
    return xstrdup("pure");
  if (sign == '*' && ((left = measure_unit_left(a, b)) || (left = measure_unit_left(b, a))))
    return left;
  buf_init(&text, 4096);
  buf_printf(&text, "%s%c%s", a, sign, b);
  return text.data;
}

void measure_formula_say(const struct measure *a, const struct measure *b, char sign, const char *unit,
                         struct buf *why) {
  size_t shared = 0;
  for (size_t i = 0; i < a->rows.count; i++)
    shared += fact_rows_find(&b->rows, fact_row_key(&a->rows.rows[i])) != NULL;
  if (!unit)
    buf_printf(why, "'%s' is in %s and '%s' in %s: neither a sum nor a difference", a->asked, a->unit,
               b->asked, b->unit);
  else if (shared && sign == '/')
    buf_printf(why, "'%s' is zero in every period", b->asked);
  else
    buf_printf(why, "'%s' and '%s' have no period in common", a->asked, b->asked);
}

struct slice measure_formula_growth(struct slice asked) {
  static const char *const before[] = {"growth of ", "growth in "};
  static const char behind[] = " growth";
  size_t n = sizeof behind - 1;
  if (asked.len > n && strncasecmp(asked.data + asked.len - n, behind, n) == 0)
    return slice_of(asked.data, asked.len - n);
  for (size_t i = 0; i < sizeof before / sizeof *before; i++)
    if (asked.len > strlen(before[i]) && strncasecmp(asked.data, before[i], strlen(before[i])) == 0)
      return slice_of(asked.data + strlen(before[i]), asked.len - strlen(before[i]));
  return slice_of(NULL, 0);
}
