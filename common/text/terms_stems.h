/* terms_stems.h: the tokenizer's cache of stems, which is what a struct terms is; shared by its files only. */
#ifndef BID_TERMS_STEMS_H
#define BID_TERMS_STEMS_H

#include "text/terms.h"

#define TERMS_STEMS_WORD 30 /* bytes of the longest word that is cached */

/* The stem of a lower-case word of 1 to TERMS_MAX bytes, with its terms_hash(); "" and 0 for a function word.  The text
 * is valid until the next call on t. */
struct terms_stem {
  struct slice text;
  uint64_t hash;
};
struct terms_stem terms_stems_of(struct terms *t, struct slice word);

/* Hashes in batches, in the order of the calls, the last batch with terms_stems_end(); f must not use t.  Only
 * terms_stems_add_letters() looks words up, in any case, of 1 to TERMS_STEMS_WORD ASCII letters. */
void terms_stems_begin(struct terms *t, terms_batch_function *f, void *arg);
void terms_stems_add_letters(struct terms *t, const char *letters, size_t n);
void terms_stems_add_hash(struct terms *t, uint64_t hash, int number);
void terms_stems_end(struct terms *t);

#endif
