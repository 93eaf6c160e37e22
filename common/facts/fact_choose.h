/* fact_choose.h: the periods that answer a question which names none, but asks when, or since when. */
#ifndef BID_FACT_CHOOSE_H
#define BID_FACT_CHOOSE_H

#include "facts/fact_split.h"
#include "facts/measure.h"

enum fact_choose_kind {
  FACT_CHOOSE_NEWEST, /* it asks for neither */
  FACT_CHOOSE_CROSSING, /* the first year above or below an amount: "when did revenue first exceed 300 billion" */
  FACT_CHOOSE_YEARS     /* "when", "ever", or since an event that has no date here: years beside each other */
};

struct fact_choose {
  enum fact_choose_kind kind;
  double amount;
  int below;
  struct slice since; /* of the question: "since the merger"; or empty */
};

struct fact_choose fact_choose_read(struct slice query);

/* Keeps the rows that answer: the year that crosses the amount and the one before it, or the newest years.  -1 where no row
 * crosses it, which leaves none. */
int fact_choose_rows(const struct fact_choose *choose, const struct fact_splits *splits,
                     struct fact_rows *rows);

/* A figure in the currency that is asked for (x->unit); one without a currency has its own unit.  0 where m has rows, or -1.  Release m in both cases. */
int fact_pick_measure(struct measure *m, const struct measure_context *x, struct slice word);

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
