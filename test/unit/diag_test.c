/* diag_test.c: how a program ends when memory is out, and how arrays grow. */
#include "base/diag.h"
#include "base/xalloc.h"
#include "test.h"

#include <malloc.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

/* As a library's destructor that frees what another thread still uses. */
static void crash(void) {
  abort();
}

TEST(out_of_memory_runs_no_destructors) {
  pid_t child = fork();
  if (child == 0) {
    atexit(crash);
    diag_oom();
  }
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == EX_SOFTWARE);
}

TEST(array_keeps_its_room_when_it_is_filled_again) {
  int *items = NULL;
  for (size_t i = 0; i < 5000; i++) {
    items = xgrow(items, i, sizeof *items);
    items[i] = (int)i;
  }
  items = xgrow(items, 0, sizeof *items);
  CHECK(malloc_usable_size(items) >= 5000 * sizeof *items);
  CHECK(items[4999] == 4999);
  free(items);
}

int main(void) {
  RUN(out_of_memory_runs_no_destructors);
  RUN(array_keeps_its_room_when_it_is_filled_again);
  return test_done();
}
