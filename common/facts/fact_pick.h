/* fact_pick.h: the rows of a figure that a question's period picks. */
#ifndef BID_FACT_PICK_H
#define BID_FACT_PICK_H

#include "facts/measure.h"

/* A figure in the currency that is asked for (x->unit); one without a currency has its own unit.  0 where m has rows, or -1
 * with why.  Release m in both cases. */
int fact_pick_measure(struct measure *m, const struct measure_context *x, struct slice word, struct buf *why);

/* Of a window of stated length, keeps only spans of that length and balances; months 0: all. */
void fact_pick_length(struct fact_rows *rows, int months);

/* Keeps the `limit` rows behind the `before` newest ones; of quarters only those of a quarterly report then, since a fourth
 * quarter has none to count. */
void fact_pick_before(struct fact_rows *rows, enum fact_span span, size_t before, size_t limit);

/* Whether the newest row of a figure is that of a day, not of a span. */
int fact_pick_is_balance(const struct measure_context *x, struct slice word);

/* The day of the question: as_of, or today where that is DAY_NONE. */
int32_t fact_pick_today(int32_t as_of);

#endif
