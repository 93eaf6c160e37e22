/* rank_kernels_test.c: remembered lists by every kernel that this processor runs. */
#include "search/rank_kernels.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNKS = 3, ROWS = CHUNKS * RANK_CHUNK };

static const char *const names[] = {"scalar", "avx512"};
static float expected[ROWS], found[ROWS];
static uint32_t state = 1;

static uint32_t number(uint32_t below) {
  state = state * 1664525u + 1013904223u;
  return (uint32_t)((uint64_t)(state >> 8) * below >> 24);
}

static float fraction(void) {
  return (float)(1 + number(1 << 20)) / (1 << 19);
}

/* One row in `step` on average, in chunks 0 and 2 (of the second nothing is there); each array ends where it
 * is said to end, so that a sanitizer sees who reads further. */
static struct rank_list make_list(int dense, uint32_t step, float weight) {
  struct rank_list l = {.chunks = CHUNKS, .dense = dense};
  uint32_t rows[ROWS];
  l.start = calloc(CHUNKS + 1, sizeof *l.start);
  for (uint32_t row = 0; row < ROWS; row++) {
    if (row / RANK_CHUNK != 1 && number(step) == 0)
      rows[l.count++] = row;
    l.start[row / RANK_CHUNK + 1] = l.count;
  }
  l.value = calloc(l.count + RANK_GROUP, sizeof *l.value);
  l.where = calloc(dense ? ROWS / RANK_GROUP : l.count + RANK_GROUP, sizeof *l.where);
  for (uint32_t i = 0; i < l.count; i++) {
    l.value[i] = fraction();
    expected[rows[i]] += weight * l.value[i];
    if (dense)
      l.where[rows[i] / RANK_GROUP] |= (uint16_t)(1u << rows[i] % RANK_GROUP);
    else
      l.where[i] = (uint16_t)(rows[i] % RANK_CHUNK);
  }
  return l;
}

static void release_list(struct rank_list *l) {
  free(l->start);
  free(l->where);
  free(l->value);
}

static void add_by(const char *name, const struct rank_list *l, float weight, const float *before) {
  const struct rank_kernels *k = rank_kernels(name);
  if (k == NULL)
    return;
  memcpy(found, before, sizeof found);
  for (size_t c = 0; c < CHUNKS; c++)
    k->add(l, c, weight, found + c * RANK_CHUNK);
  CHECK(memcmp(found, expected, sizeof found) == 0);
}

TEST(every_kernel_adds_the_same_bits) {
  static const uint32_t steps[] = {1, 2, 3, 9, 50, 1000, 1 << 24};
  static float before[ROWS];
  CHECK(rank_kernels("scalar") != NULL);
  CHECK(rank_kernels("none such") == NULL);
  CHECK(rank_kernels(NULL) != NULL);
  for (size_t i = 0; i < 2 * sizeof steps / sizeof *steps; i++) {
    float weight = fraction();
    memcpy(before, expected, sizeof before); /* onto what the lists before have added */
    struct rank_list l = make_list((int)(i % 2), steps[i / 2], weight);
    for (size_t k = 0; k < 2; k++)
      add_by(names[k], &l, weight, before);
    add_by(NULL, &l, weight, before);
    release_list(&l);
  }
}

static uint16_t passing[ROWS / RANK_GROUP];

static int passes(uint32_t row) {
  return passing[row / RANK_GROUP] >> row % RANK_GROUP & 1;
}

TEST(rows_that_pass) {
  for (size_t i = 0; i < ROWS / RANK_GROUP; i++)
    passing[i] = (uint16_t)(i < 100 ? 0xffff : number(65536));
  for (size_t i = 0; i < 8; i++) {
    memset(expected, 0, sizeof expected);
    struct rank_list l = make_list((int)(i % 2), i < 4 ? 3 : 300, 1);
    for (size_t c = 0; c < CHUNKS; c++) {
      uint32_t n = 0;
      for (uint32_t row = (uint32_t)c * RANK_CHUNK; row < (c + 1) * RANK_CHUNK; row++)
        n += expected[row] > 0 && passes(row);
      for (size_t k = 0; k < 2; k++)
        if (rank_kernels(names[k]) != NULL)
          CHECK_INT(rank_kernels(names[k])->count(&l, c, passing + c * (RANK_CHUNK / RANK_GROUP)), n);
    }
    release_list(&l);
  }
}

TEST(rows_that_are_kept) {
  for (size_t k = 0; k < 2 && rank_kernels(names[k]) != NULL; k++) {
    int wrong = 0; /* another row cleared, or one kept that doesn't pass */
    for (uint32_t row = 0; row < ROWS; row++)
      found[row] = (float)(row + 1);
    rank_kernels(names[k])->keep(found + RANK_CHUNK, passing + RANK_CHUNK / RANK_GROUP);
    for (uint32_t row = 0; row < ROWS; row++)
      wrong += found[row] != (row / RANK_CHUNK != 1 || passes(row) ? (float)(row + 1) : 0);
    CHECK_INT(wrong, 0);
  }
}

TEST(the_best_of_each_window) {
  float best[ROWS / RANK_WINDOW];
  for (uint32_t i = 0; i < ROWS; i++)
    expected[i] = i / RANK_WINDOW % 3 == 1 ? 0 : fraction();
  for (size_t k = 0; k < 2; k++) {
    if (rank_kernels(names[k]) == NULL)
      continue;
    rank_kernels(names[k])->best(expected, ROWS / RANK_WINDOW, best);
    for (size_t w = 0; w < ROWS / RANK_WINDOW; w++) {
      float most = 0;
      for (size_t i = 0; i < RANK_WINDOW; i++)
        most = expected[w * RANK_WINDOW + i] > most ? expected[w * RANK_WINDOW + i] : most;
      CHECK(best[w] == most);
    }
  }
}

TEST(how_many_reach) {
  static const float values[37] = {1, 2, 3, 3, 3, [20] = 3, [36] = 4};
  for (size_t k = 0; k < 2; k++) {
    const struct rank_kernels *by = rank_kernels(names[k]);
    if (by == NULL)
      continue;
    CHECK_INT(by->reach(values, 37, 3), 5);
    CHECK_INT(by->reach(values, 36, 3), 4);
    CHECK_INT(by->reach(values, 37, 3.5F), 1);
    CHECK_INT(by->reach(values, 0, 0), 0);
  }
}

/* Of exactly `count` rows, none behind them read. */
static void compare_above(const struct rank_kernels *by, uint32_t count) {
  uint32_t rows[RANK_WINDOW + RANK_GROUP], n = 0;
  float *score = calloc(count + 1, sizeof *score), *first = score + 1;
  for (uint32_t i = 0; i < count; i++)
    first[i] = (float)number(4);
  size_t found_count = by->above(first, count, 2, rows);
  for (uint32_t i = 0; i < count; i++)
    if (first[i] >= 2) {
      CHECK(n < found_count && rows[n] == i);
      n++;
    }
  CHECK_INT(found_count, n);
  free(score);
}

TEST(rows_above) {
  for (size_t k = 0; k < 2; k++)
    for (uint32_t count = 0; count <= RANK_WINDOW && rank_kernels(names[k]) != NULL; count++)
      compare_above(rank_kernels(names[k]), count);
}

int main(void) {
  RUN(every_kernel_adds_the_same_bits);
  RUN(rows_that_pass);
  RUN(rows_that_are_kept);
  RUN(the_best_of_each_window);
  RUN(how_many_reach);
  RUN(rows_above);
  return test_done();
}
