/* wordpiece_bench VOCAB TEXT: opens the tokenizer and tokenizes a file several times; the best of them. */
#include "clock.h"
#include "wordpiece.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  struct buf vocab, text;
  struct error_text e;
  double best = 1e9;
  size_t count = 0;
  buf_init(&vocab, 1 << 24);
  buf_init(&text, (size_t)1 << 30);
  if (argc != 3 || buf_read_file(&vocab, argv[1]) != 0 || buf_read_file(&text, argv[2]) != 0)
    return 66;
  double start = clock_monotonic();
  struct wordpiece *w = wordpiece_new(buf_slice(&vocab), &e);
  if (w == NULL)
    return 78;
  double opened = clock_monotonic() - start;
  int32_t *ids = xreallocarray(NULL, text.len, sizeof *ids);
  uint32_t *starts = xreallocarray(NULL, text.len, sizeof *starts);
  for (int i = 0; i < 7; i++) {
    start = clock_monotonic();
    count = wordpiece_encode(w, buf_slice(&text), ids, starts, text.len);
    double took = clock_monotonic() - start;
    best = took < best ? took : best;
  }
  printf("%.1f million tokens/s, %.0f MB/s, opened in %.1f ms\n", (double)count / best / 1e6,
         (double)text.len / best / 1e6, opened * 1e3);
  return 0;
}
