/* ordinary_words.h: stems of ordinary English words, which name nobody (data/tables/ordinary_words.tsv). */
#ifndef BID_ORDINARY_WORDS_H
#define BID_ORDINARY_WORDS_H

#include "base/slice.h"

#define ORDINARY_WORDS_MAX 64 /* limit of a stem in bytes; longer ones are not ordinary */

/* Whether the stem, in small letters, is one of the list. */
int ordinary_words_has(struct slice stem);

#endif
