/* connector_process.c: the process that runs a connector: locked down, compiles it, answers calls. */
#include "source/connector_process.h"

#include "base/sandbox.h"
#include "base/paths.h"
#include "base/process.h"
#include "record/jq_program.h"
#include "source/jq_flatten.h"

#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

static int read_all(int fd, void *data, size_t len) {
  for (char *at = data; len > 0;) {
    ssize_t n = read(fd, at, len);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return -1;
    at += n;
    len -= (size_t)n;
  }
  return 0;
}

static void answer(int fd, int what, const char *data, size_t len) {
  struct connector_message m = {len, what, 0};
  if (slice_send(slice_of((const char *)&m, sizeof m), fd) != 0 || slice_send(slice_of(data, len), fd) != 0)
    _exit(0);
}

/* Whether a line of the file begins with "def row:". */
static int has_row(struct slice source) {
  static const char word[] = "def row";
  const char *at = source.data, *end = source.data + source.len;
  for (; at && at + sizeof word < end; at = memchr(at, '\n', (size_t)(end - at)), at = at ? at + 1 : NULL) {
    const char *p = at + sizeof word - 1;
    while (p < end && *p == ' ')
      p++;
    if (memcmp(at, word, sizeof word - 1) == 0 && p < end && *p == ':')
      return 1;
  }
  return 0;
}

/* The expression after the definitions, which selects the functions to call; libjq drops unused definitions early. */
static const char *connector_choice(struct slice source, int declares) {
  if (declares)
    return "\n" CONNECTOR_CHOICE "0 then null | declare else . end\n";
  return has_row(source) ? "\n" CONNECTOR_CHOICE "1 then .in | step else .in | row end\n"
                         : "\n" CONNECTOR_CHOICE
                           "1 then .in | step else error(\"no definition of row\") end\n";
}

/* Library folders: beside the connector, and the installed one (or the first one twice). */
struct connector_library {
  struct buf folder, installed;
};

static void find_library(struct connector_library *l, const char *path) {
  const char *slash = strrchr(path, '/');
  buf_init(&l->folder, 8192);
  buf_init(&l->installed, 8192);
  buf_printf(&l->folder, "%.*s/lib", slash ? (int)(slash - path) : 1, slash ? path : ".");
  if (paths_data(&l->installed, "connectors/lib") != 0) {
    buf_clear(&l->installed);
    buf_add_slice(&l->installed, buf_slice(&l->folder));
  }
}

static int compile_flat(struct jq_program *jq, const char *path, const struct connector_library *l,
                        const char *choice, struct buf *messages) {
  const char *folders[] = {l->folder.data, l->installed.data, NULL};
  const char *roots[] = {"declare", "step", "row", NULL};
  struct buf program;
  buf_init(&program, 4 * CONNECTOR_SOURCE_MAX);
  int ok = jq_flatten(path, folders, roots, &program) == 0 && buf_add_str(&program, choice) == 0 &&
           jq_program_compile(jq, program.data, messages) == 0;
  buf_release(&program);
  return ok;
}

/* Compiles the program as written, so that libjq's messages have the right line numbers. */
static int compile_plain(struct jq_program *jq, struct buf *program, const struct connector_library *l,
                         const char *choice, struct buf *messages) {
  const char *folders[] = {l->folder.data, l->installed.data, NULL};
  jq_program_set_folders(jq, folders);
  return buf_add_str(program, choice) == 0 && jq_program_compile(jq, program->data, messages) == 0;
}

/* Hides the user's environment and files from the connector, including ~/.jq, by unsetting HOME. */
static int lock_down(int keep) {
  struct rlimit memory = {CONNECTOR_MEMORY, CONNECTOR_MEMORY}, none = {0, 0};
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setrlimit(RLIMIT_CORE, &none);
#ifndef __SANITIZE_ADDRESS__ /* its shadow memory exceeds any limit */
  setrlimit(RLIMIT_AS, &memory);
#else
  (void)memory;
#endif
  return process_keep_only(keep);
}

