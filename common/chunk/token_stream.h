/* token_stream.h: the tokens of a long text in order, tokenized once, one window at a time.
 *
 * A window ends before an ASCII blank or punctuation character, where a token always starts, so that the tokens are
 * the same as for the whole text.  The last `keep` tokens taken can be inspected and put back.
 */
#ifndef BID_TOKEN_STREAM_H
#define BID_TOKEN_STREAM_H

#include "base/buf.h"
#include "text/wordpiece.h"

#include <stdint.h>

struct token_stream {
  struct wordpiece_memo *w;
  struct slice text; /* less than 2 GiB */
  size_t keep;       /* tokens before `at` that are kept when the window moves */
  uint32_t *places;  /* [cap]: as of wordpiece_places() */
  size_t cap;
  size_t at, count; /* index of the next token, and number of tokens, in places */
  size_t end;       /* offset in text of the window's end */
};

void token_stream_init(struct token_stream *t, struct wordpiece_memo *w, struct slice text, size_t keep);
void token_stream_release(struct token_stream *t);

/* Takes tokens that start before byte `end` of the text, at most max; returns how many. */
size_t token_stream_take(struct token_stream *t, size_t end, size_t max);

/* token_stream_start(): offset in text of token i, at or before `at`.  token_stream_apart(): whether splitting before
 * it splits no word. */
static inline size_t token_stream_start(const struct token_stream *t, size_t i) {
  return t->places[i] >> 1;
}
static inline int token_stream_apart(const struct token_stream *t, size_t i) {
  return !(t->places[i] & 1) && t->places[i] >> 1 != t->places[i - 1] >> 1;
}

/* Whether another token starts before byte `end`. */
int token_stream_more(struct token_stream *t, size_t end);

#endif
