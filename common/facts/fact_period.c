/* fact_period.c: the period of an option as fiscal quarters, or as days, and the rows that are in it. */
#include "facts/fact_period.h"

#include "period/period.h"
#include "period/period_when.h"

enum { HALF_YEAR = 182, HALF_QUARTER = 45 }; /* in days */

/* Calendar periods are matched by their middle: a span may be off by up to half its length. */
static void period_calendar(struct fact_period *p, int year, int quarter) {
  int32_t last = day_month_end(year, quarter ? 3 * quarter : 12, 0),
          half = quarter ? HALF_QUARTER : HALF_YEAR;
  p->from = last - half + 1;
  p->until = last + half;
  p->quarter = quarter ? 0 : 5;
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

int fact_period_parse(struct fact_period *p, const char *text) {
  struct period_item item;
  int first, last;
  *p = (struct fact_period){.from = DAY_NONE, .until = DAY_NONE};
  if (period_days(text, &p->from, &p->until) == 0)
    return 0;
  if (strstr(text, "..") || !period_of_code(text, &item))
    return -1;
  period_part_months(item.kind == ITEM_YEAR ? PART_FY : item.part, &first, &last);
  p->months = last - first + 1;
  if (item.how == YEAR_CALENDAR && p->months != 3 && p->months != 12)
    return -1;
  p->quarter = p->months == 12 ? 5 : last / 3;
  if (item.how == YEAR_CALENDAR)
    period_calendar(p, item.year, p->months == 3 ? last / 3 : 0);
  else
    p->fiscal_year = item.year;
  return 0;
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
  int key = fact_row_key(r), last = p->quarter == 5 ? 3 : p->quarter - 1, at = key / FACT_KEY_QUARTER % 4;
  if (p->quarter && key % FACT_KEY_QUARTER) /* a transition period is no quarter of a year */
    return 0;
  if (!p->fiscal_year)
    return p->quarter < 1 || p->quarter > 4 || at == last;
  return key / FACT_KEY_YEAR == p->fiscal_year &&
         (!p->quarter || (at <= last && at > last - (p->quarters ? p->quarters : 1)));
}

void fact_period_keep(const struct fact_period *p, struct fact_rows *rows) {
  size_t n = 0;
  for (size_t i = 0; i < rows->count; i++)
    if (period_has(p, &rows->rows[i]))
      rows->rows[n++] = rows->rows[i];
  rows->count = n;
}
