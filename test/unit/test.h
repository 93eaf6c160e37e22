/* test.h: unit tests that print TAP.
 *
 *     TEST(name) { CHECK(1 + 1 == 2); CHECK_STR(got, "expected"); }
 *     int main(void) { RUN(name); return test_done(); }
 */
#ifndef BID_TEST_H
#define BID_TEST_H

#include <stdio.h>
#include <string.h>

static int test_number, test_failures, test_current_failed;

#define TEST(name) static void name(void)

#define CHECK(condition)                                                                                     \
  do {                                                                                                       \
    if (!(condition)) {                                                                                      \
      test_current_failed = 1;                                                                               \
      printf("# %s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                       \
    }                                                                                                        \
  } while (0)

#define CHECK_STR(got, expected) test_compare(__FILE__, __LINE__, #got, (got), (expected))
#define CHECK_INT(got, expected)                                                                             \
  test_compare_int(__FILE__, __LINE__, #got, (long long)(got), (long long)(expected))

#define RUN(name) test_run(#name, name)

static inline void test_compare(const char *file, int line, const char *what, const char *got,
                                const char *expected) {
  if (got && expected && strcmp(got, expected) == 0)
    return;
  test_current_failed = 1;
  printf("# %s:%d: %s is \"%s\", expected \"%s\"\n", file, line, what, got ? got : "(null)",
         expected ? expected : "(null)");
}

static inline void test_compare_int(const char *file, int line, const char *what, long long got,
                                    long long expected) {
  if (got == expected)
    return;
  test_current_failed = 1;
  printf("# %s:%d: %s is %lld, expected %lld\n", file, line, what, got, expected);
}

static inline void test_run(const char *name, void (*f)(void)) {
  test_current_failed = 0;
  f();
  test_failures += test_current_failed;
  printf("%sok %d - %s\n", test_current_failed ? "not " : "", ++test_number, name);
}

static inline int test_done(void) {
  printf("1..%d\n", test_number);
  return test_failures ? 1 : 0;
}

#endif
