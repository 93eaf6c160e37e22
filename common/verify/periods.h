/* periods.h: recognises durations and directions that words give to a number. */
#ifndef BID_PERIODS_H
#define BID_PERIODS_H

#include "base/buf.h"

/* Length in months of the period named nearest to byte `at` ("second quarter", "Q3", "six months ended", "39-week"),
 * preferably after it; 0 where none is named. */
int period_months_near(struct slice text, size_t at);

/* The quarter that a text names nearest to byte `at`, 1 to 4 ("second quarter", "Q2"); 0 where it names none. */
int period_quarter_near(struct slice text, size_t at);

/* The day nearest to byte `at`, "May 5" as 505; 0 where there is none. */
int period_day_near(struct slice text, size_t at);

/* 1 where the words around the number at bytes [from, to) say that something increased by it or was higher by it, -1
 * for a decrease, else 0; a number that something rose to or from is not a change. */
int period_direction(struct slice text, size_t from, size_t to);

/* Whether the number at bytes [from, to) is said to be of the year before: "after $5 million", "from $5 million to",
 * "$5 million a year earlier". */
int period_is_before(struct slice text, size_t from, size_t to);

/* Whether "from" at a byte is of a range, "ranging from 1% to 6%", which nothing came from. */
int period_is_range(struct slice text, size_t from);

#endif
