#include "verify/numbers_phrases.h"

#include "tables/numbers.h"
#include "text/number_words.h"
#include "verify/numbers_units.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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
    double off = n->change > 0 ? 0.3 : 0.2; /* "nearly doubled": by 70% or more */
    n->last = n->value * off;
    n->value *= 1 - off / 2;
  } else {
    n->last *= n->hedged ? 1.5 : 1;
  }
}

size_t number_phrase(struct slice t, size_t i, struct stated_number *n) {
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
  number_widen(n, number_word_before(t, i));
  return end;
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

size_t number_fraction(struct slice t, size_t i, struct stated_number *n) {
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
  number_widen(n, number_word_before(t, i));
  return end;
}
