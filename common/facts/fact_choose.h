/* fact_choose.h: the periods that answer a question which names none, but asks when, or since when. */
#ifndef BID_FACT_CHOOSE_H
#define BID_FACT_CHOOSE_H

#include "facts/fact_split.h"

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

#endif
