/* terms_stems.c: stems are cached by the word's hash, since Snowball takes about 300 ns per word and texts repeat
 * themselves: a filing of 60,000 words has about 5,000 distinct ones. */
#include "text/terms_stems.h"

#include "base/diag.h"
#include "base/hash.h"
#include "tables/stop_words.h"
#include "text/terms_chars.h"

#include <libstemmer.h>
#include <stdlib.h>

#define CACHE_BITS 15
#define CACHE_BITS_SMALL 11

/* A word of at most TERMS_STEMS_WORD bytes, zero-padded. */
union terms_word {
  char bytes[32];
  uint64_t part[4];
};

/* Words are identified by 59 bits of their hash, as terms are by 64.  Stems are stored separately, so that callers
 * who only need hashes touch few cache lines. */
struct cached {
  uint64_t tag;  /* the word's hash, with the stem's length in the lowest TAG_LEN bits; 0: a function word */
  uint64_t hash; /* hash of the stem */
};

#define LINE 64                             /* bytes of a processor cache line */
#define WAYS (LINE / sizeof(struct cached)) /* associativity: entries in which a word may be */
#define TAG_LEN 5
#define TAG_MASK ((uint64_t)((1 << TAG_LEN) - 1))

union stem {
  char bytes[32];
};

/* A term whose hash is pending.  Its cache entry is usually not in the processor's cache: it is prefetched while the
 * next words are read. */
struct awaited {
  const struct cached *entry; /* the word's entry, or else `own` */
  uint64_t hash;              /* of the word */
  union terms_word word;
  struct cached own;
  uint8_t len, number;
};

struct terms {
  struct sb_stemmer *stemmer;
  struct cached *room;
  struct cached *cache; /* in `room`, aligned to a line: 1 << bits */
  union stem *stems;    /* for the same entries */
  unsigned bits;
  char stem[TERMS_MAX]; /* of a word that is not cached */

  struct awaited awaited[TERMS_BATCH];
  size_t waiting;
  terms_batch_function *f;
  void *arg;
};

/* Sorted, for bsearch. */
static const char *const stops[] = {STOP_WORDS_STOP};

static int compare_stop(const void *key, const void *item) {
  const struct slice *word = key;
  const char *stop = *(const char *const *)item;
  size_t n = strlen(stop);
  int order = memcmp(word->data, stop, word->len < n ? word->len : n);
  return order ? order : (word->len > n) - (word->len < n);
}

int terms_is_stop(struct slice word) {
  if (word.len == 0 || word.len > 5)
    return 0;
  return bsearch(&word, stops, sizeof stops / sizeof *stops, sizeof *stops, compare_stop) != NULL;
}

static struct terms *new_terms(unsigned bits) {
  struct terms *t = xcalloc(1, sizeof *t);
  t->bits = bits;
  t->stemmer = sb_stemmer_new("english", NULL);
  if (t->stemmer == NULL)
    diag_oom();
  t->room = xcalloc(((size_t)1 << bits) + WAYS, sizeof *t->cache);
  t->cache = t->room + (LINE - (uintptr_t)t->room % LINE) % LINE / sizeof *t->cache;
  t->stems = xcalloc((size_t)1 << bits, sizeof *t->stems);
  return t;
}

struct terms *terms_new(void) {
  return new_terms(CACHE_BITS);
}

struct terms *terms_new_small(void) {
  return new_terms(CACHE_BITS_SMALL);
}

void terms_free(struct terms *t) {
  if (t == NULL)
    return;
  sb_stemmer_delete(t->stemmer);
  free(t->room);
  free(t->stems);
  free(t);
}

static struct slice stem_slowly(struct terms *t, struct slice word) {
  const sb_symbol *s = sb_stemmer_stem(t->stemmer, (const sb_symbol *)word.data, (int)word.len);
  if (s == NULL)
    diag_oom();
  size_t n = (size_t)sb_stemmer_length(t->stemmer);
  if (n == 0 || n > TERMS_MAX)
    return word;
  memcpy(t->stem, s, n);
  return slice_of(t->stem, n);
}

uint64_t terms_hash(struct slice text) {
  return hash_bytes(text.data, text.len);
}

static inline uint64_t hash_word(const union terms_word *w) {
  return hash_bytes(w, sizeof *w);
}

static size_t stem_len(const struct cached *c) {
  return (size_t)(c->tag & TAG_MASK);
}

static struct slice stem_text(const struct terms *t, const struct cached *c) {
  return slice_of(t->stems[c - t->cache].bytes, stem_len(c));
}

