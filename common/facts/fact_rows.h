/* fact_rows.h: the rows of one column: facts of one duration, one a period, reported or derived.
 *
 * A quarter is three months.  Of several filings that give a span's value, the one filed last stands, or the
 * first, or the last before a day.  Quarters that nobody reports are differences: the fourth is the year less
 * nine months (or less three quarters), the second and third the difference of what was reported from the year's
 * beginning.  Twelve months to a quarter's end are the year before, and what this year has more than that year
 * had at the same point; or four quarters.  Averages, rates and amounts a share are not derived.
 */
#ifndef BID_FACT_ROWS_H
#define BID_FACT_ROWS_H

#include "facts/fact.h"

#define FACT_PARTS 8 /* of a derived value; further ones are not named */

enum fact_span { FACT_ANNUAL, FACT_QUARTERLY, FACT_TRAILING, FACT_HALF, FACT_NINE_MONTHS };

struct fact_choice {
  enum fact_span span;
  int first_reported; /* of restated values the first, not the last */
  int32_t as_of;      /* only what was filed by that day; DAY_NONE: all */
};

struct fact_part {
  const struct fact_series *series;
  const struct fact *fact;
  char sign; /* '+', '-', '*' or '/' */
};

struct fact_row {
  const struct fact_company *company;
  const struct fact_series *series; /* NULL for what is computed of several */
  int32_t start, end;
  int months;
  int fiscal_year;
  char fiscal_period[8];
  char value[DECIMAL_TEXT]; /* the digits */
  struct decimal number;
  const struct fact *fact;  /* that reports it; NULL where derived */
  const struct fact *other; /* a filing that gave another value for the same span, or NULL */
  struct fact_part parts[FACT_PARTS];
  size_t part_count;
  const char *unit_text; /* of what is computed: its unit, static or owned by the measure; else NULL */
  const char *formula;   /* likewise: how it is computed */
};

struct fact_rows {
  struct fact_row *rows; /* by end */
  size_t count;
};

/* The rows of a series.  A series of values on a day has those at the ends of years (or of quarters); where it
 * has none there, all.  To be freed with fact_rows_release(). */
void fact_rows_of(struct fact_rows *rows, const struct fact_company *c, const struct fact_series *s,
                  const struct fact_choice *choice);
void fact_rows_release(struct fact_rows *rows);
void fact_rows_add(struct fact_rows *rows, const struct fact_row *row);

/* A number that rows of one period have in common, flows and balances alike: the fiscal year's quarter at whose
 * end they end. */
int fact_row_key(const struct fact_row *row);
const struct fact_row *fact_rows_find(const struct fact_rows *rows, int key);

/* Adds the parts of one row to those of another; the values stay. */
void fact_row_add_parts(struct fact_row *row, const struct fact_row *with, char sign);

/* Keeps the rows that end from `from` to `until` (DAY_NONE: open), then the newest `limit`. */
void fact_rows_narrow(struct fact_rows *rows, int32_t from, int32_t until, size_t limit);

/* Whether a difference of two spans' values means something. */
int fact_is_additive(const struct fact_series *s);

#endif
