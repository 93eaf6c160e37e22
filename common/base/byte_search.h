/* byte_search.h: where a word stands in bytes. */
#ifndef BID_BYTE_SEARCH_H
#define BID_BYTE_SEARCH_H

#include "base/buf.h"

/* Where `word` (two bytes or more) stands first in [p, end), or NULL.  Its bytes at `pair` and behind it
 * should be rare ones together: they are what is looked for, 16 places at a time, where memmem() goes byte by
 * byte. */
const char *byte_search_word(const char *p, const char *end, struct slice word, size_t pair);

#endif
