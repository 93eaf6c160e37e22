/* terms.h: the tokenizer for BM25; indexing and queries use the same function.
 *
 * Words are converted to lower case, stripped of accents and stemmed (Snowball English).  Notations of finance are
 * kept whole or normalised: "1,234.50" and "$1234.5" become "1234.5"; "12.5%", "12.5 %" and "12.5 percent" become
 * "12.5%"; "10-K", "10K" and "Form 10-k" contain "10-k", "DEF 14A" becomes "def14a"; "R&D" becomes "r&d"; "U.S." and
 * "US" become "usa"; "Apple's" becomes "appl" like "Apple"; "FY2018" and "FY18" become "2018".  A CJK character is a
 * term of its own.  Invalid UTF-8 separates terms.
 *
 * An index calls terms_scan() with flags 0 once for a passage's text and once for its context, and stores for each
 * term and passage its frequency in the text and, separately, in the context (both may be capped at 15), so that a
 * search can set the weight of the context.  Positions aren't needed: phrases are verified on the text of passages
 * that contain all their words.  BM25's length of a passage is its number of TERM_WORD terms: numbers can be found
 * but don't make a passage long (otherwise long tables would lose to short paragraphs that only mention the line).
 */
#ifndef BID_TERMS_H
#define BID_TERMS_H

#include "base/buf.h"

#include <stdint.h>

#define TERMS_VERSION 1 /* incremented when the same text may give different terms: indexes must be rebuilt */
#define TERMS_MAX 40    /* limit of a term in bytes; longer ones are truncated */

enum term_kind {
  TERM_WORD,   /* a stemmed word, ticker, form name, CJK character */
  TERM_NUMBER, /* a number or percentage */
  TERM_STOP    /* a function word ("the", "of"), unstemmed; only with TERMS_STOPS */
};

struct term {
  struct slice text; /* 1 to TERMS_MAX bytes, valid until the callback returns */
  uint32_t position; /* counts words, numbers and stop words from 0: adjacent terms differ by 1 */
  size_t start, end; /* range of the text that it comes from */
  enum term_kind kind;
  uint64_t hash; /* terms_hash() of text; 0 for a TERM_STOP */
};

/* Flags of terms_scan().  TERMS_SIMPLE reads every word byte by byte: the same terms, but slower; for tests. */
enum { TERMS_STOPS = 1, TERMS_SIMPLE = 2 };

typedef void terms_function(void *arg, const struct term *t);

struct terms; /* a stemmer and its cache; not thread-safe */

/* Never NULL: out of memory ends the program.  terms_new_small() has a cache of 384 KiB instead of 1.5 MiB, which
 * saves page faults at the start of programs that only read questions. */
struct terms *terms_new(void);
struct terms *terms_new_small(void);
void terms_free(struct terms *t);

/* Calls f for each term of text in order; returns the number of positions. */
uint32_t terms_scan(struct terms *t, struct slice text, unsigned flags, terms_function *f, void *arg);

/* Hashes of consecutive terms; number: 1 for a TERM_NUMBER, 0 for a TERM_WORD. */
#define TERMS_BATCH 32
struct terms_batch {
  uint64_t hash[TERMS_BATCH];
  uint8_t number[TERMS_BATCH];
  size_t count; /* at least 1 */
};
typedef void terms_batch_function(void *arg, const struct terms_batch *b);

/* Calls f with the hashes of the terms that terms_scan() without flags would give, in order; faster than it, since memory
 * is read ahead for a batch.  f must not use t. */
void terms_each_batch(struct terms *t, struct slice text, terms_batch_function *f, void *arg);

/* The same hashes in one array: at most max of them; returns how many.  The lowest
 * bit of each is set for a TERM_NUMBER and cleared otherwise; *numbers counts the former. */
#define TERMS_NUMBER ((uint64_t)1)
size_t terms_hashes(struct terms *t, struct slice text, uint64_t *hashes, size_t max, size_t *numbers);

/* A term's key in the store's dictionary: XXH3-64 of its bytes. */
uint64_t terms_hash(struct slice text);

/* The stem of one lower-case word, valid until the next call on t. */
struct slice terms_stem(struct terms *t, struct slice word);

/* Whether a lower-case word is a function word. */
int terms_is_stop(struct slice word);

#endif
