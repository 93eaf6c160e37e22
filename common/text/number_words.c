/* number_words.c: numbers in words: cardinals, ordinals, "a hundred and three". */
#include "text/number_words.h"
#include "tables/numbers.h"

#include <ctype.h>

struct number_word {
  const char *word;
  int value;
};

static int number_word_value(struct slice word, const struct number_word *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (slice_is_nocase(word, list[i].word))
      return list[i].value;
  return 0;
}

int number_words_cardinal(struct slice word) {
  static const struct number_word list[] = {NUMBERS_CARDINAL};
  return number_word_value(word, list, sizeof list / sizeof *list);
}

int number_words_or_digits(struct slice word) {
  int value = 0;
  size_t n = 0;
  for (; n < word.len && n < 2 && word.data[n] >= '0' && word.data[n] <= '9'; n++)
    value = 10 * value + (word.data[n] - '0');
  return n > 0 && n == word.len ? value : number_words_cardinal(word);
}

struct slice number_words_word(struct slice t, size_t i) {
  size_t end = i;
  while (end < t.len && isalpha((unsigned char)t.data[end]))
    end++;
  return slice_of(t.data + i, end - i);
}

double number_words_read(struct slice t, size_t i, size_t *end) {
  double sum = 0, last = 0;
  for (size_t at = i; at < t.len;) {
    struct slice word = number_words_word(t, at);
    double value = number_words_cardinal(word);
    int hundred = slice_is_nocase(word, "hundred") && (last > 0 || sum == 0);
    if (at == i && (slice_is(word, "a") || slice_is(word, "an")))
      value = slice_at_nocase(t, at, "a hundred") || slice_at_nocase(t, at, "a thousand") ||
              slice_at_nocase(t, at, "a million") || slice_at_nocase(t, at, "a billion") ||
              slice_at_nocase(t, at, "a trillion");
    if (hundred)
      value = (sum > 0 ? sum : 1) * 100 - sum;
    else if (slice_is(word, "and") && sum >= 100)
      value = 0;
    else if (value <= 0 || (sum > 0 && (last < 20 || (last < 100 && value >= 10))))
      break;
    sum += value;
    last = hundred ? 100 : value > 0 ? value : last;
    at += word.len;
    if (value > 0)
      *end = at;
    if (at >= t.len || (t.data[at] != ' ' && t.data[at] != '-'))
      break;
    at++;
  }
  return sum;
}
