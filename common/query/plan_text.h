/* plan_text.h: a question as tokens, spelled alike: what names, forms and periods are looked up by. */
#ifndef BID_PLAN_TEXT_H
#define BID_PLAN_TEXT_H

#include "base/buf.h"

#include <stdint.h>

#define PLAN_TOKENS 512               /* of a question; what follows them is not read */
#define PLAN_BYTES ((size_t)64 << 10) /* of a question */
#define PLAN_FOLD 48                  /* letters and digits of a token, folded; longer ones are cut */

/* What stands between a token and the one before it. */
enum plan_gap {
  GAP_BLANK = 1,
  GAP_HYPHEN = 2, /* any dash */
  GAP_DOT = 4,
  GAP_SLASH = 8,
  GAP_COMMA = 16,
  GAP_STOP = 32,   /* colon, semicolon, bracket, quotation mark */
  GAP_DOLLAR = 64, /* right before the token */
  GAP_HASH = 128,
  GAP_PERCENT = 256,
  GAP_SENTENCE = 512,    /* ? or !, a full stop before a blank, or the start */
  GAP_OPEN = 1024,       /* an opening bracket */
  GAP_APOSTROPHE = 2048, /* before digits: "FY'24" */
  GAP_PLUS = 4096,       /* beside GAP_STOP */
  GAP_LABEL = 8192       /* beside GAP_STOP: a colon or an equals sign */
};

struct plan_token {
  uint32_t start, end; /* bytes of the text, a possessive ending included */
  uint16_t gap;        /* enum plan_gap */
  uint8_t len;         /* of fold */
  uint8_t bare; /* of fold without a possessive's s: "apples" 5 where the text has "Apple's"; else len */
  uint8_t letters, digits, capitals; /* counts */
  uint8_t first_capital;
  uint8_t possessive;
  uint8_t amp;          /* the token is "&" */
  char fold[PLAN_FOLD]; /* ASCII letters in lower case without accents, and digits; "" for "&"; ends with 0 */
};

struct plan_text {
  struct slice text;
  size_t count;
  struct plan_token token[PLAN_TOKENS];
};

/* Splits a text: runs of letters and digits, and "&".  Bytes that are not UTF-8 part tokens. */
void plan_text_read(struct plan_text *t, struct slice text);

/* Whether token i is the folded word; a possessive counts with and without its s. */
int plan_token_is(const struct plan_token *token, const char *word);

/* "&" or "and" */
int plan_token_is_and(const struct plan_token *token);

/* Whether the token is digits alone, and its number (at most 9 digits), else -1. */
long plan_token_number(const struct plan_token *token);

/* The bytes of tokens [from, to). */
struct slice plan_text_span(const struct plan_text *t, size_t from, size_t to);

/* Position of a word in a list that ends with NULL, or -1. */
int plan_word_in(const char *word, const char *const *list);

#endif
