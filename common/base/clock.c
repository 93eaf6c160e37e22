/* clock.c: timestamps in the formats that records use. */
#include "base/clock.h"
#include "base/day.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void clock_format(int64_t unix_seconds, char out[CLOCK_TEXT]) {
  struct tm tm;
  time_t t = (time_t)unix_seconds;
  gmtime_r(&t, &tm);
  strftime(out, CLOCK_TEXT, "%Y-%m-%dT%H:%M:%SZ", &tm);
}

void clock_format_date(int64_t unix_seconds, char out[CLOCK_TEXT]) {
  struct tm tm;
  time_t t = (time_t)unix_seconds;
  gmtime_r(&t, &tm);
  strftime(out, CLOCK_TEXT, "%Y-%m-%d", &tm);
}

void clock_stamp(char out[CLOCK_TEXT]) {
  clock_format((int64_t)time(NULL), out);
}

int64_t clock_now(void) {
  const char *set = getenv("BID_NOW");
  int64_t t;
  if (set && *set && clock_parse(set, &t) == 0)
    return t;
  return (int64_t)time(NULL);
}

static double seconds_of(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

double clock_monotonic(void) {
  return seconds_of(CLOCK_MONOTONIC);
}

double clock_wall(void) {
  return seconds_of(CLOCK_REALTIME);
}

void clock_sleep(double seconds) {
  if (seconds <= 0)
    return;
  struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  while (nanosleep(&t, &t) != 0 && errno == EINTR)
    ;
}

/* Reads exactly n digits; -1 where there are fewer. */
static int clock_digits(const char **s, int n) {
  int v = 0;
  for (int i = 0; i < n; i++, (*s)++) {
    if (!isdigit((unsigned char)**s))
      return -1;
    v = v * 10 + (**s - '0');
  }
  return v;
}

static int parse_date(const char **s, struct tm *tm) {
  int year = clock_digits(s, 4);
  if (year < 0 || *(*s)++ != '-')
    return -1;
  int month = clock_digits(s, 2);
  if (month < 1 || month > 12 || *(*s)++ != '-')
    return -1;
  int day = clock_digits(s, 2);
  if (!day_is_real(year, month, day))
    return -1;
  tm->tm_year = year - 1900;
  tm->tm_mon = month - 1;
  tm->tm_mday = day;
  return 0;
}

/* Parses "Z", "+01:00", "+0100", "-05" or nothing (UTC) to seconds east of UTC. */
static int parse_zone(const char **s, int *east) {
  *east = 0;
  if (**s == 'Z' || **s == 'z') {
    (*s)++;
    return 0;
  }
  if (**s != '+' && **s != '-')
    return 0;
  int sign = *(*s)++ == '-' ? -1 : 1;
  int hours = clock_digits(s, 2), minutes = 0;
  if (**s == ':')
    (*s)++;
  if (isdigit((unsigned char)**s))
    minutes = clock_digits(s, 2);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59)
    return -1;
  *east = sign * (hours * 3600 + minutes * 60);
  return 0;
}

static int parse_time(const char **s, struct tm *tm, int *east) {
  tm->tm_hour = clock_digits(s, 2);
  if (tm->tm_hour < 0 || tm->tm_hour > 23 || *(*s)++ != ':')
    return -1;
  tm->tm_min = clock_digits(s, 2);
  if (tm->tm_min < 0 || tm->tm_min > 59)
    return -1;
  if (**s == ':') {
    (*s)++;
    tm->tm_sec = clock_digits(s, 2);
    if (tm->tm_sec < 0 || tm->tm_sec > 60)
      return -1;
  }
  if (**s == '.')
    for ((*s)++; isdigit((unsigned char)**s); (*s)++)
      ;
  return parse_zone(s, east);
}

int clock_parse(const char *text, int64_t *unix_seconds) {
  struct tm tm = {0};
  int east = 0;
  const char *s = text;
  if (parse_date(&s, &tm))
    return -1;
  if (*s == 'T' || *s == ' ') {
    s++;
    if (parse_time(&s, &tm, &east))
      return -1;
  }
  if (*s)
    return -1;
  *unix_seconds = (int64_t)timegm(&tm) - east;
  return 0;
}

/* The day of the n-th Sunday of a month; n 5 is the last one. */
static int sunday(int year, int month, int n) {
  int32_t first = day_month_start(year, month, 0), sunday = first + (6 - day_weekday(first)) + 7 * (n - 1);
  return sunday - first + 1 - (sunday > day_month_end(year, month, 0) ? 7 : 0);
}

/* Compared as MMDDhh of local time: daylight saving time begins and ends at 2. */
static int is_summer(int year, int month, int day, int hour) {
  int late = year >= 2007;
  int from = late ? 30000 + sunday(year, 3, 2) * 100 + 2 : 40000 + sunday(year, 4, 1) * 100 + 2;
  int to = late ? 110000 + sunday(year, 11, 1) * 100 + 2 : 100000 + sunday(year, 10, 5) * 100 + 2;
  int now = month * 10000 + day * 100 + hour;
  return now >= from && now < to;
}

int clock_parse_eastern(const char digits[14], int64_t *unix_seconds) {
  char text[20];
  const char *d = digits;
  snprintf(text, sizeof text, "%.4s-%.2s-%.2sT%.2s:%.2s:%.2s", d, d + 4, d + 6, d + 8, d + 10, d + 12);
  if (clock_parse(text, unix_seconds))
    return -1;
  int year = atoi(text), month = atoi(text + 5), day = atoi(text + 8), hour = atoi(text + 11);
  *unix_seconds += (is_summer(year, month, day, hour) ? 4 : 5) * 3600;
  return 0;
}

/* Goes back by calendar months; the day is clamped to the length of the resulting month. */
static int64_t months_before(int64_t now, long months) {
  int32_t day = day_of_time(now);
  return now - (day - day_add_months(day, (int)-months)) * (int64_t)86400;
}

int clock_when(const char *text, int64_t *unix_seconds) {
  if (clock_parse(text, unix_seconds) == 0)
    return 0;
  char *unit;
  long n = strtol(text, &unit, 10);
  if (unit == text || n < 0 || n > 12000)
    return -1;
  size_t len = strlen(unit);
  if (len > 1 && unit[len - 1] == 's')
    len--;
  int64_t now = clock_now();
  static const struct {
    const char *name;
    int64_t seconds;
    int months;
  } units[] = {{"hour", 3600, 0}, {"day", 86400, 0}, {"week", 604800, 0}, {"month", 0, 1}, {"year", 0, 12}};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (len == strlen(units[i].name) && strncmp(unit, units[i].name, len) == 0) {
      *unix_seconds = units[i].months ? months_before(now, n * units[i].months) : now - n * units[i].seconds;
      return 0;
    }
  return -1;
}
