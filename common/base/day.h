/* day.h: calendar days as numbers: their text, months and years (proleptic Gregorian calendar). */
#ifndef BID_DAY_H
#define BID_DAY_H

#include "base/slice.h"

#include <stddef.h>
#include <stdint.h>

#define DAY_NONE INT32_MIN
#define DAY_TEXT 16 /* bytes: "2026-03-05", its '\0' and spare room */

/* Days since 1970-01-01 of "2026-03-05", or DAY_NONE where it is not a date. */
int32_t day_parse(struct slice text);

/* The inverse; "-" for DAY_NONE.  Returns out. */
char *day_write(int32_t day, char out[DAY_TEXT]);

/* The day of a date, month and day from 1. */
int32_t day_of(int year, int month, int day);
void day_split(int32_t day, int *year, int *month, int *of_month);
int day_year(int32_t day);
int day_month(int32_t day);
int day_of_month(int32_t day);
int day_weekday(int32_t day); /* 0: Monday */

/* Whether the calendar has that day. */
int day_is_real(int year, int month, int day);

/* The first and the last day of the month that many months later, or earlier where months < 0. */
int32_t day_month_start(int year, int month, int months);
int32_t day_month_end(int year, int month, int months);

/* The same day of the month that many months later or earlier, at most that month's last day. */
int32_t day_add_months(int32_t day, int months);

/* The UTC day of a time in Unix seconds. */
int32_t day_of_time(int64_t unix_seconds);

/* Length of a span in months, both days included: 3, 6, 9 or 12 for what companies report as one, two, three quarters
 * or a year (which have 52 or 53 weeks, or quarters of 12, 12, 12 and 16 weeks); other lengths are rounded.  0 where
 * start is DAY_NONE. */
int day_months(int32_t start, int32_t end);

/* The English name of a month: "January" for 1. */
const char *day_month_name(int month);

/* The month, 1 to 12, that a word names: in full, by its first three letters or as "Sept", in any case.  0 where it
 * names none. */
int day_month_named(const char *word, size_t len);

#endif
