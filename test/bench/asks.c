/* asks.c: measures the latency of answers from outside the process.
 *
 *   asks cold RUNS COMMAND [ARG]...        one process per run, from start to end
 *   asks warm QUESTIONS COMMAND [ARG]...   one process: a line in, a line out, for each line of QUESTIONS; a
 * first pass over all of them is not counted
 *
 * Prints {"count", "failed", "least", "median", "p99"} in milliseconds; failed: runs with a status
 * other than 0, lines without an answer. */
#include "base/buf.h"
#include "base/clock.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MOST = 10000 };
static double ms[MOST];
static size_t count, failed;

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void report(void) {
  qsort(ms, count, sizeof *ms, by_value);
  if (count)
    printf("{\"count\":%zu,\"failed\":%zu,\"least\":%.3f,\"median\":%.3f,\"p99\":%.3f}\n", count, failed,
           ms[0], ms[count / 2], ms[count * 99 / 100]);
}

/* Starts a command with these files as stdin and stdout. */
static pid_t start(char **command, int in, int out) {
  posix_spawn_file_actions_t files;
  pid_t pid;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, in, 0);
  posix_spawn_file_actions_adddup2(&files, out, 1);
  int rc = posix_spawnp(&pid, command[0], &files, NULL, command, environ);
  posix_spawn_file_actions_destroy(&files);
  if (rc) {
    fprintf(stderr, "asks: %s: %s\n", command[0], strerror(rc));
    exit(70);
  }
  return pid;
}

static void cold(size_t runs, char **command) {
  int null = open("/dev/null", O_RDWR | O_CLOEXEC), status;
  for (size_t i = 0; i < runs && i < MOST; i++) {
    double from = clock_monotonic();
    pid_t pid = start(command, null, null);
    waitpid(pid, &status, 0);
    ms[count++] = 1e3 * (clock_monotonic() - from);
    failed += status != 0;
  }
}

static void warm(const char *path, char **command) {
  int to[2], from[2];
  if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC))
    exit(70);
  pid_t pid = start(command, to[0], from[1]);
  close(to[0]);
  close(from[1]);
  FILE *answers = fdopen(from[0], "r"), *questions = fopen(path, "r");
  char *line = NULL, *answer = NULL;
  size_t line_cap = 0, answer_cap = 0;
  ssize_t n;
  for (int pass = 0; questions && pass < 2; pass++, rewind(questions))
    while (count < MOST && (n = getline(&line, &line_cap, questions)) > 0) {
      double start_time = clock_monotonic();
      if (write(to[1], line, (size_t)n) != n || getline(&answer, &answer_cap, answers) <= 0)
        failed++;
      if (pass)
        ms[count++] = 1e3 * (clock_monotonic() - start_time);
    }
  close(to[1]);
  waitpid(pid, NULL, 0);
}

int main(int argc, char **argv) {
  if (argc < 4)
    return 64;
  if (strcmp(argv[1], "cold") == 0)
    cold(strtoul(argv[2], NULL, 10), argv + 3);
  else
    warm(argv[2], argv + 3);
  report();
  return 0;
}
