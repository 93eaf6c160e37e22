/* mentions.c: decides which words name a company.  Candidates are looked up in the directory and weighed by the
 * features of mention_signs.h; a sum above 0 means that they do. */
#include "query/mentions.h"

#include "query/choices.h"
#include "query/mention_signs.h"
#include "query/plan_windows.h"
#include "tables/places.h"
#include "tables/question_words.h"

#include <stdio.h>

#define SPAN_WORDS 7
#define TRADE_MARGIN 1.6 /* as DOUBT in plan.c */
#define TRADE_CHOICE 1.5 /* to tell companies of the same name apart */
#define PERSON_SCORE 1.5 /* of the name of who leads a company, where reports are asked for */
#define LISTED 4.0       /* what a certain name in a list adds to the scores of the others */
#define LISTED_WORD 1.0
/* What a place's name takes from a score: of 1,420 questions about places, companies are taken or asked back in 12 at 8. */
#define PLACE_DOUBT 8.0
#define PLACE_WORDS 4  /* words of the longest place in places.tsv that is looked up */
#define PLACE_LISTED 3 /* words of the longest place in words.tsv */
#define GAP_LIST (GAP_COMMA | GAP_SLASH | GAP_PLUS)

/* Words that may be inside a name; punctuation ends it, except a plus: "Travel + Leisure". */
static int span_goes_on(const struct plan_text *t, size_t i) {
  unsigned gap = i < t->count ? t->token[i].gap : GAP_SENTENCE;
  return !(gap & (GAP_SENTENCE | GAP_COMMA | GAP_PERCENT)) && (!(gap & GAP_STOP) || (gap & GAP_PLUS));
}

/* Number of words in tokens [from, to) other than "&" and "and". */
static size_t mention_words(const struct mention_text *m, size_t from, size_t to) {
  size_t words = 0;
  for (size_t i = from; i < to; i++)
    words += !plan_token_is_and(&m->t->token[i]);
  return words;
}

/* Of several companies with the same name, the one whose trade the question mentions is more likely. */
static void weigh_trades(const struct mention_text *m, size_t from, size_t to, struct choices *c) {
  float own, other;
  for (size_t i = 0; c->count > 1 && i < c->count; i++)
    if (mention_trades(m, c->list[i].company, from, to, &own, &other))
      c->list[i].weight += TRADE_CHOICE * (own < 1 ? (double)own : 1);
}

/* Whether tokens [from, to) are the name of a place. */
static int place_at(const struct plan_text *t, size_t from, size_t to) {
  static const char *const places[] = {PLACES_COUNTRY, PLACES_STATE, PLACES_REGION, NULL};
  char name[CHOICE_KEY];
  size_t len = 0;
  for (size_t i = from; i < to && len < sizeof name; i++)
    len += (size_t)snprintf(name + len, sizeof name - len, "%s%.*s", i > from ? " " : "",
                            (int)t->token[i].bare, t->token[i].fold);
  return len < sizeof name && plan_word_in(name, places) >= 0;
}

/* Whether a place's name goes on where the mention ends: "rio" of "rio de janeiro". */
static int begins_place(const struct mention_text *m, const struct mention *found) {
  char name[CHOICE_KEY];
  size_t len = 0;
  for (size_t i = found->from; i < m->t->count && i < found->from + PLACE_LISTED && len < sizeof name; i++) {
    const struct plan_token *token = &m->t->token[i];
    len += (size_t)snprintf(name + len, sizeof name - len, "%s%.*s", len ? " " : "", (int)token->bare,
                            token->fold);
    if (i >= found->to && len < sizeof name && plan_words_of(m->words, name).place)
      return 1;
  }
  return 0;
}

/* "Texas", "the United States", the "El" of "El Salvador", the "Pacific sales" of "Asia Pacific sales": a place, or begun
 * within one, which is asked about far oftener than a company whose name begins so.  A ticker in capitals is none. */
static int is_place(const struct mention_text *m, const struct mention *found) {
  const struct plan_token *first = &m->t->token[found->from];
  size_t least = found->to > PLACE_WORDS ? found->to - PLACE_WORDS : 0;
  if ((first->gap & GAP_DOLLAR) || (found->how == PLAN_TICKER && first->capitals == first->letters))
    return 0;
  if (begins_place(m, found))
    return 1;
  for (size_t from = least; from <= found->from; from++)
    for (size_t to = from < found->from ? found->from + 1 : found->to;
         to <= m->t->count && to <= from + PLACE_WORDS; to++)
      if (place_at(m->t, from, to))
        return 1;
  return 0;
}

