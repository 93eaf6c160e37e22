/* plan_figures.c: finds the figures in a question, reads the phrase and the clause around each, and relates them.
 *
 * Each token gets the marks of the grammar's classes and rules.  A figure's phrase is walked in both directions up to grammar,
 * then every other word of its clause that nothing accounts for counts.
 *
 * A figure of company facts answers only where the phrase around its words names nothing else.  What the question's frame
 * carries (company, period, grammar, verbs of reporting, units) is passed over; any other word either narrows the figure to
 * a part of the company ("China revenue") or makes another thing of it ("goodwill impairment").
 * data/tables/figure_grammar.tsv has the words. */
#include "period/period_match.h"
#include "query/plan_screen.h"
#include "query/planner.h"
#include "tables/figure_grammar.h"
#include "tables/figure_words.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const words[] = {FIGURE_GRAMMAR_WORD};
static const uint32_t sets[] = {FIGURE_GRAMMAR_SET};
static const struct period_element elements[] = {FIGURE_GRAMMAR_ELEMENT};
static const struct period_row rows[] = {FIGURE_GRAMMAR_ROW};
static const struct period_rule rules[] = {FIGURE_GRAMMAR_RULE};
static const struct period_grammar figure_grammar = {
    words, sizeof words / sizeof *words, FIGURE_GRAMMAR_GROUPS, sets, elements, NULL, rows, rules};

/* ---- marks ---- */

enum mark {
  IS_FRAME = 1,
  IS_END = 1 << 1,
  IS_AUXILIARY = 1 << 2,
  IS_INTO = 1 << 3,
  IS_HEAD = 1 << 4,
  IS_SPLIT = 1 << 5,
  IS_CHANGE = 1 << 6,
  IS_EXCLUDES = 1 << 7,
  IS_COVERED = 1 << 8,
  IS_PLACE = 1 << 9,
  IS_ARTICLE = 1 << 10,
  IS_QUESTION = 1 << 11,
  IS_MOVE = 1 << 12,
  IS_PAID = 1 << 13,
  IS_CONDITION = 1 << 14,
  IS_SUPERLATIVE = 1 << 15,
  IS_COMPANY = 1 << 16,
  IS_OWNER = 1 << 17,
  IS_FIGURE = 1 << 18,
  IS_TIME = 1 << 19, /* has a digit */
  IS_SHARE = 1 << 20,
  IS_GROWTH = 1 << 21,
  IS_WHEN = 1 << 22,
  IS_PER = 1 << 23,
  IS_OCCASION = 1 << 24,
  IS_SUPPOSED = 1 << 25,
  IS_ASKED = 1 << 26,
  IS_HOW_MUCH = 1 << 27,
  IS_TELL = 1 << 28,
  IS_REASON = 1 << 29,
  IS_CURRENCY = 1 << 30
};

static const struct {
  unsigned class, mark;
} marked_classes[] = {{FIGURE_CLASS_FRAME, IS_FRAME},         {FIGURE_CLASS_ENDS, IS_END},
                      {FIGURE_CLASS_AUXILIARY, IS_AUXILIARY}, {FIGURE_CLASS_INTO, IS_INTO},
                      {FIGURE_CLASS_HEAD, IS_HEAD},           {FIGURE_CLASS_SPLITS, IS_SPLIT},
                      {FIGURE_CLASS_CHANGES, IS_CHANGE},      {FIGURE_CLASS_COVERED, IS_COVERED},
                      {FIGURE_CLASS_ARTICLE, IS_ARTICLE},     {FIGURE_CLASS_QUESTION, IS_QUESTION},
                      {FIGURE_CLASS_MOVES, IS_MOVE},          {FIGURE_CLASS_PAID, IS_PAID},
                      {FIGURE_CLASS_CONDITION, IS_CONDITION}, {FIGURE_CLASS_SUPERLATIVE, IS_SUPERLATIVE}};

/* A rule marks all its tokens; first: only the one that it begins with. */
static const struct {
  unsigned rule, mark;
} marked_rules[] = {{FIGURE_RULE_PART, IS_COVERED},
                    {FIGURE_RULE_SHARE, IS_COVERED},
                    {FIGURE_RULE_TRAILING, IS_COVERED},
                    {FIGURE_RULE_EACH_QUARTER, IS_COVERED},
                    {FIGURE_RULE_GROWS, IS_COVERED | IS_GROWTH},
                    {FIGURE_RULE_WHEN, IS_COVERED | IS_WHEN},
                    {FIGURE_RULE_OVER, IS_COVERED},
                    {FIGURE_RULE_UNDER, IS_COVERED},
                    {FIGURE_RULE_PLACE, IS_PLACE},
                    {FIGURE_RULE_EXCLUDES, IS_EXCLUDES},
                    {FIGURE_RULE_PER, IS_PER},
                    {FIGURE_RULE_OCCASION, IS_OCCASION},
                    {FIGURE_RULE_SUPPOSES, IS_SUPPOSED},
                    {FIGURE_RULE_ASKS, IS_ASKED},
                    {FIGURE_RULE_HOW_MUCH, IS_HOW_MUCH},
                    {FIGURE_RULE_TELLS, IS_TELL},
                    {FIGURE_RULE_REASON, IS_REASON}};

