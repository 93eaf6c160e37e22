#include "query/plan_lengths.h"

#include "text/number_words.h"
#include "tables/period_words.h"

size_t plan_unit_at(const struct plan_text *t, size_t i, int *months) {
  static const struct {
    const char *word;
    int months;
  } units[] = {PERIOD_WORDS_UNIT};
  for (size_t k = 0; i < t->count && k < sizeof units / sizeof *units; k++)
    if (plan_token_is(&t->token[i], units[k].word))
      return *months = units[k].months, units[k].months == 6 && plan_text_is(t, i + 1, "year") ? 2 : 1;
  return 0;
}

size_t plan_length_at(const struct plan_text *t, size_t i, int *months) {
  int count = 1;
  size_t counted = plan_count_at(t, i, &count), at = i + counted, used;
  if (counted && (plan_text_is(t, at, "weeks") || plan_text_is(t, at, "week")))
    return *months = (count + 2) * 3 / 13, 2;
  if (plan_text_is(t, at, "fiscal") || plan_text_is(t, at, "full"))
    at++;
  if ((used = plan_unit_at(t, at, months)) == 0)
    return 0;
  *months *= counted ? count : 1;
  return at + used - i;
}

size_t plan_count_at(const struct plan_text *t, size_t i, int *count) {
  if (i >= t->count)
    return 0;
  int n = number_words_cardinal(slice_str(t->token[i].fold));
  long number = plan_token_number(&t->token[i]);
  *count = n > 0 && n <= 12 ? n : number >= 1 && number <= 53 ? (int)number : 0;
  return *count > 0;
}
