/* vocabulary.h: the tokenizer that the tests of the tokenizer and of the chunker use: that of the shipped
 * model, or of a plain list of tokens named by BID_VOCAB. */
#ifndef BID_TEST_VOCABULARY_H
#define BID_TEST_VOCABULARY_H

#include "model/model.h"
#include "text/wordpiece.h"

#include <stdlib.h>

/* Either keeps the tokens. */
static struct buf vocabulary_text;
static struct model *vocabulary_model;

static inline struct slice vocabulary_tokens(void) {
  const char *path = getenv("BID_VOCAB"), *top = getenv("BID_TOP");
  struct error_text e;
  buf_init(&vocabulary_text, 1 << 24);
  if (path)
    return buf_read_file(&vocabulary_text, path) == 0 ? buf_slice(&vocabulary_text) : slice_of(NULL, 0);
  buf_printf(&vocabulary_text, "%s/data/models/bid-static.bidm", top ? top : ".");
  vocabulary_model = model_open(vocabulary_text.data, &e);
  return vocabulary_model ? model_section(vocabulary_model, "vocab") : slice_of(NULL, 0);
}

/* NULL where there are no tokens. */
static inline struct wordpiece *vocabulary_open(void) {
  struct error_text e;
  struct slice tokens = vocabulary_tokens();
  return tokens.len ? wordpiece_new(tokens, &e) : NULL;
}

/* The same by the model's "order"; NULL where BID_VOCAB is set. */
static inline struct wordpiece *vocabulary_open_ordered(void) {
  struct error_text e;
  struct model *m = vocabulary_model;
  return m ? wordpiece_new_ordered(model_section(m, "vocab"), model_section(m, "order"), &e) : NULL;
}

static inline void vocabulary_close(struct wordpiece *w) {
  wordpiece_free(w);
  model_close(vocabulary_model);
  buf_release(&vocabulary_text);
}

#endif
