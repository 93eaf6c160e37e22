/* fact.h: what a company reported in XBRL, as https://data.sec.gov/api/xbrl/companyfacts/ has it: concepts, each
 * in one unit or several, each with its facts. */
#ifndef BID_FACT_H
#define BID_FACT_H

#include "base/diag.h"
#include "facts/decimal.h"
#include "facts/fact_days.h"

struct fact {
  int32_t start, end; /* both included; start is DAY_NONE for what stands on a day */
  int32_t filed;
  int16_t months;        /* 0 on a day */
  int16_t filing_year;   /* fiscal year that the filing is about, not the fact; or 0 */
  int16_t annual;        /* the filing is a yearly report */
  int16_t exact;         /* number holds the value */
  struct slice value;    /* its digits as they were filed */
  struct decimal number; /* the same */
  struct slice accession, form;
};

/* The facts of one concept in one unit, by end, months and day of filing. */
struct fact_series {
  struct slice taxonomy, concept, label, unit;
  struct fact *facts;
  size_t count;
};

struct fact_year {
  int32_t start, end;
  int label; /* as the company counts its years */
};

struct fact_company {
  struct slice cik, name, ticker;     /* cik has ten digits; ticker may be empty */
  struct slice source, url, captured; /* of the answer; captured is a day; each may be empty */
  const char *file;                   /* that it was read from; or NULL */
  struct fact_series *series;
  size_t series_count;
  struct fact_year *years; /* its fiscal years, in order */
  size_t year_count;
  int32_t *ends; /* days on which a reported span ends, sorted */
  size_t end_count;
  int32_t newest;  /* the last of them */
  int by_day;      /* not a company but a source of series without fiscal years: every day is a period */
  struct buf text; /* what the slices lie in */
  char **kept;     /* and these */
  size_t kept_count;
};

void fact_company_init(struct fact_company *c);
void fact_company_release(struct fact_company *c);

/* Takes over the JSON text in `json` (left empty): an answer of companyfacts.  0, or -1 with why. */
int fact_company_read(struct fact_company *c, struct buf *json, struct error_text *why);

/* Copies a text into memory that lives as long as the company. */
struct slice fact_company_keep(struct fact_company *c, struct slice text);

/* Adds a series, whose facts the company owns from then on; sorts nothing yet. */
struct fact_series *fact_company_add(struct fact_company *c, struct slice taxonomy, struct slice concept,
                                     struct slice unit);
void fact_series_add(struct fact_series *s, const struct fact *f);

/* Sorts, and finds the fiscal years: to be called once all facts are there. */
void fact_company_settle(struct fact_company *c);

/* The series of a concept, "Assets" or "us-gaap:Assets", in a unit; without a unit, the one with most facts.
 * NULL where there is none. */
const struct fact_series *fact_company_find(const struct fact_company *c, struct slice concept,
                                            struct slice unit);

/* Which fiscal year and period a span belongs to; period is "FY", "Q1" to "Q4", "H1", "9M", "TTM" or "" (up to
 * 7 characters).  Returns the year's label. */
int fact_fiscal(const struct fact_company *c, int32_t start, int32_t end, int months, char period[8]);

/* Whether a span that was reported ends on that day. */
int fact_ends_on(const struct fact_company *c, int32_t day);

#endif
