/* numbers_units.c: reads what stands beside a number: scale, percent, currency, unit. */
#include "text/numbers_units.h"

#include "base/day.h"
#include "tables/numbers.h"

#include <ctype.h>
#include <string.h>

/* The word that ends directly before `i`, apart from blanks; empty where there is none. */
struct slice number_word_before(struct slice t, size_t i) {
  size_t end = i;
  while (end > 0 && (t.data[end - 1] == ' ' || t.data[end - 1] == '$' || t.data[end - 1] == '('))
    end--;
  size_t from = end;
  while (from > 0 && isalpha((unsigned char)t.data[from - 1]))
    from--;
  return slice_of(t.data + from, end - from);
}

int number_is_month(struct slice word) {
  return day_month_named(word.data, word.len) > 0;
}

int number_is_hedge(struct slice t, size_t i) {
  static const char *const words[] = {NUMBERS_HEDGE, NULL};
  struct slice word = number_word_before(t, i);
  return slice_among_nocase(
      slice_is_nocase(word, "of") ? number_word_before(t, (size_t)(word.data - t.data)) : word, words);
}

/* Reads a scale word or letter after a number; returns its end, or `i` where there is none. */
size_t number_scale(struct slice t, size_t i, double *scale) {
  static const struct {
    const char *word;
    double scale;
    int spelt; /* may be separated by a blank, and have a plural */
  } words[] = {NUMBERS_SCALE};
  size_t at = i;
  while (at < t.len && (t.data[at] == ' ' || t.data[at] == '-') && at - i < 1)
    at++;
  if (at + 1 < t.len && memcmp(t.data + at, "\xC2\xA0", 2) == 0)
    at += 2;
  for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
    size_t end = at + strlen(words[k].word);
    if (!slice_at_nocase(t, at, words[k].word) || (!words[k].spelt && at != i))
      continue;
    end += words[k].spelt && end < t.len && (t.data[end] == 's' || t.data[end] == 'S');
    if (end < t.len && isalnum((unsigned char)t.data[end]))
      continue;
    *scale = words[k].scale;
    return end;
  }
  return i;
}

size_t number_percent(struct slice t, size_t i, struct stated_number *n, double *scale) {
  size_t at = i;
  while (at < t.len && t.data[at] == ' ' && at - i < 1)
    at++;
  static const struct {
    const char *word;
    int points;
  } words[] = {NUMBERS_PERCENT};
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    if (slice_at_nocase(t, at, words[k].word)) {
      n->percent = 1;
      n->points = words[k].points;
      return at + strlen(words[k].word);
    }
  static const char *const hundredths[] = {"basis points", "bps", "bp", NULL};
  for (int k = 0; hundredths[k]; k++) {
    size_t end = at + strlen(hundredths[k]);
    if (!slice_at_nocase(t, at, hundredths[k]) || (end < t.len && isalnum((unsigned char)t.data[end])))
      continue;
    n->percent = n->points = 1;
    *scale = 0.01;
    return end;
  }
  return i;
}

enum {
  CURRENCY_DOLLAR = 1,
  CURRENCY_EURO,
  CURRENCY_POUND,
  CURRENCY_YEN,
  CURRENCY_TAIWAN,
  CURRENCY_YEN_SIGN, /* of the yen and of the yuan */
  CURRENCY_OTHER,
  CURRENCY_YUAN = CURRENCY_OTHER + 5,
  CURRENCY_UNKNOWN = CURRENCY_OTHER + 1000
};

int numbers_currency(struct slice code) {
  static const struct {
    const char *sign;
    int currency;
  } signs[] = {NUMBERS_CURRENCY};
  int letters = code.len == 3, unknown = CURRENCY_UNKNOWN;
  for (size_t i = 0; i < code.len && letters; i++) {
    letters = isupper((unsigned char)code.data[i]) != 0;
    unknown = 26 * unknown + code.data[i] - 'A';
  }
  for (size_t k = 0; letters && k < sizeof signs / sizeof *signs; k++)
    if (slice_is(code, signs[k].sign))
      return signs[k].currency;
  return letters ? unknown : 0;
}

int numbers_same_currency(int a, int b) {
  int sign = a == CURRENCY_YEN_SIGN || b == CURRENCY_YEN_SIGN, other = a == CURRENCY_YEN_SIGN ? b : a;
  if ((a == CURRENCY_OTHER && b > a) || (b == CURRENCY_OTHER && a > b)) /* "AU$" */
    return 1;
  return a == b || (sign && (other == CURRENCY_YEN || other == CURRENCY_YUAN));
}

/* The end of the currency's name in "513 thousand euros"; `i` where there is none. */
static size_t number_currency_behind(struct slice t, size_t i, int *currency) {
  static const struct {
    const char *name;
    int currency;
  } names[] = {NUMBERS_CURRENCY_BEHIND};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    size_t end = i + strlen(names[k].name);
    if (!slice_at_nocase(t, i, names[k].name) || (end < t.len && isalpha((unsigned char)t.data[end])))
      continue;
    if (slice_is(slice_str(names[k].name), " pounds") && slice_at_nocase(t, end, " of ")) /* a weight */
      continue;
    *currency = names[k].currency;
    return end;
  }
  return i;
}

/* Reads "cents", "shares", "times" after a number that ends at i; returns the number's new end. */
size_t number_unit(struct slice t, size_t i, struct stated_number *n, double *scale) {
  static const char *const shares[] = {" shares", " common shares", " ordinary shares", " of its shares",
                                       " of its own shares"};
  for (size_t k = 0; k < sizeof shares / sizeof *shares; k++)
    n->shares |= slice_at_nocase(t, i, shares[k]);
  if (!n->percent && !n->currency)
    i = number_currency_behind(t, i, &n->currency);
  if (n->percent || n->scaled)
    return i;
  if (slice_at_nocase(t, i, " cents")) {
    n->currency = n->currency ? n->currency : CURRENCY_DOLLAR;
    *scale = 0.01;
    return i + 6;
  }
  if (!n->currency && slice_at_nocase(t, i, " times")) {
    n->percent = n->times = 1;
    *scale = 100;
    return i + 6;
  }
  return i;
}

/* The start of a currency before a number, and its code; `i` where there is none. */
size_t number_currency(struct slice t, size_t i, int *currency) {
  static const struct {
    const char *sign;
    int currency;
  } signs[] = {NUMBERS_CURRENCY};
  size_t end = i - (i && t.data[i - 1] == ' ');
  *currency = 0;
  for (size_t k = 0; k < sizeof signs / sizeof *signs; k++) {
    size_t n = strlen(signs[k].sign);
    if (end < n || memcmp(t.data + end - n, signs[k].sign, n) != 0)
      continue;
    int other = n == 1 && end > n && isupper((unsigned char)t.data[end - n - 1]); /* "C$" */
    *currency = other ? CURRENCY_OTHER : signs[k].currency;
    return end - n;
  }
  return i;
}

int number_currency_of(struct slice heading) {
  int found = 0, currency;
  for (size_t i = 1; i <= heading.len; i++) {
    size_t start = number_currency(heading, i, &currency);
    if (start == i || heading.data[i - 1] == ' ' ||
        (start && isalpha((unsigned char)heading.data[start - 1])) ||
        (i < heading.len && isalpha((unsigned char)heading.data[i])))
      continue;
    if (found && found != currency)
      return 0;
    found = currency;
  }
  return found;
}
