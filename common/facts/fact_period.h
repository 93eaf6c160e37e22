/* fact_period.h: the period that a user requests. */
#ifndef BID_FACT_PERIOD_H
#define BID_FACT_PERIOD_H

#include "facts/fact_rows.h"

struct fact_period {
  int fiscal_year;     /* by the company's counting; 0: any */
  int quarter;         /* 1 to 4; 5: the whole year; 0: any */
  int32_t from, until; /* range of last days; DAY_NONE: open */
};

/* Parses "FY-2024", "Q3-2024", "2024Q3", "H1-2024", "9M-2024", "CY2024", "CY2024Q1", "2024",
 * "2024-01-01..2024-06-30".  0, or -1. */
int fact_period_parse(struct fact_period *p, const char *text);

/* Makes of a whole year, fiscal or calendar, the quarters that end in it; other periods stay as they are. */
void fact_period_each_quarter(struct fact_period *p);

/* Removes rows of other periods. */
void fact_period_keep(const struct fact_period *p, struct fact_rows *rows);

#endif