static void run_once(struct jq_program *jq, int fd, int function, struct slice input, struct buf *out) {
  switch (jq_program_run(jq, input, out, out)) {
  case JQ_ERROR:
    answer(fd, 1, out->data, out->len);
    break;
  case JQ_NONE:
    if (function == CONNECTOR_ROW)
      answer(fd, 0, "null", 4);
    else
      answer(fd, 1, "it returned nothing", 19);
    break;
  case JQ_FALSE:
  case JQ_TRUE:
    answer(fd, 0, out->data, out->len);
  }
}

static char *no_environment[] = {NULL};

/* libjq itself would read any file named by an import. */
static int reads_libraries_only(struct slice program, const struct connector_library *l) {
  struct buf text, pattern;
  glob_t found = {0};
  int plain = jq_includes_plainly(program);
  buf_init(&text, CONNECTOR_SOURCE_MAX);
  buf_init(&pattern, 8192);
  buf_printf(&pattern, "%s/*.jq", l->folder.data);
  if (plain && glob(pattern.data, GLOB_NOESCAPE, NULL, &found) == 0)
    for (size_t i = 0; plain && i < found.gl_pathc; i++) {
      buf_clear(&text);
      plain = buf_read_file(&text, found.gl_pathv[i]) != 0 || jq_includes_plainly(buf_slice(&text));
    }
  globfree(&found);
  buf_release(&text);
  buf_release(&pattern);
  return plain;
}

/* Compiles the connector; messages gets libjq's messages, or why the file can't be read. */
static struct jq_program *connector_compile(const char *path, int declares, const struct connector_library *l,
                                            struct buf *messages) {
  struct buf program;
  struct jq_program *jq = jq_program_new();
  buf_init(&program, CONNECTOR_SOURCE_MAX + 256);
  int ok = buf_read_file(&program, path) == 0;
  if (!ok)
    buf_printf(messages, "%s: %s", path, strerror(errno));
  const char *choice = connector_choice(buf_slice(&program), declares);
  if (ok && !compile_flat(jq, path, l, choice, messages)) {
    buf_clear(messages);
    ok = reads_libraries_only(buf_slice(&program), l);
    if (!ok)
      buf_add_str(
          messages,
          "a connector may include libraries by their names, and neither import nor search elsewhere");
    ok = ok && compile_plain(jq, &program, l, choice, messages);
  }
  buf_release(&program);
  return ok ? jq : NULL;
}

/* Reads a call in the form that the program takes: {"f": function, "in": input}. */
static int read_call(int fd, const struct connector_message *m, struct buf *input) {
  buf_clear(input);
  buf_printf(input, "{\"f\":%d,\"in\":", m->what);
  buf_reserve(input, m->len + 8);
  if (read_all(fd, input->data + input->len, m->len) != 0)
    return -1;
  input->len += m->len;
  buf_add_str(input, m->len ? "}" : "null}");
  return 0;
}

_Noreturn void connector_serve(const char *path, int declares, int fd) {
  struct buf messages, input, result;
  struct connector_message m;
  struct connector_library l;
  buf_init(&messages, 4096);
  buf_init(&input, SIZE_MAX / 2);
  buf_init(&result, SIZE_MAX / 2);
  find_library(&l, path);
  fd = lock_down(fd);
  environ = no_environment; /* clearenv(3) would set it to NULL, which libjq does not expect */
  const char *const reads[] = {path, l.folder.data, l.installed.data};
  sandbox_enter(SANDBOX_READ_FILES | SANDBOX_AGAIN, reads, sizeof reads / sizeof *reads);
  struct jq_program *jq = connector_compile(path, declares, &l, &messages);
  sandbox_enter(0, NULL, 0); /* libraries are loaded; opens no more files */
  while (read_all(fd, &m, sizeof m) == 0 && read_call(fd, &m, &input) == 0)
    if (!jq)
      answer(fd, 1, messages.data ? messages.data : "it does not compile", messages.len ? messages.len : 19);
    else
      run_once(jq, fd, m.what, buf_slice(&input), &result);
  _exit(0);
}
