#include "vector/vector_scan.h"

#include <pthread.h>
#include <unistd.h>

#define ROWS_OF_THREAD 131072

/* The end of the run that starts at `from`: VECTOR_RUN rows on, or before an empty word of the bitmap. */
static uint32_t vector_run_end(const struct vector_part *part, uint32_t from) {
  uint32_t end = from / VECTOR_RUN * VECTOR_RUN + VECTOR_RUN, to = part->to < end ? part->to : end;
  if (!part->allow)
    return to;
  uint32_t word = from / 64;
  while (word * 64 < to && part->allow[word])
    word++;
  return word * 64 < to ? word * 64 : to;
}

static void each_chunk_of(const struct vector_part *part, uint32_t index, vector_scan_function *f,
                          void *state) {
  for (uint32_t from = part->from, to; from < part->to; from = to) {
    if (part->allow && !part->allow[from / 64]) {
      to = from / 64 * 64 + 64;
      continue;
    }
    to = vector_run_end(part, from);
    f(state, part, index, from, to);
  }
}

void vector_scan(const struct vector_part *parts, size_t count, vector_scan_function *f, void *state) {
  for (size_t p = 0; p < count; p++)
    each_chunk_of(&parts[p], (uint32_t)p, f, state);
}

size_t vector_scan_rows(const struct vector_part *parts, size_t count) {
  size_t n = 0;
  for (size_t i = 0; i < count; i++)
    n += parts[i].to - parts[i].from;
  return n;
}

/* A thread's share: the rows [from, to), counted over all parts. */
struct share {
  const struct vector_part *parts;
  size_t count, from, to;
  vector_scan_function *f;
  void *state;
};

static void *do_share(void *arg) {
  const struct share *s = arg;
  size_t base = 0;
  for (size_t p = 0; p < s->count; p++) {
    struct vector_part part = s->parts[p];
    size_t rows = part.to - part.from, low = s->from > base ? s->from - base : 0;
    size_t high = s->to > base ? s->to - base : 0;
    part.to = part.from + (uint32_t)(high < rows ? high : rows);
    part.from += (uint32_t)(low < rows ? low : rows);
    if (part.from < part.to)
      each_chunk_of(&part, (uint32_t)p, s->f, s->state);
    base += rows;
  }
  return NULL;
}

/* The share of a thread that can't be started is done here. */
void vector_scan_shared(const struct vector_part *parts, size_t count, vector_scan_function *f,
                        void *const states[VECTOR_THREADS], size_t threads) {
  struct share shares[VECTOR_THREADS] = {{0}};
  pthread_t thread[VECTOR_THREADS];
  size_t rows = vector_scan_rows(parts, count), started = 1;
  for (size_t i = 0; i < threads; i++)
    shares[i] = (struct share){parts, count, rows * i / threads, rows * (i + 1) / threads, f, states[i]};
  while (started < threads && pthread_create(&thread[started], NULL, do_share, &shares[started]) == 0)
    started++;
  do_share(&shares[0]);
  for (size_t i = started; i < threads; i++)
    do_share(&shares[i]);
  for (size_t i = 1; i < started; i++)
    pthread_join(thread[i], NULL);
}

/* A thread pays off from about 100,000 rows. */
size_t vector_scan_threads(int asked, size_t rows) {
  long cores = asked ? asked : sysconf(_SC_NPROCESSORS_ONLN);
  size_t most = rows / ROWS_OF_THREAD + 1;
  most = most < VECTOR_THREADS ? most : VECTOR_THREADS;
  return cores > 0 && (size_t)cores < most ? (size_t)cores : most;
}
