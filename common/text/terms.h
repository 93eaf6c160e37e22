/* terms.h: text to the terms that BM25 counts; indexing and queries use the same function.
 *
 * Words are folded to lower case, stripped of accents and stemmed (Snowball English).  What finance writes in
 * its own way stays whole: "1,234.50" and "$1234.5" are "1234.5"; "12.5%", "12.5 %" and "12.5 percent" are
 * "12.5%"; "10-K", "10K" and "Form 10-k" hold "10-k", "DEF 14A" is "def14a"; "R&D" is "r&d"; "U.S." and "US"
 * are "usa"; "Apple's" is "appl" as "Apple" is; "FY2018" and "FY18" are "2018".  A CJK character is a term of
 * its own.  Bytes that are no UTF-8 separate terms.
 *
 * An index calls terms_scan() once for a passage's text and once for its context, with flags 0, and keeps for
 * each term and passage how often it comes in the text and, apart, in the context (both may be capped at 15),
 * so that the weight of the context is a search's to set.  Positions aren't needed: phrases are checked on
 * the text of the passages that hold all their words.  BM25's length of a passage is the number of TERM_WORD
 * terms of its text: numbers are found, but a page of them is not a long page (long tables would otherwise
 * lose to short paragraphs that only mention the line).
 */
#ifndef BID_TERMS_H
#define BID_TERMS_H

#include "base/buf.h"

#include <stdint.h>

#define TERMS_VERSION 1 /* changes when the same text may give other terms: an index has to be made anew */
#define TERMS_MAX 40    /* bytes of a term at most; longer ones are cut */

enum term_kind {
  TERM_WORD,   /* a stemmed word, ticker, form name, CJK character */
  TERM_NUMBER, /* a number or percentage */
  TERM_STOP    /* a function word ("the", "of"): only given with TERMS_STOPS, unstemmed */
};

struct term {
  struct slice text; /* 1 to TERMS_MAX bytes, valid until the callback returns */
  uint32_t position; /* counts words, numbers and stop words from 0: neighbours differ by 1 */
  size_t start, end; /* bytes of the text that it was made of */
  enum term_kind kind;
  uint64_t hash; /* terms_hash() of text; of a TERM_STOP 0 */
};

/* Flags of terms_scan().  TERMS_SIMPLE reads every word byte by byte: the same terms, more slowly; for tests.
 */
enum { TERMS_STOPS = 1, TERMS_SIMPLE = 2 };

typedef void terms_function(void *arg, const struct term *t);

struct terms; /* a stemmer and its cache; not to be shared by threads */

/* Never NULL: ends the program where there is no memory.  terms_new_small() has a cache of 384 KiB instead of
 * 1.5 MiB: for questions, whose start would otherwise be spent on page faults. */
struct terms *terms_new(void);
struct terms *terms_new_small(void);
void terms_free(struct terms *t);

/* Calls f for each term of text in order; returns the number of positions. */
uint32_t terms_scan(struct terms *t, struct slice text, unsigned flags, terms_function *f, void *arg);

/* What terms_scan() without flags gives, as hashes alone and faster: at most max of them, in order; returns
 * how many.  hashes has room for max + 1.  The lowest bit of each is set where the term is a TERM_NUMBER, and
 * else cleared; *numbers is how many are. */
#define TERMS_NUMBER ((uint64_t)1)
size_t terms_hashes(struct terms *t, struct slice text, uint64_t *hashes, size_t max, size_t *numbers);

/* What stands for a term in the store's dictionary: XXH3-64 of its bytes. */
uint64_t terms_hash(struct slice text);

/* The stem of one lower-case word, valid until the next call on t. */
struct slice terms_stem(struct terms *t, struct slice word);

/* Whether a lower-case word is a function word. */
int terms_is_stop(struct slice word);

#endif
