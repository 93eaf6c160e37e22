/* The BERT encoder: every instruction set against double precision, and vectors that depend on nothing but
 * their text. */
#include "test.h"

#include "model/bert.h"
#include "bert_file.h"

#include <math.h>

static const char *const names[] = {"base", "avx2", "avx-vnni", "avx512-vnni"};
enum { KINDS = 4 };

static void fill(float *x, size_t count, float scale) {
  for (size_t i = 0; i < count; i++)
    x[i] = bert_file_draw() * scale;
}

static void *room(size_t bytes) {
  void *p = aligned_alloc(64, (bytes + 63) / 64 * 64);
  if (p == NULL)
    abort();
  return memset(p, 0, (bytes + 63) / 64 * 64);
}

static int near(float got, double expected, double allowed) {
  return fabs((double)got - expected) <= allowed;
}

/* --- functions ----------------------------------------------------------------------------------------- */

static void check_linear(const struct bert_math *math, size_t m, size_t n, size_t k) {
  float *x = room(m * k * 4), *w = room(n * k * 4), *bias = room(n * 4), *y = room(m * n * 4),
        *z = room(m * n * 4);
  int8_t *q = room(n * k);
  struct bert_rows rows = {room(m * k), room(m * k), room(m * 4), room(m * 4)};
  struct bert_linear l = {n, k, w, bias, room(math->packed_size(n, k)), room(n * 4)};
  float top = (float)math->weight_top;
  size_t wrong = 0;
  fill(x, m * k, 3);
  fill(w, n * k, 1);
  for (size_t i = 0; i < k; i++) /* the largest sums that there are */
    x[i] = 3, w[i] = 1, w[k + i] = -1;
  fill(bias, n, 1);
  for (size_t i = 0; i < n * k; i++)
    q[i] = (int8_t)lrintf(w[i] * top);
  for (size_t i = 0; i < n; i++)
    l.scale[i] = 1.0F / top;
  math->pack(l.packed, q, n, k);
  math->quantize(x, m, k, 127, &rows);
  math->linear(&rows, m, &l, y);
  math->linear_float(x, m, &l, z);
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < n; j++) {
      long exact = 0;
      double plain = (double)bias[j];
      for (size_t d = 0; d < k; d++) {
        exact += rows.q[i * k + d] * q[j * k + d];
        plain += (double)x[i * k + d] * (double)w[j * k + d];
      }
      double scaled = (double)exact * (double)rows.scale[i] * (double)l.scale[j] + (double)bias[j];
      wrong += !near(y[i * n + j], scaled, 1e-4) || !near(z[i * n + j], plain, 1e-3);
    }
  if (wrong)
    printf("# %s: %zu of %zu by %zu by %zu are off\n", math->name, wrong, m, n, k);
  CHECK_INT(wrong, 0);
  void *all[] = {x, w, bias, y, z, q, rows.q, rows.lifted, rows.scale, rows.total, l.packed, l.scale};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    free(all[i]);
}

static void check_elementwise(const struct bert_math *math) {
  enum { N = 4096 };
  float *x = room(N * 4), *y = room(N * 4);
  size_t wrong = 0;
  fill(x, N, 12);
  x[0] = 0;
  x[1] = -100;
  x[2] = 100;
  memcpy(y, x, N * 4);
  math->gelu(y, N);
  for (size_t i = 0; i < N; i++)
    wrong +=
        !near(y[i], 0.5 * (double)x[i] * (1 + erf((double)x[i] / sqrt(2))), 3e-6 * (1 + fabs((double)x[i])));
  CHECK_INT(wrong, 0);
  free(x);
  free(y);
}

