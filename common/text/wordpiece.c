/* wordpiece.c: BERT's uncased WordPiece, after google-research/bert tokenization.py and the tokenizers library
 * (BertNormalizer, BertPreTokenizer, WordPiece); gives the same ids.
 *
 * Almost all text of filings is ASCII words that are in the vocabulary as a whole, so that case costs one table
 * look-up per word: a word of at most 16 bytes is loaded as two integers, lower-cased by one OR (letters and digits
 * only), and found in an open-addressing table whose entries hold those integers.  No byte of the vocabulary is read.
 *
 * A word that is not in it is split greedily.  Instead of trying each length, a bitmap for the next two bytes tells
 * which lengths the tokens with that beginning have.  A trie was rejected: it reads memory once per byte, and this
 * object is built at every start of a program (1.3 to 2.3 ms, test/bench/wordpiece_bench.c).
 *
 * Anything else (non-ASCII characters, control characters, long words) is processed character by character through
 * the tables of wordpiece_unicode.h into a buffer that records, for each byte, its origin in the text.
 */
#include "text/wordpiece.h"

#include "base/utf8.h"
#include "text/vocabulary_index.h"
#include "text/wordpiece_unicode.h"

#include <stdlib.h>
#include <sys/mman.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define HUGE_PAGE ((size_t)2 << 20)
#define KEY_BYTES 16     /* longest token in the fast tables */
#define TOKEN_BYTES 63   /* longest token at all: one bit per length */
#define WORD_CHARS 100   /* a longer word becomes [UNK] */
#define WORD_BYTES 512   /* WORD_CHARS characters, one mapping, and over-read by key loads */
#define VOCAB_MAX 262144 /* tokens */
#define MEMORY_BITS 15   /* log2 of the words in a memo: 800 KB, which fits many L2 caches */
#define PARTS 4          /* maximum tokens of a cached word */

/* A token of up to KEY_BYTES bytes, zero-padded. */
struct wordpiece_entry {
  uint64_t low, high;
  int32_t next; /* id + 1; 0 marks a free slot, so that zeroed memory is an empty table */
};

/* A longer token, by its offset in the vocabulary. */
struct long_token {
  const char *text;
  uint32_t len;
  int32_t id;
};

/* The tokens that may start a word, or those that may continue one (without "##"). */
struct wordpiece_table {
  struct wordpiece_entry *slots;
  unsigned shift; /* 64 - log2 of the number of slots */
  size_t mask;
  struct long_token *longs; /* few; searched linearly */
  size_t long_count, long_cap;
  uint64_t lengths[4096]; /* by pair_of(): bit n is set where a token with that beginning has n bytes */
};

struct wordpiece {
  struct wordpiece_table first, rest;
  size_t size;
  int32_t unknown;
  struct vocabulary_index order;  /* used instead of the tables, which are then empty */
  struct wordpiece_entry none[2]; /* the slots of empty tables */
  void *map;                      /* mapping that contains the slots of both tables */
  size_t mapped;
  uint8_t *continues;  /* one per token */
  int32_t single[128]; /* ASCII characters that are tokens by themselves */
};

/* Output of tokens. */
struct sink {
  const struct wordpiece *w;
  int32_t *ids;     /* or NULL */
  uint32_t *starts; /* or NULL */
  size_t max, count;
  struct wordpiece_memo *memo; /* where starts are places, as of wordpiece_places(); else NULL */
  size_t base;                 /* for those: offset of this part in the whole text */
};

/* Positions of the tokens of a recently seen word: twice the offset, plus 1 except for the first. */
struct memory {
  uint64_t low, high;    /* the word's key; never both 0 */
  uint8_t places[PARTS]; /* relative to the word's own place */
  uint32_t count;        /* 0 where there are more than PARTS */
};

struct wordpiece_memo {
  const struct wordpiece *w;
  struct memory slots[1 << MEMORY_BITS];
};

/* A word being processed in the slow path. */
struct wordpiece_word {
  size_t len;     /* length in bytes */
  size_t chars;   /* characters; beyond WORD_CHARS they are only counted */
  uint32_t start; /* offset in text of the first character */
  char text[WORD_BYTES];
  uint32_t from[WORD_BYTES]; /* offset in text that each byte came from */
};

enum ascii_class { ASCII_DROP, ASCII_SPACE, ASCII_PUNCT, ASCII_WORD, ASCII_NOT };

