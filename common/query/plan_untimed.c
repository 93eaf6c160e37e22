/* plan_untimed.c: questions about a time that they don't name: since an event, in a year far ahead. */
#include "query/plan_untimed.h"

#include "query/plan_dates.h"
#include "query/plan_windows.h"
#include "tables/period_words.h"

#define UNTIMED_WORDS 6 /* after "since", within which a date may follow */

static int untimed_in(const struct plan_text *t, size_t i, const char *const *words) {
  return i < t->count && plan_word_in(t->token[i].fold, words) >= 0;
}

/* "since the merger": behind the word no date follows; *to is the end of the words. */
static int is_since_event(const struct plan_text *t, const uint8_t *taken, size_t i, size_t *to) {
  if (!plan_text_is(t, i, "since") || taken[i])
    return 0;
  *to = i + 1;
  while (*to < t->count && *to - i <= UNTIMED_WORDS && !(t->token[*to].gap & (GAP_SENTENCE | GAP_COMMA))) {
    if (taken[*to] == TAKEN_PERIOD)
      return 0;
    ++*to;
  }
  return *to > i + 1;
}

/* Whether the year at token i is alone at an end of the question, "Apple revenue 2029"; "2.9% notes 2031" is a name. */
static int is_bare_year(const struct plan_text *t, size_t i) {
  static const char *const names[] = {
      PERIOD_WORDS_NO_PERIOD, PERIOD_WORDS_DUE, PERIOD_WORDS_DUE_AHEAD, "by", "until", "through", NULL};
  unsigned parts = GAP_HYPHEN | GAP_DOT | GAP_DOLLAR | GAP_HASH | GAP_PERCENT;
  int last = i + 1 == t->count, first = i == 0;
  return (last || first) && !(t->token[i].gap & parts) && (last || !(t->token[i + 1].gap & parts)) &&
         (first || !untimed_in(t, i - 1, names)) && !untimed_in(t, i + 1, names);
}

/* "in 2031": no report is of that year yet. */
static int is_far_year(const struct plan_text *t, const uint8_t *taken, size_t i, int today) {
  static const char *const before[] = {"in", "for", "during", "fiscal", "fy", NULL};
  enum plan_year_kind kind;
  int year;
  return !taken[i] && ((i > 0 && untimed_in(t, i - 1, before)) || is_bare_year(t, i)) &&
         plan_year_at(t, i, &year, &kind) == 1 && t->token[i].digits == 4 && year > today + 1;
}

void plan_find_untimed(const struct plan_text *t, const uint8_t *taken, int today, struct plan *plan) {
  for (size_t i = 0; i < t->count && plan->window_count == 0 && plan->untimed.len == 0; i++) {
    size_t to = i + 1;
    if (is_since_event(t, taken, i, &to) || is_far_year(t, taken, i, today))
      plan->untimed = plan_text_span(t, i, to);
  }
  if (plan->untimed.len && plan->unknown_count < PLAN_UNKNOWN)
    plan->unknown[plan->unknown_count++] = plan->untimed;
}
