/* embed_child.c: embeds questions with a server, for programs without libcurl.  bid-embed-http, from the program's
 * own folder, runs as a child connected by a socket and gets one record at a time while the embedder is open.  Its
 * stderr goes to the socket too and becomes the error message if it ends. */
#include "base/base64.h"
#include "base/helper.h"
#include "model/embed_backend.h"
#include "record/error.h"
#include "record/json.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define LINE_MAX_BYTES ((size_t)8 << 20)
#define NAME_MAX_BYTES 128

struct embed_child_child {
  struct embed_backend base;
  pid_t pid;
  int fd;
  struct buf line, spare, scratch; /* a line, input read beyond it, a vector */
  char label[NAME_MAX_BYTES + 32];
};

/* Executes bid-embed-http for the model of this name with one socket as all three descriptors; its messages go there, too. */
static _Noreturn void embed_child_be(const char *path, const char *model, int theirs) {
  char name[NAME_MAX_BYTES + 8];
  snprintf(name, sizeof name, "http%s%s", *model ? ":" : "", model);
  helper_take(theirs, theirs, theirs);
  execl(path, "bid-embed", "--query", "--quiet", "--model", name, (char *)NULL);
  fprintf(stderr, "%s: %s\n", path, strerror(errno));
  _exit(127);
}

/* The child that is asked for ends at once, so that the helper is free for others; its own one ends with the socket. */
void embed_child_run(int in, int out, int err) {
  char path[PATH_MAX], model[NAME_MAX_BYTES] = "";
  size_t len = 0;
  ssize_t n;
  (void)err;
  while (len < sizeof model - 1 && (n = read(in, model + len, sizeof model - 1 - len)) != 0)
    if (n > 0)
      len += (size_t)n;
    else if (errno != EINTR)
      _exit(126);
  if (helper_path("bid-embed-http", path) != 0 || fork() != 0)
    _exit(0);
  embed_child_be(path, model, out);
}

/* Has the helper start it: the model's name goes through a pipe.  0, or -1 with errno. */
static int embed_child_request(const char *model, int theirs) {
  int name[2];
  if (pipe2(name, O_CLOEXEC) != 0)
    return -1;
  int failed = helper_begin(embed_child_run, name[0], theirs, theirs);
  if (!failed)
    (void)slice_write(slice_str(model), name[1]);
  close(name[0]);
  close(name[1]);
  if (!failed)
    helper_end(0);
  return failed;
}

/* 0, or -1 with *e. */
static int embed_child_start(struct embed_child_child *c, const char *path, const char *model, int theirs,
                             struct error_text *e) {
  int failed = 0;
  if (helper_there(embed_child_run))
    failed = embed_child_request(model, theirs) != 0;
  else if ((c->pid = fork()) == 0)
    embed_child_be(path, model, theirs);
  failed |= c->pid < 0;
  if (failed)
    error_set(e, "%s: %s", path, strerror(errno));
  return failed ? -1 : 0;
}

/* Reads the next line, without its end, into c->line; -1 where there is none. */
static int embed_child_read_line(struct embed_child_child *c) {
  char part[16384];
  buf_clear(&c->line);
  for (;;) {
    char *end = c->spare.len ? memchr(c->spare.data, '\n', c->spare.len) : NULL;
    if (end != NULL) {
      size_t len = (size_t)(end - c->spare.data);
      buf_add(&c->line, c->spare.data, len);
      memmove(c->spare.data, end + 1, c->spare.len - len - 1);
      c->spare.len -= len + 1;
      return 0;
    }
    ssize_t n = recv(c->fd, part, sizeof part, 0);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0 || c->spare.len > LINE_MAX_BYTES)
      return -1;
    buf_add(&c->spare, part, (size_t)n);
  }
}

/* Reads the answer's vector into c->scratch and its length into *dimensions. */
static int take_vector(struct embed_child_child *c, struct slice line, size_t *dimensions,
                       struct error_text *e) {
  struct slice text = json_get(line, "embedding");
  struct slice model = json_get(line, "model");
  buf_clear(&c->scratch);
  if (json_kind(text) != '"' || json_kind(model) != '"' || model.len - 2 >= sizeof c->label ||
      base64_decode(slice_of(text.data + 1, text.len - 2), &c->scratch) != 0 ||
      c->scratch.len < sizeof(float)) {
    error_set(e, "bid-embed-http gave no vector");
    return -1;
  }
  memcpy(c->label, model.data + 1, model.len - 2);
  c->label[model.len - 2] = 0;
  *dimensions = c->scratch.len / sizeof(float);
  return 0;
}

