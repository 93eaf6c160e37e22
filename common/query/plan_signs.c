#include "query/plan_signs.h"

#include "query/mention_weights.h"
#include "query/plan_windows.h"

#include <math.h>
#include <stdio.h>

#define LARGEST 20.0 /* ranks below this are alike */
#define SMALLEST 8000.0
#define UNSIGNED (-0.5) /* log-odds at most, of an ordinary word that nothing marks as a name */
#define PLACE_WORDS 3   /* of a place's name */

/* The words around a mention. */
struct span {
  const struct mention_text *m;
  size_t from, to;
  int has_before, has_behind; /* a neighbour that nothing parts from it */
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

/* 1 for the most common words, 0 where one of them is no ordinary word. */
static float commonness(const struct span *s) {
  float least = 1;
  for (size_t i = s->from; i < s->to; i++) {
    unsigned size = s->m->word[i].ordinary;
    float this = size == 0 ? 0.F : size <= 10 ? 1.F : size <= 20 ? 0.9F : size <= 35 ? 0.8F : 0.6F;
    least = !s->m->t->token[i].amp && this < least ? this : least;
  }
  return least;
}

static float of_filers(unsigned filers) {
  return (float)(log(1.0 + filers) / log(256.0));
}

/* The list's row of tokens [from, to), of at most three words; all 0 where there is none. */
static struct plan_word listed_words(const struct span *s, size_t from, size_t to) {
  char key[3 * PLAN_FOLD];
  struct plan_word none = {0};
  size_t len = 0;
  if (to - from > PLACE_WORDS || to > s->m->t->count)
    return none;
  for (size_t i = from; i < to; i++) {
    const struct plan_token *token = &s->m->t->token[i];
    size_t n = i + 1 == to ? token->bare : token->len;
    len += (size_t)snprintf(key + len, sizeof key - len, "%s%.*s", i > from ? " " : "", (int)n, token->fold);
  }
  return plan_words_of(s->m->words, key);
}

/* Whether the words are inside a longer name of a place: "Palo Alto", "North America". */
static int is_inside_place(const struct span *s) {
  for (size_t n = s->to - s->from + 1; n <= PLACE_WORDS; n++)
    for (size_t back = 0; back + (s->to - s->from) <= n && back <= s->from; back++) {
      size_t from = s->from - back, to = from + n;
      if ((back == 0 || s->has_before) && (to == s->to || s->has_behind) && listed_words(s, from, to).place)
        return 1;
    }
  return 0;
}

/* Capitals: 1 they mark the words as a name, -1 the words are small though names have capitals. */
static int capitals_of(const struct span *s) {
  const struct plan_text *t = s->m->t;
  size_t capital = 0, words = 0;
  for (size_t i = s->from; i < s->to; i++) {
    words += !t->token[i].amp && t->token[i].letters;
    capital += t->token[i].first_capital;
  }
  if (!s->m->capitals_tell || words == 0)
    return 0;
  if (capital == 0)
    return -1;
  return capital == words && (words > 1 || !(t->token[s->from].gap & GAP_SENTENCE)) ? 1 : 0;
}

static enum mention_sort sort_of(const struct span *s, const struct mention *found, float common) {
  const struct plan_token *first = &s->m->t->token[s->from];
  const struct plan_word *w = &s->m->word[s->from];
  if (found->how == PLAN_TYPO)
    return SORT_SLIP;
  if (found->how == PLAN_TICKER)
    return (first->gap & GAP_DOLLAR) || is_all_capitals(first) ? SORT_TICKER : SORT_SMALL;
  if (s->to - s->from > 1)
    return common > 0 ? SORT_WORDS : SORT_NAMES;
  if (common > 0)
    return SORT_WORD;
  return w->name || w->given || w->family || w->place ? SORT_PROPER : SORT_RARE;
}

static void read_company_signs(const struct span *s, const struct mention *found,
                               const struct directory_entry *e, struct mention_signs *x) {
  double rank = directory_company(s->m->directory, found->company)->rank + LARGEST;
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
  x->left_out = e->way == WAY_PREFIX ? (float)(e->others < 3 ? e->others : 3) / 3 : 0;
  x->brief = e->len < 4 + (e->way == WAY_TICKER);
  x->one_letter = e->len < 2 + (e->way == WAY_TICKER);
  x->parted_otherwise = e->way != WAY_TICKER && words != e->words;
}

static void read_spelling(const struct span *s, struct mention_signs *x) {
  const struct mention_text *m = s->m;
  const struct plan_token *first = &m->t->token[s->from], *last = &m->t->token[s->to - 1];
  const struct plan_word all = listed_words(s, s->from, s->to);
  int single = s->to == s->from + 1, capitals = capitals_of(s);
  x->always = 1;
  x->common = commonness(s);
  x->in_print = of_filers(all.small);
  x->given_name = m->word[s->from].given;
  x->family_name = m->word[s->to - 1].family;
  x->place = all.place;
  x->inside_place = (float)is_inside_place(s);
  x->abbreviation = single && is_all_capitals(last) &&
                    ((m->word[s->from].kinds & KIND_ABBREVIATION) || m->word[s->from].capital >= 3);
  x->digits = single && last->letters == 0;
  for (size_t i = s->from; i < s->to; i++)
    x->ampersand = (m->t->token[i].amp && x->prefix > 0) || x->ampersand > 0;
  x->capital = capitals > 0;
  x->no_capital = capitals < 0;
  x->first_capital = capitals == 0 && first->first_capital;
  x->shouted = is_all_capitals(last) && last->letters > 1;
  x->possessive = last->possessive;
  x->dollar = (first->gap & GAP_DOLLAR) && first->letters > 0;
  x->bracketed = (first->gap & GAP_OPEN) && s->to < m->t->count && (m->t->token[s->to].gap & GAP_STOP);
  x->is_vocabulary =
      single && (m->word[s->from].kinds & (KIND_FIGURE | KIND_TOPIC | KIND_DOCUMENT | KIND_TABLE | KIND_TELL |
                                           KIND_COMPARE | KIND_HOLDING));
  x->is_function = single && is_grammar(m, s->from);
  x->share_class = !single && last->len == 1;
}

/* Whether token i and the one before it are one word: "R&D", "Springsteen-Abbott". */
static int is_joined(const struct plan_text *t, size_t i) {
  unsigned gap = t->token[i].gap;
  return !(gap & GAP_BLANK) && ((gap & GAP_HYPHEN) || (gap == 0 && (t->token[i].amp || t->token[i - 1].amp)));
}

static const char *const determiners[] = {"the",  "a",    "an",    "our",   "its",  "their", "my",
                                          "your", "this", "that",  "no",    "some", "each",  "any",
                                          "his",  "her",  "these", "those", NULL};

static void read_behind(const struct span *s, struct mention_signs *x) {
  static const char *const of[] = {"of", "between", "to", "on", "in", "or", "by", NULL};
  static const char *const asks[] = {"has",    "have", "had",  "does", "do",  "did",   "is",
                                     "are",    "was",  "were", "will", "can", "would", "could",
                                     "should", "says", "said", "say",  NULL};
  const struct mention_text *m = s->m;
  size_t i = s->to;
  x->ends = !s->has_behind;
  x->percent = i < m->t->count && (m->t->token[i].gap & GAP_PERCENT) && !(m->t->token[i - 1].digits);
  if (!s->has_behind)
    return;
  const struct plan_token *token = &m->t->token[i];
  const struct plan_word *w = &m->word[i];
  x->legal_form = plan_word_in(token->fold, plan_legal_forms) >= 0;
  x->joined = is_joined(m->t, i) || x->joined > 0;
  x->behind_pair = of_filers(listed_words(s, s->to - 1, i + 1).small);
  x->behind_period = m->taken[i] != 0;
  x->behind_figure = !m->taken[i] && is_report_word(m, i);
  x->behind_second = !is_report_word(m, i) && !is_grammar(m, i) && is_report_word(m, i + 1);
  x->behind_of = is_among(s, i, of);
  x->behind_auxiliary = is_among(s, i, asks);
  x->behind_determiner = is_among(s, i, determiners);
  x->behind_function = is_grammar(m, i) && x->behind_of + x->behind_auxiliary + x->behind_determiner <= 0;
  x->behind_family = m->word[s->to - 1].given && w->family && !is_report_word(m, i);
  if (is_report_word(m, i) || is_grammar(m, i) || x->legal_form > 0)
    return;
  x->behind_capital = m->capitals_tell && token->first_capital;
  x->behind_place = w->place;
  x->behind_word = w->ordinary && x->behind_capital <= 0;
  x->behind_unlisted = !w->ordinary && !w->name && !w->kinds;
}

static void read_before(const struct span *s, struct mention_signs *x) {
  static const char *const asks[] = {"has", "have", "had",  "does", "do",    "did",   "is",     "are",
                                     "was", "were", "will", "can",  "would", "could", "should", NULL};
  static const char *const holder[] = {"of", "at", "for", "by", "about", "and", "vs", "versus", NULL};
  static const char *const question[] = {"what", "which", "how", "why", "whose", NULL};
  static const char *const pronouns[] = {"i", "you", "we", "they", "he", "she", "to", "not", NULL};
  static const char *const where[] = {"in", "from", "to", "into", "near", NULL};
  static const char *const titles[] = {
      "mr",  "mrs", "ms",    "dr",      "sir",       "director", "chairman",  "president",  "officer",
      "ceo", "cfo", "chief", "founder", "treasurer", "counsel",  "secretary", "chairwoman", NULL};
  const struct mention_text *m = s->m;
  x->begins = !s->has_before;
  x->begins_line = s->from == 0 && m->telegraphic;
  if (!s->has_before)
    return;
  size_t i = s->from - 1;
  const struct plan_token *token = &m->t->token[i];
  const struct plan_word *w = &m->word[i];
  x->joined = is_joined(m->t, s->from) || x->joined > 0;
  x->before_pair = of_filers(listed_words(s, i, s->from + 1).small);
  x->before_period = m->taken[i] != 0;
  x->before_determiner = is_among(s, i, determiners);
  x->before_auxiliary = is_among(s, i, asks);
  x->before_holder = is_among(s, i, holder) > 0 || token->amp;
  x->before_where = is_among(s, i, where);
  x->before_question = is_among(s, i, question);
  x->before_pronoun = is_among(s, i, pronouns);
  x->before_function = is_grammar(m, i) && x->before_determiner + x->before_auxiliary + x->before_holder +
                                                   x->before_where + x->before_question + x->before_pronoun <=
                                               0;
  x->before_title = is_among(s, i, titles);
  x->before_figure = !m->taken[i] && is_report_word(m, i);
  if (token->amp || m->taken[i] || is_grammar(m, i))
    return;
  x->before_given = (w->given && x->before_figure <= 0) || (token->letters == 1 && token->capitals == 1);
  if (is_report_word(m, i) || x->before_title > 0)
    return;
  x->before_capital = m->capitals_tell && token->first_capital && !(token->gap & GAP_SENTENCE);
  x->before_opening = m->capitals_tell && token->first_capital && (token->gap & GAP_SENTENCE) && !w->kinds;
  x->before_unlisted = !w->ordinary && !w->name && !w->kinds && token->letters > 1;
  x->before_word = w->ordinary && x->before_capital + x->before_given + x->before_opening <= 0;
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
  read_behind(&s, signs);
  read_before(&s, signs);
  for (size_t i = s.from; i < s.to && vocabulary > 0; i++)
    vocabulary -= (m->word[i].kinds & (KIND_FIGURE | KIND_TOPIC)) != 0;
  signs->vocabulary = (float)(vocabulary < 3 ? vocabulary : 3) / 3;
  signs->period = (float)m->period;
  signs->no_report = vocabulary == 0 && !m->period;
  signs->behind_plain = signs->no_report * (signs->behind_word + signs->behind_capital);
  signs->alone = s.to - s.from == m->t->count;
  signs->inside = (float)inside;
  return sort_of(&s, found, signs->common);
}

/* An ordinary word names nobody without a sign of it: a capital inside a sentence, a possessive, a figure or report asked
 * for, a place where names stand. */
static int lacks_sign(enum mention_sort sort, const struct mention_signs *x) {
  if (x->digits > 0 && x->legal_form + x->dollar <= 0)
    return 1; /* "37", "111": mostly a number */
  return (sort == SORT_WORD || sort == SORT_SMALL) && x->common > 0 && x->no_report > 0 &&
         x->capital + x->possessive + x->legal_form + x->dollar + x->bracketed + x->before_holder +
                 x->before_auxiliary + x->behind_auxiliary <=
             0;
}

double mention_weigh(enum mention_sort sort, const struct mention_signs *signs) {
  const float *weight = (const float *)&mention_weights[sort], *sign = (const float *)signs;
  double sum = 0;
  for (size_t i = 0; i < sizeof *signs / sizeof *sign; i++)
    sum += (double)(weight[i] * sign[i]);
  return lacks_sign(sort, signs) && sum > UNSIGNED ? UNSIGNED : sum;
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
