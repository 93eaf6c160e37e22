/* terms.c: the tokenizer for BM25.
 *
 * One pass over the bytes.  Words of ASCII letters between blanks, almost all of them, are found 64 bytes at a time and
 * read in one piece; a reader that goes byte by byte reads all else.  In this order: what single characters are, the cache
 * of stems, the reader, the scan.
 */
#include "text/terms.h"

#include "base/diag.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "tables/stop_words.h"

#include <libstemmer.h>
#include <stdint.h>
#include <stdlib.h>
#include <strings.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum terms_class {
  TERMS_SEP,
  TERMS_LETTER,
  TERMS_DIGIT,
  TERMS_HIGH
}; /* TERMS_HIGH: a byte of a non-ASCII character */

/* For each byte: its class, and itself with ASCII capitals as small letters. */
static uint8_t terms_chars_class[256];
static char terms_chars_lower[256];

static inline enum terms_class terms_class_of(char c) {
  return (enum terms_class)terms_chars_class[(uint8_t)c];
}

static inline char terms_lower(char c) {
  return terms_chars_lower[(uint8_t)c];
}

enum terms_token_kind {
  TOKEN_NONE,  /* nothing that could be a term */
  TOKEN_WORD,  /* to be stemmed; may be a function word */
  TOKEN_EXACT, /* a term as it is: a form's name, "usa", a CJK character */
  TOKEN_NUMBER
};

struct terms_token {
  const char *text;
  size_t len, at; /* at: next byte to read, below len */
  size_t start;   /* offset of the token, which ends before `at` */
  struct slice
      value; /* the token, normalised: 1 to TERMS_MAX bytes, valid until the next call; unset for TOKEN_NONE */
  char bytes[TERMS_MAX + 8]; /* the rest is the reader's own */
  size_t n;
  int has_letter, all_upper, acronym;
};

#define TERMS_STEMS_WORD 30 /* bytes of the longest word that is cached */

/* The stem of a lower-case word of 1 to TERMS_MAX bytes, with its terms_hash(); "" and 0 for a function word.  The text
 * is valid until the next call on t. */
struct terms_stem {
  struct slice text;
  uint64_t hash;
};

/* ---- single characters: which separate words, stand alone, or fold to another ---- */

__attribute__((constructor)) static void make_classes(void) {
  for (int c = 0; c < 256; c++) {
    int upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z', digit = c >= '0' && c <= '9';
    terms_chars_class[c] = (uint8_t)(upper || lower ? TERMS_LETTER
                                     : digit        ? TERMS_DIGIT
                                     : c >= 128     ? TERMS_HIGH
                                                    : TERMS_SEP);
    terms_chars_lower[c] = (char)(upper ? c + 32 : c);
  }
}

/* Base letters of U+00C0 to U+017F, one character each; the few that become two are handled separately. */
static const char latin[] = "aaaaaaaceeeeiiiidnooooo*ouuuuypsaaaaaaaceeeeiiiidnooooo/ouuuuypy"
                            "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllll"
                            "lllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";

/* Chinese, Japanese and Korean: each character is a term of its own. */
static int terms_chars_is_cjk(uint32_t c) {
  return (c >= 0x3040 && c <= 0x30ff) || (c >= 0x3400 && c <= 0x9fff) || (c >= 0xac00 && c <= 0xd7a3) ||
         (c >= 0xf900 && c <= 0xfaff) || (c >= 0x20000 && c <= 0x3ffff);
}

/* Punctuation, symbols, spaces, private use: characters that end a word. */
static int terms_chars_is_separator(uint32_t c) {
  return c < 0xaa || (c > 0xaa && c < 0xc0 && c != 0xb5 && c != 0xba && c != 0xad) || c == 0xd7 ||
         c == 0xf7 || (c >= 0x2000 && c <= 0x2bff) || (c >= 0x3000 && c <= 0x303f) ||
         (c >= 0xe000 && c <= 0xf8ff) || (c >= 0xfe10 && c <= 0xfe6f) || (c >= 0xff00 && c <= 0xff0f) ||
         c >= 0xfff0;
}

