/* wordpiece_bench VOCAB TEXT ids|places: tokenizes a file several times; prints for the fastest run
 * "bytes tokens seconds cpu-seconds peak-KB". */
#include "base/clock.h"
#include "text/wordpiece.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static double cpu_seconds(void) {
  return (double)clock() / CLOCKS_PER_SEC;
}

int main(int argc, char **argv) {
  struct buf vocab, text;
  struct error_text e;
  struct rusage usage;
  double best = 1e9, best_cpu = 1e9;
  size_t count = 0;
  buf_init(&vocab, 1 << 24);
  buf_init(&text, (size_t)1 << 30);
  if (argc != 4 || buf_read_file(&vocab, argv[1]) != 0 || buf_read_file(&text, argv[2]) != 0)
    return 66;
  struct wordpiece *w = wordpiece_new(buf_slice(&vocab), &e);
  if (w == NULL)
    return 78;
  struct wordpiece_memo *memo = wordpiece_memo_new(w);
  uint32_t *out = xreallocarray(NULL, text.len, sizeof *out);
  for (int i = 0; i < 7; i++) {
    double start = clock_monotonic(), cpu = cpu_seconds();
    if (argv[3][0] == 'p')
      count = wordpiece_places(memo, buf_slice(&text), 0, out, text.len);
    else
      count = wordpiece_encode(w, buf_slice(&text), (int32_t *)(void *)out, NULL, text.len);
    double took = clock_monotonic() - start;
    cpu = cpu_seconds() - cpu;
    best = took < best ? took : best;
    best_cpu = cpu < best_cpu ? cpu : best_cpu;
  }
  getrusage(RUSAGE_SELF, &usage);
  printf("%zu %zu %.6f %.6f %ld\n", text.len, count, best, best_cpu, usage.ru_maxrss);
  return 0;
}
