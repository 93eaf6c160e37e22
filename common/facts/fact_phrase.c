#include "facts/fact_phrase.h"

#include "record/json.h"
#include "tables/company_talk.h"
#include "tables/figure_words.h"

#include <ctype.h>
#include <strings.h>

enum {
  WORD_COMPANY = 1,
  WORD_OWNER = 2, /* ends in a possessive: what follows is its */
  WORD_FRAME = 4,
  WORD_ENDS = 8,
  WORD_AUXILIARY = 16,
  WORD_INTO = 32,
  WORD_HEAD = 64,
  WORD_SPLITS = 128,
  WORD_CHANGES = 256,
  WORD_EXCLUDES = 512,
  WORD_PLACE = 1024,
  WORD_FIGURE = 2048, /* of the words of a figure */
  WORD_TIME = 4096    /* has a digit: a year, a quarter, a count */
};

static const struct {
  const char *const *words;
  unsigned kind;
} word_lists[] = {{(const char *const[]){FIGURE_WORDS_FRAME, NULL}, WORD_FRAME},
                  {(const char *const[]){FIGURE_WORDS_ENDS, NULL}, WORD_ENDS},
                  {(const char *const[]){FIGURE_WORDS_AUXILIARY, NULL}, WORD_AUXILIARY},
                  {(const char *const[]){FIGURE_WORDS_INTO, NULL}, WORD_INTO},
                  {(const char *const[]){FIGURE_WORDS_HEAD, NULL}, WORD_HEAD},
                  {(const char *const[]){FIGURE_WORDS_SPLITS, NULL}, WORD_SPLITS},
                  {(const char *const[]){FIGURE_WORDS_CHANGES, NULL}, WORD_CHANGES},
                  {(const char *const[]){FIGURE_WORDS_EXCLUDES, NULL}, WORD_EXCLUDES},
                  {(const char *const[]){COMPANY_TALK_PLACE, NULL}, WORD_PLACE}};

/* ---- tokens ---- */

static int phrase_is_inner(char c) {
  return isalnum((unsigned char)c) || (unsigned char)c >= 0x80 || c == '&';
}

static struct slice phrase_token_text(const struct fact_phrases *p, size_t i) {
  return slice_of(p->query.data + p->tokens[i].from, p->tokens[i].to - p->tokens[i].from);
}

static unsigned phrase_kind_of(struct slice word) {
  unsigned kind = 0;
  for (size_t i = 0; i < sizeof word_lists / sizeof *word_lists; i++)
    if (slice_among_nocase(word, word_lists[i].words))
      kind |= word_lists[i].kind;
  for (size_t i = 0; i < word.len; i++)
    if (isdigit((unsigned char)word.data[i]))
      kind |= WORD_TIME | WORD_FRAME;
  return kind;
}

/* Splits the question into words.  A hyphen and a slash separate words, an apostrophe is inside. */
static void phrase_tokens(struct fact_phrases *p) {
  struct slice q = p->query;
  int stop = 1;
  for (size_t i = 0; i < q.len && p->count < FACT_PHRASE_TOKENS;) {
    if (!phrase_is_inner(q.data[i])) {
      stop |=
          q.data[i] != ' ' && q.data[i] != '-' && q.data[i] != '\'' && q.data[i] != '"' && q.data[i] != '$';
      i++;
      continue;
    }
    struct fact_phrase_token *t = &p->tokens[p->count++];
    t->from = i;
    t->stop = stop;
    while (i < q.len &&
           (phrase_is_inner(q.data[i]) || ((q.data[i] == '\'' || q.data[i] == '.') && i + 1 < q.len &&
                                           phrase_is_inner(q.data[i + 1]) && q.data[i - 1] != ' ')))
      i++;
    t->to = i;
    struct slice text = phrase_token_text(p, p->count - 1);
    int owner = text.len > 2 && text.data[text.len - 2] == '\'' && tolower(text.data[text.len - 1]) == 's';
    owner |= i < q.len && q.data[i] == '\'';
    t->kind = phrase_kind_of(text) | (owner ? WORD_OWNER : 0);
    stop = 0;
  }
}

