/* vector_bench.c: measures the speed and the recall of the vector scans.
 *
 *   vector_bench STORE QUERIES.ndjson [EMBEDDED.ndjson]
 *       on a store made from EMBEDDED in one run; its float32 vectors are the reference (without it: the store's
 *       12-bit vectors)
 *   vector_bench random ROWS
 *       on random vectors of 256 dimensions, in memory
 *   vector_bench mapped ROWS FILE
 *       on clustered vectors in blocks of a mapped file, which is created if it does not exist; all cores
 *
 * QUERIES are records with an embedding of the store's model.  Prints one JSON object per scan method:
 * minimum, median and 99th percentile in milliseconds, the median of CPU time (more meaningful on a busy machine),
 * and recall@10. */
#include "base/base64.h"
#include "base/clock.h"
#include "record/json.h"
#include "record/record.h"
#include "store/store.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { K = 10, QUERIES = 200, DIMS = 256, BLOCK = 131072, CENTRES = 20000 };
static const char *const fields[] = {"embedding", NULL};
static float *queries[QUERIES];
static size_t query_count, dims = DIMS;
static struct vector_hit truth[QUERIES][K];

static struct vector_part *parts;
static size_t part_count, row_count;

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double cpu_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static size_t overlap(const struct vector_hit *a, size_t n, const struct vector_hit *b, size_t m) {
  size_t same = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < m; k++)
      same += a[i].part == b[k].part && a[i].row == b[k].row;
  return same;
}

/* Runs all queries with one scan method, prints the figures and returns the recall. */
static double measure(const char *name, struct vector_query q) {
  static double ms[QUERIES], cpu[QUERIES];
  size_t same = 0;
  for (size_t i = 0; i < query_count; i++) {
    struct vector_hit hits[K];
    q.query = queries[i];
    double start = clock_monotonic(), start_cpu = cpu_ms();
    size_t found = vector_search(parts, part_count, &q, hits);
    cpu[i] = cpu_ms() - start_cpu;
    ms[i] = 1e3 * (clock_monotonic() - start);
    same += overlap(hits, found, truth[i], K);
  }
  double recall = (double)same / (double)(K * query_count);
  qsort(ms, query_count, sizeof *ms, by_value);
  qsort(cpu, query_count, sizeof *cpu, by_value);
  printf(
      "{\"scan\":\"%s\",\"candidates\":%zu,\"kernels\":\"%s\",\"threads\":%d,\"least\":%.3f,\"median\":%.3f,"
      "\"p99\":%.3f,\"cpu\":%.3f,\"recall\":%.4f}\n",
      name, q.candidates, vector_kernels(), q.threads, ms[0], ms[query_count / 2], ms[query_count * 99 / 100],
      cpu[query_count / 2], recall);
  fflush(stdout);
  return recall;
}

static void find_truth_by_scan(void) {
  for (size_t i = 0; i < query_count; i++) {
    struct vector_query q = {.query = queries[i], .k = K, .how = VECTOR_EXACT};
    vector_search(parts, part_count, &q, truth[i]);
  }
}

/* ---- float32 ---- */

/* Inserts a hit into the K best of a query, best first. */
static void offer(struct vector_hit *best, struct vector_hit h) {
  if (h.score <= best[K - 1].score)
    return;
  size_t i = K - 1;
  for (; i > 0 && best[i - 1].score < h.score; i--)
    best[i] = best[i - 1];
  best[i] = h;
}

static void begin_truth(void) {
  for (size_t i = 0; i < QUERIES; i++)
    for (size_t k = 0; k < K; k++)
      truth[i][k] = (struct vector_hit){-1e30F, UINT32_MAX, 0};
}

static void add_truth(const float *x, uint32_t part, uint32_t row) {
  for (size_t i = 0; i < query_count; i++)
    offer(truth[i], (struct vector_hit){vector_dot(x, queries[i], dims), part, row});
}

/* Calls f for the vectors of a file's records. */
static void each_vector(const char *path, int (*f)(const float *x, size_t n)) {
  struct record rec;
  struct buf scratch, raw;
  int fd = open(path, O_RDONLY), more = 1;
  struct record_reader *r = record_reader_new(fd, fields, NULL, NULL);
  buf_init(&scratch, RECORD_MAX);
  buf_init(&raw, 1 << 16);
  while (fd >= 0 && more && record_read(r, &rec) == RECORD_OK) {
    buf_clear(&raw);
    if (base64_decode(json_text(rec.field[0], &scratch), &raw) == 0 && raw.len)
      more = f((const void *)raw.data, raw.len / sizeof(float));
  }
  record_reader_free(r);
  buf_release(&scratch);
  buf_release(&raw);
  close(fd);
}