static int embed_child_ask(struct embed_child_child *c, struct slice text, size_t *dimensions,
                           struct error_text *e) {
  struct buf record, said;
  int status = -1;
  buf_init(&record, LINE_MAX_BYTES);
  buf_init(&said, LINE_MAX_BYTES);
  buf_add_char(&record, '{');
  json_str(&record, "text", text);
  buf_add_str(&record, "}\n");
  error_set(e, "bid-embed-http ended without an answer");
  if (slice_send(buf_slice(&record), c->fd) == 0 || errno == EPIPE || errno == ECONNRESET)
    while (embed_child_read_line(c) == 0) {
      struct slice line = buf_slice(&c->line), error = json_get(line, "error");
      if (json_kind(line) == '{' && error.data == NULL) {
        status = take_vector(c, line, dimensions, e);
        break;
      }
      struct slice why = error.data ? json_text(json_get(error, "message"), &said) : line;
      error_set(e, "%.*s", (int)(why.len < 1024 ? why.len : 1024), why.data);
    }
  buf_release(&record);
  buf_release(&said);
  return status;
}

static int embed_child_encode(struct embed_backend *b, const struct slice *texts, size_t count,
                              enum embed_role role, int threads, float *out, size_t *truncated,
                              struct error_text *e) {
  struct embed_child_child *c = (struct embed_child_child *)(void *)b;
  size_t width = (size_t)b->dimensions, got = 0;
  (void)role; /* only questions are passed here */
  (void)threads;
  (void)truncated;
  for (size_t i = 0; i < count; i++) {
    if (embed_child_ask(c, texts[i], &got, e) != 0)
      return -1;
    if (got != width) {
      error_set(e, "the server gave %zu dimensions where it gave %zu before", got, width);
      return -1;
    }
    memcpy(out + i * width, c->scratch.data, width * sizeof *out);
  }
  return 0;
}

static void close_child(struct embed_backend *b) {
  struct embed_child_child *c = (struct embed_child_child *)(void *)b;
  if (c->fd >= 0)
    close(c->fd);
  if (c->pid > 0)
    helper_wait(c->pid);
  buf_release(&c->line);
  buf_release(&c->spare);
  buf_release(&c->scratch);
  free(c);
}

static int open_child(struct embed_child_child *c, const char *name, struct error_text *e) {
  char path[PATH_MAX];
  int pair[2];
  size_t dimensions = 0;
  if (helper_path("bid-embed-http", path) != 0) {
    error_set(e, "bid-embed-http, which talks to embedding servers, is not beside this program");
    return -1;
  }
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
    error_set(e, "no socket: %s", strerror(errno));
    return -1;
  }
  c->fd = pair[0];
  int failed = embed_child_start(c, path, name, pair[1], e);
  close(pair[1]);
  if (failed || embed_child_ask(c, slice_str("dimensions"), &dimensions, e) != 0)
    return -1;
  c->base.dimensions = (int)dimensions;
  return 0;
}

struct embed_backend *embed_child_open(const char *name, int dimensions, struct error_text *e) {
  const char *url = getenv("BID_EMBED_URL");
  if (url == NULL || *url == 0 || strlen(name) >= NAME_MAX_BYTES) {
    error_set(e,
              "the vectors are those of an embedding server (http:%.100s): set BID_EMBED_URL to its address, "
              "or search by words (--mode text)",
              name);
    return NULL;
  }
  struct embed_child_child *c = xcalloc(1, sizeof *c);
  c->fd = -1;
  buf_init(&c->line, LINE_MAX_BYTES + 65536);
  buf_init(&c->spare, LINE_MAX_BYTES + 65536);
  buf_init(&c->scratch, LINE_MAX_BYTES);
  c->base.encode = embed_child_encode;
  c->base.close = close_child;
  c->base.label = c->label;
  c->base.batch = 1;
  c->base.category = ERROR_UNAVAILABLE;
  (void)dimensions;
  if (open_child(c, name, e) == 0)
    return &c->base;
  close_child(&c->base);
  return NULL;
}
