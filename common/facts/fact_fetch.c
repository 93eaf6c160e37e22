#include "facts/fact_fetch.h"

#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FETCH_ARGUMENTS = 32 };

extern char **environ;

static int fetch_start(pid_t *pid, const char *const *arguments, int silent, int out) {
  char path[PATH_MAX];
  const char *argv[FETCH_ARGUMENTS + 3] = {"bid-fetch", "--quiet"};
  posix_spawn_file_actions_t actions;
  size_t n = 2;
  for (; *arguments && n < FETCH_ARGUMENTS + 2; arguments++)
    argv[n++] = *arguments;
  child_path("bid-fetch", path);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  if (silent)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  int failed = posix_spawnp(pid, path, &actions, NULL, (char *const *)(uintptr_t)argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  return failed;
}

int fact_fetch(const char *const *arguments, int silent, struct buf *out, struct error_text *why) {
  int ends[2], status = 0;
  pid_t pid;
  if (pipe(ends)) {
    error_set(why, "cannot make a pipe: %s", strerror(errno));
    return -1;
  }
  int failed = fetch_start(&pid, arguments, silent, ends[1]);
  close(ends[1]);
  if (!failed)
    failed = buf_read_fd(out, ends[0]) ? errno : 0;
  close(ends[0]);
  if (failed) {
    error_set(why, "cannot run bid-fetch: %s", strerror(failed));
    return -1;
  }
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
    ;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 70;
}
