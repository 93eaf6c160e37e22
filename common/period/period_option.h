/* period_option.h: the days and periods that options name: --since, --until, --as-of, --period. */
#ifndef BID_PERIOD_OPTION_H
#define BID_PERIOD_OPTION_H

#include <stdint.h>

#define PERIOD_WHEN 64 /* bytes of a day or time with its '\0' */

struct period_item; /* period.h */

enum period_end { PERIOD_FIRST, PERIOD_LAST };

/* Writes the first or last day, "2025-03-31", of what the text names: a year, a month, a quarter of the calendar, words
 * ("March 2024", "last month") or a span before now ("6months").  A date, or a date with a time, stays as it is.  0, or -1
 * where it names none. */
int period_when(const char *text, enum period_end end, char out[PERIOD_WHEN]);

/* The first and last day of "2024", "2024-03", "2024-03-05" or of a range of two, of which one may be missing (DAY_NONE):
 * "2019..2021", "2024-03..".  0, or -1. */
int period_days(const char *text, int32_t *first, int32_t *last);

/* A text that is nothing but a year or a part of a year, "FY-2024", "Q3-2024", "CY2024Q1", "2q25": 1 with *item, else 0. */
int period_of_code(const char *text, struct period_item *item);

#endif