enum { FIGURES_FOUND = 16 };

enum meaning { MEANS_WHOLE, MEANS_PART, MEANS_OTHER };

/* A figure's words, tokens [from, to), and its phrase [first, last) so far. */
struct figure_found {
  const struct concept_word *word;
  size_t from, to, first, last;
  int parted;  /* reported by product, segment or region */
  int balance; /* of a day */
  enum meaning means;
};

struct figure_reading {
  const struct concept_table *table;
  const struct plan_text *t;
  struct plan *plan;
  uint8_t taken[PLAN_TOKENS + 1];
  unsigned mark[PLAN_TOKENS + 1]; /* enum mark */
  struct period_text pt;
  struct figure_found found[FIGURES_FOUND];
  size_t count;
  struct slice since; /* "since the merger"; or empty */
  int paid;           /* it asks for what was paid */
};

static int has_mark(const struct figure_reading *r, size_t i, unsigned marks) {
  return i < r->t->count && (r->mark[i] & marks) != 0;
}

static size_t rule_at(const struct figure_reading *r, unsigned rule, size_t i) {
  int slot[SLOTS] = {0};
  return period_rule_at(&r->pt, rule, i, slot);
}

static int rule_is_anywhere(const struct figure_reading *r, unsigned rule) {
  for (size_t i = 0; i < r->t->count; i++)
    if (rule_at(r, rule, i))
      return 1;
  return 0;
}

static int in_class(const struct figure_reading *r, size_t i, unsigned class) {
  return period_word_is(&r->pt, i, class);
}

static int label_is_among(const struct concept_word *w, const char *const *labels) {
  return slice_among_nocase(w->label, labels);
}

/* Whether punctuation other than of a word stands before token i. */
static int is_stopped(const struct figure_reading *r, size_t i) {
  return i >= r->t->count || (r->t->token[i].gap & ~(unsigned)(GAP_BLANK | GAP_HYPHEN | GAP_APOSTROPHE |
                                                               GAP_DOLLAR | GAP_DOT)) != 0;
}

static int stands_in(const char *at, struct slice text) {
  return at >= text.data && at < text.data + text.len;
}

/* Whether token i names one of the plan's companies: a brand, or another company, is none of them. */
static int names_company(const struct figure_reading *r, size_t i) {
  const char *at = r->t->text.data + r->t->token[i].start;
  const struct plan *plan = r->plan;
  int found = 0;
  for (size_t k = 0; k < plan->company_count; k++) {
    const struct plan_company *c = &plan->companies[k];
    found |= stands_in(at, c->matched) && !c->by_part;
    for (size_t j = 0; j < plan->other_count; j++) /* it was also given by itself */
      found |= stands_in(at, plan->others[j].matched) && !plan->others[j].by_part &&
               strcmp(plan->others[j].cik, c->cik) == 0;
  }
  return found;
}

/* Marks each occurrence of a text's tokens. */
static void mark_phrase(struct figure_reading *r, struct slice text, unsigned mark) {
  struct plan_text *t = xmalloc(sizeof *t);
  plan_text_read(t, text);
  for (size_t i = 0; t->count && i + t->count <= r->t->count; i++) {
    size_t n = 0;
    while (n < t->count && plan_token_is(&r->t->token[i + n], t->token[n].fold))
      n++;
    for (size_t k = i; n == t->count && k < i + n; k++)
      r->mark[k] |= mark;
  }
  free(t);
}

static void mark_tokens(struct figure_reading *r) {
  for (size_t i = 0; i < r->t->count; i++) {
    const struct plan_token *token = &r->t->token[i];
    unsigned mark = token->digits ? IS_TIME | IS_FRAME : 0;
    mark |= r->taken[i] == TAKEN_PERIOD || (r->taken[i] == TAKEN_FORM && r->plan->forms_named) ? IS_FRAME : 0;
    for (size_t k = 0; k < sizeof marked_classes / sizeof *marked_classes; k++)
      mark |= in_class(r, i, marked_classes[k].class) ? marked_classes[k].mark : 0;
    mark |= names_company(r, i) ? IS_COMPANY : 0;
    mark |= token->possessive ? IS_OWNER : 0;
    r->mark[i] |= mark;
    for (size_t k = 0; k < sizeof marked_rules / sizeof *marked_rules; k++)
      for (size_t n = rule_at(r, marked_rules[k].rule, i); n > 0; n--)
        r->mark[i + n - 1] |= marked_rules[k].mark;
    r->paid |= (mark & IS_PAID) != 0;
  }
  for (size_t i = 0; i < r->t->count; i++)
    r->mark[i] &= ~(has_mark(r, i, IS_PLACE) ? (unsigned)IS_FRAME : 0) &
                  ~(has_mark(r, i, IS_PER) ? (unsigned)IS_CHANGE : 0);
}