/* Small letters without accents; full-width forms as ASCII. */
static uint32_t terms_chars_fold(uint32_t c) {
  if (c >= 0xff10 && c <= 0xff5e) /* full-width forms */
    c -= 0xfee0;
  if (c >= 'A' && c <= 'Z')
    return c + 32;
  if (c >= 0xc0 && c <= 0x17f)
    return (uint8_t)latin[c - 0xc0];
  if ((c >= 0x391 && c <= 0x3a9) || (c >= 0x410 && c <= 0x42f))
    return c + 32;
  return c >= 0x400 && c <= 0x40f ? c + 80 : c;
}

/* ---- stems ---- */

/* Stems are cached by the word's hash, since Snowball takes about 300 ns per word and texts repeat
 * themselves: a filing of 60,000 words has about 5,000 distinct ones. */

#define CACHE_BITS 15
#define CACHE_BITS_SMALL 11

/* A word of at most TERMS_STEMS_WORD bytes, zero-padded. */
union terms_word {
  char bytes[32];
  uint64_t part[4];
};

/* From [32 - n] on: 32 bytes of which the first n are set. */
static uint8_t terms_word_mask[2 * sizeof(union terms_word)];

__attribute__((constructor)) static void make_mask(void) {
  memset(terms_word_mask, 255, sizeof(union terms_word));
}

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

