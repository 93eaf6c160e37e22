#include "facts/fact_phrase.h"

#include "facts/fact_clause.h"
#include "facts/fact_words.h"
#include "tables/figure_words.h"

/* ---- the walk ---- */

/* The phrase so far, in tokens. */
struct phrase_walk {
  const struct fact_phrases *p;
  size_t first, behind; /* tokens of the figure's words */
  size_t from, to;      /* of the phrase */
  const struct concept_word *word;
  int parted; /* the figure is reported by part */
  enum fact_phrase_kind kind;
};

/* What a content word beside the figure makes of it. */
static void phrase_take(struct phrase_walk *w, size_t i, enum fact_phrase_kind kind) {
  if (kind > w->kind)
    w->kind = kind;
  w->from = i < w->from ? i : w->from;
  w->to = i + 1 > w->to ? i + 1 : w->to;
}

/* "did Apple beat revenue": the word behind the subject of an auxiliary is a verb. */
static int phrase_is_verb(const struct fact_phrases *p, size_t i) {
  size_t k = i;
  while (k && (p->tokens[k - 1].kind & WORD_COMPANY) && !(p->tokens[k - 1].kind & WORD_OWNER))
    k--;
  return k < i && k && (p->tokens[k - 1].kind & WORD_AUXILIARY);
}

/* "share of", before the whole; fact_plan.c makes a formula of it. */
static int phrase_is_share_of(const struct fact_phrases *p, size_t i) {
  static const char *const parts[] = {FIGURE_WORDS_PART, "ratio of", NULL};
  size_t from = p->tokens[i - 1].from;
  return slice_among_nocase(slice_of(p->query.data + from, p->tokens[i].to - from), parts);
}

/* "impairment of goodwill": the noun before a preposition is what is meant. */
static void phrase_take_head(struct phrase_walk *w, size_t i) {
  const struct fact_phrase_token *t = w->p->tokens;
  while (i && !t[i].stop && (t[i].kind & WORD_ENDS) && !(t[i].kind & WORD_HEAD))
    i--; /* an article */
  if (i && !t[i].stop && (t[i].kind & WORD_HEAD) && !phrase_is_share_of(w->p, i) &&
      !(t[i - 1].kind & (WORD_FRAME | WORD_ENDS | WORD_COMPANY | WORD_FIGURE)))
    phrase_take(w, i - 1, FACT_PHRASE_OTHER);
}

static void phrase_walk_before(struct phrase_walk *w) {
  const struct fact_phrase_token *t = w->p->tokens;
  for (size_t i = w->first; i-- > 0 && !t[i + 1].stop;) {
    if (t[i].kind & WORD_EXCLUDES || (t[i].kind & WORD_CHANGES && !(t[i].kind & WORD_COMPANY))) {
      phrase_take(w, i, FACT_PHRASE_OTHER);
      return;
    }
    if (t[i].kind & WORD_COMPANY) {
      if (t[i].kind & WORD_OWNER)
        return;
      continue;
    }
    if (t[i].kind & WORD_FIGURE)
      return;
    if (t[i].kind & WORD_ENDS) {
      phrase_take_head(w, i);
      return;
    }
    if ((t[i].kind & WORD_FRAME) || phrase_is_verb(w->p, i))
      continue;
    phrase_take(w, i, w->parted ? FACT_PHRASE_PART : FACT_PHRASE_OTHER);
  }
}

/* Lengthens the phrase behind token i by the words that belong to it, with one small word between them. */
static void phrase_take_rest(struct phrase_walk *w, size_t i) {
  const struct fact_phrase_token *t = w->p->tokens;
  while (++i < w->p->count && !t[i].stop && !(t[i].kind & (WORD_TIME | WORD_COMPANY))) {
    int small = (t[i].kind & (WORD_FRAME | WORD_ENDS)) != 0;
    if (small && i > w->to)
      return;
    if (!small)
      phrase_take(w, i, w->kind);
  }
}

/* Behind a preposition: a company or a period says whose or when, another noun of what. */
static void phrase_take_object(struct phrase_walk *w, size_t i) {
  const struct fact_phrase_token *t = w->p->tokens;
  int occasion = 0;
  for (; i < w->p->count && !t[i].stop; i++) {
    if (t[i].kind & (WORD_COMPANY | WORD_FIGURE | WORD_TIME))
      return;
    occasion |= fact_clause_is_occasion(w->p, i);
    if (t[i].kind & (WORD_FRAME | WORD_ENDS))
      continue;
    phrase_take(w, i,
                w->parted && !occasion && !(t[i].kind & WORD_CHANGES) ? FACT_PHRASE_PART : FACT_PHRASE_OTHER);
    phrase_take_rest(w, i);
    return;
  }
}

