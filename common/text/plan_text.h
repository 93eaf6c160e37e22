/* plan_text.h: tokenizes a question and normalises its spelling, for looking up names, forms and periods. */
#ifndef BID_PLAN_TEXT_H
#define BID_PLAN_TEXT_H

#include "base/buf.h"

#include <stdint.h>

#define PLAN_TOKENS 512               /* limit of tokens; the rest is ignored */
#define PLAN_BYTES ((size_t)64 << 10) /* limit of a question */
#define PLAN_FOLD 48                  /* limit of a token's normalised form; longer ones are truncated */

/* What is between a token and the previous one. */
enum plan_gap {
  GAP_BLANK = 1,
  GAP_HYPHEN = 2, /* any dash */
  GAP_DOT = 4,
  GAP_SLASH = 8,
  GAP_COMMA = 16,
  GAP_STOP = 32,   /* colon, semicolon, bracket, quotation mark */
  GAP_DOLLAR = 64, /* directly before the token */
  GAP_HASH = 128,
  GAP_PERCENT = 256,
  GAP_SENTENCE = 512,    /* ? or !, a full stop before a blank, or the start of the text */
  GAP_OPEN = 1024,       /* an opening bracket */
  GAP_APOSTROPHE = 2048, /* before digits: "FY'24" */
  GAP_PLUS = 4096,       /* in addition to GAP_STOP */
  GAP_LABEL = 8192       /* in addition to GAP_STOP: a colon or an equals sign */
};

/* How a token has been interpreted so far. */
enum plan_taken { TAKEN_NOT, TAKEN_FORM, TAKEN_PERIOD, TAKEN_COMPANY, TAKEN_FIGURE };

struct plan_token {
  uint32_t start, end; /* range in the text, including a possessive ending */
  uint16_t gap;        /* enum plan_gap */
  uint8_t len;         /* length of fold */
  uint8_t bare;        /* length of fold without a possessive s: 5 for "Apple's" ("apples"); else len */
  uint8_t letters, digits, capitals; /* number of each in the token */
  uint8_t first_capital;
  uint8_t possessive;
  uint8_t amp;          /* the token is "&" */
  char fold[PLAN_FOLD]; /* ASCII letters in lower case without accents, and digits; "" for "&"; ended by 0 */
};

struct plan_text {
  struct slice text;
  size_t count;
  struct plan_token token[PLAN_TOKENS];
};

/* Splits a text into runs of letters and digits, and "&".  Invalid UTF-8 separates tokens. */
void plan_text_read(struct plan_text *t, struct slice text);

/* Whether token i is the normalised word; a possessive matches with and without its s. */
int plan_token_is(const struct plan_token *token, const char *word);

/* Whether there is a token i that is this word, without regard to possessives. */
int plan_text_is(const struct plan_text *t, size_t i, const char *word);

/* "&" or "and" */
int plan_token_is_and(const struct plan_token *token);

/* The value of a token of digits only (at most 9), else -1. */
long plan_token_number(const struct plan_token *token);

/* The text of tokens [from, to). */
struct slice plan_text_span(const struct plan_text *t, size_t from, size_t to);

/* Position of a word in a list ended by NULL, or -1. */
int plan_word_in(const char *word, const char *const *list);

#endif
