/* Model files: what a good one gives, and what is said of each bad one. */
#include "test.h"

#include "model/embed.h"
#include "model/model.h"
#include "model_file.h"

#include <sys/stat.h>

TEST(a_good_file_opens) {
  struct error_text why;
  model_file_write(NULL, NULL);
  struct model *m = model_open(model_file_path, &why);
  CHECK(m != NULL);
  if (!m)
    return;
  CHECK_INT(model_kind(m), MODEL_STATIC);
  CHECK_INT(model_dimensions(m), 128);
  CHECK_INT(model_max_tokens(m), 0);
  CHECK_STR(model_label(m), "small@303132333435");
  CHECK(slice_is(model_section(m, "meta"), "{\"version\":\"1\"}"));
  CHECK((uintptr_t)model_section(m, "rows").data % 64 == 0);
  CHECK(model_section(m, "nothing").data == NULL);
  CHECK(model_array(m, "rows", 7 * 128, &why) != NULL);
  CHECK(model_array(m, "rows", 7 * 128 + 1, &why) == NULL);
  CHECK(strstr(why.text, "rows") != NULL);
  model_close(m);
}

/* A change of some bytes at an offset. */
struct change {
  size_t at;
  const char *bytes;
  size_t count;
  const char *says;
};

static void apply(struct buf *file, void *arg) {
  const struct change *c = arg;
  memcpy(file->data + c->at, c->bytes, c->count);
}

static void expect(const char *path, const char *says) {
  struct error_text why = {""};
  struct model *m = model_open(path, &why);
  CHECK(m == NULL);
  if (!strstr(why.text, says))
    printf("# \"%s\" does not say \"%s\"\n", why.text, says);
  CHECK(strstr(why.text, says) != NULL);
  model_close(m);
}

TEST(bad_heads_are_told_apart) {
  static struct change changes[] = {
      {0, "PK\3\4", 4, "not a model file"},
      {4, "\n\n", 2, "not a model file"},
      {8, "\1\2\3\4", 4, "other byte order"},
      {8, "\0\0\0\0", 4, "byte order mark"},
      {12, "\2", 1, "version 2"},
      {16, "\0\0\1", 3, "copy it again"},
      {36, "\0\0\0\0", 4, "damaged"},
      {44, "\xff\xff\xff\x7f", 4, "damaged"},
      {128 + 24, "\1", 1, "damaged"},                 /* a section that is not aligned */
      {128 + 24, "\0\0\0\0\0\0\0\x40", 8, "damaged"}, /* one that starts behind the end */
      {128 + 32, "\xff\xff\xff\xff\xff\xff\xff\xff", 8, "damaged"}};
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    model_file_write(apply, &changes[i]);
    expect(model_file_path, changes[i].says);
  }
}

static void cut(struct buf *file, void *arg) {
  file->len = *(size_t *)arg;
}

TEST(a_file_cut_anywhere_is_refused) {
  static const size_t lengths[] = {0, 1, 31, 127, 128, 400, 1000};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    size_t length = lengths[i];
    model_file_write(cut, &length);
    expect(model_file_path, "cut off");
  }
}

/* Twice is as it was. */
static void flip(long at) {
  FILE *f = fopen(model_file_path, "r+b");
  fseek(f, at, SEEK_SET);
  int byte = fgetc(f);
  fseek(f, at, SEEK_SET);
  fputc(byte ^ 0x10, f);
  fclose(f);
}

/* Damage behind the checksum's back: any changed byte shows. */
TEST(every_flipped_byte_is_noticed) {
  struct error_text why;
  struct stat st;
  model_file_write(NULL, NULL);
  CHECK_INT(stat(model_file_path, &st), 0);
  for (long at = 0; at < (long)st.st_size; at += 7) {
    flip(at);
    struct model *m = model_open(model_file_path, &why);
    if (m)
      printf("# byte %ld\n", at);
    CHECK(m == NULL);
    model_close(m);
    flip(at);
  }
}