static int add_query(const float *x, size_t n) {
  queries[query_count] = xreallocarray(NULL, n, sizeof *x);
  memcpy(queries[query_count++], x, n * sizeof *x);
  dims = n;
  return query_count < QUERIES;
}

static int add_row(const float *x, size_t n) {
  static uint32_t part, row;
  while (part < part_count && row == parts[part].rows->rows)
    part++, row = 0;
  if (n != dims || part == part_count)
    return 0;
  add_truth(x, part, row++);
  return 1;
}

/* ---- a store ---- */

static int measure_store(const char *path, const char *query_path, const char *embedded) {
  static const size_t candidates[] = {200, 400, 600, 800, 1200, 1600, 2400, 3200, 6400, 12800};
  struct store *s;
  struct store_snapshot *snap;
  struct error_text e;
  const struct store_segment *seg;
  each_vector(query_path, add_query);
  if (store_open(&s, &(struct store_options){.path = path}, &e) || store_snapshot_begin(s, &snap, &e)) {
    fprintf(stderr, "%s\n", e.text);
    return 70;
  }
  part_count = store_segments(snap, &seg);
  parts = xcalloc(part_count + 1, sizeof *parts);
  for (size_t i = 0; i < part_count; i++) {
    parts[i] = (struct vector_part){&seg[i].vectors, 0, seg[i].rows, seg[i].live_bits};
    row_count += seg[i].rows;
  }
  printf("{\"rows\":%zu,\"segments\":%zu,\"queries\":%zu,\"k\":%d,\"truth\":\"%s\"}\n", row_count, part_count,
         query_count, K, embedded ? "float32" : "12 bits");
  begin_truth();
  if (embedded)
    each_vector(embedded, add_row);
  else
    find_truth_by_scan();
  measure("exact", (struct vector_query){.k = K, .threads = 1, .how = VECTOR_PRUNED});
  for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++)
    measure("sketch",
            (struct vector_query){.k = K, .threads = 1, .how = VECTOR_SKETCH, .candidates = candidates[i]});
  if (part_count)
    measure("sketch, as the store has it",
            (struct vector_query){.k = K,
                                  .threads = 1,
                                  .how = VECTOR_SKETCH,
                                  .candidates = store_sketch_candidates(snap, seg[0].model)});
  if (vector_force("avx2") == 0)
    measure("exact", (struct vector_query){.k = K, .threads = 1, .how = VECTOR_PRUNED});
  store_snapshot_end(snap);
  store_close(s);
  return 0;
}

/* ---- vectors made here ---- */

static uint64_t state = 88172645463325252u;

/* Approximately normal: the sum of four uniform numbers (xorshift64, Marsaglia 2003). */
static float draw(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (float)((state & 0xffff) + (state >> 16 & 0xffff) + (state >> 32 & 0xffff) + (state >> 48)) / 65536 -
         2;
}

static void draw_vector(float *x, const float *centre, float noise) {
  for (size_t i = 0; i < DIMS; i++)
    x[i] = (centre ? centre[i] : 0) + noise * draw();
  float length = sqrtf(vector_dot(x, x, DIMS));
  for (size_t i = 0; i < DIMS; i++)
    x[i] /= length;
}

/* Size of a block's arrays, stored one after the other, each a multiple of 64 bytes. */
static const size_t of_row[] = {DIMS / 2, DIMS, sizeof(float), DIMS / 8, 4};
enum { AXIS = 5, BLOCK_BYTES = BLOCK * (DIMS / 2 + DIMS + 4 + DIMS / 8 + 4) + DIMS * 4 };

static void point(struct vector_rows *r, char *at, size_t rows) {
  void *array[AXIS + 1];
  for (size_t i = 0; i <= AXIS; i++) {
    array[i] = at;
    at += i < AXIS ? of_row[i] * BLOCK : 0;
  }
  *r = (struct vector_rows){rows, DIMS, DIMS, array[0], array[1], array[2], array[3], array[4], array[5]};
}

/* Fills a block; centres: NULL for random vectors, which are also the reference. */
static void fill(const struct vector_rows *r, const float *centres, uint32_t part) {
  float x[DIMS];
  for (size_t i = 0; i < r->rows; i++) {
    draw_vector(x, centres ? centres + state % CENTRES * DIMS : NULL, centres ? 0.8F : 1);
    ((float *)(uintptr_t)r->scale)[i] = vector_quantize(
        x, DIMS, 0, (uint8_t *)(uintptr_t)r->high + i * (DIMS / 2), (uint8_t *)(uintptr_t)r->low + i * DIMS);
    if (!centres)
      add_truth(x, part, (uint32_t)i);
  }
  vector_make_sketches(r, (uint64_t *)(uintptr_t)r->sketch, (uint16_t *)(uintptr_t)r->factor,
                       (float *)(uintptr_t)r->axis);
}

