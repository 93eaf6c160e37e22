/* day.c: the calendar: days are counted from 1970-01-01. */
#include "base/day.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Days before 1 March of a year, counted from 0000-03-01: in such years the leap day is last. */
static int32_t days_before(int year) {
  return 365 * year + year / 4 - year / 100 + year / 400;
}

int32_t day_of(int year, int month, int day) {
  int shifted = (month + 9) % 12;
  int march_year = year - (month <= 2);
  return days_before(march_year) + (153 * shifted + 2) / 5 + day - 1 - 719468;
}

void day_split(int32_t day, int *year, int *month, int *of_month) {
  int32_t n = day + 719468;
  int y = (int)(((int64_t)n * 400) / 146097);
  while (days_before(y + 1) <= n)
    y++;
  while (days_before(y) > n)
    y--;
  int32_t rest = n - days_before(y);
  int shifted = (5 * rest + 2) / 153;
  *of_month = rest - (153 * shifted + 2) / 5 + 1;
  *month = shifted < 10 ? shifted + 3 : shifted - 9;
  *year = y + (*month <= 2);
}

int day_year(int32_t day) {
  int year, month, of_month;
  day_split(day, &year, &month, &of_month);
  return year;
}

int day_month(int32_t day) {
  int year, month, of_month;
  day_split(day, &year, &month, &of_month);
  return month;
}

int day_of_month(int32_t day) {
  int year, month, of_month;
  day_split(day, &year, &month, &of_month);
  return of_month;
}

int day_weekday(int32_t day) {
  return ((day + 3) % 7 + 7) % 7; /* 1970-01-01 was a Thursday */
}

int day_is_real(int year, int month, int day) {
  return month >= 1 && month <= 12 && day >= 1 && day_of(year, month, day) <= day_month_end(year, month, 0);
}

int32_t day_month_start(int year, int month, int months) {
  int count = year * 12 + month - 1 + months;
  return day_of(count / 12, count % 12 + 1, 1);
}

int32_t day_month_end(int year, int month, int months) {
  return day_month_start(year, month, months + 1) - 1;
}

int32_t day_add_months(int32_t day, int months) {
  int year, month, of_month;
  day_split(day, &year, &month, &of_month);
  int32_t same = day_month_start(year, month, months) + of_month - 1,
          last = day_month_end(year, month, months);
  return same < last ? same : last;
}

int32_t day_of_time(int64_t unix_seconds) {
  return (int32_t)((unix_seconds - (unix_seconds < 0 ? 86399 : 0)) / 86400);
}

int32_t day_parse(struct slice text) {
  int part[3] = {0, 0, 0};
  if (text.len < 10 || text.data[4] != '-' || text.data[7] != '-')
    return DAY_NONE;
  for (int i = 0, p = 0; i < 10; i++) {
    if (i == 4 || i == 7) {
      p++;
      continue;
    }
    if (text.data[i] < '0' || text.data[i] > '9')
      return DAY_NONE;
    part[p] = part[p] * 10 + (text.data[i] - '0');
  }
  return day_is_real(part[0], part[1], part[2]) ? day_of(part[0], part[1], part[2]) : DAY_NONE;
}

char *day_write(int32_t day, char out[DAY_TEXT]) {
  int y, m, d;
  if (day == DAY_NONE) {
    snprintf(out, DAY_TEXT, "-");
    return out;
  }
  day_split(day, &y, &m, &d);
  snprintf(out, DAY_TEXT, "%04u-%02u-%02u", (unsigned)y % 10000, (unsigned)m % 100, (unsigned)d % 100);
  return out;
}

int day_months(int32_t start, int32_t end) {
  static const struct {
    int least, most, months;
  } spans[] = {{75, 119, 3}, {160, 205, 6}, {246, 290, 9}, {350, 380, 12}};
  if (start == DAY_NONE)
    return 0;
  int days = end - start + 1;
  for (size_t i = 0; i < sizeof spans / sizeof *spans; i++)
    if (days >= spans[i].least && days <= spans[i].most)
      return spans[i].months;
  return (int)((days + 15) / 30.4375);
}

static const char *const month_names[] = {"January",   "February", "March",    "April",
                                          "May",       "June",     "July",     "August",
                                          "September", "October",  "November", "December"};

const char *day_month_name(int month) {
  return month_names[month - 1];
}

int day_month_named(const char *word, size_t len) {
  for (int m = 0; m < 12; m++)
    if ((len == strlen(month_names[m]) || len == 3 || (m == 8 && len == 4)) &&
        strncasecmp(word, month_names[m], len) == 0)
      return m + 1;
  return 0;
}
