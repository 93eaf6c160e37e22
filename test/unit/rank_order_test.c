/* rank_order_test.c: candidates come by score, then by row, as with qsort(). */
#include "search/rank_internal.h"

#include "test.h"

#include <stdlib.h>

#define MOST 300

struct sample {
  float score;
  uint32_t row;
};

static struct sample samples[MOST];

static int compare(const void *a, const void *b) {
  const struct sample *x = *(struct sample *const *)a, *y = *(struct sample *const *)b;
  if (x->score != y->score)
    return x->score < y->score ? 1 : -1;
  return (x->row > y->row) - (x->row < y->row);
}

static void check(struct sample **order, size_t n) {
  struct rank_item items[MOST], scratch[MOST];
  for (size_t i = 0; i < n; i++)
    items[i] = (struct rank_item){rank_key(order[i]->score, order[i]->row), order[i]};
  rank_sort(items, scratch, n);
  if (n > 0)
    qsort(order, n, sizeof *order, compare);
  size_t same = 0;
  for (size_t i = 0; i < n; i++)
    same += items[i].of == order[i];
  CHECK_INT(same, n);
}

/* Few different scores, with both zeros, and rows in no order; then again with the first few changed. */
TEST(scores_descend_and_rows_ascend) {
  struct sample *order[MOST];
  uint32_t state = 1;
  for (size_t n = 0; n <= MOST; n += n < 70 ? 1 : 23) {
    for (size_t i = 0; i < n; i++) {
      state = state * 1664525u + 1013904223u;
      samples[i] = (struct sample){(float)((int)(state >> 24) - 128) / 16, (uint32_t)(i * 7 % MOST)};
      if (samples[i].score < 0 && samples[i].score > -0.2F)
        samples[i].score = -0.0F;
      order[i] = &samples[i];
    }
    check(order, n);
    for (size_t i = 0; i < n && i < 30; i++)
      order[i]->score += (float)(i % 5) / 3;
    check(order, n);
    check(order, n);
  }
}

TEST(keys_are_as_scores_are) {
  static const float scores[] = {1e30F, 2, 1.5F, 1, 1e-40F, 0, -1e-40F, -1, -1e30F};
  for (size_t i = 1; i < sizeof scores / sizeof *scores; i++)
    CHECK(rank_key(scores[i - 1], UINT32_MAX) < rank_key(scores[i], 0));
  CHECK(rank_key(0, 3) == rank_key(-0.0F, 3));
  CHECK(rank_key(1, 3) < rank_key(1, 4));
}

int main(void) {
  RUN(scores_descend_and_rows_ascend);
  RUN(keys_are_as_scores_are);
  return test_done();
}
