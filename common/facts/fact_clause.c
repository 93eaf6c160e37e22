#include "facts/fact_clause.h"

#include "tables/figure_words.h"

#include <string.h>

struct clause {
  const struct fact_phrases *p;
  size_t from, to;     /* words of the clause */
  size_t first, last;  /* words of the figure's phrase, which is lengthened; last is behind it */
  int parted, balance; /* what the figure is */
  enum fact_phrase_kind kind;
};

struct slice fact_clause_word(const struct fact_phrases *p, size_t i) {
  return slice_of(p->query.data + p->tokens[i].from, p->tokens[i].to - p->tokens[i].from);
}

static int clause_is(const struct fact_phrases *p, size_t i, const char *const *words) {
  return i < p->count && slice_among_nocase(fact_clause_word(p, i), words);
}

/* ---- where it begins and ends ---- */

/* Whether one of the marks stands before word i. */
static int clause_has_mark(const struct fact_phrases *p, size_t i, const char *marks) {
  for (size_t k = p->tokens[i - 1].to; k < p->tokens[i].from; k++)
    if (strchr(marks, p->query.data[k]))
      return 1;
  return 0;
}

/* A full stop that ends a sentence, not "U.S." or "Inc.". */
static int clause_has_stop(const struct fact_phrases *p, size_t i) {
  static const char *const shortened[] = {"inc", "corp", "co", "ltd", "vs", "no", NULL};
  struct slice before = fact_clause_word(p, i - 1);
  return clause_has_mark(p, i, ".") && !memchr(before.data, '.', before.len) && before.len > 1 &&
         !slice_among_nocase(before, shortened);
}

/* "In China, what was ...", "Without the payments, what was ...": belongs to the question behind it. */
static int clause_is_adverbial(const struct fact_phrases *p, size_t from) {
  static const char *const begins[] = {FIGURE_WORDS_CONDITION, NULL};
  return p->tokens[from].kind & (WORD_INTO | WORD_HEAD | WORD_EXCLUDES) || clause_is(p, from, begins);
}

/* Whether a clause begins with word i, where the one before it began at `from`. */
static int clause_begins(const struct fact_phrases *p, size_t i, size_t from) {
  static const char *const joins[] = {"and", "or", "but", "then", NULL}, *const asks[] = {
                                                                             FIGURE_WORDS_QUESTION, NULL};
  if (clause_has_mark(p, i, ";:?!") || clause_has_stop(p, i))
    return 1;
  if (clause_is(p, i, joins))
    return clause_is(p, i + 1, asks);
  return clause_has_mark(p, i, ",") && clause_is(p, i, asks) && !clause_is_adverbial(p, from);
}

static void clause_find(struct clause *c) {
  c->from = 0;
  c->to = c->p->count;
  for (size_t i = 1; i < c->p->count; i++)
    if (clause_begins(c->p, i, c->from)) {
      if (i > c->first) {
        c->to = i;
        return;
      }
      c->from = i;
    }
}

/* ---- what its words say ---- */

static void clause_take(struct clause *c, size_t i, enum fact_phrase_kind kind) {
  c->kind = kind > c->kind ? kind : c->kind;
  c->first = i < c->first ? i : c->first;
  c->last = i + 1 > c->last ? i + 1 : c->last;
}

/* "if", "would", "had it not": a case that isn't; not "tell me if", "would you", "I would like". */
static int clause_supposes(const struct fact_phrases *p, size_t i) {
  static const char *const supposes[] = {FIGURE_WORDS_SUPPOSES, NULL}, *const asks[] = {FIGURE_WORDS_ASKER,
                                                                                        NULL};
  return clause_is(p, i, supposes) && !clause_is(p, i + 1, asks) && !(i && clause_is(p, i - 1, asks));
}

/* The best of all periods is none of them, where one company is asked for. */
static int clause_is_superlative(const struct fact_phrases *p, size_t i) {
  static const char *const most[] = {FIGURE_WORDS_SUPERLATIVE, NULL};
  return p->company_count < 2 && !p->asks_when && clause_is(p, i, most);
}

/* "Cash spent", "how much inventory did it use": of a balance, what moved it isn't it. */
static int clause_moves(const struct clause *c, size_t i) {
  static const char *const moves[] = {FIGURE_WORDS_MOVES, NULL};
  return clause_is(c->p, i, moves);
}

/* "without", "less"; but "before 2020" is a time and "less than" compares. */
static int clause_excludes(const struct fact_phrases *p, size_t i) {
  return (p->tokens[i].kind & WORD_EXCLUDES) && !(i + 1 < p->count && (p->tokens[i + 1].kind & WORD_TIME)) &&
         !clause_is(p, i + 1, (const char *const[]){"than", NULL});
}

/* "Revenue that Nvidia gets from Microsoft": another company than the one before. */
static int clause_is_counterparty(const struct clause *c, size_t i) {
  static const char *const from[] = {"from", NULL};
  const struct fact_phrase_token *t = c->p->tokens;
  if (!(t[i].kind & WORD_COMPANY) || i == c->from || !clause_is(c->p, i - 1, from))
    return 0;
  for (size_t k = c->from; k + 1 < i; k++)
    if ((t[k].kind & WORD_COMPANY) &&
        !slice_among_nocase(fact_clause_word(c->p, k), (const char *const[]){"inc", "corp", NULL}))
      return 1;
  return 0;
}

/* "Per its annual report", "per the 10-K": where the figure is from. */
static int clause_is_source(const struct fact_phrases *p, size_t i) {
  static const char *const articles[] = {FIGURE_WORDS_ARTICLE, NULL};
  return clause_is(p, i, (const char *const[]){"per", NULL}) &&
         (clause_is(p, i + 1, articles) ||
          (i + 1 < p->count && (p->tokens[i + 1].kind & (WORD_TIME | WORD_OWNER))));
}

