/* fact.h: a company's XBRL facts, as in https://data.sec.gov/api/xbrl/companyfacts/: concepts, each with one or more
 * units, each with its facts. */
#ifndef BID_FACT_H
#define BID_FACT_H

#include "base/diag.h"
#include "facts/decimal.h"
#include "base/day.h"

struct fact {
  int32_t start, end; /* inclusive; start is DAY_NONE for a balance */
  int32_t filed;
  int16_t months;        /* 0 for a balance */
  int16_t filing_year;   /* fiscal year of the filing (not of the fact), or 0 */
  int16_t annual;        /* the filing is an annual report */
  int16_t exact;         /* number has the value */
  struct slice value;    /* digits as filed */
  struct decimal number; /* the value as a number */
  struct slice accession, form;
};

/* The facts of one concept in one unit, ordered by end, months and filing date. */
struct fact_series {
  struct slice taxonomy, concept, label, unit;
  struct fact *facts;
  size_t count;
};

/* A fiscal year; or a transition period, which a company reports on when its fiscal year changes.  A transition period has the
 * number that no year has (NAMED), or stands behind the last quarter of the year before (BETWEEN). */
struct fact_year {
  int32_t start, end;
  int label; /* number of the fiscal year, by the company's own counting at that time */
  enum { TRANSITION_NONE, TRANSITION_NAMED, TRANSITION_BETWEEN } transition;
};

struct fact_company {
  struct slice cik, name, ticker;     /* cik has ten digits; ticker may be empty */
  struct slice source, url, captured; /* origin of the data; captured is a date; each may be empty */
  const char *file;                   /* the file that was read, or NULL */
  struct fact_series *series;
  size_t series_count;
  struct fact_year *years; /* its fiscal years, in order */
  size_t year_count;
  int32_t *ends; /* last days of all reported spans, sorted */
  size_t end_count;
  int32_t newest; /* the latest of them */
  int by_day;     /* not a company but a source of series without fiscal years: every day is a period */
  struct slice *left_out; /* concepts that a document tags with numbers that can't be known */
  size_t left_out_count;
  struct buf text; /* memory of the slices */
  char **kept;     /* more memory of slices */
  size_t kept_count;
};

void fact_company_init(struct fact_company *c);
void fact_company_release(struct fact_company *c);

/* Whether the facts are those of a single document, which has no accession number. */
int fact_is_document(const struct fact_company *c);

/* Parses a companyfacts answer and takes ownership of the JSON text in `json`, which is left empty.  0, or -1 with
 * why. */
int fact_company_read(struct fact_company *c, struct buf *json, struct error_text *why);

/* The part of "us-gaap:Assets" behind its colon, and the taxonomy before it, empty where there is none (may be NULL). */
struct slice fact_name_local(struct slice name, struct slice *taxonomy);

/* Copies a text into memory that lives as long as the company. */
struct slice fact_company_keep(struct fact_company *c, struct slice text);

/* Adds a series, whose facts the company then owns; doesn't sort. */
struct fact_series *fact_company_add(struct fact_company *c, struct slice taxonomy, struct slice concept,
                                     struct slice unit);
void fact_series_add(struct fact_series *s, const struct fact *f);

/* Sorts all series and determines the fiscal years; call it after the last fact was added. */
void fact_company_settle(struct fact_company *c);

/* Whether a series is of a concept; the taxonomy of its name may be left out. */
int fact_is_concept(const struct fact_series *s, struct slice name);

/* The series of a concept, "Assets" or "us-gaap:Assets", in a unit, or where unit is empty in the unit of
 * the newest facts, or of most.  NULL where there is none. */
const struct fact_series *fact_company_find(const struct fact_company *c, struct slice concept,
                                            struct slice unit);

/* The fiscal year and period of a span; period is "FY", "Q1" to "Q4", "H1", "H2", "9M", "TTM", "TP" for a transition
 * period, "TP-Q1" for its quarters, or "".
 * Returns the year's label. */
int fact_fiscal(const struct fact_company *c, int32_t start, int32_t end, int months, char period[8]);

/* A number for the fiscal quarter at whose end a day is, FACT_KEY_QUARTER apart from the next one's; those of a transition
 * period lie between. */
enum { FACT_KEY_QUARTER = 8, FACT_KEY_YEAR = 4 * FACT_KEY_QUARTER };
int fact_key(const struct fact_company *c, int32_t end);

/* Whether a reported span ends on that day. */
int fact_ends_on(const struct fact_company *c, int32_t day);

#endif
