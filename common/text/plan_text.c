/* plan_text.c: splits a question into tokens with their bytes, and normalises their spelling. */
#include "text/plan_text.h"

#include "base/utf8.h"

#include <ctype.h>
#include <stdlib.h>

/* Base letters of U+00C0 to U+017F; ' ' separates tokens.  From the decompositions of UnicodeData.txt; letters
 * without one are written as the letter without its mark. */
static const char latin[] = "aaaaaaaceeeeiiiidnooooo ouuuuytsaaaaaaaceeeeiiiidnooooo ouuuuyty"
                            "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllll"
                            "lllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";

static int is_apostrophe(uint32_t c) {
  return c == '\'' || c == 0x2019 || c == 0x2018 || c == '`' || c == 0xb4;
}

static int token_is_dash(uint32_t c) {
  return c == '-' || (c >= 0x2010 && c <= 0x2015) || c == 0x2212;
}

/* The normalised letter or digit, or 0 where the character is neither. */
static char fold_letter(uint32_t c) {
  if (c < 0x80)
    return (c | 0x20) - 'a' < 26 ? (char)(c | 0x20) : c - '0' < 10 ? (char)c : 0;
  if (c < 0xc0 || c > 0x17f)
    return 0;
  char base = latin[c - 0xc0];
  return base == ' ' ? 0 : base;
}

static int is_capital(uint32_t c) {
  if (c < 0x80)
    return c >= 'A' && c <= 'Z';
  return c >= 0xc0 && c <= 0x17f && (c < 0xdf || (c >= 0x100 && c % 2 == 0));
}

/* ends: a full stop here would end a sentence. */
static unsigned gap_of(uint32_t c, int ends) {
  if (token_is_dash(c))
    return GAP_HYPHEN;
  if (is_apostrophe(c))
    return GAP_APOSTROPHE;
  switch (c) {
  case '.':
    return ends ? GAP_SENTENCE : GAP_DOT;
  case '?':
  case '!':
  case '\n':
    return GAP_SENTENCE;
  case '/':
    return GAP_SLASH;
  case ',':
    return GAP_COMMA;
  case '$':
    return GAP_DOLLAR;
  case '#':
    return GAP_HASH;
  case '%':
    return GAP_PERCENT;
  case '(':
  case '[':
    return GAP_OPEN | GAP_STOP;
  case '+':
    return GAP_PLUS | GAP_STOP;
  case ':':
  case '=':
    return GAP_LABEL | GAP_STOP;
  default:
    return c <= ' ' || c == 0xa0 ? GAP_BLANK : GAP_STOP;
  }
}

/* Decodes a character of the text; its length, at least 1. */
static size_t token_char_at(struct slice text, size_t at, uint32_t *c) {
  if ((unsigned char)text.data[at] < 0x80) {
    *c = (unsigned char)text.data[at];
    return 1;
  }
  size_t n = utf8_decode(text.data + at, text.len - at, c);
  if (n == 0) {
    *c = '"';
    n = 1;
  }
  return n;
}

/* The character there, or what stands for the end of the text. */
static uint32_t token_char_behind(struct slice text, size_t at, uint32_t end) {
  if (at < text.len)
    token_char_at(text, at, &end);
  return end;
}

static void add_letter(struct plan_token *token, char base, uint32_t c) {
  int capital = is_capital(c);
  if (token->letters + token->digits == 0)
    token->first_capital = (uint8_t)capital;
  if (token->letters < 250 && token->digits < 250) {
    int digit = base <= '9';
    token->letters = (uint8_t)(token->letters + !digit);
    token->digits = (uint8_t)(token->digits + digit);
    token->capitals = (uint8_t)(token->capitals + capital);
  }
  if (token->len < PLAN_FOLD - 1)
    token->fold[token->len++] = base;
}

/* Reads a word that starts at `at`: letters and digits with apostrophes inside.  Returns its end. */
static size_t token_read_word(struct plan_token *token, struct slice text, size_t at) {
  size_t apostrophe = 0; /* letters before the last one, plus 1 */
  while (at < text.len) {
    uint32_t c;
    size_t n = token_char_at(text, at, &c);
    char base = fold_letter(c);
    if (base)
      add_letter(token, base, c);
    else if (is_apostrophe(c) && isalpha((unsigned char)fold_letter(token_char_behind(text, at + n, 0))))
      apostrophe = token->len + 1u;
    else
      break;
    at += n;
  }
  token->fold[token->len] = '\0';
  token->bare = token->len;
  if (apostrophe && token->len == apostrophe && token->fold[token->len - 1] == 's') {
    token->bare = (uint8_t)(token->len - 1);
    token->possessive = 1;
  }
  return at;
}

/* "Starbucks' margin": an apostrophe after a final s. */
static void note_plural_possessive(struct plan_token *token, struct slice text, size_t at) {
  uint32_t c;
  if (at >= text.len || token->len < 2 || token->fold[token->len - 1] != 's')
    return;
  size_t n = token_char_at(text, at, &c);
  if (is_apostrophe(c) && token_char_behind(text, at + n, ' ') == ' ')
    token->possessive = 1;
}

void plan_text_read(struct plan_text *t, struct slice text) {
  unsigned gap = GAP_SENTENCE;
  size_t at = 0;
  t->text = slice_of(text.data, text.len < PLAN_BYTES ? text.len : PLAN_BYTES);
  t->count = 0;
  while (at < t->text.len && t->count < PLAN_TOKENS) {
    struct plan_token *token = &t->token[t->count];
    uint32_t c;
    size_t n = token_char_at(t->text, at, &c);
    if (!fold_letter(c) && c != '&') {
      /* "Inc.  ", "J.  P.  ": abbreviations; a full stop after longer words ends a sentence. */
      gap |= gap_of(c, t->count > 0 && t->token[t->count - 1].len > 3 &&
                           token_char_behind(t->text, at + n, ' ') <= ' ');
      at += n;
      continue;
    }
    memset(token, 0, sizeof *token);
    token->start = (uint32_t)at;
    token->gap = (uint16_t)gap;
    token->amp = c == '&';
    at = c == '&' ? at + n : token_read_word(token, t->text, at);
    token->end = (uint32_t)at;
    note_plural_possessive(token, t->text, at);
    t->count++;
    gap = 0;
  }
}

int plan_token_is(const struct plan_token *token, const char *word) {
  size_t n = strlen(word);
  return (n == token->len || n == token->bare) && memcmp(token->fold, word, n) == 0;
}

int plan_text_is(const struct plan_text *t, size_t i, const char *word) {
  return i < t->count && strcmp(t->token[i].fold, word) == 0;
}

int plan_token_is_and(const struct plan_token *token) {
  return token->amp || strcmp(token->fold, "and") == 0;
}

long plan_token_number(const struct plan_token *token) {
  if (token->letters > 0 || token->digits == 0 || token->digits > 9)
    return -1;
  return strtol(token->fold, NULL, 10);
}

struct slice plan_text_span(const struct plan_text *t, size_t from, size_t to) {
  if (from >= to || to > t->count)
    return slice_of(NULL, 0);
  return slice_of(t->text.data + t->token[from].start, t->token[to - 1].end - t->token[from].start);
}

int plan_word_in(const char *word, const char *const *list) {
  for (int i = 0; list[i]; i++)
    if (*word == *list[i] && strcmp(word, list[i]) == 0)
      return i;
  return -1;
}
