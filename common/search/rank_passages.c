/* rank_passages.c: a passage as a sequence of terms, and the features that need its text: phrases, proximity, table lines,
 * near-duplicates. */
#include "search/rank_internal.h"
#include "tables/stems.h"

#include <stdlib.h>
#include <string.h>

/* ---- a passage's terms ---- */

struct rank_words *rank_words_new(void) {
  struct rank_words *w;
  return xmalloc(sizeof *w + (2 * RANK_READ_TERMS + 1) * sizeof *w->term);
}

void rank_words_take(struct rank_words *w, struct terms *terms, const struct store_text *passage) {
  size_t numbers;
  w->context = (uint32_t)terms_hashes(terms, passage->context, w->term, RANK_READ_TERMS, &numbers);
  w->count = (uint32_t)terms_hashes(terms, passage->text, w->term + w->context, RANK_READ_TERMS, &numbers);
  w->numbers = w->count ? (float)numbers / (float)w->count : 0;
}

/* ---- features ---- */

#define NO_TERM UINT16_MAX
#define TABLE 1024   /* slots for QUERY_TERMS terms */
#define NEAR 40      /* terms in a paragraph */
#define LINE 12      /* terms in a line or a sentence */
#define TELLING 2.5F /* idf */

struct rank_reader {
  const struct query *q;
  const float *idf;
  uint16_t slot[TABLE]; /* index + 1 in q->terms, open addressing */
  uint64_t key[TABLE];
  float mass, years_mass, plain_mass,
      expansion_mass;     /* own terms; years among them; the others; the thesaurus's */
  float own[QUERY_TERMS]; /* idf weight of own terms other than years; else 0 */
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
  uint8_t seen[QUERY_TERMS], in_text[QUERY_TERMS];
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
  r->mass = r->years_mass = r->plain_mass = r->expansion_mass = 0;
  r->everyday = 0;
  for (size_t i = 0; i < r->q->term_count; i++) {
    const struct query_term *t = &r->q->terms[i];
    float weight = t->weight * r->idf[i];
    r->own[i] = t->kind == QUERY_EXPANSION || t->kind == QUERY_YEAR ? 0 : weight;
    r->plain_mass += r->own[i];
    r->everyday += t->kind == QUERY_EVERYDAY ? weight : 0;
    *(t->kind == QUERY_EXPANSION ? &r->expansion_mass : &r->mass) += weight;
    r->years_mass += t->kind == QUERY_YEAR ? weight : 0;
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
  for (size_t i = 0; i < w->context; i++) {
    uint16_t term = rank_passages_byte_search_word(r, w->term[i]);
    if (term != NO_TERM)
      r->seen[term] = 1;
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
  float body = 0, years = 0, expansion = 0;
  for (size_t i = 0; i < r->q->term_count; i++) {
    float weight = r->q->terms[i].weight * r->idf[i];
    body += r->in_text[i] ? r->own[i] : 0;
    years += r->seen[i] && r->q->terms[i].kind == QUERY_YEAR ? weight : 0;
    expansion += r->seen[i] && r->q->terms[i].kind == QUERY_EXPANSION ? weight : 0;
  }
  out->body = part_of(body, r->plain_mass);
  out->years = part_of(years, r->years_mass);
  out->expansion = part_of(expansion, r->expansion_mass);
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
}

/* ---- near-duplicates ---- */

#define SHINGLE_BITS (64 * RANK_SHINGLE_WORDS)

void rank_shingles_take(const struct rank_words *w, struct rank_reading *out) {
  const uint64_t *term = w->term + w->context;
  memset(out->shingles, 0, sizeof out->shingles);
  out->shingle_count = 0;
  for (size_t i = 0; i + 2 < w->count; i++) {
    uint32_t a = (uint32_t)(term[i] >> 32), b = (uint32_t)(term[i + 1] >> 32),
             c = (uint32_t)(term[i + 2] >> 32);
    uint32_t bit = ((a * 31 + b) * 31 + c) * 0x9e3779b1u >> 8 & (SHINGLE_BITS - 1);
    out->shingle_count += !(out->shingles[bit / 64] >> (bit % 64) & 1);
    out->shingles[bit / 64] |= 1ULL << (bit % 64);
  }
}

float rank_similarity(const struct rank_reading *a, const struct rank_reading *b) {
  int both = 0, either = 0;
  for (size_t i = 0; i < RANK_SHINGLE_WORDS; i++)
    if (a->shingles[i] & b->shingles[i]) /* few, unless it is a duplicate */
      both += __builtin_popcountll(a->shingles[i] & b->shingles[i]);
  either = a->shingle_count + b->shingle_count - both;
  return either ? (float)both / (float)either : 0;
}
