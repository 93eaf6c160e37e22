/* fact_split.h: detects stock splits by their effect on facts: after a split, a filing restates per-share amounts of
 * earlier spans divided by its ratio, and average share counts multiplied by it. */
#ifndef BID_FACT_SPLIT_H
#define BID_FACT_SPLIT_H

#include "facts/fact_rows.h"

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
