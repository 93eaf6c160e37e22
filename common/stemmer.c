/* stemmer.c: Porter's second algorithm, step by step as its description has them.
 *
 * Written out since libstemmer, which makes the same stems, takes two to three times as long for a word, and its
 * tables of twenty-five languages cost each start of a program 12,000 relocations: together nearly a
 * tenth of a cold question.  It is the oracle of the tests.
 *
 * A vowel is one of aeiouy.  A y that is none (at the beginning, or behind a vowel) is written Y meanwhile.
 * Region R1 begins behind the first consonant that follows a vowel, R2 behind the first such one in R1.
 * Positions are bytes; what is not ASCII is a consonant, of as many bytes as it has.
 */
#include "stemmer.h"

#include <stdint.h>
#include <string.h>

struct word {
  char *text;
  size_t len, r1, r2;
};

/* What stands at the end, and what it becomes. */
struct rule {
  char suffix[8], becomes[5];
  uint8_t len, becomes_len;
};

#define RULE(suffix, becomes)                                                                                \
  { suffix, becomes, sizeof(suffix) - 1, sizeof(becomes) - 1 }

static int is_vowel(char c) {
  return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' || c == 'y';
}

static int continues(char c) {
  return ((unsigned char)c & 0xC0) == 0x80;
}

/* Where the character that ends before `at` > 0 begins. */
static size_t before(const struct word *w, size_t at) {
  do
    at--;
  while (at > 0 && continues(w->text[at]));
  return at;
}

static int ends(const struct word *w, const char *suffix, size_t n) {
  return w->len >= n && memcmp(w->text + w->len - n, suffix, n) == 0;
}

#define ENDS(w, suffix) ends(w, suffix, sizeof(suffix) - 1)

static int is_word(const struct word *w, const char *other) {
  size_t n = strlen(other);
  return w->len == n && memcmp(w->text, other, n) == 0;
}

/* Whether a vowel stands in the first `until` bytes. */
static int has_vowel(const struct word *w, size_t until) {
  for (size_t i = 0; i < until; i++)
    if (is_vowel(w->text[i]))
      return 1;
  return 0;
}

static void put(struct word *w, size_t at, const char *becomes) {
  size_t n = strlen(becomes);
  memcpy(w->text + at, becomes, n);
  w->len = at + n;
}

/* Whether the first `until` bytes end with a short syllable: a vowel between consonants, the last of which is
 * no w, x or Y, or a vowel at the beginning and a consonant. */
static int is_short(const struct word *w, size_t until) {
  if (until < 2)
    return 0;
  size_t last = before(w, until);
  if (last == 0 || is_vowel(w->text[last]) || !is_vowel(w->text[last - 1]))
    return 0;
  if (last == 1)
    return 1;
  char c = w->text[last];
  return !is_vowel(w->text[last - 2]) && c != 'w' && c != 'x' && c != 'Y';
}

/* ---- before the steps ---- */

static const char *const irregular[][2] = {
    {"skis", "ski"},  {"skies", "sky"},     {"dying", "die"},  {"lying", "lie"},   {"tying", "tie"},
    {"idly", "idl"},  {"gently", "gentl"},  {"ugly", "ugli"},  {"early", "earli"}, {"only", "onli"},
    {"sky", "sky"},   {"singly", "singl"},  {"news", "news"},  {"howe", "howe"},   {"atlas", "atlas"},
    {"bias", "bias"}, {"cosmos", "cosmos"}, {"andes", "andes"}};

static int is_irregular(struct word *w) {
  if (w->len < 3 || w->len > 6)
    return 0;
  for (size_t i = 0; i < sizeof irregular / sizeof *irregular; i++)
    if (w->text[0] == irregular[i][0][0] && is_word(w, irregular[i][0])) {
      put(w, 0, irregular[i][1]);
      return 1;
    }
  return 0;
}

static int has_three_characters(const struct word *w) {
  size_t n = 0;
  for (size_t i = 0; i < w->len && n < 3; i++)
    n += !continues(w->text[i]);
  return n == 3;
}

/* Returns whether there is any Y. */
static int mark_consonants(struct word *w) {
  int any = 0;
  if (w->text[0] == '\'')
    memmove(w->text, w->text + 1, --w->len);
  for (size_t i = 0; i < w->len; i++)
    if (w->text[i] == 'y' && (i == 0 || is_vowel(w->text[i - 1]))) {
      w->text[i] = 'Y';
      any = 1;
    }
  return any;
}

