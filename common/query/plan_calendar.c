#include "query/plan_calendar.h"

#include <stdio.h>
#include <time.h>

int plan_days_of_month(int year, int month) {
  static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  int leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return month == 2 ? 28 + leap : days[(month + 11) % 12];
}

int plan_day_is_real(struct plan_day d) {
  return d.month >= 1 && d.month <= 12 && d.day >= 1 && d.day <= plan_days_of_month(d.year, d.month);
}

struct plan_day plan_day_of(int64_t unix_seconds) {
  time_t when = (time_t)unix_seconds;
  struct tm tm;
  gmtime_r(&when, &tm);
  return (struct plan_day){tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday};
}

struct plan_day plan_month_start(int year, int month, int months) {
  int count = year * 12 + month - 1 + months;
  return (struct plan_day){count / 12, count % 12 + 1, 1};
}

struct plan_day plan_month_end(int year, int month, int months) {
  struct plan_day d = plan_month_start(year, month, months);
  d.day = plan_days_of_month(d.year, d.month);
  return d;
}

struct plan_day plan_day_after(struct plan_day d) {
  if (++d.day <= plan_days_of_month(d.year, d.month))
    return d;
  return plan_month_start(d.year, d.month, 1);
}

struct plan_day plan_day_before(struct plan_day d) {
  if (--d.day >= 1)
    return d;
  return plan_month_end(d.year, d.month, -1);
}

int plan_day_order(struct plan_day a, struct plan_day b) {
  return (a.year - b.year) * 400 + (a.month - b.month) * 32 + a.day - b.day;
}

void plan_day_text(struct plan_day d, char out[11]) {
  snprintf(out, 11, "%04u-%02u-%02u", (unsigned)d.year % 10000, (unsigned)d.month % 100,
           (unsigned)d.day % 100);
}