static void terms_fill(struct terms *t, struct cached *c, const union terms_word *word, size_t len,
                       uint64_t hash) {
  struct slice text = slice_of(word->bytes, len);
  struct slice stem = terms_is_stop(text) ? slice_of("", 0) : stem_slowly(t, text);
  if (stem.len > TAG_MASK) /* Snowball only shortens a word or adds an e */
    stem.len = TAG_MASK;
  memcpy(t->stems[c - t->cache].bytes, stem.data, stem.len);
  c->tag = (hash & ~TAG_MASK) | stem.len;
  c->hash = stem.len ? terms_hash(stem) : 0;
}

/* The first entry of the set (of WAYS entries) that may contain the word. */
static inline struct cached *terms_place_of(const struct terms *t, uint64_t hash) {
  return &t->cache[hash >> (64 - t->bits) & ~(uint64_t)(WAYS - 1)];
}

static inline int is_entry(const struct cached *c, uint64_t hash) {
  return (c->tag ^ hash) <= TAG_MASK;
}

/* Searches the other entries of the set; on a miss takes an empty one, or replaces one. */
static const struct cached *look_further(struct terms *t, struct cached *set, const union terms_word *word,
                                         size_t len, uint64_t hash) {
  struct cached *c = &set[hash % WAYS];
  for (size_t i = WAYS; i-- > 0;)
    if (is_entry(&set[i], hash))
      return &set[i];
    else if (set[i].tag == 0)
      c = &set[i];
  terms_fill(t, c, word, len, hash);
  return c;
}

/* The cache entry of a word of 1 to TERMS_STEMS_WORD bytes. */
static const struct cached *look_up(struct terms *t, struct slice text) {
  union terms_word word = {.part = {0}};
  memcpy(word.bytes, text.data, text.len);
  uint64_t hash = hash_word(&word);
  struct cached *c = terms_place_of(t, hash);
  return is_entry(c, hash) ? c : look_further(t, c, &word, text.len, hash);
}

struct terms_stem terms_stems_of(struct terms *t, struct slice word) {
  if (word.len > TERMS_STEMS_WORD) {
    struct slice stem = stem_slowly(t, word);
    return (struct terms_stem){stem, terms_hash(stem)};
  }
  const struct cached *c = look_up(t, word);
  return (struct terms_stem){stem_text(t, c), c->hash};
}

struct slice terms_stem(struct terms *t, struct slice word) {
  if (word.len == 0 || word.len > TERMS_STEMS_WORD)
    return word.len ? stem_slowly(t, word) : word;
  const struct cached *c = look_up(t, word);
  return stem_len(c) ? stem_text(t, c) : stem_slowly(t, word);
}

/* Which words are function words is unpredictable, so no branch depends on it. */
static void take_awaited(struct terms *t) {
  struct terms_batch b;
  b.count = 0;
  for (size_t i = 0; i < t->waiting; i++) {
    const struct awaited *a = &t->awaited[i];
    const struct cached *c = a->entry;
    if (!is_entry(c, a->hash))
      c = look_further(t, &t->cache[c - t->cache], &a->word, a->len, a->hash);
    b.hash[b.count] = c->hash;
    b.number[b.count] = a->number;
    b.count += stem_len(c) > 0;
  }
  t->waiting = 0;
  if (b.count)
    t->f(t->arg, &b);
}

static inline struct awaited *next_awaited(struct terms *t) {
  if (t->waiting == TERMS_BATCH)
    take_awaited(t);
  return &t->awaited[t->waiting++];
}

void terms_stems_begin(struct terms *t, terms_batch_function *f, void *arg) {
  t->waiting = 0;
  t->f = f;
  t->arg = arg;
}

void terms_stems_add_letters(struct terms *t, const char *letters, size_t n) {
  struct awaited *a = next_awaited(t);
  a->word = (union terms_word){.part = {0}};
  for (size_t i = 0; i < n; i++)
    a->word.bytes[i] = terms_lower(letters[i]);
  a->hash = hash_word(&a->word);
  a->entry = terms_place_of(t, a->hash);
  a->len = (uint8_t)n;
  a->number = 0;
  __builtin_prefetch(a->entry);
}

void terms_stems_add_hash(struct terms *t, uint64_t hash, int number) {
  struct awaited *a = next_awaited(t);
  a->entry = &a->own;
  a->own = (struct cached){.tag = 1, .hash = hash};
  a->hash = 0;
  a->number = (uint8_t)number;
}

void terms_stems_end(struct terms *t) {
  take_awaited(t);
}
