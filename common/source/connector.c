/* connector.c: connectors: their files, the locked-down process that runs one by libjq, and calls to it. */
#include "source/connector.h"

#include "base/clock.h"
#include "base/helper.h"
#include "base/paths.h"
#include "base/process.h"
#include "base/sandbox.h"
#include "net/http.h"
#include "record/jq_program.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- files ---- */

#define CONNECTOR_SOURCE_MAX ((size_t)1 << 20) /* limit of a connector file, in bytes */
#define FOLDERS_MAX 32

/* Whether text is a valid connector name. */
static int connector_name_ok(const char *name) {
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

/* A file that is there and can't be read is the one that is meant: opening it says why. */
static int connector_is_there(const char *path) {
  return access(path, R_OK) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

int connector_find(const char *name, struct buf *path) {
  char *list[FOLDERS_MAX];
  size_t count = folders(list);
  int found = 0;
  for (size_t i = 0; i < count && !found && connector_name_ok(name); i++) {
    buf_clear(path);
    buf_printf(path, "%s/%s.jq", list[i], name);
    found = connector_is_there(path->data);
  }
  folders_free(list, count);
  return found ? 0 : -1;
}

struct connector_names {
  char **items;
  size_t count;
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
  n->items = xgrow(n->items, n->count, sizeof *n->items);
  n->items[n->count++] = name;
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A folder of the list need not exist. */
static void connector_names_in(struct connector_names *n, const char *folder, struct error_text *unread) {
  DIR *d = opendir(folder);
  if (!d && unread && errno != ENOENT && errno != ENOTDIR)
    error_set(unread, "%s: %s", folder, strerror(errno));
  errno = 0;
  for (struct dirent *e; d && (e = readdir(d)); errno = 0)
    names_add(n, e->d_name);
  if (d && unread && errno)
    error_set(unread, "%s: %s", folder, strerror(errno));
  if (d)
    closedir(d);
}

char **connector_names(size_t *count, struct error_text *unread) {
  char *list[FOLDERS_MAX];
  struct connector_names n = {0};
  if (unread)
    unread->text[0] = '\0';
  size_t many = folders(list);
  for (size_t i = 0; i < many; i++)
    connector_names_in(&n, list[i], unread);
  if (unread && !unread->text[0] && n.count == 0)
    error_set(unread, "%s: no connectors there", list[many - 1]);
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

static int digest_file(struct digest *d, const char *path) {
  struct buf text;
  buf_init(&text, CONNECTOR_SOURCE_MAX);
  int failed = buf_read_file(&text, path);
  digest_add(d, path, strlen(path) + 1);
  if (text.len)
    digest_add(d, text.data, text.len + 1);
  buf_release(&text);
  return failed;
}

static int is_library(const struct dirent *e) {
  size_t len = strlen(e->d_name);
  return len > 3 && strcmp(e->d_name + len - 3, ".jq") == 0;
}

/* Digests every file that the connector could include.  -1 where the folder or one of them can't be read. */
static int digest_folder(struct digest *d, const char *folder) {
  struct dirent **names;
  struct buf path;
  int n = scandir(folder, &names, is_library, alphasort), failed = n < 0 && errno != ENOENT ? -1 : 0;
  buf_init(&path, 8192);
  for (int i = 0; i < n; i++) {
    buf_clear(&path);
    buf_printf(&path, "%s/%s", folder, names[i]->d_name);
    failed |= digest_file(d, path.data);
    free(names[i]);
  }
  if (n >= 0)
    free(names);
  buf_release(&path);
  return failed;
}

/* Sets the digest of all files that the connector may include, and of this program.  0, or -1 where one of them can't be
 * read: the digest may then be that of another connector. */
static int connector_fingerprint(struct connector *c) {
  struct digest d;
  struct buf folder;
  uint8_t digest[DIGEST_SIZE];
  digest_start(&d);
  digest_add(&d, BID_VERSION " libjq 1.6 2", sizeof BID_VERSION " libjq 1.6 2");
  int failed = digest_file(&d, c->path);
  buf_init(&folder, 8192);
  const char *slash = strrchr(c->path, '/');
  buf_printf(&folder, "%.*s/lib", slash ? (int)(slash - c->path) : 1, slash ? c->path : ".");
  failed |= digest_folder(&d, folder.data);
  buf_clear(&folder);
  if (paths_data(&folder, "connectors/lib") == 0)
    failed |= digest_folder(&d, folder.data);
  buf_release(&folder);
  digest_end(&d, digest);
  digest_hex(digest, DIGEST_SIZE, c->fingerprint);
  return failed ? -1 : 0;
}

/* ---- the process ---- */

#define CONNECTOR_CALL "if true then " /* start of the line that calls the definition asked for */

enum connector_outcome {
  CONNECTOR_JSON,
  CONNECTOR_FAULT, /* the answer is an error text */
  CONNECTOR_ANEW,  /* a new process has to compile what was called, with the files at hand */
};

/* Message on the socket: this header, then `len` bytes. */
struct connector_message {
  uint64_t len;
  int32_t outcome;                 /* of an answer: a connector_outcome */
  char definition[CONNECTOR_NAME]; /* of a request: what is called, "" of an answer */
};

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

static void answer(int fd, enum connector_outcome outcome, const char *data, size_t len) {
  struct connector_message m = {.len = len, .outcome = (int32_t)outcome};
  if (slice_send(slice_of((const char *)&m, sizeof m), fd) != 0 || slice_send(slice_of(data, len), fd) != 0)
    _exit(0);
}

/* Appends the expression after the definitions. */
static int add_call(struct buf *program, const char *definition) {
  return buf_printf(program, "\n" CONNECTOR_CALL "%s else . end\n", definition);
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

/* ---- unused definitions ---- */

/* libjq 1.6 binds every definition to the whole program, and each builtin to all of them: its time grows with the square
 * of a program's length.  So what is called is compiled with the definitions that it needs, and nothing else.  A definition
 * is what begins with "def" at the start of a line; a file with anything else outside of them is left to libjq, as is a
 * program that doesn't compile so. */
#define FILES_MAX 64

struct definition {
  struct slice text, name;
  int arity;
  enum { DEFINITION_UNUSED, DEFINITION_WANTED, DEFINITION_SEARCHED } state;
};

struct definitions {
  const struct connector_library *library;
  struct buf files[FILES_MAX]; /* their texts; definitions point into them */
  char *names[FILES_MAX];      /* of libraries; "" for the connector */
  size_t file_count, count;
  struct definition *items;
};

static int word_byte(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

/* The connector's own definition follows a library's of the same name and shadows it from there on, as in libjq.  Where
 * two libraries define a name, the choice is left to libjq. */
static int definition_add(struct definitions *d, const char *from, const char *end, int of_library) {
  struct definition new = {.text = slice_of(from, (size_t)(end - from))};
  const char *p = from + 4;
  while (p < end && word_byte(*p))
    p++;
  new.name = slice_of(from + 4, (size_t)(p - from) - 4);
  if (p < end && *p == '(')
    for (new.arity = 1; p < end &&*p != ')'; p++)
      new.arity += *p == ';';
  for (size_t i = 0; of_library && i < d->count; i++)
    if (slice_eq(d->items[i].name, new.name) && d->items[i].arity == new.arity)
      return -1;
  d->items = xreallocarray(d->items, d->count + 1, sizeof *d->items);
  d->items[d->count++] = new;
  return 0;
}

static int definitions_read(struct definitions *d, const char *path, const char *name);

/* Reads the library that a line `include "NAME";` names, once. */
static int definitions_include(struct definitions *d, const char *line) {
  char name[64];
  struct buf path;
  int end = 0, result = -1;
  if (sscanf(line, "include \"%63[A-Za-z0-9_-]\"; %n", name, &end) != 1 || end == 0 || line[end - 1] != '\n')
    return -1;
  for (size_t i = 0; i < d->file_count; i++)
    if (strcmp(d->names[i], name) == 0)
      return 0;
  buf_init(&path, 8192);
  const struct buf *folders[] = {&d->library->folder, &d->library->installed};
  for (size_t i = 0; i < 2 && result != 0; i++) {
    buf_clear(&path);
    buf_printf(&path, "%s/%s.jq", folders[i]->data, name);
    if (access(path.data, R_OK) == 0)
      result = definitions_read(d, path.data, name);
  }
  buf_release(&path);
  return result;
}

static int line_begins(const char *line, const char *end, const char *word) {
  size_t len = strlen(word);
  return (size_t)(end - line) > len && memcmp(line, word, len) == 0;
}

static int definitions_read(struct definitions *d, const char *path, const char *name) {
  if (d->file_count == FILES_MAX)
    return -1;
  struct buf *text = &d->files[d->file_count];
  d->names[d->file_count++] = xstrdup(name);
  buf_init(text, CONNECTOR_SOURCE_MAX);
  if (buf_read_file(text, path) != 0)
    return -1;
  const char *line = text->data, *end = line + text->len, *from = NULL, *stop = NULL, *next;
  for (; line < end; line = next) {
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    int begins = line_begins(line, end, "def "), includes = line_begins(line, end, "include ");
    next = newline ? newline + 1 : end;
    if ((begins || includes) && from && definition_add(d, from, stop, *name != '\0') != 0)
      return -1;
    if (begins || includes)
      from = begins ? line : NULL;
    if (includes ? definitions_include(d, line) != 0 : !from && *line != '#' && *line != '\n')
      return -1;
    if (*line != '#' && *line != '\n') /* comments before the next one are not part of it */
      stop = next;
  }
  return from ? definition_add(d, from, stop, *name != '\0') : 0;
}

/* Marks the definitions that the words of a text name, those in strings and comments too: one too many does no harm.  What
 * stands behind "." or "$", or before ":", is the name of a member or a variable.  Returns whether one was new. */
static int definitions_want(struct definitions *d, struct slice text) {
  int found = 0;
  for (const char *p = text.data, *end = p + text.len, *from; p < end; p++) {
    for (from = p; p < end && word_byte(*p);)
      p++;
    if (p == from || (from > text.data && strchr(".$", from[-1])) || (p < end && *p == ':'))
      continue;
    for (size_t i = 0; i < d->count; i++)
      if (d->items[i].state == DEFINITION_UNUSED &&
          slice_eq(d->items[i].name, slice_of(from, (size_t)(p - from))))
        found = d->items[i].state = DEFINITION_WANTED;
  }
  return found;
}

/* Appends the definitions that `called` needs, from the connector and its libraries, in their order: all of them where none
 * of them is called so. */
static int definitions_needed(struct definitions *d, const char *called, struct buf *out) {
  int result = 0;
  for (size_t i = 0; i < d->count; i++)
    d->items[i].state = DEFINITION_UNUSED;
  int all = !definitions_want(d, slice_str(called));
  for (int more = 1; more;) {
    more = 0;
    for (size_t i = d->count; i-- > 0;)
      if (d->items[i].state == DEFINITION_WANTED) {
        d->items[i].state = DEFINITION_SEARCHED;
        more |= definitions_want(d, d->items[i].text);
      }
  }
  for (size_t i = 0; i < d->count && result == 0; i++)
    if (all || d->items[i].state != DEFINITION_UNUSED)
      result = buf_add_slice(out, d->items[i].text);
  return result;
}

/* ---- the process of a connector ---- */

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

static void run_once(struct jq_program *jq, int fd, int of_rows, struct slice input, struct buf *out) {
  switch (jq_program_run(jq, input, out, out)) {
  case JQ_ERROR:
    answer(fd, CONNECTOR_FAULT, out->data, out->len);
    break;
  case JQ_NONE:
    if (of_rows)
      answer(fd, CONNECTOR_JSON, "null", 4);
    else
      answer(fd, CONNECTOR_FAULT, "it returned nothing", 19);
    break;
  case JQ_FALSE:
  case JQ_TRUE:
    answer(fd, CONNECTOR_JSON, out->data, out->len);
  }
}

static char *no_environment[] = {NULL};

/* Whether a jq text reads no files except libraries by plain name: no import, no search path, no name with a folder. */
static int includes_plainly(const struct buf *text) {
  regex_t directive, plain;
  regmatch_t at[5];
  int found = 1, result = text->len == 0 || !memchr(text->data, '\0', text->len);
  if (regcomp(&directive, "(^|[^[:alnum:]_])((import|module)[[:space:]]*[\"#{(]|(include)[[:space:]]*[\"#])",
              REG_EXTENDED) != 0)
    return 0;
  if (regcomp(&plain, "^include[[:space:]]*\"[[:alnum:]_-]+\"[[:space:]]*;", REG_EXTENDED | REG_NOSUB) != 0) {
    regfree(&directive);
    return 0;
  }
  for (const char *p = text->len ? text->data : ""; result && found; p += at[0].rm_eo) {
    found = regexec(&directive, p, 5, at, 0) == 0;
    if (!found)
      break;
    result = at[4].rm_so >= 0 && regexec(&plain, p + at[4].rm_so, 0, NULL, 0) == 0;
  }
  regfree(&directive);
  regfree(&plain);
  return result;
}

/* libjq itself would read any file named by an import. */
static int reads_libraries_only(const struct buf *program, const struct connector_library *l) {
  struct buf text, pattern;
  glob_t found = {0};
  int plain = includes_plainly(program);
  buf_init(&text, CONNECTOR_SOURCE_MAX);
  buf_init(&pattern, 8192);
  buf_printf(&pattern, "%s/*.jq", l->folder.data);
  if (plain && glob(pattern.data, GLOB_NOESCAPE, NULL, &found) == 0)
    for (size_t i = 0; plain && i < found.gl_pathc; i++) {
      buf_clear(&text);
      plain = buf_read_file(&text, found.gl_pathv[i]) != 0 || includes_plainly(&text);
    }
  globfree(&found);
  buf_release(&text);
  buf_release(&pattern);
  return plain;
}

#define PROGRAMS_MAX 16

/* What the process of a connector has: what it has read, and a program for each definition that was called. */
struct connector_server {
  const char *path;
  struct connector_library library;
  struct definitions definitions;
  int plain; /* the file is left to libjq */
  struct buf messages;
  struct {
    char called[CONNECTOR_NAME];
    struct jq_program *jq;
  } programs[PROGRAMS_MAX];
  size_t count;
};

/* Compiles the program as written, so that libjq's messages have the right line numbers. */
static int compile_plain(struct jq_program *jq, struct connector_server *s, const char *called) {
  const char *folders[] = {s->library.folder.data, s->library.installed.data, NULL};
  struct buf program;
  buf_init(&program, CONNECTOR_SOURCE_MAX + 256);
  int ok = buf_read_file(&program, s->path) == 0;
  buf_clear(&s->messages);
  if (!ok)
    buf_printf(&s->messages, "%s: %s", s->path, strerror(errno));
  else if (!(ok = reads_libraries_only(&program, &s->library)))
    buf_add_str(&s->messages,
                "a connector may include libraries by their names, and neither import nor search elsewhere");
  jq_program_set_folders(jq, folders);
  ok = ok && add_call(&program, called) == 0 && jq_program_compile(jq, program.data, &s->messages) == 0;
  buf_release(&program);
  return ok;
}

static int compile_needed(struct jq_program *jq, struct connector_server *s, const char *called) {
  struct buf program;
  buf_init(&program, 4 * CONNECTOR_SOURCE_MAX);
  int ok = definitions_needed(&s->definitions, called, &program) == 0 && add_call(&program, called) == 0 &&
           jq_program_compile(jq, program.data, &s->messages) == 0;
  buf_release(&program);
  return ok;
}

/* The program that calls a definition, or NULL: libjq's messages, or why a file can't be read, are in messages. */
static struct jq_program *server_program(struct connector_server *s, const char *called) {
  for (size_t i = 0; i < s->count; i++)
    if (strcmp(s->programs[i].called, called) == 0)
      return s->programs[i].jq;
  if (s->count == PROGRAMS_MAX)
    return NULL;
  struct jq_program *jq = jq_program_new();
  int ok = !s->plain && compile_needed(jq, s, called);
  if (!ok && (s->count == 0 || s->plain)) {
    s->plain = 1;
    ok = compile_plain(jq, s, called);
  }
  if (!ok)
    return NULL;
  snprintf(s->programs[s->count].called, CONNECTOR_NAME, "%s", called);
  return s->programs[s->count++].jq = jq;
}

/* Runs in the child, after fork(): gives up the user's environment, files and descriptors except fd, compiles what is called
 * first, and answers calls until fd is closed. */
static _Noreturn void connector_serve(const char *path, const char *called, int fd) {
  struct buf input, result;
  struct connector_message m;
  struct connector_server *s = xcalloc(1, sizeof *s);
  s->path = path;
  buf_init(&s->messages, 4096);
  buf_init(&input, SIZE_MAX / 2);
  buf_init(&result, SIZE_MAX / 2);
  find_library(&s->library, path);
  fd = lock_down(fd);
  environ = no_environment; /* clearenv(3) would set it to NULL, which libjq does not expect */
  const char *const reads[] = {path, s->library.folder.data, s->library.installed.data};
  sandbox_enter(SANDBOX_READ_FILES | SANDBOX_AGAIN, reads, sizeof reads / sizeof *reads);
  s->definitions.library = &s->library;
  s->plain = definitions_read(&s->definitions, path, "") != 0;
  server_program(s, called);
  if (!s->plain)
    sandbox_enter(0, NULL, 0); /* all is in memory; opens no more files */
  while (read_all(fd, &m, sizeof m) == 0 && buf_reserve(&input, m.len + 1) == 0 &&
         read_all(fd, input.data, m.len) == 0) {
    struct jq_program *jq = server_program(s, m.definition);
    if (jq)
      run_once(jq, fd, strcmp(m.definition, "row") == 0, slice_of(input.data, m.len), &result);
    else
      answer(fd, s->plain && s->count < PROGRAMS_MAX ? CONNECTOR_FAULT : CONNECTOR_ANEW,
             s->messages.data ? s->messages.data : "", s->messages.len);
  }
  _exit(0);
}

/* ---- calls ---- */

static void stop(struct connector *c) {
  if (c->pid <= 0)
    return;
  close(c->socket);
  kill((pid_t)c->pid, SIGKILL);
  helper_wait((pid_t)c->pid);
  c->pid = 0;
  c->socket = -1;
}

/* Starts the process, which compiles that definition at once, unless it runs. */
static int connector_start_for(struct connector *c, const char *called) {
  if (c->pid > 0)
    return 0;
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    return -1;
  int size = 1 << 20;
  setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  setsockopt(pair[1], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  pid_t pid = fork();
  if (pid == 0)
    connector_serve(c->path, called, pair[1]);
  close(pair[1]);
  if (pid < 0) {
    close(pair[0]);
    return -1;
  }
  c->pid = pid;
  c->socket = pair[0];
  return 0;
}

static void answer_key(const struct connector *c, const char *called, struct slice input,
                       char key[DIGEST_HEX]) {
  struct digest d;
  uint8_t digest[DIGEST_SIZE];
  digest_start(&d);
  digest_add(&d, "answer", 7);
  digest_add(&d, c->fingerprint, DIGEST_HEX);
  digest_add(&d, called, strlen(called) + 1);
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

struct connector *connector_open(const char *name, const char *path, struct cache *kept) {
  struct connector *c = xcalloc(1, sizeof *c);
  c->name = xstrdup(name);
  c->path = xstrdup(path);
  c->socket = -1;
  if (connector_fingerprint(c) == 0)
    c->kept = kept; /* otherwise it would be given what another connector declared or returned */
  return c;
}

struct connector *connector_open_library(const char *name) {
  struct buf folder, path;
  buf_init(&folder, PATH_MAX);
  buf_init(&path, PATH_MAX);
  paths_data(&folder, "connectors/lib");
  buf_printf(&path, "%s/%s.jq", folder.data ? folder.data : "connectors/lib", name);
  struct connector *c = connector_open(name, path.data ? path.data : "", NULL);
  buf_release(&folder);
  buf_release(&path);
  return c;
}

void connector_start(struct connector *c) {
  char key[DIGEST_HEX];
  struct cache_entry e;
  answer_key(c, "declare", slice_str("null"), key);
  if (!(c->kept && cache_find(c->kept, key, &e)))
    connector_start_for(c, "declare");
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

/* When a call is given up: by the processor time that its process has had, so that a busy machine doesn't end it, and in
 * any case by the clock. */
struct deadline {
  double used, clock;
};

/* Seconds of processor time that the process has had; 0 where that can't be told. */
static double seconds_used(const struct connector *c) {
  clockid_t id;
  struct timespec t;
  if (clock_getcpuclockid((pid_t)c->pid, &id) != 0 || clock_gettime(id, &t) != 0)
    return 0;
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Waits for input until the deadline.  1, 0 after the deadline, -1 on an error. */
static int wait_readable(const struct connector *c, const struct deadline *d) {
  for (;;) {
    struct pollfd p = {c->socket, POLLIN, 0};
    int n = poll(&p, 1, 200);
    if (n > 0)
      return 1;
    if ((n < 0 && errno != EINTR) || (n == 0 && too_large(c)))
      return -1;
    if (clock_monotonic() > d->clock || seconds_used(c) > d->used)
      return 0;
  }
}

static int receive(struct connector *c, void *data, size_t len, const struct deadline *d) {
  for (char *at = data; len > 0;) {
    int ready = wait_readable(c, d);
    if (ready <= 0)
      return ready == 0 ? 0 : -1;
    ssize_t n = read(c->socket, at, len);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return -1;
    at += n;
    len -= (size_t)n;
  }
  return 1;
}

/* Sends a call and reads its answer.  1, 0 after the deadline, -1 where the process died. */
static int exchange(struct connector *c, const char *called, struct slice input, struct connector_message *m,
                    struct buf *out) {
  struct connector_message ask = {.len = input.len};
  snprintf(ask.definition, sizeof ask.definition, "%s", called);
  if (slice_send(slice_of((const char *)&ask, sizeof ask), c->socket) != 0 ||
      slice_send(input, c->socket) != 0)
    return -1;
  double limit = http_haste() > 1 ? CONNECTOR_SECONDS / 4.0 : CONNECTOR_SECONDS;
  struct deadline d = {seconds_used(c) + limit, clock_monotonic() + 10 * limit};
  int got = receive(c, m, sizeof *m, &d);
  if (got != 1 || m->len > CONNECTOR_ANSWER_MAX || buf_reserve(out, m->len) != 0)
    return got == 1 ? -1 : got;
  got = receive(c, out->data, m->len, &d);
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
    char *ours = strstr(at, CONNECTOR_CALL), *comma = ours;
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

int connector_call(struct connector *c, const char *called, struct slice input, struct buf *out,
                   struct error_text *why) {
  struct connector_message m;
  char key[DIGEST_HEX];
  int of_rows = strcmp(called, "row") == 0;
  buf_clear(out);
  if (!of_rows) { /* rows are too many to cache, and cheap */
    answer_key(c, called, input, key);
    if (take_kept(c, key, out))
      return 0;
  }
  if (connector_start_for(c, called) != 0) {
    error_set(why, "the connector's process cannot start: %s", strerror(errno));
    return -1;
  }
  int got = exchange(c, called, input, &m, out);
  if (got == 1 && m.outcome == CONNECTOR_ANEW) {
    stop(c);
    buf_clear(out);
    got = connector_start_for(c, called) == 0 ? exchange(c, called, input, &m, out) : -1;
  }
  if (got == 1 && m.outcome == CONNECTOR_JSON) {
    struct cache_entry e = {.content_type = "application/json"};
    if (!of_rows && c->kept && out->len <= CONNECTOR_KEPT_MAX)
      cache_keep(c->kept, key, "", &e, buf_slice(out));
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
