/* clock.h: timestamps in the formats that records use. */
#ifndef BID_CLOCK_H
#define BID_CLOCK_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define CLOCK_TEXT 32 /* bytes: "2026-03-05T00:00:00Z", its '\0' and spare room */

/* The current UTC time of the system clock, for capturedAt.  BID_NOW does not affect it. */
void clock_stamp(char out[CLOCK_TEXT]);

/* The reference time for relative dates such as "recent", in Unix seconds: BID_NOW (ISO 8601) where set and valid,
 * else the system clock. */
int64_t clock_now(void);

/* Seconds of the monotonic clock; of the system clock, with their fraction. */
double clock_monotonic(void);
double clock_wall(void);

/* Sleeps, also where signals arrive. */
void clock_sleep(double seconds);

/* Parses "2026-03-05", "2026-03-05T00:00:00Z", "2026-03-05T00:00:00.000Z", "…+01:00".  0, or -1. */
int clock_parse(const char *text, int64_t *unix_seconds);

/* Parses "20200102160703", local time in New York (EDGAR's clock), to Unix seconds.  Daylight saving time follows the
 * rules in force since 1987 and, from 2007 on, the Energy Policy Act of 2005; the hour that occurs twice in autumn is
 * read as the first one.  0, or -1. */
int clock_parse_eastern(const char digits[14], int64_t *unix_seconds);

/* Format as "2026-03-05T00:00:00Z" and as "2026-03-05". */
void clock_format(int64_t unix_seconds, char out[CLOCK_TEXT]);
void clock_format_date(int64_t unix_seconds, char out[CLOCK_TEXT]);

/* Parses the WHEN of --since: a date or time as above, or a span before clock_now() such as 6months, 90days, 2weeks,
 * 1year or 12hours (calendar months and years).  0, or -1. */
int clock_when(const char *text, int64_t *unix_seconds);

#endif
