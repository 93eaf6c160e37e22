/* rank_answer.c: whether the question is answered here at all: the features of rank_features.h that say so.
 *
 * In this order: the places that the question names, the measures that it asks for, and the features that these give. */
#include "search/rank_internal.h"

#include "base/day.h"
#include "tables/places.h"
#include "tables/stems.h"

#include <math.h>
#include <stdlib.h>

/* ---- places ---- */

/* Countries and states that the question names and the documents that are searched, its company's, do not.
 *
 * A place has no everyday word beside its name, as other things have.  So a question about Norway is not answered
 * where Norway stands nowhere.  Regions are left out: filings call them by several names (APAC, Asia Pacific, EEA).
 */

#define PLACE_WORDS 4
#define PLACE_BYTES 64
#define PLACE_SHORTEST 4 /* letters; "us" is a pronoun, and "UK" stands as "U.K." */

static struct slice token_text(const struct query *q, const struct query_token *t) {
  return slice_of(q->text.data + t->start, t->end - t->start);
}

/* The number of words of the longest name of a place that begins with token i; 0: none. */
static size_t place_words(const struct query *q, size_t i) {
  static const char *const places[] = {PLACES_COUNTRY, PLACES_STATE, NULL};
  char name[PLACE_BYTES];
  size_t len = 0, found = 0;
  for (size_t n = 0; n < PLACE_WORDS && i + n < q->token_count; n++) {
    const struct query_token *t = &q->tokens[i + n];
    struct slice word = token_text(q, t);
    if (t->kind == QUERY_ROUTED || len + word.len + 2 > sizeof name)
      break;
    if (n > 0)
      name[len++] = ' ';
    memcpy(name + len, word.data, word.len);
    len += word.len;
    if (len >= PLACE_SHORTEST && slice_among_nocase(slice_of(name, len), places))
      found = n + 1;
  }
  return found;
}

/* Whether a word of these tokens stands in a passage that passes. */
static int any_stands(const struct query *q, const uint64_t *frequency, size_t first, size_t count) {
  for (size_t i = first; i < first + count; i++) {
    struct slice stem = slice_of(q->own.data + q->tokens[i].stem, q->tokens[i].stem_len);
    for (size_t k = 0; k < q->term_count; k++)
      if (frequency[k] > 0 && slice_eq(q->terms[k].text, stem))
        return 1;
  }
  return 0;
}

/* Whether a country or state that the question names is in no row that passes; frequency: as in rank_text. */
static int rank_places_absent(const struct query *q, const uint64_t *frequency) {
  for (size_t i = 0, n; i<q->token_count; i += n> 0 ? n : 1) {
    n = place_words(q, i);
    if (n > 0 && !any_stands(q, frequency, i, n))
      return 1;
  }
  return 0;
}

/* ---- measures ---- */

static struct slice measure_stem(const struct query *q, size_t i) {
  return slice_of(q->own.data + q->tokens[i].stem, q->tokens[i].stem_len);
}

/* A word that filings put otherwise is none: the passage has another one in its place. */
static int is_noun(const struct query *q, size_t i) {
  static const char *const months[] = {STEMS_MONTH, NULL};
  int kind = q->tokens[i].kind;
  struct slice stem = measure_stem(q, i);
  return kind != QUERY_STOP && kind != QUERY_ROUTED && kind != QUERY_YEAR && kind != QUERY_EVERYDAY &&
         stem.data[0] > '9' && !slice_among_nocase(stem, months);
}

void rank_measures_find(struct rank_measures *m, const struct query *q) {
  static const char *const measured[] = {STEMS_MEASURED, NULL};
  static const char *const articles[] = {"the", "its", "their", "of", NULL};
  m->count = 0;
  for (size_t i = 0; i < q->token_count && m->count < RANK_MEASURES; i++) {
    if (!slice_among_nocase(measure_stem(q, i), measured))
      continue;
    size_t noun = i + 1;
    while (noun < q->token_count && slice_among_nocase(measure_stem(q, noun), articles))
      noun++;
    if (noun < q->token_count && is_noun(q, noun))
      m->of[m->count++] = (struct rank_measure){terms_hash(measure_stem(q, noun)), 0};
  }
}

