/* Every kernel against the scalar one, quantising, and searches against sorting everything. */
#include "base/buf.h"
#include "test.h"
#include "vector/vector.h"
#include "vector/vector_rows.h"

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
  uint8_t *high, *low;
  float *scale, *axis;
  uint16_t *factor;
  uint64_t *sketch;
};

static void point_rows(struct set *s, size_t n, size_t dims) {
  s->rows = (struct vector_rows){
      n, dims, vector_width(dims), s->high, s->low, s->scale, s->sketch, s->factor, s->axis, NULL, NULL};
}

/* n rows around a few centres: neighbours that are near. */
static struct set make_set(size_t n, size_t dims) {
  size_t w = vector_width(dims), half = w / 2;
  struct set s = {.high = xcalloc(n, half), .low = xcalloc(n, w)};
  s.scale = xcalloc(n, sizeof *s.scale);
  s.factor = xcalloc(vector_groups(n), 32);
  s.axis = xcalloc(w, sizeof *s.axis);
  s.sketch = xcalloc(vector_groups(n), w);
  float *centres = xcalloc(20 * dims, sizeof *centres), *x = xcalloc(dims, sizeof *x);
  for (size_t i = 0; i < 20 * dims; i++)
    centres[i] = draw();
  for (size_t r = 0; r < n; r++) {
    for (size_t i = 0; i < dims; i++)
      x[i] = centres[r % 20 * dims + i] + 0.7f * draw();
    s.scale[r] = vector_quantize(x, dims, 0, s.high + r * half, s.low + r * w);
  }
  point_rows(&s, n, dims);
  vector_make_sketches(&s.rows, s.sketch, s.factor, s.axis);
  free(centres);
  free(x);
  return s;
}

static void free_set(struct set *s) {
  free(s->high);
  free(s->low);
  free(s->scale);
  free(s->factor);
  free(s->axis);
  free(s->sketch);
}

static void test_quantize(void) {
  static const size_t sizes[] = {1, 3, 64, 100, 256, 384, 1000};
  int near = 1, same = 1;
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    size_t dims = sizes[k], half = vector_width(dims) / 2;
    float x[1000], y[1000];
    uint8_t planes[2][1024], again[2][1024];
    for (int round = 0; round < 50; round++) {
      float largest = 0;
      for (size_t i = 0; i < dims; i++) {
        x[i] = draw() * (round % 2 ? 1e-3f : 10);
        largest = fabsf(x[i]) > largest ? fabsf(x[i]) : largest;
      }
      float scale = vector_quantize(x, dims, 0, planes[0], planes[1]);
      struct vector_rows r = {1, dims, 2 * half, planes[0], planes[1], &scale, NULL, NULL, NULL, NULL, NULL};
      vector_restore(&r, 0, y);
      for (size_t i = 0; i < dims; i++)
        near &= fabsf(x[i] - y[i]) <= largest / 2039 * 0.502f;
      float scale2 = vector_quantize(y, dims, scale, again[0], again[1]);
      same &= memcmp(&scale2, &scale, 4) == 0;
      for (size_t i = 0; i < 2; i++)
        same &= memcmp(planes[i], again[i], half * (i + 1)) == 0;
    }
  }
  CHECK(near);
  CHECK(same);
}

static void test_odd_vectors(void) {
  float x[4] = {0, 0, 0, 0}, y[4];
  uint8_t high[32], low[64];
  float scale = vector_quantize(x, 4, 0, high, low);
  struct vector_rows r = {1, 4, 64, high, low, &scale, NULL, NULL, NULL, NULL, NULL};
  vector_restore(&r, 0, y);
  CHECK(scale >= 0 && scale <= 0 && memcmp(x, y, sizeof x) == 0);
  float odd[4] = {NAN, INFINITY, -INFINITY, 1};
  scale = vector_quantize(odd, 4, 0, high, low);
  vector_restore(&r, 0, y);
  CHECK(y[0] == 0 && y[1] == 0 && y[2] == 0 && fabsf(y[3] - 1) < 1e-3f);
}