/* How much of an unchecked file is as it was written: 1, or 0. */
static int all_blocks_are_good(struct model *m, size_t size) {
  struct error_text why;
  const char *map = model_section(m, "meta").data - 512; /* 128 + 9 * 40, rounded up to 64 */
  for (size_t at = 32; at < model_file_checks_at(size); at += 1000)
    if (model_check(m, map + at, 1, &why) != 0)
      return 0;
  return model_check(m, map + model_file_checks_at(size) - 1, 1, &why) == 0;
}

/* Of a file with sums for its blocks: a block is noticed when it is asked for, not sooner; what stands ahead
 * of the sections, at once.  Only the sum of the whole file (bytes 24 to 31) is looked at by who reads all.
 */
TEST(an_unchecked_file_is_checked_where_it_is_used) {
  struct error_text why;
  struct stat st;
  size_t late = 0;
  model_file_derived = 1;
  model_file_write(NULL, NULL);
  CHECK_INT(stat(model_file_path, &st), 0);
  for (long at = -1; at < (long)st.st_size; at += at < 512 ? 1 : 13) {
    if (at >= 0)
      flip(at);
    struct model *m = model_open_unchecked(model_file_path, &why);
    int whole_sum = at >= 24 && at < 32, good = m && all_blocks_are_good(m, (size_t)st.st_size);
    if (good != (at < 0 || whole_sum))
      printf("# byte %ld\n", at);
    CHECK_INT(good, at < 0 || whole_sum);
    CHECK(m == NULL || model_is_unchecked(m));
    CHECK(m == NULL || (model_check_all(m, &why) == 0) == (at < 0));
    late += m != NULL && !good;
    model_close(m);
    if (at >= 0) {
      m = model_open(model_file_path, &why);
      CHECK(m == NULL);
      flip(at);
    }
  }
  CHECK(late > 500);
  model_file_derived = 0;
}

TEST(a_file_without_sums_is_checked_at_once) {
  struct error_text why;
  model_file_write(NULL, NULL);
  struct model *m = model_open_unchecked(model_file_path, &why);
  CHECK(m != NULL && !model_is_unchecked(m));
  CHECK(m == NULL || model_check(m, model_section(m, "rows").data, 1, &why) == 0);
  model_close(m);
  flip(700);
  m = model_open_unchecked(model_file_path, &why);
  CHECK(m == NULL);
  CHECK(strstr(why.text, "damaged") != NULL);
  model_close(m);
}

/* Sums that end elsewhere than the file, or are too few, are none: the whole file is checked instead. */
TEST(sums_that_do_not_fit_are_left_alone) {
  struct error_text why;
  static struct change changes[] = {{128 + 8 * 40, "checkz", 6, ""},
                                    {128 + 8 * 40 + 32, "\x10", 1, ""},
                                    {128 + 8 * 40 + 24, "\x40\x02", 2, ""}};
  model_file_derived = 1;
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    model_file_write(apply, &changes[i]);
    struct model *m = model_open_unchecked(model_file_path, &why);
    CHECK(m != NULL && !model_is_unchecked(m));
    model_close(m);
  }
  model_file_derived = 0;
}

TEST(what_is_no_file_is_named) {
  expect("/tmp", "a folder");
  expect("/dev/null", "not a plain file");
  expect("/no/such.bidm", "No such file");
  char pipe_path[80];
  snprintf(pipe_path, sizeof pipe_path, "%s.pipe", model_file_path);
  CHECK_INT(mkfifo(pipe_path, 0600), 0);
  expect(pipe_path, "not a plain file");
  unlink(pipe_path);
}

