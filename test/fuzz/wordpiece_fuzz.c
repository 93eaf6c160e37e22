/* wordpiece_fuzz.c: any bytes as a text for the tokenizer: ids of the vocabulary, in order, the same with and without a
 * memory of words; and as a vocabulary. */
#include "text/wordpiece.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 300 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char words[] =
      "[PAD]\n[UNK]\n[CLS]\n[SEP]\na\nb\nc\n##a\n##b\nnet\nsales\n##s\n1\n2\n##3\n.\n,\n-\n";
  static struct wordpiece *w;
  static struct wordpiece_memo *memo;
  struct error_text e;
  struct slice text = slice_of((const char *)data, size);
  int32_t ids[MOST];
  uint32_t starts[MOST], places[MOST];
  if (!w) {
    w = wordpiece_new(slice_str(words), &e);
    memo = wordpiece_memo_new(w);
  }
  size_t count = wordpiece_encode(w, text, ids, starts, MOST);
  if (count != wordpiece_count(w, text) || count != wordpiece_places(memo, text, 0, places, MOST))
    abort();
  for (size_t i = 0; i < count && i < MOST; i++)
    if (ids[i] < 0 || (size_t)ids[i] >= wordpiece_vocab_size(w) || starts[i] >= size ||
        (i && starts[i] < starts[i - 1]) || places[i] / 2 != starts[i])
      abort();
  struct wordpiece *other = wordpiece_new(text, &e);
  if (other)
    wordpiece_encode(other, text, ids, starts, MOST);
  wordpiece_free(other);
  return 0;
}