/* A scale that comes with a vector, in a dump that somebody changed, must not make another vector of it. */
static void test_scale_of_another_vector(void) {
  static const float scales[] = {INFINITY, NAN, -1, 1e30f, 1e-30f, 1e-44f, 0.3f, 1e-4f};
  float x[4] = {0.75f, -0.5f, 0.125f, 1}, y[4];
  uint8_t high[32], low[64];
  for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
    float scale = vector_quantize(x, 4, scales[i], high, low);
    struct vector_rows r = {1, 4, 64, high, low, &scale, NULL, NULL, NULL, NULL, NULL};
    vector_restore(&r, 0, y);
    for (size_t k = 0; k < 4; k++)
      CHECK(fabsf(x[k] - y[k]) < 1e-3f);
  }
}

/* The score of a row is the sum of products of what is restored. */
static void test_score(void) {
  static const size_t sizes[] = {5, 64, 100, 256, 384};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    struct set s = make_set(40, sizes[k]);
    float x[384], q[384];
    int near = 1;
    for (size_t i = 0; i < sizes[k]; i++)
      q[i] = draw();
    for (size_t r = 0; r < 40; r++) {
      double sum = 0;
      vector_restore(&s.rows, r, x);
      for (size_t i = 0; i < sizes[k]; i++)
        sum += (double)x[i] * (double)q[i];
      near &= fabs(sum - (double)vector_score(&s.rows, r, q)) < 1e-3;
    }
    CHECK(near);
    free_set(&s);
  }
}

/* Rotating keeps lengths and angles, and spreads what stands in one component over all. */
static void test_rotation(void) {
  static const size_t sizes[] = {64, 128, 192, 256, 320, 384, 768, 4096};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    size_t w = sizes[k];
    static float x[4096], y[4096], one[4096];
    struct vector_sketch_rotation t;
    for (size_t i = 0; i < w; i++) {
      x[i] = draw();
      y[i] = draw();
      one[i] = i == 3;
    }
    float before = vector_dot(x, y, w), largest = 0;
    vector_sketch_rotation_init(&t, w);
    vector_sketch_rotate(&t, x);
    vector_sketch_rotate(&t, y);
    vector_sketch_rotate(&t, one);
    for (size_t i = 0; i < w; i++)
      largest = fabsf(one[i]) > largest ? fabsf(one[i]) : largest;
    CHECK(fabsf(vector_dot(x, y, w) - before) < 1e-3f * (float)w);
    CHECK(fabsf(vector_dot(one, one, w) - 1) < 1e-3f);
    CHECK(largest < 0.75f);
    vector_sketch_rotation_release(&t);
  }
}

/* Rows, a query and room for what two kernels say of them. */
struct bout {
  uint8_t rows[77 * 384];
  int8_t query[768];
  uint64_t sketches[80 * 12], planes[4 * 12];
  uint16_t factor[10][2][8];
  float x[768];
  int32_t dots[2][77];
  float scores[2][80], rescored[2];
  uint32_t reached[2][80];
  size_t count[2];
};

static void draw_bout(struct bout *b) {
  for (size_t i = 0; i < sizeof b->rows; i++)
    b->rows[i] = (uint8_t)(i % 5 == 0 ? 255 : 128 * (draw() + 1));
  for (size_t i = 0; i < 768; i++) {
    b->query[i] = (int8_t)(i % 3 == 0 ? -127 : (int)(127 * draw()));
    b->x[i] = draw();
  }
  for (size_t i = 0; i < 80 * 12; i++)
    b->sketches[i] = (uint64_t)(1e9f * (draw() + 1)) * 0x9e3779b97f4a7c15u;
  for (size_t i = 0; i < 48; i++)
    b->planes[i] = (uint64_t)(1e9f * (draw() + 1)) * 0x9e3779b97f4a7c15u;
  for (size_t i = 0; i < 160; i++)
    (&b->factor[0][0][0])[i] = (uint16_t)(0x3f00 + (int)(128 * draw()));
}

