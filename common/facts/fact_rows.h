/* fact_rows.h: the rows of one column: facts of one duration, one per period, reported or derived.
 *
 * A quarter is three months.  Of several filings with a value for a span, the one filed last is used, or the first,
 * or the last before a given day.  Quarters that are not reported are derived as differences: the fourth is the year
 * minus nine months (or minus three quarters), the second and third are differences of year-to-date values.  Twelve
 * months to the end of a quarter are the previous year plus this year to date minus the previous year to the same
 * point, or four quarters.  Averages, rates and per-share amounts are not derived.
 */
#ifndef BID_FACT_ROWS_H
#define BID_FACT_ROWS_H

#include "facts/fact.h"

#define FACT_PARTS 8 /* listed parts of a derived value; more are omitted */

enum fact_span { FACT_ANNUAL, FACT_QUARTERLY, FACT_TRAILING, FACT_HALF, FACT_NINE_MONTHS };

struct fact_choice {
  enum fact_span span;
  int first_reported; /* of restated values use the first instead of the last */
  int32_t as_of;      /* only facts filed by that day; DAY_NONE: all */
};

struct fact_part {
  const struct fact_series *series;
  const struct fact *fact;
  char sign; /* '+', '-', '*' or '/' */
};

struct fact_row {
  const struct fact_company *company;
  const struct fact_series *series; /* NULL for a value computed from several series */
  int32_t start, end;
  int months;
  int fiscal_year;
  char fiscal_period[8];
  char value[DECIMAL_TEXT]; /* digits of the value */
  struct decimal number;
  const struct fact *fact;  /* the fact that reports it; NULL where derived */
  const struct fact *other; /* a filing with a different value for the same span, or NULL */
  struct fact_part parts[FACT_PARTS];
  size_t part_count;
  int adjusted;        /* for a split between its parts */
  int derived;         /* from other spans, or computed from values that are */
  const char *formula; /* of a computed value, static or owned by the measure; else NULL */
};

struct fact_rows {
  struct fact_row *rows; /* ordered by end */
  size_t count;
  size_t mixed; /* spans that can't be derived, since some of their parts were restated and others not, */
  int32_t mixed_end; /* and the last day of the newest of them */
};

/* The rows of a series.  A series of balances has those at the ends of years (or quarters), or all where none is at
 * such an end.  Free with fact_rows_release(). */
void fact_rows_of(struct fact_rows *rows, const struct fact_company *c, const struct fact_series *s,
                  const struct fact_choice *choice);
void fact_rows_release(struct fact_rows *rows);
void fact_rows_add(struct fact_rows *rows, const struct fact_row *row);
void fact_rows_sort(struct fact_rows *rows);

/* A number shared by rows of the same period, flows and balances alike: the fiscal quarter at whose end they end. */
int fact_row_key(const struct fact_row *row);
const struct fact_row *fact_rows_find(const struct fact_rows *rows, int key);

/* The row of the same length that ends a year before a row's end, or NULL. */
const struct fact_row *fact_rows_year_before(const struct fact_rows *rows, const struct fact_row *row);

/* Adds the parts of one row to those of another; values are unchanged. */
void fact_row_add_parts(struct fact_row *row, const struct fact_row *with, char sign);

/* Gives a row a value, rounded to so many decimals.  0, or -1 on overflow. */
int fact_row_set(struct fact_row *row, double value, int digits);

/* Keeps the rows that end in [from, until] (DAY_NONE: open), then the newest `limit`. */
void fact_rows_narrow(struct fact_rows *rows, int32_t from, int32_t until, size_t limit);

/* Whether differences between spans are meaningful. */
int fact_is_additive(const struct fact_series *s);

/* ---- detects stock splits by their effect on facts: after a split, a filing restates per-share amounts of
earlier spans divided by its ratio, and average share counts multiplied by it ---- */

#define FACT_SPLITS 16

struct fact_split {
  double ratio;                /* new shares per old share; below 1 for a reverse split */
  int32_t before, after;       /* last filing date with old numbers, first one with new ones */
  struct slice accession;      /* of the latter filing */
  size_t seen, seen_per_share; /* numbers of share counts and of amounts a share that show it */
};

struct fact_splits {
  struct fact_split split[FACT_SPLITS];
  size_t count;
};

/* as_of: only splits visible in filings by that day; DAY_NONE: all. */
void fact_splits_find(struct fact_splits *splits, const struct fact_company *c, int32_t as_of);

/* The number by which a row of per-share amounts or share counts, filed before a split, or one computed from them, must be
 * divided to be comparable with later filings; 1 where no adjustment is needed. */
double fact_split_factor(const struct fact_splits *splits, const struct fact_row *row);

#endif
