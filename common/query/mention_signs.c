/* mention_signs.c: reads the features of a mention from its words and their neighbours, and weighs them. */
#include "query/mention_signs.h"

#include "query/plan_words.h"
#include "query/plan_windows.h"
#include "tables/mention_weights.h"
#include "tables/question_words.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

#define COINED_LETTERS 6 /* shorter words on no list are as often abbreviations */
#define TRADE_WORDS 2    /* so many tell enough */
#define SENSE_WORDS 2    /* here too */
#define SENSE_KEY 96     /* limit of a name's key */
#define LARGEST 20.0     /* ranks below this count as equal */
#define SMALLEST 8000.0
#define OWN 50 /* a company of the user's store is as likely as the 50th largest */
#define FEW_WORDS 5
#define PERIOD_NEAR 3  /* "in the year 2021" */
#define LISTED_WORDS 3 /* longest entry of the list */
#define COMMON 0.6F    /* an ordinary word; below: only in large dictionaries */
#define EVEN 5         /* neutral leaning */
#define LEANINGS 4.0F  /* distance from there to either end */

/* A mention and its neighbours. */
struct span {
  const struct mention_text *m;
  size_t from, to;
  int has_before, has_behind; /* adjacent, with no punctuation in between */
};

static float is_among(const struct span *s, size_t i, const char *const *list) {
  return (float)(plan_word_in(s->m->t->token[i].fold, list) >= 0);
}

static int is_report_word(const struct mention_text *m, size_t i) {
  return i < m->t->count && (m->taken[i] == TAKEN_FORM || m->taken[i] == TAKEN_PERIOD ||
                             (m->word[i].kinds & (KIND_FIGURE | KIND_TOPIC | KIND_DOCUMENT)));
}

static int is_grammar(const struct mention_text *m, size_t i) {
  return (m->word[i].kinds & KIND_FUNCTION) != 0;
}

static int is_all_capitals(const struct plan_token *t) {
  return t->letters > 0 && (t->capitals == t->letters || (t->possessive && t->capitals + 1 == t->letters));
}

/* "AT&T": written as one word, on no list. */
static int is_compact(const struct span *s) {
  for (size_t i = s->from + 1; i + 1 < s->to; i++)
    if (s->m->t->token[i].amp && !((s->m->t->token[i].gap | s->m->t->token[i + 1].gap) & GAP_BLANK))
      return 1;
  return 0;
}

/* By the size of the dictionary that contains a word: 1 for the most common words, 0 for unknown ones. */
static float commonness_of(unsigned size) {
  return size == 0    ? 0.F
         : size <= 10 ? 1.F
         : size <= 20 ? 0.9F
         : size <= 35 ? 0.8F
         : size <= 50 ? COMMON
                      : 0.3F;
}

/* Of the least common word. */
static float commonness(const struct span *s) {
  float least = is_compact(s) ? 0 : 1;
  for (size_t i = s->from; i < s->to; i++) {
    float this = commonness_of(s->m->word[i].ordinary);
    least = !s->m->t->token[i].amp && this < least ? this : least;
  }
  return least;
}

static float of_filers(unsigned filers) {
  return (float)(log(1.0 + filers) / log(256.0));
}

/* The list's entry for tokens [from, to), at most three words; all 0 where there is none. */
static struct plan_word listed_words(const struct span *s, size_t from, size_t to) {
  char key[3 * PLAN_FOLD];
  struct plan_word none = {0};
  size_t len = 0;
  if (to - from > LISTED_WORDS || to > s->m->t->count)
    return none;
  for (size_t i = from; i < to; i++) {
    const struct plan_token *token = &s->m->t->token[i];
    size_t n = i + 1 == to ? token->bare : token->len;
    len += (size_t)snprintf(key + len, sizeof key - len, "%s%.*s", i > from ? " " : "", (int)n, token->fold);
  }
  return plan_words_of(s->m->words, key);
}

/* Whether capitals mark the words as a name. */
static int is_marked(const struct span *s) {
  const struct plan_text *t = s->m->t;
  size_t capital = 0, words = 0;
  for (size_t i = s->from; i < s->to; i++) {
    words += !t->token[i].amp && t->token[i].letters;
    capital += t->token[i].first_capital;
  }
  return s->m->capitals_tell && words > 0 && capital == words &&
         (words > 1 || !(t->token[s->from].gap & GAP_SENTENCE));
}

