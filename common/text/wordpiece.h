/* wordpiece.h: an exact implementation of BERT's uncased WordPiece tokenizer (clean-up, lower case, accents stripped,
 * CJK characters separated, punctuation split, greedy longest match, [UNK] for words of more than 100 characters). */
#ifndef BID_WORDPIECE_H
#define BID_WORDPIECE_H

#include "base/buf.h"
#include "base/diag.h"

#include <stdint.h>

struct wordpiece;

/* vocab: the tokens, one per line, in order of their ids; kept by reference, so it must outlive the tokenizer, and
 * may be memory-mapped.  NULL with *e where it is not a vocabulary (no [UNK], an empty token or one of more than 63
 * bytes). */
struct wordpiece *wordpiece_new(struct slice vocab, struct error_text *e);

/* The same for a few texts: constructed in microseconds, but about ten times slower.  order: the section of that name
 * (model.h), kept by reference like vocab; falls back to wordpiece_new() where it is unusable.  Doesn't verify that
 * both belong together and that vocab is a vocabulary.  Not for wordpiece_memo_new(), and for one thread at a time: it
 * remembers words. */
struct wordpiece *wordpiece_new_ordered(struct slice vocab, struct slice order, struct error_text *e);

void wordpiece_free(struct wordpiece *w);

/* Writes at most `max` ids of text into ids (without [CLS] and [SEP]); returns how many the whole text has, which may
 * be more than max.  ids may be NULL where max is 0.  starts (may be NULL): offset in text of each token.
 * Thread-safe. */
size_t wordpiece_encode(const struct wordpiece *w, struct slice text, int32_t *ids, uint32_t *starts,
                        size_t max);

/* The same without the punctuation between ASCII words, of which tables are full.  Thread-safe. */
size_t wordpiece_words(const struct wordpiece *w, struct slice text, int32_t *ids, uint32_t *starts,
                       size_t max);

/* Number of tokens of text. */
size_t wordpiece_count(const struct wordpiece *w, struct slice text);

/* A cache of words for programs that need the positions of the tokens in much text, not their ids.  Refers to the
 * tokenizer; not thread-safe. */
struct wordpiece_memo;
struct wordpiece_memo *wordpiece_memo_new(const struct wordpiece *w);
void wordpiece_memo_free(struct wordpiece_memo *m);

/* Writes at most `max` places of tokens of text, which starts at byte `base` of a longer text (less than 2 GiB): a
 * place is twice the token's offset, plus 1 where it continues a word ("##ing").  Returns how many tokens text has. */
size_t wordpiece_places(struct wordpiece_memo *m, struct slice text, size_t base, uint32_t *places,
                        size_t max);

/* The id of an exact token, or -1. */
int32_t wordpiece_id(const struct wordpiece *w, struct slice token);
size_t wordpiece_vocab_size(const struct wordpiece *w);

#endif
