/* jq_filter.c: a child process evaluates while the parent enforces the time limit.
 *
 * The child reads objects, each behind its length, and writes one byte per object ('0' or '1'), or 'E' and a message.  It
 * never returns into the caller's code but ends with _exit(2), so that no buffer of the parent is flushed twice.
 */
#include "search/jq_filter.h"

#include "base/clock.h"
#include "base/sandbox.h"
#include "record/jq_program.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#define OBJECT_MAX ((size_t)4 << 30)

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

static const char *filter; /* the expression, set before the helper is started */

/* Bytes of the next object, or -1 at the end. */
static int read_object(FILE *in, struct buf *object) {
  uint64_t len;
  buf_clear(object);
  if (fread(&len, sizeof len, 1, in) != 1 || buf_reserve(object, len) != 0)
    return -1;
  object->len = fread(object->data, 1, len, in);
  return object->len == len ? 0 : -1;
}

static void judge_objects(struct jq_program *jq, FILE *in) {
  struct buf object, why;
  buf_init(&object, OBJECT_MAX);
  buf_init(&why, 1 << 16);
  while (read_object(in, &object) == 0) {
    enum jq_result result = jq_program_run(jq, buf_slice(&object), NULL, &why);
    if (result == JQ_ERROR)
      fail(STDOUT_FILENO, why.len ? why.data : "it gives no reason");
    if (slice_write(slice_of(result == JQ_TRUE ? "1" : "0", 1), STDOUT_FILENO) != 0)
      _exit(1);
  }
}

void jq_filter_judge(int in, int out, int err) {
  rlim_t most = data_size() + JQFILTER_MEMORY;
  struct rlimit memory = {most, most}, core = {0, 0};
  struct buf why;
  setrlimit(RLIMIT_DATA, &memory);
  setrlimit(RLIMIT_CORE, &core);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGSEGV, SIG_DFL); /* a fault of libjq is none of the store, which watches for its own */
  signal(SIGBUS, SIG_DFL);
  helper_take(in, out, err); /* neither the store's lock nor what the parent reads and prints */
  struct jq_program *jq = jq_program_new();
  FILE *objects = fdopen(STDIN_FILENO, "r");
  buf_init(&why, 1 << 16);
  environ = no_environment;
  sandbox_enter(0, NULL, 0); /* disables import and $ENV */
  if (jq_program_compile(jq, filter, &why) != 0)
    fail_compile(STDOUT_FILENO, filter, why.len ? why.data : "it does not compile");
  judge_objects(jq, objects);
  _exit(0);
}

/* ---- the parent ---- */

void jq_filter_use(const char *expression) {
  filter = expression;
}

size_t jq_filter_begin(struct buf *objects) {
  static const uint64_t unknown;
  buf_add(objects, &unknown, sizeof unknown);
  return objects->len;
}

size_t jq_filter_end(struct buf *objects, size_t begun) {
  uint64_t len = objects->len - begun;
  if (len == 0)
    objects->len = begun - sizeof len;
  else
    memcpy(objects->data + begun - sizeof len, &len, sizeof len);
  return len;
}

/* The verdicts, up to the byte that announces why there are no more. */
static int take_verdicts(struct slice text, size_t count, uint8_t *keep, struct error_text *e) {
  const char *fault = memchr(text.data ? text.data : "", 'E', text.len);
  size_t done = fault ? (size_t)(fault - text.data) : text.len;
  for (size_t i = 0; i < done && i < count; i++)
    keep[i] = text.data[i] == '1';
  if (fault)
    error_set(e, "the jq filter failed: %.*s", (int)(text.len - done - 1), fault + 1);
  else if (done != count)
    error_set(e, "the jq filter ended early: it may need too much memory");
  return fault || done != count ? -1 : 0;
}

int jq_filter_run(struct slice objects, size_t count, uint8_t *keep, struct error_text *e) {
  struct buf text, said;
  struct helper_task t = {.run = jq_filter_judge, .left = objects, .text = &text, .errors = &said};
  buf_init(&text, count + MESSAGE_MAX + 2);
  buf_init(&said, 1 << 16);
  t.deadline = clock_monotonic() + JQFILTER_SECONDS;
  int status = helper_task_do(&t);
  if (status == -1 && errno == ETIMEDOUT)
    error_set(e, "the jq filter took longer than %d seconds", JQFILTER_SECONDS);
  else if (status == -1)
    error_set(e, "the jq filter could not be run: %s", strerror(errno));
  else
    status = take_verdicts(buf_slice(&text), count, keep, e);
  buf_release(&text);
  buf_release(&said);
  return status;
}