static enum mention_sort sort_of(const struct span *s, const struct mention *found, float common) {
  const struct plan_token *first = &s->m->t->token[s->from];
  const struct plan_word *w = &s->m->word[s->from];
  if (found->how == PLAN_TYPO)
    return SORT_SLIP;
  if (found->how == PLAN_TICKER)
    return (first->gap & GAP_DOLLAR) || is_all_capitals(first) ? SORT_TICKER : SORT_SMALL;
  if (s->to - s->from > 1)
    return common >= COMMON ? SORT_WORDS : SORT_NAMES;
  if (common >= COMMON)
    return SORT_WORD;
  return w->given || w->family || w->place ? SORT_PROPER : SORT_RARE;
}

static void read_company_signs(const struct span *s, const struct mention *found,
                               const struct directory_entry *e, struct mention_signs *x) {
  struct directory_company c = directory_company(s->m->directory, found->company);
  double rank = (c.own && c.rank > OWN ? OWN : c.rank) + LARGEST;
  double size = log((SMALLEST + LARGEST) / rank) / log((SMALLEST + LARGEST) / LARGEST);
  size_t words = 0;
  for (size_t i = s->from; i < s->to; i++)
    words += !s->m->t->token[i].amp && strcmp(s->m->t->token[i].fold, "and") != 0;
  x->large = (float)(size < 0 ? 0 : size);
  x->giant = (float)(rank < 100 + LARGEST);
  x->tiny = (float)(rank > 3000 + LARGEST);
  if (e == NULL)
    return;
  x->core = e->way == WAY_CORE;
  x->prefix = e->way == WAY_PREFIX;
  x->everyday = e->way == WAY_ALIAS;
  x->brand = e->way == WAY_BRAND;
  x->former = e->way == WAY_FORMER;
  x->brief = !is_compact(s) && e->len < 4 + (e->way == WAY_TICKER);
  x->one_letter = e->len < 2 + (e->way == WAY_TICKER);
  x->parted_otherwise = e->way != WAY_TICKER && words != e->words;
}

static void read_spelling(const struct span *s, struct mention_signs *x) {
  const struct mention_text *m = s->m;
  const struct plan_token *first = &m->t->token[s->from], *last = &m->t->token[s->to - 1];
  const struct plan_word all = listed_words(s, s->from, s->to);
  int single = s->to == s->from + 1, capitals = is_marked(s);
  x->always = 1;
  x->common = commonness(s);
  x->in_print = of_filers(all.small);
  x->given_name = m->word[s->from].given;
  x->listed_name = m->word[s->from].name > 0;
  x->abbreviation = single && is_all_capitals(last) &&
                    ((m->word[s->from].kinds & KIND_ABBREVIATION) || m->word[s->from].capital >= 3);
  x->coined = single && first->bare >= COINED_LETTERS && !m->word[s->from].ordinary && !all.small &&
              !m->word[s->from].name && !m->word[s->from].given && !m->word[s->from].family &&
              !m->word[s->from].place && !m->word[s->from].kinds;
  x->capital = (float)capitals;
  x->first_capital = !capitals && first->first_capital;
  x->shouted = is_all_capitals(last) && last->letters > 1;
  x->possessive = last->possessive;
  x->dollar = (first->gap & GAP_DOLLAR) && first->letters > 0;
  x->is_vocabulary =
      single && (m->word[s->from].kinds & (KIND_FIGURE | KIND_TOPIC | KIND_DOCUMENT | KIND_TABLE | KIND_TELL |
                                           KIND_COMPARE | KIND_HOLDING));
  x->is_function = single && is_grammar(m, s->from);
}

/* Whether token i and the previous one form one word: "R&D", "Springsteen-Abbott". */
static int is_joined(const struct plan_text *t, size_t i) {
  unsigned gap = t->token[i].gap;
  return !(gap & GAP_BLANK) && ((gap & GAP_HYPHEN) || (gap == 0 && (t->token[i].amp || t->token[i - 1].amp)));
}

