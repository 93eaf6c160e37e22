#include "base/helper_task.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define READ_SIZE 65536

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

/* Our end of the pipe, or -1 where the child has the descriptor itself. */
static int own_end(int end, int shared) {
  if (!shared)
    return end;
  close(end);
  return -1;
}

int helper_task_start(struct helper_task *t) {
  int in[2], out[2], err[2], failed;
  if (three_pipes(in, out, err) < 0)
    return -1;
  int to = t->text ? out[1] : STDOUT_FILENO, say = t->errors ? err[1] : STDERR_FILENO;
  if (helper_there(t->run)) {
    failed = helper_begin(t->run, in[0], to, say) != 0;
  } else {
    t->pid = fork();
    if (t->pid == 0) {
      t->run(in[0], to, say);
      _exit(127);
    }
    failed = t->pid < 0;
  }
  close(in[0]), close(out[1]), close(err[1]);
  t->in = in[1], t->out = own_end(out[0], !t->text), t->err = own_end(err[0], !t->errors);
  fcntl(t->in, F_SETFL, O_NONBLOCK);
  if (!failed)
    return 0;
  int why = errno;
  close_end(&t->in), close_end(&t->out), close_end(&t->err);
  errno = why;
  return -1;
}

/* Writes as much as the pipe accepts.  A child that stops reading is not an error. */
static void feed(struct helper_task *t) {
  ssize_t n = write(t->in, t->left.data, t->left.len < READ_SIZE ? t->left.len : READ_SIZE);
  if (n > 0) {
    t->left.data += n;
    t->left.len -= (size_t)n;
  }
  if (!t->left.len || (n < 0 && errno != EAGAIN && errno != EINTR))
    close_end(&t->in);
}

static void drain(int *fd, struct buf *to) {
  char block[READ_SIZE];
  ssize_t n = read(*fd, block, sizeof block);
  if (n > 0)
    buf_add(to, block, (size_t)n);
  else if (n == 0 || errno != EINTR)
    close_end(fd);
}

/* Milliseconds that are left; -1: no limit. */
static int left_of(double deadline) {
  if (deadline == 0)
    return -1;
  double wait = deadline - clock_monotonic();
  return wait <= 0 ? 0 : (int)(wait * 1000) + 1;
}

/* Reads until both outputs are closed, or all is written where it has none of them; -1 with errno where a limit is
 * exceeded. */
static int helper_pump(struct helper_task *t) {
  while (t->out >= 0 || t->err >= 0 || (!t->text && !t->errors && t->in >= 0)) {
    struct pollfd fds[3] = {{t->in, POLLOUT, 0}, {t->out, POLLIN, 0}, {t->err, POLLIN, 0}};
    int wait = left_of(t->deadline);
    errno = wait == 0 ? ETIMEDOUT : EFBIG;
    if (wait == 0 || (t->text && t->text->overflow))
      return -1;
    if (poll(fds, 3, wait) < 0 && errno != EINTR)
      return -1;
    if (t->in >= 0 && fds[0].revents)
      feed(t);
    if (t->out >= 0 && fds[1].revents)
      drain(&t->out, t->text);
    if (t->err >= 0 && fds[2].revents)
      drain(&t->err, t->errors);
  }
  errno = EFBIG;
  return t->text && t->text->overflow ? -1 : 0;
}

/* Ignores SIGPIPE, which a child that died would cause. */
int helper_task_pump(struct helper_task *t) {
  sigset_t pipe_only, before;
  struct timespec now = {0, 0};
  sigemptyset(&pipe_only);
  sigaddset(&pipe_only, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
  int r = helper_pump(t), why = errno;
  while (sigtimedwait(&pipe_only, NULL, &now) > 0)
    ;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = why;
  return r;
}

int helper_task_finish(struct helper_task *t, int cut) {
  int status = 0;
  close_end(&t->in), close_end(&t->out), close_end(&t->err);
  if (t->pid <= 0)
    return helper_end(cut);
  if (cut)
    kill(t->pid, SIGKILL);
  while (waitpid(t->pid, &status, 0) < 0 && errno == EINTR)
    ;
  return status;
}

int helper_task_do(struct helper_task *t) {
  if (helper_task_start(t) != 0)
    return -1;
  int cut = helper_task_pump(t), why = errno, status = helper_task_finish(t, cut);
  errno = why;
  return cut ? -1 : status;
}