/* A word of a thing that nothing else accounts for. */
static int clause_is_content(const struct clause *c, size_t i) {
  unsigned known = WORD_COMPANY | WORD_FIGURE | WORD_TIME | WORD_FRAME | WORD_ENDS | WORD_INTO | WORD_HEAD |
                   WORD_AUXILIARY | WORD_COVERED;
  if (c->p->tokens[i].kind & WORD_EXCLUDES)
    return clause_excludes(c->p, i);
  return !(c->p->tokens[i].kind & known) && !clause_moves(c, i) && !clause_is_source(c->p, i);
}

int fact_clause_is_occasion(const struct fact_phrases *p, size_t i) {
  static const char *const articles[] = {FIGURE_WORDS_ARTICLE, NULL}, *const times[] = {FIGURE_WORDS_PERIOD,
                                                                                        NULL};
  size_t next = clause_is(p, i + 1, (const char *const[]){"of", NULL}) ? i + 2 : i + 1;
  return clause_is(p, i, times) && clause_is(p, next, articles);
}

/* "... in the far east": whether a preposition leads to word i, over articles and adjectives.  An occasion is no
 * part of the company. */
static int clause_is_object(const struct clause *c, size_t i) {
  static const char *const articles[] = {FIGURE_WORDS_ARTICLE, NULL};
  const struct fact_phrase_token *t = c->p->tokens;
  while (i > c->from && !t[i].stop) {
    i--;
    if (t[i].kind & WORD_INTO)
      return !(i && fact_clause_is_occasion(c->p, i - 1));
    if (fact_clause_is_occasion(c->p, i))
      return 0;
    if (!clause_is_content(c, i) && !clause_is(c->p, i, articles) && !(t[i].kind & (WORD_OWNER | WORD_FRAME)))
      return 0;
  }
  return 0;
}

/* "Energy generation and storage revenue": what is joined to the words that narrow a figure narrows it, too. */
static void clause_join(struct clause *c) {
  static const char *const joins[] = {"and", "or", NULL};
  size_t i = c->first;
  if (!c->parted || i < c->from + 2 || (c->p->tokens[i].kind & WORD_FIGURE) || !clause_is(c->p, i - 1, joins))
    return;
  for (i--; i > c->from && clause_is_content(c, i - 1); i--)
    clause_take(c, i - 1, FACT_PHRASE_PART);
}

static void clause_cover(struct clause *c) {
  size_t first = c->first, last = c->last;
  for (size_t i = c->from; i < c->to; i++) {
    if (i >= first && i < last)
      continue;
    if (clause_supposes(c->p, i) || clause_is_superlative(c->p, i) || (c->balance && clause_moves(c, i)))
      clause_take(c, i, FACT_PHRASE_OTHER);
    else if (clause_is_counterparty(c, i))
      clause_take(c, i, FACT_PHRASE_PART);
    else if (clause_is_content(c, i))
      clause_take(c, i,
                  c->parted && !(c->p->tokens[i].kind & (WORD_CHANGES | WORD_EXCLUDES)) &&
                          clause_is_object(c, i)
                      ? FACT_PHRASE_PART
                      : FACT_PHRASE_OTHER);
  }
}

/* ---- two figures with a preposition between them ---- */

/* The figure's word that a preposition before word i belongs to, "interest expense" of "on its debt", or the count. */
static size_t clause_figure_before(const struct clause *c, size_t i) {
  static const char *const articles[] = {FIGURE_WORDS_ARTICLE, NULL};
  const struct fact_phrase_token *t = c->p->tokens;
  while (i > c->from && ((t[i - 1].kind & WORD_OWNER) || clause_is(c->p, i - 1, articles)))
    i--;
  return i > c->from + 1 && (t[i - 1].kind & WORD_HEAD) && !(t[i - 2].kind & WORD_EXCLUDES) &&
                 (t[i - 2].kind & WORD_FIGURE)
             ? i - 2
             : c->p->count;
}

/* Of "interest on the debt" the debt isn't asked for, and the interest is that on the debt. */
static void clause_relate(struct clause *c) {
  static const char *const articles[] = {FIGURE_WORDS_ARTICLE, NULL};
  const struct fact_phrase_token *t = c->p->tokens;
  size_t before = clause_figure_before(c, c->first), i = c->last;
  if (before < c->p->count)
    clause_take(c, before, FACT_PHRASE_OTHER);
  if (i >= c->to || !(t[i].kind & WORD_HEAD))
    return;
  for (i++; i < c->to && ((t[i].kind & WORD_OWNER) || clause_is(c->p, i, articles));)
    i++;
  if (i < c->to && (t[i].kind & WORD_FIGURE))
    clause_take(c, i, FACT_PHRASE_PART);
  while (++i < c->to && c->last == i && (t[i].kind & WORD_FIGURE))
    c->last++;
}

enum fact_phrase_kind fact_clause_read(const struct fact_phrases *p, const struct concept_word *word,
                                       int parted, size_t *from, size_t *to) {
  static const char *const balances[] = {FIGURE_WORDS_BALANCE, NULL};
  struct clause c = {.p = p,
                     .first = *from,
                     .last = *to,
                     .parted = parted,
                     .balance = slice_among_nocase(word->label, balances),
                     .kind = FACT_PHRASE_WHOLE};
  clause_find(&c);
  clause_join(&c);
  clause_relate(&c);
  clause_cover(&c);
  *from = c.first;
  *to = c.last;
  return c.kind;
}
