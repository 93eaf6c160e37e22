/* numbers.c: the numbers of a text as people write them: digits, scales, currencies, percents, lists and words.
 *
 * Each number keeps its place, value, precision and unit.  Years, notes, dates and names that hold digits are no claims. */
#include "text/numbers.h"
#include "base/clock.h"
#include "tables/numbers.h"
#include "text/number_words.h"
#include "text/numbers_units.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    int cents = b->end >= 6 && slice_at_nocase(t, b->end - 6, " cents");
    if (between && cents && !a->scaled && !a->percent && !a->currency) { /* "from 22 to 27 cents" */
      a->value *= 0.01;
      a->last *= 0.01;
      a->currency = b->currency;
    }
    if (!between || a->scaled || a->percent || (!b->scaled && !b->percent) || ratio < 0.05 || ratio > 20)
      continue;
    a->value *= scale;
    a->last *= scale;
    a->scaled = b->scaled;
    a->percent = b->percent;
    a->points = b->points;
  }
}

/* "$209.6, $33.7 and $28.0 billion": the last one's scale is that of all amounts of the list. */
static void stated_lists(struct stated *s, struct slice t) {
  static const char *const joints[] = {", ", " and ", ", and "};
  for (size_t i = s->number_count; i-- > 1;) {
    struct stated_number *a = &s->numbers[i - 1];
    const struct stated_number *b = a + 1;
    int joined = 0;
    for (size_t k = 0; k < sizeof joints / sizeof *joints; k++)
      joined |= b->start == a->end + strlen(joints[k]) && slice_at_nocase(t, a->end, joints[k]);
    double scale = fabs(b->value) >= 1e12 ? 1e12 : fabs(b->value) >= 1e9 ? 1e9 : 1e6;
    if (!joined || a->scaled || !b->scaled || !a->currency || a->currency != b->currency || b->percent ||
        fabs(a->value) >= 1e3 || fabs(b->value) < 1e6 || (b->last < scale && a->last >= 1))
      continue;
    a->value *= scale;
    a->last *= scale;
    a->scaled = 1;
  }
}

/* Gives numbers without a scale, a percent sign or cents those of the last number of their range or list: "5.6 to 6.4 billion",
 * "$209.6, $33.7 and $28.0 billion". */
static void numbers_share_scales(struct stated *s, struct slice t) {
  stated_ranges(s, t);
  stated_lists(s, t);
}

/* ---- fractions and multiples in words: "a third of", "by half", "doubled" ---- */

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

/* Reads the phrase at i, in percent, and returns its end; `i` where there is none.  *n stays as it is where the phrase is
 * an ordinal, "a third quarter". */
static size_t number_phrase(struct slice t, size_t i, struct stated_number *n) {
  static const char *const parts[] = {" of", " the", " its", " all"}; /* words that only show that it is a
                                                                         fraction */
  const struct number_phrase *p = number_phrase_at(t, i);
  size_t end = p ? i + strlen(p->words) : i, last = end;
  for (size_t k = 0; p && k < sizeof parts / sizeof *parts; k++) {
    const char *at = memmem(t.data + i, last - i, parts[k], strlen(parts[k]));
    last = at ? (size_t)(at - t.data) : last;
  }
  if (!p || number_is_ordinal(t, p, i, end))
    return end;
  *n = (struct stated_number){.start = i, .end = last, .value = p->value, .last = p->last, .percent = 1};
  n->change = p->change;
  n->hedged = number_is_hedge(t, i);
  n->part = 1;
  return end;
}

/* "Half a million", "three quarters of a billion": what a fraction, or "half" at n->start, is of a scale; returns its end. */
static size_t number_of_scale(struct slice t, size_t i, struct stated_number *n) {
  static const char *const joints[] = {" of a", " a", ""};
  static const char half[] = "half";
  double scale = 1;
  struct stated_number part = *n;
  if (!part.end && slice_at_nocase(t, i, half))
    part = (struct stated_number){.start = i, .end = i + sizeof half - 1, .value = 50, .last = 5};
  for (size_t k = 0; part.end && !part.change && k < sizeof joints / sizeof *joints; k++) {
    size_t at = part.end + strlen(joints[k]);
    size_t end = slice_at_nocase(t, part.end, joints[k]) && at < t.len && t.data[at] == ' '
                     ? number_scale(t, at, &scale)
                     : at;
    if (end == at)
      continue;
    *n = (struct stated_number){.start = i, .scaled = 1, .hedged = number_is_hedge(t, i)};
    n->value = part.value / 100 * scale;
    n->last = part.last / 100 * scale;
    n->end = number_unit(t, end, n, &scale);
    return n->end;
  }
  return i;
}

