#include "verify/numbers.h"

#include "base/clock.h"
#include "tables/numbers.h"
#include "text/number_words.h"
#include "verify/periods.h"
#include "tables/changes.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NUMBER_DIGITS = 40, NUMBER_PARTED_NEXT = 16 };

#define NUMBER_PUSH(array, count, ...)                                                                       \
  do {                                                                                                       \
    if ((count & (count - 1)) == 0)                                                                          \
      (array) = xreallocarray((array), (count) ? 2 * (count) : 1, sizeof *(array));                          \
    (array)[(count)++] = __VA_ARGS__;                                                                        \
  } while (0)

void numbers_release(struct stated *s) {
  free(s->numbers);
  free(s->years);
  free(s->marks);
  memset(s, 0, sizeof *s);
}

/* The word that ends directly before `i`, apart from blanks; empty where there is none. */
static struct slice number_word_before(struct slice t, size_t i) {
  size_t end = i;
  while (end > 0 && (t.data[end - 1] == ' ' || t.data[end - 1] == '$' || t.data[end - 1] == '('))
    end--;
  size_t from = end;
  while (from > 0 && isalpha((unsigned char)t.data[from - 1]))
    from--;
  return slice_of(t.data + from, end - from);
}

/* Words after which a number is a name. */
static int number_is_name(struct slice before) {
  static const char *const words[] = {NUMBERS_NAMED, NULL};
  return slice_among_nocase(before, words);
}

static int number_is_month(struct slice word) {
  return clock_month(word.data, word.len) > 0;
}

static int number_is_hedge(struct slice t, size_t i) {
  static const char *const words[] = {NUMBERS_HEDGE, NULL};
  return slice_among_nocase(number_word_before(t, i), words);
}

