/* periods.h: the lengths, quarters and days that a text names, and the directions that words give to a number. */
#ifndef BID_PERIODS_H
#define BID_PERIODS_H

#include "text/numbers.h"

enum { PERIODS_MAX = 32 };

struct period_told { /* 0 for what isn't told */
  size_t start, end; /* bytes of the text */
  int months;        /* length, "six months ended", "39-week", "Q3"; below 0: not known */
  int quarter;       /* 1 to 4 */
  int day;           /* "May 5" as 505 */
  int month;         /* "May 2025" */
  int year;          /* its own, or one alone, "2024" */
};

/* The periods of a text, in its order; those of more are not read. */
struct periods {
  struct period_told of[PERIODS_MAX];
  size_t count;
  struct slice text;
};

/* Reads the periods of a text.  stated: its numbers, which tell its years, or NULL. */
void periods_read(struct periods *p, struct slice text, const struct stated *stated);

/* The length in months, the quarter, the day that is named nearest to byte `at`, preferably after it; 0 where none is. */
int period_months_near(const struct periods *p, size_t at);
int period_quarter_near(const struct periods *p, size_t at);
int period_day_near(const struct periods *p, size_t at);

/* 1 where the words around the number at bytes [from, to) say that something increased by it or was higher by it, -1
 * for a decrease, else 0; a number that something rose to or from is not a change. */
int period_direction(struct slice text, size_t from, size_t to);

/* Whether the number at bytes [from, to) is said to be of the year before: "after $5 million", "from $5 million to",
 * "$5 million a year earlier". */
int period_is_before(struct slice text, size_t from, size_t to);

#endif
