/* mention_subjects.c: what the names in one question tell of each other: lists, corrections, and which of them it is
 * about. */
#include "query/mentions.h"
#include "query/plan_windows.h"
#include "query/plan_words.h"
#include "tables/question_words.h"

/* ---- corrections: "no wait", "sorry, I meant" ---- */

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

/* If the words from token `to` on take back what stands before them: the token at which what is meant instead begins; else 0. */
static size_t mention_taken_back_at(const struct plan_text *t, size_t to) {
  size_t meant = 0;
  for (size_t i = to; i + 1 < t->count && !meant; i++)
    meant = correction_at(t, i);
  return meant;
}
/* Whether mention i is taken back, in favour of a later one if there are others. */
static int mention_is_taken_back(const struct mention_text *m, const struct mentions *list, size_t i) {
  size_t meant = mention_taken_back_at(m->t, list->list[i].to);
  return meant > 0 && (list->list[list->count - 1].from >= meant || list->count == 1);
}

/* ---- names that support or doubt each other ---- */

#define TRADE_MARGIN 1.6 /* as DOUBT in plan_companies.c */
#define LISTED 4.0       /* what a certain name in a list adds to the scores of the others */

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

/* "Delta and United": of several companies with a name in the list, the one in the trade of a certain company is
 * meant. */
static void choose_by_trade(const struct mention_text *m, const struct mention *sure, struct mention *a) {
  struct directory_company c = directory_company(m->directory, sure->company);
  uint64_t trades = plan_trades_of_company(m->trades, c.cik, c.name);
  size_t found = 0, fit = 0;
  for (size_t i = 0; i < a->rival_count; i++) {
    struct directory_company r = directory_company(m->directory, a->rivals[i]);
    if ((plan_trades_of_company(m->trades, r.cik, r.name) & trades) && fit++ == 0)
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
        list->list[k].score += LISTED;
        list->list[k].listed = 1;
        if (list->list[k].margin < TRADE_MARGIN && list->list[best].margin >= TRADE_MARGIN)
          choose_by_trade(m, &list->list[best], &list->list[k]);
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
/* Whether a ticker that isn't in capitals is a word that goes with another company, which is named: "Mac" beside Apple. */
static int is_product_of(const struct mention_text *m, const struct mention *b, const struct mention *a) {
  const struct plan_token *token = &m->t->token[a->from];
  uint32_t cik = directory_company(m->directory, b->company).cik;
  return a->how == PLAN_TICKER && token->capitals < token->letters && a->company != b->company &&
         plan_senses_have(plan_senses_of_company(m->senses, cik), token);
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
      if (is_product_of(m, b, a))
        a->score -= 2 * LISTED; /* "iPhone and Mac sales of Apple" */
      else if (a->company == b->company && a->way != b->way)
        a->score += LISTED;
      else if ((beside && a->how != PLAN_TICKER) || a->company == b->company) /* "verizon at&t t-mobile" */
        a->score += 1.5;
    }
  }
  doubt_people(list);
  support_listed(m, list);
}

/* ---- the subject ---- */

#define OTHERS_MODIFIERS 2 /* words before companies without a name: "small", "listed" */
#define PAIR_RANK 1000     /* of two names side by side without a shared trade */

static int is_any(const struct plan_text *t, size_t i, const char *const *list) {
  return i < t->count && plan_word_in(t->token[i].fold, list) >= 0;
}

static int is_possessor(const struct mention_text *m, const struct mention *a) {
  return (m->t->token[a->to - 1].possessive && !a->own_ending) || a->possessive;
}

/* Whether the question is about a deal, whose parties stand side by side: "juniper hpe merger consideration". */
static int is_deal(const struct mention_text *m) {
  static const char *const mergers[] = {QUESTION_WORDS_MERGER, NULL};
  for (size_t i = 0; i < m->t->count; i++)
    if (is_any(m->t, i, mergers))
      return 1;
  return 0;
}