static struct terms_stem terms_stems_of(struct terms *t, struct slice word) {
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

/* Hashes in batches, in the order of the calls, the last batch with terms_stems_end(); f must not use t.  Only
 * terms_stems_add_letters() looks words up, in any case, of 1 to TERMS_STEMS_WORD ASCII letters; it reads 32 bytes. */
static void terms_stems_begin(struct terms *t, terms_batch_function *f, void *arg) {
  t->waiting = 0;
  t->f = f;
  t->arg = arg;
}

static void terms_stems_add_letters(struct terms *t, const char *letters, size_t n) {
  struct awaited *a = next_awaited(t);
  union terms_word word, mask;
  memcpy(&word, letters, sizeof word);
  memcpy(&mask, terms_word_mask + sizeof mask - n, sizeof mask);
  for (int i = 0; i < 4; i++)
    a->word.part[i] = (word.part[i] | 0x2020202020202020) & mask.part[i];
  a->hash = hash_word(&a->word);
  a->entry = terms_place_of(t, a->hash);
  a->len = (uint8_t)n;
  a->number = 0;
  __builtin_prefetch(a->entry);
}

static void terms_stems_add_hash(struct terms *t, uint64_t hash, int number) {
  struct awaited *a = next_awaited(t);
  a->entry = &a->own;
  a->own = (struct cached){.tag = 1, .hash = hash};
  a->hash = 0;
  a->number = (uint8_t)number;
}

static void terms_stems_end(struct terms *t) {
  take_awaited(t);
}

/* ---- the reader: one word, number or name of a form at a time, in the notation of terms.h, not stemmed ---- */

static inline void push(struct terms_token *t, char c) {
  if (t->n < TERMS_MAX)
    t->bytes[t->n++] = c;
}

static inline enum terms_class class_at(const struct terms_token *t, size_t i) {
  return i < t->len ? terms_class_of(t->text[i]) : TERMS_SEP;
}

static inline char char_at(const struct terms_token *t, size_t i) {
  return i < t->len ? t->text[i] : '\0';
}

static enum terms_token_kind give_token(struct terms_token *t, enum terms_token_kind kind,
                                        struct slice value) {
  t->value = value;
  return kind;
}

/* Reads one non-ASCII character into the token.  0 where the word ends before it. */
static int push_high(struct terms_token *t) {
  uint32_t c;
  size_t n = utf8_decode(t->text + t->at, t->len - t->at, &c);
  int mark = c == 0xad || (c >= 0x300 && c <= 0x36f);
  if (n == 0 || (!mark && (terms_chars_is_separator(c) || terms_chars_is_cjk(c))))
    return 0;
  t->at += n;
  if (mark)
    return 1;
  c = terms_chars_fold(c);
  char bytes[4];
  size_t m = utf8_encode(c, bytes);
  if (t->n + m <= TERMS_MAX)
    memcpy(t->bytes + t->n, bytes, m), t->n += m;
  t->has_letter = 1;
  t->all_upper = 0;
  return 1;
}

/* Length of an apostrophe (' or U+2019) at i, or 0. */
static size_t apostrophe_at(const struct terms_token *t, size_t i) {
  if (char_at(t, i) == '\'')
    return 1;
  return t->len - i >= 3 && memcmp(t->text + i, "\xe2\x80\x99", 3) == 0 ? 3 : 0;
}

static int ends_token(const struct terms_token *t, size_t i) {
  return class_at(t, i) == TERMS_SEP || (class_at(t, i) == TERMS_HIGH && (uint8_t)char_at(t, i) == 0xe2);
}

/* After a word's letters: drops "'s" and skips any other apostrophe inside a word.  1 to go on. */
static int over_apostrophe(struct terms_token *t, size_t length) {
  size_t next = t->at + length;
  char c = terms_lower(char_at(t, next));
  if (c == 's' && ends_token(t, next + 1)) {
    t->at = next + 1;
    return 0;
  }
  if (class_at(t, next) != TERMS_LETTER)
    return 0;
  t->at = next;
  return 1;
}

/* Skips the dot in "U.S." or takes the ampersand in "R&D": 1 where the word continues after it. */
static int over_mark(struct terms_token *t) {
  char c = char_at(t, t->at);
  if (c == '&' && t->n > 0 && t->n <= 4 && class_at(t, t->at + 1) == TERMS_LETTER) {
    push(t, '&');
    t->at++;
    return 1;
  }
  int single = t->has_letter && (t->acronym || t->n == 1);
  if (c != '.' || !single)
    return 0;
  if (class_at(t, t->at + 1) == TERMS_LETTER && class_at(t, t->at + 2) != TERMS_LETTER &&
      class_at(t, t->at + 2) != TERMS_DIGIT) {
    t->acronym = 1;
    t->at++;
    return 1;
  }
  if (t->acronym)
    t->at++; /* the final dot */
  return 0;
}

static void read_word_rest(struct terms_token *t) {
  while (t->at < t->len) {
    char c = t->text[t->at];
    enum terms_class class = terms_class_of(c);
    size_t apostrophe;
    if (class == TERMS_LETTER || class == TERMS_DIGIT) {
      push(t, terms_lower(c));
      t->has_letter |= class == TERMS_LETTER;
      t->all_upper &= c < 'a';
      t->at++;
    } else if ((class == TERMS_HIGH || c == '\'') && (apostrophe = apostrophe_at(t, t->at)) != 0) {
      if (!over_apostrophe(t, apostrophe))
        return;
    } else if (class == TERMS_HIGH ? !push_high(t) : !over_mark(t))
      return;
  }
}

/* "S-1", "F-3": a capital, a hyphen, one or two digits. */
static void join_short_form(struct terms_token *t) {
  if (t->n != 1 || !t->all_upper || (t->bytes[0] != 's' && t->bytes[0] != 'f') || char_at(t, t->at) != '-')
    return;
  size_t end = t->at + 1;
  while (class_at(t, end) == TERMS_DIGIT)
    end++;
  if (end == t->at + 1 || end > t->at + 3 || class_at(t, end) == TERMS_LETTER)
    return;
  for (; t->at < end; t->at++)
    push(t, t->text[t->at]);
}

/* Converts "FY2018" and "FY18" to "2018". */
static enum terms_token_kind read_fiscal_year(struct terms_token *t) {
  if (t->bytes[0] != 'f' || (t->n != 6 && t->n != 4) || memcmp(t->bytes, "fy", 2) != 0)
    return TOKEN_NONE;
  for (size_t i = 2; i < t->n; i++)
    if (terms_class_of(t->bytes[i]) != TERMS_DIGIT)
      return TOKEN_NONE;
  if (t->n == 6)
    return give_token(t, TOKEN_NUMBER, slice_of(t->bytes + 2, 4));
  memcpy(t->bytes, "20", 2);
  return give_token(t, TOKEN_NUMBER, slice_of(t->bytes, 4));
}

/* Writes "10k" as "10-k"; joins "DEF 14A". */
static enum terms_token_kind read_form_name(struct terms_token *t) {
  if (terms_class_of(t->bytes[0]) != TERMS_DIGIT && t->bytes[0] != 'd')
    return TOKEN_NONE;
  static const char *const glued[] = {"10k", "10q", "8k", "6k", "20f", "40f"};
  for (size_t i = 0; i < sizeof glued / sizeof *glued; i++) {
    size_t n = strlen(glued[i]);
    if (t->n != n || memcmp(t->bytes, glued[i], n) != 0)
      continue;
    t->bytes[n] = t->bytes[n - 1];
    t->bytes[n - 1] = '-';
    return give_token(t, TOKEN_EXACT, slice_of(t->bytes, n + 1));
  }
  if (t->n == 3 && memcmp(t->bytes, "def", 3) == 0 && t->len - t->at >= 4 && t->text[t->at + 1] == '1' &&
      t->text[t->at + 2] == '4' && (t->text[t->at + 3] | 32) == 'a' && ends_token(t, t->at + 4)) {
    t->at += 4;
    return give_token(t, TOKEN_EXACT, slice_str("def14a"));
  }
  return TOKEN_NONE;
}

static enum terms_token_kind finish_word(struct terms_token *t) {
  enum terms_token_kind kind = TOKEN_NONE;
  if (t->n == 0)
    return TOKEN_NONE;
  if (t->n == 2 && memcmp(t->bytes, "us", 2) == 0 && (t->acronym || t->all_upper))
    return give_token(t, TOKEN_EXACT, slice_str("usa"));
  if (t->n <= 6)
    kind = read_form_name(t);
  if (t->n <= 6 && !kind)
    kind = read_fiscal_year(t);
  return kind ? kind : give_token(t, TOKEN_WORD, slice_of(t->bytes, t->n));
}

static void begin_token(struct terms_token *t) {
  t->start = t->at;
  t->n = 0;
  t->has_letter = t->acronym = 0;
  t->all_upper = 1;
}

static enum terms_token_kind read_word(struct terms_token *t) {
  begin_token(t);
  read_word_rest(t);
  join_short_form(t);
  if (t->at > t->start)
    return finish_word(t);
  t->at++; /* a byte that starts no word: invalid UTF-8, a non-ASCII separator */
  return TOKEN_NONE;
}

static void push_digits(struct terms_token *t) {
  while (class_at(t, t->at) == TERMS_DIGIT)
    push(t, t->text[t->at++]);
}

/* Reads ",ddd" after one to three digits, repeatedly. */
static void push_thousands(struct terms_token *t) {
  while (char_at(t, t->at) == ',' && class_at(t, t->at + 1) == TERMS_DIGIT &&
         class_at(t, t->at + 2) == TERMS_DIGIT && class_at(t, t->at + 3) == TERMS_DIGIT &&
         class_at(t, t->at + 4) != TERMS_DIGIT) {
    t->at++;
    push_digits(t);
  }
}

static void push_fraction(struct terms_token *t) {
  if (char_at(t, t->at) != '.' || class_at(t, t->at + 1) != TERMS_DIGIT)
    return;
  push(t, '.');
  t->at++;
  push_digits(t);
}

/* Normalises "007.50" to "7.5". */
static struct slice normal_number(struct terms_token *t) {
  char *start = t->bytes, *end = t->bytes + t->n;
  if (memchr(start, '.', t->n) != NULL) {
    while (end[-1] == '0')
      end--;
    if (end[-1] == '.')
      end--;
  }
  while (end - start > 1 && start[0] == '0' && start[1] != '.')
    start++;
  return slice_of(start, (size_t)(end - start));
}

/* Takes in "%" after a number, even in the next cell of a table row, or "percent".  1 where there was one. */
static int take_percent(struct terms_token *t) {
  size_t i = t->at;
  for (int n = 0; n < 4 && (char_at(t, i) == ' ' || char_at(t, i) == '|'); n++)
    i++;
  if (char_at(t, i) == '%') {
    t->at = i + 1;
    return 1;
  }
  if (i == t->at + 1 && t->len - i >= 7 && strncasecmp(t->text + i, "percent", 7) == 0 &&
      ends_token(t, i + 7)) {
    t->at = i + 7;
    return 1;
  }
  return 0;
}

/* Length of the rest of a form's name at `at`, such as "-K", "-K/A", "-KSB", "-K405" after digits; or 0. */
static size_t form_rest(const struct terms_token *t) {
  if (char_at(t, t->at) != '-' || t->n > 2 || t->n == 0)
    return 0;
  char c = terms_lower(char_at(t, t->at + 1));
  if (c != 'k' && c != 'q' && c != 'f' && c != 'd')
    return 0;
  size_t end = t->at + 2;
  while (end < t->at + 5 && (class_at(t, end) == TERMS_LETTER || class_at(t, end) == TERMS_DIGIT))
    end++;
  if (class_at(t, end) == TERMS_LETTER || class_at(t, end) == TERMS_DIGIT)
    return 0;
  if (char_at(t, end) == '/' && (char_at(t, end + 1) | 32) == 'a' && ends_token(t, end + 2))
    end += 2;
  return end - t->at;
}

static enum terms_token_kind finish_number(struct terms_token *t) {
  struct slice number = normal_number(t);
  if (take_percent(t)) {
    t->bytes[number.data - t->bytes + (ptrdiff_t)number.len] = '%'; /* bytes[] has room beyond TERMS_MAX */
    number.len += number.len < TERMS_MAX;
  }
  return give_token(t, TOKEN_NUMBER, number);
}

/* A token that begins with a digit: a number, a form's name ("10-K"), or a word ("3M"). */
static enum terms_token_kind read_number(struct terms_token *t) {
  begin_token(t);
  push_digits(t);
  size_t end = t->at + form_rest(t);
  if (end > t->at) {
    for (; t->at < end; t->at++)
      push(t, terms_lower(t->text[t->at]));
    return give_token(t, TOKEN_EXACT, slice_of(t->bytes, t->n));
  }
  if (class_at(t, t->at) == TERMS_LETTER) {
    read_word_rest(t);
    return finish_word(t);
  }
  if (t->n <= 3)
    push_thousands(t);
  push_fraction(t);
  return finish_number(t);
}

/* Reads ".25" as "0.25". */
static enum terms_token_kind read_bare_fraction(struct terms_token *t) {
  begin_token(t);
  push(t, '0');
  push_fraction(t);
  return finish_number(t);
}

/* A non-ASCII character outside of a word: a CJK character alone, or the start of a word. */
static enum terms_token_kind read_high(struct terms_token *t) {
  uint32_t c;
  size_t n = utf8_decode(t->text + t->at, t->len - t->at, &c);
  if (n == 0 || terms_chars_is_separator(c)) {
    t->at += n ? n : 1;
    return TOKEN_NONE;
  }
  if (terms_chars_is_cjk(c)) {
    begin_token(t);
    t->at += n;
    return give_token(t, TOKEN_EXACT, slice_of(t->text + t->start, n));
  }
  return read_word(t);
}

/* Reads the token at `at`, or skips what starts none. */
static enum terms_token_kind terms_token_read(struct terms_token *t) {
  switch (terms_class_of(t->text[t->at])) {
  case TERMS_LETTER:
    return read_word(t);
  case TERMS_DIGIT:
    return read_number(t);
  case TERMS_HIGH:
    return read_high(t);
  default:
    if (t->text[t->at] == '.' && class_at(t, t->at + 1) == TERMS_DIGIT)
      return read_bare_fraction(t);
    t->at++;
    return TOKEN_NONE;
  }
}

/* ---- the scan ---- */

/* State of a scan, on the stack of terms_scan(). */
struct scan {
  struct terms *terms;
  struct terms_token token;
  unsigned flags;
  terms_function *f; /* NULL: hashes in batches */
  void *arg;
  uint32_t position;
};

static void terms_emit(struct scan *s, struct slice text, enum term_kind kind, uint64_t hash) {
  uint32_t position = s->position++;
  if (kind == TERM_STOP && !(s->flags & TERMS_STOPS))
    return;
  if (s->f == NULL) {
    terms_stems_add_hash(s->terms, hash, kind == TERM_NUMBER);
    return;
  }
  struct term t = {text, position, s->token.start, s->token.at, kind, hash};
  s->f(s->arg, &t);
}

static void emit_word(struct scan *s, struct slice word) {
  struct terms_stem stem = terms_stems_of(s->terms, word);
  if (stem.text.len == 0)
    terms_emit(s, word, TERM_STOP, 0);
  else
    terms_emit(s, stem.text, TERM_WORD, stem.hash);
}

static void emit_token(struct scan *s) {
  enum terms_token_kind kind = terms_token_read(&s->token);
  struct slice value = s->token.value;
  if (kind == TOKEN_WORD)
    emit_word(s, value);
  else if (kind != TOKEN_NONE)
    terms_emit(s, value, kind == TOKEN_NUMBER ? TERM_NUMBER : TERM_WORD, terms_hash(value));
}

static inline void emit_letters(struct scan *s, const char *p, size_t n) {
  char word[TERMS_STEMS_WORD];
  if (s->f == NULL) {
    terms_stems_add_letters(s->terms, p, n);
    return;
  }
  for (size_t i = 0; i < n; i++)
    word[i] = terms_lower(p[i]);
  emit_word(s, slice_of(word, n));
}

/* ---- words of ASCII letters ---- */

/* Bytes examined together; words start in them and end at most PIECE bytes after. */
#define WINDOW 64
#define PIECE 32

/* Bitmaps of a window, one bit per byte. */
struct window {
  uint64_t letters; /* ASCII letters */
  uint64_t begins;  /* a term may start here */
  uint64_t marks;   /* a word may continue across this character, or include it */
};

/* The bytes of a window by kind, one bit each. */
struct looks {
  uint64_t letters, digits, high, dots, marks; /* marks: an apostrophe or an ampersand */
};

#ifdef __SSE2__
/* The bits of the bytes from low to low + span, of sixteen. */
static inline uint64_t looks_between(__m128i bytes, char low, char span) {
  __m128i off = _mm_sub_epi8(bytes, _mm_set1_epi8(low));
  return (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(off, _mm_set1_epi8(span)), off));
}

