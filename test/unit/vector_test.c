/* Every kernel against the scalar one, quantising, and searches against sorting everything. */
#include "buf.h"
#include "test.h"
#include "vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 42;

static float draw(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (float)(state >> 40) / 8388608.0f - 1;
}

struct set {
  struct vector_rows rows;
  int8_t *high;
  uint8_t *low;
  float *scale;
  uint64_t *sketch;
};

/* n rows around a few centres: neighbours that are near. */
static struct set make_set(size_t n, size_t dims) {
  size_t w = vector_width(dims);
  struct set s = {
      .high = xcalloc(n, w), .low = xcalloc(n, w / 2), .scale = xcalloc(n, 4), .sketch = xcalloc(n, w / 8)};
  float *centres = xcalloc(20 * dims, sizeof *centres), *x = xcalloc(dims, sizeof *x);
  for (size_t i = 0; i < 20 * dims; i++)
    centres[i] = draw();
  for (size_t r = 0; r < n; r++) {
    for (size_t i = 0; i < dims; i++)
      x[i] = centres[r % 20 * dims + i] + 0.7f * draw();
    s.scale[r] = vector_quantize(x, dims, 0, s.high + r * w, s.low + r * (w / 2), s.sketch + r * (w / 64));
  }
  s.rows = (struct vector_rows){n, dims, w, s.high, s.low, s.scale, s.sketch};
  free(centres);
  free(x);
  return s;
}

static void free_set(struct set *s) {
  free(s->high);
  free(s->low);
  free(s->scale);
  free(s->sketch);
}

static void test_quantize(void) {
  static const size_t sizes[] = {1, 3, 64, 100, 256, 384, 1000};
  int near = 1, same = 1;
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    size_t dims = sizes[k], w = vector_width(dims);
    float x[1000], y[1000];
    int8_t high[1024], high2[1024];
    uint8_t low[512], low2[512];
    uint64_t sketch[16], sketch2[16];
    for (int round = 0; round < 50; round++) {
      float largest = 0;
      for (size_t i = 0; i < dims; i++) {
        x[i] = draw() * (round % 2 ? 1e-3f : 10);
        largest = fabsf(x[i]) > largest ? fabsf(x[i]) : largest;
      }
      float scale = vector_quantize(x, dims, 0, high, low, sketch);
      struct vector_rows r = {1, dims, w, high, low, &scale, sketch};
      vector_restore(&r, 0, y);
      for (size_t i = 0; i < dims; i++)
        near &= fabsf(x[i] - y[i]) <= largest / 2039 * 0.502f;
      float again = vector_quantize(y, dims, scale, high2, low2, sketch2);
      same &= memcmp(&again, &scale, 4) == 0 && memcmp(high, high2, w) == 0 &&
              memcmp(low, low2, w / 2) == 0 && memcmp(sketch, sketch2, w / 8) == 0;
    }
  }
  CHECK(near);
  CHECK(same);
}

static void test_odd_vectors(void) {
  float x[4] = {0, 0, 0, 0}, y[4];
  int8_t high[64];
  uint8_t low[32];
  uint64_t sketch[1];
  float scale = vector_quantize(x, 4, 0, high, low, sketch);
  struct vector_rows r = {1, 4, 64, high, low, &scale, sketch};
  vector_restore(&r, 0, y);
  CHECK(scale >= 0 && scale <= 0 && memcmp(x, y, sizeof x) == 0);
  float odd[4] = {NAN, INFINITY, -INFINITY, 1};
  scale = vector_quantize(odd, 4, 0, high, low, sketch);
  vector_restore(&r, 0, y);
  CHECK(y[0] == 0 && y[1] == 0 && y[2] == 0 && fabsf(y[3] - 1) < 1e-3f);
}

