/* calls.c: calls of tools: their command lines, at most four programs at a time, and one bid-search for questions. */
#include "mcp/server.h"
#include "base/clock.h"
#include "base/paths.h"
#include "record/json.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static void tool_child_init(struct tool_child *c) {
  *c = (struct tool_child){.in = -1, .out = -1, .err = -1};
  buf_init(&c->output, CHILD_OUTPUT_BYTES);
  buf_init(&c->said, CHILD_SAID_BYTES);
  buf_init(&c->unsent, CHILD_OUTPUT_BYTES);
}

static void child_close(int *fd) {
  if (*fd >= 0)
    close(*fd);
  *fd = -1;
}

static void tool_child_release(struct tool_child *c) {
  child_close(&c->in);
  child_close(&c->out);
  child_close(&c->err);
  buf_release(&c->output);
  buf_release(&c->said);
  buf_release(&c->unsent);
  tool_child_init(c);
}

/* Runs in the child between fork and exec: only async-signal-safe calls. */
static _Noreturn void tool_child_become(const char *path, char *const argv[], const int ends[3],
                                        pid_t parent) {
  sigset_t none;
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent)
    _exit(127);
  for (int fd = 0; fd < 3; fd++)
    if (dup2(ends[fd], fd) < 0)
      _exit(127);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  signal(SIGINT, SIG_DFL);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execv(path, argv);
  static const char why[] = "cannot be run\n";
  if (write(2, why, sizeof why - 1) < 0)
    _exit(126);
  _exit(127);
}

/* Makes the child's three descriptors, and the server's ends in c.  0, or -1. */
static int tool_child_plumb(struct tool_child *c, int asked, int ends[3]) {
  int in[2] = {-1, -1}, out[2], err[2];
  ends[0] = ends[1] = ends[2] = -1;
  if (asked ? socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in)
            : (in[1] = open("/dev/null", O_RDONLY | O_CLOEXEC)) < 0)
    return -1;
  c->in = in[0];
  ends[0] = in[1];
  if (pipe2(out, O_CLOEXEC) != 0)
    return -1;
  c->out = out[0];
  ends[1] = out[1];
  if (pipe2(err, O_CLOEXEC) != 0)
    return -1;
  c->err = err[0];
  ends[2] = err[1];
  fcntl(c->out, F_SETFL, O_NONBLOCK);
  fcntl(c->err, F_SETFL, O_NONBLOCK);
  if (c->in >= 0)
    fcntl(c->in, F_SETFL, O_NONBLOCK);
  return 0;
}

/* Starts the program. argv ends with NULL. asked: connect its stdin.  0, or -1 with e filled. */
static int tool_child_start(struct tool_child *c, const char *path, char *const argv[], int asked,
                            struct error_text *e) {
  int ends[3], status = tool_child_plumb(c, asked, ends);
  pid_t parent = getpid();
  if (status == 0) {
    c->pid = fork();
    if (c->pid == 0)
      tool_child_become(path, argv, ends, parent);
    status = c->pid > 0 ? 0 : -1;
  }
  if (status != 0) {
    error_set(e, "%s: %s", path, strerror(errno));
    c->pid = 0;
  } else
    setpgid(c->pid, c->pid);
  for (int i = 0; i < 3; i++)
    child_close(&ends[i]);
  return status;
}

/* Reads fd until it would block; closes it at its end. */
static int tool_child_drain(int *fd, struct buf *into) {
  char part[65536];
  while (*fd >= 0) {
    ssize_t n = read(*fd, part, sizeof part);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0 && errno == EAGAIN)
      return 0;
    if (n <= 0)
      child_close(fd);
    else if (buf_add(into, part, (size_t)n) != 0)
      return -1;
  }
  return 0;
}

/* Signals its process group: SIGTERM or SIGKILL. */
static void tool_child_end(const struct tool_child *c, int signal_number) {
  if (c->pid > 0)
    kill(-c->pid, signal_number);
}

