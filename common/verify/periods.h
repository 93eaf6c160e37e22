/* periods.h: the lengths of time and the directions that words give to a number. */
#ifndef BID_PERIODS_H
#define BID_PERIODS_H

#include "base/buf.h"

/* Months of the period that a text names nearest to byte `at` ("second quarter", "Q3", "six months ended", "39-week"),
 * one behind it before one in front; 0 where it names none. */
int period_months_near(struct slice text, size_t at);

/* 1 where the words around the number at bytes [from, to) say that something rose by it, or was so much more, -1 that it
 * fell, else 0: a number that it rose to or from is no change. */
int period_direction(struct slice text, size_t from, size_t to);

/* Whether the number at bytes [from, to) is said to be of the year before: "after $5 million", "from $5 million to",
 * "$5 million a year earlier". */
int period_is_before(struct slice text, size_t from, size_t to);

/* Whether a number of weeks or months at `to` is a period's length: "39 weeks". */
int period_is_length(struct slice text, size_t to);

#endif
