#include "text/terms_token.h"

#include "base/utf8.h"
#include "text/terms_chars.h"

#include <strings.h>

static inline void push(struct terms_token *t, char c) {
  if (t->n < TERMS_MAX)
    t->bytes[t->n++] = c;
}

static inline enum terms_class class_at(const struct terms_token *t, size_t i) {
  return i < t->len ? terms_class_of(t->text[i]) : TERMS_SEP;
}

static inline char char_at(const struct terms_token *t, size_t i) {
  return i < t->len ? t->text[i] : '\0';
}

static enum terms_token_kind give_token(struct terms_token *t, enum terms_token_kind kind,
                                        struct slice value) {
  t->value = value;
  return kind;
}

/* Reads one non-ASCII character into the token.  0 where the word ends before it. */
static int push_high(struct terms_token *t) {
  uint32_t c;
  size_t n = utf8_decode(t->text + t->at, t->len - t->at, &c);
  int mark = c == 0xad || (c >= 0x300 && c <= 0x36f);
  if (n == 0 || (!mark && (terms_chars_is_separator(c) || terms_chars_is_cjk(c))))
    return 0;
  t->at += n;
  if (mark)
    return 1;
  c = terms_chars_fold(c);
  char bytes[4];
  size_t m = utf8_encode(c, bytes);
  if (t->n + m <= TERMS_MAX)
    memcpy(t->bytes + t->n, bytes, m), t->n += m;
  t->has_letter = 1;
  t->all_upper = 0;
  return 1;
}

/* Length of an apostrophe (' or U+2019) at i, or 0. */
static size_t apostrophe_at(const struct terms_token *t, size_t i) {
  if (char_at(t, i) == '\'')
    return 1;
  return t->len - i >= 3 && memcmp(t->text + i, "\xe2\x80\x99", 3) == 0 ? 3 : 0;
}

static int ends_token(const struct terms_token *t, size_t i) {
  return class_at(t, i) == TERMS_SEP || (class_at(t, i) == TERMS_HIGH && (uint8_t)char_at(t, i) == 0xe2);
}

/* After a word's letters: drops "'s" and skips any other apostrophe inside a word.  1 to go on. */
static int over_apostrophe(struct terms_token *t, size_t length) {
  size_t next = t->at + length;
  char c = terms_lower(char_at(t, next));
  if (c == 's' && ends_token(t, next + 1)) {
    t->at = next + 1;
    return 0;
  }
  if (class_at(t, next) != TERMS_LETTER)
    return 0;
  t->at = next;
  return 1;
}

/* Skips the dot in "U.S." or takes the ampersand in "R&D": 1 where the word continues after it. */
static int over_mark(struct terms_token *t) {
  char c = char_at(t, t->at);
  if (c == '&' && t->n > 0 && t->n <= 4 && class_at(t, t->at + 1) == TERMS_LETTER) {
    push(t, '&');
    t->at++;
    return 1;
  }
  int single = t->has_letter && (t->acronym || t->n == 1);
  if (c != '.' || !single)
    return 0;
  if (class_at(t, t->at + 1) == TERMS_LETTER && class_at(t, t->at + 2) != TERMS_LETTER &&
      class_at(t, t->at + 2) != TERMS_DIGIT) {
    t->acronym = 1;
    t->at++;
    return 1;
  }
  if (t->acronym)
    t->at++; /* the final dot */
  return 0;
}

static void read_word_rest(struct terms_token *t) {
  while (t->at < t->len) {
    char c = t->text[t->at];
    enum terms_class class = terms_class_of(c);
    size_t apostrophe;
    if (class == TERMS_LETTER || class == TERMS_DIGIT) {
      push(t, terms_lower(c));
      t->has_letter |= class == TERMS_LETTER;
      t->all_upper &= c < 'a';
      t->at++;
    } else if ((class == TERMS_HIGH || c == '\'') && (apostrophe = apostrophe_at(t, t->at)) != 0) {
      if (!over_apostrophe(t, apostrophe))
        return;
    } else if (class == TERMS_HIGH ? !push_high(t) : !over_mark(t))
      return;
  }
}

/* "S-1", "F-3": a capital, a hyphen, one or two digits. */
static void join_short_form(struct terms_token *t) {
  if (t->n != 1 || !t->all_upper || (t->bytes[0] != 's' && t->bytes[0] != 'f') || char_at(t, t->at) != '-')
    return;
  size_t end = t->at + 1;
  while (class_at(t, end) == TERMS_DIGIT)
    end++;
  if (end == t->at + 1 || end > t->at + 3 || class_at(t, end) == TERMS_LETTER)
    return;
  for (; t->at < end; t->at++)
    push(t, t->text[t->at]);
}