/* Reads a scale word or letter after a number; returns its end, or `i` where there is none. */
static size_t number_scale(struct slice t, size_t i, double *scale) {
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

/* Whether the comma at i is a decimal mark, "46,2 %", "1,5 million": a percent sign or a scale word follows one or two
 * digits. */
static int number_is_decimal_comma(struct slice t, size_t i) {
  double scale;
  size_t end = i + 1;
  while (end < t.len && isdigit((unsigned char)t.data[end]))
    end++;
  if (end == i + 1 || end > i + 3)
    return 0;
  size_t behind = end;
  while (behind < t.len && (t.data[behind] == ' ' || (unsigned char)t.data[behind] == 0xC2 ||
                            (unsigned char)t.data[behind] == 0xA0))
    behind++;
  return (behind < t.len && t.data[behind] == '%') || slice_at_nocase(t, behind, "percent") ||
         slice_at_nocase(t, behind, "per cent") || number_scale(t, end, &scale) > end + 1;
}

/* Reads the digits from i on, without commas; returns their end. */
static size_t number_digits(struct slice t, size_t i, char digits[NUMBER_DIGITS], int *decimals,
                            int *commas) {
  size_t n = 0;
  *decimals = -1;
  *commas = 0;
  for (; i < t.len && n + 1 < NUMBER_DIGITS; i++) {
    char c = t.data[i];
    if (isdigit((unsigned char)c)) {
      digits[n++] = c;
      *decimals += *decimals >= 0;
    } else if (c == ',' && *decimals < 0 && i + 3 < t.len && isdigit((unsigned char)t.data[i + 1]) &&
               isdigit((unsigned char)t.data[i + 2]) && isdigit((unsigned char)t.data[i + 3]) &&
               (i + 4 == t.len || !isdigit((unsigned char)t.data[i + 4]))) {
      ++*commas;
    } else if (c == ',' && *decimals < 0 && !*commas && number_is_decimal_comma(t, i)) {
      digits[n++] = '.';
      *decimals = 0;
    } else if (c == '.' && *decimals < 0 && i + 1 < t.len && isdigit((unsigned char)t.data[i + 1])) {
      digits[n++] = c;
      *decimals = 0;
    } else {
      break;
    }
  }
  digits[n] = '\0';
  return i;
}

static size_t number_percent(struct slice t, size_t i, struct stated_number *n, double *scale) {
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
  if (slice_at_nocase(t, at, "basis points")) {
    n->percent = n->points = 1;
    *scale = 0.01;
    return at + 12;
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
    *currency = names[k].currency;
    return end;
  }
  return i;
}

/* Reads "cents", "shares", "times" after a number that ends at i; returns the number's new end. */
static size_t number_unit(struct slice t, size_t i, struct stated_number *n, double *scale) {
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
static size_t number_currency(struct slice t, size_t i, int *currency) {
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

/* Whether digits are part of a word, a date or a name: "10-K", "2025-09-27", "Q3", "3rd", "9/27". */
static int number_is_part(struct slice t, size_t from, size_t to) {
  unsigned char before = from ? (unsigned char)t.data[from - 1] : ' ',
                after = to < t.len ? (unsigned char)t.data[to] : ' ';
  unsigned char next = to + 1 < t.len ? (unsigned char)t.data[to + 1] : ' ';
  if (isalpha(before) || before == '/' || before == '#' || before == '_')
    return 1;
  if (before == '-' && from > 1 && isalnum((unsigned char)t.data[from - 2]))
    return 1;
  if (after == '/' || after == '_' ||
      (after == '-' && isalnum(next) && !slice_at_nocase(t, to + 1, "million") &&
       !slice_at_nocase(t, to + 1, "billion") && !slice_at_nocase(t, to + 1, "percent")))
    return 1;
  static const char *const ordinals[] = {"st", "nd", "rd", "th"};
  for (size_t k = 0; k < 4; k++)
    if (slice_at_nocase(t, to, ordinals[k]) && (to + 2 >= t.len || !isalnum((unsigned char)t.data[to + 2])))
      return 1;
  return 0;
}

static int number_is_year(const char *digits, int decimals, int commas) {
  int year = atoi(digits);
  return strlen(digits) == 4 && decimals < 0 && !commas && year >= 1900 && year <= 2100 ? year : 0;
}

/* The year of a date "4/1/00" or "12/31/2024" at i, and its end; 0 where there is none. */
static int number_date_year(struct slice t, size_t i, size_t *end) {
  unsigned month, day, year;
  int taken = 0;
  char date[12];
  snprintf(date, sizeof date, "%.*s", (int)(t.len - i < 11 ? t.len - i : 11), t.data + i);
  if ((i && (isalnum((unsigned char)t.data[i - 1]) || t.data[i - 1] == '/')) ||
      sscanf(date, "%2u/%2u/%4u%n", &month, &day, &year, &taken) != 3 || month > 12 || day > 31 ||
      !((year >= 1900 && year <= 2100) || (year < 100 && date[taken - 3] == '/')))
    return 0;
  *end = i + (size_t)taken;
  return (int)(year >= 100 ? year : year < 70 ? 2000 + year : 1900 + year);
}

/* The precision of hedged numbers: half of the last nonzero place. */
static double number_last(const char *digits, int decimals, int hedged) {
  double last = decimals > 0 ? pow(10, -decimals) : 1;
  size_t n = strlen(digits);
  while (hedged && decimals <= 0 && n > 1 && digits[--n] == '0')
    last *= 10;
  return last;
}

static int number_is_day(struct slice t, size_t from, size_t to) {
  size_t at = to;
  if (number_is_month(number_word_before(t, from)))
    return 1;
  while (at < t.len && t.data[at] == ' ')
    at++;
  size_t end = at;
  while (end < t.len && isalpha((unsigned char)t.data[end]))
    end++;
  return end > at && to - from <= 2 && number_is_month(slice_of(t.data + at, end - at));
}

/* Takes in sign and parentheses around a number in [begin, end) and extends its range. */
static void number_take_sign(struct stated_number *n, struct slice t, size_t begin, size_t end) {
  int parens = begin > 0 && t.data[begin - 1] == '(' && end < t.len && t.data[end] == ')';
  int dash = begin > 0 && t.data[begin - 1] == '-';
  int minus = begin > 2 && memcmp(t.data + begin - 3, "\xE2\x88\x92", 3) == 0;
  double scale = 1;
  if (parens || dash || minus)
    n->value = -n->value;
  n->start = begin - (size_t)(parens || dash);
  n->end = end + (size_t)parens;
  if (!parens || n->scaled || n->percent)
    return;
  size_t behind = number_scale(t, n->end, &scale); /* "(6,192) thousand" */
  n->scaled = behind != n->end;
  if (!n->scaled)
    behind = number_percent(t, n->end, n, &scale); /* "(33)%" */
  n->value *= scale;
  n->last *= scale;
  n->end = behind;
}

/* "UNI 494": three or more capitals directly before an integer make it a name. */
static int number_is_designator(struct slice t, size_t i, const char *digits, int decimals) {
  struct slice word = number_word_before(t, i);
  int capitals =
      word.len >= 3 && word.data + word.len + 1 == t.data + i && decimals < 0 && strlen(digits) < 5;
  for (size_t k = 0; k < word.len; k++)
    capitals &= isupper((unsigned char)word.data[k]) != 0;
  return capitals;
}

/* Interprets the digits at i as a number, a year, or nothing; returns their end. */
static size_t number_take(struct stated *s, struct slice t, size_t i) {
  char digits[NUMBER_DIGITS];
  int decimals, commas;
  size_t end = number_digits(t, i, digits, &decimals, &commas);
  double scale = 1;
  struct stated_number n = {0};
  size_t begin = number_currency(t, i, &n.currency);
  size_t scaled = number_scale(t, end, &scale);
  n.scaled = scaled != end;
  int plain = !n.currency && !n.scaled, year = plain ? number_is_year(digits, decimals, commas) : 0;
  size_t date_end;
  int date_year = plain ? number_date_year(t, i, &date_end) : 0;
  if (date_year) {
    NUMBER_PUSH(s->years, s->year_count, (struct stated_year){i, date_year});
    return date_end;
  }
  if (plain && number_is_part(t, i, end))
    return end;
  if (year && !slice_at_nocase(t, end, "%")) {
    NUMBER_PUSH(s->years, s->year_count, (struct stated_year){i, year});
    return end;
  }
  if (plain && (number_is_day(t, i, end) || period_is_length(t, end) ||
                number_is_name(number_word_before(t, i)) || number_is_designator(t, i, digits, decimals)))
    return end;
  end = number_percent(t, scaled, &n, &scale);
  end = number_unit(t, end, &n, &scale);
  n.hedged = number_is_hedge(t, begin);
  n.last = number_last(digits, decimals, n.hedged) * scale;
  n.value = atof(digits) * scale;
  number_take_sign(&n, t, begin, end);
  NUMBER_PUSH(s->numbers, s->number_count, n);
  return n.end;
}

static size_t number_take_mark(struct stated *s, struct slice t, size_t i) {
  size_t at = i + 1;
  int mark = 0;
  while (at < t.len && (isdigit((unsigned char)t.data[at]) || t.data[at] == ',' || t.data[at] == ' ')) {
    mark = isdigit((unsigned char)t.data[at]) ? (mark * 10 + (t.data[at] - '0')) % 100000 : 0;
    at++;
    if (mark && (at == t.len || !isdigit((unsigned char)t.data[at])))
      NUMBER_PUSH(s->marks, s->mark_count, (struct stated_mark){i, at, mark});
  }
  return at < t.len && t.data[at] == ']' && at > i + 1 ? at + 1 : i + 1;
}

/* A fraction or multiple, in percent: "a third of", "two thirds", "by half", "doubled". */
struct number_phrase {
  const char *words;
  double value, last;
  int change;
};

static const struct number_phrase *number_phrase_at(struct slice t, size_t i) {
  static const struct number_phrase phrases[] = {NUMBERS_PART};
  for (size_t k = 0; k < sizeof phrases / sizeof *phrases; k++) {
    size_t end = i + strlen(phrases[k].words);
    if (slice_at_nocase(t, i, phrases[k].words) &&
        (end >= t.len || t.data[end - 1] == ' ' ||
         (!isalpha((unsigned char)t.data[end]) && t.data[end] != '-')))
      return &phrases[k];
  }
  return NULL;
}

/* An ordinal is not a fraction: "a third quarter", "the first half of 2025". */
static int number_is_ordinal(struct slice t, const struct number_phrase *p, size_t start, size_t end) {
  static const char *const nouns[] = {" quarter", " part",  " time",    " year",
                                      " fiscal",  " month", " company", NULL};
  static const char *const ordinals[] = {"first", "second", "latter", "last", "other", NULL};
  for (int k = 0; !p->change && nouns[k]; k++)
    if (slice_at_nocase(t, end, nouns[k]))
      return 1;
  return slice_among_nocase(number_word_before(t, start), ordinals);
}

/* "More than doubled" is less than tripled; "nearly a third" is less than a third. */
static void number_widen(struct stated_number *n, struct slice before) {
  static const char *const more[] = {"than", "over", NULL}, *const less[] = {"nearly", "almost", NULL};
  double up = n->change > 0 ? 100 : n->value / 4;
  if (slice_among_nocase(before, more)) {
    n->value += up / 2;
    n->last = up;
  } else if (slice_among_nocase(before, less)) {
    n->last = n->value * 0.2;
    n->value *= 0.9;
  } else {
    n->last *= n->hedged ? 1.5 : 1;
  }
}

static size_t number_take_phrase(struct stated *s, struct slice t, size_t i, const struct number_phrase *p) {
  static const char *const parts[] = {" of", " the", " its", " all"}; /* words that only show that it is a
                                                                         fraction */
  size_t end = i + strlen(p->words), last = end;
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
    const char *at = memmem(t.data + i, last - i, parts[k], strlen(parts[k]));
    last = at ? (size_t)(at - t.data) : last;
  }
  struct stated_number n = {.start = i, .end = last, .value = p->value, .last = p->last, .percent = 1};
  n.change = p->change;
  n.hedged = number_is_hedge(t, i);
  number_widen(&n, number_word_before(t, i));
  if (number_is_ordinal(t, p, i, end))
    return end;
  NUMBER_PUSH(s->numbers, s->number_count, n);
  return end;
}

static size_t number_take_word(struct stated *s, struct slice t, size_t i, int words) {
  size_t end = i, word = i + number_words_word(t, i).len;
  const struct number_phrase *phrase = number_phrase_at(t, i);
  if (phrase)
    return number_take_phrase(s, t, i, phrase);
  struct stated_number n = {.start = i, .value = number_words_read(t, i, &end)};
  if (n.value <= 0)
    return word;
  char digits[NUMBER_DIGITS];
  double scale = 1;
  snprintf(digits, sizeof digits, "%.0f", n.value);
  n.end = number_scale(t, end, &scale);
  n.scaled = n.end != end;
  n.end = number_percent(t, n.end, &n, &scale);
  n.end = number_unit(t, n.end, &n, &scale);
  n.hedged = number_is_hedge(t, i);
  n.last = number_last(digits, 0, n.hedged && n.value >= 100) * scale;
  n.value *= scale;
  if (n.end == end && !n.currency && (!words || end != word || n.value > 12))
    return end;
  NUMBER_PUSH(s->numbers, s->number_count, n);
  return n.end;
}

/* "5.6 to 6.4 billion", "27 to 30 percent": the first number gets the second one's scale. */
static void stated_ranges(struct stated *s, struct slice t) {
  static const char *const words[] = {" to ", " and ", " or ", "-", "\xE2\x80\x93", "\xE2\x80\x94"};
  for (size_t i = 0; i + 1 < s->number_count; i++) {
    struct stated_number *a = &s->numbers[i];
    const struct stated_number *b = a + 1;
    int between = 0;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
      between |= b->start == a->end + strlen(words[k]) && slice_at_nocase(t, a->end, words[k]);
    double scale = !b->scaled               ? 1
                   : fabs(b->value) >= 1e12 ? 1e12
                   : fabs(b->value) >= 1e9  ? 1e9
                   : fabs(b->value) >= 1e6  ? 1e6
                                            : 1e3;
    double ratio = b->value == 0 ? 0 : fabs(a->value * scale / b->value);
    if (!between || a->scaled || a->percent || (!b->scaled && !b->percent) || ratio < 0.05 || ratio > 20)
      continue;
    a->value *= scale;
    a->last *= scale;
    a->scaled = b->scaled;
    a->percent = b->percent;
  }
}

void numbers_read(struct stated *s, struct slice text, int words) {
  memset(s, 0, sizeof *s);
  for (size_t i = 0; i < text.len;) {
    unsigned char c = (unsigned char)text.data[i];
    if (c == '[' && i + 1 < text.len && isdigit((unsigned char)text.data[i + 1]))
      i = number_take_mark(s, text, i);
    else if (isdigit(c))
      i = number_take(s, text, i);
    else if (isalpha(c))
      i = number_take_word(s, text, i, words);
    else
      i++;
  }
  stated_ranges(s, text);
}

/* Whether a comma or semicolon separates a number from a year; one within a date before the year doesn't count. */
static int number_is_parted(struct slice between, int behind) {
  for (size_t i = 0; i < between.len; i++)
    if (between.data[i] == ';' || (between.data[i] == ',' && (!behind || i + 2 < between.len)))
      return 1;
  return 0;
}

/* "To $5 billion from $4 billion in 2024", "to 21.2 hours from 22.7 hours". */
static int number_is_from(struct slice t, size_t i) {
  static const char word[] = " from ";
  size_t n = sizeof word - 1;
  return slice_at_nocase(t, i, word) && i + n < t.len &&
         (isdigit((unsigned char)t.data[i + n]) || t.data[i + n] == '$' || t.data[i + n] == '(' ||
          (t.data[i + n] & 0x80));
}

static int number_is_compared(struct slice between) {
  static const char *const words[] = {"compar", "versus", "against", NULL};
  for (size_t i = 0; i < between.len; i++)
    for (int k = 0; words[k]; k++)
      if (slice_at_nocase(between, i, words[k]) || number_is_from(between, i))
        return 1;
  return 0;
}

/* "2009 over 2008", "more than in 2008", "from the year ended June 30, 2008": what is compared is the other year. */
static int number_is_base_year(struct slice t, size_t at) {
  static const char *const words[] = {"from", "over", "than", NULL};
  static const char *const between[] = {CHANGES_BEFORE_YEAR, NULL};
  struct slice word = number_word_before(t, at);
  for (int day = 1; word.data > t.data; word = number_word_before(t, at)) {
    if (word.len == 0 && day--) { /* "June 30, " */
      for (at = (size_t)(word.data - t.data); at && strchr(" ,0123456789", t.data[at - 1]);)
        at--;
    } else if (word.len && (slice_among_nocase(word, between) || number_is_month(word))) {
      at = (size_t)(word.data - t.data);
    } else {
      break;
    }
  }
  if (slice_is(word, "to") || slice_is(word, "with")) { /* "compared to 2008" */
    word = number_word_before(t, (size_t)(word.data - t.data));
    return slice_is(word, "compared");
  }
  return slice_among_nocase(word, words);
}

/* Whether a bracket opens or closes between a number and a year. */
static int number_is_bracketed(struct slice between) {
  int depth = 0, least = 0;
  for (size_t i = 0; i < between.len; i++) {
    depth += between.data[i] == '(' ? 1 : between.data[i] == ')' ? -1 : 0;
    least = depth < least ? depth : least;
  }
  return depth > 0 || least < 0;
}

/* Whether another number follows a year that stands behind this one. */
static int number_has_next(const struct stated *s, const struct stated_number *n, size_t year) {
  return n + 1 < s->numbers + s->number_count && n[1].start > year && n->end < year;
}

int numbers_year_of(const struct stated *s, struct slice text, const struct stated_number *n) {
  int year = 0;
  double nearest = INFINITY;
  for (size_t i = 0; i < s->year_count; i++) {
    const struct stated_year *y = &s->years[i];
    int behind = y->start > n->start;
    size_t from = behind ? n->end : y->start, to = behind ? y->start : n->start;
    struct slice between = slice_of(text.data + from, to > from ? to - from : 0);
    int other =
        (behind && number_is_compared(between)) || (s->year_count > 1 && number_is_base_year(text, y->start));
    int next = behind && number_has_next(s, n, y->start); /* "2022 sales were $5, 2023 sales $6" */
    double off = (behind ? 1 : 2) * (double)between.len *
                 (!number_is_parted(between, behind) ? 1
                  : next                             ? NUMBER_PARTED_NEXT
                                                     : 4);
    if (other && s->year_count == 1)
      continue;
    off *= (other ? 8 : 1) * (s->year_count > 1 && number_is_bracketed(between) ? 8 : 1);
    if (off < nearest) {
      nearest = off;
      year = y->year;
    }
  }
  return year;
}

double numbers_caption(struct slice text) {
  static const struct {
    const char *words;
    double scale;
  } known[] = {NUMBERS_CAPTION};
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    for (size_t i = 0; i < text.len; i++)
      if (slice_at_nocase(text, i, known[k].words))
        return known[k].scale;
  return 1;
}
