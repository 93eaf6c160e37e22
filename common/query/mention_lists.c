#include "query/mention_lists.h"

#include "query/mention_corrections.h"
#include "query/plan_windows.h"
#include "tables/question_words.h"

#define TRADE_MARGIN 1.6 /* as DOUBT in plan_companies.c */
#define LISTED 4.0       /* what a certain name in a list adds to the scores of the others */
#define LISTED_WORD 1.0
#define FILER_SMALL 1.5 /* what the place of who filed a form adds to words in small letters */

int mention_joins(const struct mention_text *m, const struct mention *a, const struct mention *b,
                  int *closed) {
  static const char *const words[] = {QUESTION_WORDS_JOINS, NULL};
  static const char *const comparing[] = {"with", "to", "than", "from", "compared", "relative", NULL};
  static const char *const holders[] = {QUESTION_WORDS_REPEATED, NULL};
  const struct plan_text *t = m->t;
  size_t from = a->to, to = b->from;
  int held = a->from > 0 && plan_word_in(t->token[a->from - 1].fold, holders) >= 0, joined = 0;
  if (to - from > 3 || (t->token[to].gap & GAP_SENTENCE))
    return 0;
  for (size_t i = from; i < to; i++) {
    const char *fold = t->token[i].fold;
    int lists = t->token[i].amp || plan_word_in(fold, words) >= 0 ||
                (m->compares && plan_word_in(fold, comparing) >= 0),
        again = joined && held && i + 1 == to && strcmp(fold, t->token[a->from - 1].fold) == 0;
    if (!lists && !again)
      return 0;
    joined |= lists;
  }
  int comma = to == from && (t->token[to].gap & GAP_COMMA);
  if (comma && *closed)
    return 0;
  *closed |= joined;
  return joined || (to == from && (t->token[to].gap & MENTION_GAP_LIST));
}

/* "spot" is a ticker only in capitals. */
static int is_plain_word(const struct mention_text *m, const struct mention *a) {
  return a->how == PLAN_TICKER && m->word[a->from].ordinary && m->t->token[a->from].capitals == 0;
}

/* "Delta and United": of several companies with a name in the list, the one in the trade of a certain company is
 * meant. */
static void choose_by_trade(const struct mention_text *m, const struct mention *sure, struct mention *a) {
  const struct directory_company *c = directory_company(m->directory, sure->company);
  uint64_t trades = plan_trades_of_company(m->trades, c->cik, c->name);
  size_t found = 0, fit = 0;
  for (size_t i = 0; i < a->rival_count; i++) {
    const struct directory_company *r = directory_company(m->directory, a->rivals[i]);
    if ((plan_trades_of_company(m->trades, r->cik, r->name) & trades) && fit++ == 0)
      found = i;
  }
  if (fit != 1)
    return;
  a->company = a->rivals[found];
  a->margin = TRADE_MARGIN;
}

/* Names in an enumeration support each other: a certain one raises the others. */
static void support_listed(const struct mention_text *m, struct mentions *list) {
  for (size_t i = 0, end; i < list->count; i = end) {
    size_t best = i;
    int closed = 0;
    for (end = i + 1; end < list->count && mention_joins(m, &list->list[end - 1], &list->list[end], &closed);
         end++)
      best = list->list[end].score > list->list[best].score ? end : best;
    for (size_t k = i; k < end && list->list[best].score > 0.5; k++)
      if (k != best) {
        list->list[k].score += is_plain_word(m, &list->list[k]) ? LISTED_WORD : LISTED;
        list->list[k].listed = 1;
        if (list->list[k].margin < TRADE_MARGIN && list->list[best].margin >= TRADE_MARGIN)
          choose_by_trade(m, &list->list[best], &list->list[k]);
      }
  }
}

/* Whether capitals beside token i, across "vs" or "and", are nobody's: "Sally Beauty's CBG vs SBS" are its segments. */
static int is_other_abbreviation(const struct mention_text *m, const struct mentions *list, size_t i) {
  const struct plan_token *token = &m->t->token[i];
  if (token->letters < 2 || token->digits || token->capitals != token->letters || m->taken[i])
    return 0;
  for (size_t k = 0; k < list->count; k++)
    if (list->list[k].from <= i && i < list->list[k].to && list->list[k].score > MENTION_MAYBE)
      return 0;
  return 1;
}