/* "US dollars", "tell us": not the country. */
static void phrase_mark_us(struct fact_phrases *p) {
  static const char *const units[] = {"dollar", "dollars", "gaap", "$", NULL}, *const told[] = {"tell",
                                                                                                "give",
                                                                                                "show", NULL};
  for (size_t i = 0; i < p->count; i++) {
    struct slice text = phrase_token_text(p, i);
    int is_us = slice_among_nocase(text, (const char *const[]){"us", "u.s", NULL});
    if (is_us && ((i + 1 < p->count && slice_among_nocase(phrase_token_text(p, i + 1), units)) ||
                  (i && slice_among_nocase(phrase_token_text(p, i - 1), told))))
      p->tokens[i].kind = WORD_FRAME;
    else if (is_us)
      p->tokens[i].kind = WORD_PLACE;
  }
}

/* Marks the tokens inside bytes [from, to). */
static void phrase_mark(struct fact_phrases *p, size_t from, size_t to, unsigned kind) {
  for (size_t i = 0; i < p->count; i++)
    if (p->tokens[i].from < to && p->tokens[i].to > from)
      p->tokens[i].kind |= kind;
}

/* Marks each occurrence of a text, as whole words. */
static void phrase_mark_text(struct fact_phrases *p, struct slice text, unsigned kind) {
  struct slice q = p->query;
  for (size_t i = 0; text.len > 1 && i + text.len <= q.len; i++)
    if ((i == 0 || !isalnum((unsigned char)q.data[i - 1])) &&
        (i + text.len == q.len || !isalnum((unsigned char)q.data[i + text.len])) &&
        strncasecmp(q.data + i, text.data, text.len) == 0)
      phrase_mark(p, i, i + text.len, kind);
}

/* Whether a company is known by a brand alone, which is a part of it: "AWS revenue". */
static int phrase_is_brand(const struct fact_phrases *p, struct slice company) {
  struct slice list = p->brands, line, alias = slice_of(NULL, 0), name = slice_of(NULL, 0);
  struct buf scratch;
  buf_init(&scratch, 1 << 16);
  struct slice matched = json_text(json_get(company, "matched"), &scratch);
  int found = 0;
  while (slice_is(json_get(company, "how"), "\"alias\"") && !found && concept_list_next(&list, '\n', &line)) {
    concept_list_next(&line, '\t', &alias);
    if (concept_list_next(&line, '\t', &name) && concept_same_words(alias, matched))
      found = concept_list_next(&line, '\t', &name) && slice_is(name, "brand");
  }
  buf_release(&scratch);
  return found;
}

/* A plan that doesn't say by which words its company is known: each word of the name is one. */
static void phrase_mark_name(struct fact_phrases *p, struct slice name) {
  struct slice one;
  while (concept_list_next(&name, ' ', &one))
    phrase_mark_text(p, one, WORD_COMPANY);
}

static void phrase_mark_companies(struct fact_phrases *p, struct slice companies) {
  struct json_cursor at = {0};
  struct slice one;
  struct buf scratch;
  buf_init(&scratch, 1 << 16);
  while (json_kind(companies) == '[' && json_next_element(companies, &at, &one)) {
    if (json_kind(json_get(one, "matched")) != '"')
      phrase_mark_name(p, json_text(json_get(one, "name"), &scratch));
    else if (!phrase_is_brand(p, one))
      phrase_mark_text(p, json_text(json_get(one, "matched"), &scratch), WORD_COMPANY);
    phrase_mark_text(p, json_text(json_get(one, "name"), &scratch), WORD_COMPANY);
    phrase_mark_text(p, json_text(json_get(one, "ticker"), &scratch), WORD_COMPANY);
  }
  buf_release(&scratch);
}

static void phrase_mark_figures(struct fact_phrases *p) {
  for (size_t i = 0; i < p->count; i++) {
    size_t taken, from = p->tokens[i].from;
    if (concept_word_at(p->table, slice_of(p->query.data + from, p->query.len - from), &taken))
      phrase_mark(p, from, from + taken, WORD_FIGURE);
  }
}

void fact_phrases_read(struct fact_phrases *p, const struct concept_table *table, struct slice query,
                       struct slice companies, struct slice brands) {
  p->query = query;
  p->brands = brands;
  p->table = table;
  p->count = 0;
  phrase_tokens(p);
  phrase_mark_us(p);
  phrase_mark_companies(p, companies);
  phrase_mark_figures(p);
}

/* ---- the walk ---- */

