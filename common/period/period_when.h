/* period_when.h: the days that an option names, --since, --until, --as-of. */
#ifndef BID_PERIOD_WHEN_H
#define BID_PERIOD_WHEN_H

#define PERIOD_WHEN 64 /* bytes of a day or time with its '\0' */

enum period_end { PERIOD_FIRST, PERIOD_LAST };

/* Writes the first or last day, "2025-03-31", of what the text names: a year, a month, a quarter of the calendar, words
 * ("March 2024", "last month") or a span before now ("6months").  A date, or a date with a time, stays as it is.  0, or -1
 * where it names none. */
int period_when(const char *text, enum period_end end, char out[PERIOD_WHEN]);

#endif
