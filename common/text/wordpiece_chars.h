/* wordpiece_chars.h: normalises text for WordPiece character by character, as BERT does (lower case, accents stripped, CJK
 * characters and punctuation separated), through the tables of wordpiece_unicode.h; private to wordpiece.c. */
#ifndef BID_WORDPIECE_CHARS_H
#define BID_WORDPIECE_CHARS_H

#include "base/buf.h"

#include <stdint.h>

#define WORDPIECE_CHARS 100 /* a longer word becomes [UNK] */
#define WORDPIECE_BYTES 512 /* WORDPIECE_CHARS characters, one mapping, and over-read by key loads */

struct wordpiece_word {
  size_t chars;                   /* at least 1; beyond WORDPIECE_CHARS they are only counted */
  uint32_t start;                 /* offset in the text of the first character */
  size_t len;                     /* of text[], which is followed by WORDPIECE_KEY zeros */
  char text[WORDPIECE_BYTES];     /* normalised */
  uint32_t from[WORDPIECE_BYTES]; /* offset in the text that each byte came from */
};

typedef void wordpiece_word_function(void *arg, const struct wordpiece_word *word);

/* Calls f for each word from text[at] on, until one has ended before something that may be ASCII.  Returns that
 * offset. */
size_t wordpiece_chars_read(struct slice text, size_t at, wordpiece_word_function *f, void *arg);

/* Whether a non-ASCII character ends the word before it. */
int wordpiece_chars_separates(uint32_t c);

#endif
