/* wordpiece_vocab.h: the vocabulary of a WordPiece tokenizer; private to wordpiece.c and wordpiece_vocab.c.
 *
 * Tokens of at most 16 bytes are in open-addressing tables whose entries hold them as two integers, so that a look-up
 * reads no byte of the vocabulary.  A trie was rejected: it reads memory once per byte, and this object is built at
 * every start of a program (1.3 to 2.3 ms, test/bench/wordpiece_bench.c).
 */
#ifndef BID_WORDPIECE_VOCAB_H
#define BID_WORDPIECE_VOCAB_H

#include "text/wordpiece.h"

#include <string.h>
#include "base/buf.h"
#include <stdint.h>

#define WORDPIECE_KEY 16   /* longest token in the fast tables */
#define WORDPIECE_TOKEN 63 /* longest token at all: one bit per length */

/* ---- few look-ups: a sorted table that is stored with the vocabulary (wordpiece_new_ordered()) ---- */

/* Offset of a token's line in the vocabulary, and its id. */
struct wordpiece_index_entry {
  uint32_t start, id;
};

struct wordpiece_index {
  struct slice vocab;
  const struct wordpiece_index_entry *entries; /* [count] */
  size_t count;
  size_t rest, rest_end; /* those that begin with "##" */
};

/* The longest token that text[0..len) begins with: its length (0: none), and its id in *id.  rest: among tokens that
 * continue a word, compared without their "##".  Of equal tokens the one with the highest id. */
size_t wordpiece_index_longest(const struct wordpiece_index *o, int rest, const char *text, size_t len,
                               int32_t *id);

/* ---- many look-ups ---- */

/* A token of up to WORDPIECE_KEY bytes, zero-padded. */
struct wordpiece_entry {
  uint64_t low, high;
  int32_t next; /* id + 1; 0 marks a free slot, so that zeroed memory is an empty table */
};

/* A longer token, by its offset in the vocabulary. */
struct wordpiece_long {
  const char *text;
  uint32_t len;
  int32_t id;
};

/* The tokens that may start a word, or those that may continue one (without "##"). */
struct wordpiece_table {
  struct wordpiece_entry *slots;
  unsigned shift; /* 64 - log2 of the number of slots */
  size_t mask;
  struct wordpiece_long *longs; /* few; searched linearly */
  size_t long_count, long_cap;
  uint64_t
      lengths[4096]; /* by wordpiece_pair_of(): bit n is set where a token with that beginning has n bytes */
};

struct wordpiece {
  struct wordpiece_table first, rest;
  size_t size;
  int32_t unknown;
  struct wordpiece_index order; /* used instead of the tables; `first` then has whole words that it found, */
  size_t found;                 /* so many */
  struct wordpiece_entry *few;  /* their slots; or NULL */
  struct wordpiece_entry none[2]; /* the slots of an empty table */
  void *map;                      /* mapping that contains the slots of both tables */
  size_t mapped;
  uint8_t *continues;  /* one per token */
  int32_t single[128]; /* ASCII characters that are tokens by themselves */
};

/* What BERT makes of a byte of text. */
enum wordpiece_ascii { ASCII_DROP, ASCII_SPACE, ASCII_PUNCT, ASCII_WORD, ASCII_NOT };
extern const uint8_t wordpiece_ascii_class[256];

static const unsigned char wordpiece_key_mask[2 * WORDPIECE_KEY] = {255, 255, 255, 255, 255, 255, 255, 255,
                                                                    255, 255, 255, 255, 255, 255, 255, 255};

static inline uint64_t wordpiece_load(const void *at) {
  uint64_t v;
  memcpy(&v, at, sizeof v);
  return v;
}

/* The key of text[0..len), len <= WORDPIECE_KEY; reads WORDPIECE_KEY bytes of text. */
static inline struct wordpiece_entry wordpiece_key_of(const char *text, size_t len) {
  const unsigned char *mask = wordpiece_key_mask + WORDPIECE_KEY - len;
  struct wordpiece_entry e = {wordpiece_load(text) & wordpiece_load(mask),
                              wordpiece_load(text + 8) & wordpiece_load(mask + 8), 0};
  return e;
}

static inline size_t wordpiece_slot_of(const struct wordpiece_table *t, struct wordpiece_entry key) {
  uint64_t h = (key.low ^ (key.high * 0x9E3779B97F4A7C15u)) * 0xD6E8FEB86659FD93u;
  return (size_t)((h ^ (h << 29)) >> t->shift);
}

/* The id of a key, or -1. */
static inline int32_t wordpiece_find_key(const struct wordpiece_table *t, struct wordpiece_entry key) {
  for (size_t i = wordpiece_slot_of(t, key);; i = (i + 1) & t->mask) {
    const struct wordpiece_entry *e = &t->slots[i];
    if ((e->low == key.low && e->high == key.high) || e->next == 0)
      return e->next - 1;
  }
}

/* Remembers a whole word that the sorted table has: most words of a text are repeated.  Reads WORDPIECE_KEY bytes of text. */
void wordpiece_note_found(const struct wordpiece *w, const char *text, size_t len, int32_t id);

/* The id of a token that is longer than a key, or -1. */
int32_t wordpiece_find_long(const struct wordpiece_table *t, const char *text, size_t len);

/* The id of text[0..len), or -1; reads WORDPIECE_KEY bytes of text. */
static inline int32_t wordpiece_find(const struct wordpiece_table *t, const char *text, size_t len) {
  return len <= WORDPIECE_KEY ? wordpiece_find_key(t, wordpiece_key_of(text, len))
                              : wordpiece_find_long(t, text, len);
}

/* Twelve bits of a token's first two bytes (0 for a missing second byte); collisions only cost a failed look-up. */
static inline unsigned wordpiece_six_bits(unsigned char c) {
  return c >= 'a' && c <= 'z' ? c - 'a' + 1u : c >= '0' && c <= '9' ? c - '0' + 27u : 37u + c % 27u;
}

static inline unsigned wordpiece_pair_of(const char *text, size_t len) {
  return wordpiece_six_bits((unsigned char)text[0]) << 6 |
         (len > 1 ? wordpiece_six_bits((unsigned char)text[1]) : 0);
}

#endif