/* "SBC" for AT&T: what reports abbreviate so is meant rather than a brand or a former name. */
static int is_abbreviated(const struct mention_text *m, const struct mention *found) {
  return found->to == found->from + 1 && (m->word[found->from].kinds & KIND_ABBREVIATION) &&
         (found->way == WAY_BRAND || found->way == WAY_FORMER);
}

/* Whether a question in which somebody is named asks for what a company files about him: "Tim Cook's pay", not "how old is Tim
 * Cook". */
static int asks_of_person(const struct mention_text *m) {
  static const char *const asked[] = {QUESTION_WORDS_PERSON, NULL};
  for (size_t i = 0; i < m->t->count; i++)
    if (m->taken[i] == TAKEN_FORM || (m->word[i].kinds & KIND_HOLDING) ||
        plan_word_in(m->t->token[i].fold, asked) >= 0)
      return 1;
  return 0;
}

/* Weighs a mention whose words and company are known.  e, inside: as for mention_read_signs(). */
static void weigh_mention(const struct mention_text *m, const struct directory_entry *e, int inside,
                          struct mention *found) {
  struct mention_signs signs;
  enum mention_sort sort = mention_read_signs(m, found, e, inside, &signs);
  found->ordinary = (sort == SORT_WORD || sort == SORT_WORDS || sort == SORT_SMALL) &&
                    signs.possessive + signs.capital + signs.before_auxiliary + signs.no_sense <= 0;
  if (found->way == WAY_PERSON) {
    found->score = asks_of_person(m) && m->signs == NULL ? PERSON_SCORE : -PERSON_SCORE;
    return;
  }
  found->score =
      mention_weigh(sort, &signs) - (is_place(m, found) || is_abbreviated(m, found) ? PLACE_DOUBT : 0);
  if (m->signs == NULL)
    return;
  found->score = 0; /* accept none, so that all are printed */
  buf_printf(m->signs, "%u %u %u ", m->t->token[found->from].start, m->t->token[found->to - 1].end,
             directory_company(m->directory, found->company)->cik);
  mention_print_signs(sort, &signs, m->signs);
  buf_add_char(m->signs, '\n');
}

/* "Teslas", "ubers": a word on no list, possibly a possessive without its apostrophe. */
static int lost_apostrophe(const struct mention_text *m, size_t i) {
  const struct plan_token *token = &m->t->token[i];
  const struct plan_word *w = &m->word[i];
  return token->len >= CHOICE_SLIP_LETTERS && token->bare == token->len &&
         token->fold[token->len - 1] == 's' && !w->ordinary && !w->name && !w->kinds;
}

/* "S&P 500", "Nasdaq composite", "MSCI world": an index, not the company that it is named after. */
static int is_market_index(const struct mention_text *m, size_t to) {
  static const char *const makers[] = {QUESTION_WORDS_INDEX_MAKER, NULL}, *const behind[] = {
                                                                              QUESTION_WORDS_INDEX, NULL};
  return to < m->t->count && plan_word_in(m->t->token[to - 1].fold, makers) >= 0 &&
         (plan_word_in(m->t->token[to].fold, behind) >= 0 ||
          (plan_token_number(&m->t->token[to]) >= 100 && plan_token_number(&m->t->token[to]) % 100 == 0 &&
           !m->taken[to]));
}

/* "Apple's stock vs S&P", "did the shares beat the Nasdaq": what is compared with a stock is the index. */
static int is_benchmark(const struct mention_text *m, size_t from, size_t to) {
  static const char *const makers[] = {QUESTION_WORDS_INDEX_MAKER, NULL},
                           *const beats[] = {QUESTION_WORDS_BENCHMARK, NULL},
                           *const stocks[] = {QUESTION_WORDS_PERFORMANCE, NULL};
  size_t before = from > 0 && strcmp(m->t->token[from - 1].fold, "the") == 0 ? from - 1 : from;
  if (plan_word_in(m->t->token[to - 1].fold, makers) < 0 || before == 0 ||
      plan_word_in(m->t->token[before - 1].fold, beats) < 0)
    return 0;
  for (size_t i = 0; i + 1 < before; i++)
    if (plan_word_in(m->t->token[i].fold, stocks) >= 0)
      return 1;
  return 0;
}

