/* terms.c: the tokenizer for BM25.
 *
 * One pass over the bytes.  A class table selects a reader of words or of numbers at each position; both fill
 * `token`, lower-cased.  Words of ASCII letters between blanks, almost all of them, are found 64 bytes at a time and
 * read in one piece.  Stems are cached by the word's hash, since Snowball takes about 300 ns per word and texts
 * repeat themselves: a filing of 60,000 words has about 5,000 distinct ones.
 */
#include "text/terms.h"

#include "base/hash.h"
#include "base/diag.h"
#include "base/utf8.h"
#include "tables/stop_words.h"

#include <libstemmer.h>
#include <stdlib.h>
#include <strings.h>

#define CACHE_BITS 15
#define CACHE_BITS_SMALL 11
#define CACHE_WORD 30

/* A word of at most CACHE_WORD bytes, zero-padded. */
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

struct terms {
  struct sb_stemmer *stemmer;
  struct cached *room;
  struct cached *cache; /* in `room`, aligned to a line: 1 << bits */
  union stem *stems;    /* for the same entries */
  unsigned bits;
  char stem[TERMS_MAX];
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

/* State of terms_each_batch(). */
struct harvest {
  struct awaited awaited[TERMS_BATCH];
  size_t waiting;
  terms_batch_function *f;
  void *arg;
};

/* State of a scan, on the stack of terms_scan(). */
struct scan {
  struct terms *terms;
  const char *text;
  size_t len, at; /* at: next byte to read */
  unsigned flags;
  terms_function *f;
  void *arg;
  struct harvest *harvest; /* where f is NULL */
  uint32_t position;
  size_t start; /* offset of the token */
  char token[TERMS_MAX + 8];
  size_t n; /* length of token */
  int has_letter, all_upper, acronym;
};

enum { SEP, LETTER, DIGIT, HIGH };

static uint8_t class_of[256];
static char lower_of[256];

__attribute__((constructor)) static void make_classes(void) {
  for (int c = 0; c < 256; c++) {
    int upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z', digit = c >= '0' && c <= '9';
    class_of[c] = (uint8_t)(upper || lower ? LETTER : digit ? DIGIT : c >= 128 ? HIGH : SEP);
    lower_of[c] = (char)(upper ? c + 32 : c);
  }
}

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

static struct slice terms_stem_of(const struct terms *t, const struct cached *c) {
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

/* The cache entry of a word of 1 to CACHE_WORD bytes. */
static const struct cached *terms_look_up(struct terms *t, const union terms_word *word, size_t len) {
  uint64_t hash = hash_word(word);
  struct cached *c = terms_place_of(t, hash);
  return is_entry(c, hash) ? c : look_further(t, c, word, len, hash);
}

static const struct cached *look_up_slice(struct terms *t, struct slice text) {
  union terms_word word = {.part = {0}};
  memcpy(word.bytes, text.data, text.len);
  return terms_look_up(t, &word, text.len);
}

struct slice terms_stem(struct terms *t, struct slice word) {
  if (word.len == 0 || word.len > CACHE_WORD)
    return word.len ? stem_slowly(t, word) : word;
  const struct cached *c = look_up_slice(t, word);
  return stem_len(c) ? terms_stem_of(t, c) : stem_slowly(t, word);
}

/* Which words are function words is unpredictable, so no branch depends on it. */
static void take_awaited(struct terms *t, struct harvest *h) {
  struct terms_batch b;
  b.count = 0;
  for (size_t i = 0; i < h->waiting; i++) {
    const struct awaited *a = &h->awaited[i];
    const struct cached *c = a->entry;
    if (!is_entry(c, a->hash))
      c = look_further(t, &t->cache[c - t->cache], &a->word, a->len, a->hash);
    b.hash[b.count] = c->hash;
    b.number[b.count] = a->number;
    b.count += stem_len(c) > 0;
  }
  h->waiting = 0;
  if (b.count)
    h->f(h->arg, &b);
}

static inline struct awaited *next_awaited(struct scan *s) {
  if (s->harvest->waiting == TERMS_BATCH)
    take_awaited(s->terms, s->harvest);
  return &s->harvest->awaited[s->harvest->waiting++];
}

static void await_known(struct scan *s, enum term_kind kind, uint64_t hash) {
  if (kind == TERM_STOP)
    return;
  struct awaited *a = next_awaited(s);
  a->entry = &a->own;
  a->own = (struct cached){.tag = 1, .hash = hash};
  a->hash = 0;
  a->number = kind == TERM_NUMBER;
}

static inline void emit_hashed(struct scan *s, struct slice text, enum term_kind kind, uint64_t hash) {
  uint32_t position = s->position++;
  if (s->f == NULL) {
    await_known(s, kind, hash);
    return;
  }
  if (kind == TERM_STOP && !(s->flags & TERMS_STOPS))
    return;
  struct term t = {text, position, s->start, s->at, kind, hash};
  s->f(s->arg, &t);
}

static void terms_emit(struct scan *s, struct slice text, enum term_kind kind) {
  emit_hashed(s, text, kind, kind == TERM_STOP ? 0 : terms_hash(text));
}

static void emit_cached(struct scan *s, const struct cached *c, struct slice word) {
  if (stem_len(c) == 0)
    emit_hashed(s, word, TERM_STOP, 0);
  else
    emit_hashed(s, terms_stem_of(s->terms, c), TERM_WORD, c->hash);
}

static inline void push(struct scan *s, char c) {
  if (s->n < TERMS_MAX)
    s->token[s->n++] = c;
}

static inline int class_at(const struct scan *s, size_t i) {
  return i < s->len ? class_of[(uint8_t)s->text[i]] : SEP;
}

static inline char char_at(const struct scan *s, size_t i) {
  return i < s->len ? s->text[i] : '\0';
}

/* Base letters of U+00C0 to U+017F, one character each; the few that become two are handled separately. */
static const char latin[] = "aaaaaaaceeeeiiiidnooooo*ouuuuypsaaaaaaaceeeeiiiidnooooo/ouuuuypy"
                            "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllll"
                            "lllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";

static int is_cjk(uint32_t c) {
  return (c >= 0x3040 && c <= 0x30ff) || (c >= 0x3400 && c <= 0x9fff) || (c >= 0xac00 && c <= 0xd7a3) ||
         (c >= 0xf900 && c <= 0xfaff) || (c >= 0x20000 && c <= 0x3ffff);
}

/* Punctuation, symbols, spaces, private use: characters that end a word. */
static int is_separator(uint32_t c) {
  return c < 0xaa || (c > 0xaa && c < 0xc0 && c != 0xb5 && c != 0xba && c != 0xad) || c == 0xd7 ||
         c == 0xf7 || (c >= 0x2000 && c <= 0x2bff) || (c >= 0x3000 && c <= 0x303f) ||
         (c >= 0xe000 && c <= 0xf8ff) || (c >= 0xfe10 && c <= 0xfe6f) || (c >= 0xff00 && c <= 0xff0f) ||
         c >= 0xfff0;
}

static uint32_t fold(uint32_t c) {
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

/* Reads one non-ASCII character into the token.  0 where the word ends before it. */
static int push_high(struct scan *s) {
  uint32_t c;
  size_t n = utf8_decode(s->text + s->at, s->len - s->at, &c);
  int mark = c == 0xad || (c >= 0x300 && c <= 0x36f);
  if (n == 0 || (!mark && (is_separator(c) || is_cjk(c))))
    return 0;
  s->at += n;
  if (mark)
    return 1;
  c = fold(c);
  char bytes[4];
  size_t m = utf8_encode(c, bytes);
  if (s->n + m <= TERMS_MAX)
    memcpy(s->token + s->n, bytes, m), s->n += m;
  s->has_letter = 1;
  s->all_upper = 0;
  return 1;
}

/* Length of an apostrophe (' or U+2019) at i, or 0. */
static size_t apostrophe_at(const struct scan *s, size_t i) {
  if (char_at(s, i) == '\'')
    return 1;
  return s->len - i >= 3 && memcmp(s->text + i, "\xe2\x80\x99", 3) == 0 ? 3 : 0;
}

static int terms_ends_word(const struct scan *s, size_t i) {
  return class_at(s, i) == SEP || (class_at(s, i) == HIGH && (uint8_t)char_at(s, i) == 0xe2);
}

/* After a word's letters: drops "'s" and skips any other apostrophe inside a word.  1 to go on. */
static int over_apostrophe(struct scan *s, size_t length) {
  size_t next = s->at + length;
  char c = lower_of[(uint8_t)char_at(s, next)];
  if (c == 's' && terms_ends_word(s, next + 1)) {
    s->at = next + 1;
    return 0;
  }
  if (class_at(s, next) != LETTER)
    return 0;
  s->at = next;
  return 1;
}

/* Skips the dot in "U.S." or takes the ampersand in "R&D": 1 where the word continues after it. */
static int over_mark(struct scan *s) {
  char c = char_at(s, s->at);
  if (c == '&' && s->n > 0 && s->n <= 4 && class_at(s, s->at + 1) == LETTER) {
    push(s, '&');
    s->at++;
    return 1;
  }
  int single = s->has_letter && (s->acronym || s->n == 1);
  if (c != '.' || !single)
    return 0;
  if (class_at(s, s->at + 1) == LETTER && class_at(s, s->at + 2) != LETTER &&
      class_at(s, s->at + 2) != DIGIT) {
    s->acronym = 1;
    s->at++;
    return 1;
  }
  if (s->acronym)
    s->at++; /* the final dot */
  return 0;
}

static void read_word_rest(struct scan *s) {
  while (s->at < s->len) {
    unsigned char c = (unsigned char)s->text[s->at];
    int class = class_of[c];
    size_t apostrophe;
    if (class == LETTER || class == DIGIT) {
      push(s, lower_of[c]);
      s->has_letter |= class == LETTER;
      s->all_upper &= c < 'a';
      s->at++;
    } else if ((class == HIGH || c == '\'') && (apostrophe = apostrophe_at(s, s->at)) != 0) {
      if (!over_apostrophe(s, apostrophe))
        return;
    } else if (class == HIGH ? !push_high(s) : !over_mark(s))
      return;
  }
}

/* "S-1", "F-3": a capital, a hyphen, one or two digits. */
static void join_short_form(struct scan *s) {
  if (s->n != 1 || !s->all_upper || (s->token[0] != 's' && s->token[0] != 'f') || char_at(s, s->at) != '-')
    return;
  size_t end = s->at + 1;
  while (class_at(s, end) == DIGIT)
    end++;
  if (end == s->at + 1 || end > s->at + 3 || class_at(s, end) == LETTER)
    return;
  for (; s->at < end; s->at++)
    push(s, s->text[s->at]);
}

/* Converts "FY2018" and "FY18" to "2018": 1 where it was one. */
static int terms_fiscal_year(struct scan *s) {
  if (s->token[0] != 'f' || (s->n != 6 && s->n != 4) || memcmp(s->token, "fy", 2) != 0)
    return 0;
  for (size_t i = 2; i < s->n; i++)
    if (class_of[(uint8_t)s->token[i]] != DIGIT)
      return 0;
  char year[5] = "20";
  memcpy(s->n == 6 ? year : year + 2, s->token + 2, s->n - 2);
  terms_emit(s, slice_of(year, 4), TERM_NUMBER);
  return 1;
}

/* Writes "10k" as "10-k"; joins "DEF 14A". */
static int form_name(struct scan *s) {
  if (class_of[(uint8_t)s->token[0]] != DIGIT && s->token[0] != 'd')
    return 0;
  static const char *const glued[] = {"10k", "10q", "8k", "6k", "20f", "40f"};
  for (size_t i = 0; i < sizeof glued / sizeof *glued; i++) {
    size_t n = strlen(glued[i]);
    if (s->n != n || memcmp(s->token, glued[i], n) != 0)
      continue;
    s->token[n] = s->token[n - 1];
    s->token[n - 1] = '-';
    terms_emit(s, slice_of(s->token, n + 1), TERM_WORD);
    return 1;
  }
  if (s->n == 3 && memcmp(s->token, "def", 3) == 0 && s->len - s->at >= 4 && s->text[s->at + 1] == '1' &&
      s->text[s->at + 2] == '4' && (s->text[s->at + 3] | 32) == 'a' && terms_ends_word(s, s->at + 4)) {
    s->at += 4;
    terms_emit(s, slice_str("def14a"), TERM_WORD);
    return 1;
  }
  return 0;
}

static void finish_word(struct scan *s) {
  struct slice word = slice_of(s->token, s->n);
  if (s->n == 0)
    return;
  if (s->n == 2 && memcmp(s->token, "us", 2) == 0 && (s->acronym || s->all_upper)) {
    terms_emit(s, slice_str("usa"), TERM_WORD);
    return;
  }
  if (s->n <= 6 && (form_name(s) || terms_fiscal_year(s)))
    return;
  if (s->n > CACHE_WORD) {
    terms_emit(s, stem_slowly(s->terms, word), TERM_WORD);
    return;
  }
  emit_cached(s, look_up_slice(s->terms, word), word);
}

static void begin_token(struct scan *s) {
  s->start = s->at;
  s->n = 0;
  s->has_letter = s->acronym = 0;
  s->all_upper = 1;
}

static void read_word(struct scan *s) {
  begin_token(s);
  read_word_rest(s);
  join_short_form(s);
  if (s->at == s->start) /* a byte that starts no word: invalid UTF-8, a non-ASCII separator */
    s->at++;
  else
    finish_word(s);
}

static void push_digits(struct scan *s) {
  while (class_at(s, s->at) == DIGIT)
    push(s, s->text[s->at++]);
}

/* Reads ",ddd" after one to three digits, repeatedly. */
static void push_thousands(struct scan *s) {
  while (char_at(s, s->at) == ',' && class_at(s, s->at + 1) == DIGIT && class_at(s, s->at + 2) == DIGIT &&
         class_at(s, s->at + 3) == DIGIT && class_at(s, s->at + 4) != DIGIT) {
    s->at++;
    push_digits(s);
  }
}

static void push_fraction(struct scan *s) {
  if (char_at(s, s->at) != '.' || class_at(s, s->at + 1) != DIGIT)
    return;
  push(s, '.');
  s->at++;
  push_digits(s);
}

/* Normalises "007.50" to "7.5". */
static struct slice normal_number(struct scan *s) {
  char *start = s->token, *end = s->token + s->n;
  if (memchr(start, '.', s->n) != NULL) {
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
static int take_percent(struct scan *s) {
  size_t i = s->at;
  for (int n = 0; n < 4 && (char_at(s, i) == ' ' || char_at(s, i) == '|'); n++)
    i++;
  if (char_at(s, i) == '%') {
    s->at = i + 1;
    return 1;
  }
  if (i == s->at + 1 && s->len - i >= 7 && strncasecmp(s->text + i, "percent", 7) == 0 &&
      terms_ends_word(s, i + 7)) {
    s->at = i + 7;
    return 1;
  }
  return 0;
}

/* Length of the rest of a form's name at `at`, such as "-K", "-K/A", "-KSB", "-K405" after digits; or 0. */
static size_t form_rest(const struct scan *s) {
  if (char_at(s, s->at) != '-' || s->n > 2 || s->n == 0)
    return 0;
  char c = lower_of[(uint8_t)char_at(s, s->at + 1)];
  if (c != 'k' && c != 'q' && c != 'f' && c != 'd')
    return 0;
  size_t end = s->at + 2;
  while (end < s->at + 5 && (class_at(s, end) == LETTER || class_at(s, end) == DIGIT))
    end++;
  if (class_at(s, end) == LETTER || class_at(s, end) == DIGIT)
    return 0;
  if (char_at(s, end) == '/' && (char_at(s, end + 1) | 32) == 'a' && terms_ends_word(s, end + 2))
    end += 2;
  return end - s->at;
}

static void terms_read_number(struct scan *s) {
  begin_token(s);
  push_digits(s);
  size_t rest = form_rest(s);
  if (rest > 0 || class_at(s, s->at) == LETTER) {
    for (size_t end = s->at + rest; s->at < end; s->at++)
      push(s, lower_of[(uint8_t)s->text[s->at]]);
    if (rest == 0)
      read_word_rest(s);
    if (rest > 0)
      terms_emit(s, slice_of(s->token, s->n), TERM_WORD);
    else
      finish_word(s);
    return;
  }
  if (s->n <= 3)
    push_thousands(s);
  push_fraction(s);
  struct slice number = normal_number(s);
  if (take_percent(s)) {
    ((char *)number.data)[number.len] = '%'; /* token has room beyond TERMS_MAX */
    number.len += number.len < TERMS_MAX;
  }
  terms_emit(s, number, TERM_NUMBER);
}

/* Reads ".25" as "0.25". */
static void read_bare_fraction(struct scan *s) {
  begin_token(s);
  push(s, '0');
  push_fraction(s);
  struct slice number = normal_number(s);
  if (take_percent(s)) {
    ((char *)number.data)[number.len] = '%';
    number.len += number.len < TERMS_MAX;
  }
  terms_emit(s, number, TERM_NUMBER);
}

/* A non-ASCII character outside of a word: a CJK character alone, or the start of a word. */
static void read_high(struct scan *s) {
  uint32_t c;
  size_t n = utf8_decode(s->text + s->at, s->len - s->at, &c);
  if (n == 0 || is_separator(c)) {
    s->at += n ? n : 1;
  } else if (is_cjk(c)) {
    begin_token(s);
    s->at += n;
    terms_emit(s, slice_of(s->text + s->start, n), TERM_WORD);
  } else if (c >= 0xff10 && c <= 0xff19) {
    begin_token(s); /* full-width digits: one word, converted to ASCII */
    read_word_rest(s);
    finish_word(s);
  } else
    read_word(s);
}

/* Reads the next term byte by byte, or skips what starts none. */
static void read_slowly(struct scan *s) {
  switch (class_of[(uint8_t)s->text[s->at]]) {
  case LETTER:
    read_word(s);
    break;
  case DIGIT:
    terms_read_number(s);
    break;
  case HIGH:
    read_high(s);
    break;
  default:
    if (s->text[s->at] == '.' && class_at(s, s->at + 1) == DIGIT)
      read_bare_fraction(s);
    else
      s->at++;
  }
}

/* ---- fast path ---- */

/* Bytes examined together; words start in them and end at most PIECE bytes after. */
#define WINDOW 64
#define PIECE 32

/* Bitmaps of a window, one bit per byte. */
struct window {
  uint64_t letters; /* ASCII letters */
  uint64_t begins;  /* a term may start here */
  uint64_t marks;   /* a word may continue across this character, or include it */
};

/* Bits of looks_of[], what a byte may be in a window. */
enum { LOOKS_LETTER, LOOKS_START, LOOKS_DIGIT, LOOKS_DOT, LOOKS_MARK };
static uint8_t looks_of[256];

__attribute__((constructor)) static void make_looks(void) {
  for (int c = 0; c < 256; c++) {
    int letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'), digit = c >= '0' && c <= '9',
        high = c >= 128;
    looks_of[c] =
        (uint8_t)(letter << LOOKS_LETTER | (letter || digit || high) << LOOKS_START | digit << LOOKS_DIGIT |
                  (c == '.') << LOOKS_DOT | (digit || high || c == '\'' || c == '&') << LOOKS_MARK);
  }
}

/* The same bit of eight bytes, as eight adjacent bits: the multiplication moves bit 8 i to 56 + i. */
static inline uint64_t gather_bit(uint64_t bytes, unsigned bit) {
  return ((bytes >> bit & 0x0101010101010101) * 0x0102040810204080) >> 56;
}

static void terms_look_at(const char *p, struct window *w) {
  uint64_t digits = 0, dots = 0;
  w->letters = w->begins = w->marks = 0;
  for (int i = 0; i < WINDOW; i += 8) {
    uint64_t looks = 0;
    for (int k = 0; k < 8; k++)
      looks |= (uint64_t)looks_of[(uint8_t)p[i + k]] << 8 * k;
    w->letters |= gather_bit(looks, LOOKS_LETTER) << i;
    w->begins |= gather_bit(looks, LOOKS_START) << i;
    w->marks |= gather_bit(looks, LOOKS_MARK) << i;
    digits |= gather_bit(looks, LOOKS_DIGIT) << i;
    dots |= gather_bit(looks, LOOKS_DOT) << i;
  }
  w->begins |= dots & (digits >> 1 | (uint64_t)1 << (WINDOW - 1)); /* ".25" */
}

static void load_word(const char *p, size_t n, union terms_word *w) {
  memset(w, 0, sizeof *w);
  for (size_t i = 0; i < n; i++)
    w->bytes[i] = lower_of[(uint8_t)p[i]];
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
  if (n == 0 || n > CACHE_WORD || at + n >= WINDOW || (w->marks >> (at + n) & 1))
    return 0;
  return is_special(p + at, n) ? 0 : n;
}

static inline void await_word(struct scan *s, const char *p, size_t n) {
  struct awaited *a = next_awaited(s);
  load_word(p, n, &a->word);
  a->hash = hash_word(&a->word);
  a->entry = terms_place_of(s->terms, a->hash);
  a->len = (uint8_t)n;
  a->number = 0;
  __builtin_prefetch(a->entry);
}

static void terms_emit_word(struct scan *s, const char *p, size_t n) {
  union terms_word word;
  load_word(p, n, &word);
  emit_cached(s, terms_look_up(s->terms, &word, n), slice_of(word.bytes, n));
}

/* Reads the terms that start in the next WINDOW bytes; a word that may end after them is left for the next call. */
static void read_window(struct scan *s) {
  char end[WINDOW + PIECE] = "";
  size_t from = s->at, at = 0;
  const char *p = s->text + from;
  if (s->len - from < sizeof end)
    p = memcpy(end, p, s->len - from);
  struct window w;
  terms_look_at(p, &w);
  while (at < WINDOW && w.begins >> at) {
    at += (size_t)__builtin_ctzll(w.begins >> at);
    s->start = s->at = from + at;
    size_t n = plain_length(&w, p, at);
    if (n > 0) {
      s->at += n;
      if (s->f == NULL)
        await_word(s, p + at, n);
      else
        terms_emit_word(s, p + at, n);
    } else if (at > WINDOW / 2 && w.letters >> at == UINT64_MAX >> at)
      return;
    else
      read_slowly(s);
    at = s->at - from;
  }
  if (at < WINDOW) /* no other term starts here */
    s->at = s->len - from < WINDOW ? s->len : from + WINDOW;
}

static void scan(struct scan *s) {
  while (s->at < s->len)
    if (s->flags & TERMS_SIMPLE)
      read_slowly(s);
    else
      read_window(s);
}

uint32_t terms_scan(struct terms *t, struct slice text, unsigned flags, terms_function *f, void *arg) {
  struct scan s = {.terms = t, .text = text.data, .len = text.len, .flags = flags, .f = f, .arg = arg};
  scan(&s);
  return s.position;
}

void terms_each_batch(struct terms *t, struct slice text, terms_batch_function *f, void *arg) {
  struct harvest h;
  h.waiting = 0;
  h.f = f;
  h.arg = arg;
  struct scan s = {.terms = t, .text = text.data, .len = text.len, .harvest = &h};
  scan(&s);
  take_awaited(t, &h);
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
