/* plan_dates.h: parses dates, years and fiscal periods in a question. */
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

/* A part of a year, possibly with its year in the same token: "Q2", "2Q25", "25Q2", "Q2-25", "second quarter",
 * "quarter 2", "last quarter of", "H1", "first half", "first two quarters", "nine months", "9M24".  *year is 0 where
 * not stated.  *period is PLAN_ANY for an impossible number ("Q5"). */
size_t plan_period_at(const struct plan_text *t, size_t i, enum plan_period *period, int *year,
                      enum plan_year_kind *kind);

/* A reporting unit, "quarter", "yrs", "months"; its length in months. */
size_t plan_unit_at(const struct plan_text *t, size_t i, int *months);

/* A length: "quarter", "nine months", "39 weeks", "two fiscal years"; in months. */
size_t plan_length_at(const struct plan_text *t, size_t i, int *months);

/* A small number in digits or words: "three", "3". */
size_t plan_count_at(const struct plan_text *t, size_t i, int *count);

#endif