/* The names of tokens [from, to); 1 with *found. */
static int name_at(const struct mention_text *m, size_t from, size_t to, int inside, struct mention *found) {
  struct choices c = {.count = 0};
  char key[CHOICE_KEY];
  size_t len = directory_key(m->t, from, to, 0, key, sizeof key), words = mention_words(m, from, to);
  for (size_t i = from + 1; i < to; i++)
    len = m->t->token[i].gap & GAP_SLASH ? 0 : len; /* "BAC/JPM" */
  if (len < 2 || is_market_index(m, to) || is_benchmark(m, from, to))
    return 0;
  choices_add_key(&c, m->directory, key, len, OF_NAMES, words, 0);
  if (m->t->token[to - 1].bare < m->t->token[to - 1].len)
    choices_add_key(&c, m->directory, key, directory_key(m->t, from, to, 1, key, sizeof key), OF_NAMES, words,
                    0);
  found->possessive = c.count == 0 && lost_apostrophe(m, to - 1);
  if (found->possessive)
    choices_add_key(&c, m->directory, key, len - 1, OF_NAMES, words, 0);
  weigh_trades(m, from, to, &c);
  if (!choices_best(&c, found))
    return 0;
  found->from = from;
  found->to = to;
  found->own_ending = m->t->token[to - 1].possessive && c.list[0].entry->len == len;
  weigh_mention(m, c.list[0].entry, inside, found);
  return 1;
}

/* "Ms. Cummins" */
static int is_before_name(const struct mention_text *m, size_t i) {
  static const char *const titles[] = {QUESTION_WORDS_TITLE, NULL};
  return i + 1 < m->t->count && plan_word_in(m->t->token[i].fold, titles) >= 0 &&
         m->t->token[i].capitals < m->t->token[i].letters && m->t->token[i + 1].first_capital;
}

/* "mRNA", "PaaS", "IoT": a capital behind a small letter, as no ticker is typed. */
static int is_mixed_case(const struct mention_text *m, size_t i) {
  struct slice word = plan_text_span(m->t, i, i + 1);
  for (size_t k = 1; k < word.len; k++)
    if (word.data[k - 1] >= 'a' && word.data[k - 1] <= 'z' && word.data[k] >= 'A' && word.data[k] <= 'Z')
      return 1;
  return 0;
}

/* A ticker at a token, possibly followed by a class of shares. */
static int mention_ticker_at(const struct mention_text *m, size_t from, size_t to, int inside,
                             struct mention *found) {
  struct choices c = {.count = 0};
  char key[CHOICE_KEY] = "$";
  if (to - from > 2 || (to - from == 2 && m->t->token[to - 1].len != 1))
    return 0;
  size_t len = directory_key(m->t, from, to, 1, key + 1, sizeof key - 1);
  if (is_market_index(m, to) || is_before_name(m, from) || is_mixed_case(m, from))
    return 0;
  if (len == 0 || len > 6 || m->t->token[from].amp || m->t->token[to - 1].amp)
    return 0;
  if (len < 3 && m->t->token[from].capitals == 0 && !(m->t->token[from].gap & GAP_DOLLAR))
    return 0; /* "rm -rf" */
  choices_add_key(&c, m->directory, key, len + 1, OF_TICKERS, 0, 0);
  if (!choices_best(&c, found))
    return 0;
  found->from = from;
  found->to = to;
  found->margin = 20; /* a ticker belongs to one company */
  weigh_mention(m, c.list[0].entry, inside, found);
  return 1;
}

/* A word on no list with one typing error. */
static int slip_at(const struct mention_text *m, size_t i, struct mention *found) {
  struct choices c = {.count = 0};
  const struct plan_token *token = &m->t->token[i];
  const struct plan_word *w = &m->word[i];
  if (token->bare < CHOICE_SLIP_LETTERS + 2 - (m->vocabulary > 1) || token->digits || w->ordinary ||
      w->name || w->kinds || w->capital)
    return 0;
  choices_add_slips(&c, m->directory, token->fold, token->bare);
  if (!choices_best(&c, found) || found->margin < CHOICE_MARGIN)
    return 0;
  found->from = i;
  found->to = i + 1;
  found->how = PLAN_TYPO;
  weigh_mention(m, NULL, 0, found);
  return 1;
}

