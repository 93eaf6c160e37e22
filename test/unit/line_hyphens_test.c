/* Hyphens at the end of a line: parts of a word, of a compound, or a word left out. */
#include "reader/text_table.h"
#include "test.h"

static enum line_hyphen judged(const char *text, const char *before, const char *after) {
  struct line_hyphens *h = line_hyphens_new(slice_str(text));
  enum line_hyphen found = line_hyphens_judge(h, slice_str(before), slice_str(after));
  line_hyphens_free(h);
  return found;
}

static void the_document_is_the_first_witness(void) {
  CHECK(judged("The snowpack of spring.\nThe snow-\npack.", "The snow", "pack.") == HYPHEN_DIVIDES);
  CHECK(judged("A snow-pack of spring.\nThe snow-\npack.", "The snow", "pack.") == HYPHEN_COMPOUND);
}

static void ordinary_words_are_the_second(void) {
  CHECK(judged("", "a num", "ber of") == HYPHEN_DIVIDES);
  CHECK(judged("", "the Com", "pany’s") == HYPHEN_DIVIDES);
  CHECK(judged("", "of long", "term debt") == HYPHEN_COMPOUND);
  CHECK(judged("", "a long", "standing rule") == HYPHEN_COMPOUND);
}

static void what_nobody_knows_is_a_division(void) {
  CHECK(judged("", "the Zygo", "morphic") == HYPHEN_DIVIDES);
}

static void a_word_is_left_out_before_and_or_or(void) {
  CHECK(judged("", "of short", "and long-term debt") == HYPHEN_SUSPENDED);
  CHECK(judged("", "of short", "or long-term debt") == HYPHEN_SUSPENDED);
}

static void odd_ends(void) {
  static const char long_word[] =
      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
  judged("", long_word, long_word); /* longer than what is judged by words: no overrun */
  judged("\xff\xfe-\n\xff", "\xff", "\xff");
  judged("-\n", "", "");
}

int main(void) {
  RUN(the_document_is_the_first_witness);
  RUN(ordinary_words_are_the_second);
  RUN(what_nobody_knows_is_a_division);
  RUN(a_word_is_left_out_before_and_or_or);
  RUN(odd_ends);
  return test_done();
}
