/* jq_filter.c: a child process evaluates while the parent enforces the time limit.
 *
 * The child writes one byte per object ('0' or '1') to a pipe, or 'E' and a message.  It never returns into the
 * caller's code but ends with _exit(2), so that no buffer of the parent is flushed twice.
 */
#include "search/jq_filter.h"

#include "base/clock.h"
#include "base/process.h"
#include "base/sandbox.h"
#include "record/jq_program.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MESSAGE_MAX = 300 }; /* bytes of libjq's message that are passed on */

/* ---- the child ---- */

/* Sends the first line of text as the error. */
_Noreturn static void fail(int fd, const char *text) {
  size_t len = strcspn(text, "\n");
  if (slice_write(slice_of("E", 1), fd) == 0)
    slice_write(slice_of(text, len < MESSAGE_MAX ? len : MESSAGE_MAX), fd);
  _exit(0);
}

/* Sends why libjq does not compile the filter, without its own preface and remarks on the shell and on places within
 * the one line. */
_Noreturn static void fail_compile(int fd, const char *expression, const char *text) {
  static const char preface[] = "jq: error: ";
  static const char *const remarks[] = {" (Unix shell", " at <top-level>"};
  char said[MESSAGE_MAX];
  if (strncmp(text, preface, sizeof preface - 1) == 0)
    text += sizeof preface - 1;
  size_t len = strcspn(text, "\n");
  for (size_t i = 0; i < sizeof remarks / sizeof *remarks; i++) {
    const char *remark = strstr(text, remarks[i]);
    if (remark && (size_t)(remark - text) < len)
      len = (size_t)(remark - text);
  }
  snprintf(said, sizeof said, "%.*s in '%.100s'; a filter is such as .metadata.form == \"10-K\"",
           (int)(len < 120 ? len : 120), text, expression);
  fail(fd, said);
}

/* Bytes of data mapped by the process: the base for the memory limit. */
static size_t data_size(void) {
  unsigned long long pages = 0;
  FILE *f = fopen("/proc/self/statm", "re");
  if (f == NULL)
    return 0;
  if (fscanf(f, "%*s %*s %*s %*s %*s %llu", &pages) != 1)
    pages = 0;
  fclose(f);
  return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

extern char **environ;
static char *no_environment[] = {NULL};

_Noreturn static void be_child(int fd, const char *expression, const struct slice *objects, size_t count) {
  rlim_t most = data_size() + JQFILTER_MEMORY;
  struct rlimit memory = {most, most}, core = {0, 0};
  setrlimit(RLIMIT_DATA, &memory);
  setrlimit(RLIMIT_CORE, &core);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGSEGV, SIG_DFL); /* a fault of libjq is none of the store, which watches for its own */
  signal(SIGBUS, SIG_DFL);
  struct jq_program *jq = jq_program_new();
  struct buf why;
  buf_init(&why, 1 << 16);
  environ = no_environment;
  fd = process_keep_only(fd); /* neither the store's lock nor what the parent reads and prints */
  sandbox_enter(0, NULL, 0);  /* disables import and $ENV */
  if (jq_program_compile(jq, expression, &why) != 0)
    fail_compile(fd, expression, why.len ? why.data : "it does not compile");
  for (size_t i = 0; i < count; i++) {
    enum jq_result result = jq_program_run(jq, objects[i], NULL, &why);
    if (result == JQ_ERROR)
      fail(fd, why.len ? why.data : "it gives no reason");
    if (slice_write(slice_of(result == JQ_TRUE ? "1" : "0", 1), fd) != 0)
      _exit(1);
  }
  _exit(0);
}

/* ---- the parent ---- */

static int take_verdicts(const char *bytes, size_t n, size_t *done, size_t count, uint8_t *keep) {
  for (size_t i = 0; i < n; i++) {
    if (bytes[i] == 'E')
      return (int)i;
    if (*done < count)
      keep[(*done)++] = bytes[i] == '1';
  }
  return -1;
}

static int read_failure(int fd, const char *start, size_t n, struct error_text *e) {
  char text[400];
  size_t len = n < sizeof text - 1 ? n : sizeof text - 1;
  memcpy(text, start, len);
  ssize_t more;
  while (len < sizeof text - 1 &&
         ((more = read(fd, text + len, sizeof text - 1 - len)) > 0 || (more < 0 && errno == EINTR)))
    len += more > 0 ? (size_t)more : 0;
  text[len] = '\0';
  error_set(e, "the jq filter failed: %s", text);
  return -1;
}

static int watch(int fd, size_t count, uint8_t *keep, struct error_text *e) {
  double end = clock_monotonic() + JQFILTER_SECONDS;
  char bytes[4096];
  size_t done = 0;
  for (;;) {
    double left = end - clock_monotonic();
    struct pollfd p = {fd, POLLIN, 0};
    int ready = left > 0 ? poll(&p, 1, (int)(left * 1000) + 1) : 0;
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready <= 0) {
      error_set(e, "the jq filter took longer than %d seconds", JQFILTER_SECONDS);
      return -1;
    }
    ssize_t n = read(fd, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      break;
    int failed = take_verdicts(bytes, (size_t)n, &done, count, keep);
    if (failed >= 0)
      return read_failure(fd, bytes + failed + 1, (size_t)n - (size_t)failed - 1, e);
  }
  if (done == count)
    return 0;
  error_set(e, "the jq filter ended early: it may need too much memory");
  return -1;
}

int jq_filter_run(const char *expression, const struct slice *objects, size_t count, uint8_t *keep,
                  struct error_text *e) {
  int ends[2];
  if (pipe(ends) != 0) {
    error_set(e, "pipe: %s", strerror(errno));
    return -1;
  }
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    be_child(ends[1], expression, objects, count);
  }
  close(ends[1]);
  int status = -1;
  if (child < 0)
    error_set(e, "fork: %s", strerror(errno));
  else
    status = watch(ends[0], count, keep, e);
  close(ends[0]);
  if (child > 0) {
    kill(child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
      ;
  }
  return status;
}