static void test_kernels(const char *name) {
  static const size_t sizes[] = {64, 128, 256, 320, 384, 768};
  int dots_same = 1, sketches_same = 1;
  if (vector_force(name)) {
    printf("# %s: can't run here\n", name);
    return;
  }
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    size_t w = sizes[k], n = 77;
    int8_t *rows = xcalloc(n, w), q[768];
    uint64_t sketches[77 * 12], planes[4 * 12];
    int32_t a[77], b[77];
    uint16_t c[77], d[77];
    float x[768];
    for (size_t i = 0; i < n * w; i++)
      rows[i] = (int8_t)(i % 5 == 0 ? (i % 2 ? 127 : -127) : (int)(127 * draw()));
    for (size_t i = 0; i < w; i++) {
      q[i] = (int8_t)(i % 3 == 0 ? -127 : (int)(127 * draw()));
      x[i] = draw();
    }
    for (size_t i = 0; i < n * w / 64; i++)
      sketches[i] = (uint64_t)(1e9f * (draw() + 1)) * 0x9e3779b97f4a7c15u;
    vector_planes(x, w, planes);
    vector_force(name);
    vector_dots_int8(rows, 1, n, w, q, a);
    vector_sketches(sketches, 1, n, w / 64, planes, c);
    vector_force("scalar");
    vector_dots_int8(rows, 1, n, w, q, b);
    vector_sketches(sketches, 1, n, w / 64, planes, d);
    dots_same &= memcmp(a, b, (n - 1) * sizeof *a) == 0;
    sketches_same &= memcmp(c, d, (n - 1) * sizeof *c) == 0;
    free(rows);
  }
  vector_force(NULL);
  CHECK(dots_same);
  CHECK(sketches_same);
}

static int by_score(const void *a, const void *b) {
  const struct vector_hit *x = a, *y = b;
  if (x->score > y->score || x->score < y->score)
    return x->score < y->score ? 1 : -1;
  return (x->row > y->row) - (x->row < y->row);
}

/* The oracle: score everything that is allowed, sort. */
static size_t sort_all(const struct set *s, const uint64_t *allow, const float *q, size_t k,
                       struct vector_hit *out) {
  struct vector_hit *all = xcalloc(s->rows.rows, sizeof *all);
  size_t n = 0;
  for (uint32_t r = 0; r < s->rows.rows; r++)
    if (!allow || (allow[r / 64] >> (r % 64) & 1))
      all[n++] = (struct vector_hit){vector_score(&s->rows, r, q), 0, r};
  qsort(all, n, sizeof *all, by_score);
  n = n < k ? n : k;
  memcpy(out, all, n * sizeof *all);
  free(all);
  return n;
}

static size_t overlap(const struct vector_hit *a, size_t n, const struct vector_hit *b, size_t m) {
  size_t same = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < m; j++)
      same += a[i].row == b[j].row;
  return same;
}

static void test_search(size_t dims) {
  struct set s = make_set(9000, dims);
  struct vector_part part = {&s.rows, 0, 9000, NULL};
  size_t exact = 0, sketch = 0;
  int oracle = 1;
  for (int i = 0; i < 30; i++) {
    float q[768];
    struct vector_hit truth[10], hits[10];
    vector_restore(&s.rows, (size_t)(i * 131) % 9000, q);
    for (size_t k = 0; k < dims; k++)
      q[k] += 0.5f * draw();
    sort_all(&s, NULL, q, 10, truth);
    struct vector_query v = {.query = q, .k = 10, .how = VECTOR_FLOAT};
    size_t n = vector_search(&part, 1, &v, hits);
    for (size_t k = 0; k < 10; k++)
      oracle &= n == 10 && hits[k].row == truth[k].row;
    v.how = VECTOR_EXACT;
    exact += overlap(hits, vector_search(&part, 1, &v, hits), truth, 10);
    v.how = VECTOR_SKETCH;
    v.candidates = 1000;
    sketch += overlap(hits, vector_search(&part, 1, &v, hits), truth, 10);
  }
  CHECK(oracle);
  CHECK(exact >= 299);
  CHECK(sketch >= 270);
  free_set(&s);
}

