/* ordinary_words.h: stems of ordinary English words, which name nobody (data/tables/ordinary_words.tsv). */
#ifndef BID_ORDINARY_WORDS_H
#define BID_ORDINARY_WORDS_H

#include "base/slice.h"

#define ORDINARY_WORDS_MAX 64 /* limit of a stem in bytes; longer ones are not ordinary */

/* Whether the stem, in small letters, is one of the list. */
int ordinary_words_has(struct slice stem);

/* The list in lines, for those who look for similar words: " stem stem ... stem ", ascending; NULL after the last.
 * line_of() is the number of the last line that doesn't sort after the word. */
const char *ordinary_words_line(size_t number);
size_t ordinary_words_line_of(struct slice word);

#endif