/* The words by which the question names its companies other than where they were found. */
static void mark_companies(struct figure_reading *r) {
  for (size_t i = 0; i < r->plan->company_count; i++) {
    const struct plan_company *c = &r->plan->companies[i];
    if (!c->by_part)
      mark_phrase(r, c->matched, IS_COMPANY);
    mark_phrase(r, c->name, IS_COMPANY);
    const char *last = c->name.len ? memrchr(c->name.data, ' ', c->name.len) : NULL;
    if (last) /* "Apple Inc." */
      mark_phrase(r, slice_of(c->name.data, (size_t)(last - c->name.data)), IS_COMPANY);
    mark_phrase(r, c->ticker, IS_COMPANY);
  }
}

/* Of a question without a company for sure: the words that a store may know as one. */
static void mark_doubtful(struct figure_reading *r) {
  const struct plan *plan = r->plan;
  if (plan->company_count > 0)
    return;
  mark_phrase(r, plan->doubtful, IS_COMPANY);
  for (size_t i = 0; i < plan->unknown_names && i < plan->unknown_count; i++)
    mark_phrase(r, plan->unknown[i], IS_COMPANY);
}

static void mark_currency(struct figure_reading *r) {
  static const struct { const char *name, *code; } currencies[] = {FIGURE_WORDS_CURRENCY};
  for (size_t i = 0; i < sizeof currencies / sizeof *currencies; i++) {
    unsigned before[PLAN_TOKENS];
    memcpy(before, r->mark, sizeof before);
    mark_phrase(r, slice_str(currencies[i].name), IS_FRAME | IS_CURRENCY);
    for (size_t k = 0; k < r->t->count && !r->plan->currency[0]; k++)
      if (r->mark[k] & ~before[k] & IS_CURRENCY)
        snprintf(r->plan->currency, sizeof r->plan->currency, "%s", currencies[i].code);
  }
}

/* ---- figures ---- */

/* The figure that token i begins; where the question asks for what was paid, "tax" and "interest" are names, too. */
static const struct concept_word *figure_at(const struct figure_reading *r, size_t i, size_t *taken) {
  static const struct { const char *name, *label; } paid[] = {FIGURE_WORDS_PAID_NOUN};
  const struct concept_word *w = concept_word_at_token(r->table, r->t, i, taken);
  for (size_t k = 0; k < sizeof paid / sizeof *paid && r->paid && !w; k++)
    if (plan_token_is(&r->t->token[i], paid[k].name)) {
      *taken = 1;
      w = concept_word_find(r->table, slice_str(paid[k].label));
    }
  return w;
}

static void find_figures(struct figure_reading *r) {
  static const char *const parted[] = {FIGURE_WORDS_PARTED, NULL}, *const balances[] = {FIGURE_WORDS_BALANCE,
                                                                                        NULL};
  size_t taken;
  for (size_t i = 0; i < r->t->count && r->count < FIGURES_FOUND; i++) {
    const struct concept_word *w = has_mark(r, i, IS_COMPANY) ? NULL : figure_at(r, i, &taken);
    if (!w)
      continue;
    r->found[r->count++] = (struct figure_found){.word = w,
                                                 .from = i,
                                                 .to = i + taken,
                                                 .first = i,
                                                 .last = i + taken,
                                                 .parted = label_is_among(w, parted),
                                                 .balance = label_is_among(w, balances)};
    for (size_t k = i; k < i + taken; k++) {
      r->mark[k] |= IS_FIGURE;
      r->taken[k] = TAKEN_FIGURE;
    }
    i += taken - 1;
  }
}

/* ---- the phrase ---- */

static void take(struct figure_found *f, size_t i, enum meaning means) {
  f->means = means > f->means ? means : f->means;
  f->first = i < f->first ? i : f->first;
  f->last = i + 1 > f->last ? i + 1 : f->last;
}

static enum meaning part_or_other(const struct figure_found *f) {
  return f->parted ? MEANS_PART : MEANS_OTHER;
}

static int is_change(const struct figure_reading *r, size_t i) {
  return has_mark(r, i, IS_CHANGE) && !has_mark(r, i, IS_COMPANY);
}

/* Lengthens the phrase behind token i by the words that belong to it, with one small word between them. */
static void take_rest(const struct figure_reading *r, struct figure_found *f, size_t i) {
  while (!is_stopped(r, ++i) && !has_mark(r, i, IS_TIME | IS_COMPANY)) {
    int small = has_mark(r, i, IS_FRAME | IS_END);
    if (small && i > f->last)
      return;
    if (!small)
      take(f, i, f->means);
  }
}

/* "impairment of goodwill": the noun before a preposition is what is meant. */
static void take_head(const struct figure_reading *r, struct figure_found *f, size_t i) {
  while (i && !is_stopped(r, i) && has_mark(r, i, IS_END) && !has_mark(r, i, IS_HEAD))
    i--; /* an article */
  int share = i && (rule_at(r, FIGURE_RULE_PART, i - 1) || rule_at(r, FIGURE_RULE_PART, i) ||
                    rule_at(r, FIGURE_RULE_RATIO, i - 1));
  if (i && !is_stopped(r, i) && has_mark(r, i, IS_HEAD) && !share &&
      !has_mark(r, i - 1, IS_FRAME | IS_END | IS_COMPANY | IS_FIGURE))
    take(f, i - 1, MEANS_OTHER);
}

