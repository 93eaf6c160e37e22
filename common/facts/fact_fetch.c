/* fact_fetch.c: the helper that runs bid-fetch, and what it may ask for. */
#include "facts/fact_fetch.h"

#include "base/helper.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FETCH_ARGUMENTS = 32, FETCH_BYTES = 1 << 20, FETCH_FAILED = 70 };

static int reads_files;

void fact_fetch_files(void) {
  reads_files = 1;
}

/* ---- the child ---- */

/* Whether a process that may have been taken over asks for no more than this module does. */
static int fetch_is_known(char *const *arguments, size_t count) {
  static const char *const sources[] = {"sec-edgar",  "sec-filings", "sec-filing-document",
                                        "sec-frames", "fred",        NULL};
  static const char *const with_value[] = {"-e", "-f", "-n", "-p", "-P", "--since", NULL};
  int file = count == 2 && reads_files && strcmp(arguments[0], "file") == 0;
  if (count == 0 || file)
    return file;
  if (!slice_among(slice_str(arguments[0]), sources))
    return 0;
  for (size_t i = 1; i < count; i++)
    if (slice_among(slice_str(arguments[i]), with_value))
      i++;
    else if (strcmp(arguments[i], "--content") != 0)
      return 0;
  return 1;
}

/* Splits the arguments, each of which ends with a NUL; returns how many there are, 0 where that is none or too many. */
static size_t take_arguments(struct buf *bytes, char *list[FETCH_ARGUMENTS]) {
  size_t count = 0;
  if (bytes->len == 0 || bytes->data[bytes->len - 1] != '\0')
    return 0;
  for (size_t at = 0; at < bytes->len; at += strlen(bytes->data + at) + 1) {
    if (count == FETCH_ARGUMENTS)
      return 0;
    list[count++] = bytes->data + at;
  }
  return count;
}

void fact_fetch_run(int in, int out, int err) {
  static char name[] = "bid-fetch", quiet[] = "--quiet";
  char path[PATH_MAX], *argv[FETCH_ARGUMENTS + 3] = {name, quiet};
  struct buf bytes;
  helper_take(in, out, err);
  buf_init(&bytes, FETCH_BYTES);
  if (buf_read_fd(&bytes, STDIN_FILENO) != 0)
    _exit(FETCH_FAILED);
  size_t count = take_arguments(&bytes, argv + 2);
  if (!fetch_is_known(argv + 2, count))
    _exit(FETCH_FAILED);
  helper_path(name, path);
  execvp(path, argv);
  fprintf(stderr, "bid-fetch: %s\n", strerror(errno));
  _exit(127);
}

/* ---- the program that asks ---- */

int fact_fetch(const char *const *arguments, int silent, struct buf *out, struct error_text *why) {
  struct buf words, unheard;
  buf_init(&words, FETCH_BYTES);
  buf_init(&unheard, FETCH_BYTES);
  for (; *arguments; arguments++)
    buf_add(&words, *arguments, strlen(*arguments) + 1);
  struct helper_task t = {
      .run = fact_fetch_run, .left = buf_slice(&words), .text = out, .errors = silent ? &unheard : NULL};
  int status = helper_task_do(&t);
  if (status == -1)
    error_set(why, "cannot run bid-fetch: %s", strerror(errno));
  buf_release(&words);
  buf_release(&unheard);
  return status == -1 ? -1 : WIFEXITED(status) ? WEXITSTATUS(status) : FETCH_FAILED;
}