/* Whether two companies are such as are compared: of similar size, and large ones or of one trade. */
static int is_pair(const struct mention_text *m, const struct mention *first, const struct mention *second) {
  struct directory_company one = directory_company(m->directory, first->company),
                           other = directory_company(m->directory, second->company);
  uint32_t a = one.rank + 20, b = other.rank + 20;
  if (second->to == second->from + 1 &&
      plan_senses_have(plan_senses_of_company(m->senses, one.cik), &m->t->token[second->from]))
    return 0; /* its unit: "Harley-Davidson LiveWire losses" */
  if (second->way == WAY_BRAND || first->way == WAY_BRAND ||
      (first->how == PLAN_TICKER) != (second->how == PLAN_TICKER) || (a > b ? a > 5 * b : b > 5 * a))
    return 0;
  if (plan_trades_of_company(m->trades, one.cik, one.name) &
      plan_trades_of_company(m->trades, other.cik, other.name))
    return 1;
  return a < PAIR_RANK && b < PAIR_RANK;
}

/* Three or more adjacent names without commas are an enumeration too, and two of similar size: "verizon at&t t-mobile
 * churn", "lowes home depot sales", not "Harley-Davidson LiveWire losses". */
static int row_of_names(const struct mention_text *m, const struct mentions *list, size_t i) {
  size_t first = i, last = i;
  while (first > 0 && list->list[first - 1].to == list->list[first].from)
    first--;
  while (last + 1 < list->count && list->list[last].to == list->list[last + 1].from)
    last++;
  if (last - first != 1)
    return last > first;
  return !m->t->token[list->list[first].to - 1].possessive &&
         !(m->t->token[list->list[last].from].gap & GAP_LABEL) && !is_deal(m) &&
         is_pair(m, &list->list[first], &list->list[last]);
}

/* "Tesla's competitor Rivian", "upwork's smaller cousin Fiverr": the company in such a relation is meant. */
static int is_relative(const struct mention_text *m, const struct mentions *list, size_t i) {
  static const char *const relations[] = {QUESTION_WORDS_RELATION, NULL};
  const struct mention *a = &list->list[i];
  if (!is_possessor(m, a) || i + 1 >= list->count)
    return 0;
  size_t next = list->list[i + 1].from;
  return next > a->to && next <= a->to + 3 && is_any(m->t, next - 1, relations);
}

/* The token before a mention, over an article and "compared with what Uber does"; a->from itself where it begins. */
static size_t before_mention(const struct mention_text *m, const struct mention *a) {
  static const char *const articles[] = {"the", "its", NULL}, *const asks[] = {"what", "how", NULL};
  size_t before = a->from;
  before -= before > 0 && is_any(m->t, before - 1, articles);
  before -= before > 0 && m->compares && is_any(m->t, before - 1, asks);
  return before;
}

/* "FedEx Express volumes vs UPS", "relative to UPS": the words at token `before` - 1 set what follows beside another company. */
static int sets_beside(const struct mention_text *m, size_t before) {
  static const char *const beside[] = {"vs", "versus", "v", "than", "alongside", NULL};
  return is_any(m->t, before - 1, beside) ||
         (before > 1 && plan_text_is(m->t, before - 1, "to") &&
          (plan_text_is(m->t, before - 2, "next") || plan_text_is(m->t, before - 2, "relative")));
}

/* How much tells that the question is about a mention. */
static double subject_sign(const struct mention_text *m, const struct mentions *list, size_t i) {
  static const char *const counter[] = {QUESTION_WORDS_COUNTER, NULL}, *const asks[] = {
                                                                           QUESTION_WORDS_AUXILIARY, NULL};
  const struct mention *a = &list->list[i];
  size_t before = before_mention(m, a);
  int possessive = is_possessor(m, a);
  double sum = (i == 0 ? 1 : 0) + (possessive ? 2 : 0) - (is_relative(m, list, i) ? 5 : 0);
  if (before == 0) {
    sum += 0.5;
  } else if (!(m->t->token[a->from].gap & GAP_SENTENCE)) {
    int counters = is_any(m->t, before - 1, counter);
    sum += is_any(m->t, before - 1, asks) ? 2 : 0;
    if (possessive && i > 0 && plan_text_is(m->t, before - 1, "in"))
      return sum + 1; /* "Ryanair orders in Boeing's backlog" */
    if (i > 0 && (sets_beside(m, before) || (m->compares && counters)))
      return 1.6;
    sum -= counters && !m->compares ? 2.5 : 0;
  }
  if (i > 0 && list->list[i - 1].to == a->from && !row_of_names(m, list, i) &&
      !(m->t->token[a->from].gap & MENTION_GAP_LIST))
    sum -= 2; /* "Harley-Davidson LiveWire losses" */
  return sum;
}

