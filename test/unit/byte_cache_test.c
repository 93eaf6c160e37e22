/* byte_cache_test.c: what is put is found as it was, by other threads too, and the room has an end. */
#include "base/byte_cache.h"

#include "test.h"

#include <pthread.h>
#include <stdio.h>

#define KEYS 3000

static struct slice text_of(uint64_t key, char out[64]) {
  int n = snprintf(out, 64, "%.*s%llu", (int)(key % 20), "....................", (unsigned long long)key * 7);
  return slice_of(out, (size_t)n);
}

TEST(what_is_put_is_found) {
  struct byte_cache *m = byte_cache_new(1 << 20, 32768);
  CHECK(byte_cache_get(m, 1).data == NULL);
  byte_cache_put(m, 1, slice_str("one"));
  byte_cache_put(m, 0, slice_str("nought"));
  byte_cache_put(m, UINT64_MAX, slice_of(NULL, 0));
  byte_cache_put(m, 1, slice_str("other"));
  CHECK(slice_is(byte_cache_get(m, 1), "one"));
  CHECK(slice_is(byte_cache_get(m, 0), "nought"));
  CHECK(byte_cache_get(m, UINT64_MAX).data != NULL && byte_cache_get(m, UINT64_MAX).len == 0);
  byte_cache_tidy(m); /* which has room */
  CHECK(slice_is(byte_cache_get(m, 1), "one"));
  byte_cache_free(m);
}

TEST(none_keeps_nothing) {
  byte_cache_put(NULL, 1, slice_str("one"));
  CHECK(byte_cache_get(NULL, 1).data == NULL);
  byte_cache_tidy(NULL);
  byte_cache_free(NULL);
}

TEST(a_full_one_is_emptied) {
  struct byte_cache *m = byte_cache_new(1000, 32768);
  char text[64];
  size_t kept = 0;
  for (uint64_t key = 0; key < 100; key++)
    byte_cache_put(m, key, text_of(key, text));
  for (uint64_t key = 0; key < 100; key++)
    kept += byte_cache_get(m, key).data != NULL;
  CHECK(kept > 10 && kept < 60);
  byte_cache_tidy(m);
  CHECK(byte_cache_get(m, 0).data == NULL);
  byte_cache_put(m, 0, slice_str("again"));
  CHECK(slice_is(byte_cache_get(m, 0), "again"));
  byte_cache_free(m);
}

static void *put_and_get(void *arg) {
  char text[64];
  size_t wrong = 0;
  for (uint64_t key = 0; key < KEYS; key++) {
    byte_cache_put(arg, key << 32, text_of(key, text));
    struct slice found = byte_cache_get(arg, key << 32);
    wrong += found.data != NULL && !slice_eq(found, text_of(key, text));
  }
  return wrong ? arg : NULL;
}

TEST(threads_agree) {
  struct byte_cache *m = byte_cache_new(1 << 20, 32768);
  pthread_t threads[4];
  size_t wrong = 0, kept = 0;
  for (int i = 0; i < 4; i++)
    CHECK_INT(pthread_create(&threads[i], NULL, put_and_get, m), 0);
  for (int i = 0; i < 4; i++) {
    void *result;
    pthread_join(threads[i], &result);
    wrong += result != NULL;
  }
  for (uint64_t key = 0; key < KEYS; key++)
    kept += byte_cache_get(m, key << 32).data != NULL;
  CHECK_INT(wrong, 0);
  CHECK_INT(kept, KEYS);
  byte_cache_free(m);
}

int main(void) {
  RUN(what_is_put_is_found);
  RUN(none_keeps_nothing);
  RUN(a_full_one_is_emptied);
  RUN(threads_agree);
  return test_done();
}