static void run_bout(struct bout *b, size_t w, int side) {
  const struct vector_kernels *k = vector_kernels_used();
  struct vector_sketch_scale s = {0.37f, -3.1f, 0.2f};
  float y[768];
  memcpy(y, b->x, sizeof y);
  k->nibbles(b->rows, 77, w / 2, b->query, b->dots[side]);
  k->sketches(b->sketches, 10, w / 64, b->planes, b->factor[0][0], &s, b->scores[side]);
  b->count[side] = k->reach(b->scores[side], 77, b->scores[side][7], b->reached[side]);
  b->rescored[side] = k->score(b->rows + 5, b->rows + 1000, w / 2, y);
}

static void test_kernels(const char *name) {
  static const size_t sizes[] = {64, 128, 256, 320, 384, 768};
  static struct bout b;
  if (vector_force(name)) {
    printf("# %s: can't run here\n", name);
    return;
  }
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    draw_bout(&b);
    vector_force(name);
    run_bout(&b, sizes[k], 0);
    vector_force("scalar");
    run_bout(&b, sizes[k], 1);
    CHECK(memcmp(b.dots[0], b.dots[1], sizeof b.dots[0]) == 0);
    CHECK(memcmp(b.scores[0], b.scores[1], sizeof b.scores[0]) == 0);
    CHECK(memcmp(&b.rescored[0], &b.rescored[1], sizeof(float)) == 0);
    CHECK(b.count[0] > 0 && b.count[0] == b.count[1] &&
          memcmp(b.reached[0], b.reached[1], b.count[0] * sizeof **b.reached) == 0);
  }
  vector_force(NULL);
}