/* C0 controls except tab, newline and return are dropped, as in BERT's clean-up, including form feeds. */
#define D ASCII_DROP
#define S ASCII_SPACE
#define P ASCII_PUNCT
#define W ASCII_WORD
#define N ASCII_NOT
/* clang-format off */
static const uint8_t ascii_class[256] = {
    D, D, D, D, D, D, D, D, D, S, S, D, D, S, D, D,
    D, D, D, D, D, D, D, D, D, D, D, D, D, D, D, D,
    S, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P,
    W, W, W, W, W, W, W, W, W, W, P, P, P, P, P, P,
    P, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,
    W, W, W, W, W, W, W, W, W, W, W, P, P, P, P, P,
    P, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,
    W, W, W, W, W, W, W, W, W, W, W, P, P, P, P, D,
    N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N,
    N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N,
    N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N,
    N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N,
    N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N,
    N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N,
    N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N,
    N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N,
};
/* clang-format on */
#undef D
#undef S
#undef P
#undef W
#undef N

/* --- tables --- */

static const unsigned char key_mask[2 * KEY_BYTES] = {255, 255, 255, 255, 255, 255, 255, 255,
                                                      255, 255, 255, 255, 255, 255, 255, 255};

static inline uint64_t load64(const void *at) {
  uint64_t v;
  memcpy(&v, at, sizeof v);
  return v;
}

/* The key of text[0..len), len <= KEY_BYTES; reads KEY_BYTES bytes of text. */
static inline struct wordpiece_entry wordpiece_key_of(const char *text, size_t len) {
  const unsigned char *mask = key_mask + KEY_BYTES - len;
  struct wordpiece_entry e = {load64(text) & load64(mask), load64(text + 8) & load64(mask + 8), 0};
  return e;
}

static inline size_t wordpiece_slot_of(const struct wordpiece_table *t, struct wordpiece_entry key) {
  uint64_t h = (key.low ^ (key.high * 0x9E3779B97F4A7C15u)) * 0xD6E8FEB86659FD93u;
  return (size_t)((h ^ (h << 29)) >> t->shift);
}

static inline int32_t find_key(const struct wordpiece_table *t, struct wordpiece_entry key) {
  for (size_t i = wordpiece_slot_of(t, key);; i = (i + 1) & t->mask) {
    const struct wordpiece_entry *e = &t->slots[i];
    if ((e->low == key.low && e->high == key.high) || e->next == 0)
      return e->next - 1;
  }
}

static int32_t find_long(const struct wordpiece_table *t, const char *text, size_t len) {
  for (size_t i = t->long_count; i-- > 0;)
    if (t->longs[i].len == len && memcmp(t->longs[i].text, text, len) == 0)
      return t->longs[i].id;
  return -1;
}

/* Twelve bits of a token's first two bytes (0 for a missing second byte); collisions only cost a failed look-up. */
static inline unsigned six_bits(unsigned char c) {
  return c >= 'a' && c <= 'z' ? c - 'a' + 1u : c >= '0' && c <= '9' ? c - '0' + 27u : 37u + c % 27u;
}

static inline unsigned pair_of(const char *text, size_t len) {
  return six_bits((unsigned char)text[0]) << 6 | (len > 1 ? six_bits((unsigned char)text[1]) : 0);
}

/* Twice the number of tokens, rounded up to a power of two. */
static unsigned slot_bits(size_t tokens) {
  unsigned bits = 8;
  while (((size_t)1 << bits) < 2 * tokens)
    bits++;
  return bits;
}

static struct wordpiece_entry *wordpiece_table_init(struct wordpiece_table *t, unsigned bits,
                                                    struct wordpiece_entry *slots) {
  t->shift = 64 - bits;
  t->mask = ((size_t)1 << bits) - 1;
  t->slots = slots;
  return slots + t->mask + 1;
}

/* The slots of both tables in zeroed memory that the kernel may back with one huge page: saves five hundred page
 * faults at every start. */
