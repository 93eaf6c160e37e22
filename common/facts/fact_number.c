/* fact_number.c: reads an amount with its sign of currency, words of size and percent. */
#include "facts/fact_number.h"

#include "tables/figure_words.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

enum { NUMBER_DIGITS = 32 };

/* The factor that a word or letter behind a number stands for; 0 where it is another word. */
static double fact_number_factor(struct slice word) {
  static const struct {
    const char *name;
    double by;
  } known[] = {FIGURE_WORDS_SIZE};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (slice_is_nocase(word, known[i].name))
      return known[i].by;
  return 0;
}

/* The digits from byte i on, without their commas; returns the byte behind them. */
static size_t fact_number_digits(struct slice text, size_t i, char out[NUMBER_DIGITS]) {
  size_t n = 0;
  if (i < text.len && text.data[i] == '-')
    out[n++] = text.data[i++];
  for (; i < text.len && n + 1 < NUMBER_DIGITS; i++) {
    char c = text.data[i];
    int digit_follows = i + 1 < text.len && isdigit((unsigned char)text.data[i + 1]);
    int power = (c == 'e' || c == 'E') && n && isdigit((unsigned char)out[n - 1]) && digit_follows;
    if (!isdigit((unsigned char)c) && !power && !((c == '.' || c == ',') && digit_follows))
      break;
    if (c != ',')
      out[n++] = c;
  }
  out[n] = '\0';
  return i;
}

/* The unit behind a number that ends at byte i: a percent sign or word, or a word of size. */
static void fact_number_unit(struct slice text, size_t i, struct fact_number *n) {
  static const char *const percents[] = {FIGURE_WORDS_PERCENT, NULL};
  while (i < text.len && text.data[i] == ' ')
    i++;
  size_t from = i;
  if (i < text.len && text.data[i] == '%')
    n->percent = 1, i++;
  while (!n->percent && i < text.len && isalpha((unsigned char)text.data[i]))
    i++;
  struct slice word = slice_of(text.data + from, i - from);
  double factor = fact_number_factor(word);
  n->percent |= slice_among_nocase(word, percents);
  if (n->percent)
    n->value /= 100;
  else if (factor > 0)
    n->value *= factor;
  if (n->percent || factor > 0)
    n->taken = i, n->bare_year = 0;
}

struct fact_number fact_number_read(struct slice text) {
  struct fact_number n = {.value = NAN};
  char digits[NUMBER_DIGITS], *end;
  size_t i = 0;
  while (i < text.len && (text.data[i] == ' ' || text.data[i] == '$'))
    i++;
  size_t behind = fact_number_digits(text, i, digits);
  double value = strtod(digits, &end);
  if (end == digits || !isfinite(value))
    return n;
  n.value = value;
  n.taken = behind;
  n.bare_year = strlen(digits) == 4 && value >= 1900 && value < 2200;
  fact_number_unit(text, behind, &n);
  return n;
}