struct looking {
  struct rank_measures *m;
  uint32_t next; /* the position behind a word that a measure follows */
};

static void look_at_term(void *arg, const struct term *t) {
  static const char *const before[] = {STEMS_MEASURED, STEMS_STATED, NULL};
  struct looking *l = arg;
  for (size_t i = 0; i < l->m->count; i++)
    l->m->of[i].stated |= t->hash == l->m->of[i].noun && t->position == l->next;
  if (slice_among_nocase(t->text, before))
    l->next = t->position + 1;
}

void rank_measures_look(struct rank_measures *m, struct terms *terms, struct slice text) {
  struct looking l = {m, 0};
  if (rank_measures_missing(m) > 0)
    terms_scan(terms, text, TERMS_STOPS, look_at_term, &l);
}

size_t rank_measures_missing(const struct rank_measures *m) {
  size_t missing = 0;
  for (size_t i = 0; i < m->count; i++)
    missing += !m->of[i].stated;
  return missing;
}

/* ---- the features ---- */

#define FIRST 5  /* candidates checked for a year: further down, a maturity date would match */
#define BEYOND 2 /* years */
#define WHOLE 0.99F
#define UNSTATED 2.0F /* measures: more say no more */

static float larger(float a, float b) {
  return a > b ? a : b;
}

static void answer_highest(struct rank_candidate *const *order, size_t read, struct rank_answer_features *out,
                           float *expansion) {
  for (size_t i = 0; i < read; i++) {
    const struct rank_features *f = &order[i]->hit.f;
    out->cosine = larger(out->cosine, order[i]->hit.cosine);
    out->coverage = larger(out->coverage, f->coverage);
    out->whole = larger(out->whole, f->near > WHOLE);
    *expansion = larger(*expansion, f->expansion);
  }
  out->best = order[0]->hit.sum;
}

static void answer_question(const struct rank_asking *a, struct rank_candidate *const *order, size_t read,
                            struct rank_answer_features *out) {
  const struct query *q = a->q;
  float year = 0;
  int newest = a->newest != STORE_NO_DAY ? day_year(a->newest) : 0;
  for (size_t i = 0; i < read && i < FIRST; i++) {
    const struct rank_features *f = &order[i]->hit.f;
    const struct rank_place *at = &order[i]->hit.at;
    int quarter = at->seg->doc[at->doc].fiscal_period;
    if (q->quarters == 0 || quarter < 1 || quarter > 4 || f->quarter_same > 0) /* not for another quarter */
      year = larger(year, larger(f->year_same, f->years));
  }
  out->year_missing = q->year_count > 0 ? 1 - year : 0;
  int beyond = q->year_count > 0 && newest > 0 && q->years[q->year_count - 1] >= newest + BEYOND;
  out->year_beyond = beyond || (q->quarters != 0 && out->year_missing >= 1);
}

/* Whether the question asks for something that filings rarely mention and the best few passages don't mention
 * either. */
static int is_outside(const struct query *q, struct rank_candidate *const *order, size_t read) {
  int outside = 0;
  for (size_t i = 0; i < q->phrase_count; i++)
    outside |= q->phrases[i].outside;
  for (size_t i = 0; outside && i < read && i < FIRST; i++)
    outside = !order[i]->reading->outside;
  return outside;
}

void rank_answer_describe(const struct rank_asking *a, struct rank_candidate *const *order, size_t read,
                          struct rank_answer_features *out) {
  float expansion = 0;
  memset(out, 0, sizeof *out);
  if (read == 0)
    return;
  answer_highest(order, read, out, &expansion);
  out->narrowed = a->narrowed && (out->coverage > 0 || expansion > 0);
  answer_question(a, order, read, out);
  out->unstated = fminf((float)a->unstated, UNSTATED);
  out->outside = (float)is_outside(a->q, order, read);
  out->place_nowhere = (float)rank_places_absent(a->q, a->frequency);
}