static void tables_init(struct wordpiece *w, size_t first, size_t rest) {
  unsigned first_bits = slot_bits(first), rest_bits = slot_bits(rest);
  size_t slots = ((size_t)1 << first_bits) + ((size_t)1 << rest_bits);
  w->mapped = slots * sizeof(struct wordpiece_entry) + 2 * HUGE_PAGE;
  w->map = mmap(NULL, w->mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (w->map == MAP_FAILED)
    diag_oom();
  char *aligned = (char *)(((uintptr_t)w->map + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1));
  (void)madvise(aligned, w->mapped - HUGE_PAGE, MADV_HUGEPAGE);
  wordpiece_table_init(
      &w->rest, rest_bits,
      wordpiece_table_init(&w->first, first_bits, (struct wordpiece_entry *)(void *)aligned));
}

static void add_long(struct wordpiece_table *t, const char *text, size_t len, int32_t id) {
  if (t->long_count == t->long_cap) {
    t->long_cap = t->long_cap ? 2 * t->long_cap : 64;
    t->longs = xreallocarray(t->longs, t->long_cap, sizeof *t->longs);
  }
  t->longs[t->long_count++] = (struct long_token){text, (uint32_t)len, id};
}

static void add_lengths(struct wordpiece_table *t, const char *text, size_t len) {
  if (len > 1) {
    t->lengths[pair_of(text, len)] |= (uint64_t)1 << len;
    return;
  }
  for (unsigned second = 0; second < 64; second++)
    t->lengths[six_bits((unsigned char)text[0]) << 6 | second] |= 2;
}

/* Of equal tokens the last one counts, as in a dictionary filled in order of ids. */
static void wordpiece_table_add(struct wordpiece_table *t, struct wordpiece_entry key, int32_t id) {
  size_t i = wordpiece_slot_of(t, key);
  while (t->slots[i].next && (t->slots[i].low != key.low || t->slots[i].high != key.high))
    i = (i + 1) & t->mask;
  key.next = id + 1;
  t->slots[i] = key;
}

/* The id of text[0..len); reads KEY_BYTES bytes of text. */
static inline int32_t wordpiece_find(const struct wordpiece_table *t, const char *text, size_t len) {
  return len <= KEY_BYTES ? find_key(t, wordpiece_key_of(text, len)) : find_long(t, text, len);
}

/* --- vocabulary --- */

static int continues(struct slice token) {
  return token.len > 2 && token.data[0] == '#' && token.data[1] == '#';
}

/* left: bytes of the vocabulary from the token on; its last tokens are padded before a key is made. */
static void wordpiece_place(struct wordpiece_table *t, struct slice token, size_t left, int32_t id) {
  char padded[KEY_BYTES] = {0};
  const char *text = token.data;
  add_lengths(t, token.data, token.len);
  if (token.len > KEY_BYTES)
    add_long(t, token.data, token.len, id);
  else {
    if (left < KEY_BYTES)
      text = memcpy(padded, token.data, token.len);
    wordpiece_table_add(t, wordpiece_key_of(text, token.len), id);
  }
}

static int wordpiece_add_token(struct wordpiece *w, struct slice token, size_t left, struct error_text *e) {
  int32_t id = (int32_t)w->size++;
  if (token.len == 0 || token.len > TOKEN_BYTES || memchr(token.data, 0, token.len)) {
    error_set(e, "vocabulary: token %d is empty, too long or holds a zero byte", (int)id);
    return -1;
  }
  w->continues[id] = (uint8_t)continues(token);
  if (continues(token))
    wordpiece_place(&w->rest, slice_of(token.data + 2, token.len - 2), left - 2, id);
  else
    wordpiece_place(&w->first, token, left, id);
  return 0;
}

/* Removes the next line of *rest, without its end; 0 at the end. */
static int wordpiece_next_line(struct slice *rest, struct slice *line) {
  if (rest->len == 0)
    return 0;
  const char *end = memchr(rest->data, '\n', rest->len);
  line->data = rest->data;
  line->len = end ? (size_t)(end - rest->data) : rest->len;
  size_t taken = line->len + (end ? 1 : 0);
  rest->data += taken;
  rest->len -= taken;
  return 1;
}

/* Counts lines, and those that begin with "##"; a plain loop that compilers vectorise. */
static void wordpiece_count_tokens(struct slice vocab, size_t *lines, size_t *rest) {
  *lines = 1;
  *rest = 0;
  for (size_t i = 0; i < vocab.len; i++)
    *lines += vocab.data[i] == '\n';
  for (size_t i = 2; i < vocab.len; i++)
    *rest += (vocab.data[i - 2] == '\n') & (vocab.data[i - 1] == '#') & (vocab.data[i] == '#');
}

static int wordpiece_fill(struct wordpiece *w, struct slice vocab, struct error_text *e) {
  struct slice line;
  while (wordpiece_next_line(&vocab, &line))
    if (wordpiece_add_token(w, line, line.len + vocab.len, e) != 0)
      return -1;
  return 0;
}

/* Looks up tokens for single characters: [UNK] and punctuation. */
static int take_singles(struct wordpiece *w, struct error_text *e) {
  w->unknown = wordpiece_id(w, slice_str("[UNK]"));
  if (w->unknown < 0) {
    error_set(e, "vocabulary: no [UNK] among its %zu tokens", w->size);
    return -1;
  }
  for (char c = 1; c < 127; c++) {
    int32_t id = ascii_class[(int)c] == ASCII_PUNCT ? wordpiece_id(w, slice_of(&c, 1)) : -1;
    w->single[(int)c] = id < 0 ? w->unknown : id;
  }
  return 0;
}

struct wordpiece *wordpiece_new(struct slice vocab, struct error_text *e) {
  size_t lines, rest;
  wordpiece_count_tokens(vocab, &lines, &rest);
  if (lines > VOCAB_MAX) {
    error_set(e, "vocabulary: %zu tokens, at most %d are possible", lines, VOCAB_MAX);
    return NULL;
  }
  struct wordpiece *w = xcalloc(1, sizeof *w);
  tables_init(w, lines - rest, rest);
  w->continues = xcalloc(lines, 1);
  if (wordpiece_fill(w, vocab, e) != 0 || take_singles(w, e) != 0) {
    wordpiece_free(w);
    return NULL;
  }
  return w;
}

struct wordpiece *wordpiece_new_ordered(struct slice vocab, struct slice order, struct error_text *e) {
  struct wordpiece *w = xcalloc(1, sizeof *w);
  if (vocabulary_index_init(&w->order, vocab, order) != 0) {
    wordpiece_free(w);
    return wordpiece_new(vocab, e);
  }
  w->size = w->order.count;
  wordpiece_table_init(&w->first, 1, w->none);
  wordpiece_table_init(&w->rest, 1, w->none);
  if (take_singles(w, e) != 0) {
    wordpiece_free(w);
    return NULL;
  }
  return w;
}

void wordpiece_free(struct wordpiece *w) {
  if (w == NULL)
    return;
  if (w->map)
    munmap(w->map, w->mapped);
  free(w->continues);
  free(w->first.longs);
  free(w->rest.longs);
  free(w);
}

size_t wordpiece_vocab_size(const struct wordpiece *w) {
  return w->size;
}

int32_t wordpiece_id(const struct wordpiece *w, struct slice token) {
  const struct wordpiece_table *t = &w->first;
  int rest = continues(token);
  int32_t id;
  if (token.len == 0 || token.len > TOKEN_BYTES)
    return -1;
  if (rest) {
    t = &w->rest;
    token = slice_of(token.data + 2, token.len - 2);
  }
  if (w->order.count)
    return vocabulary_index_longest(&w->order, rest, token.data, token.len, &id) == token.len ? id : -1;
  char padded[TOKEN_BYTES + KEY_BYTES] = {0};
  memcpy(padded, token.data, token.len);
  return wordpiece_find(t, padded, token.len);
}

/* --- words to tokens --- */

static inline void wordpiece_emit(struct sink *s, int32_t id, size_t start) {
  if (s->count < s->max) {
    if (s->ids)
      s->ids[s->count] = id;
    if (s->memo)
      s->starts[s->count] = (uint32_t)((s->base + start) << 1 | s->w->continues[id]);
    else if (s->starts)
      s->starts[s->count] = (uint32_t)start;
  }
  s->count++;
}

/* The longest token of t that text[0..len) begins with: its length, or 0.  Reads KEY_BYTES bytes of text. */
static size_t longest(const struct wordpiece_table *t, const char *text, size_t len, int32_t *id) {
  uint64_t lengths = t->lengths[pair_of(text, len)];
  if (len < TOKEN_BYTES)
    lengths &= ((uint64_t)2 << len) - 1;
  while (lengths) {
    size_t n = 63u - (size_t)__builtin_clzll(lengths);
    *id = wordpiece_find(t, text, n);
    if (*id >= 0)
      return n;
    lengths ^= (uint64_t)1 << n;
  }
  return 0;
}

/* Splits a word greedily; byte i came from byte (from ? from[i] : start + i) of the text.  If a part matches no
 * token, the whole word becomes [UNK], so the count is reset. */
static void emit_pieces(struct sink *s, const char *text, size_t len, size_t start, const uint32_t *from) {
  const struct wordpiece_table *t = &s->w->first;
  size_t before = s->count;
  int32_t id = 0;
  for (size_t i = 0, n; i < len; i += n, t = &s->w->rest) {
    n = s->w->order.count ? vocabulary_index_longest(&s->w->order, i > 0, text + i, len - i, &id)
                          : longest(t, text + i, len - i, &id);
    if (n == 0) {
      s->count = before;
      wordpiece_emit(s, s->w->unknown, start);
      return;
    }
    wordpiece_emit(s, id, from ? from[i] : start + i);
  }
}

/* An ASCII word of letters and digits that is not in the vocabulary, or longer than a key. */
static __attribute__((noinline)) void emit_ascii(struct sink *s, const char *text, size_t len, size_t start) {
  char lower[WORD_CHARS + KEY_BYTES];
  if (len > WORD_CHARS) {
    wordpiece_emit(s, s->w->unknown, start);
    return;
  }
  for (size_t i = 0; i < len; i++)
    lower[i] = (char)(text[i] | 0x20);
  memset(lower + len, 0, KEY_BYTES);
  emit_pieces(s, lower, len, start, NULL);
}

/* The key of a word in lower case: sets the lower-case bit of letters; digits and most punctuation have it already. */
static inline struct wordpiece_entry word_key(const char *text, size_t len) {
  const unsigned char *mask = key_mask + KEY_BYTES - len;
  const uint64_t lower = 0x2020202020202020u;
  struct wordpiece_entry key = {(load64(text) | lower) & load64(mask),
                                (load64(text + 8) | lower) & load64(mask + 8), 0};
  return key;
}

static inline void wordpiece_emit_word(struct sink *s, const char *text, size_t len, size_t start) {
  int32_t id = len <= KEY_BYTES ? find_key(&s->w->first, word_key(text, len)) : -1;
  if (id >= 0)
    wordpiece_emit(s, id, start);
  else
    emit_ascii(s, text, len, start);
}

/* Stores the positions of a word's tokens in m, and moves the previous entry of that slot to the next one. */
static __attribute__((noinline)) void wordpiece_remember(const struct wordpiece *w, struct memory *m,
                                                         struct wordpiece_entry key, const char *text,
                                                         size_t len) {
  struct memory second = m[1];
  m[1] = m[0];
  if (second.low == key.low && second.high == key.high) {
    m[0] = second;
    return;
  }
  int32_t ids[PARTS];
  uint32_t starts[PARTS];
  struct sink s = {.w = w, .ids = ids, .starts = starts, .max = PARTS};
  wordpiece_emit_word(&s, text, len, 0);
  *m = (struct memory){.low = key.low, .high = key.high, .count = s.count <= PARTS ? (uint32_t)s.count : 0};
  for (size_t i = 1; i < m->count; i++)
    m->places[i] = (uint8_t)(starts[i] << 1 | 1);
}

static inline struct memory *memory_of(struct wordpiece_memo *memo, struct wordpiece_entry key) {
  uint64_t h = (key.low ^ (key.high * 0x9E3779B97F4A7C15u)) * 0xD6E8FEB86659FD93u;
  return &memo->slots[h >> (64 - MEMORY_BITS) & ~(uint64_t)1]; /* the highest bits depend on all bytes */
}

/* Writes PARTS places, of which only m->count are valid. */
static inline void put_places(uint32_t *out, const struct memory *m, uint32_t place) {
#ifdef __SSE2__
  int32_t four;
  memcpy(&four, m->places, sizeof four);
  const __m128i zero = _mm_setzero_si128();
  __m128i wide = _mm_unpacklo_epi16(_mm_unpacklo_epi8(_mm_cvtsi32_si128(four), zero), zero);
  _mm_storeu_si128((__m128i *)(void *)out, _mm_add_epi32(wide, _mm_set1_epi32((int)place)));
#else
  for (int i = 0; i < PARTS; i++)
    out[i] = place + m->places[i];
#endif
}

/* --- slow path: characters --- */

static void word_clear(struct wordpiece_word *word) {
  word->len = word->chars = 0;
}

static void word_flush(struct sink *s, struct wordpiece_word *word) {
  if (word->chars > WORD_CHARS)
    wordpiece_emit(s, s->w->unknown, word->start);
  else if (word->chars) {
    memset(word->text + word->len, 0, KEY_BYTES);
    emit_pieces(s, word->text, word->len, word->start, word->from);
  }
  word_clear(word);
}

static void word_add(struct wordpiece_word *word, const char *bytes, size_t len, size_t from) {
  if (word->chars++ == 0)
    word->start = (uint32_t)from;
  if (word->chars > WORD_CHARS)
    return;
  for (size_t i = 0; i < len; i++) {
    word->text[word->len] = bytes[i];
    word->from[word->len++] = (uint32_t)from;
  }
}

static void word_alone(struct sink *s, struct wordpiece_word *word, const char *bytes, size_t len,
                       size_t from) {
  word_flush(s, word);
  word_add(word, bytes, len, from);
  word_flush(s, word);
}

/* Adds a mapped character: UTF-8, where a space ends the word. */
static void word_add_mapped(struct sink *s, struct wordpiece_word *word, const char *bytes, size_t len,
                            size_t from) {
  for (size_t i = 0, n; i < len; i += n) {
    uint32_t c;
    n = utf8_decode(bytes + i, len - i, &c);
    if (bytes[i] == ' ')
      word_flush(s, word);
    else
      word_add(word, bytes + i, n, from);
  }
}

/* Hangul syllables are decomposed into jamo by arithmetic (The Unicode Standard, section 3.12). */
static void word_add_hangul(struct wordpiece_word *word, uint32_t c, size_t from) {
  uint32_t index = c - 0xAC00,
           parts[3] = {0x1100 + index / 588, 0x1161 + index % 588 / 28, 0x11A7 + index % 28};
  for (size_t i = 0; i < (index % 28 ? 3u : 2u); i++) {
    char bytes[4];
    word_add(word, bytes, utf8_encode(parts[i], bytes), from);
  }
}

static inline unsigned unicode_class(uint32_t c) {
  return wordpiece_values[(unsigned)wordpiece_blocks[c >> WORDPIECE_SHIFT] << WORDPIECE_SHIFT |
                          (c & ((1u << WORDPIECE_SHIFT) - 1))];
}

static void word_add_unicode(struct sink *s, struct wordpiece_word *word, const char *at, size_t len,
                             uint32_t c, size_t from) {
  unsigned class = unicode_class(c);
  switch (class) {
  case WORDPIECE_KEEP:
    word_add(word, at, len, from);
    break;
  case WORDPIECE_DROP:
    break;
  case WORDPIECE_SPACE:
    word_flush(s, word);
    break;
  case WORDPIECE_ALONE:
    word_alone(s, word, at, len, from);
    break;
  case WORDPIECE_HANGUL:
    word_add_hangul(word, c, from);
    break;
  default:
    class -= WORDPIECE_MAPPED;
    word_add_mapped(s, word, (const char *)wordpiece_pool + wordpiece_offsets[class],
                    (size_t)(wordpiece_offsets[class + 1] - wordpiece_offsets[class]), from);
  }
}

static void word_add_ascii(struct sink *s, struct wordpiece_word *word, char c, size_t from) {
  switch (ascii_class[(unsigned char)c]) {
  case ASCII_WORD:
    c |= 0x20;
    word_add(word, &c, 1, from);
    break;
  case ASCII_PUNCT:
    word_alone(s, word, &c, 1, from);
    break;
  case ASCII_SPACE:
    word_flush(s, word);
    break;
  default:
    break;
  }
}

/* Processes characters from text[at] on until a word has ended and ASCII follows, which the fast path handles.
 * Returns that offset. */
static __attribute__((noinline)) size_t encode_slowly(struct sink *s, struct slice text, size_t at) {
  struct wordpiece_word word;
  word_clear(&word);
  while (at < text.len) {
    const char *here = text.data + at;
    uint32_t c;
    size_t n = utf8_decode(here, text.len - at, &c);
    if (n == 1)
      word_add_ascii(s, &word, *here, at);
    else if (n > 1)
      word_add_unicode(s, &word, here, n, c, at);
    at += n ? n : 1; /* invalid UTF-8 is dropped, as U+FFFD is */
    if (word.chars == 0)
      break;
  }
  word_flush(s, &word);
  return at;
}

/* --- fast path --- */

/* Bitmaps of sixty-four bytes of text, the first byte in the lowest bit. */
struct block {
  uint64_t word;  /* ASCII letters and digits */
  uint64_t punct; /* ASCII punctuation that `| 0x20` leaves unchanged */
  uint64_t odd;   /* other punctuation, controls except tab and line ends, non-ASCII bytes */
};

#define BLOCK 64

#ifdef __SSE2__
static inline __m128i wordpiece_between(__m128i bytes, char low, char span) {
  __m128i off = _mm_sub_epi8(bytes, _mm_set1_epi8(low));
  return _mm_cmpeq_epi8(_mm_min_epu8(off, _mm_set1_epi8(span)), off);
}

static inline uint64_t wordpiece_bits_of(__m128i mask, unsigned shift) {
  return (uint64_t)(unsigned)_mm_movemask_epi8(mask) << shift;
}

static inline void classify(const char *text, struct block *b) {
  *b = (struct block){0, 0, 0};
  for (unsigned i = 0; i < BLOCK; i += 16) {
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(text + i));
    __m128i word = _mm_or_si128(wordpiece_between(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), 'a', 25),
                                wordpiece_between(bytes, '0', 9));
    __m128i punct =
        _mm_or_si128(wordpiece_between(bytes, '!', 0x3f - '!'), wordpiece_between(bytes, 0x60, 0x7e - 0x60));
    __m128i blank =
        _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(' ')),
                     _mm_or_si128(wordpiece_between(bytes, 9, 1), _mm_cmpeq_epi8(bytes, _mm_set1_epi8(13))));
    b->word |= wordpiece_bits_of(word, i);
    b->punct |= wordpiece_bits_of(_mm_andnot_si128(word, punct), i);
    b->odd |= wordpiece_bits_of(_mm_or_si128(_mm_or_si128(word, punct), blank), i);
  }
  b->odd = ~b->odd;
}
#else
static inline void classify(const char *text, struct block *b) {
  *b = (struct block){0, 0, 0};
  for (unsigned i = 0; i < BLOCK; i++) {
    unsigned char c = (unsigned char)text[i];
    unsigned class = ascii_class[c];
    int plain = class == ASCII_PUNCT && (c < 0x40 || c >= 0x60);
    b->word |= (uint64_t)(class == ASCII_WORD) << i;
    b->punct |= (uint64_t)plain << i;
    b->odd |= (uint64_t)(class != ASCII_WORD && class != ASCII_SPACE && !plain) << i;
  }
}
#endif

