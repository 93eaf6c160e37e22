/* wordpiece.h: BERT's uncased WordPiece tokenizer, exactly (clean-up, lower case, accents stripped,
 * CJK set apart, punctuation split, greedy longest match, [UNK] past 100 characters a word). */
#ifndef BID_WORDPIECE_H
#define BID_WORDPIECE_H

#include "buf.h"
#include "diag.h"

#include <stdint.h>

struct wordpiece;

/* vocab: the tokens, one a line, in the order of their ids (kept by reference: it must outlive the
 * tokenizer, and may be memory-mapped).  NULL with *e filled where it is no vocabulary (no [UNK], an empty
 * token or one of more than 63 bytes). */
struct wordpiece *wordpiece_new(struct slice vocab, struct error_text *e);
void wordpiece_free(struct wordpiece *w);

/* Writes at most `max` ids of text into ids (no [CLS], no [SEP]); returns how many the whole text has,
 * which may be more than max.  ids may be NULL where max is 0.  starts (may be NULL): byte of text where each
 * token begins.  Safe from several threads at once. */
size_t wordpiece_encode(const struct wordpiece *w, struct slice text, int32_t *ids, uint32_t *starts,
                        size_t max);

/* Number of tokens of text. */
size_t wordpiece_count(const struct wordpiece *w, struct slice text);

/* Whether a token continues a word ("##ing"). */
int wordpiece_continues(const struct wordpiece *w, int32_t id);

/* Id of an exact token, or -1. */
int32_t wordpiece_id(const struct wordpiece *w, struct slice token);
size_t wordpiece_vocab_size(const struct wordpiece *w);

#endif