/* "did Apple beat revenue": the word behind the subject of an auxiliary is a verb. */
static int is_verb(const struct figure_reading *r, size_t i) {
  size_t k = i;
  while (k && has_mark(r, k - 1, IS_COMPANY) && !has_mark(r, k - 1, IS_OWNER))
    k--;
  return k < i && k && has_mark(r, k - 1, IS_AUXILIARY);
}

static void walk_before(const struct figure_reading *r, struct figure_found *f) {
  for (size_t i = f->from; i-- > 0 && !is_stopped(r, i + 1);) {
    if (has_mark(r, i, IS_EXCLUDES) || is_change(r, i)) {
      take(f, i, MEANS_OTHER);
      return;
    }
    if (has_mark(r, i, IS_COMPANY)) {
      if (has_mark(r, i, IS_OWNER))
        return;
    } else if (has_mark(r, i, IS_FIGURE)) {
      return;
    } else if (has_mark(r, i, IS_END)) {
      take_head(r, f, i);
      return;
    } else if (!has_mark(r, i, IS_FRAME) && !is_verb(r, i)) {
      take(f, i, part_or_other(f));
    }
  }
}

/* Behind a preposition: a company or a period says whose or when, another noun of what. */
static void take_object(const struct figure_reading *r, struct figure_found *f, size_t i) {
  int occasion = 0;
  for (; !is_stopped(r, i) && !has_mark(r, i, IS_COMPANY | IS_FIGURE | IS_TIME); i++) {
    occasion |= has_mark(r, i, IS_OCCASION);
    if (has_mark(r, i, IS_FRAME | IS_END))
      continue;
    take(f, i, occasion || has_mark(r, i, IS_CHANGE) ? MEANS_OTHER : part_or_other(f));
    take_rest(r, f, i);
    return;
  }
}

/* The words behind the figure's; a noun beside it makes another thing of it. */
static void walk_behind(const struct figure_reading *r, struct figure_found *f) {
  static const char *const outflows[] = {FIGURE_WORDS_OUTFLOW, NULL};
  int beside = 1;
  for (size_t i = f->to; !is_stopped(r, i); i++) {
    if (rule_at(r, FIGURE_RULE_SHARE, i) || has_mark(r, i, IS_PER))
      return;
    if (i == f->to && in_class(r, i, FIGURE_CLASS_EXPENSE) && label_is_among(f->word, outflows)) {
      take(f, i, MEANS_WHOLE); /* "sales and marketing expense" */
    } else if (has_mark(r, i, IS_EXCLUDES) || is_change(r, i)) {
      take(f, i, MEANS_OTHER);
      take_rest(r, f, i);
      return;
    } else if (in_class(r, i, FIGURE_CLASS_EXCLUDES)) { /* "before 2020" */
      return;
    } else if (has_mark(r, i, IS_COMPANY | IS_TIME)) {
      beside = 0;
    } else if (has_mark(r, i, IS_INTO)) {
      take_object(r, f, i + 1);
      beside = 0;
    } else if (has_mark(r, i, IS_END | IS_FIGURE)) {
      return;
    } else if (has_mark(r, i, IS_PLACE | IS_SPLIT) && !has_mark(r, i, IS_FRAME)) {
      take(f, i, part_or_other(f));
    } else if (!has_mark(r, i, IS_FRAME) && (beside || f->parted)) {
      take(f, i, beside ? MEANS_OTHER : MEANS_PART);
    }
  }
}

/* ---- the clause ---- */

/* A word of a thing that nothing else accounts for. */
static int is_thing(const struct figure_reading *r, size_t i) {
  if (has_mark(r, i, IS_EXCLUDES))
    return 1;
  return !has_mark(r, i,
                   IS_COMPANY | IS_FIGURE | IS_TIME | IS_FRAME | IS_END | IS_INTO | IS_HEAD | IS_AUXILIARY |
                       IS_COVERED | IS_MOVE | IS_PER) &&
         !in_class(r, i, FIGURE_CLASS_EXCLUDES);
}

/* Whether a clause begins with token i, where the one before it began at `from`. */
static int clause_begins(const struct figure_reading *r, size_t i, size_t from) {
  static const char *const shortened[] = {"inc", "corp", "co", "ltd", "vs", "no", NULL}, *const joins[] = {
                                                                                             "and", "or",
                                                                                             "but", "then",
                                                                                             NULL};
  const struct plan_token *token = &r->t->token[i], *before = token - 1;
  struct slice between = slice_of(r->t->text.data + before->end, token->start - before->end);
  if ((token->gap & (GAP_SENTENCE | GAP_LABEL)) && plan_word_in(before->fold, shortened) < 0)
    return 1;
  if (between.len && memchr(between.data, ';', between.len))
    return 1;
  if (plan_word_in(token->fold, joins) >= 0)
    return has_mark(r, i + 1, IS_QUESTION);
  /* "In China, what was ...", "Without the payments, what was ...": belongs to the question behind it */
  int adverbial =
      has_mark(r, from, IS_INTO | IS_HEAD | IS_CONDITION) || in_class(r, from, FIGURE_CLASS_EXCLUDES);
  return (token->gap & GAP_COMMA) && has_mark(r, i, IS_QUESTION) && !adverbial;
}

