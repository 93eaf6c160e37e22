/* sentence.h: where sentences end in English prose of filings. */
#ifndef BID_SENTENCE_H
#define BID_SENTENCE_H

#include "base/buf.h"

/* The byte behind the first sentence of text: after its full stop, exclamation or question mark and what
 * closes with it (quotes, brackets, emphasis); text.len where no other sentence follows.  A full stop ends
 * none after an abbreviation ("Inc.", "No.", "U.S."), an initial, a number that heads a paragraph or follows
 * "Item", "Note" and the like, or where the next word begins in lower case; after an abbreviation that may
 * close a sentence ("Inc.", "U.S.") it does where the next word is one that often opens one ("The", "We").
 * The full stops of Chinese and Japanese end a sentence without a space behind them. */
size_t sentence_end(struct slice text);

#endif
