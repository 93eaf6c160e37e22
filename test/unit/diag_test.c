/* diag_test.c: how a program ends when memory is out. */
#include "base/diag.h"
#include "test.h"

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

int main(void) {
  RUN(out_of_memory_runs_no_destructors);
  return test_done();
}