static float upper(uint16_t half) {
  uint32_t bits = (uint32_t)half << 16;
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

/* The scalar kernels against the definition. */
static void test_scalar(void) {
  static struct bout b;
  struct vector_sketch_scale s = {0.37f, -3.1f, 0.2f};
  int dots = 1, near = 1;
  draw_bout(&b);
  vector_force("scalar");
  run_bout(&b, 128, 0);
  vector_force(NULL);
  for (size_t r = 0; r < 77; r++) {
    int32_t sum = 0;
    for (size_t i = 0; i < 128; i++)
      sum += (i < 64 ? b.rows[64 * r + i] % 16 : b.rows[64 * r + i - 64] / 16) * b.query[i];
    dots &= sum == b.dots[0][r];
  }
  for (size_t r = 0; r < 80; r++) {
    float sum = 0;
    for (size_t i = 0; i < 128; i++) {
      int q = 0;
      for (size_t p = 0; p < 4; p++)
        q += (int)(b.planes[2 * p + i / 64] >> i % 64 & 1) * (p == 3 ? -8 : 1 << p);
      sum += (float)(b.sketches[r / 8 * 16 + i / 64 * 8 + r % 8] >> i % 64 & 1) * (float)q;
    }
    float factor = upper(b.factor[r / 8][0][r % 8]), along = upper(b.factor[r / 8][1][r % 8]);
    near &= fabsf(s.axis * along + factor * (s.unit * sum + s.offset) - b.scores[0][r]) < 1e-3f;
  }
  CHECK(dots);
  CHECK(near);
}

/* Estimates of sketches follow the scores, and without bias. */
static void test_estimates(void) {
  struct set s = make_set(800, 256);
  struct vector_sketch_rotation t;
  struct vector_sketch_query q;
  float x[256], rotated[256], out[800];
  double both = 0, squares = 0, estimated = 0, along = 0;
  for (size_t i = 0; i < 256; i++)
    x[i] = rotated[i] = draw();
  vector_sketch_rotation_init(&t, 256);
  vector_sketch_rotate(&t, rotated);
  vector_sketch_query_init(&q, rotated, s.axis, 256);
  vector_kernels_used()->sketches(s.sketch, 100, 4, q.planes, s.factor, &q.scale, out);
  for (size_t r = 0; r < 800; r++) {
    double score = (double)vector_score(&s.rows, r, x), estimate = (double)out[r];
    both += score * estimate;
    squares += score * score;
    estimated += estimate * estimate;
    along += (double)upper(s.factor[r / 8 * 16 + 8 + r % 8]);
  }
  CHECK(both / sqrt(squares * estimated) > 0.7);
  CHECK(fabs(both / squares - 1) < 0.15);
  CHECK(along > 0);
  vector_sketch_query_release(&q);
  vector_sketch_rotation_release(&t);
  free_set(&s);
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
    struct vector_query v = {.query = q, .k = 10, .how = VECTOR_EXACT};
    size_t n = vector_search(&part, 1, &v, hits);
    for (size_t k = 0; k < 10; k++)
      oracle &= n == 10 && hits[k].row == truth[k].row;
    v.how = VECTOR_PRUNED;
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
  for (int how = VECTOR_PRUNED; how <= VECTOR_EXACT; how++) {
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
  size_t n = 400000;
  struct set s = make_set(n, 8);
  uint64_t *allow = xcalloc(n / 64 + 1, sizeof *allow);
  int same = 1;
  for (size_t i = 0; i < n; i += 3)
    allow[i / 64] |= (uint64_t)1 << (i % 64);
  for (int how = VECTOR_PRUNED; how <= VECTOR_EXACT; how++)
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
    memcpy(s.high + r * 32, s.high, 32);
    memcpy(s.low + r * 64, s.low, 64);
    s.scale[r] = s.scale[0];
  }
  vector_make_sketches(&s.rows, s.sketch, s.factor, s.axis);
  float q[64];
  struct vector_hit hits[10];
  int ordered = 1;
  vector_restore(&s.rows, 0, q);
  struct vector_part part = {&s.rows, 0, (uint32_t)n, NULL};
  for (int how = VECTOR_PRUNED; how <= VECTOR_EXACT; how++) {
    struct vector_query v = {.query = q, .k = 10, .how = (enum vector_how)how};
    ordered &= vector_search(&part, 1, &v, hits) == 10;
    for (uint32_t i = 0; i < 10; i++)
      ordered &= hits[i].row == i;
  }
  CHECK(ordered);
  free_set(&s);
}

/* Rows without structure, and some that beat all others by less than 4 bits show: the bound finds them. */
static void test_bound(void) {
  size_t n = 20000, found = 0;
  struct set s = make_set(n, 256);
  float x[256], q[256];
  for (size_t r = 0; r < n; r++) {
    for (size_t i = 0; i < 256; i++)
      x[i] = draw();
    x[0] = 10; /* so that 4 bits of the others say nothing */
    s.scale[r] = vector_quantize(x, 256, 0, s.high + r * 128, s.low + r * 256);
  }
  struct vector_part part = {&s.rows, 0, (uint32_t)n, NULL};
  for (int round = 0; round < 10; round++) {
    struct vector_hit truth[10], hits[10];
    for (size_t i = 0; i < 256; i++)
      q[i] = draw();
    sort_all(&s, NULL, q, 10, truth);
    struct vector_query v = {.query = q, .k = 10, .how = VECTOR_PRUNED, .threads = 1 + round % 2};
    found += overlap(hits, vector_search(&part, 1, &v, hits), truth, 10);
  }
  CHECK_INT(found, 100);
  free_set(&s);
}

TEST(avx512_as_scalar) {
  test_kernels("avx512");
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

#ifdef __SANITIZE_THREAD__
#define THREADS_ONLY 1 /* the thread sanitizer looks at what threads share, and takes five times as long */
#else
#define THREADS_ONLY 0
#endif

int main(void) {
  RUN(test_filters);
  RUN(test_threads);
  if (THREADS_ONLY)
    return test_done();
  RUN(test_quantize);
  RUN(test_scale_of_another_vector);
  RUN(test_odd_vectors);
  RUN(test_score);
  RUN(test_rotation);
  RUN(test_scalar);
  RUN(test_estimates);
  RUN(test_bound);
  RUN(avx512_as_scalar);
  RUN(avx2_as_scalar);
  RUN(search_256);
  RUN(search_odd_dimensions);
  RUN(search_384);
  RUN(test_ties);
  RUN(unknown_kernel_is_refused);
  return test_done();
}