/* How far word i leans towards talk about companies, or, below 0, other talk; 1 where it is known. */
static int read_leaning(const struct mention_text *m, size_t i, float *leaning) {
  *leaning = ((float)m->word[i].leaning - EVEN) / LEANINGS;
  return m->word[i].leaning > 0 && !is_grammar(m, i) && !m->taken[i];
}

/* Properties of the question's other words. */
static void read_others(const struct span *s, struct mention_signs *x) {
  const struct mention_text *m = s->m;
  uint64_t outside = plan_trades_outside(m->trades);
  size_t known = 0, words = 0;
  float leaning;
  for (size_t i = 0; i < m->t->count; i++) {
    words += m->taken[i] == TAKEN_NOT;
    if (i >= s->from && i < s->to)
      continue;
    x->outside += m->trade[i] == outside && outside && !is_grammar(m, i) ? 1.F / TRADE_WORDS : 0;
    x->market = m->word[i].kinds & KIND_MARKET ? 1 : x->market;
    if (!read_leaning(m, i, &leaning))
      continue;
    x->filing += leaning > 0 ? leaning : 0;
    x->general -= leaning < 0 ? leaning : 0;
    known++;
  }
  x->outside = x->outside < 1 ? x->outside : 1;
  x->few_words = m->telegraphic && words <= FEW_WORDS;
  x->filing /= (float)(known > 0 ? known : 1);
  x->general /= (float)(known > 0 ? known : 1);
}

int mention_trades(const struct mention_text *m, uint32_t company, size_t from, size_t to, float *own,
                   float *other) {
  struct directory_company c = directory_company(m->directory, company);
  uint64_t trades = plan_trades_of_company(m->trades, c.cik, c.name);
  *own = *other = 0;
  for (size_t i = 0; trades && i < m->t->count; i++)
    if ((i < from || i >= to) && !is_grammar(m, i) && m->taken[i] == TAKEN_NOT) {
      int own_word = (m->trade[i] & trades) != 0;
      if (own_word || !(m->word[i].kinds & (KIND_FIGURE | KIND_TOPIC)))
        *(own_word ? own : other) += plan_trades_weight(m->trade[i]);
    }
  return trades != 0;
}

/* Whether the question mentions the company's trade. */
static void read_trades(const struct span *s, const struct mention *found, struct mention_signs *x) {
  const struct mention_text *m = s->m;
  float own, other;
  if (!mention_trades(m, found->company, s->from, s->to, &own, &other))
    return;
  x->trade = own < TRADE_WORDS ? own / TRADE_WORDS : 1;
  x->no_trade = own <= 0 && other <= 0;
}

/* Whether the question has words that go with the company, or with other meanings of its name. */
static void read_senses(const struct span *s, const struct mention *found, struct mention_signs *x) {
  const struct mention_text *m = s->m;
  char key[SENSE_KEY];
  size_t own = 0, other = 0, content = 0;
  directory_key(m->t, s->from, s->to, 1, key, sizeof key);
  struct slice company =
                   plan_senses_of_company(m->senses, directory_company(m->directory, found->company).cik),
               name = plan_senses_of_name(m->senses, key);
  for (size_t i = 0; i < m->t->count; i++)
    if ((i < s->from || i >= s->to) && !is_grammar(m, i) && m->taken[i] == TAKEN_NOT) {
      own += (size_t)plan_senses_have(company, &m->t->token[i]);
      other += (size_t)plan_senses_have(name, &m->t->token[i]);
      content += !is_report_word(m, i);
    }
  x->subject = (float)(own < SENSE_WORDS ? own : SENSE_WORDS) / SENSE_WORDS;
  x->no_subject = company.len > 0 && own == 0 && content > 0;
  x->other_sense = (float)(other < SENSE_WORDS ? other : SENSE_WORDS) / SENSE_WORDS;
  x->no_sense = name.len > 0 && other == 0;
}

/* Whether the asker speaks of himself, who asks nothing of a company's reports. */
static void read_asker(const struct mention_text *m, struct mention_signs *x) {
  static const char *const self[] = {QUESTION_WORDS_SELF, NULL}, *const tells[] = {QUESTION_WORDS_TELLS,
                                                                                   NULL};
  for (size_t i = 0; i < m->t->count; i++)
    if (plan_word_in(m->t->token[i].fold, self) >= 0 &&
        !(i > 0 && plan_word_in(m->t->token[i - 1].fold, tells) >= 0) &&
        !(i + 1 < m->t->count && plan_word_in(m->t->token[i + 1].fold, tells) >= 0))
      x->personal = 1;
}

