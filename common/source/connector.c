#include "source/connector.h"

#include "base/clock.h"
#include "base/sandbox.h"
#include "base/paths.h"
#include "record/jq_program.h"
#include "source/jq_flatten.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <glob.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define SOURCE_MAX ((size_t)1 << 20) /* limit of a connector file, in bytes */
#define FOLDERS_MAX 32

/* Message on the socket: this header, then `len` bytes. */
struct message {
  uint64_t len;
  int32_t what; /* request: connector_function; answer: 0 for JSON, 1 for an error text */
  int32_t unused;
};

int connector_name_ok(const char *name) {
  size_t len = strlen(name);
  for (size_t i = 0; i < len; i++)
    if (!isalnum((unsigned char)name[i]) && name[i] != '-' && name[i] != '_')
      return 0;
  return len > 0 && len < 64 && isalnum((unsigned char)name[0]);
}

/* The folders to search, in order; returns how many. */
static size_t folders(char *out[FOLDERS_MAX]) {
  const char *list = getenv("BID_CONNECTORS");
  struct buf b;
  size_t count = 0;
  while (list && *list && count < FOLDERS_MAX - 2) {
    size_t len = strcspn(list, ":");
    if (len)
      out[count++] = xstrndup(list, len);
    list += len + (list[len] == ':');
  }
  buf_init(&b, 8192);
  if (paths_config(&b, "connectors") == 0)
    out[count++] = xstrdup(b.data);
  buf_clear(&b);
  paths_data(&b, "connectors");
  out[count++] = xstrdup(b.data ? b.data : "connectors");
  buf_release(&b);
  return count;
}

static void folders_free(char *list[FOLDERS_MAX], size_t count) {
  while (count > 0)
    free(list[--count]);
}

int connector_find(const char *name, struct buf *path) {
  char *list[FOLDERS_MAX];
  size_t count = folders(list);
  int found = 0;
  for (size_t i = 0; i < count && !found && connector_name_ok(name); i++) {
    buf_clear(path);
    buf_printf(path, "%s/%s.jq", list[i], name);
    found = access(path->data, R_OK) == 0;
  }
  folders_free(list, count);
  return found ? 0 : -1;
}

struct connector_names {
  char **items;
  size_t count, cap;
};

