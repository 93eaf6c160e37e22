/* numbers_phrases.h: fractions and multiples in words: "a third of", "by half", "doubled". */
#ifndef BID_NUMBERS_PHRASES_H
#define BID_NUMBERS_PHRASES_H

#include "verify/numbers.h"

/* Reads the phrase at i, in percent, and returns its end; `i` where there is none.  *n stays as it is where the phrase is
 * an ordinal, "a third quarter". */
size_t number_phrase(struct slice t, size_t i, struct stated_number *n);

/* Reads "three fifths", "two-thirds of", "one in five" or "1 out of 5" at i, in percent, and returns its end; `i` where there is
 * none. */
size_t number_fraction(struct slice t, size_t i, struct stated_number *n);

#endif