/* Texts that print the least common of several words in small letters. */
static float least_small(const struct span *s) {
  unsigned least = UINT8_MAX;
  for (size_t i = s->from; i < s->to; i++)
    if (!s->m->t->token[i].amp && !is_grammar(s->m, i) && s->m->word[i].small < least)
      least = s->m->word[i].small;
  return of_filers(least);
}

/* Whether a preposition is at token i, but for one before a period: "at end-2023". */
static int is_preposition(const struct mention_text *m, size_t i, const char *const *list) {
  for (size_t k = i; k < m->t->count && k <= i + PERIOD_NEAR; k++)
    if (m->taken[k])
      return 0;
  return i < m->t->count && plan_word_in(m->t->token[i].fold, list) >= 0;
}

/* What the words do in the sentence: "energy transfer in ecosystems", "Amazon river freight in the dry season". */
static void read_prepositions(const struct span *s, struct mention_signs *x) {
  static const char *const of[] = {"of", NULL}, *const where[] = {QUESTION_WORDS_PREPOSITION, NULL};
  const struct mention_text *m = s->m;
  if (!s->has_behind)
    return;
  x->behind_of = (float)is_preposition(m, s->to, of);
  x->behind_where = (float)is_preposition(m, s->to, where);
  for (size_t i = s->to + 1; i <= s->to + 2; i++)
    x->then_where = is_preposition(m, i, where) || is_preposition(m, i, of) ? 1 : x->then_where;
}

static int is_unlisted(const struct plan_token *token, const struct plan_word *w) {
  return !w->ordinary && !w->name && !w->kinds && token->letters > 1;
}

static void read_behind(const struct span *s, struct mention_signs *x) {
  static const char *const versus[] = {"vs", "versus", "v", NULL};
  const struct mention_text *m = s->m;
  size_t i = s->to;
  x->percent = i < m->t->count && (m->t->token[i].gap & GAP_PERCENT) && !(m->t->token[i - 1].digits);
  if (!s->has_behind)
    return;
  const struct plan_token *token = &m->t->token[i];
  const struct plan_word *w = &m->word[i];
  float leaning;
  x->joined = is_joined(m->t, i) || x->joined > 0;
  x->behind_second = !is_report_word(m, i) && !is_grammar(m, i) && is_report_word(m, i + 1);
  x->behind_filing = read_leaning(m, i, &leaning) && leaning > 0 ? leaning : 0;
  x->behind_pair = of_filers(listed_words(s, s->to - 1, i + 1).small);
  x->behind_period = m->taken[i] != 0;
  x->behind_figure = !m->taken[i] && is_report_word(m, i);
  x->behind_versus = is_among(s, i, versus);
  x->behind_unlisted = (float)is_unlisted(token, w);
  x->behind_capital = m->capitals_tell && token->first_capital && !is_all_capitals(token) &&
                      !is_report_word(m, i) && !is_grammar(m, i) && x->possessive <= 0 &&
                      plan_word_in(token->fold, plan_legal_forms) < 0;
}

