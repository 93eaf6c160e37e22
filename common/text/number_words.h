/* number_words.h: numbers in words, after data/tables/numbers.tsv; letters' case doesn't count. */
#ifndef BID_NUMBER_WORDS_H
#define BID_NUMBER_WORDS_H

#include "base/buf.h"

/* "one" to "nineteen", "twenty", "thirty" to "ninety"; 0 for any other word. */
int number_words_cardinal(struct slice word);

/* The same, or one or two digits: "12". */
int number_words_or_digits(struct slice word);

/* The letters from text[i] on, as a view of the text; may be empty. */
struct slice number_words_word(struct slice text, size_t i);

/* Parses "a hundred and three", "twenty-five", "two" at text[i]: the value, with *end set after it; 0 for none, *end
 * unchanged. */
double number_words_read(struct slice text, size_t i, size_t *end);

#endif
