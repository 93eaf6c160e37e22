/* rank_passages.c: a passage as a sequence of terms, and the features that need its text: phrases, proximity, table lines,
 * near-duplicates. */
#include "record/json.h"
#include "search/rank_internal.h"
#include "tables/stems.h"

#include <stdlib.h>
#include <string.h>

/* ---- a passage's terms ---- */

struct rank_opener {
  struct terms *terms;
  struct store_text text;
  struct rank_words *last; /* being built: at most RANK_READ_TERMS of context and of text, and one more */
};

struct rank_opener *rank_opener_new(struct terms *terms) {
  struct rank_opener *o = xcalloc(1, sizeof *o);
  o->terms = terms;
  o->last = xmalloc(sizeof *o->last + (2 * RANK_READ_TERMS + 1) * sizeof *o->last->term);
  store_text_init(&o->text);
  return o;
}

void rank_opener_free(struct rank_opener *o) {
  if (o == NULL)
    return;
  store_text_release(&o->text);
  free(o->last);
  free(o);
}

static uint32_t rank_terms_page_of(struct slice chunk) {
  struct slice page = json_get(chunk, "page");
  uint32_t n = 0;
  for (size_t i = 0; i < page.len && page.data[i] >= '0' && page.data[i] <= '9' && n < 1000000; i++)
    n = 10 * n + (uint32_t)(page.data[i] - '0');
  return n;
}

/* Fills o->last. */
static void take_apart(struct rank_opener *o, uint32_t row) {
  struct rank_words *w = o->last;
  size_t numbers;
  w->row = row;
  w->page = rank_terms_page_of(o->text.chunk);
  w->context = (uint32_t)terms_hashes(o->terms, o->text.context, w->term, RANK_READ_TERMS, &numbers);
  w->count = (uint32_t)terms_hashes(o->terms, o->text.text, w->term + w->context, RANK_READ_TERMS, &numbers);
  w->numbers = w->count ? (float)numbers / (float)w->count : 0;
}

const struct store_text *rank_opener_read(struct rank_opener *o, const struct store_snapshot *snap,
                                          const struct rank_place *at, struct error_text *e) {
  return store_get_text(snap, at->seg, at->row, &o->text, e) == STORE_OK ? &o->text : NULL;
}

const struct rank_words *rank_words_get(struct rank_opener *o, const struct store_snapshot *snap,
                                        const struct rank_place *at, uint32_t row, struct error_text *e) {
  if (rank_opener_read(o, snap, at, e) == NULL)
    return NULL;
  take_apart(o, row);
  return o->last;
}

/* ---- features ---- */

#define NO_TERM UINT16_MAX
#define TABLE 1024 /* slots for QUERY_TERMS terms */
#define SHINGLE 3
#define NEAR 40        /* terms in a paragraph */
#define LINE 12        /* terms in a line or a sentence */
#define TELLING 2.5F   /* idf */
#define CROWD_SHIFT 22 /* 32 bits to RANK_CROWDS */

struct rank_reader {
  const struct query *q;
  const float *idf;
  uint16_t slot[TABLE]; /* index + 1 in q->terms, open addressing */
  uint64_t key[TABLE];
  float mass, years_mass, plain_mass,
      expansion_mass;     /* own terms; years among them; the others; the thesaurus's */
  float own[QUERY_TERMS]; /* idf weight of own terms other than years; else 0 */
  uint16_t rarest;
  uint16_t pairs[QUERY_TOKENS][2];
  size_t pair_count;
  uint16_t sequence[QUERY_TERMS * 2]; /* q->sequence as terms */
  /* of the passage being read */
  const uint64_t *words; /* its text's, [count] */
  size_t count;
  uint16_t term[RANK_READ_TERMS + 2]; /* per word: the question's term; valid where `at` lists it */
  uint16_t at[RANK_READ_TERMS];       /* positions of the question's terms, ascending */
  size_t at_count;
  uint8_t phrase[RANK_READ_TERMS]; /* a thesaurus phrase starts at this word */
  float everyday;                  /* weight of the question's words that such phrases replace */
  uint8_t seen[QUERY_TERMS], in_text[QUERY_TERMS], in_context[QUERY_TERMS];
};