static void read_before(const struct span *s, struct mention_signs *x) {
  static const char *const asks[] = {QUESTION_WORDS_AUXILIARY, NULL};
  static const char *const determiners[] = {QUESTION_WORDS_DETERMINER, NULL};
  static const char *const holder[] = {QUESTION_WORDS_HOLDER, NULL};
  static const char *const question[] = {"what", "which", "how", "why", "whose", NULL};
  static const char *const pronouns[] = {QUESTION_WORDS_PRONOUN, NULL};
  static const char *const where[] = {"in", "from", "to", "into", "near", "around", NULL};
  static const char *const titles[] = {QUESTION_WORDS_TITLE, NULL};
  const struct mention_text *m = s->m;
  x->begins = !s->has_before;
  x->begins_line = s->from == 0 && m->telegraphic;
  if (!s->has_before)
    return;
  size_t i = s->from - 1;
  const struct plan_token *token = &m->t->token[i];
  const struct plan_word *w = &m->word[i];
  x->joined = is_joined(m->t, s->from) || x->joined > 0;
  x->before_determiner = is_among(s, i, determiners);
  x->before_auxiliary = is_among(s, i, asks);
  int filer = i > 0 && m->taken[i - 1] == TAKEN_FORM && plan_token_is(token, "from"); /* "10-Q from ford" */
  x->before_holder = is_among(s, i, holder) > 0 || token->amp || filer;
  x->before_where = filer ? 0 : is_among(s, i, where);
  x->before_question = is_among(s, i, question);
  x->before_pronoun = is_among(s, i, pronouns);
  x->before_function = is_grammar(m, i) && x->before_determiner + x->before_auxiliary + x->before_holder +
                                                   x->before_where + x->before_question + x->before_pronoun <=
                                               0;
  x->before_title = is_among(s, i, titles);
  if (token->amp || m->taken[i] || is_grammar(m, i))
    return;
  x->before_given = (w->given && !is_report_word(m, i)) || (token->letters == 1 && token->capitals == 1);
  if (is_report_word(m, i) || x->before_title > 0)
    return;
  x->before_capital = m->capitals_tell && token->first_capital && !(token->gap & GAP_SENTENCE);
  x->before_opening = m->capitals_tell && token->first_capital && (token->gap & GAP_SENTENCE) && !w->kinds &&
                      (!w->ordinary || w->name);
}

static int is_parted(const struct plan_text *t, size_t i) {
  return (t->token[i].gap & (GAP_SENTENCE | GAP_COMMA | GAP_STOP)) != 0;
}

enum mention_sort mention_read_signs(const struct mention_text *m, const struct mention *found,
                                     const struct directory_entry *e, int inside,
                                     struct mention_signs *signs) {
  struct span s = {.m = m, .from = found->from, .to = found->to};
  size_t vocabulary = m->vocabulary;
  s.has_before = s.from > 0 && !is_parted(m->t, s.from);
  s.has_behind = s.to < m->t->count && !is_parted(m->t, s.to);
  memset(signs, 0, sizeof *signs);
  read_company_signs(&s, found, e, signs);
  read_spelling(&s, signs);
  signs->possessive += (float)found->possessive;
  read_behind(&s, signs);
  read_before(&s, signs);
  read_others(&s, signs);
  read_trades(&s, found, signs);
  read_senses(&s, found, signs);
  read_asker(m, signs);
  read_prepositions(&s, signs);
  signs->least_small = s.to > s.from + 1 ? least_small(&s) : 0;
  for (size_t i = s.from; i < s.to && vocabulary > 0; i++)
    vocabulary -= (m->word[i].kinds & (KIND_FIGURE | KIND_TOPIC)) != 0;
  signs->vocabulary = (float)(vocabulary < 3 ? vocabulary : 3) / 3;
  signs->period = (float)m->period;
  signs->no_report = vocabulary == 0 && !m->period;
  signs->heads_line = signs->begins_line * (float)(vocabulary > 0);
  signs->general_alone = signs->no_report * signs->general;
  signs->inside = (float)inside;
  return sort_of(&s, found, signs->common);
}

double mention_weigh(enum mention_sort sort, const struct mention_signs *signs) {
#define SIGN(name) offsetof(struct mention_signs, name) / sizeof(float)
  static const struct {
    size_t sign; /* its place in struct mention_signs */
    float rare, proper, word, words, names, ticker, small, slip;
  } weights[] = {MENTION_WEIGHTS_SIGN};
#undef SIGN
  double sum = 0;
  for (size_t i = 0; i < sizeof weights / sizeof *weights; i++)
    // cppcheck-suppress objectIndex ; the eight weights of a row, in the order of enum mention_sort
    sum += (double)((&weights[i].rare)[sort] * ((const float *)signs)[weights[i].sign]);
  return sum;
}

void mention_print_signs(enum mention_sort sort, const struct mention_signs *signs, struct buf *out) {
  static const char *const sorts[SORT_COUNT] = {"rare",  "proper", "word",  "words",
                                                "names", "ticker", "small", "slip"};
#define S(name) #name,
  static const char *const names[] = {MENTION_SIGNS(S)};
#undef S
  const float *sign = (const float *)signs;
  buf_add_str(out, sorts[sort]);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (sign[i] != 0)
      buf_printf(out, " %s=%.3g", names[i], (double)sign[i]);
}