/* Whether the word before text[at] certainly ends there, so that it is completely ASCII. */
static int wordpiece_ends_word(struct slice text, size_t at) {
  if (at == text.len)
    return 1;
  unsigned class = ascii_class[(unsigned char)text.data[at]];
  if (class == ASCII_SPACE || class == ASCII_PUNCT)
    return 1;
  uint32_t c;
  if (class != ASCII_NOT || utf8_decode(text.data + at, text.len - at, &c) == 0)
    return 0;
  unsigned kind = unicode_class(c);
  return kind == WORDPIECE_SPACE || kind == WORDPIECE_ALONE;
}

/* The end of the leading part of the block in which all words and punctuation are ASCII and complete. */
static inline unsigned plain_end(const struct block *b) {
  unsigned end = b->odd ? (unsigned)__builtin_ctzll(b->odd) : BLOCK;
  if (end == 0 || !(b->word >> (end - 1) & 1))
    return end;
  uint64_t others = ~b->word << (BLOCK - end); /* the highest of these bits is the byte before the word */
  return others ? end - (unsigned)__builtin_clzll(others) : 0;
}

/* Processes what starts at text[at] with an odd byte, with a word that continues with one, or with a word as long as
 * a block.  Returns its end. */
static size_t encode_odd(struct sink *s, struct slice text, size_t at) {
  unsigned char c = (unsigned char)text.data[at];
  size_t end = at;
  while (end < text.len && ascii_class[(unsigned char)text.data[end]] == ASCII_WORD)
    end++;
  if (end > at && wordpiece_ends_word(text, end) && text.len - at >= KEY_BYTES)
    wordpiece_emit_word(s, text.data + at, end - at, at);
  else if (end > at && wordpiece_ends_word(text, end))
    emit_ascii(s, text.data + at, end - at, at);
  else if (ascii_class[c] == ASCII_PUNCT)
    wordpiece_emit(s, s->w->single[c], end++);
  else if (ascii_class[c] != ASCII_DROP)
    return encode_slowly(s, text, at);
  else
    end++;
  return end;
}