/* The companies without a name that a sentence asks about, before token `before`: "which small caps", "what happens to landlords";
 * one past their word, or 0. */
static size_t others_end(const struct mention_text *m, size_t before) {
  static const char *const opens[] = {QUESTION_WORDS_OPENS, NULL};
  static const char *const others[] = {QUESTION_WORDS_OTHERS, NULL};
  size_t i = 0, first;
  while (i < before && is_any(m->t, i, opens))
    i++;
  for (first = i; i < before && i <= first + OTHERS_MODIFIERS; i++) {
    if (is_any(m->t, i, others))
      return i + 1;
    if (m->word[i].kinds & KIND_FUNCTION)
      return 0;
  }
  return 0;
}

/* "firms that count Amazon as a customer", "list anyone who leases space to WeWork", "what happens to landlords when a WeWork
 * tenant fails": the subject is whoever has that relation to the mention. */
static int is_relation_of_others(const struct mention_text *m, const struct mention *a) {
  static const char *const relative[] = {"that", "who", "which", "whose", "with", NULL},
                           *const of[] = {"of", "to", NULL}, *const told[] = {QUESTION_WORDS_TOLD, NULL},
                           *const condition[] = {"when", "if", "after", NULL},
                           *const rivals[] = {QUESTION_WORDS_COMPETES, NULL},
                           *const stands[] = {QUESTION_WORDS_STANDS, NULL};
  size_t i = others_end(m, a->from);
  if (i == 0 || i >= a->from)
    return 0;
  if (i + 1 == a->from && is_any(m->t, i, of))
    return !is_any(m->t, i - 1, told); /* "suppliers of Boeing that went to the wall" */
  if (is_any(m->t, i, condition))
    return 1;
  int relates = is_any(m->t, i, relative);
  i += (size_t)relates;
  if (i >= a->from || is_any(m->t, i, rivals) || (!relates && (m->word[i].kinds & KIND_FUNCTION)))
    return 0; /* "companies that Apple bought"; "which suppliers does Apple depend on" */
  return i + 1 == a->from || is_any(m->t, a->from - 1, stands);
}

static enum mention_aside aside_of(const struct mention_text *m, const struct mentions *list, size_t i) {
  const struct mention *a = &list->list[i];
  if (mention_is_taken_back(m, list, i))
    return ASIDE_TAKEN_BACK;
  return is_relation_of_others(m, a) ? ASIDE_OPEN : ASIDE_NOT;
}

void mention_subjects_weigh(const struct mention_text *m, struct mentions *list) {
  int closed = 0;
  for (size_t i = 0; i < list->count; i++) {
    struct mention *a = &list->list[i];
    a->group = (int)i;
    a->subject = subject_sign(m, list, i);
    a->aside = aside_of(m, list, i);
    for (size_t k = 0; k < i; k++) /* "gap between Gap Inc and Lululemon" */
      if (list->list[k].company == a->company && list->list[k].to - list->list[k].from < a->to - a->from &&
          a->subject < list->list[k].subject)
        a->subject = list->list[k].subject;
    closed = i > 0 && list->list[i - 1].group == (int)(i - 1) ? 0 : closed;
    if (i > 0 && (mention_joins(m, &list->list[i - 1], a, &closed) || row_of_names(m, list, i)) &&
        (list->list[i - 1].to != a->from || (m->t->token[a->from].gap & MENTION_GAP_LIST) ||
         row_of_names(m, list, i)))
      a->group = list->list[i - 1].group;
  }
  for (size_t i = 0; i < list->count; i++) { /* a group has the score of its best member */
    struct mention *a = &list->list[i], *head = &list->list[a->group];
    if (a->subject > head->subject && a->group != (int)i && !(i > 0 && list->list[i - 1].to == a->from))
      head->subject = a->subject;
  }
  for (size_t i = 0; i < list->count; i++)
    list->list[i].subject = list->list[list->list[i].group].subject;
}

int mention_is_subject(const struct mentions *list, size_t i) {
  double best = -100;
  for (size_t k = 0; k < list->count; k++)
    best = !list->list[k].aside && list->list[k].subject > best ? list->list[k].subject : best;
  return !list->list[i].aside && (list->list[i].subject >= best - 0.5 || list->list[i].subject > 1.5);
}
