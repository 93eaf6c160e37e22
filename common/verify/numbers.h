/* numbers.h: the numbers that a text states, with the scale, sign and precision that its words give them. */
#ifndef BID_NUMBERS_H
#define BID_NUMBERS_H

#include "base/buf.h"

struct stated_number {
  size_t start, end; /* bytes of the text, with currency sign, scale word and parentheses */
  double value;      /* with its scale and sign */
  double last;       /* what one step of its last digit is worth, with its scale */
  int percent;
  int currency; /* 1 (dollars) and up where a currency's sign or code stands before it: the same for the same currency */
  int scaled; /* a scale word or letter stands behind it */
  int hedged; /* "about", "more than", "nearly" stand before it */
  int change; /* 1 for a word that says how much something rose, "doubled" (100 percent), -1 for "halved" */
  int times;  /* in percent, but of the other value, "3.2 times": 320 */
  int points; /* percentage points */
  int shares; /* "shares" stands behind it */
};

struct stated_year {
  size_t start;
  int year;
};

struct stated_mark { /* "[3]" */
  size_t start, end;
  int mark;
};

struct stated {
  struct stated_number *numbers;
  struct stated_year *years;
  struct stated_mark *marks;
  size_t number_count, year_count, mark_count;
};

/* Dates, years, ordinals, names of forms and the numbers of items, notes, pages and rules are not taken for numbers.
 * Numbers in words are where a scale, a percent or a currency's name stands behind them ("two billion"), where they are
 * a part ("a third of") or a multiple ("doubled"), and "one" to "twelve" alone where `words` is set.  The first number
 * of a range has the scale of the second: "5.6 to 6.4 billion".  To be released. */
void stated_read(struct stated *s, struct slice text, int words);
void stated_release(struct stated *s);

/* The year that a number of the text is for: of those in its own part of the sentence the nearest, one behind it before
 * one in front; 0 where there is none, or where "compared with" parts it from the number. */
int stated_year_of(const struct stated *s, struct slice text, const struct stated_number *n);

/* The scale that a caption gives to a table's numbers ("in millions"): 1e3, 1e6, 1e9, or 1. */
double stated_caption(struct slice text);

#endif