/* The bytes from text[at] on, with KEY_BYTES readable bytes after the block: in place, or a copy padded with blanks. */
static inline const char *wordpiece_block_at(struct slice text, size_t at, char copy[BLOCK + KEY_BYTES]) {
  if (text.len - at >= BLOCK + KEY_BYTES)
    return text.data + at;
  memset(copy, ' ', BLOCK + KEY_BYTES);
  return memcpy(copy, text.data + at, text.len - at);
}

/* Length of the word or punctuation that starts at bit i of the block. */
static inline unsigned run_of(const struct block *b, unsigned i) {
  unsigned len = (unsigned)__builtin_ctzll(~(b->word >> i));
  return len + (len == 0);
}

/* Outputs the words and punctuation that start at the bits `todo` of the block at text[at]. */
typedef void runs_function(struct sink *s, const char *bytes, const struct block *b, uint64_t todo,
                           size_t at);

static inline void put_ids(struct sink *s, const char *bytes, const struct block *b, uint64_t todo,
                           size_t at) {
  for (; todo; todo &= todo - 1) {
    unsigned i = (unsigned)__builtin_ctzll(todo);
    wordpiece_emit_word(s, bytes + i, run_of(b, i), at + i);
  }
}

/* Like put_ids(), for places: the words that make up most of a text fit into a cache, unlike the vocabulary, and no
 * branch depends on their number of tokens. */