static void make_parts(char *bytes, size_t rows) {
  part_count = (rows + BLOCK - 1) / BLOCK;
  row_count = rows;
  parts = xcalloc(part_count + 1, sizeof *parts);
  struct vector_rows *r = xcalloc(part_count + 1, sizeof *r);
  for (size_t p = 0; p < part_count; p++) {
    size_t n = rows - p * BLOCK < BLOCK ? rows - p * BLOCK : BLOCK;
    point(&r[p], bytes + p * BLOCK_BYTES, n);
    parts[p] = (struct vector_part){&r[p], 0, (uint32_t)n, NULL};
  }
}

static void draw_queries(const float *centres, size_t count) {
  for (query_count = 0; query_count < count; query_count++) {
    queries[query_count] = xreallocarray(NULL, DIMS, sizeof(float));
    draw_vector(queries[query_count], centres ? centres + state % CENTRES * DIMS : NULL, centres ? 0.8F : 1);
  }
}

static char *map(size_t bytes, int fd, int protection) {
  char *p = mmap(NULL, bytes, protection, fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, fd, 0);
  if (p == MAP_FAILED) {
    perror("vector_bench: mmap");
    exit(70);
  }
  return p;
}

static int measure_random(size_t rows) {
  make_parts(map((rows + BLOCK - 1) / BLOCK * BLOCK_BYTES, -1, PROT_READ | PROT_WRITE), rows);
  draw_queries(NULL, 50);
  begin_truth();
  for (size_t p = 0; p < part_count; p++)
    fill(parts[p].rows, NULL, (uint32_t)p);
  printf("{\"rows\":%zu,\"queries\":%zu,\"k\":%d,\"truth\":\"float32\",\"vectors\":\"random\"}\n", rows,
         query_count, K);
  measure("exact", (struct vector_query){.k = K, .threads = 1, .how = VECTOR_PRUNED});
  return 0;
}

static int measure_mapped(size_t rows, const char *path) {
  size_t bytes = (rows + BLOCK - 1) / BLOCK * BLOCK_BYTES;
  struct stat st;
  float *centres = xcalloc((size_t)CENTRES * DIMS, sizeof *centres);
  for (size_t i = 0; i < CENTRES; i++)
    draw_vector(centres + i * DIMS, NULL, 1);
  for (size_t i = 0; i < (size_t)CENTRES * DIMS; i++)
    centres[i] *= 12;
  int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  int made = fd >= 0 && fstat(fd, &st) == 0 &&
             (size_t)st.st_size == bytes + 1; /* the last byte marks it as complete */
  if (!made && ftruncate(fd, (off_t)bytes))
    return 74;
  if (!made) {
    char *p = map(bytes, fd, PROT_READ | PROT_WRITE);
    make_parts(p, rows);
    for (size_t i = 0; i < part_count; i++)
      fill(parts[i].rows, centres, (uint32_t)i);
    munmap(p, bytes);
    if (ftruncate(fd, (off_t)bytes + 1))
      return 74;
  }
  state = 42;
  draw_queries(centres, 20);
  double start = clock_monotonic();
  make_parts(map(bytes, fd, PROT_READ), rows);
  double opened = clock_monotonic();
  struct vector_query q = {.query = queries[0], .k = K, .how = VECTOR_SKETCH, .candidates = 3200};
  struct vector_hit hits[K];
  vector_search(parts, part_count, &q, hits);
  printf("{\"scan\":\"first\",\"rows\":%zu,\"opened\":%.3f,\"median\":%.3f}\n", rows, 1e3 * (opened - start),
         1e3 * (clock_monotonic() - opened));
  find_truth_by_scan();
  for (size_t c = 3200; c <= 51200; c *= 4)
    if (measure("sketch", (struct vector_query){.k = K, .how = VECTOR_SKETCH, .candidates = c}) >= 0.99)
      break;
  measure("exact", (struct vector_query){.k = K, .how = VECTOR_PRUNED});
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 3 && strcmp(argv[1], "random") == 0)
    return measure_random(strtoul(argv[2], NULL, 10));
  if (argc == 4 && strcmp(argv[1], "mapped") == 0)
    return measure_mapped(strtoul(argv[2], NULL, 10), argv[3]);
  return argc < 3 ? 64 : measure_store(argv[1], argv[2], argv[3]);
}