/* Converts "FY2018" and "FY18" to "2018". */
static enum terms_token_kind read_fiscal_year(struct terms_token *t) {
  if (t->bytes[0] != 'f' || (t->n != 6 && t->n != 4) || memcmp(t->bytes, "fy", 2) != 0)
    return TOKEN_NONE;
  for (size_t i = 2; i < t->n; i++)
    if (terms_class_of(t->bytes[i]) != TERMS_DIGIT)
      return TOKEN_NONE;
  if (t->n == 6)
    return give_token(t, TOKEN_NUMBER, slice_of(t->bytes + 2, 4));
  memcpy(t->bytes, "20", 2);
  return give_token(t, TOKEN_NUMBER, slice_of(t->bytes, 4));
}

/* Writes "10k" as "10-k"; joins "DEF 14A". */
static enum terms_token_kind read_form_name(struct terms_token *t) {
  if (terms_class_of(t->bytes[0]) != TERMS_DIGIT && t->bytes[0] != 'd')
    return TOKEN_NONE;
  static const char *const glued[] = {"10k", "10q", "8k", "6k", "20f", "40f"};
  for (size_t i = 0; i < sizeof glued / sizeof *glued; i++) {
    size_t n = strlen(glued[i]);
    if (t->n != n || memcmp(t->bytes, glued[i], n) != 0)
      continue;
    t->bytes[n] = t->bytes[n - 1];
    t->bytes[n - 1] = '-';
    return give_token(t, TOKEN_EXACT, slice_of(t->bytes, n + 1));
  }
  if (t->n == 3 && memcmp(t->bytes, "def", 3) == 0 && t->len - t->at >= 4 && t->text[t->at + 1] == '1' &&
      t->text[t->at + 2] == '4' && (t->text[t->at + 3] | 32) == 'a' && ends_token(t, t->at + 4)) {
    t->at += 4;
    return give_token(t, TOKEN_EXACT, slice_str("def14a"));
  }
  return TOKEN_NONE;
}

static enum terms_token_kind finish_word(struct terms_token *t) {
  enum terms_token_kind kind = TOKEN_NONE;
  if (t->n == 0)
    return TOKEN_NONE;
  if (t->n == 2 && memcmp(t->bytes, "us", 2) == 0 && (t->acronym || t->all_upper))
    return give_token(t, TOKEN_EXACT, slice_str("usa"));
  if (t->n <= 6)
    kind = read_form_name(t);
  if (t->n <= 6 && !kind)
    kind = read_fiscal_year(t);
  return kind ? kind : give_token(t, TOKEN_WORD, slice_of(t->bytes, t->n));
}

static void begin_token(struct terms_token *t) {
  t->start = t->at;
  t->n = 0;
  t->has_letter = t->acronym = 0;
  t->all_upper = 1;
}

static enum terms_token_kind read_word(struct terms_token *t) {
  begin_token(t);
  read_word_rest(t);
  join_short_form(t);
  if (t->at > t->start)
    return finish_word(t);
  t->at++; /* a byte that starts no word: invalid UTF-8, a non-ASCII separator */
  return TOKEN_NONE;
}

static void push_digits(struct terms_token *t) {
  while (class_at(t, t->at) == TERMS_DIGIT)
    push(t, t->text[t->at++]);
}

/* Reads ",ddd" after one to three digits, repeatedly. */
static void push_thousands(struct terms_token *t) {
  while (char_at(t, t->at) == ',' && class_at(t, t->at + 1) == TERMS_DIGIT &&
         class_at(t, t->at + 2) == TERMS_DIGIT && class_at(t, t->at + 3) == TERMS_DIGIT &&
         class_at(t, t->at + 4) != TERMS_DIGIT) {
    t->at++;
    push_digits(t);
  }
}

static void push_fraction(struct terms_token *t) {
  if (char_at(t, t->at) != '.' || class_at(t, t->at + 1) != TERMS_DIGIT)
    return;
  push(t, '.');
  t->at++;
  push_digits(t);
}