static void names_add(struct connector_names *n, const char *file) {
  size_t len = strlen(file);
  if (len < 4 || strcmp(file + len - 3, ".jq") != 0)
    return;
  char *name = xstrndup(file, len - 3);
  int known = !connector_name_ok(name);
  for (size_t i = 0; i < n->count && !known; i++)
    known = strcmp(n->items[i], name) == 0;
  if (known) {
    free(name);
    return;
  }
  if (n->count == n->cap) {
    n->cap = n->cap ? n->cap * 2 : 32;
    n->items = xreallocarray(n->items, n->cap, sizeof *n->items);
  }
  n->items[n->count++] = name;
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

char **connector_names(size_t *count) {
  char *list[FOLDERS_MAX];
  struct connector_names n = {0};
  size_t many = folders(list);
  for (size_t i = 0; i < many; i++) {
    DIR *d = opendir(list[i]);
    for (struct dirent *e; d && (e = readdir(d));)
      names_add(&n, e->d_name);
    if (d)
      closedir(d);
  }
  folders_free(list, many);
  if (n.count)
    qsort(n.items, n.count, sizeof *n.items, by_name);
  *count = n.count;
  return n.items;
}

void connector_names_free(char **names, size_t count) {
  for (size_t i = 0; i < count; i++)
    free(names[i]);
  free(names);
}

/* ---- the child process ---- */

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
  struct message m = {len, what, 0};
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

#define CHOICE "if .f == " /* start of the line that calls the connector's functions */

/* The expression after the definitions, which selects the functions to call; libjq drops unused definitions early. */
static const char *connector_choice(struct slice source, int declares) {
  if (declares)
    return "\n" CHOICE "0 then null | declare else . end\n";
  return has_row(source) ? "\n" CHOICE "1 then .in | step else .in | row end\n"
                         : "\n" CHOICE "1 then .in | step else error(\"no definition of row\") end\n";
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
  buf_init(&program, 4 * SOURCE_MAX);
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
static void lock_down(int keep) {
  struct rlimit memory = {CONNECTOR_MEMORY, CONNECTOR_MEMORY}, none = {0, 0};
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setrlimit(RLIMIT_CORE, &none);
#ifndef __SANITIZE_ADDRESS__ /* its shadow memory exceeds any limit */
  setrlimit(RLIMIT_AS, &memory);
#else
  (void)memory;
#endif
  int null = open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3 && null >= 0; fd++)
    dup2(null, fd);
  if (dup2(keep, 3) != 3)
    _exit(1);
  if (close_range(4, ~0u, 0) != 0)
    for (int fd = 4; fd < 1024; fd++)
      close(fd);
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
  buf_init(&text, SOURCE_MAX);
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
  buf_init(&program, SOURCE_MAX + 256);
  int ok = buf_read_file(&program, path) == 0;
  if (!ok)
    buf_add_str(messages, strerror(errno));
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
static int read_call(int fd, const struct message *m, struct buf *input) {
  buf_clear(input);
  buf_printf(input, "{\"f\":%d,\"in\":", m->what);
  buf_reserve(input, m->len + 8);
  if (read_all(fd, input->data + input->len, m->len) != 0)
    return -1;
  input->len += m->len;
  buf_add_str(input, m->len ? "}" : "null}");
  return 0;
}

static _Noreturn void connector_serve(const char *path, int declares, int fd) {
  struct buf messages, input, result;
  struct message m;
  struct connector_library l;
  buf_init(&messages, 4096);
  buf_init(&input, SIZE_MAX / 2);
  buf_init(&result, SIZE_MAX / 2);
  find_library(&l, path);
  lock_down(fd);
  environ = no_environment; /* clearenv(3) would set it to NULL, which libjq does not expect */
  fd = 3;
  sandbox_enter(SANDBOX_READ_FILES | SANDBOX_AGAIN);
  struct jq_program *jq = connector_compile(path, declares, &l, &messages);
  sandbox_enter(0); /* libraries are loaded; opens no more files */
  while (read_all(fd, &m, sizeof m) == 0 && read_call(fd, &m, &input) == 0)
    if (!jq)
      answer(fd, 1, messages.data ? messages.data : "it does not compile", messages.len ? messages.len : 19);
    else
      run_once(jq, fd, m.what, buf_slice(&input), &result);
  _exit(0);
}

/* ---- the parent process ---- */

static void stop(struct connector *c) {
  if (c->pid <= 0)
    return;
  close(c->socket);
  kill((pid_t)c->pid, SIGKILL);
  while (waitpid((pid_t)c->pid, NULL, 0) < 0 && errno == EINTR)
    ;
  c->pid = 0;
  c->socket = -1;
}

/* Starts a process for that function unless one is running. */
static int connector_start_for(struct connector *c, enum connector_function f) {
  int declares = f == CONNECTOR_DECLARE;
  if (c->pid > 0 && c->declares == declares)
    return 0;
  stop(c);
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    return -1;
  int size = 1 << 20;
  setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  setsockopt(pair[1], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  pid_t pid = fork();
  if (pid == 0)
    connector_serve(c->path, declares, pair[1]);
  close(pair[1]);
  if (pid < 0) {
    close(pair[0]);
    return -1;
  }
  c->pid = pid;
  c->declares = declares;
  c->socket = pair[0];
  return 0;
}

/* ---- cached answers ---- */

static void digest_file(struct digest *d, const char *path) {
  struct buf text;
  buf_init(&text, SOURCE_MAX);
  if (buf_read_file(&text, path) == 0) {
    digest_add(d, path, strlen(path) + 1);
    digest_add(d, text.data ? text.data : "", text.len + (text.data != NULL));
  }
  buf_release(&text);
}

static int is_library(const struct dirent *e) {
  size_t len = strlen(e->d_name);
  return len > 3 && strcmp(e->d_name + len - 3, ".jq") == 0;
}

/* Digests every file that the connector could include. */
static void digest_folder(struct digest *d, const char *folder) {
  struct dirent **names;
  struct buf path;
  int n = scandir(folder, &names, is_library, alphasort);
  buf_init(&path, 8192);
  for (int i = 0; i < n; i++) {
    buf_clear(&path);
    buf_printf(&path, "%s/%s", folder, names[i]->d_name);
    digest_file(d, path.data);
    free(names[i]);
  }
  if (n >= 0)
    free(names);
  buf_release(&path);
}

static void take_fingerprint(struct connector *c) {
  struct digest d;
  struct buf folder;
  uint8_t digest[DIGEST_SIZE];
  digest_start(&d);
  digest_add(&d, BID_VERSION " libjq 1.6 2", sizeof BID_VERSION " libjq 1.6 2");
  digest_file(&d, c->path);
  buf_init(&folder, 8192);
  const char *slash = strrchr(c->path, '/');
  buf_printf(&folder, "%.*s/lib", slash ? (int)(slash - c->path) : 1, slash ? c->path : ".");
  digest_folder(&d, folder.data);
  buf_clear(&folder);
  if (paths_data(&folder, "connectors/lib") == 0)
    digest_folder(&d, folder.data);
  buf_release(&folder);
  digest_end(&d, digest);
  digest_hex(digest, DIGEST_SIZE, c->fingerprint);
}

static void answer_key(const struct connector *c, enum connector_function f, struct slice input,
                       char key[DIGEST_HEX]) {
  struct digest d;
  uint8_t digest[DIGEST_SIZE];
  char function = (char)f;
  digest_start(&d);
  digest_add(&d, "answer", 7);
  digest_add(&d, c->fingerprint, DIGEST_HEX);
  digest_add(&d, &function, 1);
  digest_add(&d, input.data, input.len);
  digest_end(&d, digest);
  digest_hex(digest, DIGEST_SIZE, key);
}

static int take_kept(const struct connector *c, const char *key, struct buf *out) {
  struct cache_entry e;
  int found = c->kept && cache_find(c->kept, key, &e) && cache_read(c->kept, &e, out) == 0;
  if (!found)
    buf_clear(out);
  return found;
}

/* Failing to cache an answer is harmless. */
static void connector_keep(struct connector *c, const char *key, const struct buf *answer) {
  struct cache_writer w;
  struct cache_entry e = {.content_type = "application/json"};
  struct error_text why;
  if (!c->kept || answer->len > CONNECTOR_KEPT_MAX || cache_write_start(c->kept, &w, &why) != 0)
    return;
  if (cache_write(&w, answer->data, answer->len) == 0)
    cache_write_commit(c->kept, &w, key, "", &e, &why);
  cache_write_drop(&w);
}

struct connector *connector_open(const char *name, const char *path, struct cache *kept) {
  struct connector *c = xcalloc(1, sizeof *c);
  c->name = xstrdup(name);
  c->path = xstrdup(path);
  c->kept = kept;
  c->socket = -1;
  take_fingerprint(c);
  return c;
}

void connector_start(struct connector *c) {
  char key[DIGEST_HEX];
  struct cache_entry e;
  answer_key(c, CONNECTOR_DECLARE, slice_str("null"), key);
  if (!(c->kept && cache_find(c->kept, key, &e)))
    connector_start_for(c, CONNECTOR_DECLARE);
}

void connector_close(struct connector *c) {
  if (!c)
    return;
  stop(c);
  free(c->name);
  free(c->path);
  free(c);
}

/* Whether the process exceeds its memory limit; only needed where RLIMIT_AS can't be set. */
static int too_large(const struct connector *c) {
  char path[64], text[128] = "";
  unsigned long long pages = 0;
  snprintf(path, sizeof path, "/proc/%ld/statm", c->pid);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
  if (fd >= 0)
    close(fd);
  return n > 0 && sscanf(text, "%*u %llu", &pages) == 1 &&
         pages * (unsigned long long)sysconf(_SC_PAGESIZE) > CONNECTOR_MEMORY;
}

/* Waits for input until the deadline.  1, 0 after the deadline, -1 on an error. */
static int wait_readable(const struct connector *c, double deadline) {
  for (;;) {
    double left = deadline - clock_monotonic();
    struct pollfd p = {c->socket, POLLIN, 0};
    int n = left > 0 ? poll(&p, 1, left < 0.2 ? (int)(left * 1000) + 1 : 200) : 0;
    if (n > 0 || left <= 0)
      return n;
    if ((n < 0 && errno != EINTR) || (n == 0 && too_large(c)))
      return -1;
  }
}

static int receive(struct connector *c, void *data, size_t len, double deadline) {
  for (char *at = data; len > 0;) {
    int ready = wait_readable(c, deadline);
    if (ready <= 0)
      return ready == 0 ? 0 : -1;
    ssize_t n = read(c->socket, at, len);
    if (n <= 0)
      return -1;
    at += n;
    len -= (size_t)n;
  }
  return 1;
}

/* Sends a call and reads its answer.  1, 0 after the deadline, -1 where the process died. */
static int exchange(struct connector *c, enum connector_function f, struct slice input, struct message *m,
                    struct buf *out) {
  struct message ask = {input.len, (int32_t)f, 0};
  if (slice_send(slice_of((const char *)&ask, sizeof ask), c->socket) != 0 ||
      slice_send(input, c->socket) != 0)
    return -1;
  double deadline = clock_monotonic() + CONNECTOR_SECONDS;
  int got = receive(c, m, sizeof *m, deadline);
  if (got != 1 || m->len > CONNECTOR_ANSWER_MAX || buf_reserve(out, m->len) != 0)
    return got == 1 ? -1 : got;
  got = receive(c, out->data, m->len, deadline);
  out->len = got == 1 ? m->len : 0;
  if (out->data)
    out->data[out->len] = '\0';
  return got;
}

static void cut_out(char *text, const char *what) {
  char *at = strstr(text, what);
  if (at)
    memmove(at, at + strlen(what), strlen(at + strlen(what)) + 1);
}

/* Removes the parts of libjq's message that only concern its command line. */
static void say_fault(struct buf *text, struct error_text *why) {
  char empty[1] = "", *at = text->data ? text->data : empty;
  char *end = strstr(at, "; jq: 1 compile error");
  if (end)
    *end = '\0';
  if (*at) {
    char *ours = strstr(at, CHOICE), *comma = ours;
    while (comma && comma > at && *comma != ',')
      comma--;
    if (ours)
      memmove(comma, "; is its last definition complete?", sizeof "; is its last definition complete?");
    cut_out(at, "jq: error: ");
    cut_out(at, " (Unix shell quoting issues?)");
    cut_out(at, " at <top-level>");
  }
  for (char *p = at; *p; p++)
    if (*p == '\n' || *p == '\t')
      *p = ' ';
  for (size_t len = strlen(at); len > 0 && at[len - 1] == ' '; len--)
    at[len - 1] = '\0';
  error_set(why, "broken connector: %s", at);
}

int connector_call(struct connector *c, enum connector_function f, struct slice input, struct buf *out,
                   struct error_text *why) {
  struct message m;
  char key[DIGEST_HEX];
  buf_clear(out);
  if (f != CONNECTOR_ROW) { /* rows are too many to cache, and cheap */
    answer_key(c, f, input, key);
    if (take_kept(c, key, out))
      return 0;
  }
  if (connector_start_for(c, f) != 0) {
    error_set(why, "the connector's process cannot start: %s", strerror(errno));
    return -1;
  }
  int got = exchange(c, f, input, &m, out);
  if (got == 1 && m.what == 0) {
    if (f != CONNECTOR_ROW)
      connector_keep(c, key, out);
    return 0;
  }
  if (got == 1) {
    say_fault(out, why);
    return -1;
  }
  stop(c);
  if (got == 0)
    error_set(why, "the connector gave no answer within %d seconds", CONNECTOR_SECONDS);
  else
    error_set(why, "the connector's process died (out of memory, or too deep)");
  return -1;
}
