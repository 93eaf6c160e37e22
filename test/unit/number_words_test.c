/* number_words_test.c: numbers in words. */
#include "text/number_words.h"

#include "test.h"

static double read_at(const char *text, size_t *end) {
  *end = 0;
  return number_words_read(slice_str(text), 0, end);
}

TEST(words_are_numbers_whatever_their_case) {
  CHECK_INT(number_words_cardinal(slice_str("one")), 1);
  CHECK_INT(number_words_cardinal(slice_str("Nineteen")), 19);
  CHECK_INT(number_words_cardinal(slice_str("NINETY")), 90);
  CHECK_INT(number_words_cardinal(slice_str("ninet")), 0);
  CHECK_INT(number_words_or_digits(slice_str("ninety")), 90);
  CHECK_INT(number_words_or_digits(slice_of("123", 2)), 12);
  CHECK_INT(number_words_or_digits(slice_str("123")), 0);
  CHECK_INT(number_words_or_digits(slice_str("3M")), 0);
  CHECK_INT(number_words_or_digits(slice_str("")), 0);
  CHECK_INT(number_words_cardinal(slice_str("")), 0);
}

TEST(numbers_of_several_words_are_read_to_their_end) {
  size_t end;
  CHECK_INT((long)read_at("twenty-five percent", &end), 25);
  CHECK_INT((long)end, 11);
  CHECK_INT((long)read_at("a hundred and three shares", &end), 103);
  CHECK_INT((long)end, 19);
  CHECK_INT((long)read_at("two three", &end), 2);
  CHECK_INT((long)end, 3);
  CHECK_INT((long)read_at("shares", &end), 0);
  CHECK_INT((long)end, 0);
}

int main(void) {
  RUN(words_are_numbers_whatever_their_case);
  RUN(numbers_of_several_words_are_read_to_their_end);
  return test_done();
}
