#include "facts/fact_words.h"

#include "facts/fact_choose.h"
#include "facts/fact_clause.h"
#include "record/json.h"
#include "tables/company_talk.h"
#include "tables/figure_words.h"

#include <ctype.h>
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

void fact_words_read(struct fact_phrases *p, struct slice plan) {
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
