/* numbers.h: finds the numbers that a text states, with scale, sign and precision from the surrounding words. */
#ifndef BID_NUMBERS_H
#define BID_NUMBERS_H

#include "base/buf.h"

struct stated_number {
  size_t start, end; /* range in the text, including currency sign, scale word and parentheses */
  double value;      /* including scale and sign */
  double last;       /* value of one unit of its last digit, scaled */
  double low, high; /* the sizes from which it may be rounded, or that its words bound: "more than a fifth" */
  int percent;
  int currency; /* 1 and up for a currency sign or code before it, equal for equal currencies */
  int scaled;   /* followed by a scale word or letter */
  int hedged;   /* preceded by "about", "more than", "nearly" */
  int part;     /* a fraction or a multiple in words, "a third" */
  int change;   /* 1 for a word of increase, "doubled" (100 percent), -1 for "halved" */
  int times;    /* in percent of the other value, "3.2 times": 320 */
  int points;   /* percentage points */
  int shares;   /* followed by "shares" */
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

/* Finds all numbers.  Dates, years, ordinals, form names and numbers of items, notes, pages and rules are ignored.
 * Numbers in words are included where a scale, percent or currency name follows ("two billion"), where they are
 * fractions ("a third of") or multiples ("doubled"), and "one" to "twelve" alone where `words` is set.  The first
 * number of a range gets the scale of the second: "5.6 to 6.4 billion".  Release s. */
void numbers_read(struct stated *s, struct slice text, int words);
void numbers_release(struct stated *s);

/* The currency of a code, "TWD", as in a stated number: one that none has where the code is not known; 0 for what is no
 * code. */
int numbers_currency(struct slice code);
int numbers_same_currency(int a, int b);

/* The year for a number: the nearest in its part of the sentence, preferably after the number; 0 where there is none,
 * or where "compared with" separates them. */
int numbers_year_of(const struct stated *s, struct slice text, const struct stated_number *n);

/* Whether the year at a byte is one that something is compared with: "2009 over 2008", "more than in 2008". */
int numbers_is_base_year(struct slice text, size_t at);

/* The factor that a caption states for a table's numbers ("in millions"): 1e3, 1e6, 1e9, or 1. */
double numbers_caption(struct slice text);

#endif
