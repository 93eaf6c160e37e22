/* server.c: the loop of the server: lines in, messages out, programs between. */
#include "mcp/server.h"

#include "base/paths.h"
#include "mcp/session.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <sysexits.h>
#include <unistd.h>

struct mcp_server {
  struct session session;
  int in, out;
  int ended; /* `in` has ended */
  int error; /* errno of the first failed write or read */
  const char *failed;
  int skipping; /* skipping a line that is too long */
  struct buf line;
};

static volatile sig_atomic_t mcp_stopped;

static void mcp_on_signal(int number) {
  mcp_stopped = number;
}

static void mcp_write(void *arg, struct slice message) {
  struct mcp_server *s = arg;
  struct buf whole;
  buf_init(&whole, message.len + 1);
  buf_add_slice(&whole, message);
  buf_add_char(&whole, '\n');
  if (s->error == 0 && slice_write(buf_slice(&whole), s->out) != 0)
    s->error = errno, s->failed = "write stdout";
  buf_release(&whole);
}

/* Extracts lines from the `n` bytes read. */
static void mcp_take(struct mcp_server *s, const char *part, size_t n) {
  while (n > 0) {
    const char *end = memchr(part, '\n', n);
    size_t len = end ? (size_t)(end - part) : n;
    if (!s->skipping && buf_add(&s->line, part, len) != 0) {
      session_line_too_long(&s->session, MCP_LINE_BYTES);
      s->skipping = 1;
    }
    if (end != NULL) {
      if (!s->skipping)
        session_line(&s->session, buf_slice(&s->line));
      buf_clear(&s->line);
      s->skipping = 0;
      len++;
    }
    part += len;
    n -= len;
  }
}

static void mcp_read(struct mcp_server *s) {
  static char part[65536];
  ssize_t n = read(s->in, part, sizeof part);
  if (n > 0)
    mcp_take(s, part, (size_t)n);
  else if (n < 0 && errno != EINTR && errno != EAGAIN)
    s->error = errno, s->failed = "read stdin";
  else if (n == 0) {
    s->ended = 1;
    if (!s->skipping && s->line.len > 0) /* a last line without a newline */
      session_line(&s->session, buf_slice(&s->line));
  }
}

/* Waits for events; signals are only unblocked here. */
static void mcp_wait(struct mcp_server *s) {
  struct pollfd fds[CALLS_POLLED];
  sigset_t none;
  int timeout;
  size_t n = calls_poll(&s->session.calls, fds, &timeout);
  struct timespec wait = {timeout / 1000, timeout % 1000 * 1000000L};
  size_t out = n++, in = n;
  fds[out] = (struct pollfd){.fd = s->out, .events = 0};
  if (!s->ended)
    fds[n++] = (struct pollfd){.fd = s->in, .events = POLLIN};
  sigemptyset(&none);
  if (ppoll(fds, n, timeout < 0 ? NULL : &wait, &none) <= 0)
    return;
  if (fds[out].revents & (POLLERR | POLLHUP | POLLNVAL))
    mcp_stopped = SIGPIPE; /* the reader of our answers is gone */
  else if (!s->ended && fds[in].revents)
    mcp_read(s);
}

static void mcp_catch_signals(void) {
  static const int numbers[] = {SIGTERM, SIGINT, SIGHUP, SIGPIPE};
  struct sigaction act = {.sa_handler = mcp_on_signal};
  sigset_t blocked;
  sigemptyset(&blocked);
  sigemptyset(&act.sa_mask);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    sigaction(numbers[i], &act, NULL);
    sigaddset(&blocked, numbers[i]);
  }
  sigprocmask(SIG_BLOCK, &blocked, NULL);
}

static int mcp_loop(struct mcp_server *s, struct error_text *e) {
  mcp_catch_signals();
  while (!mcp_stopped && s->error == 0 && !(s->ended && s->session.calls.first == NULL)) {
    mcp_wait(s);
    if (!mcp_stopped)
      calls_step(&s->session.calls);
  }
  if (s->error == 0 || s->error == EPIPE)
    return 0;
  error_set(e, "cannot %s: %s", s->failed, strerror(s->error));
  return EX_IOERR;
}

int mcp_serve(const struct mcp_options *o, int in, int out, struct error_text *e) {
  struct mcp_server s = {.in = in, .out = out};
  struct buf store;
  int status = EX_CONFIG;
  buf_init(&store, PATH_MAX);
  buf_init(&s.line, MCP_LINE_BYTES);
  paths_store(&store);
  if (session_init(&s.session, o->may_write, o->limit, store.data, e) == 0) {
    s.session.send = mcp_write;
    s.session.arg = &s;
    status = mcp_loop(&s, e);
    session_release(&s.session);
  }
  buf_release(&s.line);
  buf_release(&store);
  return status;
}
