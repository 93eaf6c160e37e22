/* rank_answer.c: whether the question is answered here at all: the features of rank_features.h that say so.
 *
 * In this order: whether a passage is about the company asked about, the places that the question names, the measures that it
 * asks for, and the features that these give. */
#include "search/rank_internal.h"

#include "base/day.h"
#include "tables/places.h"
#include "tables/stems.h"
#include "text/number_words.h"

#include <math.h>
#include <stdlib.h>

/* ---- the company ---- */

/* A company that the store lacks may be mentioned as a competitor, customer or lender, and its revenue may be asked
 * for in words that every filing contains.  So a name counts by where it occurs: almost every document of a company
 * names that company and its products throughout; a passage may answer a question about a person or place that only
 * it names; a document without the name belongs to somebody else. */

/* Where a name of the question occurs, ordered by how strongly it supports a passage. */
enum rank_standing {
  RANK_NOWHERE,    /* not in the passage's document */
  RANK_AWAY,       /* in other passages of the document */
  RANK_HERE,       /* in this passage and few others */
  RANK_THROUGHOUT, /* the document is about it */
};

#define THROUGHOUT 3         /* minimum passages of a document that name its subject, */
#define THROUGHOUT_PART 100U /* and minimum share, one in this many */
#define COMMON_PART 50       /* of all passages: a more frequent word doesn't identify a company */
#define LONG_NAME 3          /* words, of the distinctive ones */
#define SHORT_DOCUMENT 20U   /* passages */

static enum rank_standing standing_of(uint64_t term, const struct rank_place *at) {
  const struct store_doc *d = &at->seg->doc[at->doc];
  int here;
  uint32_t count = store_postings_count(at->seg, term, d->first, d->first + d->rows, at->row, &here);
  if ((count >= THROUGHOUT && count * THROUGHOUT_PART >= d->rows) || (here && d->rows < SHORT_DOCUMENT))
    return RANK_THROUGHOUT;
  return here ? RANK_HERE : count > 0 ? RANK_AWAY : RANK_NOWHERE;
}

/* All words of a name must occur, or all but one of three or more, since long names have several spellings. */
static enum rank_standing stands(const struct rank_names *n, size_t name, const struct rank_place *at) {
  size_t first = n->first[name], end = n->first[name + 1];
  enum rank_standing worst = RANK_THROUGHOUT, next = RANK_THROUGHOUT;
  for (size_t i = first; i < end; i++) {
    enum rank_standing s = standing_of(n->term[i], at);
    next = s < worst ? worst : s < next ? s : next;
    worst = s < worst ? s : worst;
  }
  return end - first < LONG_NAME ? worst : next;
}

/* The minimum over the names in capitals (upper), or over the others. */
static enum rank_standing rank_names_standing(const struct rank_names *n, const struct rank_place *at,
                                              int upper) {
  enum rank_standing worst = RANK_THROUGHOUT;
  int ownerless = at->seg->doc[at->doc].company == 0;
  for (size_t i = 0; i < n->count; i++) {
    if (n->upper[i] != upper)
      continue;
    enum rank_standing s = !ownerless ? stands(n, i, at) : n->absent[i] ? RANK_AWAY : RANK_THROUGHOUT;
    worst = s < worst ? s : worst;
  }
  return worst;
}

/* Whether the document contains a word of a name that is not in capitals, or there is no such name. */
static int rank_names_held(const struct rank_names *n, const struct rank_place *at) {
  size_t words = 0;
  int ownerless = at->seg->doc[at->doc].company == 0;
  for (size_t i = 0; i < n->count; i++)
    for (size_t k = n->first[i]; !n->upper[i] && k < n->first[i + 1]; k++, words++)
      if (standing_of(n->term[k], at) > RANK_NOWHERE || (ownerless && !n->absent[i]))
        return 1;
  return words == 0;
}

/* Number of live passages with the term, and of all live passages. */
static uint64_t count_passages(const struct rank_scope *scope, uint64_t term, uint64_t *all) {
  uint64_t count = *all = 0;
  for (size_t s = 0; s < scope->seg_count; s++) {
    count += store_df(&scope->segs[s], term);
    *all += scope->segs[s].live_rows;
  }
  return count;
}

