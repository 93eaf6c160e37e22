#include "search/rank_measures.h"

#include "tables/stems.h"
#include "text/number_words.h"

#include <stdlib.h>

#define NOUN_WITHIN 4    /* tokens between "how many" and what is counted */
#define NUMBER_BESIDE 4  /* words between a number and what it counts */
#define TYPICAL_BESIDE 8 /* words between "average" and what is averaged */

static const char *const measured[] = {STEMS_MEASURED, NULL};
static const char *const stated[] = {STEMS_STATED, NULL};
static const char *const counted[] = {STEMS_COUNTED, NULL};
static const char *const typical[] = {STEMS_TYPICAL, NULL};
static const char *const months[] = {STEMS_MONTH, NULL};

/* ---- the question ---- */

static struct slice measure_stem(const struct query *q, size_t i) {
  return slice_of(q->own.data + q->tokens[i].stem, q->tokens[i].stem_len);
}

/* A word that filings put otherwise is none: the passage has another one in its place. */
static int is_noun(const struct query *q, size_t i) {
  int kind = q->tokens[i].kind;
  struct slice stem = measure_stem(q, i);
  return kind != QUERY_STOP && kind != QUERY_ROUTED && kind != QUERY_YEAR && kind != QUERY_EVERYDAY &&
         stem.data[0] > '9' && !slice_among_nocase(stem, months);
}

static struct rank_measure *add_measure(struct rank_measures *m, enum rank_measure_kind kind) {
  if (m->count == RANK_MEASURES)
    return NULL;
  m->of[m->count] = (struct rank_measure){.kind = kind};
  return &m->of[m->count++];
}

/* "by city", "per seat", "in each of the states": tokens[i] is the first of these words. */
static void find_split(struct rank_measures *m, const struct query *q, size_t i) {
  static const char *const articles[] = {"the", "its", "their", "of", NULL};
  size_t noun = i + 1;
  while (noun < q->token_count && slice_among_nocase(measure_stem(q, noun), articles))
    noun++;
  struct rank_measure *one =
      noun < q->token_count && is_noun(q, noun) ? add_measure(m, RANK_MEASURE_SPLIT) : NULL;
  if (one != NULL)
    one->noun[0] = terms_hash(measure_stem(q, noun));
}

/* "how many delivery trucks", "number of seats": either word of what is counted will do, but none that
 * filings put otherwise. */
static void find_count(struct rank_measures *m, const struct query *q, size_t i) {
  struct rank_measure one = {.kind = RANK_MEASURE_COUNT};
  size_t found = 0;
  for (size_t k = i + 1; k < q->token_count && k <= i + NOUN_WITHIN && found < 2; k++) {
    if (q->tokens[k].kind == QUERY_EVERYDAY)
      return;
    if (is_noun(q, k) && q->tokens[k].kind != QUERY_LIGHT && q->tokens[k].kind != QUERY_FILLER)
      one.noun[found++] = terms_hash(measure_stem(q, k));
    else if (found > 0)
      break;
  }
  struct rank_measure *added = found > 0 ? add_measure(m, RANK_MEASURE_COUNT) : NULL;
  if (added != NULL)
    *added = one;
}

static void find_typical(struct rank_measures *m, const struct query *q, size_t i) {
  struct rank_measure *one = add_measure(m, RANK_MEASURE_TYPICAL);
  if (one != NULL)
    one->noun[0] = terms_hash(measure_stem(q, i));
}

static int stop_at(const struct query *q, size_t i, const char *word) {
  return i < q->token_count && slice_is(measure_stem(q, i), word);
}

void rank_measures_find(struct rank_measures *m, const struct query *q) {
  m->count = m->own_count = 0;
  for (size_t i = 0; i < q->token_count; i++) {
    struct slice stem = measure_stem(q, i);
    if (slice_among_nocase(stem, measured))
      find_split(m, q, i);
    else if (slice_among_nocase(stem, counted) &&
             (stop_at(q, i + 1, "of") || (i > 0 && stop_at(q, i - 1, "how"))))
      find_count(m, q, i);
    else if (slice_among_nocase(stem, typical))
      find_typical(m, q, i);
  }
  for (size_t i = 0; m->count > 0 && i < q->term_count; i++)
    if (q->terms[i].kind == QUERY_WORD || q->terms[i].kind == QUERY_EVERYDAY)
      m->own[m->own_count++] = terms_hash(q->terms[i].text);
}

/* ---- a passage ---- */

#define NEVER UINT32_MAX

struct looking {
  struct rank_measures *m;
  uint32_t number, own, noun[RANK_MEASURES]; /* where the last ones stand; NEVER: not yet */
  uint32_t before;                           /* where the last word stands that a split follows */
};

static int within(uint32_t a, uint32_t b, uint32_t words) {
  return a != NEVER && b != NEVER && (a > b ? a - b : b - a) <= words;
}

static int is_asked_word(const struct rank_measures *m, uint64_t hash) {
  for (size_t i = 0; i < m->own_count; i++)
    if (m->own[i] == hash)
      return 1;
  return 0;
}

static void look_at(struct looking *l, size_t i, const struct term *t) {
  struct rank_measure *one = &l->m->of[i];
  int noun = t->hash != 0 && (t->hash == one->noun[0] || t->hash == one->noun[1]);
  if (noun)
    l->noun[i] = t->position;
  if (one->kind == RANK_MEASURE_SPLIT)
    one->stated |= noun && l->before != NEVER && l->before + 1 == t->position;
  else if (one->kind == RANK_MEASURE_COUNT)
    one->stated |= within(l->number, l->noun[i], NUMBER_BESIDE);
  else
    one->stated |= within(l->own, l->noun[i], TYPICAL_BESIDE);
}

static void look_at_term(void *arg, const struct term *t) {
  struct looking *l = arg;
  if (t->kind == TERM_NUMBER || number_words_cardinal(t->text))
    l->number = t->position;
  if (t->hash != 0 && is_asked_word(l->m, t->hash) && !slice_among_nocase(t->text, typical))
    l->own = t->position;
  for (size_t i = 0; i < l->m->count; i++)
    look_at(l, i, t);
  if (slice_among_nocase(t->text, measured) || slice_among_nocase(t->text, stated))
    l->before = t->position;
}

void rank_measures_look(struct rank_measures *m, struct terms *terms, struct slice text) {
  struct looking l = {.m = m, .number = NEVER, .own = NEVER, .before = NEVER};
  for (size_t i = 0; i < m->count; i++)
    l.noun[i] = NEVER;
  if (rank_measures_missing(m) > 0)
    terms_scan(terms, text, TERMS_STOPS, look_at_term, &l);
}

size_t rank_measures_missing(const struct rank_measures *m) {
  size_t missing = 0;
  for (size_t i = 0; i < m->count; i++)
    missing += !m->of[i].stated;
  return missing;
}
