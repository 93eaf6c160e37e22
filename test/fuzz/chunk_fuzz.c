/* The tokenizer and the chunker on any bytes: the first four choose sizes and headings, the rest is text. */
#include "chunk_context.h"
#include "chunker.h"
#include "model.h"
#include "utf8.h"

#include <stdlib.h>

static struct wordpiece *tokenizer;
static struct wordpiece_memo *memo;

static void start(void) {
  struct error_text e;
  struct buf path;
  buf_init(&path, 4096);
  model_find(&path, "bid-static");
  static struct model *m; /* kept: the vocabulary is in its map */
  m = model_open(path.data, &e);
  if (m == NULL)
    m = model_open("data/models/bid-static.bidm", &e);
  if (m == NULL)
    abort();
  tokenizer = wordpiece_new(model_section(m, "vocab"), &e);
  memo = wordpiece_memo_new(tokenizer);
  buf_release(&path);
}

struct state {
  struct slice text;
  size_t bound, end;
  int overlap;
};

static int check(void *arg, const struct chunker_chunk *k) {
  struct state *s = arg;
  struct buf context;
  if (k->end > s->text.len || k->start >= k->end || (k->start < s->end && !s->overlap) || k->end <= s->end)
    abort();
  if (k->tokens > s->bound ||
      wordpiece_count(tokenizer, slice_of(s->text.data + k->start, k->end - k->start)) != k->tokens)
    abort();
  buf_init(&context, 1 << 16);
  chunk_context_path(&context, k);
  chunk_context_table(&context, k);
  if (context.len && utf8_valid_prefix(context.data, context.len) != context.len)
    abort();
  buf_release(&context);
  s->end = k->end;
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (tokenizer == NULL)
    start();
  if (size < 4)
    return 0;
  struct slice text = slice_of((const char *)data + 4, size - 4);
  wordpiece_count(tokenizer, text); /* any bytes at all */
  text.len = utf8_valid_prefix(text.data, text.len);
  char *copy = memcpy(malloc(text.len + 1), text.data, text.len); /* so that a read past its end shows */
  copy = realloc(copy, text.len ? text.len : 1);
  struct state s = {slice_of(copy, text.len), CHUNKER_TOKENS_MIN + data[0] % 64, 0, data[1] & 1};
  struct chunker_options o = {s.bound, s.overlap ? data[1] / 4 : 0};
  struct chunker_heading h[2] = {{data[2], data[3] % 10, slice_str("II-1"), slice_str("#* Odd **title"), 1},
                                 {(size_t)data[2] + data[3], 3, {0}, slice_str("Title"), 0}};
  struct chunker_document d = {.text = s.text, .headings = h, .heading_count = data[3] % 3};
  chunker_run(memo, &d, &o, check, &s);
  free(copy);
  return 0;
}
