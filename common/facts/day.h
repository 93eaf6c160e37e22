/* day.h: calendar days as numbers, and the length of spans in months. */
#ifndef BID_DAY_H
#define BID_DAY_H

#include "base/buf.h"

#include <stdint.h>

#define DAY_NONE INT32_MIN
#define DAY_TEXT 16 /* bytes: "2026-03-05", its '\0' and spare room */

/* Days since 1970-01-01 of "2026-03-05", or DAY_NONE where it is not a date. */
int32_t day_parse(struct slice text);

/* The inverse; "-" for DAY_NONE.  Returns out. */
char *day_write(int32_t day, char out[DAY_TEXT]);

/* The day of a date (proleptic Gregorian calendar), month and day from 1. */
int32_t day_of(int year, int month, int day);
void day_split(int32_t day, int *year, int *month, int *of_month);

/* Length of a span in months, both days included: 3, 6, 9 or 12 for what companies report as one, two, three quarters
 * or a year (which have 52 or 53 weeks, or quarters of 12, 12, 12 and 16 weeks); other lengths are rounded.  0 where
 * start is DAY_NONE. */
int day_months(int32_t start, int32_t end);

#endif
