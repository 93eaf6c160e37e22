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
  p->months = quarter ? 3 : 12;
  return 0;
}

/* The fiscal period of `months` that ends with a quarter: 12 months with the fourth. */
static int period_fiscal(struct fact_period *p, int year, int quarter, int months) {
  if (!period_is_year(year) || quarter < 1 || quarter > 4)
    return -1;
  p->fiscal_year = year;
  p->quarter = months == 12 ? 5 : quarter;
  p->months = months;
  return 0;
}

void fact_period_each_quarter(struct fact_period *p) {
  if (p->months == 6 || p->months == 9)
    p->quarters = p->months / 3;
  p->months = 3;
  if (p->quarter != 5)
    return;
  p->quarter = 0;
  if (p->fiscal_year)
    return;
  p->until -= HALF_YEAR - HALF_QUARTER;
  p->from = p->until - 364;
}

/* A year, a month or a day: its first and last day. */
static int period_days(struct slice text, int32_t *first, int32_t *last) {
  char part[DAY_TEXT], end;
  int year, month = 0;
  if (text.len >= sizeof part)
    return -1;
  memcpy(part, text.data, text.len);
  part[text.len] = '\0';
  *first = *last = day_parse(text);
  if (*first != DAY_NONE)
    return 0;
  if (sscanf(part, "%4d-%2d%c", &year, &month, &end) != 2 &&
      (sscanf(part, "%4d%c", &year, &end) != 1 || text.len != 4))
    return -1;
  if (!period_is_year(year) || month < 0 || month > 12)
    return -1;
  *first = day_of(year, month ? month : 1, 1);
  *last = (month && month < 12 ? day_of(year, month + 1, 1) : day_of(year + 1, 1, 1)) - 1;
  return 0;
}

static int period_range(struct fact_period *p, const char *text, const char *dots) {
  int32_t ignored;
  if (dots > text && period_days(slice_of(text, (size_t)(dots - text)), &p->from, &ignored))
    return -1;
  if (dots[2] && period_days(slice_str(dots + 2), &ignored, &p->until))
    return -1;
  if (p->from != DAY_NONE && p->until != DAY_NONE && p->from > p->until)
    return -1;
  return dots > text || dots[2] ? 0 : -1;
}

/* Upper case without '-' and blanks, and without the FY beside a quarter or half: "q3-fy2024" is "Q32024". */
static void period_fold(const char *text, char out[16]) {
  size_t n = 0;
  for (; *text && n < 15; text++)
    if (*text != '-' && *text != ' ')
      out[n++] = (char)toupper((unsigned char)*text);
  out[n] = '\0';
  char *year = n > 2 ? strstr(out + 1, "FY") : NULL;
  if (year)
    memmove(year, year + 2, strlen(year + 2) + 1);
}

/* "FY2024", "Q32024", "2024Q3", "FY2024Q3", "H12024", "1H2024", "9M2024". */
static int period_named(struct fact_period *p, const char *text) {
  int year, n;
  char end;
  if (sscanf(text, "FY%4d%c", &year, &end) == 1)
    return period_fiscal(p, year, 4, 12);
  if (sscanf(text, "9M%4d%c", &year, &end) == 1)
    return period_fiscal(p, year, 3, 9);
  if (sscanf(text, "Q%1d%4d%c", &n, &year, &end) == 2 || sscanf(text, "%4dQ%1d%c", &year, &n, &end) == 2 ||
      sscanf(text, "FY%4dQ%1d%c", &year, &n, &end) == 2)
    return period_fiscal(p, year, n, 3);
  if (sscanf(text, "H%1d%4d%c", &n, &year, &end) == 2 || sscanf(text, "%1dH%4d%c", &n, &year, &end) == 2 ||
      sscanf(text, "%4dH%1d%c", &year, &n, &end) == 2)
    return n == 1 || n == 2 ? period_fiscal(p, year, 2 * n, 6) : -1;
  return -1;
}

int fact_period_parse(struct fact_period *p, const char *text) {
  int year, quarter;
  char end, folded[16];
  *p = (struct fact_period){.from = DAY_NONE, .until = DAY_NONE};
  const char *dots = strstr(text, "..");
  if (dots)
    return period_range(p, text, dots);
  if (strlen(text) >= sizeof folded)
    return -1;
  period_fold(text, folded);
  if (sscanf(folded, "CY%4dQ%1d%c", &year, &quarter, &end) == 2)
    return quarter ? period_calendar(p, year, quarter) : -1;
  if (sscanf(folded, "CY%4d%c", &year, &end) == 1)
    return period_calendar(p, year, 0);
  if (period_days(slice_str(text), &p->from, &p->until) == 0)
    return 0;
  return period_named(p, folded);
}

/* Whether a day is within half a quarter of the end of a month. */
static int period_ends_in(int32_t end, int month) {
  int year, of_month, day;
  day_split(end - 10, &year, &of_month, &day);
  int apart = (of_month - month + 12) % 12;
  return apart <= 1 || apart == 11;
}

static int period_has(const struct fact_period *p, const struct fact_row *r) {
  if ((p->from != DAY_NONE && r->end < p->from) || (p->until != DAY_NONE && r->end > p->until))
    return 0;
  if (p->ends_month && !period_ends_in(r->end, p->ends_month))
    return 0;
  int key = fact_row_key(r), last = p->quarter == 5 ? 3 : p->quarter - 1;
  if (!p->fiscal_year)
    return p->quarter < 1 || p->quarter > 4 || key % 4 == last;
  return key / 4 == p->fiscal_year &&
         (!p->quarter || (key % 4 <= last && key % 4 > last - (p->quarters ? p->quarters : 1)));
}

void fact_period_keep(const struct fact_period *p, struct fact_rows *rows) {
  size_t n = 0;
  for (size_t i = 0; i < rows->count; i++)
    if (period_has(p, &rows->rows[i]))
      rows->rows[n++] = rows->rows[i];
  rows->count = n;
}
