/* token_stream.h: the tokens of a long text in order, tokenized once, a window at a time.
 *
 * A window ends before an ASCII blank or punctuation, where a token always begins anew, so that the tokens
 * are those of the whole text.  The last `keep` tokens taken can be looked back at and given back.
 */
#ifndef BID_TOKEN_STREAM_H
#define BID_TOKEN_STREAM_H

#include "base/buf.h"
#include "text/wordpiece.h"

#include <stdint.h>

struct token_stream {
  struct wordpiece_memo *w;
  struct slice text; /* less than 2 GiB */
  size_t keep;       /* tokens before `at` that stay when the window moves */
  uint32_t *places;  /* [cap]: as of wordpiece_places() */
  size_t cap;
  size_t at, count; /* next token, and end, in places */
  size_t end;       /* byte of text that the window ends before */
};

void token_stream_init(struct token_stream *t, struct wordpiece_memo *w, struct slice text, size_t keep);
void token_stream_release(struct token_stream *t);

/* Takes tokens that start before byte `end` of the text, at most max of them; returns how many. */
size_t token_stream_take(struct token_stream *t, size_t end, size_t max);

/* Byte of text where token i, at or before `at`, begins; and whether no word is cut before it. */
static inline size_t token_stream_start(const struct token_stream *t, size_t i) {
  return t->places[i] >> 1;
}
static inline int token_stream_apart(const struct token_stream *t, size_t i) {
  return !(t->places[i] & 1) && t->places[i] >> 1 != t->places[i - 1] >> 1;
}

/* Whether another token starts before byte `end`. */
int token_stream_more(struct token_stream *t, size_t end);

#endif