/* Adds a name's words, except those that many passages contain: "Depot" in "Home Depot". */
static void rank_companies_add_name(struct rank_names *n, const struct query *q,
                                    const struct query_name *name, const struct rank_scope *scope) {
  size_t first = n->first[n->count], terms = first;
  n->absent[n->count] = 0;
  n->upper[n->count] = 1;
  for (size_t i = 0; i < name->count && terms < RANK_NAME_TERMS; i++) {
    const struct query_token *t = &q->tokens[name->first + i];
    uint64_t all, hash = terms_hash(slice_of(q->own.data + t->stem, t->stem_len));
    uint64_t count = count_passages(scope, hash, &all);
    if (count * COMMON_PART > all)
      continue;
    n->term[terms++] = hash;
    n->absent[n->count] |= count == 0;
    n->upper[n->count] &= t->upper;
  }
  if (terms > first)
    n->first[++n->count] = terms;
}

void rank_names_begin(struct rank_names *n, const struct query *q, const struct rank_scope *scope) {
  struct query_name names[RANK_NAMES];
  size_t found = query_find_names(q, names, RANK_NAMES);
  n->count = n->first[0] = 0;
  for (size_t i = 0; i < found; i++)
    rank_companies_add_name(n, q, &names[i], scope);
}

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

#define NOUN_WITHIN 4    /* tokens between "how many" and what is counted */
#define NUMBER_BESIDE 4  /* words between a number and what it counts */
#define TYPICAL_BESIDE 8 /* words between "average" and what is averaged */

static const char *const measured[] = {STEMS_MEASURED, NULL};
static const char *const stated[] = {STEMS_STATED, NULL};
static const char *const counted[] = {STEMS_COUNTED, NULL};
static const char *const typical[] = {STEMS_TYPICAL, NULL};
static const char *const months[] = {STEMS_MONTH, NULL};

/* ---- measures of the question ---- */

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

/* ---- measures that a passage states ---- */

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

/* ---- the features ---- */

#define BEST 10  /* candidates among which a name is searched */
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
      year = larger(year, larger(larger(f->year_same, f->year_next), f->years));
  }
  out->year_missing = q->year_count > 0 ? 1 - year : 0;
  int beyond = q->year_count > 0 && newest > 0 && q->years[q->year_count - 1] >= newest + BEYOND;
  out->year_beyond = beyond || (q->quarters != 0 && out->year_missing >= 1);
}

/* The strongest standing of the names in any candidate. */
static enum rank_standing best_standing(const struct rank_names *names, struct rank_candidate *const *order,
                                        size_t read, int upper) {
  enum rank_standing best = RANK_NOWHERE;
  for (size_t i = 0; i < read && i < BEST; i++) {
    enum rank_standing s = rank_names_standing(names, &order[i]->hit.at, upper);
    best = s > best ? s : best;
  }
  return best;
}

static void answer_names(const struct rank_asking *a, const struct rank_names *names,
                         struct rank_candidate *const *order, size_t read, struct rank_answer_features *out) {
  if (names->count == 0)
    return;
  enum rank_standing best = best_standing(names, order, read, 0),
                     upper = best_standing(names, order, read, 1);
  out->name_found = best >= RANK_HERE && upper >= RANK_HERE;
  if (a->narrowed)
    return;
  int held = 0;
  for (size_t i = 0; i < read && i < BEST; i++)
    held |= rank_names_held(names, &order[i]->hit.at);
  out->name_nowhere = (float)!held;
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

void rank_answer_describe(const struct rank_asking *a, const struct rank_names *names,
                          struct rank_candidate *const *order, size_t read,
                          struct rank_answer_features *out) {
  float expansion = 0;
  memset(out, 0, sizeof *out);
  if (read == 0)
    return;
  answer_highest(order, read, out, &expansion);
  out->narrowed = a->narrowed && (out->coverage > 0 || expansion > 0);
  answer_question(a, order, read, out);
  answer_names(a, names, order, read, out);
  out->unstated = fminf((float)a->unstated, UNSTATED);
  out->outside = (float)is_outside(a->q, order, read);
  out->place_nowhere = (float)rank_places_absent(a->q, a->frequency);
}
