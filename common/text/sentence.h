/* sentence.h: sentence boundaries in the English prose of filings. */
#ifndef BID_SENTENCE_H
#define BID_SENTENCE_H

#include "base/buf.h"

/* The position after the first sentence of text, including its full stop, exclamation or question mark and following
 * closers (quotes, brackets, emphasis); text.len where no other sentence follows.  A full stop doesn't end a sentence
 * after an abbreviation ("Inc.", "No.", "U.S."), an initial, a number that starts a paragraph or follows "Item",
 * "Note" and similar words, or before a lower-case word.  After an abbreviation that may end a sentence ("Inc.",
 * "U.S."), it does if the next word is a frequent sentence opener ("The", "We").  Chinese and Japanese full stops end
 * a sentence without a following space. */
size_t sentence_end(struct slice text);

#endif