static void doubt_abbreviations(const struct mention_text *m, struct mentions *list) {
  static const char *const words[] = {"and", "or", "vs", "versus", "v", NULL};
  for (size_t i = 0; i < list->count; i++) {
    struct mention *a = &list->list[i];
    int before = a->from > 1 && plan_word_in(m->t->token[a->from - 1].fold, words) >= 0 &&
                 is_other_abbreviation(m, list, a->from - 2),
        behind = a->to + 1 < m->t->count && plan_word_in(m->t->token[a->to].fold, words) >= 0 &&
                 is_other_abbreviation(m, list, a->to + 1);
    for (size_t k = 0; k < i && a->how == PLAN_TICKER && (before || behind); k++)
      if (list->list[k].score > 0.5 && list->list[k].to + 3 >= a->from) {
        a->score -= LISTED;
        break;
      }
  }
}

/* Where a company is named, somebody else is named for what he does there: "Elon Musk's stake in Oracle". */
static void doubt_people(struct mentions *list) {
  int company = 0;
  for (size_t i = 0; i < list->count; i++)
    company |= list->list[i].way != WAY_PERSON && list->list[i].score > MENTION_MAYBE;
  for (size_t i = 0; company && i < list->count; i++)
    if (list->list[i].way == WAY_PERSON)
      list->list[i].score = -MENTION_PERSON;
}
/* A name that replaces a certain one is a name as well: "harley? no, I meant polaris". */
static void support_corrected(const struct mention_text *m, struct mentions *list) {
  for (size_t i = 0; i + 1 < list->count; i++) {
    size_t meant = list->list[i].score > 0.5 ? mention_taken_back_at(m->t, list->list[i].to) : 0, k = i + 1;
    while (meant && k < list->count && list->list[k].from < meant)
      k++;
    if (meant && k < list->count && list->list[k].from == meant && !list->list[k].listed) {
      list->list[k].score += LISTED;
      list->list[k].listed = 1;
    }
  }
}

/* Whether a mention stands where who filed a form does: "the 8-K that Target filed", "8-K from Snowflake". */
static int is_filer(const struct mention_text *m, const struct mention *a) {
  static const char *const files[] = {QUESTION_WORDS_FILES, NULL}, *const from[] = {"from", "of", "by", "for",
                                                                                    NULL};
  const struct plan_text *t = m->t;
  int forms = 0;
  for (size_t i = 0; i < t->count; i++)
    forms |= m->taken[i] == TAKEN_FORM;
  if (!forms)
    return 0;
  if (a->to < t->count && plan_word_in(t->token[a->to].fold, files) >= 0)
    return 1;
  return a->from > 1 && plan_word_in(t->token[a->from - 1].fold, from) >= 0 &&
         (m->taken[a->from - 2] == TAKEN_FORM || plan_word_in(t->token[a->from - 2].fold, files) >= 0);
}

/* Words with a capital in the place of who filed a form are a name; small ones may be. */
static void support_filers(const struct mention_text *m, struct mentions *list) {
  for (size_t i = 0; i < list->count; i++) {
    struct mention *a = &list->list[i];
    if (is_filer(m, a))
      a->score += m->t->token[a->from].first_capital && m->capitals_tell ? LISTED : FILER_SMALL;
  }
}

void mention_lists_support(const struct mention_text *m, struct mentions *list) {
  for (size_t i = 0; i < list->count; i++) {
    struct mention *a = &list->list[i];
    for (size_t k = 0; k < list->count; k++) {
      const struct mention *b = &list->list[k];
      if (k == i || b->score <= 0.5)
        continue;
      const struct mention *first = k < i ? b : a, *second = k < i ? a : b;
      int beside = first->to == second->from && !(m->t->token[second->from].gap & MENTION_GAP_LIST);
      if (a->company == b->company && a->ordinary)
        continue; /* the first "gap" of "gap between Gap Inc and Lululemon" */
      if (a->company == b->company && a->way != b->way)
        a->score += LISTED;
      else if ((beside && a->how != PLAN_TICKER) || a->company == b->company) /* "verizon at&t t-mobile" */
        a->score += 1.5;
    }
  }
  support_filers(m, list);
  doubt_people(list);
  doubt_abbreviations(m, list);
  support_listed(m, list);
  support_corrected(m, list);
}
