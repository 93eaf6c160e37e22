/* clock.h: times as the records hold them. */
#ifndef BID_CLOCK_H
#define BID_CLOCK_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define CLOCK_TEXT 32 /* bytes of "2026-03-05T00:00:00Z" with its end, and room */

/* Now, UTC, from the system's clock: for capturedAt; BID_NOW never changes it. */
void clock_stamp(char out[CLOCK_TEXT]);

/* What "recent" is counted from: BID_NOW where set and valid (ISO 8601), else now.  Unix seconds. */
int64_t clock_now(void);

/* Monotonic seconds. */
double clock_monotonic(void);

/* Parses "2026-03-05", "2026-03-05T00:00:00Z", "2026-03-05T00:00:00.000Z", "…+01:00".  0, or -1. */
int clock_parse(const char *text, int64_t *unix_seconds);

/* "20200102160703", a time on the wall in New York, where EDGAR's clock hangs, to Unix seconds.  Summer time
 * as in force since 1987 and, from 2007 on, after the Energy Policy Act of 2005; the hour that comes twice in
 * autumn is taken for the first.  0, or -1. */
int clock_parse_eastern(const char digits[14], int64_t *unix_seconds);

/* "2026-03-05T00:00:00Z" / "2026-03-05". */
void clock_format(int64_t unix_seconds, char out[CLOCK_TEXT]);
void clock_format_date(int64_t unix_seconds, char out[CLOCK_TEXT]);

/* "WHEN" of --since and its kin: a date or time as above, or a span before clock_now(): 6months, 90days,
 * 2weeks, 1year, 12hours (calendar months and years).  0, or -1. */
int clock_when(const char *text, int64_t *unix_seconds);

/* "January" for 1. */
const char *clock_month_name(int month);

/* The month, 1 to 12, that a word names in full, by three letters or as "Sept", in capitals or not; 0 for none. */
int clock_month(const char *word, size_t len);

#endif
