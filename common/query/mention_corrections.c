#include "query/mention_corrections.h"

#include "tables/question_words.h"

/* Words at token i that take back what was said: "no wait", "? no, I meant", "sorry,", "? whichever, what I need is"; where
 * what is meant begins, or 0. */
static size_t correction_at(const struct plan_text *t, size_t i) {
  static const char *const opens[] = {QUESTION_WORDS_CORRECTS, NULL},
                           *const follows[] = {QUESTION_WORDS_CORRECTING, NULL},
                           *const needs[] = {QUESTION_WORDS_CORRECTS_WITH, NULL},
                           *const second[] = {QUESTION_WORDS_CORRECTED, NULL};
  const unsigned stops = GAP_SENTENCE | GAP_COMMA | GAP_STOP | GAP_HYPHEN;
  const unsigned dots = GAP_DOT | GAP_BLANK; /* "say... no, what" */
  size_t at = i + 1;
  if (!((t->token[i].gap & stops) || (t->token[i].gap & dots) == dots) ||
      plan_word_in(t->token[i].fold, opens) < 0 || at >= t->count)
    return 0;
  if (plan_word_in(t->token[i].fold, needs) >= 0 && plan_word_in(t->token[at].fold, second) < 0)
    return 0;
  while (at < t->count && plan_word_in(t->token[at].fold, follows) >= 0)
    at++;
  if (at >= t->count || (at == i + 1 && !(t->token[at].gap & stops)))
    return 0; /* "no idea" */
  return at;
}

size_t mention_taken_back_at(const struct plan_text *t, size_t to) {
  size_t meant = 0;
  for (size_t i = to; i + 1 < t->count && !meant; i++)
    meant = correction_at(t, i);
  return meant;
}
int mention_is_taken_back(const struct mention_text *m, const struct mentions *list, size_t i) {
  size_t meant = mention_taken_back_at(m->t, list->list[i].to);
  return meant > 0 && (list->list[list->count - 1].from >= meant || list->count == 1);
}