static void expect_unusable(struct change *c) {
  struct error_text why = {""};
  struct embed_options o = {.model = model_file_path, .threads = 1};
  model_file_write(apply, c);
  struct embedder *m = embed_open(&o, &why);
  CHECK(m == NULL);
  if (!strstr(why.text, c->says))
    printf("# \"%s\" does not say \"%s\"\n", why.text, c->says);
  CHECK(strstr(why.text, c->says) != NULL);
  embed_close(m);
}

/* Sound files of nonsense: every index that the sums follow is checked first. */
TEST(sections_that_do_not_fit_are_refused) {
  struct error_text why;
  model_file_write(NULL, NULL);
  struct model *m = model_open(model_file_path, &why);
  if (!m)
    return;
  const char *start = model_section(m, "meta").data;
  static const char *const names[] = {"weights", "query-weights"};
  struct change c = {0, "\xff\x7f", 2, "out of range"};
  size_t meta_at = 448; /* 128 + 7 * 40, rounded up to 64 */
  for (int i = 0; i < 2; i++) {
    c.at = meta_at + (size_t)(model_section(m, names[i]).data - start);
    expect_unusable(&c);
  }
  struct slice pairs = model_section(m, "pairs");
  size_t pairs_at = meta_at + (size_t)(pairs.data - start);
  for (size_t slot = 0; slot < 4; slot++)
    if (memcmp(pairs.data + slot * 8, "\xff\xff\xff\xff\xff\xff\xff\xff", 8) != 0) {
      struct change row = {pairs_at + slot * 8, "\7\0\0\0", 4, "pairs"},
                    token = {pairs_at + slot * 8 + 6, "\6", 1, "pairs"};
      expect_unusable(&row);
      expect_unusable(&token);
    }
  size_t repeats_at = meta_at + (size_t)(model_section(m, "repeats").data - start);
  struct change much = {repeats_at + 2, "\1\x40", 2, "repeats"},
                less = {repeats_at + 4, "\xff\xff", 2, "repeats"};
  expect_unusable(&much);
  expect_unusable(&less);
  model_close(m);
  struct change kind = {32, "\7", 1, "cannot run"}, odd = {36, "\x64", 1, "100 dimensions"},
                few = {36, "\xc0", 1, "rows"};
  expect_unusable(&kind);
  expect_unusable(&odd);
  expect_unusable(&few);
}

TEST(models_are_found_by_name) {
  struct buf path;
  buf_init(&path, 8192);
  CHECK_INT(model_find(&path, "./x"), 0);
  CHECK_STR(path.data, "./x");
  buf_clear(&path);
  CHECK_INT(model_find(&path, "y.bidm"), 0);
  CHECK_STR(path.data, "y.bidm");
  buf_clear(&path);
  setenv("BID_MODELS", "/tmp", 1);
  char name[80], bare[64];
  snprintf(name, sizeof name, "%s.bidm", model_file_path);
  model_file_write(NULL, NULL);
  CHECK_INT(rename(model_file_path, name), 0);
  snprintf(bare, sizeof bare, "%s", strrchr(model_file_path, '/') + 1);
  CHECK_INT(model_find(&path, bare), 0);
  CHECK_STR(path.data, name);
  buf_clear(&path);
  CHECK_INT(rename(name, model_file_path), 0);
  CHECK_INT(model_find(&path, "there-is-none"), -1);
  CHECK(strstr(path.data, "there-is-none.bidm") != NULL);
  buf_release(&path);
}

int main(void) {
  model_file_begin();
  RUN(a_good_file_opens);
  RUN(bad_heads_are_told_apart);
  RUN(a_file_cut_anywhere_is_refused);
  RUN(every_flipped_byte_is_noticed);
  RUN(an_unchecked_file_is_checked_where_it_is_used);
  RUN(a_file_without_sums_is_checked_at_once);
  RUN(sums_that_do_not_fit_are_left_alone);
  RUN(what_is_no_file_is_named);
  RUN(sections_that_do_not_fit_are_refused);
  RUN(models_are_found_by_name);
  model_file_end();
  return test_done();
}