static inline void looks_take(const char *p, int at, struct looks *l) {
  __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(p + at));
  l->letters |= looks_between(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), 'a', 25) << at;
  l->digits |= looks_between(bytes, '0', 9) << at;
  l->high |= (uint64_t)(unsigned)_mm_movemask_epi8(bytes) << at;
  l->dots |= looks_between(bytes, '.', 0) << at;
  l->marks |= looks_between(bytes, '&', 1) << at;
}
#else
static inline void looks_take(const char *p, int at, struct looks *l) {
  for (int i = at; i < at + 16; i++) {
    enum terms_class class = terms_class_of(p[i]);
    l->letters |= (uint64_t)(class == TERMS_LETTER) << i;
    l->digits |= (uint64_t)(class == TERMS_DIGIT) << i;
    l->high |= (uint64_t)(class == TERMS_HIGH) << i;
    l->dots |= (uint64_t)(p[i] == '.') << i;
    l->marks |= (uint64_t)(p[i] == '&' || p[i] == '\'') << i;
  }
}
#endif

static void terms_look_at(const char *p, struct window *w) {
  struct looks l = {0};
  for (int i = 0; i < WINDOW; i += 16)
    looks_take(p, i, &l);
  w->letters = l.letters;
  w->begins =
      l.letters | l.digits | l.high | (l.dots & (l.digits >> 1 | (uint64_t)1 << (WINDOW - 1))); /* ".25" */
  w->marks = l.digits | l.high | l.marks;
}

