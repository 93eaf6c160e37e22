/* wordpiece.h: BERT's uncased WordPiece tokenizer, exactly (clean-up, lower case, accents stripped,
 * CJK set apart, punctuation split, greedy longest match, [UNK] past 100 characters a word). */
#ifndef BID_WORDPIECE_H
#define BID_WORDPIECE_H

#include "base/buf.h"
#include "base/diag.h"

#include <stdint.h>

struct wordpiece;

/* vocab: the tokens, one a line, in the order of their ids (kept by reference: it must outlive the
 * tokenizer, and may be memory-mapped).  NULL with *e filled where it is no vocabulary (no [UNK], an empty
 * token or one of more than 63 bytes). */
struct wordpiece *wordpiece_new(struct slice vocab, struct error_text *e);

/* The same for a few texts: built in microseconds, and some ten times as slow.  order: the section of that
 * name (model.h), kept by reference as vocab is; where it is of no use, wordpiece_new().  Of both it is taken
 * on trust that they belong together and that vocab is a vocabulary. Not for wordpiece_memo_new(). */
struct wordpiece *wordpiece_new_ordered(struct slice vocab, struct slice order, struct error_text *e);

void wordpiece_free(struct wordpiece *w);

/* Writes at most `max` ids of text into ids (no [CLS], no [SEP]); returns how many the whole text has,
 * which may be more than max.  ids may be NULL where max is 0.  starts (may be NULL): byte of text where each
 * token begins.  Safe from several threads at once. */
size_t wordpiece_encode(const struct wordpiece *w, struct slice text, int32_t *ids, uint32_t *starts,
                        size_t max);

/* Number of tokens of text. */
size_t wordpiece_count(const struct wordpiece *w, struct slice text);

/* A tokenizer with a memory of the words that it met: for those who need to know where the tokens of much
 * text stand, not which they are.  Refers to the tokenizer; not for several threads at once. */
struct wordpiece_memo;
struct wordpiece_memo *wordpiece_memo_new(const struct wordpiece *w);
void wordpiece_memo_free(struct wordpiece_memo *m);

/* Writes at most `max` places of tokens of text, a part that starts with byte `base` (all of it less than
 * 2 GiB) of some longer one: twice the byte where the token begins, and 1 more where it continues a word
 * ("##ing"). Returns how many tokens text has. */
size_t wordpiece_places(struct wordpiece_memo *m, struct slice text, size_t base, uint32_t *places,
                        size_t max);

/* Id of an exact token, or -1. */
int32_t wordpiece_id(const struct wordpiece *w, struct slice token);
size_t wordpiece_vocab_size(const struct wordpiece *w);

#endif