/* Whether a number of weeks or months that ends at `to` is the length of a period: "39 weeks". */
static int number_is_length(struct slice t, size_t to) {
  static const char *const units[] = {" week", "-week", " months", "-month", NULL};
  for (int k = 0; units[k]; k++)
    if (slice_at_nocase(t, to, units[k]))
      return 1;
  return 0;
}

/* A small integer in digits or words at i; returns its end, and 0 in *value for none. */
static size_t fraction_integer(struct slice t, size_t i, int *value) {
  size_t end = i;
  while (end < t.len && isdigit((unsigned char)t.data[end]))
    end++;
  int digits = end > i && end - i < 3 &&
               (end == t.len || !strchr(".,%-", t.data[end]) || end + 1 == t.len || t.data[end + 1] == ' ');
  if (end == i)
    while (end < t.len && isalpha((unsigned char)t.data[end]))
      end++;
  char word[12]; /* "One in five", at the start of a sentence */
  size_t n = 0;
  for (; n < sizeof word && i + n < end; n++)
    word[n] = (char)tolower((unsigned char)t.data[i + n]);
  *value = digits ? number_words_or_digits(slice_of(word, n)) : number_words_cardinal(slice_of(word, n));
  return end;
}

/* The denominator of "thirds" or "fifths" at i; returns its end, and 0 in *of for none. */
static size_t fraction_denominator(struct slice t, size_t i, int *of) {
  static const struct {
    const char *words;
    int of;
  } parts[] = {NUMBERS_DENOMINATOR};
  *of = 0;
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
    size_t end = i + strlen(parts[k].words);
    if (!slice_at_nocase(t, i, parts[k].words) || (end < t.len && isalpha((unsigned char)t.data[end])))
      continue;
    *of = parts[k].of;
    return end;
  }
  return i;
}

/* The denominator of "one in five" behind the numerator, which ends at i. */
static size_t fraction_among(struct slice t, size_t i, int *of) {
  static const char *const joints[] = {" in every ", " out of every ", " out of ", " in ", NULL};
  *of = 0;
  for (int k = 0; joints[k]; k++)
    if (slice_at_nocase(t, i, joints[k])) {
      size_t end = fraction_integer(t, i + strlen(joints[k]), of);
      *of = end < t.len && t.data[end] == ' ' && end + 1 < t.len && isalpha((unsigned char)t.data[end + 1])
                ? *of
                : 0;
      return end;
    }
  return i;
}

/* Reads "three fifths", "two-thirds of", "one in five" or "1 out of 5" at i, in percent, and returns its end; `i` where there is
 * none. */
static size_t number_fraction(struct slice t, size_t i, struct stated_number *n) {
  int part, of;
  size_t to = fraction_integer(t, i, &part), end = i;
  if (i && strchr("$-.,/", t.data[i - 1]))
    return i;
  if (part > 1 && to < t.len && strchr(" -", t.data[to]))
    end = fraction_denominator(t, to + 1, &of);
  else
    of = 0;
  if (!of && part > 0)
    end = fraction_among(t, to, &of);
  if (of <= part || part <= 0)
    return i;
  *n = (struct stated_number){.start = i, .end = end, .value = 100.0 * part / of, .percent = 1};
  n->last = 30.0 / of;
  n->hedged = number_is_hedge(t, i);
  n->part = 1;
  return end;
}

/* ---- digits ---- */

enum { NUMBER_DIGITS = 40 };

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