/* "U.S.", "S-1", "US", "DEF 14A"; n is unpredictable, so there is one branch for all. */
static inline int is_special(const char *p, size_t n) {
  unsigned a = (unsigned char)p[0] | 32, b = (unsigned char)p[1] | 32, c = (unsigned char)p[2] | 32;
  unsigned one = (n == 1) & (p[1] != ' '), two = (n == 2) & ((a ^ 'u') + (b ^ 's') == 0);
  return (int)(one | two | ((n == 3) & ((a ^ 'd') + (b ^ 'e') + (c ^ 'f') == 0)));
}

/* Length of the word of ASCII letters at p + at, where it certainly ends within the window and needs no special
 * treatment; else 0. */
static inline size_t plain_length(const struct window *w, const char *p, size_t at) {
  uint64_t others = ~(w->letters >> at);
  size_t n = others ? (size_t)__builtin_ctzll(others) : WINDOW;
  if (n == 0 || n > TERMS_STEMS_WORD || at + n >= WINDOW || (w->marks >> (at + n) & 1))
    return 0;
  return is_special(p + at, n) ? 0 : n;
}

/* Reads the terms that start in the next WINDOW bytes; a word that may end after them is left for the next call. */
static void read_window(struct scan *s) {
  struct terms_token *t = &s->token;
  char end[WINDOW + PIECE] = "";
  size_t from = t->at, at = 0;
  const char *p = t->text + from;
  if (t->len - from < sizeof end)
    p = memcpy(end, p, t->len - from);
  struct window w;
  terms_look_at(p, &w);
  while (at < WINDOW && w.begins >> at) {
    at += (size_t)__builtin_ctzll(w.begins >> at);
    t->start = t->at = from + at;
    size_t n = plain_length(&w, p, at);
    if (n > 0) {
      t->at += n;
      emit_letters(s, p + at, n);
    } else if (at > WINDOW / 2 && w.letters >> at == UINT64_MAX >> at)
      return;
    else
      emit_token(s);
    at = t->at - from;
  }
  if (at < WINDOW) /* no other term starts here */
    t->at = t->len - from < WINDOW ? t->len : from + WINDOW;
}