struct rank_reader *rank_reader_new(void) {
  return xcalloc(1, sizeof(struct rank_reader));
}

void rank_reader_free(struct rank_reader *r) {
  free(r);
}

/* The key of a term, of any kind. */
static inline uint64_t rank_passages_key_of(uint64_t word) {
  return word & ~TERMS_NUMBER;
}

static inline size_t rank_passages_slot_of(uint64_t key) {
  return (size_t)(key >> 32) % TABLE;
}

static inline uint16_t rank_passages_byte_search_word(const struct rank_reader *r, uint64_t word) {
  uint64_t key = rank_passages_key_of(word);
  for (size_t i = rank_passages_slot_of(key); r->slot[i] != 0; i = (i + 1) % TABLE)
    if (r->key[i] == key)
      return (uint16_t)(r->slot[i] - 1);
  return NO_TERM;
}

static uint16_t rank_passages_find(const struct rank_reader *r, struct slice text) {
  return rank_passages_byte_search_word(r, terms_hash(text));
}

/* Finds adjacent own words of the question, ignoring function words in between. */
static void find_pairs(struct rank_reader *r) {
  const struct query *q = r->q;
  uint16_t last = NO_TERM;
  r->pair_count = 0;
  for (size_t i = 0; i < q->token_count; i++) {
    const struct query_token *t = &q->tokens[i];
    if (t->kind == QUERY_STOP)
      continue;
    uint16_t now =
        t->kind == QUERY_WORD ? rank_passages_find(r, slice_of(q->own.data + t->stem, t->stem_len)) : NO_TERM;
    if (last != NO_TERM && now != NO_TERM) {
      r->pairs[r->pair_count][0] = last;
      r->pairs[r->pair_count++][1] = now;
    }
    last = now;
  }
}

/* Computes the weight of each term, and their sums. */
static void weigh_terms(struct rank_reader *r) {
  float rarest = 0;
  r->mass = r->years_mass = r->plain_mass = r->expansion_mass = 0;
  r->rarest = NO_TERM;
  r->everyday = 0;
  for (size_t i = 0; i < r->q->term_count; i++) {
    const struct query_term *t = &r->q->terms[i];
    float weight = t->weight * r->idf[i];
    r->own[i] = t->kind == QUERY_EXPANSION || t->kind == QUERY_YEAR ? 0 : weight;
    r->plain_mass += r->own[i];
    r->everyday += t->kind == QUERY_EVERYDAY ? weight : 0;
    *(t->kind == QUERY_EXPANSION ? &r->expansion_mass : &r->mass) += weight;
    r->years_mass += t->kind == QUERY_YEAR ? weight : 0;
    if (r->own[i] > rarest)
      rarest = r->own[i], r->rarest = (uint16_t)i;
  }
}

void rank_reader_begin(struct rank_reader *r, const struct query *q, const float *idf) {
  r->q = q;
  r->idf = idf;
  weigh_terms(r);
  memset(r->slot, 0, sizeof r->slot);
  for (size_t i = 0; i < q->term_count; i++) {
    uint64_t key = rank_passages_key_of(terms_hash(q->terms[i].text));
    size_t at = rank_passages_slot_of(key);
    while (r->slot[at] != 0)
      at = (at + 1) % TABLE;
    r->slot[at] = (uint16_t)(i + 1);
    r->key[at] = key;
  }
  for (size_t i = 0; i < q->sequence_count; i++)
    r->sequence[i] = rank_passages_find(r, q->sequence[i]);
  find_pairs(r);
}

