/* tool_child.c: a program beside the server: started in its own process group, its output collected. */
#include "mcp/tool_child.h"

#include "base/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

char *tool_child_find(const char *name) {
  const char *set = getenv("BID_BIN");
  struct buf path;
  buf_init(&path, PATH_MAX);
  buf_printf(&path, "%s/%s", set ? set : "", name);
  if (!set || !*set || path.overflow || access(path.data, X_OK) != 0)
    if (paths_program(&path, name) != 0)
      buf_release(&path);
  return path.data;
}

void tool_child_init(struct tool_child *c) {
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

void tool_child_release(struct tool_child *c) {
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

int tool_child_start(struct tool_child *c, const char *path, char *const argv[], int asked,
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

void tool_child_read(struct tool_child *c) {
  if (tool_child_drain(&c->out, &c->output) != 0 && !c->too_much) {
    c->too_much = 1;
    tool_child_end(c, SIGKILL);
  }
  if (tool_child_drain(&c->err, &c->said) != 0)
    buf_clear(&c->said); /* the end of stderr is more informative than its start */
}

int tool_child_send(struct tool_child *c) {
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

int tool_child_over(struct tool_child *c) {
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

void tool_child_end(const struct tool_child *c, int signal_number) {
  if (c->pid > 0)
    kill(-c->pid, signal_number);
}
