/* wordpiece.c: BERT's uncased WordPiece, after google-research/bert tokenization.py and the tokenizers library
 * (BertNormalizer, BertPreTokenizer, WordPiece); gives the same ids.
 *
 * Almost all text of filings is ASCII words that are in the vocabulary as a whole, so that case costs one table
 * look-up per word (wordpiece_vocab.h): a word of at most 16 bytes is loaded as two integers and lower-cased by one OR
 * (letters and digits only).
 *
 * A word that is not in it is split greedily.  Instead of trying each length, a bitmap for the next two bytes tells
 * which lengths the tokens with that beginning have.
 *
 * Anything else (non-ASCII characters, control characters, long words) is normalised character by character,
 * by the table of data/tables/wordpiece_unicode.tsv.
 */
#include "text/wordpiece_vocab.h"

#include "base/utf8.h"
#include "tables/wordpiece_unicode.h"

#include <stdlib.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define WORDPIECE_CHARS 100 /* a longer word becomes [UNK] */
#define WORDPIECE_BYTES 512 /* WORDPIECE_CHARS characters, one mapping, and over-read by key loads */

struct wordpiece_word {
  size_t chars;                   /* at least 1; beyond WORDPIECE_CHARS they are only counted */
  uint32_t start;                 /* offset in the text of the first character */
  size_t len;                     /* of text[], which is followed by WORDPIECE_KEY zeros */
  char text[WORDPIECE_BYTES];     /* normalised */
  uint32_t from[WORDPIECE_BYTES]; /* offset in the text that each byte came from */
};

typedef void wordpiece_word_function(void *arg, const struct wordpiece_word *word);

/* ---- characters ---- */

static const uint8_t wordpiece_blocks[] = {WORDPIECE_UNICODE_BLOCKS};
static const uint16_t wordpiece_values[] = {WORDPIECE_UNICODE_VALUES};
static const uint16_t wordpiece_offsets[] = {WORDPIECE_UNICODE_OFFSETS};
static const unsigned char wordpiece_pool[] = {WORDPIECE_UNICODE_POOL};

/* A word that is being read. */
struct word_reader {
  struct wordpiece_word word;
  wordpiece_word_function *f;
  void *arg;
};

static void word_clear(struct wordpiece_word *word) {
  word->len = word->chars = 0;
}

static void word_flush(struct word_reader *r) {
  if (r->word.chars) {
    memset(r->word.text + r->word.len, 0, WORDPIECE_KEY);
    r->f(r->arg, &r->word);
  }
  word_clear(&r->word);
}

static void word_add(struct wordpiece_word *word, const char *bytes, size_t len, size_t from) {
  if (word->chars++ == 0)
    word->start = (uint32_t)from;
  if (word->chars > WORDPIECE_CHARS)
    return;
  for (size_t i = 0; i < len; i++) {
    word->text[word->len] = bytes[i];
    word->from[word->len++] = (uint32_t)from;
  }
}

static void word_alone(struct word_reader *r, const char *bytes, size_t len, size_t from) {
  word_flush(r);
  word_add(&r->word, bytes, len, from);
  word_flush(r);
}

