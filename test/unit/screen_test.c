/* base/screen: lines broken at blanks. */
#include "base/screen.h"
#include "test.h"

static char *folded(const char *text, size_t columns, size_t hang) {
  static struct buf b;
  buf_release(&b);
  buf_init(&b, 1 << 16);
  screen_fold(&b, slice_str(text), columns, hang);
  return b.data ? b.data : (char *)"";
}

TEST(lines_that_fit_stay) {
  CHECK_STR(folded("a  b\n\n  c d\nend", 20, SCREEN_HANG_AUTO), "a  b\n\n  c d\nend");
  CHECK_STR(folded("one two three four", 0, SCREEN_HANG_AUTO), "one two three four");
}

TEST(words_are_not_cut) {
  CHECK_STR(folded("one two three four\n", 9, SCREEN_HANG_AUTO), "one two\nthree\nfour\n");
  CHECK_STR(folded("  one two three\n", 9, SCREEN_HANG_AUTO), "  one two\n  three\n");
  CHECK_STR(folded("see https://example.org/long now", 12, 2), "see\n  https://example.org/long\n  now");
  CHECK_STR(folded("\xe6\x97\xa5\xe6\x9c\xac \xe6\x97\xa5\xe6\x9c\xac", 8, 0),
            "\xe6\x97\xa5\xe6\x9c\xac\n\xe6\x97\xa5\xe6\x9c\xac"); /* two columns a character: nine in all */
}

TEST(options_keep_their_column) {
  CHECK_STR(folded("  -a, --all  say all that there is\n", 24, SCREEN_HANG_AUTO),
            "  -a, --all\n      say all that there\n      is\n");
  CHECK_STR(folded("  -a, --all  say all that there is\n", 30, SCREEN_HANG_AUTO),
            "  -a, --all  say all that\n             there is\n");
}

TEST(sentences_are_no_columns) {
  CHECK_STR(folded("One ends.  Another begins here", 20, SCREEN_HANG_AUTO),
            "One ends.  Another\nbegins here");
}

int main(void) {
  RUN(lines_that_fit_stay);
  RUN(words_are_not_cut);
  RUN(options_keep_their_column);
  RUN(sentences_are_no_columns);
  return test_done();
}