/* The phrase so far, in tokens. */
struct phrase_walk {
  const struct fact_phrases *p;
  size_t first, behind; /* tokens of the figure's words */
  size_t from, to;      /* of the phrase */
  int parted;           /* the figure is reported by part */
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
  for (; i < w->p->count && !t[i].stop; i++) {
    if (t[i].kind & (WORD_COMPANY | WORD_FIGURE | WORD_TIME))
      return;
    if (t[i].kind & (WORD_FRAME | WORD_ENDS))
      continue;
    phrase_take(w, i, w->parted && !(t[i].kind & WORD_CHANGES) ? FACT_PHRASE_PART : FACT_PHRASE_OTHER);
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
  return next && slice_among_nocase(phrase_token_text(w->p, i), net) &&
         slice_among_nocase(phrase_token_text(w->p, i + 1), of);
}

/* "per share" and "a share" are formulas of their own (fact_plan.c). */
static int phrase_is_per_share(const struct phrase_walk *w, size_t i) {
  static const char *const share[] = {"share", "diluted", NULL};
  return slice_is_nocase(phrase_token_text(w->p, i), "per") && i + 1 < w->p->count &&
         slice_among_nocase(phrase_token_text(w->p, i + 1), share);
}

/* "per quarter" names a period. */
static int phrase_is_per_period(const struct phrase_walk *w, size_t i) {
  static const char *const periods[] = {"quarter", "year", "half", "month", NULL};
  return slice_is_nocase(phrase_token_text(w->p, i), "per") && i + 1 < w->p->count &&
         slice_among_nocase(phrase_token_text(w->p, i + 1), periods);
}

/* The words behind the figure's; beside it a noun makes another thing of it. */
static void phrase_walk_behind(struct phrase_walk *w) {
  const struct fact_phrase_token *t = w->p->tokens;
  int beside = 1;
  for (size_t i = w->behind; i < w->p->count && !t[i].stop; i++) {
    unsigned kind = t[i].kind;
    if (phrase_is_per_share(w, i) || phrase_is_per_period(w, i))
      return;
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
    } else if (kind & (WORD_PLACE | WORD_SPLITS)) {
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

struct fact_phrase fact_phrase_at(const struct fact_phrases *p, size_t from, size_t to,
                                  const struct concept_word *word) {
  struct phrase_walk w = {.p = p, .kind = FACT_PHRASE_WHOLE, .parted = phrase_is_parted(word)};
  while (w.first < p->count && p->tokens[w.first].to <= from)
    w.first++;
  for (w.behind = w.first; w.behind < p->count && p->tokens[w.behind].from < to;)
    w.behind++;
  if (w.behind == w.first)
    return (struct fact_phrase){FACT_PHRASE_WHOLE, slice_of(p->query.data + from, to - from)};
  w.from = w.first;
  w.to = w.behind;
  phrase_walk_before(&w);
  phrase_walk_behind(&w);
  size_t start = p->tokens[w.from].from, end = p->tokens[w.to - 1].to;
  return (struct fact_phrase){w.kind, slice_of(p->query.data + start, end - start)};
}

/* "How much", and "how did it change": what follows "how" is a figure. */
static int phrase_asks_how_much(const struct fact_phrases *p, size_t i) {
  static const char *const counted[] = {"much", "many", "large", "big", "high", NULL};
  return slice_is_nocase(phrase_token_text(p, i), "how") && i + 1 < p->count &&
         (slice_among_nocase(phrase_token_text(p, i + 1), counted) || p->tokens[i + 1].kind & WORD_AUXILIARY);
}

/* "... in 2024, and why": what follows is another question. */
static int phrase_adds_reason(const struct fact_phrases *p, size_t i) {
  return i > 1 && slice_is_nocase(phrase_token_text(p, i), "and") && i + 1 < p->count &&
         slice_among_nocase(phrase_token_text(p, i + 1), (const char *const[]){"why", "how", NULL});
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
    if (slice_among_nocase(phrase_token_text(p, i), tells) && !phrase_asks_how_much(p, i))
      return 0;
    if ((t->to <= from || t->from >= to) &&
        !(t->kind & (WORD_COMPANY | WORD_FRAME | WORD_ENDS | WORD_FIGURE)))
      return 0;
  }
  return p->count > 0;
}
