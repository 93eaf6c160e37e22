/* The row sums against plain arithmetic, and embed_encode() over a small model made on the spot. */
#include "test.h"

#include "model/embed.h"
#include "model/embed_backend.h"
#include "model_file.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static uint32_t state = 1;

static uint32_t next_random(void) {
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

/* Every kernel, on counts around its unrolling, gives the oracle's sums; weights and rows reach their limits.
 */
TEST(kernels_agree_with_the_scalar_one) {
  enum { ROWS = 300, STRIDE = 256, MOST = 1024 };
  static int8_t rows[ROWS * STRIDE];
  static int32_t row[MOST], want[STRIDE], got[STRIDE];
  static int16_t weight[MOST];
  static const size_t counts[] = {0, 1, 2, 3, 7, 8, 9, 31, 250, 1023, 1024};
  embed_kernel *kernels[4];
  const char *names[4];
  int n = embed_static_kernels(kernels, names);
  for (size_t i = 0; i < sizeof rows; i++)
    rows[i] = (int8_t)((int)(next_random() % 255) - 127);
  for (size_t i = 0; i < MOST; i++) {
    row[i] = (int32_t)(next_random() % ROWS);
    weight[i] = (int16_t)(next_random() % 3 ? next_random() % 16384 : 16383);
  }
  CHECK(n >= 1);
  for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
    for (size_t d = 64; d <= STRIDE; d += 64) {
      embed_rows_scalar(want, rows, STRIDE, d, row, weight, counts[c]);
      for (int k = 0; k < n; k++) {
        memset(got, 0x55, sizeof got);
        kernels[k](got, rows, STRIDE, d, row, weight, counts[c]);
        CHECK(memcmp(got, want, d * sizeof *got) == 0);
      }
    }
}

TEST(sums_of_the_largest_rows_fit) {
  enum { MOST = 1024 };
  static int8_t rows[64];
  static int32_t row[MOST], got[64];
  static int16_t weight[MOST];
  embed_kernel *kernels[4];
  const char *names[4];
  int n = embed_static_kernels(kernels, names);
  memset(rows, 0x81, sizeof rows); /* -127 */
  for (size_t i = 0; i < MOST; i++)
    weight[i] = 16383;
  for (int k = 0; k < n; k++) {
    kernels[k](got, rows, 64, 64, row, weight, MOST);
    CHECK_INT(got[0], -127LL * 16383 * 1024);
    CHECK_INT(got[63], -127LL * 16383 * 1024);
  }
}

static struct embedder *open_small(int dimensions, int threads) {
  struct error_text why;
  struct embed_options o = {.model = model_file_path, .dimensions = dimensions, .threads = threads};
  model_file_write(NULL, NULL);
  struct embedder *m = embed_open(&o, &why);
  if (!m)
    printf("# %s\n", why.text);
  return m;
}

static float length_of(const float *v, int n) {
  double square = 0;
  for (int i = 0; i < n; i++)
    square += (double)v[i] * (double)v[i];
  return (float)sqrt(square);
}

TEST(vectors_have_length_one_and_no_text_has_none) {
  struct embedder *m = open_small(0, 1);
  struct slice texts[3] = {slice_str("net sales"), slice_str(""), slice_str("net income and sales")};
  struct error_text why;
  float out[3 * 128];
  CHECK(m != NULL);
  if (!m)
    return;
  CHECK_INT(embed_dimensions(m), 128);
  CHECK_INT(embed_encode(m, texts, 3, EMBED_PASSAGE, out, NULL, &why), 0);
  CHECK(fabsf(length_of(out, 128) - 1) < 1e-6f);
  CHECK(length_of(out + 128, 128) == 0);
  CHECK(fabsf(length_of(out + 256, 128) - 1) < 1e-6f);
  embed_close(m);
}

/* Of a model for a few texts each is as of the other kind, whether the file has sums for its parts or not. */
TEST(a_few_texts_have_the_same_vectors) {
  static const char *const texts[] = {"net sales", "", "Income and 42 net sales net sales, \xc3\xa9\xff!",
                                      "ask"};
  struct error_text why;
  struct embedder *all, *few;
  float want[128], got[128];
  for (int round = 0; round < 4; round++) {
    int dimensions = round % 2 * 64;
    model_file_derived = round < 2;
    all = open_small(dimensions, 1);
    few = embed_open(
        &(struct embed_options){.model = model_file_path, .dimensions = dimensions, .threads = 4, .few = 1},
        &why);
    CHECK(all != NULL && few != NULL);
    for (size_t i = 0; all && few && i < 2 * sizeof texts / sizeof *texts; i++) {
      struct slice text = slice_str(texts[i / 2]);
      CHECK_INT(embed_encode(all, &text, 1, i % 2 ? EMBED_QUERY : EMBED_PASSAGE, want, NULL, &why), 0);
      CHECK_INT(embed_encode(few, &text, 1, i % 2 ? EMBED_QUERY : EMBED_PASSAGE, got, NULL, &why), 0);
      CHECK(memcmp(got, want, (size_t)embed_dimensions(few) * sizeof *want) == 0);
    }
    embed_close(all);
    embed_close(few);
  }
  model_file_derived = 0;
}

static void set_weight(struct buf *file, void *arg) {
  file->data[*(size_t *)arg] = '\xff';
  file->data[*(size_t *)arg + 1] = '\x7f';
}

/* A sound file of nonsense: a weight out of range is told when its row is used. */
TEST(a_few_texts_have_weights_in_range) {
  struct error_text why;
  struct slice good = slice_str("net"), bad = slice_str("net income");
  float out[128];
  model_file_derived = 1;
  model_file_write(NULL, NULL);
  struct model *m = model_open(model_file_path, &why);
  size_t at = 512 + (size_t)(model_section(m, "weights").data + 2 * 3 - model_section(m, "meta").data);
  model_close(m);
  model_file_write(set_weight, &at);
  struct embedder *few =
      embed_open(&(struct embed_options){.model = model_file_path, .threads = 1, .few = 1}, &why);
  CHECK(few != NULL);
  if (few) {
    CHECK_INT(embed_encode(few, &good, 1, EMBED_PASSAGE, out, NULL, &why), 0);
    CHECK_INT(embed_encode(few, &bad, 1, EMBED_PASSAGE, out, NULL, &why), -1);
    CHECK(strstr(why.text, "weight of row 3 is out of range") != NULL);
    CHECK_INT(embed_encode(few, &bad, 1, EMBED_QUERY, out, NULL, &why), 0);
  }
  embed_close(few);
  model_file_derived = 0;
}

/* By hand: weight * row of each token and of each pair, summed, made length 1. */
TEST(a_vector_is_the_weighted_sum) {
  struct embedder *m = open_small(0, 1);
  struct slice text = slice_str("net sales");
  struct error_text why;
  double want[128], square = 0;
  float out[128];
  if (!m)
    return;
  CHECK_INT(embed_encode(m, &text, 1, EMBED_PASSAGE, out, NULL, &why), 0);
  for (int d = 0; d < 128; d++) {
    want[d] = 0;
    for (int part = 0; part < 3; part++) { /* "net", "sales", the pair */
      static const int row_of[3] = {MODEL_FILE_NET, MODEL_FILE_SALES, MODEL_FILE_PAIR};
      want[d] += model_file_weight(row_of[part], 0) * model_file_value(row_of[part], d);
    }
    square += want[d] * want[d];
  }
  for (int d = 0; d < 128; d++)
    CHECK(fabs(out[d] - want[d] / sqrt(square)) < 1e-6);
  embed_close(m);
}

/* The second occurrence of a token counts less than the first and those behind it less again; the next text
 * begins anew. */
TEST(repeated_tokens_count_less) {
  struct embedder *m = open_small(0, 1);
  struct slice texts[2] = {slice_str("net income net net net"), slice_str("net income net net net")};
  struct error_text why;
  double want[128], square = 0;
  float out[2 * 128];
  CHECK(m != NULL);
  if (!m)
    return;
  CHECK_INT(embed_encode(m, texts, 2, EMBED_PASSAGE, out, NULL, &why), 0);
  int net = 0, weight = model_file_weight(MODEL_FILE_NET, 0);
  for (int i = 0; i < 4; i++)
    net += (weight * model_file_repeats[i < 2 ? i : 2] + 8192) / 16384;
  for (int d = 0; d < 128; d++) {
    want[d] = net * model_file_value(MODEL_FILE_NET, d) + model_file_weight(3, 0) * model_file_value(3, d);
    square += want[d] * want[d];
  }
  for (int d = 0; d < 128; d++)
    CHECK(fabs(out[d] - want[d] / sqrt(square)) < 1e-6);
  CHECK(memcmp(out, out + 128, 128 * sizeof *out) == 0);
  embed_close(m);
}

TEST(questions_have_weights_of_their_own) {
  struct embedder *m = open_small(0, 1);
  struct slice text = slice_str("net income");
  struct error_text why;
  float passage[128], question[128];
  if (!m)
    return;
  embed_encode(m, &text, 1, EMBED_PASSAGE, passage, NULL, &why);
  embed_encode(m, &text, 1, EMBED_QUERY, question, NULL, &why);
  CHECK(memcmp(passage, question, sizeof passage) != 0);
  embed_close(m);
}

/* Long texts, cut into segments and blocks inside, by one thread and by several. */
TEST(threads_and_batches_change_no_byte) {
  enum { TEXTS = 40 };
  static const char *const words[] = {"net ", "sales ", "income ", "and\n", "42 ", "unheard-of "};
  struct embedder *one = open_small(0, 1), *four = open_small(0, 4);
  static float a[TEXTS * 128], b[TEXTS * 128], c[128];
  struct buf text[TEXTS];
  struct slice slices[TEXTS];
  struct error_text why;
  if (!one || !four)
    return;
  for (int i = 0; i < TEXTS; i++) {
    buf_init(&text[i], 1 << 20);
    for (uint32_t n = next_random() % 20000; n > 0; n--)
      buf_add_str(&text[i], words[next_random() % 6]);
    slices[i] = buf_slice(&text[i]);
  }
  CHECK_INT(embed_encode(one, slices, TEXTS, EMBED_PASSAGE, a, NULL, &why), 0);
  CHECK_INT(embed_encode(four, slices, TEXTS, EMBED_PASSAGE, b, NULL, &why), 0);
  CHECK(memcmp(a, b, sizeof a) == 0);
  for (int i = 0; i < TEXTS; i++) {
    embed_encode(four, &slices[i], 1, EMBED_PASSAGE, c, NULL, &why);
    CHECK(memcmp(c, a + i * 128, sizeof c) == 0);
    buf_release(&text[i]);
  }
  embed_close(one);
  embed_close(four);
}

/* The first dimensions of the long vector, made length 1 again. */
TEST(fewer_dimensions_are_the_first_ones) {
  struct embedder *whole = open_small(0, 1), *half = open_small(64, 1);
  struct slice text = slice_str("net sales and income");
  struct error_text why;
  float a[128], b[64];
  if (!whole || !half)
    return;
  embed_encode(whole, &text, 1, EMBED_PASSAGE, a, NULL, &why);
  embed_encode(half, &text, 1, EMBED_PASSAGE, b, NULL, &why);
  float scale = length_of(a, 64);
  for (int d = 0; d < 64; d++)
    CHECK(fabsf(b[d] - a[d] / scale) < 1e-6f);
  embed_close(whole);
  embed_close(half);
}

/* Another embedder of a model gives the same vectors, and may be closed first. */
TEST(a_model_is_shared) {
  struct embedder *m = open_small(0, 1);
  struct slice text = slice_str("net income net");
  struct error_text why;
  float a[128], b[128];
  if (!m)
    return;
  struct embedder *other = embed_again(m);
  CHECK_INT(embed_encode(other, &text, 1, EMBED_PASSAGE, a, NULL, &why), 0);
  embed_close(other);
  CHECK_INT(embed_encode(m, &text, 1, EMBED_PASSAGE, b, NULL, &why), 0);
  CHECK(memcmp(a, b, sizeof a) == 0);
  embed_close(m);
}

/* Each part's sum has the direction of that part's own vector: the pair "net sales" is one part's, not one across two. */
TEST(parts_of_a_text_are_summed_as_texts) {
  struct embedder *m = open_small(0, 1);
  struct buf text;
  struct embed_part parts[3] = {{0, 3}, {4, 0}};
  struct error_text why;
  static float sums[3 * 64], alone[128];
  if (!m)
    return;
  buf_init(&text, 1 << 20);
  buf_add_str(&text, "net sales of net sales \n");
  parts[1].end = (uint32_t)text.len - 2;
  for (int i = 0; i < 3000; i++) /* more rows than are summed at once */
    buf_add_str(&text, i % 7 ? "net sales " : "income ");
  parts[2] = (struct embed_part){parts[1].end + 2, (uint32_t)text.len};
  CHECK_INT(embed_sum_parts(m, 64, buf_slice(&text), parts, 3, sums, &why), 0);
  for (int i = 0; i < 3; i++) {
    struct slice part = slice_of(text.data + parts[i].start, parts[i].end - parts[i].start);
    embed_encode(m, &part, 1, EMBED_PASSAGE, alone, NULL, &why);
    float sum = length_of(sums + 64 * i, 64), whole = length_of(alone, 64);
    for (int d = 0; d < 64; d++)
      CHECK(fabsf(sums[64 * i + d] / sum - alone[d] / whole) < 1e-6f);
  }
  buf_release(&text);
  embed_close(m);
}

TEST(dimensions_that_do_not_fit_are_refused) {
  static const int bad[] = {1, 63, 100, 192, 256, -64};
  model_file_write(NULL, NULL);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct error_text why = {""};
    struct embed_options o = {.model = model_file_path, .dimensions = bad[i], .threads = 1};
    CHECK(embed_open(&o, &why) == NULL);
    CHECK(strstr(why.text, "128 dimensions") != NULL);
  }
}

int main(void) {
  model_file_begin();
  RUN(kernels_agree_with_the_scalar_one);
  RUN(sums_of_the_largest_rows_fit);
  RUN(vectors_have_length_one_and_no_text_has_none);
  RUN(a_few_texts_have_the_same_vectors);
  RUN(a_few_texts_have_weights_in_range);
  RUN(a_vector_is_the_weighted_sum);
  RUN(repeated_tokens_count_less);
  RUN(questions_have_weights_of_their_own);
  RUN(threads_and_batches_change_no_byte);
  RUN(fewer_dimensions_are_the_first_ones);
  RUN(a_model_is_shared);
  RUN(parts_of_a_text_are_summed_as_texts);
  RUN(dimensions_that_do_not_fit_are_refused);
  model_file_end();
  return test_done();
}
