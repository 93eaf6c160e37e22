/* byte_search_test.c: what is looked for by blocks, against the plain way of looking for it. */
#include "base/byte_search.h"
#include "base/utf8.h"

#include "test.h"

#include <stdlib.h>

static unsigned long seed = 7;

static unsigned random_below(unsigned n) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(seed >> 33) % n;
}

/* Bytes of their own, so that a byte read behind them is a fault of memory. */
static char *bytes_of(const char *letters, size_t len) {
  char *b = malloc(len ? len : 1);
  for (size_t i = 0; b && i < len; i++)
    b[i] = letters[random_below((unsigned)strlen(letters))];
  return b;
}

TEST(a_word_is_found_where_memmem_finds_it) {
  static const char *const words[] = {"<T", "</T>", "</ix:res"};
  for (int round = 0; round < 3000; round++) {
    size_t len = random_below(200);
    char *b = bytes_of("<</TTix:res>", len);
    struct slice word = slice_str(words[round % 3]);
    if (len > word.len && round % 2)
      memcpy(b + random_below((unsigned)(len - word.len + 1)), word.data, word.len);
    size_t pair = random_below((unsigned)word.len - 1);
    CHECK(byte_search_word(b, b + len, word, pair) == memmem(b, len, word.data, word.len));
    free(b);
  }
}

/* Byte by byte, by what utf8_decode() takes. */
static size_t plain_valid_prefix(const char *b, size_t len) {
  size_t i = 0;
  uint32_t c;
  for (size_t n; i < len && (n = utf8_decode(b + i, len - i, &c)) != 0;)
    i += n;
  return i;
}

TEST(utf8_ends_where_a_character_is_broken) {
  for (int round = 0; round < 3000; round++) {
    size_t len = random_below(300);
    char *b = bytes_of("abc", len);
    for (unsigned n = random_below(4); n-- > 0 && len > 4;) {
      size_t at = random_below((unsigned)len - 3);
      memcpy(b + at, "\xE2\x80\x99", 3);
      if (random_below(4) == 0)
        b[at + random_below(3)] = (char)random_below(256);
    }
    CHECK_INT(utf8_valid_prefix(b, len), plain_valid_prefix(b, len));
    free(b);
  }
}

int main(void) {
  RUN(a_word_is_found_where_memmem_finds_it);
  RUN(utf8_ends_where_a_character_is_broken);
  return test_done();
}
