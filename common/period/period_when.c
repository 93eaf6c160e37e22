/* period_when.c: the first or last day of what an option names, by the grammar of periods. */
#include "period/period_when.h"

#include "base/clock.h"
#include "base/day.h"
#include "base/xalloc.h"
#include "period/period.h"

#include <stdio.h>
#include <stdlib.h>

/* "2025-03": in a sentence that may also be a range of years. */
static int month_day(const char *text, enum period_end end, int32_t *day) {
  int year, month, used = 0;
  if (strlen(text) != 7 || sscanf(text, "%4d-%2d%n", &year, &month, &used) != 2 || used != 7 || month < 1 ||
      month > 12)
    return 0;
  *day = end == PERIOD_FIRST ? day_month_start(year, month, 0) : day_month_end(year, month, 0);
  return 1;
}

/* The day of the only period in a text that has no other number. */
static int words_day(const char *text, enum period_end end, int32_t *day) {
  struct plan_text *t = xmalloc(sizeof *t);
  uint8_t taken[PLAN_TOKENS] = {0};
  int left = 0;
  plan_text_read(t, slice_str(text));
  struct period_reading *r =
      period_read(t, taken, PERIOD_IF_EVENT | PERIOD_IF_SPAN, day_of_time(clock_now()));
  period_link(r);
  const struct period_item *item = &r->items[0];
  for (size_t i = 0; i < t->count; i++)
    left |= !taken[i] && t->token[i].digits;
  *day = DAY_NONE;
  int dated = item->kind == ITEM_YEAR || item->kind == ITEM_PART ? item->year > 0 : item->day != DAY_NONE;
  if (r->count == 1 && !left && !r->bad && dated)
    *day = end == PERIOD_FIRST ? period_first_day(item) : period_last_day(item);
  if (*day == DAY_NONE && r->count == 1 && !left && item->kind == ITEM_RANGE)
    *day = r->today; /* "this year" until now */
  period_free(r);
  free(t);
  return *day != DAY_NONE;
}

int period_when(const char *text, enum period_end end, char out[PERIOD_WHEN]) {
  int64_t seconds;
  int32_t day;
  char written[DAY_TEXT];
  if (strlen(text) < PERIOD_WHEN && clock_parse(text, &seconds) == 0) {
    snprintf(out, PERIOD_WHEN, "%s", text);
    return 0;
  }
  if (clock_when(text, &seconds) == 0)
    day = day_of_time(seconds);
  else if (!month_day(text, end, &day) && !words_day(text, end, &day))
    return -1;
  snprintf(out, PERIOD_WHEN, "%s", day_write(day, written));
  return 0;
}