/* Finds the question's terms in the text. */
static void see(struct rank_reader *r, const struct rank_words *w) {
  memset(r->seen, 0, sizeof r->seen);
  memset(r->in_text, 0, sizeof r->in_text);
  memset(r->in_context, 0, sizeof r->in_context);
  for (size_t i = 0; i < w->context; i++) {
    uint16_t term = rank_passages_byte_search_word(r, w->term[i]);
    if (term != NO_TERM)
      r->seen[term] = r->in_context[term] = 1;
  }
  r->words = w->term + w->context;
  r->count = w->count;
  r->at_count = 0;
  memset(r->phrase, 0, r->count);
  for (size_t i = 0; i < r->count; i++) {
    uint16_t term = r->term[i] = rank_passages_byte_search_word(r, r->words[i]);
    if (term == NO_TERM)
      continue;
    r->seen[term] = r->in_text[term] = 1;
    r->at[r->at_count++] = (uint16_t)i;
  }
  r->term[r->count] = r->term[r->count + 1] = NO_TERM;
}

static int phrase_at(const struct rank_reader *r, const uint16_t *want, size_t count, size_t at) {
  size_t k = 0;
  while (k < count && at + k < r->count && r->term[at + k] == want[k])
    k++;
  return k == count;
}

/* 0: absent; 1: present; 2: as a table line, directly followed by a number. */
static int phrase_found(struct rank_reader *r, const struct query_phrase *p) {
  const uint16_t *want = r->sequence + p->first;
  int found = 0;
  for (size_t k = 0; k < p->count; k++)
    if (want[k] == NO_TERM || !r->seen[want[k]])
      return 0;
  for (size_t i = 0; i < r->at_count; i++) {
    size_t next = r->at[i] + (size_t)p->count;
    if (r->term[r->at[i]] != want[0] || !phrase_at(r, want, p->count, r->at[i]))
      continue;
    found = found > 0 ? found : 1;
    r->phrase[r->at[i]] = !p->outside;
    for (size_t k = next; k < next + 2 && k < r->count; k++) /* allows "net" in between */
      if (r->words[k] & TERMS_NUMBER)
        found = 2;
  }
  return found;
}

/* A single rare word of the thesaurus, such as "backlog". */
static int is_telling(const struct rank_reader *r, const struct query_phrase *p) {
  uint16_t term = r->sequence[p->first];
  return term != NO_TERM && r->q->terms[term].kind == QUERY_EXPANSION && r->idf[term] > TELLING;
}

/* Table lines count more where an amount is requested; several phrases more than one, with diminishing weight. */
static void look_for_phrases(struct rank_reader *r, struct rank_reading *out) {
  float missing = 1;
  out->quoted = out->outside = 1;
  for (size_t i = 0; i < r->q->phrase_count; i++) {
    const struct query_phrase *p = &r->q->phrases[i];
    int found = p->quoted || p->outside || p->count > 1 || is_telling(r, p) ? phrase_found(r, p) : 0;
    if (p->outside)
      out->outside &= found > 0;
    else if (p->quoted)
      out->quoted &= found > 0;
    else if (found > 0)
      missing *= found == 2 ? 0.65F : r->q->asks_amount ? 0.85F : 0.75F;
  }
  out->phrase = 1 - missing;
}

static int rank_passages_is_pair(const struct rank_reader *r, const uint16_t *pair) {
  for (size_t i = 0; i < r->at_count; i++) {
    size_t at = r->at[i];
    if (r->term[at] == pair[0] && (r->term[at + 1] == pair[1] || r->term[at + 2] == pair[1]))
      return 1;
  }
  return 0;
}

static float look_for_pairs(const struct rank_reader *r) {
  size_t found = 0;
  for (size_t i = 0; i < r->pair_count; i++) {
    const uint16_t *pair = r->pairs[i];
    found += r->seen[pair[0]] && r->seen[pair[1]] && rank_passages_is_pair(r, pair);
  }
  return r->pair_count ? (float)found / (float)r->pair_count : 0;
}

