/* stemmer.h: stems of English words. */
#ifndef BID_STEMMER_H
#define BID_STEMMER_H

#include <stddef.h>

/* Makes a lower-case word (UTF-8, of any length) its stem, in place; returns the stem's length, at most the
 * word's. The stems are those of Snowball's "english" (Porter's second algorithm, M. Porter and R. Boulton,
 * snowballstem.org/algorithms/english/stemmer.html), byte for byte, as the library libstemmer makes them. */
size_t stemmer_english(char *word, size_t len);

#endif
