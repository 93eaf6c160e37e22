#include "base/error_text.h"
#include "test.h"

#include <string.h>

/* "PATH: cause", where the path is as long as paths may be. */
TEST(a_long_message_keeps_its_start_and_its_end) {
  struct error_text e;
  char path[4000];
  memset(path, 'x', sizeof path);
  memcpy(path, "/start", 6);
  path[sizeof path - 1] = '\0';
  error_set(&e, "%s: No space left on device", path);
  CHECK_INT(strlen(e.text), sizeof e.text - 1);
  CHECK(strncmp(e.text, "/startxxx", 9) == 0);
  CHECK(strstr(e.text, "x...x") != NULL);
  CHECK_STR(strrchr(e.text, ':'), ": No space left on device");
}

TEST(no_character_is_cut) {
  for (size_t before = 0; before < 4; before++) {
    struct error_text e;
    char text[2000] = "aaa";
    for (size_t at = before; at + 3 < sizeof text - 1; at += 3)
      memcpy(text + at, "\xe2\x82\xac", 3);
    error_set(&e, "%s", text);
    size_t ok = 0;
    for (const char *p = e.text; *p; p += ok) {
      ok = strncmp(p, "\xe2\x82\xac", 3) == 0 ? 3 : *p == 'a' || *p == '.';
      CHECK(ok > 0);
      if (!ok)
        break;
    }
  }
}

TEST(a_message_that_fits_is_kept) {
  struct error_text e;
  error_set(&e, "%0511d", 0);
  CHECK_INT(strlen(e.text), 511);
  CHECK(strstr(e.text, ".") == NULL);
}

__attribute__((format(printf, 3, 4))) static void format_into(char *out, size_t room, const char *format,
                                                              ...) {
  va_list args;
  va_start(args, format);
  error_format(out, room, format, args);
  va_end(args);
}

TEST(nothing_is_written_past_a_small_buffer) {
  for (size_t room = 1; room <= 40; room++) {
    char out[41];
    memset(out, '#', sizeof out);
    format_into(out, room, "%0200d", 7);
    CHECK_INT(strlen(out), room - 1);
    for (size_t i = room; i < sizeof out; i++)
      CHECK(out[i] == '#');
  }
}

int main(void) {
  RUN(a_long_message_keeps_its_start_and_its_end);
  RUN(no_character_is_cut);
  RUN(a_message_that_fits_is_kept);
  RUN(nothing_is_written_past_a_small_buffer);
  return test_done();
}
