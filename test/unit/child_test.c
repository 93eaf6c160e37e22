#include "base/helper.h"
#include "test.h"

TEST(all_that_a_child_writes_is_there) {
  const char *argv[] = {"cat", NULL};
  struct error_text e;
  struct buf in, out;
  buf_init(&in, 1 << 22);
  buf_init(&out, 1 << 22);
  while (in.len < 3000000)
    buf_add_str(&in, "a line that is longer than what a socket takes at once\n");
  CHECK_INT(helper_filter(argv, buf_slice(&in), &out, &e), 0);
  CHECK(slice_eq(buf_slice(&in), buf_slice(&out)));
  buf_release(&in);
  buf_release(&out);
}

/* Part of an output is none: the caller would take a cut record for one without a text. */
TEST(an_output_beyond_the_ceiling_is_an_error) {
  const char *argv[] = {"cat", NULL};
  struct error_text e = {""};
  struct buf out;
  buf_init(&out, 8);
  CHECK_INT(helper_filter(argv, slice_str("123456789"), &out, &e), -1);
  CHECK_STR(e.text, "cat: the output has more than 8 bytes");
  buf_release(&out);
}

TEST(a_child_that_fails_says_its_status) {
  const char *argv[] = {"sh", "-c", "echo partly; exit 3", NULL};
  struct error_text e = {""};
  struct buf out;
  buf_init(&out, 100);
  CHECK_INT(helper_filter(argv, slice_str("x"), &out, &e), -1);
  CHECK_STR(e.text, "sh: ended with status 3");
  CHECK_STR(out.data, "partly\n");
  buf_release(&out);
}

int main(void) {
  RUN(all_that_a_child_writes_is_there);
  RUN(an_output_beyond_the_ceiling_is_an_error);
  RUN(a_child_that_fails_says_its_status);
  return test_done();
}
