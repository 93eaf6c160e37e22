/* fact_days.h: days of the calendar as numbers, and how many months a span of them is. */
#ifndef BID_FACT_DAYS_H
#define BID_FACT_DAYS_H

#include "base/buf.h"

#include <stdint.h>

#define DAY_NONE INT32_MIN
#define DAY_TEXT 16 /* bytes of "2026-03-05" with its end, and room */

/* "2026-03-05" to days since 1970-01-01, or DAY_NONE where it is no day. */
int32_t day_parse(struct slice text);

/* Back; "-" for DAY_NONE.  Returns out. */
char *day_write(int32_t day, char out[DAY_TEXT]);

/* The day of a year (proleptic Gregorian), month and day from 1. */
int32_t day_of(int year, int month, int day);
void day_split(int32_t day, int *year, int *month, int *of_month);

/* Months of a span, both days included: 3, 6, 9 or 12 for what companies report as a quarter, two, three or a
 * year, which last 52 or 53 weeks or are parted 12, 12, 12 and 16 weeks; else rounded.  0 where start is
 * DAY_NONE. */
int day_months(int32_t start, int32_t end);

#endif