static void clause_of(const struct figure_reading *r, const struct figure_found *f, size_t *from,
                      size_t *to) {
  *from = 0;
  *to = r->t->count;
  for (size_t i = 1; i < r->t->count; i++)
    if (clause_begins(r, i, *from)) {
      if (i > f->first) {
        *to = i;
        return;
      }
      *from = i;
    }
}

/* "... in the far east": whether a preposition leads to token i.  An occasion, "the year the plant opened", is no part. */
static int is_object(const struct figure_reading *r, size_t from, size_t i) {
  while (i > from && !is_stopped(r, i)) {
    i--;
    if (has_mark(r, i, IS_INTO))
      return !(i && has_mark(r, i - 1, IS_OCCASION));
    if (has_mark(r, i, IS_OCCASION) || (!is_thing(r, i) && !has_mark(r, i, IS_ARTICLE | IS_OWNER | IS_FRAME)))
      return 0;
  }
  return 0;
}

/* The token before articles and owners that stand before token i. */
static size_t over_articles(const struct figure_reading *r, size_t from, size_t i) {
  while (i > from && has_mark(r, i - 1, IS_OWNER | IS_ARTICLE))
    i--;
  return i;
}

/* "Interest on the debt" asks for a part of the interest, and not for the debt. */
static void relate(const struct figure_reading *r, struct figure_found *f, size_t from, size_t to) {
  size_t i = over_articles(r, from, f->first);
  if (i > from + 1 && has_mark(r, i - 1, IS_HEAD) && has_mark(r, i - 2, IS_FIGURE))
    take(f, i - 2, MEANS_OTHER);
  i = f->last;
  if (i >= to || !has_mark(r, i, IS_HEAD))
    return;
  for (i++; i < to && has_mark(r, i, IS_OWNER | IS_ARTICLE);)
    i++;
  if (i < to && has_mark(r, i, IS_FIGURE))
    take(f, i, MEANS_PART);
  while (++i < to && f->last == i && has_mark(r, i, IS_FIGURE))
    f->last++;
}

/* "Energy generation and storage revenue": what is joined to the words that narrow a figure narrows it, too. */
static void join_parts(const struct figure_reading *r, struct figure_found *f, size_t from) {
  size_t i = f->first;
  if (!f->parted || i < from + 2 || has_mark(r, i, IS_FIGURE) ||
      !(plan_text_is(r->t, i - 1, "and") || plan_text_is(r->t, i - 1, "or")))
    return;
  for (i--; i > from && is_thing(r, i - 1); i--)
    take(f, i - 1, MEANS_PART);
}

static void read_clause(const struct figure_reading *r, struct figure_found *f) {
  size_t from, to, first, last;
  clause_of(r, f, &from, &to);
  join_parts(r, f, from);
  relate(r, f, from, to);
  first = f->first;
  last = f->last;
  int superlative = r->plan->company_count < 2 && r->plan->choice == PLAN_NEWEST;
  for (size_t i = from; i < to; i++) {
    if (i >= first && i < last)
      continue;
    if (has_mark(r, i, IS_SUPPOSED) || (superlative && has_mark(r, i, IS_SUPERLATIVE)) ||
        (f->balance && has_mark(r, i, IS_MOVE)))
      take(f, i, MEANS_OTHER);
    else if (is_thing(r, i))
      take(f, i,
           f->parted && !has_mark(r, i, IS_CHANGE | IS_EXCLUDES) && is_object(r, from, i) ? MEANS_PART
                                                                                          : MEANS_OTHER);
  }
}

/* Reads the phrases of all figures.  What narrows one figure says nothing of another one in the same clause. */
static void read_phrases(struct figure_reading *r) {
  for (size_t i = 0; i < r->count; i++) {
    walk_before(r, &r->found[i]);
    walk_behind(r, &r->found[i]);
  }
  for (size_t i = 0; i < r->count; i++)
    for (size_t k = r->found[i].first; k < r->found[i].last; k++)
      r->mark[k] |= IS_COVERED;
  for (size_t i = 0; i < r->count; i++)
    read_clause(r, &r->found[i]);
}

/* ---- parts of the company ---- */

/* Whether a word of the phrase narrows the figure.  strict: every word but grammar does. */
static int narrows(const struct figure_reading *r, size_t i, int strict) {
  if (has_mark(r, i, IS_COMPANY | IS_FIGURE | IS_TIME | IS_INTO | IS_HEAD | IS_AUXILIARY) ||
      in_class(r, i, FIGURE_CLASS_MEMBER_SMALL))
    return 0;
  return strict ? !has_mark(r, i, IS_SPLIT)
                : !has_mark(r, i, IS_FRAME | IS_END) && !in_class(r, i, FIGURE_CLASS_COVERED);
}