/* Behind the first consonant that follows a vowel from `at` on, or the word's end. */
static size_t region(const struct word *w, size_t at) {
  while (at < w->len && !is_vowel(w->text[at]))
    at++;
  while (at < w->len && is_vowel(w->text[at]))
    at++;
  if (at == w->len)
    return at;
  do
    at++;
  while (at < w->len && continues(w->text[at]));
  return at;
}

static void mark_regions(struct word *w) {
  static const char *const whole[] = {"gener", "commun", "arsen"};
  w->r1 = 0;
  for (size_t i = 0; i < 3; i++)
    if (w->len >= strlen(whole[i]) && memcmp(w->text, whole[i], strlen(whole[i])) == 0)
      w->r1 = strlen(whole[i]);
  if (w->r1 == 0)
    w->r1 = region(w, 0);
  w->r2 = region(w, w->r1);
}

/* ---- the steps ---- */

/* Plurals. */
static void step_1a(struct word *w) {
  if (ENDS(w, "'s'"))
    w->len -= 3;
  else if (ENDS(w, "'s"))
    w->len -= 2;
  else if (ENDS(w, "'"))
    w->len -= 1;
  if (!ENDS(w, "s") && !ENDS(w, "ied"))
    return;
  if (ENDS(w, "sses"))
    w->len -= 2;
  else if (ENDS(w, "ied") || ENDS(w, "ies"))
    put(w, w->len - 3, w->len > 3 && before(w, w->len - 3) > 0 ? "i" : "ie");
  else if (!ENDS(w, "us") && !ENDS(w, "ss") && w->len > 1 && has_vowel(w, before(w, w->len - 1)))
    w->len -= 1;
}

static int ends_double(const struct word *w) {
  char c = w->len > 1 ? w->text[w->len - 1] : 0;
  return c && c == w->text[w->len - 2] && strchr("bdfgmnprt", c) != NULL;
}

/* -ed, -ing and the adverbs made of them. */
static void step_1b(struct word *w) {
  size_t n = ENDS(w, "eedly") ? 5 : ENDS(w, "ingly") ? 5 : ENDS(w, "edly") ? 4 : 0;
  if (n == 0)
    n = ENDS(w, "eed") || ENDS(w, "ing") ? 3 : ENDS(w, "ed") ? 2 : 0;
  if (n == 0)
    return;
  size_t at = w->len - n;
  if (n != 2 && w->text[at] == 'e' && w->text[at + 1] == 'e') {
    if (at >= w->r1)
      put(w, at, "ee");
    return;
  }
  if (!has_vowel(w, at))
    return;
  w->len = at;
  if (ENDS(w, "at") || ENDS(w, "bl") || ENDS(w, "iz"))
    put(w, at, "e");
  else if (ends_double(w))
    w->len--;
  else if (at == w->r1 && is_short(w, at))
    put(w, at, "e");
}

static void step_1c(struct word *w) {
  char c = w->len > 1 ? w->text[w->len - 1] : 0;
  if ((c == 'y' || c == 'Y') && !is_vowel(w->text[w->len - 2]) && before(w, w->len - 1) > 0)
    w->text[w->len - 1] = 'i';
}

/* The rule of the longest suffix that the word, of two bytes or more, has, or NULL; rules with a common end
 * stand longest first. */
static const struct rule *longest(const struct word *w, const struct rule *rules, size_t count, size_t *at) {
  char last = w->text[w->len - 1];
  for (const struct rule *r = rules; r < rules + count; r++)
    if (r->suffix[r->len - 1] == last && r->suffix[r->len - 2] == w->text[w->len - 2] &&
        ends(w, r->suffix, r->len)) {
      *at = w->len - r->len;
      return r;
    }
  return NULL;
}

static void follow(struct word *w, const struct rule *r, size_t at) {
  memcpy(w->text + at, r->becomes, r->becomes_len);
  w->len = at + r->becomes_len;
}

