/* period_option.c: what an option names, by the grammar of periods: its first or last day, or a year or quarter. */
#include "period/period_option.h"

#include "base/clock.h"
#include "base/day.h"
#include "base/xalloc.h"
#include "period/period.h"

#include <stdio.h>
#include <stdlib.h>

/* A year, a month or a day. */
static int plain_days(struct slice text, int32_t *first, int32_t *last) {
  int year = 0, month = 1, used = 0;
  char part[DAY_TEXT];
  snprintf(part, sizeof part, "%.*s", (int)(text.len < DAY_TEXT ? text.len : DAY_TEXT - 1), text.data);
  *first = *last = text.len == 10 ? day_parse(text) : DAY_NONE;
  if (*first != DAY_NONE)
    return 0;
  if ((text.len != 4 || sscanf(part, "%4d%n", &year, &used) != 1 || used != 4) &&
      (text.len != 7 || sscanf(part, "%4d-%2d%n", &year, &month, &used) != 2 || used != 7))
    return -1;
  if (year < 1900 || month < 1 || month > 12)
    return -1;
  *first = day_of(year, month, 1);
  *last = text.len == 4 ? day_of(year, 12, 31) : day_month_end(year, month, 0);
  return 0;
}

int period_days(const char *text, int32_t *first, int32_t *last) {
  const char *dots = strstr(text, "..");
  int32_t other;
  if (!dots)
    return plain_days(slice_str(text), first, last);
  *first = *last = DAY_NONE;
  if ((dots > text && plain_days(slice_of(text, (size_t)(dots - text)), first, &other)) ||
      (dots[2] && plain_days(slice_str(dots + 2), &other, last)) || (dots == text && !dots[2]))
    return -1;
  return *first != DAY_NONE && *last != DAY_NONE && *first > *last ? -1 : 0;
}

/* The day of a text that is one period and nothing else. */
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
    left |= (i < item->from || i >= item->to) && !taken[i] && !period_is(r, i, "the");
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
  int32_t day, first, last;
  char written[DAY_TEXT];
  if (strlen(text) < PERIOD_WHEN && clock_parse(text, &seconds) == 0) {
    snprintf(out, PERIOD_WHEN, "%s", text);
    return 0;
  }
  if (clock_when(text, &seconds) == 0)
    day = day_of_time(seconds);
  else if (period_days(text, &first, &last) == 0 && first != DAY_NONE && last != DAY_NONE)
    day = end == PERIOD_FIRST ? first : last;
  else if (!words_day(text, end, &day))
    return -1;
  snprintf(out, PERIOD_WHEN, "%s", day_write(day, written));
  return 0;
}

int period_of_code(const char *text, struct period_item *item) {
  struct plan_text *t = xmalloc(sizeof *t);
  uint8_t taken[PLAN_TOKENS] = {0};
  plan_text_read(t, slice_str(text));
  struct period_reading *r = period_read(t, taken, 0, day_of_time(clock_now()));
  period_link(r);
  *item = r->items[0];
  int found = r->count == 1 && !r->bad && (item->kind == ITEM_YEAR || item->kind == ITEM_PART) && item->year;
  for (size_t i = 0; i < t->count; i++)
    found &= taken[i] == TAKEN_PERIOD;
  period_free(r);
  free(t);
  return found;
}
