/* postings_test.c: blocks of postings to scores, by every kernel that this processor runs. */
#include "store/postings.h"
#include "text/terms.h"

#include "test.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ROWS = 1 << 20 };

static uint16_t lengths[ROWS + 1];
static float expected[ROWS], found[ROWS];
static uint32_t state = 1;

static uint32_t number(uint32_t below) {
  state = state * 1664525u + 1013904223u;
  return (uint32_t)((uint64_t)(state >> 8) * below >> 24);
}

/* A list of one full block whose gaps are below `gap`; its numbers end `spare` bytes before a page that can't
 * be read. */
struct list {
  uint32_t rows[STORE_BLOCK];
  uint8_t tf[STORE_BLOCK];
  struct postings_block block;
  char *map;
  size_t mapped;
};

static void make_list(struct list *l, uint32_t gap, unsigned most_tf, size_t spare) {
  uint32_t row = number(gap);
  for (int i = 0; i < STORE_BLOCK; i++, row += 1 + number(gap)) {
    l->rows[i] = row;
    l->tf[i] = (uint8_t)(1 + number(most_tf));
  }
  struct postings_builder *b = postings_builder_new();
  postings_add_list(b, 1, l->rows, l->tf, STORE_BLOCK, lengths);
  struct postings_result r = postings_result(b);
  size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (r.len + spare + page - 1) / page * page;
  l->mapped = room + page;
  l->map = mmap(NULL, l->mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(l->map + room, page, PROT_NONE);
  uint8_t *to = (uint8_t *)l->map + room - r.len - spare;
  memcpy(to, r.bytes, r.len);
  to += 2; /* the total, 128, and then the block's header */
  l->block = (struct postings_block){to + 8, to[4] & 31, to[5] & 15, UINT32_MAX, ROWS - 1, lengths};
  postings_builder_free(b);
}

static void release_list(struct list *l) {
  munmap(l->map, l->mapped);
}

static const struct store_bm25 model = {0.37F, 0.6F, 1.9F, 0.18F, 0.72F / 171};

static void score_simply(const struct list *l) {
  memset(expected, 0, sizeof expected);
  for (int i = 0; i < STORE_BLOCK; i++) {
    float tf = (float)(l->tf[i] >> 2) + model.context * (float)(l->tf[i] & 3);
    expected[l->rows[i]] += model.weight * store_bm25(&model, tf, (float)lengths[l->rows[i]]);
  }
}

static void compare(const char *kernel, const struct list *l) {
  postings_score_function *score = postings_score(kernel);
  if (score == NULL)
    return;
  memset(found, 0, sizeof found);
  score(&l->block, &model, found);
  CHECK(memcmp(expected, found, sizeof found) == 0);
}

TEST(every_kernel_gives_the_same_bits) {
  static const uint32_t gaps[] = {1, 2, 3, 17, 128, 1000, ROWS / STORE_BLOCK - 1};
  CHECK(postings_score("scalar") != NULL);
  CHECK(postings_score("none such") == NULL);
  CHECK(postings_score(NULL) != NULL);
  for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++)
    for (unsigned tf = 4; tf <= 255; tf += 83) {
      struct list l;
      make_list(&l, gaps[g], tf, 8);
      score_simply(&l);
      compare("scalar", &l);
      compare("avx2", &l);
      compare(NULL, &l);
      release_list(&l);
    }
}

TEST(rows_of_a_damaged_list_stay_inside) {
  struct list l;
  make_list(&l, 100, 8, 8);
  l.block.most = 40;
  static const char *const kernels[] = {"scalar", "avx2"};
  for (size_t k = 0; k < 2; k++) {
    postings_score_function *score = postings_score(kernels[k]);
    memset(found, 0, sizeof found);
    if (score != NULL)
      score(&l.block, &model, found);
    int past = 0; /* the last row */
    for (int i = 41; i < ROWS; i++)
      past |= found[i] != 0;
    CHECK(!past);
  }
  release_list(&l);
}

int main(void) {
  for (int i = 0; i < ROWS; i++)
    lengths[i] = (uint16_t)number(i % 3 ? 400 : 65536);
  RUN(every_kernel_gives_the_same_bits);
  RUN(rows_of_a_damaged_list_stay_inside);
  return test_done();
}