/* "Revenue by product", "by region", "revenue breakdown": whether all members of an axis are asked for; *axis: its noun, or empty. */
static int is_breakdown(const struct figure_reading *r, const struct figure_found *f, struct slice *axis) {
  int asked = 0;
  *axis = slice_of(NULL, 0);
  for (size_t i = f->first; i < f->last; i++) {
    int kind = in_class(r, i, FIGURE_CLASS_MEMBER_KIND);
    int of_axis = kind && i && (plan_text_is(r->t, i - 1, "by") || plan_text_is(r->t, i - 1, "per"));
    if (of_axis)
      *axis = plan_text_span(r->t, i, i + 1);
    else if (!kind && !has_mark(r, i, IS_SPLIT) && narrows(r, i, 0))
      return 0;
    asked |= of_axis || (has_mark(r, i, IS_SPLIT) && !kind);
  }
  return asked;
}

/* The words that narrow a figure, apart for each part: "iPhone and Mac". */
static void name_parts(const struct figure_reading *r, const struct figure_found *f, int strict,
                       struct plan_figure *out) {
  size_t n = 0;
  for (size_t i = f->first; i < f->last && n < PLAN_PARTS; i++) {
    size_t had = strlen(out->parts[n]);
    if (had && (in_class(r, i, FIGURE_CLASS_MEMBER_JOIN) || is_stopped(r, i)))
      had = ++n < PLAN_PARTS ? 0 : PLAN_PART_NAME;
    struct slice word = plan_text_span(r->t, i, i + 1);
    if (n < PLAN_PARTS && narrows(r, i, strict) && had + word.len + 2 < PLAN_PART_NAME)
      snprintf(out->parts[n] + had, PLAN_PART_NAME - had, "%s%.*s", had ? " " : "", (int)word.len, word.data);
  }
  out->part_count = n < PLAN_PARTS && out->parts[n][0] ? n + 1 : n;
  if (out->part_count || strict)
    return;
  struct slice rest =
      f->last > f->to ? plan_text_span(r->t, f->to, f->last) : plan_text_span(r->t, f->first, f->from);
  snprintf(out->parts[0], PLAN_PART_NAME, "%.*s", (int)(rest.len < PLAN_PART_NAME ? rest.len : 0), rest.data);
  out->part_count = 1; /* "interest on its term debt": words that are a figure's own */
}

/* ---- what is asked ---- */

