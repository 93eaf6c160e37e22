/* plan_subject.c: pay, boards, holders, votes and insiders' trades are not in reports. */
#include "query/plan_subject.h"

#include "query/plan_windows.h"
#include "tables/subject_words.h"

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

/* A question with a word of each of `with`, and none of `without`, is of that form. */
struct plan_sign {
  const char *form;
  int person; /* a leader by name stands for a word of the first */
  const char *const *with[3], *const *without;
};

static const struct plan_sign signs[] = {
    {"4", 1, {LIST(SUBJECT_WORDS_LEADER), LIST(SUBJECT_WORDS_TRADE), LIST(SUBJECT_WORDS_SECURITY)}, NULL},
    {"4", 0, {LIST(SUBJECT_WORDS_INSIDER), LIST(SUBJECT_WORDS_TRADE)}, LIST(SUBJECT_WORDS_INQUIRY)},
    {"DEF 14A", 1, {LIST(SUBJECT_WORDS_LEADER), LIST(SUBJECT_WORDS_PAY)}, NULL},
    {"DEF 14A", 0, {LIST(SUBJECT_WORDS_REWARD)}, NULL},
    {"DEF 14A", 0, {LIST(SUBJECT_WORDS_WAGE), LIST(SUBJECT_WORDS_RATIO)}, NULL},
    {"DEF 14A",
     0,
     {LIST(SUBJECT_WORDS_COUNCIL), LIST(SUBJECT_WORDS_SEAT)},
     LIST(SUBJECT_WORDS_TOLD_ELSEWHERE)},
    {"DEF 14A", 0, {LIST(SUBJECT_WORDS_OWNER), LIST(SUBJECT_WORDS_RANK)}, NULL},
    {"DEF 14A",
     1,
     {LIST(SUBJECT_WORDS_LEADER), LIST(SUBJECT_WORDS_GROUP), LIST(SUBJECT_WORDS_SECURITY)},
     NULL},
    {"DEF 14A",
     0,
     {LIST(SUBJECT_WORDS_RELATED), LIST(SUBJECT_WORDS_DEALING)},
     LIST(SUBJECT_WORDS_ACCOUNTING)},
    {"DEF 14A", 0, {LIST(SUBJECT_WORDS_AUDITOR), LIST(SUBJECT_WORDS_FEE)}, NULL},
    {"DEF 14A",
     0,
     {LIST(SUBJECT_WORDS_VOTER), LIST(SUBJECT_WORDS_BALLOT)},
     LIST(SUBJECT_WORDS_TOLD_ELSEWHERE)}};

static int has_word_of(const struct plan_text *t, const uint8_t *taken, const char *const *list) {
  for (size_t i = 0; i < t->count; i++)
    if (taken[i] != TAKEN_COMPANY && plan_word_in(t->token[i].fold, list) >= 0)
      return 1;
  return 0;
}

/* Whether the token at a byte of the question is of a company's own name, not of a person who stands for it. */
static int is_company_name(const struct plan *plan, const struct plan_text *t, size_t i) {
  const char *at = t->text.data + t->token[i].start;
  for (size_t k = 0; k < plan->company_count; k++) {
    const struct plan_company *c = &plan->companies[k];
    if (c->how != PLAN_ALIAS && at >= c->matched.data && at < c->matched.data + c->matched.len)
      return 1;
  }
  return 0;
}

/* A name of a person, or a word of no list, which may be one. */
static int may_name(const struct plan_word *w) {
  return w->given || w->family || (!w->ordinary && !w->small && !w->place && !w->kinds);
}

/* "Tim Cook", "Jeff Bezos": two such words, of which one is known as a name. */
static int names_person(const struct plan_text *t, const struct plan_word *word, const struct plan *plan) {
  for (size_t i = 0; i + 1 < t->count; i++)
    if (may_name(&word[i]) && (may_name(&word[i + 1]) || t->token[i + 1].possessive) &&
        (word[i].given || word[i].family || word[i + 1].family) && !t->token[i].digits &&
        !t->token[i + 1].digits && !(t->token[i + 1].gap & ~(unsigned)GAP_BLANK) &&
        !is_company_name(plan, t, i) && !is_company_name(plan, t, i + 1))
      return 1;
  return 0;
}

static int shows(const struct plan_sign *s, const struct plan_text *t, const uint8_t *taken, int person) {
  for (size_t i = 0; i < sizeof s->with / sizeof *s->with && s->with[i]; i++)
    if (!has_word_of(t, taken, s->with[i]) && !(i == 0 && s->person && person))
      return 0;
  return !s->without || !has_word_of(t, taken, s->without);
}

void plan_disclosed_in(const struct plan_text *t, const struct plan_word *word, const uint8_t *taken,
                       struct plan *plan) {
  int person = names_person(t, word, plan);
  plan->disclosed_in = slice_of(NULL, 0);
  for (size_t i = 0; i < sizeof signs / sizeof *signs && !plan->disclosed_in.len; i++)
    if (shows(&signs[i], t, taken, person))
      plan->disclosed_in = slice_str(signs[i].form);
}
