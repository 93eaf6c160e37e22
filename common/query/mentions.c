/* mentions.c: which words name a company.  Candidates are looked up in the directory and weighed by the features of their words and
 * neighbours; a sum above 0 means that they do.  Names in a list decide together: mention_subjects.c. */
#include "query/mentions.h"
#include "query/plan_candidates.h"
#include "query/plan_windows.h"
#include "query/plan_words.h"
#include "tables/company_talk.h"
#include "tables/mention_weights.h"
#include "tables/places.h"
#include "tables/question_words.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>

/* The kind of the words themselves. */
enum mention_sort {
  SORT_RARE,   /* a single word on no list: "Netflix" */
  SORT_PROPER, /* a single name of a person or place: "Ford" */
  SORT_WORD,   /* a single ordinary word: "target" */
  SORT_WORDS,  /* several ordinary words: "best buy" */
  SORT_NAMES,  /* several, not all of them ordinary: "wells fargo" */
  SORT_TICKER, /* a ticker in capitals or after a dollar sign */
  SORT_SMALL,  /* a ticker in lower case */
  SORT_SLIP,   /* a word on no list, one typo from a name */
  SORT_COUNT
};

/* Each feature is 0 where it doesn't hold, 1 where it does, or a degree in between.  "Behind" and "before" refer to
 * the tokens adjacent to the words, unless a sentence end, a bracket or a comma is in between. */
#define MENTION_SIGNS(S)                                                                                     \
  S(always)                                                                                                  \
  S(large)        /* the company's size, by its place on the list: logarithm, 1 the largest */               \
  S(giant)        /* among the 100 largest */                                                                \
  S(tiny)         /* beyond the 3,000 largest */                                                             \
  S(core)         /* the name without words such as "group" */                                               \
  S(prefix)       /* the name's first words only */                                                          \
  S(everyday)     /* an everyday name */                                                                     \
  S(brand)        /* a brand or a unit */                                                                    \
  S(former)       /* a former name */                                                                        \
  S(common)       /* how common the least common of the words is */                                          \
  S(in_print)     /* texts that print the words in small letters: logarithm */                               \
  S(given_name)   /* the first word is a given name */                                                       \
  S(listed_name)  /* the first word is a name of a person, place or anything else in a dictionary */         \
  S(abbreviation) /* capitals that are no ticker */                                                          \
  S(brief)        /* fewer than four letters */                                                              \
  S(one_letter)                                                                                              \
  S(parted_otherwise)  /* "best buy" for BESTBUY */                                                          \
  S(capital)           /* capitals mark it as a name */                                                      \
  S(first_capital)     /* a capital where capitals tell nothing */                                           \
  S(shouted)           /* all capitals */                                                                    \
  S(possessive)        /* "Apple's" */                                                                       \
  S(dollar)            /* "$AAPL" */                                                                         \
  S(joined)            /* to a neighbour by a hyphen, or by "&" without blanks */                            \
  S(is_vocabulary)     /* itself a word of reports: "match", "block" */                                      \
  S(is_function)       /* itself a word of grammar */                                                        \
  S(behind_figure)     /* behind it: a figure or topic of reports */                                         \
  S(behind_period)     /* a period or form */                                                                \
  S(behind_second)     /* any word, and then a figure, topic, period or form */                              \
  S(behind_capital)    /* a word with a capital that is none of reports */                                   \
  S(behind_versus)     /* "vs" */                                                                            \
  S(behind_unlisted)   /* a word of no list */                                                               \
  S(behind_pair)       /* texts that print the two side by side in small letters: logarithm */               \
  S(behind_filing)     /* a word of talk about companies (data/words.tsv, leaning) */                        \
  S(percent)           /* a percent sign behind it */                                                        \
  S(begins)            /* before it: nothing */                                                              \
  S(begins_line)       /* it begins a line of search words */                                                \
  S(before_determiner) /* "the", "our" */                                                                    \
  S(before_auxiliary)  /* "does", "is" */                                                                    \
  S(before_holder)     /* "of", "at", "for", "by" */                                                         \
  S(before_where)      /* "in", "from", "to" */                                                              \
  S(before_question)   /* "what", "which" */                                                                 \
  S(before_pronoun)    /* "you", "to": a verb follows */                                                     \
  S(before_function)   /* another word of grammar */                                                         \
  S(before_opening)    /* a word that opens the sentence and is none of grammar or reports */                \
  S(before_capital)    /* a word with a capital that is none of reports */                                   \
  S(before_given)      /* a given name, or an initial */                                                     \
  S(before_title)      /* "Mr.", "director" */                                                               \
  S(filing)            /* how far the question's other words are of such talk, on average */                 \
  S(general)           /* and of other talk */                                                               \
  S(heads_line)        /* it begins a line of search words with a word of reports in it */                   \
  S(general_alone)     /* the latter, where there is no word of reports */                                   \
  S(market)            /* the question speaks of prices as a whole: "composite", "points" */                 \
  S(vocabulary)        /* words of reports in the question, of 3 */                                          \
  S(no_report)         /* no word of reports, no period or form in the question */                           \
  S(period)            /* it names a period or form */                                                       \
  S(coined) /* a single word of six letters or more that is in no dictionary and in no text in lower case */ \
  S(trade)  /* words of the company's trade in the question */                                               \
  S(no_trade)     /* no words of any trade, though the company's trades are known */                         \
  S(outside)      /* words of what no company does, of 2: "treaty", "essay" */                               \
  S(subject)      /* words that go with the company in the question, of 2 */                                 \
  S(no_subject)   /* none of these, though such words are known */                                           \
  S(other_sense)  /* words that go with the name's other meanings, of 2 */                                   \
  S(no_sense)     /* none of these, though such words are known */                                           \
  S(personal)     /* the asker speaks of himself: "my", "near me", but not "tell me" */                      \
  S(least_small)  /* texts that print the least common of several words in small letters: logarithm */       \
  S(few_words)    /* a line of five or fewer search words besides periods */                                 \
  S(behind_of)    /* "of" behind it */                                                                       \
  S(behind_where) /* "in", "after", "for" */                                                                 \
  S(then_where)   /* one of all these a word or two later: "Amazon river freight in the dry season" */       \
  S(inside)       /* a part of a longer name of a company that is none here */

