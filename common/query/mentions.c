/* mentions.c: decides which words name a company.  Candidates are looked up in the directory and weighed by the
 * features of mention_signs.h; a sum above 0 means that they do.  Names in a list decide together: mention_subjects.c. */
#include "query/mentions.h"

#include "query/plan_candidates.h"
#include "query/mention_signs.h"
#include "query/plan_words.h"
#include "query/plan_windows.h"
#include "tables/company_talk.h"
#include "tables/places.h"
#include "tables/question_words.h"

#include <ctype.h>
#include <stdio.h>

#define SPAN_WORDS 7
#define TRADE_CHOICE 1.5 /* to tell companies of the same name apart */
/* What a place's name takes from a score: of 1,420 questions about places, companies are taken or asked back in 12 at 8. */
#define PLACE_DOUBT 8.0
#define TICKER_LETTERS 6
#define LEAST_SCORE (-4)   /* what is less likely is no mention at all */
#define MENTION_TRADED 6.0 /* score of a ticker with its exchange */
#define SMALL_RANK 300     /* of a company whose ticker of two letters may be typed in small ones, */
#define SMALL_ALONE (-2.6) /* with this score where nothing else speaks of it, which only a list can raise */
#define PLACE_WORDS 4      /* words of the longest place in places.tsv that is looked up */

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

/* "Texas", "the United States", the "El" of "El Salvador", the "Pacific sales" of "Asia Pacific sales": a place, or begun
 * within one, which is asked about far oftener than a company whose name begins so.  A ticker in capitals is none. */