static void step_2(struct word *w) {
  static const struct rule rules[] = {
      RULE("ational", "ate"), RULE("tional", "tion"), RULE("enci", "ence"),   RULE("anci", "ance"),
      RULE("abli", "able"),   RULE("entli", "ent"),   RULE("ization", "ize"), RULE("izer", "ize"),
      RULE("ation", "ate"),   RULE("ator", "ate"),    RULE("alism", "al"),    RULE("aliti", "al"),
      RULE("alli", "al"),     RULE("fulness", "ful"), RULE("ousness", "ous"), RULE("ousli", "ous"),
      RULE("iveness", "ive"), RULE("iviti", "ive"),   RULE("biliti", "ble"),  RULE("bli", "ble"),
      RULE("fulli", "ful"),   RULE("lessli", "less"), RULE("ogi", "og"),      RULE("li", "")};
  size_t at;
  if (w->len < w->r1 + 2)
    return;
  const struct rule *r = longest(w, rules, sizeof rules / sizeof *rules, &at);
  if (r == NULL || at < w->r1)
    return;
  if (r->suffix[0] == 'o' && r->suffix[1] == 'g' && (at == 0 || w->text[at - 1] != 'l'))
    return;
  if (r->becomes[0] == 0 && (at == 0 || strchr("cdeghkmnrt", w->text[at - 1]) == NULL))
    return;
  follow(w, r, at);
}

static void step_3(struct word *w) {
  static const struct rule rules[] = {RULE("ational", "ate"), RULE("tional", "tion"), RULE("alize", "al"),
                                      RULE("icate", "ic"),    RULE("iciti", "ic"),    RULE("ical", "ic"),
                                      RULE("ful", ""),        RULE("ness", ""),       RULE("ative", "")};
  size_t at;
  if (w->len < w->r1 + 3)
    return;
  const struct rule *r = longest(w, rules, sizeof rules / sizeof *rules, &at);
  if (r == NULL || at < w->r1 || (r->suffix[0] == 'a' && r->becomes[0] == 0 && at < w->r2))
    return;
  follow(w, r, at);
}

static void step_4(struct word *w) {
  static const struct rule rules[] = {RULE("al", ""),    RULE("ance", ""), RULE("ence", ""), RULE("er", ""),
                                      RULE("ic", ""),    RULE("able", ""), RULE("ible", ""), RULE("ant", ""),
                                      RULE("ement", ""), RULE("ment", ""), RULE("ent", ""),  RULE("ism", ""),
                                      RULE("ate", ""),   RULE("iti", ""),  RULE("ous", ""),  RULE("ive", ""),
                                      RULE("ize", ""),   RULE("ion", "")};
  size_t at;
  if (w->len < w->r2 + 2)
    return;
  const struct rule *r = longest(w, rules, sizeof rules / sizeof *rules, &at);
  if (r == NULL || at < w->r2)
    return;
  if (r->suffix[0] == 'i' && r->suffix[1] == 'o' &&
      (at == 0 || (w->text[at - 1] != 's' && w->text[at - 1] != 't')))
    return;
  w->len = at;
}

static void step_5(struct word *w) {
  size_t at = w->len - 1;
  if (w->text[at] == 'e' && (at >= w->r2 || (at >= w->r1 && !is_short(w, at))))
    w->len = at;
  else if (w->text[at] == 'l' && at >= w->r2 && at > 0 && w->text[at - 1] == 'l')
    w->len = at;
}

/* Words that are their own stems once a plural's s is off. */
static int is_finished(const struct word *w) {
  static const char *const words[] = {"inning",  "outing",  "canning", "herring",
                                      "earring", "proceed", "exceed",  "succeed"};
  for (size_t i = 0; w->len >= 6 && w->len <= 7 && i < sizeof words / sizeof *words; i++)
    if (w->text[0] == words[i][0] && is_word(w, words[i]))
      return 1;
  return 0;
}

size_t stemmer_english(char *word, size_t len) {
  struct word w = {word, len, 0, 0};
  if (is_irregular(&w) || !has_three_characters(&w))
    return w.len;
  int marked = mark_consonants(&w);
  mark_regions(&w);
  step_1a(&w);
  if (!is_finished(&w) && w.len > 0) {
    step_1b(&w);
    step_1c(&w);
    step_2(&w);
    step_3(&w);
    step_4(&w);
    step_5(&w);
  }
  for (size_t i = 0; marked && i < w.len; i++)
    if (w.text[i] == 'Y')
      w.text[i] = 'y';
  return w.len;
}