static void test_filters(void) {
  struct set s = make_set(5000, 256);
  uint64_t allow[5000 / 64 + 1] = {0};
  float q[256];
  struct vector_hit truth[10], hits[10];
  static const uint32_t chosen[] = {3, 64, 4999};
  for (size_t i = 0; i < 3; i++)
    allow[chosen[i] / 64] |= (uint64_t)1 << (chosen[i] % 64);
  vector_restore(&s.rows, 77, q);
  struct vector_part part = {&s.rows, 0, 5000, allow};
  for (int how = VECTOR_EXACT; how <= VECTOR_FLOAT; how++) {
    struct vector_query v = {.query = q, .k = 10, .how = (enum vector_how)how};
    size_t n = vector_search(&part, 1, &v, hits), m = sort_all(&s, allow, q, 10, truth);
    CHECK(n == 3 && m == 3 && overlap(hits, n, truth, m) == 3);
  }
  struct vector_part parts[3] = {{&s.rows, 10, 20, NULL}, {&s.rows, 63, 65, NULL}, {&s.rows, 70, 70, NULL}};
  struct vector_query v = {.query = q, .k = 10, .how = VECTOR_SKETCH};
  CHECK(vector_search(parts, 3, &v, hits) == 10);
  v.k = 20;
  struct vector_hit more[20];
  CHECK(vector_search(parts, 3, &v, more) == 12);
  CHECK(vector_search(parts, 0, &v, more) == 0);
  v.k = 0;
  CHECK(vector_search(parts, 3, &v, more) == 0);
  free_set(&s);
}

/* The same hits, whatever the number of threads (small dimensions, so that there are rows for several). */
static void test_threads(void) {
  size_t n = 600000;
  struct set s = make_set(n, 8);
  uint64_t *allow = xcalloc(n / 64 + 1, sizeof *allow);
  int same = 1;
  for (size_t i = 0; i < n; i += 3)
    allow[i / 64] |= (uint64_t)1 << (i % 64);
  for (int how = VECTOR_EXACT; how <= VECTOR_FLOAT; how++)
    for (int filter = 0; filter < 2; filter++) {
      struct vector_part parts[2] = {{&s.rows, 17, 250001, filter ? allow : NULL},
                                     {&s.rows, 250001, (uint32_t)n, filter ? allow : NULL}};
      struct vector_hit one[20], four[20];
      float q[8] = {1, -1, 0.5f, 0, 2, -0.3f, 0.7f, 0.1f};
      struct vector_query v = {.query = q, .k = 20, .how = (enum vector_how)how, .threads = 1};
      size_t a = vector_search(parts, 2, &v, one);
      v.threads = 4;
      size_t b = vector_search(parts, 2, &v, four);
      same &= a == 20 && b == 20;
      for (size_t i = 0; i < 20; i++)
        same &= one[i].row == four[i].row && one[i].part == four[i].part && (!filter || one[i].row % 3 == 0);
    }
  CHECK(same);
  free(allow);
  free_set(&s);
}

static void test_ties(void) {
  size_t n = 300;
  struct set s = make_set(n, 64);
  for (size_t r = 1; r < n; r++) {
    memcpy(s.high + r * 64, s.high, 64);
    memcpy(s.low + r * 32, s.low, 32);
    s.scale[r] = s.scale[0];
    s.sketch[r] = s.sketch[0];
  }
  float q[64];
  struct vector_hit hits[10];
  int ordered = 1;
  vector_restore(&s.rows, 0, q);
  struct vector_part part = {&s.rows, 0, (uint32_t)n, NULL};
  for (int how = VECTOR_EXACT; how <= VECTOR_FLOAT; how++) {
    struct vector_query v = {.query = q, .k = 10, .how = (enum vector_how)how};
    ordered &= vector_search(&part, 1, &v, hits) == 10;
    for (uint32_t i = 0; i < 10; i++)
      ordered &= hits[i].row == i;
  }
  CHECK(ordered);
  free_set(&s);
}

TEST(vnni_as_scalar) {
  test_kernels("avx512-vnni");
}
TEST(avx2_as_scalar) {
  test_kernels("avx2");
}
TEST(search_256) {
  test_search(256);
}
TEST(search_odd_dimensions) {
  test_search(100);
}
TEST(search_384) {
  test_search(384);
}
TEST(unknown_kernel_is_refused) {
  CHECK(vector_force("no such kernel") < 0);
}

int main(void) {
  RUN(test_quantize);
  RUN(test_odd_vectors);
  RUN(vnni_as_scalar);
  RUN(avx2_as_scalar);
  RUN(search_256);
  RUN(search_odd_dimensions);
  RUN(search_384);
  RUN(test_filters);
  RUN(test_threads);
  RUN(test_ties);
  RUN(unknown_kernel_is_refused);
  return test_done();
}