/* "UL": the ticker of Unilever, although UL Solutions begins with it; but HP Inc. is larger than the company with the
 * ticker HP. */
static int is_shouted_part(const struct mention_text *m, const struct mention *name,
                           const struct mention *ticker) {
  const struct plan_token *token = &m->t->token[name->from];
  return name->to == name->from + 1 && (name->way == WAY_CORE || name->way == WAY_PREFIX) &&
         token->capitals == token->letters && token->letters > 1 &&
         directory_company(m->directory, ticker->company)->rank <
             directory_company(m->directory, name->company)->rank;
}

/* "HP": the name of the larger company rather than the smaller one's ticker. */
static int is_larger_name(const struct mention_text *m, const struct mention *name,
                          const struct mention *ticker) {
  return name->to == ticker->to && name->score > MENTION_SURE && name->how != PLAN_TICKER &&
         name->way != WAY_PREFIX && name->way != WAY_BRAND &&
         directory_company(m->directory, name->company)->rank <
             directory_company(m->directory, ticker->company)->rank;
}

/* "Issuer: Parker Hannifin", "Step 2: ...": a field label. */
static int is_label(const struct mention_text *m, size_t i) {
  static const char *const labels[] = {QUESTION_WORDS_LABEL, NULL};
  size_t next = i + 1 < m->t->count && plan_token_number(&m->t->token[i + 1]) >= 0 ? i + 2 : i + 1;
  return plan_word_in(m->t->token[i].fold, labels) >= 0 && next < m->t->count &&
         (m->t->token[next].gap & GAP_LABEL);
}

/* The best mention that starts at token i: the longest name with a sufficient score, else a ticker, else a typo. */
static int mention_at(const struct mention_text *m, size_t i, struct mention *best) {
  size_t longest = i + 1;
  struct mention found;
  int any = 0, longer = 0;
  best->to = 0;
  if (is_label(m, i))
    return 0;
  while (longest < i + SPAN_WORDS && span_goes_on(m->t, longest) && !m->taken[longest])
    longest++;
  for (size_t to = longest; to > i && !any; to--) {
    memset(&found, 0, sizeof found);
    if (m->taken[to - 1] || plan_token_is_and(&m->t->token[to - 1]))
      continue;
    if (to == i + 1 && (m->word[i].kinds & KIND_FUNCTION) && m->t->token[i].capitals < m->t->token[i].letters)
      continue;
    int named = name_at(m, i, to, longer, &found); /* "Apple" of Apple Hospitality */
    longer |= named && found.score <= 0;
    if (named && found.score > -4 && (best->to == 0 || found.score > best->score))
      *best = found, any = 1;
    memset(&found, 0, sizeof found);
    if (mention_ticker_at(m, i, to, longer, &found) && found.score > -4 &&
        !(best->to && is_larger_name(m, best, &found)) &&
        (best->to == 0 || found.score > best->score || (found.score > 0 && is_shouted_part(m, best, &found))))
      *best = found, any = 1;
    if (any && best->score <= 0 && to > i + 1)
      any = 0; /* try shorter ones */
  }
  memset(&found, 0, sizeof found);
  if (best->to == 0 && slip_at(m, i, &found))
    *best = found;
  return best->to > 0;
}

/* A legal form after a name is evidence, and part of it: "Southern Co". */
static void take_legal(const struct mention_text *m, struct mention *found) {
  while (found->to < m->t->count && span_goes_on(m->t, found->to) && found->how != PLAN_TICKER) {
    const char *word = m->t->token[found->to].fold;
    int company = strcmp(word, "company") == 0; /* also an independent word */
    if (!company && plan_word_in(word, plan_legal_forms) < 0)
      return;
    found->score += company ? 1 : 3;
    found->to++;
  }
}

/* Words that list companies side by side: those between mentions a and b.  A preposition may stand before each: "better at
 * Kemper or at Hanover".  A comma behind an "and" ends the list: "Teekay and Frontline, spot rates". */
static int mention_joins(const struct mention_text *m, const struct mention *a, const struct mention *b,
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
  return joined || (to == from && (t->token[to].gap & GAP_LIST));
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
      list->list[i].score = -PERSON_SCORE;
}

/* Words at token i that take back what was said: "no wait", "? no, I meant", "sorry,", "? whichever, what I need is"; where
 * what is meant begins, or 0. */