/* Reads available output; call it when poll(2) reports some. */
static void tool_child_read(struct tool_child *c) {
  if (tool_child_drain(&c->out, &c->output) != 0 && !c->too_much) {
    c->too_much = 1;
    tool_child_end(c, SIGKILL);
  }
  if (tool_child_drain(&c->err, &c->said) != 0)
    buf_clear(&c->said); /* the end of stderr is more informative than its start */
}

/* Sends as much of `unsent` as possible without blocking.  0, or -1 where the child has closed its stdin. */
static int tool_child_send(struct tool_child *c) {
  while (c->unsent.len > 0) {
    ssize_t n = send(c->in, c->unsent.data, c->unsent.len, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return errno == EAGAIN ? 0 : -1;
    memmove(c->unsent.data, c->unsent.data + n, c->unsent.len - (size_t)n);
    c->unsent.len -= (size_t)n;
  }
  return 0;
}

/* Whether it has ended and all its output has been read. */
static int tool_child_over(struct tool_child *c) {
  int status;
  if (c->pid == 0)
    return 1;
  if ((c->out >= 0 || c->err >= 0) && !c->too_much)
    return 0;
  if (waitpid(c->pid, &status, WNOHANG) != c->pid)
    return 0;
  c->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  c->pid = 0;
  return 1;
}

/* ---- calls of tools ----
 *
 * Their command lines, at most four programs at a time, and one bid-search for questions. */

/* ---- command lines ---- */

#define TOOL_WORDS 1024 /* limit of a command line's words */

static void tool_command_free(char **argv) {
  for (size_t i = 0; argv != NULL && argv[i] != NULL; i++)
    free(argv[i]);
  free(argv);
}

/* The argv of the tool's program, for tool_child_start(); free with tool_command_free().  words: a JSON list of strings and others.
 * NULL with e filled where a text can't be an argument of a command. */
static char **tool_command(const struct tool *tool, struct slice words, struct error_text *e) {
  char **argv = xcalloc(TOOL_WORDS + 1, sizeof(char *));
  struct json_cursor c = {0};
  struct slice word;
  struct buf scratch;
  size_t count = 0;
  int bad = 0;
  buf_init(&scratch, CHILD_OUTPUT_BYTES);
  argv[count++] = xstrdup(tool->path);
  while (!bad && json_next_element(words, &c, &word)) {
    struct slice text = json_kind(word) == '"' ? json_text(word, &scratch) : word;
    bad = count == TOOL_WORDS || (text.len && memchr(text.data, 0, text.len));
    if (!bad)
      argv[count++] = xstrndup(text.len ? text.data : "", text.len);
  }
  buf_release(&scratch);
  if (!bad)
    return argv;
  error_set(e, "the arguments have a zero byte or are more than %d words", TOOL_WORDS);
  tool_command_free(argv);
  return NULL;
}

/* ---- calls ---- */

#define GRACE_SECONDS 2.0 /* time between SIGTERM and SIGKILL */

static void call_free(struct call *c) {
  free(c->id);
  free(c->token);
  free(c->uri);
  tool_command_free(c->argv);
  tool_child_release(&c->child);
  free(c);
}

/* Removes a finished call from the list and notifies its owner. */
static void call_finish(struct calls *cs, struct call **link) {
  struct call *c = *link;
  *link = c->next;
  cs->count--;
  cs->done(cs->arg, c);
  call_free(c);
}

/* ---- questions ---- */

static void asker_restart(struct asker *a) {
  tool_child_end(&a->child, SIGTERM);
  tool_child_release(&a->child);
}

/* Notes the state of the store's file; returns whether it is another one than before. */
static int asker_look(struct asker *a) {
  struct stat now, before = a->seen;
  memset(&now, 0, sizeof now);
  if (a->store == NULL || stat(a->store, &now) != 0)
    memset(&now, 0, sizeof now);
  a->seen = now;
  return now.st_ino != before.st_ino || now.st_dev != before.st_dev || now.st_size != before.st_size ||
         now.st_mtim.tv_sec != before.st_mtim.tv_sec || now.st_mtim.tv_nsec != before.st_mtim.tv_nsec;
}

/* Sends a call's question; the record ends with a newline.  0, or -1 with e filled. */
static int asker_ask(struct asker *a, struct slice record, struct call *c, struct error_text *e) {
  static char name[] = "bid-search", quiet[] = "--quiet";
  char *argv[] = {name, quiet, NULL};
  if (a->count == ASKER_WAITING) {
    error_set(e, "more than %d questions wait for an answer", ASKER_WAITING);
    return -1;
  }
  if (a->count == 0 && asker_look(a) && a->child.pid > 0)
    asker_restart(a);
  if (a->child.pid == 0 && tool_child_start(&a->child, a->path, argv, 1, e) != 0)
    return -1;
  buf_add_slice(&a->child.unsent, record);
  a->waiting[a->count++] = c;
  return 0;
}

/* Discards a question: its answer is not delivered. */
static void asker_forget(struct asker *a, const struct call *c) {
  for (size_t i = 0; i < a->count; i++)
    if (a->waiting[i] == c)
      a->waiting[i] = NULL;
}

/* Finishes the first waiting call with its answer, or with why it has none. */
static void asker_tell(struct calls *cs, struct slice line, const char *why) {
  struct asker *a = &cs->asker;
  struct call *c = a->waiting[0], **link = &cs->first;
  memmove(a->waiting, a->waiting + 1, --a->count * sizeof *a->waiting);
  if (c == NULL)
    return;
  c->answer = line;
  c->why = why;
  while (*link != c)
    link = &(*link)->next;
  call_finish(cs, link);
}

static void asker_take_lines(struct calls *cs) {
  struct buf *out = &cs->asker.child.output;
  size_t from = 0;
  const char *end;
  while (out->len > from && cs->asker.count > 0 &&
         (end = memchr(out->data + from, '\n', out->len - from)) != NULL) {
    size_t len = (size_t)(end - (out->data + from));
    asker_tell(cs, slice_of(out->data + from, len), NULL);
    from += len + 1;
  }
  if (from == 0)
    return;
  memmove(out->data, out->data + from, out->len - from);
  out->len -= from;
}

/* Fails all waiting questions after the program ended. */
static void asker_fail(struct calls *cs) {
  char why[160];
  snprintf(why, sizeof why, "bid-search ended with status %d", cs->asker.child.status);
  while (cs->asker.count > 0)
    asker_tell(cs, slice_of(NULL, 0), why);
  tool_child_release(&cs->asker.child);
}

/* Does pending I/O without blocking and delivers answers. */
static void asker_step(struct calls *cs) {
  struct tool_child *child = &cs->asker.child;
  if (child->pid == 0)
    return;
  int gone = tool_child_send(child) != 0;
  tool_child_read(child);
  asker_take_lines(cs);
  if (gone || child->too_much)
    tool_child_end(child, SIGKILL);
  if (tool_child_over(child))
    asker_fail(cs);
}

/* ---- starting and ending calls ---- */

void calls_init(struct calls *cs, const char *search, const char *store, double limit) {
  *cs = (struct calls){.limit = limit, .asker = {.path = search, .store = store}};
  tool_child_init(&cs->asker.child);
}

static int call_prepare(struct calls *cs, struct call *c, struct slice made, struct error_text *e) {
  struct slice question = json_get(made, "question");
  struct buf record;
  if (!question.len) {
    c->argv = tool_command(c->tool, json_get(made, "argv"), e);
    return c->argv != NULL ? 0 : -1;
  }
  buf_init(&record, CHILD_OUTPUT_BYTES);
  buf_add_slice(&record, question);
  buf_add_char(&record, '\n');
  c->running = 1;
  int status = asker_ask(&cs->asker, buf_slice(&record), c, e);
  buf_release(&record);
  return status;
}

struct call *calls_add(struct calls *cs, const struct tool *tool, struct slice made, struct slice id,
                       struct error_text *e) {
  struct call *c, **last = &cs->first;
  struct slice token = json_get(made, "token");
  if (cs->count == CALLS_MAX) {
    error_set(e, "%d calls are without an answer: wait for some, or cancel them", CALLS_MAX);
    return NULL;
  }
  c = xcalloc(1, sizeof *c);
  tool_child_init(&c->child);
  c->tool = tool;
  c->id = xstrndup(id.data, id.len);
  c->token = json_kind(token) == 'n' ? NULL : xstrndup(token.data, token.len);
  c->uri = json_text_copy(json_get(made, "uri"));
  c->era = (int)json_to_int(json_get(made, "era"), 0);
  c->decode = json_is_true(made, "decode");
  c->started = c->reported = clock_monotonic();
  if (call_prepare(cs, c, made, e) != 0) {
    call_free(c);
    return NULL;
  }
  while (*last != NULL)
    last = &(*last)->next;
  *last = c;
  cs->count++;
  return c;
}

struct call *calls_find(struct calls *cs, struct slice id) {
  for (struct call *c = cs->first; c != NULL; c = c->next)
    if (!c->cancelled && slice_eq(slice_str(c->id), id))
      return c;
  return NULL;
}

static void call_end(struct call *c, double now) {
  if (c->ended == 0) {
    c->ended = now;
    tool_child_end(&c->child, SIGTERM);
  } else if (now - c->ended > GRACE_SECONDS)
    tool_child_end(&c->child, SIGKILL);
}

void calls_cancel(struct calls *cs, struct call *c) {
  c->cancelled = 1;
  if (c->argv == NULL)
    asker_forget(&cs->asker, c);
  else
    call_end(c, clock_monotonic());
}

static void poll_add(struct pollfd *fds, size_t *n, int fd, short events) {
  if (fd >= 0)
    fds[(*n)++] = (struct pollfd){.fd = fd, .events = events};
}

static void poll_child(const struct tool_child *c, struct pollfd *fds, size_t *n) {
  if (c->pid == 0)
    return;
  poll_add(fds, n, c->out, POLLIN);
  poll_add(fds, n, c->err, POLLIN);
  if (c->unsent.len > 0)
    poll_add(fds, n, c->in, POLLOUT);
}

size_t calls_poll(struct calls *cs, struct pollfd *fds, int *timeout) {
  size_t n = 0;
  *timeout = cs->first != NULL ? 250 : -1;
  poll_child(&cs->asker.child, fds, &n);
  for (struct call *c = cs->first; c != NULL; c = c->next) {
    if (!c->running || c->argv == NULL)
      continue;
    poll_child(&c->child, fds, &n);
    if (c->child.out < 0 && c->child.err < 0)
      *timeout = 10; /* waiting for its exit, which no descriptor reports */
  }
  return n;
}

static void call_run(struct calls *cs, struct call *c) {
  struct error_text e;
  c->running = 1;
  cs->running++;
  if (tool_child_start(&c->child, c->tool->path, c->argv, 0, &e) != 0) {
    buf_add_str(&c->child.said, e.text);
    c->child.status = 127;
  }
}

/* Advances a call; returns whether it is over. */
static int call_move(struct calls *cs, struct call *c, double now) {
  if (!c->running) {
    if (c->cancelled)
      return 1;
    if (cs->running == CALLS_AT_WORK)
      return 0;
    call_run(cs, c);
  }
  c->late |= now - c->started > cs->limit;
  if (c->argv == NULL) {
    if (c->late && !c->cancelled)
      asker_forget(&cs->asker, c);
    return c->late || c->cancelled;
  }
  if (c->late || c->cancelled)
    call_end(c, now);
  tool_child_read(&c->child);
  if (!tool_child_over(&c->child))
    return 0;
  cs->running--;
  return 1;
}

void calls_step(struct calls *cs) {
  double now = clock_monotonic();
  struct call **link = &cs->first;
  asker_step(cs);
  while (*link != NULL) {
    struct call *c = *link;
    if (call_move(cs, c, now)) {
      call_finish(cs, link);
      continue;
    }
    if (c->token != NULL && !c->cancelled && now - c->reported >= 1) {
      c->reported = now;
      cs->progress(cs->arg, c);
    }
    link = &c->next;
  }
}

void calls_release(struct calls *cs) {
  for (struct call *c = cs->first; c != NULL;) {
    struct call *next = c->next;
    tool_child_end(&c->child, SIGTERM);
    call_free(c);
    c = next;
  }
  cs->first = NULL;
  asker_restart(&cs->asker);
}