static uint32_t terms_read(struct scan *s, struct slice text) {
  s->token.text = text.data;
  s->token.len = text.len;
  while (s->token.at < text.len)
    if (s->flags & TERMS_SIMPLE)
      emit_token(s);
    else
      read_window(s);
  return s->position;
}

uint32_t terms_scan(struct terms *t, struct slice text, unsigned flags, terms_function *f, void *arg) {
  struct scan s = {.terms = t, .flags = flags, .f = f, .arg = arg};
  return terms_read(&s, text);
}

void terms_each_batch(struct terms *t, struct slice text, terms_batch_function *f, void *arg) {
  struct scan s = {.terms = t};
  terms_stems_begin(t, f, arg);
  terms_read(&s, text);
  terms_stems_end(t);
}

/* Output of terms_hashes(). */
struct terms_list {
  uint64_t *hashes; /* [max] */
  size_t count, max, numbers;
};

static void terms_append(void *arg, const struct terms_batch *b) {
  struct terms_list *l = arg;
  for (size_t i = 0; i < b->count && l->count < l->max; i++) {
    l->hashes[l->count++] = (b->hash[i] & ~TERMS_NUMBER) | b->number[i];
    l->numbers += b->number[i];
  }
}

size_t terms_hashes(struct terms *t, struct slice text, uint64_t *hashes, size_t max, size_t *numbers) {
  struct terms_list l = {hashes, 0, max, 0};
  terms_each_batch(t, text, terms_append, &l);
  *numbers = l.numbers;
  return l.count;
}
