/* plan_calendar.h: calculations with days, months and years; independent of the clock. */
#ifndef BID_PLAN_CALENDAR_H
#define BID_PLAN_CALENDAR_H

#include <stdint.h>

struct plan_day {
  int year, month, day; /* month and day from 1 */
};

int plan_days_of_month(int year, int month);
int plan_day_is_real(struct plan_day d);
struct plan_day plan_day_of(int64_t unix_seconds); /* UTC */

/* The first day of the month that many months later (or earlier); the last day of a month. */
struct plan_day plan_month_start(int year, int month, int months);
struct plan_day plan_month_end(int year, int month, int months);

/* The next day, the previous day; and a comparison like strcmp(). */
struct plan_day plan_day_after(struct plan_day d);
struct plan_day plan_day_before(struct plan_day d);
int plan_day_order(struct plan_day a, struct plan_day b);

/* Formats "YYYY-MM-DD". */
void plan_day_text(struct plan_day d, char out[11]);

#endif