static inline void put_remembered(struct sink *s, const char *bytes, const struct block *b, uint64_t todo,
                                  size_t at) {
  if (s->count + BLOCK + PARTS > s->max) {
    put_ids(s, bytes, b, todo, at);
    return;
  }
  uint32_t *out = s->starts + s->count;
  for (; todo; todo &= todo - 1) {
    unsigned i = (unsigned)__builtin_ctzll(todo), len = run_of(b, i);
    struct wordpiece_entry key = word_key(bytes + i, len <= KEY_BYTES ? len : KEY_BYTES);
    struct memory *m = memory_of(s->memo, key);
    if (len <= KEY_BYTES && (m->low != key.low || m->high != key.high))
      wordpiece_remember(s->w, m, key, bytes + i, len);
    if (len > KEY_BYTES || m->count == 0) {
      s->count = (size_t)(out - s->starts);
      emit_ascii(s, bytes + i, len, at + i);
      out = s->starts + s->count;
      continue;
    }
    put_places(out, m, (uint32_t)(s->base + at + i) << 1);
    out += m->count;
  }
  s->count = (size_t)(out - s->starts);
}

/* Words and punctuation are distinguished by bitmaps, sixty-four bytes at a time: which of them comes next is
 * unpredictable. */
static inline __attribute__((always_inline)) void wordpiece_encode_(struct sink *s, struct slice text,
                                                                    runs_function *put) {
  char copy[BLOCK + KEY_BYTES];
  struct block b;
  for (size_t at = 0; at < text.len;) {
    const char *bytes = wordpiece_block_at(text, at, copy);
    classify(bytes, &b);
    unsigned end = plain_end(&b);
    uint64_t todo = (b.word & ~(b.word << 1)) | b.punct;
    if (end == 0) {
      at = encode_odd(s, text, at);
      continue;
    }
    put(s, bytes, &b, todo & ~(uint64_t)0 >> (BLOCK - end), at);
    at += end;
  }
}

size_t wordpiece_encode(const struct wordpiece *w, struct slice text, int32_t *ids, uint32_t *starts,
                        size_t max) {
  struct sink s = {.w = w, .ids = ids, .starts = starts, .max = max};
  wordpiece_encode_(&s, text, put_ids);
  return s.count;
}

size_t wordpiece_count(const struct wordpiece *w, struct slice text) {
  return wordpiece_encode(w, text, NULL, NULL, 0);
}

struct wordpiece_memo *wordpiece_memo_new(const struct wordpiece *w) {
  struct wordpiece_memo *m = xcalloc(1, sizeof *m);
  m->w = w;
  return m;
}

void wordpiece_memo_free(struct wordpiece_memo *m) {
  free(m);
}

size_t wordpiece_places(struct wordpiece_memo *m, struct slice text, size_t base, uint32_t *places,
                        size_t max) {
  struct sink s = {.w = m->w, .starts = places, .max = max, .memo = m, .base = base};
  wordpiece_encode_(&s, text, put_remembered);
  return s.count;
}
