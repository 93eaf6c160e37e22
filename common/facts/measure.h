/* measure.h: what a user asks for by a concept's name, a plain word or a formula, as the rows of a column. */
#ifndef BID_MEASURE_H
#define BID_MEASURE_H

#include "facts/concepts.h"
#include "facts/fact_rows.h"

struct measure {
  const struct fact_company *company;
  char *asked, *label, *unit, *formula; /* formula may be NULL */
  struct fact_rows rows;
  struct buf notes; /* lines for people: what ended, what followed */
};

struct measure_context {
  const struct concept_table *table;
  const struct fact_company *company;
  struct slice unit; /* asked for, or empty */
  struct fact_choice choice;
};

/* 0, or -1 with why (which names near concepts) where the company reports nothing of it.  Either way to be
 * released. */
int measure_make(struct measure *m, const struct measure_context *x, struct slice asked, struct buf *why);
void measure_release(struct measure *m);

/* Whether values are ratios: parts of a whole, to be shown as percent, or what is called a ratio, "current ratio". */
enum measure_ratio { MEASURE_AMOUNT, MEASURE_PERCENT, MEASURE_MULTIPLE };
enum measure_ratio measure_is_ratio(const struct measure *m);

/* Parts a formula at its last operator, so that it is worked from left to right; 0 where there is none. */
char measure_split(struct slice formula, struct slice *left, struct slice *right);

#endif
