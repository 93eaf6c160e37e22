#include "reader/pdf_tool.h"

#include "base/clock.h"
#include "base/sandbox.h"
#include "reader/pdf_helper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define READ_SIZE 65536

static char *const pdftotext[] = {"pdftotext", "-layout", "-enc", "UTF-8", "-", "-", NULL};
static char *const pdfinfo[] = {"pdfinfo", "-isodates", "-enc", "UTF-8", "-", NULL};
static char *const *const tools[] = {pdftotext, pdfinfo};

#define LIMIT(what, value) setrlimit(what, &(struct rlimit){value, value})

/* Apart from entering the sandbox it makes only async-signal-safe calls; no other thread runs in this process. */
void pdf_tool_run(int tool, int in, int out, int err) {
  static char *const environment[] = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8", NULL};
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGPIPE, SIG_DFL);
  int from = fcntl(in, F_DUPFD, 3), to = fcntl(out, F_DUPFD, 3), say = fcntl(err, F_DUPFD, 3);
  if (dup2(from, 0) < 0 || dup2(to, 1) < 0 || dup2(say, 2) < 0)
    _exit(126);
  close_range(3, ~0U, 0);
  if ((size_t)tool >= sizeof tools / sizeof *tools) /* the parser that asks may have been taken over */
    _exit(127);
  sandbox_enter(SANDBOX_TOOL, NULL, 0);
  LIMIT(RLIMIT_AS, PDF_MEMORY);
  LIMIT(RLIMIT_CPU, PDF_SECONDS);
  LIMIT(RLIMIT_FSIZE, 0);
  LIMIT(RLIMIT_CORE, 0);
  LIMIT(RLIMIT_NOFILE, 64);
  if (chdir("/") == 0)
    execvpe(tools[tool][0], tools[tool], environment);
  _exit(127);
}

static void close_end(int *fd) {
  if (*fd >= 0)
    close(*fd);
  *fd = -1;
}

static void close_pair(const int p[2]) {
  close(p[0]);
  close(p[1]);
}

static int three_pipes(int in[2], int out[2], int err[2]) {
  if (pipe2(in, O_CLOEXEC) < 0)
    return -1;
  if (pipe2(out, O_CLOEXEC) < 0) {
    close_pair(in);
    return -1;
  }
  if (pipe2(err, O_CLOEXEC) < 0) {
    close_pair(in);
    close_pair(out);
    return -1;
  }
  return 0;
}

int pdf_tool_start(struct pdf_tool *c) {
  int in[2], out[2], err[2];
  if (three_pipes(in, out, err) < 0)
    return -1;
  int failed;
  if (pdf_helper_there()) {
    failed = pdf_helper_begin(c->tool, in[0], out[1], err[1]) != 0;
  } else {
    c->pid = fork();
    if (c->pid == 0)
      pdf_tool_run(c->tool, in[0], out[1], err[1]);
    failed = c->pid < 0;
  }
  close(in[0]), close(out[1]), close(err[1]);
  c->in = in[1], c->out = out[0], c->err = err[0];
  fcntl(c->in, F_SETFL, O_NONBLOCK);
  if (!failed)
    return 0;
  close(c->in), close(c->out), close(c->err);
  return -1;
}

/* Writes as much as the pipe accepts.  A child that stops reading is not an error. */
static void feed(struct pdf_tool *c) {
  ssize_t n = write(c->in, c->left.data, c->left.len < READ_SIZE ? c->left.len : READ_SIZE);
  if (n > 0) {
    c->left.data += n;
    c->left.len -= (size_t)n;
  }
  if (!c->left.len || (n < 0 && errno != EAGAIN && errno != EINTR))
    close_end(&c->in);
}

static void drain(int *fd, struct buf *to) {
  char block[READ_SIZE];
  ssize_t n = read(*fd, block, sizeof block);
  if (n > 0)
    buf_add(to, block, (size_t)n);
  else if (n == 0 || errno != EINTR)
    close_end(fd);
}

/* Reads until both outputs are closed; -1 where the limit of time or output is exceeded. */
static int pump(struct pdf_tool *c) {
  while (c->out >= 0 || c->err >= 0) {
    struct pollfd fds[3] = {{c->in, POLLOUT, 0}, {c->out, POLLIN, 0}, {c->err, POLLIN, 0}};
    double wait = c->deadline - clock_monotonic();
    if (wait <= 0 || c->text->overflow)
      return -1;
    if (poll(fds, 3, (int)(wait * 1000) + 1) < 0 && errno != EINTR)
      return -1;
    if (c->in >= 0 && fds[0].revents)
      feed(c);
    if (c->out >= 0 && fds[1].revents)
      drain(&c->out, c->text);
    if (c->err >= 0 && fds[2].revents)
      drain(&c->err, &c->errors);
  }
  return c->text->overflow ? -1 : 0;
}

/* Ignores SIGPIPE, which a child that died would cause. */
int pdf_tool_pump(struct pdf_tool *c) {
  sigset_t pipe_only, before;
  struct timespec now = {0, 0};
  sigemptyset(&pipe_only);
  sigaddset(&pipe_only, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
  int r = pump(c);
  while (sigtimedwait(&pipe_only, NULL, &now) > 0)
    ;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return r;
}

int pdf_tool_finish(struct pdf_tool *c, int cut) {
  int status = 0;
  close_end(&c->in), close_end(&c->out), close_end(&c->err);
  if (c->pid <= 0)
    return pdf_helper_end(cut);
  if (cut)
    kill(c->pid, SIGKILL);
  while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
    ;
  return status;
}