static int is_place(const struct mention_text *m, const struct mention *found) {
  const struct plan_token *first = &m->t->token[found->from];
  size_t least = found->to > PLACE_WORDS ? found->to - PLACE_WORDS : 0;
  if ((first->gap & GAP_DOLLAR) || (found->how == PLAN_TICKER && first->capitals == first->letters))
    return 0;
  for (size_t from = least; from <= found->from; from++)
    for (size_t to = from < found->from ? found->from + 1 : found->to;
         to <= m->t->count && to <= from + PLACE_WORDS; to++)
      if (place_at(m->t, from, to))
        return 1;
  return 0;
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
  found->rare = sort == SORT_RARE || (sort == SORT_PROPER && signs.given_name <= 0);
  if (found->way == WAY_PERSON) {
    found->score = asks_of_person(m) && m->signs == NULL ? MENTION_PERSON : -MENTION_PERSON;
    return;
  }
  found->score = mention_weigh(sort, &signs) - (is_place(m, found) ? PLACE_DOUBT : 0);
  if (m->signs == NULL)
    return;
  found->score = 0; /* accept none, so that all are printed */
  buf_printf(m->signs, "%u %u %u ", m->t->token[found->from].start, m->t->token[found->to - 1].end,
             directory_company(m->directory, found->company).cik);
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

/* The names of tokens [from, to); 1 with *found. */
static int name_at(const struct mention_text *m, size_t from, size_t to, int inside, struct mention *found) {
  struct choices c = {.count = 0};
  char key[CHOICE_KEY];
  size_t len = directory_key(m->t, from, to, 0, key, sizeof key), words = mention_words(m, from, to);
  for (size_t i = from + 1; i < to; i++)
    len = m->t->token[i].gap & GAP_SLASH ? 0 : len; /* "BAC/JPM" */
  if (len < 2 || is_market_index(m, to))
    return 0;
  plan_choices_add_key(&c, m->directory, key, len, OF_NAMES, words, 0);
  if (m->t->token[to - 1].bare < m->t->token[to - 1].len)
    plan_choices_add_key(&c, m->directory, key, directory_key(m->t, from, to, 1, key, sizeof key), OF_NAMES,
                         words, 0);
  found->possessive = c.count == 0 && lost_apostrophe(m, to - 1);
  if (found->possessive)
    plan_choices_add_key(&c, m->directory, key, len - 1, OF_NAMES, words, 0);
  weigh_trades(m, from, to, &c);
  if (!plan_choices_best(&c, m->directory, found))
    return 0;
  found->from = from;
  found->to = to;
  found->own_ending = m->t->token[to - 1].possessive && c.list[0].entry->len == len;
  weigh_mention(m, c.list[0].entry, inside, found);
  return 1;
}

/* "mRNA", "PaaS", "IoT": a capital behind a small letter, as no ticker is typed. */
static int is_mixed_case(const struct mention_text *m, size_t i) {
  struct slice word = plan_text_span(m->t, i, i + 1);
  for (size_t k = 1; k < word.len; k++)
    if (islower((unsigned char)word.data[k - 1]) && isupper((unsigned char)word.data[k]))
      return 1;
  return 0;
}

/* "C net income 2023": a single capital that begins a line of search words, with a word of reports behind it. */
static int is_letter_line(const struct mention_text *m, size_t from, size_t to) {
  const struct plan_token *token = &m->t->token[from];
  if (from > 0 || to != 1 || token->len != 1 || token->capitals != 1 || strchr("ai", token->fold[0]) ||
      !m->telegraphic || m->t->count < 2 || m->t->token[1].gap != GAP_BLANK)
    return 0;
  return m->taken[1] || (m->word[1].kinds & (KIND_FIGURE | KIND_TOPIC | KIND_DOCUMENT));
}

/* A ticker at a token, possibly followed by a class of shares. */
static int mention_ticker_at(const struct mention_text *m, size_t from, size_t to, int inside,
                             struct mention *found) {
  struct choices c = {.count = 0};
  char key[CHOICE_KEY] = "$";
  if (to - from > 2 || (to - from == 2 && m->t->token[to - 1].len != 1))
    return 0;
  size_t len = directory_key(m->t, from, to, 1, key + 1, sizeof key - 1);
  if (is_market_index(m, to) || is_mixed_case(m, from))
    return 0;
  if (len == 0 || len > 6 || m->t->token[from].amp || m->t->token[to - 1].amp)
    return 0;
  int small = len < 3 && m->t->token[from].capitals == 0 && !(m->t->token[from].gap & GAP_DOLLAR);
  if (small && len < 2)
    return 0;
  plan_choices_add_key(&c, m->directory, key, len + 1, OF_TICKERS, 0, 0);
  if (!plan_choices_best(&c, m->directory, found))
    return 0;
  found->from = from;
  found->to = to;
  found->margin = 20; /* a ticker belongs to one company */
  if (small && directory_company(m->directory, found->company).rank >= SMALL_RANK)
    return 0; /* "rm -rf" */
  weigh_mention(m, c.list[0].entry, inside, found);
  if (small && found->score > SMALL_ALONE)
    found->score = SMALL_ALONE;
  if (m->signs == NULL && is_letter_line(m, from, to))
    found->score = MENTION_TRADED;
  return 1;
}

/* The token of a ticker behind an exchange at token i, "NASDAQ: AAPL", "NYSE American: IMO", "NYSE KMI"; 0 where there is none.  Without
 * a colon both are in capitals. */
static size_t ticker_behind_exchange(const struct mention_text *m, size_t i) {
  static const char *const exchanges[] = {COMPANY_TALK_EXCHANGE_BEFORE, NULL};
  const struct plan_text *t = m->t;
  size_t at = i;
  while (at < t->count && (at == i || t->token[at].gap == GAP_BLANK) &&
         plan_word_in(t->token[at].fold, exchanges) >= 0)
    at++;
  if (at == i || at >= t->count || m->taken[at] || t->token[at].letters == 0 ||
      t->token[at].len > TICKER_LETTERS)
    return 0;
  int shouted = t->token[at].capitals == t->token[at].letters, labelled = (t->token[at].gap & GAP_LABEL) != 0;
  if (labelled)
    return shouted || m->word[at].ordinary == 0 ? at : 0;
  return shouted && t->token[at].gap == GAP_BLANK && t->token[i].capitals == t->token[i].letters &&
                 !m->word[at].kinds && t->token[i].letters > 2
             ? at
             : 0;
}

/* A ticker with its exchange: it names the ticker's company, not the one that runs the exchange. */
static int traded_at(const struct mention_text *m, size_t i, size_t at, struct mention *found) {
  for (size_t to = at + 2; to > at; to--) {
    struct choices c = {.count = 0};
    char key[CHOICE_KEY] = "$";
    if (to > m->t->count ||
        (to == at + 2 &&
         (m->t->token[at + 1].len != 1 || !(m->t->token[at + 1].gap & (GAP_DOT | GAP_HYPHEN | GAP_SLASH)))))
      continue;
    size_t len = directory_key(m->t, at, to, 1, key + 1, sizeof key - 1);
    plan_choices_add_key(&c, m->directory, key, len ? len + 1 : 0, OF_TICKERS, 0, 0);
    if (!plan_choices_best(&c, m->directory, found))
      continue;
    found->from = i;
    found->to = to;
    found->margin = 20; /* a ticker belongs to one company */
    found->score = MENTION_TRADED;
    return 1;
  }
  return 0;
}

/* A word on no list with one typing error. */
static int slip_at(const struct mention_text *m, size_t i, struct mention *found) {
  struct choices c = {.count = 0};
  const struct plan_token *token = &m->t->token[i];
  const struct plan_word *w = &m->word[i];
  if (token->bare < CHOICE_SLIP_LETTERS + 2 - (m->vocabulary > 1) || token->digits || w->ordinary ||
      w->name || w->kinds || w->capital)
    return 0;
  plan_choices_add_slips(&c, m->directory, token->fold, token->bare);
  if (!plan_choices_best(&c, m->directory, found) || found->margin < CHOICE_MARGIN)
    return 0;
  found->from = i;
  found->to = i + 1;
  found->how = PLAN_TYPO;
  weigh_mention(m, NULL, 0, found);
  return 1;
}

/* "Issuer: Parker Hannifin", "Step 2: ...": a field label. */
static int is_label(const struct mention_text *m, size_t i) {
  static const char *const labels[] = {QUESTION_WORDS_LABEL, NULL};
  size_t next = i + 1 < m->t->count && plan_token_number(&m->t->token[i + 1]) >= 0 ? i + 2 : i + 1;
  return plan_word_in(m->t->token[i].fold, labels) >= 0 && next < m->t->count &&
         (m->t->token[next].gap & GAP_LABEL);
}

/* A ticker in capitals of the user's own list: theirs, whoever else is called so. */
static int is_own_ticker(const struct mention_text *m, const struct mention *ticker) {
  const struct plan_token *token = &m->t->token[ticker->from];
  return directory_company(m->directory, ticker->company).own && token->letters > 0 &&
         token->capitals == token->letters && ticker->score > 0;
}

/* Whether a name or ticker may be tokens [i, to). */
static int may_be_span(const struct mention_text *m, size_t i, size_t to) {
  const struct plan_token *first = &m->t->token[i];
  int grammar = to == i + 1 && (m->word[i].kinds & KIND_FUNCTION) && first->capitals < first->letters;
  return !m->taken[to - 1] && !plan_token_is_and(&m->t->token[to - 1]) && !grammar;
}

/* Weighs tokens [i, to) as a name and as a ticker; 1 where *best is one of these.  *longer: a longer name that started at i was rejected. */
static int span_at(const struct mention_text *m, size_t i, size_t to, int *longer, struct mention *best) {
  struct mention name = {.from = 0}, ticker = {.from = 0};
  int named = name_at(m, i, to, *longer, &name), any = 0; /* "Apple" of Apple Hospitality */
  *longer |= named && name.score <= 0;
  if (named && name.score > LEAST_SCORE && (best->to == 0 || name.score > best->score))
    *best = name, any = 1;
  if (mention_ticker_at(m, i, to, *longer, &ticker) && ticker.score > LEAST_SCORE &&
      (best->to == 0 || is_own_ticker(m, &ticker) || ticker.score > best->score))
    *best = ticker, any = 1;
  return any;
}

/* The best mention that starts at token i: the longest name with a sufficient score, else a ticker, else a typo. */
static int mention_at(const struct mention_text *m, size_t i, struct mention *best) {
  size_t longest = i + 1, traded = ticker_behind_exchange(m, i);
  int longer = 0, found = 0;
  *best = (struct mention){.to = 0};
  if (traded)
    return m->signs == NULL && traded_at(m, i, traded, best);
  if (is_label(m, i))
    return 0;
  while (longest < i + SPAN_WORDS && span_goes_on(m->t, longest) && !m->taken[longest])
    longest++;
  for (size_t to = longest; to > i && !(found && best->score > 0); to--)
    found = may_be_span(m, i, to) && span_at(m, i, to, &longer, best);
  return best->to > 0 || slip_at(m, i, best);
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
    out->list[out->count++] = found;
    i = found.score > 0 ? found.to : i + 1;
    if (found.score <= 0 && out->count > 1 && out->list[out->count - 2].to > found.from)
      out->count--; /* contained in the previous one */
  }
  mention_lists_support(m, out);
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