/* Normalises "007.50" to "7.5". */
static struct slice normal_number(struct terms_token *t) {
  char *start = t->bytes, *end = t->bytes + t->n;
  if (memchr(start, '.', t->n) != NULL) {
    while (end[-1] == '0')
      end--;
    if (end[-1] == '.')
      end--;
  }
  while (end - start > 1 && start[0] == '0' && start[1] != '.')
    start++;
  return slice_of(start, (size_t)(end - start));
}

/* Takes in "%" after a number, even in the next cell of a table row, or "percent".  1 where there was one. */
static int take_percent(struct terms_token *t) {
  size_t i = t->at;
  for (int n = 0; n < 4 && (char_at(t, i) == ' ' || char_at(t, i) == '|'); n++)
    i++;
  if (char_at(t, i) == '%') {
    t->at = i + 1;
    return 1;
  }
  if (i == t->at + 1 && t->len - i >= 7 && strncasecmp(t->text + i, "percent", 7) == 0 &&
      ends_token(t, i + 7)) {
    t->at = i + 7;
    return 1;
  }
  return 0;
}

/* Length of the rest of a form's name at `at`, such as "-K", "-K/A", "-KSB", "-K405" after digits; or 0. */
static size_t form_rest(const struct terms_token *t) {
  if (char_at(t, t->at) != '-' || t->n > 2 || t->n == 0)
    return 0;
  char c = terms_lower(char_at(t, t->at + 1));
  if (c != 'k' && c != 'q' && c != 'f' && c != 'd')
    return 0;
  size_t end = t->at + 2;
  while (end < t->at + 5 && (class_at(t, end) == TERMS_LETTER || class_at(t, end) == TERMS_DIGIT))
    end++;
  if (class_at(t, end) == TERMS_LETTER || class_at(t, end) == TERMS_DIGIT)
    return 0;
  if (char_at(t, end) == '/' && (char_at(t, end + 1) | 32) == 'a' && ends_token(t, end + 2))
    end += 2;
  return end - t->at;
}

static enum terms_token_kind finish_number(struct terms_token *t) {
  struct slice number = normal_number(t);
  if (take_percent(t)) {
    t->bytes[number.data - t->bytes + (ptrdiff_t)number.len] = '%'; /* bytes[] has room beyond TERMS_MAX */
    number.len += number.len < TERMS_MAX;
  }
  return give_token(t, TOKEN_NUMBER, number);
}

/* A token that begins with a digit: a number, a form's name ("10-K"), or a word ("3M"). */
static enum terms_token_kind read_number(struct terms_token *t) {
  begin_token(t);
  push_digits(t);
  size_t end = t->at + form_rest(t);
  if (end > t->at) {
    for (; t->at < end; t->at++)
      push(t, terms_lower(t->text[t->at]));
    return give_token(t, TOKEN_EXACT, slice_of(t->bytes, t->n));
  }
  if (class_at(t, t->at) == TERMS_LETTER) {
    read_word_rest(t);
    return finish_word(t);
  }
  if (t->n <= 3)
    push_thousands(t);
  push_fraction(t);
  return finish_number(t);
}

/* Reads ".25" as "0.25". */
static enum terms_token_kind read_bare_fraction(struct terms_token *t) {
  begin_token(t);
  push(t, '0');
  push_fraction(t);
  return finish_number(t);
}

/* A non-ASCII character outside of a word: a CJK character alone, or the start of a word. */
static enum terms_token_kind read_high(struct terms_token *t) {
  uint32_t c;
  size_t n = utf8_decode(t->text + t->at, t->len - t->at, &c);
  if (n == 0 || terms_chars_is_separator(c)) {
    t->at += n ? n : 1;
    return TOKEN_NONE;
  }
  if (terms_chars_is_cjk(c)) {
    begin_token(t);
    t->at += n;
    return give_token(t, TOKEN_EXACT, slice_of(t->text + t->start, n));
  }
  if (c < 0xff10 || c > 0xff19)
    return read_word(t);
  begin_token(t); /* full-width digits: one word, converted to ASCII */
  read_word_rest(t);
  return finish_word(t);
}

enum terms_token_kind terms_token_read(struct terms_token *t) {
  switch (terms_class_of(t->text[t->at])) {
  case TERMS_LETTER:
    return read_word(t);
  case TERMS_DIGIT:
    return read_number(t);
  case TERMS_HIGH:
    return read_high(t);
  default:
    if (t->text[t->at] == '.' && class_at(t, t->at + 1) == TERMS_DIGIT)
      return read_bare_fraction(t);
    t->at++;
    return TOKEN_NONE;
  }
}