/* "net of", "before depreciation", "other than": something is left out; "before 2020" is a time. */
static int phrase_excludes(const struct phrase_walk *w, size_t i) {
  const struct fact_phrase_token *t = w->p->tokens;
  static const char *const net[] = {"net", "other", NULL}, *const of[] = {"of", "than", NULL};
  int next = i + 1 < w->p->count && !t[i + 1].stop;
  if (t[i].kind & WORD_EXCLUDES)
    return !next || !(t[i + 1].kind & (WORD_TIME | WORD_COMPANY));
  return next && slice_among_nocase(fact_clause_word(w->p, i), net) &&
         slice_among_nocase(fact_clause_word(w->p, i + 1), of);
}

/* "per share" and "a share" are formulas of their own (fact_plan.c). */
static int phrase_is_per_share(const struct phrase_walk *w, size_t i) {
  static const char *const share[] = {"share", "diluted", NULL};
  return slice_is_nocase(fact_clause_word(w->p, i), "per") && i + 1 < w->p->count &&
         slice_among_nocase(fact_clause_word(w->p, i + 1), share);
}

/* "per quarter" names a period. */
static int phrase_is_per_period(const struct phrase_walk *w, size_t i) {
  static const char *const periods[] = {"quarter", "year", "half", "month", NULL};
  return slice_is_nocase(fact_clause_word(w->p, i), "per") && i + 1 < w->p->count &&
         slice_among_nocase(fact_clause_word(w->p, i + 1), periods);
}

/* "Sales and marketing expense": the noun says what the figure is anyway. */
static int phrase_is_expense(const struct phrase_walk *w, size_t i) {
  static const char *const nouns[] = {FIGURE_WORDS_EXPENSE, NULL}, *const outflows[] = {FIGURE_WORDS_OUTFLOW,
                                                                                        NULL};
  return slice_among_nocase(fact_clause_word(w->p, i), nouns) && slice_among_nocase(w->word->label, outflows);
}

/* The words behind the figure's; beside it a noun makes another thing of it. */
static void phrase_walk_behind(struct phrase_walk *w) {
  const struct fact_phrase_token *t = w->p->tokens;
  int beside = 1;
  for (size_t i = w->behind; i < w->p->count && !t[i].stop; i++) {
    unsigned kind = t[i].kind;
    if (phrase_is_per_share(w, i) || phrase_is_per_period(w, i))
      return;
    if (i == w->behind && phrase_is_expense(w, i)) {
      phrase_take(w, i, FACT_PHRASE_WHOLE);
      continue;
    }
    if (phrase_excludes(w, i) || (kind & WORD_CHANGES && !(kind & WORD_COMPANY))) {
      phrase_take(w, i, FACT_PHRASE_OTHER);
      phrase_take_rest(w, i);
      return;
    }
    if (kind & WORD_EXCLUDES)
      return;
    if (kind & (WORD_COMPANY | WORD_TIME)) {
      beside = 0;
    } else if (kind & WORD_INTO) {
      phrase_take_object(w, i + 1);
      beside = 0;
    } else if (kind & (WORD_ENDS | WORD_FIGURE)) {
      return;
    } else if (kind & (WORD_PLACE | WORD_SPLITS) && !(kind & WORD_FRAME)) {
      phrase_take(w, i, w->parted ? FACT_PHRASE_PART : FACT_PHRASE_OTHER);
    } else if (!(kind & WORD_FRAME) && (beside || w->parted)) {
      phrase_take(w, i, beside ? FACT_PHRASE_OTHER : FACT_PHRASE_PART);
    }
  }
}

static int phrase_is_parted(const struct concept_word *word) {
  static const char *const parted[] = {FIGURE_WORDS_PARTED, NULL};
  return slice_among_nocase(word->label, parted);
}

/* Reads the phrase beside the figure's words, bytes [from, to); 0 where they are no words. */
static int phrase_walk(struct phrase_walk *w, size_t from, size_t to) {
  const struct fact_phrases *p = w->p;
  while (w->first < p->count && p->tokens[w->first].to <= from)
    w->first++;
  for (w->behind = w->first; w->behind < p->count && p->tokens[w->behind].from < to;)
    w->behind++;
  if (w->behind == w->first)
    return 0;
  w->from = w->first;
  w->to = w->behind;
  phrase_walk_before(w);
  phrase_walk_behind(w);
  return 1;
}