static size_t correction_at(const struct plan_text *t, size_t i) {
  static const char *const opens[] = {QUESTION_WORDS_CORRECTS, NULL},
                           *const follows[] = {QUESTION_WORDS_CORRECTING, NULL},
                           *const needs[] = {QUESTION_WORDS_CORRECTS_WITH, NULL},
                           *const second[] = {QUESTION_WORDS_CORRECTED, NULL};
  const unsigned stops = GAP_SENTENCE | GAP_COMMA | GAP_STOP | GAP_HYPHEN;
  size_t at = i + 1;
  if (!(t->token[i].gap & stops) || plan_word_in(t->token[i].fold, opens) < 0 || at >= t->count)
    return 0;
  if (plan_word_in(t->token[i].fold, needs) >= 0 && plan_word_in(t->token[at].fold, second) < 0)
    return 0;
  while (at < t->count && plan_word_in(t->token[at].fold, follows) >= 0)
    at++;
  if (at >= t->count || (at == i + 1 && !(t->token[at].gap & stops)))
    return 0; /* "no idea" */
  return at;
}

/* If the words after a mention take it back: where the words begin that are meant instead; else 0. */
static size_t taken_back_at(const struct plan_text *t, size_t to) {
  size_t meant = 0;
  for (size_t i = to; i + 1 < t->count && !meant; i++)
    meant = correction_at(t, i);
  return meant;
}

/* A name that replaces a certain one is a name as well: "harley? no, I meant polaris". */
static void support_corrected(const struct mention_text *m, struct mentions *list) {
  for (size_t i = 0; i + 1 < list->count; i++) {
    size_t meant = list->list[i].score > 0.5 ? taken_back_at(m->t, list->list[i].to) : 0, k = i + 1;
    while (meant && k < list->count && list->list[k].from < meant)
      k++;
    if (meant && k < list->count && list->list[k].from == meant && !list->list[k].listed) {
      list->list[k].score += LISTED;
      list->list[k].listed = 1;
    }
  }
}

/* Whether a mention is taken back in favour of a later one. */
static int is_taken_back(const struct mention_text *m, const struct mentions *list, size_t i) {
  size_t meant = taken_back_at(m->t, list->list[i].to);
  return meant > 0 && (list->list[list->count - 1].from >= meant || list->count == 1);
}

/* So does a name next to a doubtful one, and one of the same company elsewhere, especially by another name:
 * "Krystal Vyjuvek". */
static void mention_support(const struct mention_text *m, struct mentions *list) {
  for (size_t i = 0; i < list->count; i++) {
    struct mention *a = &list->list[i];
    for (size_t k = 0; k < list->count; k++) {
      const struct mention *b = &list->list[k];
      if (k == i || b->score <= 0.5)
        continue;
      const struct mention *first = k < i ? b : a, *second = k < i ? a : b;
      int beside = first->to == second->from && !(m->t->token[second->from].gap & GAP_LIST);
      if (a->company == b->company && a->way != b->way)
        a->score += LISTED;
      else if ((beside && a->how != PLAN_TICKER) || a->company == b->company) /* "verizon at&t t-mobile" */
        a->score += 1.5;
    }
  }
  doubt_people(list);
  doubt_abbreviations(m, list);
  support_listed(m, list);
  support_corrected(m, list);
}

void mentions_find(const struct mention_text *m, struct mentions *out) {
  out->count = 0;
  out->left_out_count = 0;
  for (size_t i = 0; i < m->t->count && out->count < MENTIONS;) {
    struct mention found;
    if (m->taken[i] || plan_token_is_and(&m->t->token[i]) || !mention_at(m, i, &found)) {
      i++;
      continue;
    }
    take_legal(m, &found);
    out->list[out->count++] = found;
    i = found.score > 0 ? found.to : i + 1;
    if (found.score <= 0 && out->count > 1 && out->list[out->count - 2].to > found.from)
      out->count--; /* contained in the previous one */
  }
  mention_support(m, out);
  size_t kept = 0;
  for (size_t i = 0; i < out->count; i++) {
    struct mention *a = &out->list[i];
    if (a->score > (a->margin < CHOICE_MARGIN && a->way == WAY_PREFIX ? 1.5
                    : a->listed                                       ? MENTION_LEAST
                                                                      : MENTION_MAYBE) &&
        !(kept && out->list[kept - 1].to > a->from))
      out->list[kept++] = *a;
    else if (a->score > MENTION_SAID && out->left_out_count < MENTIONS_LEFT_OUT)
      out->left_out[out->left_out_count++] = *a;
  }
  out->count = kept;
}

