/* fact_split.h: stock splits, seen by what they do to facts: after one, a filing gives amounts a share of earlier
 * spans anew, divided by the split's ratio, and average numbers of shares multiplied by it. */
#ifndef BID_FACT_SPLIT_H
#define BID_FACT_SPLIT_H

#include "facts/fact_rows.h"

#define FACT_SPLITS 16

struct fact_split {
  double ratio;           /* new shares for an old one; below 1 for a reverse split */
  int32_t before, after;  /* last filing seen with old numbers, first one with new ones */
  struct slice accession; /* of that one */
  size_t seen;            /* facts that show it */
};

struct fact_splits {
  struct fact_split split[FACT_SPLITS];
  size_t count;
};

/* as_of: splits that filings showed by that day; DAY_NONE: all. */
void fact_splits_find(struct fact_splits *splits, const struct fact_company *c, int32_t as_of);

/* What a row of amounts a share or numbers of shares, filed before a split, has to be divided by to be compared
 * with what was filed after it: 1 where there is nothing to do. */
double fact_split_factor(const struct fact_splits *splits, const struct fact_row *row);

#endif