/* Adds a mapped character: UTF-8, where a space ends the word. */
static void word_add_mapped(struct word_reader *r, const char *bytes, size_t len, size_t from) {
  for (size_t i = 0, n; i < len; i += n) {
    uint32_t c;
    n = utf8_decode(bytes + i, len - i, &c);
    if (bytes[i] == ' ')
      word_flush(r);
    else
      word_add(&r->word, bytes + i, n, from);
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
  return wordpiece_values[(unsigned)wordpiece_blocks[c >> WORDPIECE_UNICODE_SHIFT]
                              << WORDPIECE_UNICODE_SHIFT |
                          (c & ((1u << WORDPIECE_UNICODE_SHIFT) - 1))];
}

static void word_add_unicode(struct word_reader *r, const char *at, size_t len, uint32_t c, size_t from) {
  unsigned class = unicode_class(c);
  switch (class) {
  case WORDPIECE_UNICODE_KEEP:
    word_add(&r->word, at, len, from);
    break;
  case WORDPIECE_UNICODE_DROP:
    break;
  case WORDPIECE_UNICODE_SPACE:
    word_flush(r);
    break;
  case WORDPIECE_UNICODE_ALONE:
    word_alone(r, at, len, from);
    break;
  case WORDPIECE_UNICODE_HANGUL:
    word_add_hangul(&r->word, c, from);
    break;
  default:
    class -= WORDPIECE_UNICODE_MAPPED;
    word_add_mapped(r, (const char *)wordpiece_pool + wordpiece_offsets[class],
                    (size_t)(wordpiece_offsets[class + 1] - wordpiece_offsets[class]), from);
  }
}

static void word_add_ascii(struct word_reader *r, char c, size_t from) {
  switch (wordpiece_ascii_class[(unsigned char)c]) {
  case ASCII_WORD:
    c |= 0x20;
    word_add(&r->word, &c, 1, from);
    break;
  case ASCII_PUNCT:
    word_alone(r, &c, 1, from);
    break;
  case ASCII_SPACE:
    word_flush(r);
    break;
  default:
    break;
  }
}

/* Calls f for each word from text[at] on, until one has ended before something that may be ASCII.  Returns that
 * offset. */
static size_t wordpiece_chars_read(struct slice text, size_t at, wordpiece_word_function *f, void *arg) {
  struct word_reader r;
  r.f = f;
  r.arg = arg;
  word_clear(&r.word);
  while (at < text.len) {
    const char *here = text.data + at;
    uint32_t c;
    size_t n = utf8_decode(here, text.len - at, &c);
    if (n == 1)
      word_add_ascii(&r, *here, at);
    else if (n > 1)
      word_add_unicode(&r, here, n, c, at);
    at += n ? n : 1; /* invalid UTF-8 is dropped, as U+FFFD is */
    if (r.word.chars == 0)
      break;
  }
  word_flush(&r);
  return at;
}

/* Whether a non-ASCII character ends the word before it. */
static int wordpiece_chars_separates(uint32_t c) {
  unsigned class = unicode_class(c);
  return class == WORDPIECE_UNICODE_SPACE || class == WORDPIECE_UNICODE_ALONE;
}

/* ---- the tokenizer ---- */

#define MEMORY_BITS 15 /* log2 of the words in a memo: 800 KB, which fits many L2 caches */
#define PARTS 4        /* maximum tokens of a cached word */

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

/* The longest token of t that text[0..len) begins with: its length, or 0.  Reads WORDPIECE_KEY bytes of text. */
static size_t longest(const struct wordpiece_table *t, const char *text, size_t len, int32_t *id) {
  uint64_t lengths = t->lengths[wordpiece_pair_of(text, len)];
  if (len < WORDPIECE_TOKEN)
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
    n = s->w->order.count ? wordpiece_index_longest(&s->w->order, i > 0, text + i, len - i, &id)
                          : longest(t, text + i, len - i, &id);
    if (n == 0) {
      s->count = before;
      wordpiece_emit(s, s->w->unknown, start);
      return;
    }
    wordpiece_emit(s, id, from ? from[i] : start + i);
    if (n == len && s->w->order.count)
      wordpiece_note_found(s->w, text, len, id);
  }
}

/* An ASCII word of letters and digits that is not in the vocabulary, or longer than a key. */
static __attribute__((noinline)) void emit_ascii(struct sink *s, const char *text, size_t len, size_t start) {
  char lower[WORDPIECE_CHARS + WORDPIECE_KEY];
  if (len > WORDPIECE_CHARS) {
    wordpiece_emit(s, s->w->unknown, start);
    return;
  }
  for (size_t i = 0; i < len; i++)
    lower[i] = (char)(text[i] | 0x20);
  memset(lower + len, 0, WORDPIECE_KEY);
  emit_pieces(s, lower, len, start, NULL);
}