struct fact_phrase fact_phrase_at(const struct fact_phrases *p, size_t from, size_t to,
                                  const struct concept_word *word) {
  struct phrase_walk w = {.p = p, .kind = FACT_PHRASE_WHOLE, .word = word, .parted = phrase_is_parted(word)};
  if (!phrase_walk(&w, from, to))
    return (struct fact_phrase){FACT_PHRASE_WHOLE, slice_of(p->query.data + from, to - from)};
  enum fact_phrase_kind rest = fact_clause_read(p, word, w.parted, &w.from, &w.to);
  size_t start = p->tokens[w.from].from, end = p->tokens[w.to - 1].to;
  return (struct fact_phrase){rest > w.kind ? rest : w.kind, slice_of(p->query.data + start, end - start)};
}

/* What narrows one figure says nothing of another one in the same clause. */
static void phrase_mark_claimed(struct fact_phrases *p) {
  for (size_t i = 0; i < p->count; i++) {
    size_t taken, from = p->tokens[i].from;
    const struct concept_word *word = fact_phrases_word_at(p, from, &taken);
    struct phrase_walk w = {
        .p = p, .kind = FACT_PHRASE_WHOLE, .word = word, .parted = word && phrase_is_parted(word)};
    if (!word || !phrase_walk(&w, from, from + taken))
      continue;
    for (size_t k = w.from; k < w.to; k++)
      p->tokens[k].kind |= WORD_COVERED;
    i = w.behind - 1;
  }
}

void fact_phrases_read(struct fact_phrases *p, const struct concept_table *table, struct slice query,
                       struct slice plan, struct slice brands) {
  p->query = query;
  p->brands = brands;
  p->table = table;
  fact_words_read(p, plan);
  phrase_mark_claimed(p);
}

/* "How much", and "how did it change": what follows "how" is a figure. */
static int phrase_asks_how_much(const struct fact_phrases *p, size_t i) {
  static const char *const counted[] = {"much", "many", "large", "big", "high", NULL};
  return slice_is_nocase(fact_clause_word(p, i), "how") && i + 1 < p->count &&
         (slice_among_nocase(fact_clause_word(p, i + 1), counted) || p->tokens[i + 1].kind & WORD_AUXILIARY);
}

/* "... in 2024, and why": what follows is another question. */
static int phrase_adds_reason(const struct fact_phrases *p, size_t i) {
  return i > 1 && slice_is_nocase(fact_clause_word(p, i), "and") && i + 1 < p->count &&
         slice_among_nocase(fact_clause_word(p, i + 1), (const char *const[]){"why", "how", NULL});
}

struct slice fact_phrases_unknown(const struct fact_phrases *p) {
  struct slice found = {NULL, 0};
  for (size_t i = 0, end; i < p->count; i = end) {
    size_t last = i;
    int content = !(p->tokens[i].kind & ~(unsigned)(WORD_CHANGES | WORD_SPLITS));
    end = i + 1;
    for (size_t k = end; content && k < p->count && !p->tokens[k].stop; k++) {
      int small = (p->tokens[k].kind & (WORD_INTO | WORD_HEAD)) != 0;
      if (!small && p->tokens[k].kind & ~(unsigned)(WORD_CHANGES | WORD_SPLITS))
        break;
      last = small ? last : k;
      end = k + 1;
    }
    size_t from = p->tokens[i].from, len = p->tokens[last].to - from;
    if (content && len > found.len)
      found = slice_of(p->query.data + from, len);
  }
  return found;
}

int fact_phrases_bare(const struct fact_phrases *p, size_t from, size_t to) {
  static const char *const tells[] = {"why", "how", NULL};
  for (size_t i = 0; i < p->count; i++) {
    const struct fact_phrase_token *t = &p->tokens[i];
    if (phrase_adds_reason(p, i))
      return 1;
    if (slice_among_nocase(fact_clause_word(p, i), tells) && !phrase_asks_how_much(p, i))
      return 0;
    if ((t->to <= from || t->from >= to) &&
        !(t->kind & (WORD_COMPANY | WORD_FRAME | WORD_ENDS | WORD_FIGURE)))
      return 0;
  }
  return p->count > 0;
}