static void check_normalize(const struct bert_math *math) {
  enum { W = 384 };
  float x[2 * W], add[2 * W], norm[2 * W], y[2 * W];
  fill(x, 2 * W, 5);
  fill(add, 2 * W, 2);
  fill(norm, 2 * W, 1);
  memcpy(y, x, sizeof y);
  math->normalize(y, add, 2, W, norm, 1e-12F);
  for (size_t row = 0; row < 2; row++) {
    double mean = 0, squares = 0;
    for (size_t i = row * W; i < (row + 1) * W; i++)
      mean += ((double)x[i] + (double)add[i]) / (double)W;
    for (size_t i = row * W; i < (row + 1) * W; i++)
      squares += pow((double)x[i] + (double)add[i] - mean, 2) / (double)W;
    for (size_t i = 0; i < W; i++) {
      double v = ((double)x[row * W + i] + (double)add[row * W + i] - mean) / sqrt(squares + 1e-12);
      CHECK(near(y[row * W + i], v * (double)norm[i] + (double)norm[W + i], 1e-4));
    }
  }
}

/* One value of attention's output, the plain way. */
static double attend(const float *qkv, size_t m, size_t heads, size_t dim, size_t row, size_t column) {
  size_t hidden = heads * dim, head = column / dim;
  double total = 0, sum = 0;
  for (size_t j = 0; j < m; j++) {
    double score = 0;
    for (size_t d = head * dim; d < (head + 1) * dim; d++)
      score += (double)qkv[row * 3 * hidden + d] * (double)qkv[j * 3 * hidden + hidden + d];
    double e = exp(score / sqrt((double)dim));
    total += e;
    sum += e * (double)qkv[j * 3 * hidden + 2 * hidden + column];
  }
  return sum / total;
}

static void check_attention(const struct bert_math *math, size_t m) {
  enum { HEADS = 2, DIM = 32, HIDDEN = HEADS * DIM };
  float *qkv = room(m * 3 * HIDDEN * 4), *out = room(m * HIDDEN * 4), *scratch = room(bert_scratch(m) * 4);
  size_t wrong = 0;
  fill(qkv, m * 3 * HIDDEN, 2);
  math->attention(qkv, m, m, HEADS, DIM, scratch, out);
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < HIDDEN; j++)
      wrong += !near(out[i * HIDDEN + j], attend(qkv, m, HEADS, DIM, i, j), 1e-5);
  CHECK_INT(wrong, 0);
  float first[HIDDEN];
  math->attention(qkv, m, 1, HEADS, DIM, scratch, first);
  CHECK(memcmp(first, out, sizeof first) == 0);
  free(qkv);
  free(out);
  free(scratch);
}

TEST(every_instruction_set_computes_what_it_should) {
  for (int i = 0; i < KINDS; i++) {
    const struct bert_math *math = bert_math_best(names[i]);
    if (math == NULL) {
      printf("# %s is not in this processor\n", names[i]);
      continue;
    }
    const size_t rows[] = {1, 5, 32, 39, 70};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
      check_linear(math, rows[r], 128, 64);
      check_attention(math, rows[r]);
    }
    check_linear(math, 33, 64, 192);
    check_elementwise(math);
    check_normalize(math);
  }
}

TEST(unknown_instructions_are_not_there) {
  CHECK(bert_math_best("abacus") == NULL);
  CHECK(bert_math_best(NULL) != NULL);
}

/* --- a small model ------------------------------------------------------------------------------------- */

enum { HIDDEN = BERT_FILE_HIDDEN };

static struct embed_backend *open_bert(const char *meta, int dimensions, struct error_text *e) {
  model_file_write(bert_file_make, (void *)(uintptr_t)meta);
  struct model *m = model_open(model_file_path, e);
  return m ? embed_bert_open(m, dimensions, e) : NULL;
}

#define TEXTS 40
static char texts[TEXTS][128];

static void make_texts(struct slice *out) {
  static const char *const words[] = {"net ", "sales ", "ask ", "odd "};
  for (int i = 0; i < TEXTS; i++) {
    texts[i][0] = 0;
    for (int n = 0; n < i % 19; n++)
      strcat(texts[i], words[(i * 7 + n * n) % 4]);
    out[i] = slice_str(texts[i]);
  }
}

