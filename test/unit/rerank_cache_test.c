/* rerank_cache_test.c: vectors come back as they were, and what is cut or damaged doesn't. */
#include "search/rerank.h"

#include "test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define DIMS 8
#define ROWS 3000
#define ROW (DIGEST_SIZE + 8 + DIMS * sizeof(float))
#define MODEL "toy/model@0123"

static char folder[] = "/tmp/rerank_test.XXXXXX", file[128];
static uint8_t keys[ROWS][DIGEST_SIZE];
static float vectors[ROWS][DIMS];

static void make_rows(void) {
  for (size_t i = 0; i < ROWS; i++) {
    digest_of(&i, sizeof i, keys[i]);
    for (size_t k = 0; k < DIMS; k++)
      vectors[i][k] = (float)(i * DIMS + k);
  }
}

/* How many of the rows from `first` come back right; none may come back wrong. */
static size_t held(const struct rerank_cache *c, size_t first, size_t count) {
  float got[DIMS];
  size_t right = 0;
  for (size_t i = first; i < first + count; i++)
    if (rerank_cache_get(c, keys[i], got)) {
      CHECK(memcmp(got, vectors[i], sizeof got) == 0);
      right++;
    }
  return right;
}

static size_t held_anew(void) {
  struct rerank_cache *c = rerank_cache_open(MODEL, DIMS);
  size_t count = held(c, 0, ROWS);
  rerank_cache_close(c);
  return count;
}

TEST(rows_come_back_at_once_and_from_the_file) {
  struct rerank_cache *c = rerank_cache_open(MODEL, DIMS);
  CHECK_INT(held(c, 0, ROWS), 0);
  rerank_cache_put(c, keys, &vectors[0][0], ROWS / 2);
  CHECK_INT(held(c, 0, ROWS), ROWS / 2);
  rerank_cache_put(c, keys + ROWS / 2, &vectors[ROWS / 2][0], ROWS / 2);
  rerank_cache_close(c);
  CHECK_INT(held_anew(), ROWS);
}

TEST(a_cut_row_is_not_there_and_the_next_ones_are) {
  CHECK_INT(truncate(file, (off_t)(ROWS * ROW - 5)), 0);
  CHECK_INT(held_anew(), ROWS - 1);
  struct rerank_cache *c = rerank_cache_open(MODEL, DIMS);
  rerank_cache_put(c, keys + ROWS - 1, &vectors[ROWS - 1][0], 1);
  rerank_cache_close(c);
  CHECK_INT(held_anew(), ROWS);
}

TEST(a_damaged_row_is_not_there) {
  int fd = open(file, O_RDWR | O_CLOEXEC);
  char byte;
  off_t at = (off_t)(7 * ROW + DIGEST_SIZE + 8 + 3);
  CHECK_INT(pread(fd, &byte, 1, at), 1);
  byte ^= 1;
  CHECK_INT(pwrite(fd, &byte, 1, at), 1);
  close(fd);
  CHECK_INT(held_anew(), ROWS - 1);
}

TEST(a_file_that_is_full_begins_anew) {
  CHECK_INT(truncate(file, (off_t)(RERANK_CACHE_MAX - RERANK_CACHE_MAX % ROW)), 0);
  struct rerank_cache *c = rerank_cache_open(MODEL, DIMS);
  struct stat st;
  rerank_cache_put(c, keys, &vectors[0][0], 1);
  rerank_cache_close(c);
  CHECK_INT(stat(file, &st), 0);
  CHECK_INT(st.st_size, ROW);
}

TEST(without_a_folder_it_is_remembered_for_the_process) {
  setenv("BID_CACHE", "/dev/null/nowhere", 1);
  struct rerank_cache *c = rerank_cache_open(MODEL, DIMS);
  rerank_cache_put(c, keys, &vectors[0][0], 10);
  CHECK_INT(held(c, 0, ROWS), 10);
  rerank_cache_close(c);
}

int main(void) {
  char part[96];
  if (mkdtemp(folder) == NULL)
    return 1;
  setenv("BID_CACHE", folder, 1);
  snprintf(part, sizeof part, "%s/rerank", folder);
  snprintf(file, sizeof file, "%s/toy_model@0123.vectors", part);
  make_rows();
  RUN(rows_come_back_at_once_and_from_the_file);
  RUN(a_cut_row_is_not_there_and_the_next_ones_are);
  RUN(a_damaged_row_is_not_there);
  RUN(a_file_that_is_full_begins_anew);
  RUN(without_a_folder_it_is_remembered_for_the_process);
  unlink(file);
  rmdir(part);
  rmdir(folder);
  return test_done();
}
