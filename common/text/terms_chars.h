/* terms_chars.h: what the tokenizer (terms.h) knows of single characters: classes of bytes, and of code points beyond
 * ASCII which ones separate words, stand alone, or fold to another. */
#ifndef BID_TERMS_CHARS_H
#define BID_TERMS_CHARS_H

#include <stdint.h>

enum terms_class {
  TERMS_SEP,
  TERMS_LETTER,
  TERMS_DIGIT,
  TERMS_HIGH
}; /* TERMS_HIGH: a byte of a non-ASCII character */

/* For each byte: its class, and itself with ASCII capitals as small letters. */
extern uint8_t terms_chars_class[256];
extern char terms_chars_lower[256];

static inline enum terms_class terms_class_of(char c) {
  return (enum terms_class)terms_chars_class[(uint8_t)c];
}

static inline char terms_lower(char c) {
  return terms_chars_lower[(uint8_t)c];
}

/* Chinese, Japanese and Korean: each character is a term of its own. */
int terms_chars_is_cjk(uint32_t c);

/* Punctuation, symbols, spaces, private use: characters that end a word. */
int terms_chars_is_separator(uint32_t c);

/* Small letters without accents; full-width forms as ASCII. */
uint32_t terms_chars_fold(uint32_t c);

#endif
