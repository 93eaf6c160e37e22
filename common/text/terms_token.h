/* terms_token.h: the tokenizer's reader: one word, number or form's name at a time, byte by byte, in the notation that
 * terms.h states but unstemmed.
 *
 * A reader is initialised with the text alone ({.text = t, .len = n}) and may be moved by setting `at`. */
#ifndef BID_TERMS_TOKEN_H
#define BID_TERMS_TOKEN_H

#include "text/terms.h"

enum terms_token_kind {
  TOKEN_NONE,  /* nothing that could be a term */
  TOKEN_WORD,  /* to be stemmed; may be a function word */
  TOKEN_EXACT, /* a term as it is: a form's name, "usa", a CJK character */
  TOKEN_NUMBER
};

struct terms_token {
  const char *text;
  size_t len, at; /* at: next byte to read, below len */
  size_t start;   /* offset of the token, which ends before `at` */
  struct slice
      value; /* the token, normalised: 1 to TERMS_MAX bytes, valid until the next call; unset for TOKEN_NONE */

  char bytes[TERMS_MAX + 8]; /* the rest is the reader's own */
  size_t n;
  int has_letter, all_upper, acronym;
};

/* Reads the token at `at`, or skips what starts none. */
enum terms_token_kind terms_token_read(struct terms_token *t);

#endif
