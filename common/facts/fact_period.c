#include "facts/fact_period.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum { HALF_YEAR = 182, HALF_QUARTER = 45 }; /* in days */

static int period_is_year(int y) {
  return y >= 1900 && y <= 2200;
}

/* Calendar periods are matched by their middle: a span may be off by up to half its length. */
static int period_calendar(struct fact_period *p, int year, int quarter) {
  static const int half[] = {HALF_YEAR, HALF_QUARTER};
  int month = quarter ? 3 * quarter : 12;
  int32_t last = month == 12 ? day_of(year, 12, 31) : day_of(year, month + 1, 1) - 1;
  if (!period_is_year(year) || quarter < 0 || quarter > 4)
    return -1;
  p->from = last - half[quarter != 0] + 1;
  p->until = last + half[quarter != 0];
  p->quarter = quarter ? 0 : 5;
  return 0;
}

static int period_fiscal(struct fact_period *p, int year, int quarter) {
  if (!period_is_year(year) || quarter < 1 || quarter > 5)
    return -1;
  p->fiscal_year = year;
  p->quarter = quarter;
  return 0;
}

void fact_period_each_quarter(struct fact_period *p) {
  if (p->quarter != 5)
    return;
  p->quarter = 0;
  if (p->fiscal_year)
    return;
  p->until -= HALF_YEAR - HALF_QUARTER;
  p->from = p->until - 364;
}

static int period_range(struct fact_period *p, const char *text, const char *dots) {
  if (dots > text && (p->from = day_parse(slice_of(text, (size_t)(dots - text)))) == DAY_NONE)
    return -1;
  if (dots[2] && (p->until = day_parse(slice_str(dots + 2))) == DAY_NONE)
    return -1;
  return dots > text || dots[2] ? 0 : -1;
}

int fact_period_parse(struct fact_period *p, const char *text) {
  int year, quarter;
  char end;
  *p = (struct fact_period){0, 0, DAY_NONE, DAY_NONE};
  const char *dots = strstr(text, "..");
  if (dots)
    return period_range(p, text, dots);
  if (sscanf(text, "CY%4dQ%1d%c", &year, &quarter, &end) == 2)
    return quarter ? period_calendar(p, year, quarter) : -1;
  if (sscanf(text, "CY%4d%c", &year, &end) == 1)
    return period_calendar(p, year, 0);
  if (sscanf(text, "FY-%4d%c", &year, &end) == 1 || sscanf(text, "FY%4d%c", &year, &end) == 1)
    return period_fiscal(p, year, 5);
  if (sscanf(text, "Q%1d-%4d%c", &quarter, &year, &end) == 2 ||
      sscanf(text, "%4dQ%1d%c", &year, &quarter, &end) == 2)
    return quarter <= 4 ? period_fiscal(p, year, quarter) : -1;
  if (sscanf(text, "H1-%4d%c", &year, &end) == 1 || sscanf(text, "9M-%4d%c", &year, &end) == 1)
    return period_fiscal(p, year, text[0] == 'H' ? 2 : 3);
  if (sscanf(text, "%4d%c", &year, &end) != 1 || !period_is_year(year))
    return -1;
  p->from = day_of(year, 1, 1);
  p->until = day_of(year, 12, 31);
  return 0;
}

static int period_has(const struct fact_period *p, const struct fact_row *r) {
  if ((p->from != DAY_NONE && r->end < p->from) || (p->until != DAY_NONE && r->end > p->until))
    return 0;
  int key = fact_row_key(r), named = p->quarter >= 1 && p->quarter <= 4;
  if (!p->fiscal_year)
    return !named || key % 4 == p->quarter - 1;
  return key / 4 == p->fiscal_year && (!p->quarter || key % 4 == (named ? p->quarter - 1 : 3));
}

void fact_period_keep(const struct fact_period *p, struct fact_rows *rows) {
  size_t n = 0;
  for (size_t i = 0; i < rows->count; i++)
    if (period_has(p, &rows->rows[i]))
      rows->rows[n++] = rows->rows[i];
  rows->count = n;
}
