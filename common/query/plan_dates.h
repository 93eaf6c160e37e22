/* plan_dates.h: parses dates and years in a question. */
#ifndef BID_PLAN_DATES_H
#define BID_PLAN_DATES_H

#include "query/plan.h"
#include "query/plan_calendar.h"
#include "query/plan_text.h"

#define PLAN_YEAR_FIRST 1993 /* EDGAR's first year */
#define PLAN_YEAR_LAST 2099

/* Each of these parses at token i and returns the number of tokens consumed, 0 where there is no match. */

/* A date: "March 29, 2025", "29 March 2025", "Mar 2025", "2025-03-29", "3/29/2025", "March 29".  Day or year is 0
 * where not stated; the month always is. */
size_t plan_date_at(const struct plan_text *t, size_t i, struct plan_day *day);

/* Whether the tokens at i have the form of a date with a year, but of a day that doesn't exist. */
int plan_date_is_bad(const struct plan_text *t, size_t i);

/* A month's name; its number in *month. */
size_t plan_month_at(const struct plan_text *t, size_t i, int *month);

enum plan_year_kind { YEAR_PLAIN, YEAR_FISCAL, YEAR_CALENDAR };

/* A year: "2024", "FY24", "FY'24", "FYE23", "fiscal 2015", "fiscal year 2015", "CY2023", "calendar 2023". */
size_t plan_year_at(const struct plan_text *t, size_t i, int *year, enum plan_year_kind *kind);

/* The year of a token of four digits: "2024", "2024's", "2024A"; or 0. */
int plan_year_number(const struct plan_token *token);

/* The year of n digits, two of them as after an apostrophe or FY: "25", 1993 to 2092; or 0. */
int plan_year_short(const char *digits, size_t n);

#endif
