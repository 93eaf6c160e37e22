/* jq_filter.c: a child process evaluates, the parent watches the clock.
 *
 * The child writes one byte an object ('0' or '1') to a pipe, or 'E' and a message.  It never returns into
 * the caller's code: it ends with _exit(2), so that nothing that the parent has open is flushed twice.
 */
#include "search/jq_filter.h"

#include "base/clock.h"
#include "base/sandbox.h"

#include <dlfcn.h>
#include <errno.h>
#include <jq.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#pragma weak jv_get_kind /* an unused static function of jv.h calls it; nothing here is linked to libjq */

/* The functions of libjq that are used. */
struct jq_filter_library {
  void *handle;
  jq_state *(*init)(void);
  void (*set_error_cb)(jq_state *, jq_msg_cb, void *);
  int (*compile)(jq_state *, const char *);
  void (*start)(jq_state *, jv, int);
  jv (*next)(jq_state *);
  jv (*parse)(const char *, int);
  jv_kind (*kind)(jv);
  void (*free)(jv);
  int (*has_message)(jv);
  jv (*message)(jv);
  const char *(*text)(jv);
  jv (*dump)(jv, int);
  jv (*copy)(jv);
};

static int jq_filter_find(void *handle, const char *name, void *to) {
  void *symbol = dlsym(handle, name);
  memcpy(to, &symbol, sizeof symbol); /* POSIX's way from an object pointer to a function's */
  return symbol != NULL;
}

static int open_library(struct jq_filter_library *l, struct error_text *e) {
  l->handle = dlopen("libjq.so.1", RTLD_NOW | RTLD_LOCAL);
  if (l->handle == NULL) {
    error_set(e, "a jq filter needs libjq, which is not installed");
    return -1;
  }
  int all =
      jq_filter_find(l->handle, "jq_init", &l->init) &&
      jq_filter_find(l->handle, "jq_set_error_cb", &l->set_error_cb) &&
      jq_filter_find(l->handle, "jq_compile", &l->compile) &&
      jq_filter_find(l->handle, "jq_start", &l->start) && jq_filter_find(l->handle, "jq_next", &l->next) &&
      jq_filter_find(l->handle, "jv_parse_sized", &l->parse) &&
      jq_filter_find(l->handle, "jv_get_kind", &l->kind) && jq_filter_find(l->handle, "jv_free", &l->free) &&
      jq_filter_find(l->handle, "jv_invalid_has_msg", &l->has_message) &&
      jq_filter_find(l->handle, "jv_invalid_get_msg", &l->message) &&
      jq_filter_find(l->handle, "jv_string_value", &l->text) &&
      jq_filter_find(l->handle, "jv_dump_string", &l->dump) && jq_filter_find(l->handle, "jv_copy", &l->copy);
  if (!all)
    error_set(e, "libjq lacks a function that a jq filter needs");
  return all ? 0 : -1;
}

/* ---- the child ---- */

static const struct jq_filter_library
    *library; /* for the message callback, which libjq gives no room for it */

static void jq_filter_put(int fd, const char *data, size_t len) {
  while (len > 0) {
    ssize_t n = write(fd, data, len);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      _exit(1);
    data += n;
    len -= (size_t)n;
  }
}

_Noreturn static void fail(int fd, const char *text) {
  jq_filter_put(fd, "E", 1);
  jq_filter_put(fd, text, strlen(text));
  _exit(0);
}

/* libjq's own message, its first line. */
static void on_message(void *arg, jv message) {
  char text[300] = "jq says nothing";
  if (library->kind(message) == JV_KIND_STRING)
    snprintf(text, sizeof text, "%s", library->text(message));
  text[strcspn(text, "\n")] = '\0';
  fail(*(int *)arg, text);
}

_Noreturn static void fail_with(int fd, jv invalid) {
  char text[300];
  jv message = library->message(invalid);
  if (library->kind(message) != JV_KIND_STRING)
    message = library->dump(message, 0);
  snprintf(text, sizeof text, "%s", library->text(message));
  fail(fd, text);
}

static char evaluate(jq_state *jq, struct slice object, int fd) {
  jv input = library->parse(object.data, (int)object.len);
  if (library->kind(input) == JV_KIND_INVALID)
    fail(fd, "a document's metadata is no JSON");
  library->start(jq, input, 0);
  jv result = library->next(jq);
  jv_kind kind = library->kind(result);
  if (kind == JV_KIND_INVALID && library->has_message(library->copy(result)))
    fail_with(fd, result);
  library->free(result);
  return kind == JV_KIND_INVALID || kind == JV_KIND_FALSE || kind == JV_KIND_NULL ? '0' : '1';
}

/* Bytes of data that the process has mapped: what a limit has to be counted from. */
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
  jq_state *jq = library->init();
  if (jq == NULL)
    fail(fd, "libjq does not start");
  environ = no_environment;
  sandbox_enter(0); /* so that import reads nothing, and $ENV says nothing */
  library->set_error_cb(jq, on_message, &fd);
  if (!library->compile(jq, expression))
    fail(fd, "it does not compile");
  for (size_t i = 0; i < count; i++) {
    char verdict = evaluate(jq, objects[i], fd);
    jq_filter_put(fd, &verdict, 1);
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
  while (len < sizeof text - 1 && (more = read(fd, text + len, sizeof text - 1 - len)) > 0)
    len += (size_t)more;
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
  struct jq_filter_library l;
  int ends[2];
  if (open_library(&l, e) != 0)
    return -1;
  library = &l;
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
    waitpid(child, NULL, 0);
  }
  return status;
}
