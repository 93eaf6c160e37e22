/* vector_bench.c: "vector_bench STORE QUERIES.ndjson": how fast and how exact the vector scans of a store
 * are.
 *
 * QUERIES are records with an embedding of the store's model.  Prints one JSON object a way of scanning:
 * median and 99th percentile in milliseconds, the median of processor time (which says more on a busy
 * machine), and recall@10 against the float scan of the 12-bit rows. */
#include "base64.h"
#include "clock.h"
#include "json.h"
#include "record.h"
#include "store.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { K = 10, QUERIES = 200 };
static const char *const fields[] = {"embedding", NULL};
static float *queries[QUERIES];
static size_t query_count;

static void read_queries(const char *path) {
  struct record rec;
  struct buf scratch;
  int fd = open(path, O_RDONLY);
  struct record_reader *r = record_reader_new(fd, fields, NULL, NULL);
  buf_init(&scratch, RECORD_MAX);
  while (fd >= 0 && query_count < QUERIES && record_read(r, &rec) == RECORD_OK) {
    struct buf raw;
    buf_init(&raw, 1 << 16);
    if (base64_decode(json_text(rec.field[0], &scratch), &raw) == 0 && raw.len)
      queries[query_count++] = (void *)raw.data;
  }
  record_reader_free(r);
  buf_release(&scratch);
  close(fd);
}

static double cpu_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static size_t overlap(const struct vector_hit *a, size_t n, const struct vector_hit *b, size_t m) {
  size_t same = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < m; k++)
      same += a[i].part == b[k].part && a[i].row == b[k].row;
  return same;
}

static void measure(const char *name, const struct vector_part *parts, size_t n, struct vector_query q,
                    struct vector_hit truth[][K]) {
  double ms[QUERIES], cpu[QUERIES];
  size_t same = 0;
  for (size_t i = 0; i < query_count; i++) {
    struct vector_hit hits[K];
    q.query = queries[i];
    double start = clock_monotonic(), start_cpu = cpu_ms();
    size_t found = vector_search(parts, n, &q, hits);
    cpu[i] = cpu_ms() - start_cpu;
    ms[i] = 1e3 * (clock_monotonic() - start);
    if (q.how == VECTOR_FLOAT)
      memcpy(truth[i], hits, sizeof hits);
    same += overlap(hits, found, truth[i], K);
  }
  qsort(ms, query_count, sizeof *ms, by_value);
  qsort(cpu, query_count, sizeof *cpu, by_value);
  printf("{\"scan\":\"%s\",\"candidates\":%zu,\"kernels\":\"%s\",\"least\":%.3f,\"median\":%.3f,\"p99\":%.3f,"
         "\"cpu\":%.3f,\"recall\":%.4f}\n",
         name, q.candidates, vector_kernels(), ms[0], ms[query_count / 2], ms[query_count * 99 / 100],
         cpu[query_count / 2], (double)same / (double)(K * query_count));
  fflush(stdout);
}

int main(int argc, char **argv) {
  static struct vector_hit truth[QUERIES][K];
  static const size_t candidates[] = {200, 400, 800, 1600, 3200, 6400, 12800, 25600};
  struct store *s;
  struct store_snapshot *snap;
  struct error_text e;
  const struct store_segment *seg;
  if (argc < 3)
    return 64;
  read_queries(argv[2]);
  if (store_open(&s, &(struct store_options){.path = argv[1]}, &e) || store_snapshot_begin(s, &snap, &e)) {
    fprintf(stderr, "%s\n", e.text);
    return 70;
  }
  size_t n = store_segments(snap, &seg), rows = 0;
  struct vector_part *parts = xcalloc(n + 1, sizeof *parts);
  for (size_t i = 0; i < n; i++) {
    parts[i] = (struct vector_part){&seg[i].vectors, 0, seg[i].rows, seg[i].live_bits};
    rows += seg[i].rows;
  }
  printf("{\"rows\":%zu,\"segments\":%zu,\"queries\":%zu,\"k\":%d}\n", rows, n, query_count, K);
  measure("float", parts, n, (struct vector_query){.k = K, .threads = 1, .how = VECTOR_FLOAT}, truth);
  measure("exact", parts, n, (struct vector_query){.k = K, .threads = 1, .how = VECTOR_EXACT}, truth);
  for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++)
    measure("sketch", parts, n,
            (struct vector_query){.k = K, .threads = 1, .how = VECTOR_SKETCH, .candidates = candidates[i]},
            truth);
  measure("exact, all cores", parts, n, (struct vector_query){.k = K, .how = VECTOR_EXACT}, truth);
  if (vector_force("avx2") == 0)
    measure("exact", parts, n, (struct vector_query){.k = K, .threads = 1, .how = VECTOR_EXACT}, truth);
  store_snapshot_end(snap);
  store_close(s);
  return 0;
}
