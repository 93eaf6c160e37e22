/* vocabulary.h: the tokenizer that the tests of the tokenizer and of the chunker use: that of the shipped
 * model, or of a plain list of tokens named by BID_VOCAB. */
#ifndef BID_TEST_VOCABULARY_H
#define BID_TEST_VOCABULARY_H

#include "wordpiece.h"

#include <stdlib.h>

/* The tokens, one a line; vocabulary_text keeps them.  NULL where there are none. */
static struct buf vocabulary_text;

static inline struct wordpiece *vocabulary_open(void) {
  const char *path = getenv("BID_VOCAB");
  struct error_text e;
  buf_init(&vocabulary_text, 1 << 24);
  if (path == NULL || buf_read_file(&vocabulary_text, path) != 0)
    return NULL;
  return wordpiece_new(buf_slice(&vocabulary_text), &e);
}

static inline void vocabulary_close(struct wordpiece *w) {
  wordpiece_free(w);
  buf_release(&vocabulary_text);
}

#endif