/* Words after which a number is a name. */
static int number_is_name(struct slice before) {
  static const char *const words[] = {NUMBERS_NAMED, NULL};
  return slice_among_nocase(before, words);
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

/* Whether a capital behind digits makes a name of them, "13F", "374Water", and isn't a scale or unit, "5B", "31 GWh". */
static int number_is_of_name(struct slice t, size_t to) {
  static const char *const names[] = {NUMBERS_NAMES, NULL};
  size_t end = to;
  double scale;
  for (int k = 0; names[k] && to >= 2 && to < t.len && t.data[to] == ' '; k++) /* "the 98 Plan" */
    if (strlen(names[k]) < t.len - to && memcmp(t.data + to + 1, names[k], strlen(names[k])) == 0 &&
        number_word_before(t, to - 2).len == 3)
      return 1;
  while (end < t.len && isalpha((unsigned char)t.data[end]))
    end++;
  if (end == to || !isupper((unsigned char)t.data[to]) || number_scale(t, to, &scale) != to)
    return 0;
  return end == to + 1 || (end > to + 3 && islower((unsigned char)t.data[to + 1]));
}

static size_t number_span(struct slice t, size_t i) {
  while (i < t.len && (isdigit((unsigned char)t.data[i]) ||
                       (t.data[i] == '.' && i + 1 < t.len && isdigit((unsigned char)t.data[i + 1]))))
    i++;
  return i;
}

/* "3-6%", "5.5-6 million": either number of a range whose second one has a unit. */
static int number_is_range(struct slice t, size_t from, size_t to) {
  double scale = 1;
  struct stated_number n = {0};
  size_t start = from;
  if (from && t.data[from - 1] == '-') { /* the second one */
    for (start = from - 1;
         start > 0 && (isdigit((unsigned char)t.data[start - 1]) || t.data[start - 1] == '.');)
      start--;
    if (start == from - 1)
      return 0;
  } else {
    size_t next = to < t.len && t.data[to] == '-' ? to + 1 : t.len;
    if (next >= t.len || !isdigit((unsigned char)t.data[next]))
      return 0;
    to = number_span(t, next);
  }
  return (!start || !(isalnum((unsigned char)t.data[start - 1]) || strchr("-/", t.data[start - 1]))) &&
         (number_percent(t, to, &n, &scale) != to || number_scale(t, to, &scale) != to);
}

/* Whether digits are part of a word, a date or a name: "10-K", "2025-09-27", "Q3", "3rd", "9/27". */
static int number_is_part(struct slice t, size_t from, size_t to) {
  unsigned char before = from ? (unsigned char)t.data[from - 1] : ' ',
                after = to < t.len ? (unsigned char)t.data[to] : ' ';
  unsigned char next = to + 1 < t.len ? (unsigned char)t.data[to + 1] : ' ';
  if (isalpha(before) || before == '/' || before == '#' || before == '_' || number_is_of_name(t, to) ||
      (from > 1 && memcmp(t.data + from - 2, "\xC2\xA7", 2) == 0)) /* the sign of a section */
    return 1;
  if (number_is_range(t, from, to))
    return 0;
  if (before == '-' && from > 1 && isalnum((unsigned char)t.data[from - 2]))
    return 1;
  if (after == '/' || after == '_' ||
      (after == '-' && isalnum(next) && !slice_at_nocase(t, to + 1, "day") &&
       !slice_at_nocase(t, to + 1, "million") && !slice_at_nocase(t, to + 1, "billion") &&
       !slice_at_nocase(t, to + 1, "percent")))
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
  size_t at = to, behind = from;
  while (behind > 0 && t.data[behind - 1] == ' ')
    behind--;
  if (number_is_month(number_word_before(t, from)) ||
      (behind > 3 && t.data[behind - 1] == '.' && /* "Dec. 31" */
       number_is_month(number_word_before(t, behind - 1))))
    return 1;
  while (at < t.len && t.data[at] == ' ')
    at++;
  size_t end = at;
  while (end < t.len && isalpha((unsigned char)t.data[end]))
    end++;
  return end > at && to - from <= 2 && number_is_month(slice_of(t.data + at, end - at));
}

/* "Forty-five (45) days": the number in brackets repeats the word before it. */
static int number_is_repeated(struct slice t, size_t from) {
  return from > 1 && t.data[from - 1] == '(' && number_words_cardinal(number_word_before(t, from)) > 0;
}

/* "Services (1)", "(2) For the quarter": a small integer alone in brackets, behind a word or before one, is a
 * mark; behind a verb, "was (5)", it is negative. */
static int number_is_note(struct slice t, size_t from, size_t to) {
  static const char *const verbs[] = {NUMBERS_VERB, NULL};
  enum { NOTE_DIGITS = 2 };
  if (!from || t.data[from - 1] != '(' || to >= t.len || t.data[to] != ')' || to - from > NOTE_DIGITS)
    return 0;
  double scale;
  struct stated_number n = {0};
  if (number_scale(t, to + 1, &scale) != to + 1 || number_percent(t, to + 1, &n, &scale) != to + 1)
    return 0;
  struct slice word = number_word_before(t, from);
  if (number_is_repeated(t, from))
    return 0;
  size_t end = from - 1;
  while (end > 0 && t.data[end - 1] == ' ')
    end--;
  if (word.len)
    return !slice_among_nocase(word, verbs);
  return (!end || strchr("):;.,", t.data[end - 1])) && (end || to + 1 < t.len);
}

/* Takes in sign and parentheses around a number in [begin, end) and extends its range. */
static void number_take_sign(struct stated_number *n, struct slice t, size_t begin, size_t end) {
  int parens = begin > 0 && t.data[begin - 1] == '(' && end < t.len && t.data[end] == ')';
  int dash =
      begin > 0 && t.data[begin - 1] == '-' && (begin < 2 || !isdigit((unsigned char)t.data[begin - 2]));
  int minus = begin > 2 && memcmp(t.data + begin - 3, "\xE2\x88\x92", 3) == 0;
  double scale = 1;
  if ((parens && !number_is_repeated(t, begin)) || dash || minus)
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
  size_t parts = number_fraction(t, i, &n);
  if (parts > i) {
    NUMBER_PUSH(s->numbers, s->number_count, n);
    return parts;
  }
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
  if (plain &&
      (number_is_day(t, i, end) || number_is_length(t, end) || number_is_name(number_word_before(t, i)) ||
       number_is_designator(t, i, digits, decimals) || number_is_note(t, i, end)))
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

/* ".7" of "seventeen point seven": returns the end of the decimals behind the words that end at i, `i` where there are none. */
static size_t number_point(struct slice t, size_t i, double *value, double *last) {
  static const char point[] = " point ";
  size_t at = i + sizeof point - 1, end = i;
  *last = 1;
  for (int digit; slice_at_nocase(t, i, point) && at < t.len; at = end + 1) {
    struct slice word = number_words_word(t, at);
    digit = slice_is_nocase(word, "zero") || slice_is_nocase(word, "oh") ? 0 : number_words_cardinal(word);
    if (!word.len || digit > 9 || (!digit && !slice_is_nocase(word, "zero") && !slice_is_nocase(word, "oh")))
      break;
    *last /= 10;
    *value += digit * *last;
    end = at + word.len;
    if (end >= t.len || t.data[end] != ' ')
      break;
  }
  return end;
}

static size_t number_take_word(struct stated *s, struct slice t, size_t i, int words) {
  size_t end = i, word = i + number_words_word(t, i).len;
  struct stated_number n = {0};
  size_t behind = number_fraction(t, i, &n);
  behind = behind > i ? behind : number_phrase(t, i, &n);
  size_t amount = number_of_scale(t, i, &n);
  behind = amount > i ? amount : behind;
  if (n.end)
    NUMBER_PUSH(s->numbers, s->number_count, n);
  if (behind > i)
    return behind;
  n = (struct stated_number){.start = i, .value = number_words_read(t, i, &end)};
  if (n.value <= 0)
    return word;
  if (number_is_length(t, end))
    return end;
  static const char and_half[] = " and a half";
  char digits[NUMBER_DIGITS];
  double scale = 1, decimal;
  snprintf(digits, sizeof digits, "%.0f", n.value);
  size_t whole = end;
  end = number_point(t, end, &n.value, &decimal);
  if (slice_at_nocase(t, end, and_half)) {
    n.value += decimal = .5;
    end += sizeof and_half - 1;
  }
  n.end = number_scale(t, end, &scale);
  n.scaled = n.end != end;
  n.end = number_percent(t, n.end, &n, &scale);
  n.end = number_unit(t, n.end, &n, &scale);
  n.hedged = number_is_hedge(t, i);
  n.last = (end > whole ? decimal : number_last(digits, 0, n.hedged && n.value >= 100)) * scale;
  n.value *= scale;
  int small = end == word && n.value <= 12, part = end < t.len && t.data[end] == '-'; /* "twenty-first" */
  if (n.end == end && !n.currency && (small ? !words : part || end > whole))
    return end;
  NUMBER_PUSH(s->numbers, s->number_count, n);
  return n.end;
}

/* What the words before a number say of its value: "more than 30%" is 30 to 40, "nearly half" 40 to 50, "about 30%" 25 to 35; "more
 * than doubled" is less than tripled. */
static void number_bound(struct stated_number *n, struct slice t) {
  static const char *const over[] = {NUMBERS_OVER, NULL}, *const under[] = {NUMBERS_UNDER, NULL};
  static const char *const less[] = {"less", "fewer", NULL}, *const no[] = {"no", "not", NULL};
  struct slice word = number_word_before(t, n->start);
  int than = slice_is_nocase(word, "than");
  struct slice front =
      than || slice_is_nocase(word, "of") ? number_word_before(t, (size_t)(word.data - t.data)) : word;
  int below = than && slice_among_nocase(front, less);
  int turned = than && slice_among_nocase(number_word_before(t, (size_t)(front.data - t.data)), no);
  double size = fabs(n->value), off = n->last / 2;
  n->low = size - off;
  n->high = size + off;
  if (below != turned || slice_among_nocase(word, under)) {
    n->low = size - (n->change > 0 ? 0.3 * size : n->part ? 0.2 * size : off);
    n->high = size;
  } else if (than || slice_among_nocase(front, over)) {
    n->low = size;
    n->high = size + (n->change > 0 ? 100 : n->part ? size / 4 : n->last);
  } else if (n->part && n->hedged) {
    n->low = size - 1.5 * off;
    n->high = size + 1.5 * off;
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
  numbers_share_scales(s, text);
  for (size_t i = 0; i < s->number_count; i++)
    number_bound(&s->numbers[i], text);
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
