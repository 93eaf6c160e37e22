/* fact_phrase.c: splits a question into words, says of what kind each is, and reads the phrase and the clause around a
 * figure (fact_phrase.h). */
#include "facts/fact_phrase.h"

#include "facts/fact_choose.h"
#include "record/json.h"
#include "tables/company_talk.h"
#include "tables/figure_words.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

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
                  {(const char *const[]){FIGURE_WORDS_COVERED, NULL}, WORD_COVERED},
                  {(const char *const[]){COMPANY_TALK_PLACE, NULL}, WORD_PLACE}};

/* ---- tokens ---- */

static int words_is_inner(char c) {
  return isalnum((unsigned char)c) || (unsigned char)c >= 0x80 || c == '&';
}

static unsigned words_kind_of(struct slice word) {
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
static void words_tokens(struct fact_phrases *p) {
  struct slice q = p->query;
  int stop = 1;
  for (size_t i = 0; i < q.len && p->count < FACT_PHRASE_TOKENS;) {
    if (!words_is_inner(q.data[i])) {
      stop |=
          q.data[i] != ' ' && q.data[i] != '-' && q.data[i] != '\'' && q.data[i] != '"' && q.data[i] != '$';
      i++;
      continue;
    }
    struct fact_phrase_token *t = &p->tokens[p->count++];
    t->from = i;
    t->stop = stop;
    while (i < q.len &&
           (words_is_inner(q.data[i]) || ((q.data[i] == '\'' || q.data[i] == '.') && i + 1 < q.len &&
                                          words_is_inner(q.data[i + 1]) && q.data[i - 1] != ' ')))
      i++;
    t->to = i;
    struct slice text = fact_clause_word(p, p->count - 1);
    int owner = text.len > 2 && text.data[text.len - 2] == '\'' && tolower(text.data[text.len - 1]) == 's';
    owner |= i < q.len && q.data[i] == '\'';
    t->kind = words_kind_of(text) | (owner ? WORD_OWNER : 0);
    stop = 0;
  }
}

/* "US dollars", "tell us": not the country. */
static void words_mark_us(struct fact_phrases *p) {
  static const char *const units[] = {"dollar", "dollars", "gaap", "$", NULL}, *const told[] = {"tell",
                                                                                                "give",
                                                                                                "show", NULL};
  for (size_t i = 0; i < p->count; i++) {
    struct slice text = fact_clause_word(p, i);
    int is_us = slice_among_nocase(text, (const char *const[]){"us", "u.s", NULL});
    if (is_us && ((i + 1 < p->count && slice_among_nocase(fact_clause_word(p, i + 1), units)) ||
                  (i && slice_among_nocase(fact_clause_word(p, i - 1), told))))
      p->tokens[i].kind = WORD_FRAME;
    else if (is_us)
      p->tokens[i].kind = WORD_PLACE;
  }
}

/* Marks the tokens inside bytes [from, to). */
static void words_mark(struct fact_phrases *p, size_t from, size_t to, unsigned kind) {
  for (size_t i = 0; i < p->count; i++)
    if (p->tokens[i].from < to && p->tokens[i].to > from)
      p->tokens[i].kind |= kind;
}

/* Marks each occurrence of a text, as whole words. */
static void words_mark_text(struct fact_phrases *p, struct slice text, unsigned kind) {
  struct slice q = p->query;
  for (size_t i = 0; text.len > 1 && i + text.len <= q.len; i++)
    if ((i == 0 || !isalnum((unsigned char)q.data[i - 1])) &&
        (i + text.len == q.len || !isalnum((unsigned char)q.data[i + text.len])) &&
        strncasecmp(q.data + i, text.data, text.len) == 0)
      words_mark(p, i, i + text.len, kind);
}

/* Whether a company is known by a brand alone, which is a part of it: "AWS revenue", or by a person, who isn't the company. */
static int words_is_brand(const struct fact_phrases *p, struct slice company) {
  struct slice list = p->brands, line, alias = slice_of(NULL, 0), name = slice_of(NULL, 0);
  struct buf scratch;
  buf_init(&scratch, 1 << 16);
  struct slice matched = json_text(json_get(company, "matched"), &scratch);
  int found = 0;
  while (slice_is(json_get(company, "how"), "\"alias\"") && !found && concept_list_next(&list, '\n', &line)) {
    concept_list_next(&line, '\t', &alias);
    if (concept_list_next(&line, '\t', &name) && concept_same_words(alias, matched))
      found = concept_list_next(&line, '\t', &name) && (slice_is(name, "brand") || slice_is(name, "person"));
  }
  buf_release(&scratch);
  return found;
}

/* A plan that doesn't say by which words its company is known: each word of the name is one. */
static void words_mark_name(struct fact_phrases *p, struct slice name) {
  struct slice one;
  while (concept_list_next(&name, ' ', &one))
    words_mark_text(p, one, WORD_COMPANY);
}

static void words_mark_companies(struct fact_phrases *p, struct slice companies) {
  struct json_cursor at = {0};
  struct slice one;
  struct buf scratch;
  buf_init(&scratch, 1 << 16);
  while (json_kind(companies) == '[' && json_next_element(companies, &at, &one)) {
    p->company_count++;
    if (json_kind(json_get(one, "matched")) != '"')
      words_mark_name(p, json_text(json_get(one, "name"), &scratch));
    else if (!words_is_brand(p, one))
      words_mark_text(p, json_text(json_get(one, "matched"), &scratch), WORD_COMPANY);
    words_mark_text(p, json_text(json_get(one, "name"), &scratch), WORD_COMPANY);
    words_mark_text(p, json_text(json_get(one, "ticker"), &scratch), WORD_COMPANY);
  }
  buf_release(&scratch);
}

const struct concept_word *fact_phrases_word_at(const struct fact_phrases *p, size_t at, size_t *taken) {
  static const struct { const char *name, *label; } paid[] = {FIGURE_WORDS_PAID_NOUN};
  struct slice rest = slice_of(p->query.data + at, p->query.len - at);
  const struct concept_word *w = concept_word_at(p->table, rest, taken);
  for (size_t i = 0; i < sizeof paid / sizeof *paid && p->paid && !w; i++) {
    *taken = strlen(paid[i].name);
    if (rest.len >= *taken && slice_is_nocase(slice_of(rest.data, *taken), paid[i].name) &&
        (rest.len == *taken || !words_is_inner(rest.data[*taken])))
      w = concept_word_find(p->table, slice_str(paid[i].label));
  }
  return w;
}

static void words_mark_figures(struct fact_phrases *p) {
  for (size_t i = 0; i < p->count; i++) {
    size_t taken, from = p->tokens[i].from;
    if (fact_phrases_word_at(p, from, &taken))
      words_mark(p, from, from + taken, WORD_FIGURE);
  }
}

/* The words that relate a figure to another one, to an amount or to a currency. */
static void words_mark_relations(struct fact_phrases *p) {
  static const char *const relations[] = {
      FIGURE_WORDS_PART,   FIGURE_WORDS_SHARE, FIGURE_WORDS_TRAILING, FIGURE_WORDS_EACH_QUARTER,
      FIGURE_WORDS_GROWTH, FIGURE_WORDS_WHEN,  FIGURE_WORDS_OVER,     FIGURE_WORDS_UNDER};
  static const struct { const char *name, *code; } currencies[] = {FIGURE_WORDS_CURRENCY};
  struct fact_choose choose = fact_choose_read(p->query);
  for (size_t i = 0; i < sizeof relations / sizeof *relations; i++)
    words_mark_text(p, slice_str(relations[i]), WORD_COVERED);
  for (size_t i = 0; i < sizeof currencies / sizeof *currencies; i++)
    words_mark_text(p, slice_str(currencies[i].name), WORD_FRAME);
  words_mark_text(p, choose.since, WORD_COVERED);
  p->asks_when = choose.kind != FACT_CHOOSE_NEWEST;
}

static void words_mark_paid(struct fact_phrases *p) {
  static const char *const paid[] = {FIGURE_WORDS_PAID, NULL};
  for (size_t i = 0; i < p->count; i++)
    p->paid |= slice_among_nocase(fact_clause_word(p, i), paid);
}

/* Whether one of the companies has this CIK (JSON). */
static int words_has_cik(struct slice companies, struct slice cik) {
  struct json_cursor at = {0};
  struct slice one;
  while (json_kind(companies) == '[' && json_next_element(companies, &at, &one))
    if (cik.len && slice_eq(json_get(one, "cik"), cik))
      return 1;
  return 0;
}

/* The words by which the question names a company that the caller gave. */
static void words_mark_given(struct fact_phrases *p, struct slice companies, struct slice others) {
  struct json_cursor at = {0};
  struct slice one;
  struct buf scratch;
  buf_init(&scratch, 1 << 16);
  while (json_kind(others) == '[' && json_next_element(others, &at, &one))
    if (words_has_cik(companies, json_get(one, "cik")) && !words_is_brand(p, one))
      words_mark_text(p, json_text(json_get(one, "matched"), &scratch), WORD_COMPANY);
  buf_release(&scratch);
}

/* Fills the words of p, whose query, brands and table are set; plan is that of bid-plan(1), JSON. */
static void fact_words_read(struct fact_phrases *p, struct slice plan) {
  struct slice companies = json_get(plan, "companies");
  p->count = p->company_count = 0;
  p->paid = 0;
  words_tokens(p);
  words_mark_us(p);
  words_mark_companies(p, companies);
  words_mark_given(p, companies, json_get(plan, "others"));
  words_mark_paid(p);
  words_mark_figures(p);
  words_mark_relations(p);
}

int fact_phrases_have_year(const struct fact_phrases *p) {
  for (size_t i = 0; i < p->count; i++) {
    struct slice word = fact_clause_word(p, i);
    if (word.len == 4 && (memcmp(word.data, "19", 2) == 0 || memcmp(word.data, "20", 2) == 0) &&
        isdigit((unsigned char)word.data[2]) && isdigit((unsigned char)word.data[3]))
      return 1;
  }
  return 0;
}

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

/* "Its best year": with one company, a superlative asks for another thing than a figure of a period. */
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

/* "The year the plant opened", "the time of the merger": whether word i is the span of time of something. */
static int fact_clause_is_occasion(const struct fact_phrases *p, size_t i) {
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

/* "Interest on the debt" asks for a part of the interest, and not for the debt. */
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

/* Marks what narrows one figure: it says nothing of another one in the same clause. */
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