struct mention_signs {
#define S(name) float name;
  MENTION_SIGNS(S)
#undef S
};

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
#define PRINTED                                                                                              \
  8            /* texts of filings that print an ordinary word in small letters; "ford" is printed by none */
#define EVEN 5 /* neutral leaning */
#define LEANINGS 4.0F /* distance from there to either end */

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

/* The weight of the words outside tokens [from, to) that belong to the company's trades, and of those that
 * belong only to other trades; 0 if its trades aren't known. */
static int mention_trades(const struct mention_text *m, uint32_t company, size_t from, size_t to, float *own,
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

/* Features of the word before a mention where it is no grammar and no part of a form or period. */
static void read_content_word(const struct mention_text *m, size_t i, struct mention_signs *x) {
  const struct plan_token *token = &m->t->token[i];
  const struct plan_word *w = &m->word[i];
  x->before_given = (w->given && !is_report_word(m, i)) || (token->letters == 1 && token->capitals == 1);
  if (is_report_word(m, i) || x->before_title > 0)
    return;
  x->before_capital = m->capitals_tell && token->first_capital && !(token->gap & GAP_SENTENCE);
  x->before_opening = m->capitals_tell && token->first_capital && (token->gap & GAP_SENTENCE) && !w->kinds &&
                      (!w->ordinary || w->name);
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
  if (!token->amp && !m->taken[i] && !is_grammar(m, i))
    read_content_word(m, i, x);
}

static int is_parted(const struct plan_text *t, size_t i) {
  return (t->token[i].gap & (GAP_SENTENCE | GAP_COMMA | GAP_STOP)) != 0;
}

/* Computes the features of a mention whose from, to, company and way are set.  e: the matching name or ticker; NULL
 * for a typo.  inside: a longer name started at the same word and was rejected. */
static enum mention_sort mention_read_signs(const struct mention_text *m, const struct mention *found,
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

/* The log-odds from the features. */
static double mention_weigh(enum mention_sort sort, const struct mention_signs *signs) {
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

/* Appends the sort and the nonzero features: "word large=0.61 capital=1". */
static void mention_print_signs(enum mention_sort sort, const struct mention_signs *signs, struct buf *out) {
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

/* ---- names ---- */

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
  found->printed = sort == SORT_SMALL || found->to > found->from + 1 || m->word[found->from].small >= PRINTED;
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

#define SLIP_SPAN 3    /* words of a name with one typing error */
#define SLIP_LETTERS 9 /* of such a name of several words */

/* "Red Robbin", "marvel technology": a name of several words with one typing error, of which one is on no list, all have capitals, or
 * the last one ends names. */
static int slips_at(const struct mention_text *m, size_t i, struct mention *found) {
  int unknown = 0, capitals = 1;
  for (size_t to = i + 1; to <= i + SLIP_SPAN && to <= m->t->count; to++) {
    struct choices c = {.count = 0};
    char key[CHOICE_KEY];
    const struct plan_word *w = &m->word[to - 1];
    const struct plan_token *token = &m->t->token[to - 1];
    int function = (w->kinds & KIND_FUNCTION) != 0;
    if (m->taken[to - 1] || token->digits || (to > i + 1 ? token->gap != GAP_BLANK : function))
      return 0;
    if (function) /* "Bank of Amerca" */
      continue;
    unknown |= !w->ordinary && !w->kinds;
    capitals &= token->first_capital;
    size_t len = directory_key(m->t, i, to, 1, key, sizeof key);
    if (to == i + 1 || len < SLIP_LETTERS || !(unknown || capitals || (w->kinds & KIND_GENERIC)))
      continue;
    plan_choices_add_slips(&c, m->directory, key, len);
    if (!plan_choices_best(&c, m->directory, found) || found->margin < CHOICE_MARGIN ||
        (c.list[0].way == WAY_PREFIX && !unknown))
      continue;
    found->from = i;
    found->to = to;
    found->how = PLAN_TYPO;
    weigh_mention(m, c.list[0].entry, 0, found);
    return 1;
  }
  return 0;
}

/* "Issuer: Parker Hannifin", "Step 2: ...": a field label. */
static int is_label(const struct mention_text *m, size_t i) {
  static const char *const labels[] = {QUESTION_WORDS_LABEL, NULL};
  size_t next = i + 1 < m->t->count && plan_token_number(&m->t->token[i + 1]) >= 0 ? i + 2 : i + 1;
  return plan_word_in(m->t->token[i].fold, labels) >= 0 && next < m->t->count &&
         (m->t->token[next].gap & GAP_LABEL);
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
      (best->to == 0 || ticker.score > best->score))
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
  if (best->to > i + 1 && best->score > 0)
    return 1;
  struct mention slip;
  if (slips_at(m, i, &slip) && (best->to == 0 || slip.score > best->score))
    *best = slip;
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