/* A thesaurus phrase also counts as the question's everyday word. */
static float coverage(const struct rank_reader *r, int phrases) {
  float seen = 0;
  for (size_t i = 0; i < r->q->term_count; i++)
    if ((r->seen[i] || (phrases && r->q->terms[i].kind == QUERY_EVERYDAY)) &&
        r->q->terms[i].kind != QUERY_EXPANSION)
      seen += r->q->terms[i].weight * r->idf[i];
  return r->mass > 0 ? seen / r->mass : 0;
}

/* The best share of own words within this many terms of the text.  A thesaurus phrase counts as the everyday words
 * that led to it. */
static float closest(const struct rank_reader *r, size_t span) {
  uint16_t count[QUERY_TERMS + 1] = {0};
  float sum = 0, best = 0;
  for (size_t i = 0, first = 0; i < r->at_count; i++) {
    uint16_t term = r->term[r->at[i]];
    sum += count[term]++ == 0 ? r->own[term] : 0;
    sum += r->phrase[r->at[i]] && count[QUERY_TERMS]++ == 0 ? r->everyday : 0;
    for (; r->at[i] - r->at[first] >= (int)span; first++) {
      uint16_t old = r->term[r->at[first]];
      sum -= --count[old] == 0 ? r->own[old] : 0;
      sum -= r->phrase[r->at[first]] && --count[QUERY_TERMS] == 0 ? r->everyday : 0;
    }
    best = sum > best ? sum : best;
  }
  best = best < r->plain_mass ? best : r->plain_mass;
  return r->plain_mass > 0 ? best / r->plain_mass : 0;
}

static float part_of(float part, float whole) {
  return whole > 0 ? part / whole : 0;
}

static void weigh_seen(const struct rank_reader *r, struct rank_reading *out) {
  float body = 0, context = 0, years = 0, expansion = 0;
  for (size_t i = 0; i < r->q->term_count; i++) {
    float weight = r->q->terms[i].weight * r->idf[i];
    body += r->in_text[i] ? r->own[i] : 0;
    context += r->in_context[i] ? r->own[i] : 0;
    years += r->seen[i] && r->q->terms[i].kind == QUERY_YEAR ? weight : 0;
    expansion += r->seen[i] && r->q->terms[i].kind == QUERY_EXPANSION ? weight : 0;
  }
  out->body = part_of(body, r->plain_mass);
  out->context = part_of(context, r->plain_mass);
  out->years = part_of(years, r->years_mass);
  out->expansion = part_of(expansion, r->expansion_mass);
  int everyday = r->rarest != NO_TERM && r->q->terms[r->rarest].kind == QUERY_EVERYDAY;
  out->rare = r->rarest != NO_TERM && (r->seen[r->rarest] || (everyday && out->phrase > 0));
}

#define CAUSES 4 /* number of causal words, and of dates, above which more don't count */
#define DATES 3

/* Stems. */
static const char *const giving_reasons[] = {STEMS_REASON, NULL};
static const char *const months[] = {STEMS_MONTH, NULL};

/* Number of words of the text that are in the list, divided by `most`, at most 1; dated: only those before a number. */
static float share_of(const struct rank_reader *r, const char *const *list, int dated, int most) {
  int found = 0;
  for (; *list != NULL; list++) {
    uint64_t key = rank_passages_key_of(terms_hash(slice_str(*list)));
    for (size_t i = 0; i < r->count; i++)
      found += rank_passages_key_of(r->words[i]) == key &&
               (!dated || (i + 1 < r->count && r->words[i + 1] & TERMS_NUMBER));
  }
  return found < most ? (float)found / (float)most : 1;
}