/* All at once, one by one, over three threads: the same bytes. */
static void check_way(const char *way, const char *pooling) {
  struct error_text e = {""};
  struct slice in[TEXTS];
  static float once[TEXTS * HIDDEN], again[TEXTS * HIDDEN];
  size_t cut = 0;
  char meta[512];
  snprintf(meta, sizeof meta, BERT_FILE_META, pooling);
  setenv("BID_BERT", way, 1);
  struct embed_backend *b = open_bert(meta, 0, &e);
  CHECK(b != NULL);
  if (b == NULL)
    return;
  make_texts(in);
  CHECK_INT(b->encode(b, in, TEXTS, EMBED_PASSAGE, 1, once, &cut, &e), 0);
  CHECK_INT(cut, 8); /* of 15 to 18 tokens; 14 fit */
  for (int i = 0; i < TEXTS; i++)
    CHECK_INT(b->encode(b, &in[i], 1, EMBED_PASSAGE, 1, again + i * HIDDEN, NULL, &e), 0);
  CHECK(memcmp(once, again, sizeof once) == 0);
  CHECK_INT(b->encode(b, in, TEXTS, EMBED_PASSAGE, 3, again, NULL, &e), 0);
  CHECK(memcmp(once, again, sizeof once) == 0);
  for (int i = 0; i < TEXTS; i++) {
    double squares = 0;
    for (int d = 0; d < HIDDEN; d++)
      squares += pow((double)once[i * HIDDEN + d], 2);
    CHECK(near((float)squares, i % 19 ? 1 : 0, 1e-5));
  }
  b->close(b);
}

TEST(vectors_depend_on_their_text_alone) {
  check_way("float32", "mean");
  check_way("float32", "cls");
  check_way("int8", "mean");
  check_way("int8", "cls");
  check_way("base", "cls");
}

TEST(a_query_gets_its_prefix) {
  struct error_text e = {""};
  struct slice q = slice_str("net sales"), p = slice_str("ask net sales");
  float asked[HIDDEN], passage[HIDDEN];
  char meta[512];
  snprintf(meta, sizeof meta, BERT_FILE_META, "cls");
  struct embed_backend *b = open_bert(meta, 0, &e);
  CHECK(b != NULL);
  if (b == NULL)
    return;
  b->encode(b, &q, 1, EMBED_QUERY, 1, asked, NULL, &e);
  b->encode(b, &p, 1, EMBED_PASSAGE, 1, passage, NULL, &e);
  CHECK(memcmp(asked, passage, sizeof asked) == 0);
  b->close(b);
}

static void check_refused(const char *meta, int dimensions, const char *why) {
  struct error_text e = {""};
  CHECK(open_bert(meta, dimensions, &e) == NULL);
  if (!strstr(e.text, why))
    printf("# got \"%s\"\n", e.text);
  CHECK(strstr(e.text, why) != NULL);
}

TEST(models_that_cannot_run_are_refused) {
  char meta[512], odd[512];
  snprintf(meta, sizeof meta, BERT_FILE_META, "mean");
  check_refused(meta, 32, "cannot be cut");
  check_refused("[]", 0, "no JSON object");
  check_refused("{}", 0, "of a shape");
  snprintf(odd, sizeof odd, "%s", meta);
  memcpy(strstr(odd, "\"layers\":2"), "\"layers\":3", 10);
  check_refused(odd, 0, "norm1");
  setenv("BID_BERT", "abacus", 1);
  check_refused(meta, 0, "BID_BERT");
  unsetenv("BID_BERT");
}

int main(void) {
  RUN(every_instruction_set_computes_what_it_should);
  RUN(unknown_instructions_are_not_there);
  model_file_begin();
  RUN(vectors_depend_on_their_text_alone);
  unsetenv("BID_BERT");
  RUN(a_query_gets_its_prefix);
  RUN(models_that_cannot_run_are_refused);
  model_file_end();
  return test_done();
}