/* The key of a word in lower case: sets the lower-case bit of letters; digits and most punctuation have it already. */
static inline struct wordpiece_entry word_key(const char *text, size_t len) {
  const unsigned char *mask = wordpiece_key_mask + WORDPIECE_KEY - len;
  const uint64_t lower = 0x2020202020202020u;
  struct wordpiece_entry key = {(wordpiece_load(text) | lower) & wordpiece_load(mask),
                                (wordpiece_load(text + 8) | lower) & wordpiece_load(mask + 8), 0};
  return key;
}

static inline void wordpiece_emit_word(struct sink *s, const char *text, size_t len, size_t start) {
  int32_t id = len <= WORDPIECE_KEY ? wordpiece_find_key(&s->w->first, word_key(text, len)) : -1;
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

static void emit_normalised(void *sink, const struct wordpiece_word *word) {
  struct sink *s = sink;
  if (word->chars > WORDPIECE_CHARS)
    wordpiece_emit(s, s->w->unknown, word->start);
  else
    emit_pieces(s, word->text, word->len, word->start, word->from);
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
    unsigned class = wordpiece_ascii_class[c];
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
  unsigned class = wordpiece_ascii_class[(unsigned char)text.data[at]];
  if (class == ASCII_SPACE || class == ASCII_PUNCT)
    return 1;
  uint32_t c;
  if (class != ASCII_NOT || utf8_decode(text.data + at, text.len - at, &c) == 0)
    return 0;
  return wordpiece_chars_separates(c);
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
  while (end < text.len && wordpiece_ascii_class[(unsigned char)text.data[end]] == ASCII_WORD)
    end++;
  if (end > at && wordpiece_ends_word(text, end) && text.len - at >= WORDPIECE_KEY)
    wordpiece_emit_word(s, text.data + at, end - at, at);
  else if (end > at && wordpiece_ends_word(text, end))
    emit_ascii(s, text.data + at, end - at, at);
  else if (wordpiece_ascii_class[c] == ASCII_PUNCT)
    wordpiece_emit(s, s->w->single[c], end++);
  else if (wordpiece_ascii_class[c] != ASCII_DROP)
    return wordpiece_chars_read(text, at, emit_normalised, s);
  else
    end++;
  return end;
}

/* The bytes from text[at] on, with WORDPIECE_KEY readable bytes after the block: in place, or a copy padded with blanks. */
static inline const char *wordpiece_block_at(struct slice text, size_t at, char copy[BLOCK + WORDPIECE_KEY]) {
  if (text.len - at >= BLOCK + WORDPIECE_KEY)
    return text.data + at;
  memset(copy, ' ', BLOCK + WORDPIECE_KEY);
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

/* Like put_ids(), without the punctuation. */
static inline void put_word_ids(struct sink *s, const char *bytes, const struct block *b, uint64_t todo,
                                size_t at) {
  put_ids(s, bytes, b, todo & b->word, at);
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
    struct wordpiece_entry key = word_key(bytes + i, len <= WORDPIECE_KEY ? len : WORDPIECE_KEY);
    struct memory *m = memory_of(s->memo, key);
    if (len <= WORDPIECE_KEY && (m->low != key.low || m->high != key.high))
      wordpiece_remember(s->w, m, key, bytes + i, len);
    if (len > WORDPIECE_KEY || m->count == 0) {
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
  char copy[BLOCK + WORDPIECE_KEY];
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

size_t wordpiece_words(const struct wordpiece *w, struct slice text, int32_t *ids, uint32_t *starts,
                       size_t max) {
  struct sink s = {.w = w, .ids = ids, .starts = starts, .max = max};
  wordpiece_encode_(&s, text, put_word_ids);
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