static struct plan_figure *add_figure(struct figure_reading *r, enum plan_as as, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds a figure that is not there yet; NULL where it is, or there is no room. */
static struct plan_figure *add_figure(struct figure_reading *r, enum plan_as as, const char *format, ...) {
  struct plan *plan = r->plan;
  char name[PLAN_FIGURE_NAME];
  va_list args;
  va_start(args, format);
  int n = vsnprintf(name, sizeof name, format, args);
  va_end(args);
  for (size_t i = 0; i < plan->figure_count && as != PLAN_AS_OTHER; i++)
    if (plan->figures[i].as != PLAN_AS_OTHER && strcmp(plan->figures[i].figure, name) == 0)
      return NULL;
  if (plan->figure_count == PLAN_FIGURES || (size_t)n >= sizeof name)
    return NULL;
  struct plan_figure *f = &plan->figures[plan->figure_count++];
  *f = (struct plan_figure){.as = as};
  memcpy(f->figure, name, sizeof name);
  return f;
}

/* "How much income tax did Apple pay": the amount paid is another figure than the expense. */
static struct slice paid_label(const struct figure_reading *r, const struct figure_found *f) {
  struct slice asked = plan_text_span(r->t, f->from, f->to);
  char *name = xformat("%.*s paid", (int)asked.len, asked.data);
  const struct concept_word *w = r->paid ? concept_word_find(r->table, slice_str(name)) : NULL;
  free(name);
  return w ? w->label : f->word->label;
}

/* Where "share of", "% of its", "portion of Apple's" begins that ends before token `to`; `to` where there is none. */
static size_t part_at(const struct figure_reading *r, size_t to) {
  size_t end = to;
  while (end && (in_class(r, end - 1, FIGURE_CLASS_FILLER) || r->t->token[end - 1].possessive))
    end--;
  for (size_t i = end; i-- > 0 && end - i < 4;)
    if (i + rule_at(r, FIGURE_RULE_PART, i) == end)
      return i;
  return to;
}

static void add_found(struct figure_reading *r, const struct figure_found *f) {
  struct slice label = paid_label(r, f);
  struct plan_figure *p = add_figure(r, f->means == MEANS_OTHER ? PLAN_AS_OTHER : PLAN_AS_VALUE, "%.*s",
                                     (int)label.len, label.data);
  if (!p)
    return;
  p->words = plan_text_span(r->t, f->first, f->last);
  if (f->means == MEANS_PART && is_breakdown(r, f, &p->axis))
    p->as = PLAN_AS_BREAKDOWN;
  else if (f->means != MEANS_WHOLE)
    name_parts(r, f, f->means == MEANS_OTHER, p);
}

/* Adds formulas for related figures: "R&D as a share of revenue", "free cash flow per share", "revenue growth".  Their parts are
 * kept too. */
static void add_formulas(struct figure_reading *r) {
  const struct plan_figure *last = NULL, *figures = r->plan->figures;
  size_t count = r->plan->figure_count;
  int grown = 0;
  for (size_t i = 0; i < r->t->count; i++)
    grown |= has_mark(r, i, IS_GROWTH);
  for (size_t i = 0, k = 0; i < count; i++) {
    const struct plan_figure *f = &figures[i];
    struct plan_figure *made = NULL;
    while (k < r->count && plan_text_span(r->t, r->found[k].first, r->found[k].last).data != f->words.data)
      k++;
    if (f->as == PLAN_AS_OTHER || k == r->count)
      continue;
    const struct plan_figure *other = last;
    for (size_t n = i + 1; n < count && !other; n++)
      other = figures[n].as != PLAN_AS_OTHER ? &figures[n] : NULL;
    if (other && part_at(r, r->found[k].from) < r->found[k].from)
      made = add_figure(r, PLAN_AS_SHARE, "%s / %s", other->figure, f->figure);
    if (rule_at(r, FIGURE_RULE_SHARE, r->found[k].to))
      made = add_figure(r, PLAN_AS_PER_SHARE, "%s / Diluted shares", f->figure);
    if (grown)
      made = add_figure(r, PLAN_AS_GROWTH, "%s growth", f->figure);
    if (made && f->part_count) {
      made->words = f->words;
      memcpy(made->parts, f->parts, sizeof made->parts);
      made->part_count = f->part_count;
    }
    last = f;
  }
}

static size_t count_known(const struct plan *plan) {
  size_t n = 0;
  for (size_t i = 0; i < plan->figure_count; i++)
    n += plan->figures[i].as != PLAN_AS_OTHER;
  return n;
}

/* "Share of revenue of its largest customer": the whole is no answer for a share of an unknown figure. */
static void drop_lone_whole(struct figure_reading *r) {
  for (size_t i = 0; i < r->plan->figure_count && count_known(r->plan) == 1; i++) {
    struct plan_figure *f = &r->plan->figures[i];
    size_t k = 0;
    while (k < r->count && (f->as == PLAN_AS_OTHER || r->found[k].means == MEANS_OTHER))
      k++;
    size_t from = k < r->count ? part_at(r, r->found[k].from) : 0;
    if (k == r->count || f->as == PLAN_AS_OTHER || from == r->found[k].from)
      continue;
    f->as = PLAN_AS_OTHER;
    f->part_count = 0;
    f->words = plan_text_span(r->t, from, r->found[k].to);
  }
}

/* The longest run of words that are no company, period, grammar or known figure; or empty. */
static struct slice find_unknown(const struct figure_reading *r) {
  const unsigned known = IS_COMPANY | IS_FIGURE | IS_TIME | IS_FRAME | IS_END | IS_AUXILIARY | IS_INTO |
                         IS_HEAD | IS_COVERED | IS_EXCLUDES;
  struct slice longest = {NULL, 0};
  for (size_t i = 0, end; i < r->t->count; i = end) {
    size_t last = i;
    int content = !has_mark(r, i, known);
    end = i + 1;
    for (size_t k = end; content && !is_stopped(r, k); k++) {
      int small = has_mark(r, k, IS_INTO | IS_HEAD);
      if (!small && has_mark(r, k, known))
        break;
      last = small ? last : k;
      end = k + 1;
    }
    struct slice found = plan_text_span(r->t, i, last + 1);
    longest = content && found.len > longest.len ? found : longest;
  }
  return longest;
}

/* "How many shares does it have outstanding", "how much did Apple earn": no word of the table stands there as a whole. */
static void add_spoken(struct figure_reading *r) {
  static const struct { const char *word, *label, *by_share; } verbs[] = {FIGURE_WORDS_VERB};
  const struct concept_word *shares = concept_word_find(r->table, slice_str("shares outstanding"));
  int many = rule_is_anywhere(r, FIGURE_RULE_SHARES), by_share = rule_is_anywhere(r, FIGURE_RULE_SHARE),
      asked = 0;
  for (size_t i = 0; i < r->t->count; i++) {
    asked |= has_mark(r, i, IS_ASKED);
    if (many && shares && plan_text_is(r->t, i, "outstanding") && !count_known(r->plan))
      add_figure(r, PLAN_AS_VALUE, "%.*s", (int)shares->label.len, shares->label.data);
  }
  struct slice other = find_unknown(r);
  for (size_t i = 0; i < r->t->count && asked && !r->plan->figure_count; i++)
    for (size_t k = 0; k < sizeof verbs / sizeof *verbs; k++)
      if (plan_text_is(r->t, i, verbs[k].word) &&
          (!other.len || by_share || slice_is_nocase(other, verbs[k].word)))
        add_figure(r, PLAN_AS_VALUE, "%s", by_share ? verbs[k].by_share : verbs[k].label);
}

/* Whether the question names figures, a company and a period and nothing else: then it asks for the figures. */
static int names_figures_alone(const struct figure_reading *r) {
  size_t from = SIZE_MAX, to = 0;
  for (size_t i = 0; i < r->count; i++) {
    if (r->found[i].means == MEANS_OTHER)
      return 0;
    from = r->found[i].first < from ? r->found[i].first : from;
    to = r->found[i].last > to ? r->found[i].last : to;
  }
  for (size_t i = 0; i < r->t->count; i++) {
    if (i > 1 && has_mark(r, i, IS_REASON) && rule_at(r, FIGURE_RULE_REASON, i))
      return to > 0; /* "... in 2024, and why": what follows is another question */
    if (has_mark(r, i, IS_TELL) && !rule_at(r, FIGURE_RULE_HOW_MUCH, i))
      return 0;
    if ((i < from || i >= to) && !has_mark(r, i, IS_COMPANY | IS_FRAME | IS_END | IS_FIGURE))
      return 0;
  }
  return to > 0;
}

/* ---- periods ---- */

static void read_span(struct figure_reading *r) {
  static const struct {
    unsigned rule;
    enum plan_span span;
  } spans[] = {{FIGURE_RULE_TRAILING, PLAN_SPAN_TRAILING},
               {FIGURE_RULE_EACH_QUARTER, PLAN_SPAN_QUARTERS},
               {FIGURE_RULE_TO_DATE, PLAN_SPAN_TO_DATE},
               {FIGURE_RULE_QUARTER, PLAN_SPAN_QUARTER}};
  for (size_t k = 0; k < sizeof spans / sizeof *spans && !r->plan->span; k++)
    r->plan->span = rule_is_anywhere(r, spans[k].rule) ? spans[k].span : PLAN_SPAN_NONE;
  for (size_t i = 0; i < r->t->count; i++) {
    long year = plan_token_number(&r->t->token[i]);
    r->plan->year_named |= year >= 1900 && year < 2100 && r->t->token[i].digits == 4;
  }
}

/* The amount behind the last token of a rule, "$300 billion"; NAN for none.  A year is no amount. */
static double amount_behind(const struct figure_reading *r, unsigned rule) {
  for (size_t i = 0; i < r->t->count; i++) {
    size_t n = rule_at(r, rule, i), end = n ? r->t->token[i + n - 1].end : 0;
    if (!n)
      continue;
    struct plan_amount a = plan_amount_read(slice_of(r->t->text.data + end, r->t->text.len - end));
    return a.bare_year ? NAN : a.value;
  }
  return NAN;
}

static void read_choice(struct figure_reading *r) {
  static const char since[] = "since";
  struct plan *plan = r->plan;
  if (rule_is_anywhere(r, FIGURE_RULE_WHEN)) {
    double above = amount_behind(r, FIGURE_RULE_OVER), below = amount_behind(r, FIGURE_RULE_UNDER);
    plan->amount = isnan(below) ? above : below;
    plan->choice = isnan(plan->amount) ? PLAN_EACH_YEAR : isnan(below) ? PLAN_FIRST_ABOVE : PLAN_FIRST_BELOW;
  } else if (plan->untimed.len > sizeof since && slice_begins_nocase(plan->untimed, since)) {
    plan->choice = PLAN_EACH_YEAR;
    mark_phrase(r, plan->untimed, IS_COVERED);
  }
}

/* ---- all of it ---- */

static int wants_figures(const struct plan *plan) {
  for (size_t i = 0; i < plan->other_count; i++)
    if (plan->others[i].asked)
      return 0;
  return plan->asks == PLAN_FIGURE || plan->asks == PLAN_TABLE || plan->asks == PLAN_COMPARISON;
}

static void understand_figures(struct figure_reading *r) {
  struct plan *plan = r->plan;
  period_text_read(&r->pt, &figure_grammar, r->t, r->taken);
  mark_tokens(r);
  mark_companies(r);
  mark_doubtful(r);
  mark_currency(r);
  find_figures(r);
  read_choice(r);
  read_span(r);
  read_phrases(r);
  if (!wants_figures(plan) && !names_figures_alone(r))
    return;
  for (size_t i = 0; i < r->count; i++)
    add_found(r, &r->found[i]);
  drop_lone_whole(r);
  add_formulas(r);
  add_spoken(r);
  struct slice unknown = find_unknown(r);
  struct plan_figure *none = !plan->figure_count && plan->asks == PLAN_FIGURE && unknown.len
                                 ? add_figure(r, PLAN_AS_UNKNOWN, "%s", "")
                                 : NULL;
  if (none)
    none->words = unknown;
}

void plan_find_figures(const struct concept_table *table, const struct plan_text *t, const uint8_t *taken,
                       struct plan *plan) {
  struct figure_reading *r = xcalloc(1, sizeof *r);
  r->table = table;
  r->t = t;
  r->plan = plan;
  memcpy(r->taken, taken, t->count);
  understand_figures(r);
  free(r);
}
