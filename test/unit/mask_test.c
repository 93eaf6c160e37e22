/* mask.h and near_name.h. */
#include "base/buf.h"
#include "base/mask.h"
#include "base/near_name.h"
#include "test.h"

static const char *masked(const char *text) {
  static char kept[256]; /* valid until the next call */
  struct buf b;
  buf_init(&b, sizeof kept);
  buf_add_masked(&b, slice_str(text));
  snprintf(kept, sizeof kept, "%s", b.data ? b.data : "");
  buf_release(&b);
  return kept;
}

TEST(controls_are_masked) {
  CHECK_STR(masked("plain \xc3\xa9 \xe2\x82\xac text?"), "plain \xc3\xa9 \xe2\x82\xac text?");
  CHECK_STR(masked("\033]0;x\007y\x7f\n\t"), "?]0;x?y???");
  CHECK_STR(masked("\xc2\x9b"
                   "31m"),
            "?31m");                        /* C1: CSI */
  CHECK_STR(masked("\xff\xe2\x82"), "???"); /* no UTF-8 */
  CHECK_STR(masked("a\xe2\x80\xae"
                   "b"),
            "a?b");                                             /* U+202E */
  CHECK_STR(masked("\xd8\x9c\xe2\x80\x8e\xe2\x80\x8f"), "???"); /* U+061C, U+200E, U+200F */
  CHECK_STR(masked("\xe2\x81\xa6\xe2\x81\xa9"), "??");          /* U+2066, U+2069 */
  CHECK_STR(masked("\xf3\xa0\x81\x81"), "?");                   /* U+E0041, a tag */
  CHECK_STR(masked("\xe2\x80\x8d"), "\xe2\x80\x8d");            /* U+200D joins emoji and letters */
}

TEST(lines_stay_lines) {
  struct buf b;
  buf_init(&b, 4096);
  buf_add_masked_lines(&b, slice_str("a\tb\r\n\033c\n"));
  CHECK_STR(b.data, "a\tb?\n?c\n");
  buf_release(&b);
}

TEST(in_place_is_the_same) {
  char text[] = "a\033\xe2\x80\xae\xe2\x82\xac\xff";
  size_t n = mask_in_place(text, strlen(text));
  text[n] = '\0';
  CHECK_STR(text, "a??\xe2\x82\xac?");
}

TEST(columns_of_characters) {
  CHECK_INT(mask_columns('a'), 1);
  CHECK_INT(mask_columns(0x20ac), 1);
  CHECK_INT(mask_columns(0x0301), 0);
  CHECK_INT(mask_columns(0x4e2d), 2);
  CHECK_INT(mask_columns(0x2014), 1);
  CHECK_INT(mask_columns(0x1f600), 2);
}

TEST(distances) {
  CHECK_INT(near_name_distance("search", "search"), 0);
  CHECK_INT(near_name_distance("serach", "search"), 1);
  CHECK_INT(near_name_distance("SEARCH", "search"), 0);
  CHECK_INT(near_name_distance("", "abc"), 3);
  CHECK_INT(near_name_distance("kitten", "sitting"), 3);
  CHECK_INT(near_name_distance("ab", "ba"), 1);
}

static int is_typo(const char *a, const char *b) {
  return near_name_is_typo(a, strlen(a), b, strlen(b));
}

TEST(typing_errors) {
  CHECK_INT(is_typo("serach", "search"), 1);
  CHECK_INT(is_typo("serch", "search"), 1);
  CHECK_INT(is_typo("searchh", "search"), 1);
  CHECK_INT(is_typo("zearch", "search"), 1);
  CHECK_INT(is_typo("search", "search"), 0);
  CHECK_INT(is_typo("Search", "search"), 1);
  CHECK_INT(is_typo("saerhc", "search"), 0);
  CHECK_INT(is_typo("", "a"), 1);
  CHECK_INT(is_typo("", ""), 0);
  CHECK_INT(is_typo("aba", "bab"), 0);
}

static const char *nearest(const char *word) {
  static const char *const names[] = {"search",       "store",       "strip", "--company",
                                      "--collection", "sec-filings", NULL};
  struct near_name n;
  near_name_init(&n, word);
  for (int i = 0; names[i]; i++)
    near_name_try(&n, names[i]);
  return n.best ? n.best : "none";
}

TEST(near_names) {
  CHECK_STR(nearest("serch"), "search");
  CHECK_STR(nearest("sotre"), "store");
  CHECK_STR(nearest("--compny"), "--company");
  CHECK_STR(nearest("--coll"), "--collection");
  CHECK_STR(nearest("sec-filing"), "sec-filings");
  CHECK_STR(nearest("10-K.htm"), "none");
  CHECK_STR(nearest("x"), "none");
}

int main(void) {
  RUN(controls_are_masked);
  RUN(lines_stay_lines);
  RUN(in_place_is_the_same);
  RUN(columns_of_characters);
  RUN(distances);
  RUN(typing_errors);
  RUN(near_names);
  return test_done();
}
