/* plan_parts.h: parses parts of fiscal years in a question. */
#ifndef BID_PLAN_PARTS_H
#define BID_PLAN_PARTS_H

#include "query/plan_dates.h"

/* A part of a year, possibly with its year in the same token: "Q2", "2Q25", "25Q2", "Q2-25", "second quarter",
 * "quarter 2", "last quarter of", "H1", "first half", "first two quarters", "nine months", "9M24".  *year is 0 where
 * not stated.  *period is PLAN_ANY for an impossible number ("Q5").  Parses at token i; returns the number of tokens
 * consumed, 0 where there is no match. */
size_t plan_period_at(const struct plan_text *t, size_t i, enum plan_period *period, int *year,
                      enum plan_year_kind *kind);

#endif