static int compare_hash(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void make_shingles(const struct rank_reader *r, struct rank_reading *out) {
  size_t n = r->count >= SHINGLE ? r->count - SHINGLE + 1 : 0, crowds = 0;
  uint32_t a = n ? (uint32_t)(r->words[0] >> 32) : 0, b = n ? (uint32_t)(r->words[1] >> 32) : 0;
  int overcrowded = 0;
  if (n > out->shingle_cap) {
    out->shingle_cap = n + n / 2;
    out->shingles = xreallocarray(out->shingles, out->shingle_cap, sizeof *out->shingles);
  }
  uint32_t *shingles = out->shingles;
  memset(out->crowd, 0, sizeof out->crowd);
  for (size_t i = 0; i < n; i++) {
    uint32_t c = (uint32_t)(r->words[i + 2] >> 32), hash = (a * 31 + b) * 31 + c;
    uint8_t *crowd = &out->crowd[hash * 0x9e3779b1u >> CROWD_SHIFT];
    shingles[i] = hash;
    crowds += *crowd == 0;
    overcrowded |= ++*crowd == 0;
    a = b;
    b = c;
  }
  out->shingle_count = n;
  out->crowds = crowds;
  out->overcrowded = overcrowded;
  out->settled = 0;
}

/* Sorts and removes duplicates, only for the few that are compared. */
static void rank_passages_settle(struct rank_reading *r) {
  size_t kept = 0;
  if (!r->settled && r->shingle_count > 0)
    qsort(r->shingles, r->shingle_count, sizeof *r->shingles, compare_hash);
  for (size_t i = 0; !r->settled && i < r->shingle_count; i++)
    if (kept == 0 || r->shingles[i] != r->shingles[kept - 1])
      r->shingles[kept++] = r->shingles[i];
  if (!r->settled)
    r->shingle_count = kept;
  r->settled = 1;
}

void rank_read(struct rank_reader *r, const struct rank_words *w, struct rank_reading *out) {
  see(r, w); /* the context counts for coverage, not for phrases */
  out->numbers = w->numbers;
  look_for_phrases(r, out);
  out->coverage = coverage(r, out->phrase > 0);
  out->pair = look_for_pairs(r);
  weigh_seen(r, out);
  out->causes = r->q->asks_cause ? share_of(r, giving_reasons, 0, CAUSES) : 0;
  out->dates = r->q->asks_date ? share_of(r, months, 1, DATES) : 0;
  out->near = closest(r, NEAR);
  out->line = closest(r, LINE);
  make_shingles(r, out);
}

void rank_reading_release(struct rank_reading *r) {
  free(r->shingles);
  r->shingles = NULL;
  r->shingle_cap = 0;
}

/* Upper limit of common shingles: per bin, the smaller count. */
static size_t common_at_most(const uint8_t *a, const uint8_t *b) {
  size_t all = 0;
  for (size_t i = 0; i < RANK_CROWDS; i++)
    all += a[i] < b[i] ? a[i] : b[i];
  return all;
}

/* An upper bound of the similarity, since there are at least as many distinct shingles as non-empty bins.  It
 * excludes almost all pairs, so these need not be sorted. */
static float similarity_bound(const struct rank_reading *a, const struct rank_reading *b) {
  if (a->overcrowded || b->overcrowded)
    return 1;
  size_t common = common_at_most(a->crowd, b->crowd), all = a->crowds + b->crowds;
  return common < all ? (float)common / (float)(all - common) : 1;
}

float rank_similarity(struct rank_reading *a, struct rank_reading *b) {
  float bound = similarity_bound(a, b);
  if (bound < RANK_UNLIKE)
    return bound;
  rank_passages_settle(a);
  rank_passages_settle(b);
  size_t i = 0, k = 0, both = 0;
  while (i < a->shingle_count && k < b->shingle_count) {
    uint32_t x = a->shingles[i], y = b->shingles[k];
    both += x == y;
    i += x <= y;
    k += y <= x;
  }
  size_t either = a->shingle_count + b->shingle_count - both;
  return either ? (float)both / (float)either : 0;
}