/* ---- the subject of the question ---- */

static int is_any(const struct plan_text *t, size_t i, const char *const *list) {
  return i < t->count && plan_word_in(t->token[i].fold, list) >= 0;
}

static int is_possessor(const struct mention_text *m, const struct mention *a) {
  return (m->t->token[a->to - 1].possessive && !a->own_ending) || a->possessive;
}

/* "Amgen v. Sanofi ruling": a case is the first party's. */
static int is_case(const struct mention_text *m, const struct mention *b) {
  static const char *const court[] = {QUESTION_WORDS_COURT, NULL};
  int tried = 0;
  if (b->from == 0 || !is_any(m->t, b->from - 1, (const char *const[]){"v", "vs", "versus", NULL}))
    return 0;
  for (size_t i = b->to; i < m->t->count; i++)
    tried |= is_any(m->t, i, court);
  return tried;
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
  uint32_t a = directory_company(m->directory, list->list[first].company)->rank + 20,
           b = directory_company(m->directory, list->list[last].company)->rank + 20;
  return !m->t->token[list->list[first].to - 1].possessive && (a > b ? a <= 5 * b : b <= 5 * a) && a < 1000 &&
         b < 1000;
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

/* "Haleon: shares in Pfizer's hands": a colon stands behind the mention. */
static int is_before_colon(const struct mention_text *m, const struct mention *a) {
  return a->to < m->t->count && (m->t->token[a->to].gap & GAP_LABEL);
}

/* What a mention at the beginning and its colon head is about that company, whoever else is named. */
static int is_headline(const struct mention_text *m, const struct mention *a) {
  return a->from == 0 && is_before_colon(m, a);
}

/* "DuPont" in "since it bought DuPont's mobility unit": what was bought is the buyer's now. */
static int is_seller(const struct mention_text *m, const struct mention *a) {
  static const char *const deals[] = {QUESTION_WORDS_DEAL, NULL};
  return a->from > 0 && is_any(m->t, a->from - 1, deals);
}

/* "A's margins, B too" */
static int is_added(const struct mention_text *m, const struct mention *a) {
  static const char *const also[] = {"too", "also", NULL};
  return (m->t->token[a->from].gap & GAP_COMMA) && a->to + 1 == m->t->count && is_any(m->t, a->to, also);
}

static double subject_sign(const struct mention_text *m, const struct mentions *list, size_t i) {
  static const char *const counter[] = {QUESTION_WORDS_COUNTER, NULL};
  static const char *const asks[] = {QUESTION_WORDS_AUXILIARY, NULL};
  static const char *const effects[] = {"effect", "effects", "impact", "impacts", "influence", NULL};
  static const char *const beside_words[] = {"vs", "versus", "v", "than", NULL};
  static const char *const holder[] = {"at", "by", "for", "of", NULL};
  static const char *const among[] = {"among", "amongst", NULL};
  const struct mention *a = &list->list[i];
  const struct plan_text *t = m->t;
  size_t before = a->from;
  double sum = i == 0 ? 1 : 0;
  if (before > 0 && is_any(t, before - 1, (const char *const[]){"the", "its", NULL}))
    before--;
  if (before > 0 && m->compares && is_any(t, before - 1, (const char *const[]){"what", "how", NULL}))
    before--; /* "compared with what Uber does" */
  int possessive = is_possessor(m, a) && !is_before_colon(m, a);
  sum += possessive ? 2 : 0;
  sum += is_headline(m, a) ? 2 : 0;
  sum -= i > 0 && is_seller(m, a) ? 3 : 0;
  sum -= i > 0 && is_case(m, a) ? 5 : 0;
  sum -= is_relative(m, list, i) ? 5 : 0;
  if (before > 1 && is_any(t, before - 2, effects) &&
      is_any(t, before - 1, (const char *const[]){"of", NULL}))
    sum -= 3; /* "the effect of Amazon on UPS" */
  if (before > 0 && i > 0 && is_any(t, before - 1, (const char *const[]){"on", NULL}))
    for (size_t k = 0; k < list->list[0].from; k++)
      if (is_any(t, k, effects))
        return 2;
  sum += before == 0 ? 0.5 : 0;
  if (before > 0 && !(t->token[a->from].gap & GAP_SENTENCE)) {
    sum += is_any(t, before - 1, asks) ? 2 : 0;
    sum += is_any(t, before - 1, holder) ? 0.5 : 0;
    if (possessive && i > 0 && !m->compares && is_headline(m, &list->list[0]))
      return 1;
    if (possessive && i > 0 && is_any(t, before - 1, (const char *const[]){"in", NULL}))
      return sum + 1; /* "Ryanair orders in Boeing's backlog" */
    sum -= is_any(t, before - 1, counter) && !m->compares ? 2.5 : 0;
    if (i > 0 && !is_case(m, a) &&
        (is_any(t, before - 1, beside_words) || (m->compares && is_any(t, before - 1, counter))))
      return 1.6; /* "FedEx Express volumes vs UPS" */
  }
  if (i > 0 && is_any(t, a->to, among))
    sum -= 5; /* "is Amazon among them" */
  if (a->to < t->count && (m->word[a->to].kinds & KIND_HOLDING) && !possessive && !is_before_colon(m, a))
    sum -= 2; /* "Apple stock" held by another company */
  if (i > 0 && list->list[i - 1].to == a->from && !row_of_names(m, list, i) &&
      !(t->token[a->from].gap & GAP_LIST))
    sum -= 2; /* "Harley-Davidson LiveWire losses" */
  return sum;
}

/* "firms that count Amazon as a customer", "list anyone who leases space to WeWork" */
static int is_relation_of_others(const struct mention_text *m, const struct mention *a) {
  static const char *const opens[] = {QUESTION_WORDS_OPENS, NULL};
  static const char *const others[] = {QUESTION_WORDS_OTHERS, NULL};
  static const char *const relative[] = {"that", "who", "which", NULL};
  static const char *const stands[] = {QUESTION_WORDS_STANDS, NULL};
  size_t i = a->from;
  while (i > 0 && !(m->t->token[i].gap & GAP_SENTENCE))
    i--;
  while (is_any(m->t, i, opens))
    i++;
  if (i + 2 == a->from && is_any(m->t, i, others) &&
      !is_any(m->t, i, (const char *const[]){"stocks", NULL}) &&
      is_any(m->t, i + 1, (const char *const[]){"of", "to", NULL}))
    return 1; /* "suppliers of Boeing that went to the wall" */
  if (i + 1 >= a->from || !is_any(m->t, i, others) || !is_any(m->t, a->from - 1, stands))
    return 0;
  i += is_any(m->t, i + 1, relative) ? 2 : 1;
  return !(m->word[i].kinds &
           KIND_FUNCTION); /* a verb; "which suppliers does Apple depend on" has none here */
}

/* "not walmart, target"; "Peloton aside, how do ..." */
static int is_denied(const struct mention_text *m, const struct mentions *list, size_t i) {
  static const char *const no[] = {"not", NULL}, *const aside[] = {"aside", NULL};
  if (list->count > 1 && is_any(m->t, list->list[i].to, aside))
    return 1;
  for (size_t k = 0; k < list->count; k++)
    if (k != i && !(list->list[k].from > 0 && is_any(m->t, list->list[k].from - 1, no)))
      return list->list[i].from > 0 && is_any(m->t, list->list[i].from - 1, no);
  return 0;
}

static enum mention_aside aside_of(const struct mention_text *m, const struct mentions *list, size_t i) {
  const struct mention *a = &list->list[i];
  if (is_taken_back(m, list, i) || is_denied(m, list, i))
    return ASIDE_TAKEN_BACK;
  return is_relation_of_others(m, a) ? ASIDE_OPEN : ASIDE_NOT;
}

void mentions_weigh_subjects(const struct mention_text *m, struct mentions *list) {
  int closed = 0;
  for (size_t i = 0; i < list->count; i++) {
    struct mention *a = &list->list[i];
    a->group = (int)i;
    a->subject = subject_sign(m, list, i);
    a->aside = aside_of(m, list, i);
    if (i > 0 && is_added(m, a))
      a->group = list->list[i - 1].group;
    closed = i > 0 && list->list[i - 1].group == (int)(i - 1) ? 0 : closed;
    if (i > 0 && !is_case(m, a) &&
        (mention_joins(m, &list->list[i - 1], a, &closed) || row_of_names(m, list, i)) &&
        (list->list[i - 1].to != a->from || (m->t->token[a->from].gap & GAP_LIST) ||
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
