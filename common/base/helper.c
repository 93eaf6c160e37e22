/* helper.c: child processes: a program that filters bytes; the helper that starts children of a process in a sandbox; one run
 * of such a child with its input and output in memory. */
#include "base/helper.h"
#include "base/clock.h"
#include "base/slice.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- a program that filters bytes ---- */

extern char **environ;

#define NAME_ROOM 64

int helper_path(const char *name, char path[PATH_MAX]) {
  ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - NAME_ROOM);
  while (n > 0 && path[n - 1] != '/')
    n--;
  snprintf(path + (n > 0 ? n : 0), NAME_ROOM, "%s", name);
  if (n > 0 && access(path, X_OK) == 0)
    return 0;
  snprintf(path, NAME_ROOM, "%s", name);
  return -1;
}

pid_t helper_spawn(const char *const *argv, int in, int out, int err) {
  posix_spawn_file_actions_t actions;
  pid_t pid = 0;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  errno = posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)(uintptr_t)argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  return errno ? -1 : pid;
}

int helper_wait(pid_t pid) {
  int status = SIGKILL;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
    ;
  return status;
}

int helper_filter(const char *const *argv, struct slice in, struct buf *out, struct error_text *e) {
  struct helper_task t = {.argv = argv, .left = in, .text = out};
  int status = helper_task_do(&t);
  if (status == 0)
    return 0;
  if (status == -1 && errno == EFBIG)
    error_set(e, "%s: the output has more than %zu bytes", argv[0], out->max);
  else if (status == -1)
    error_set(e, "%s: %s", argv[0], strerror(errno));
  else
    error_set(e, WIFSIGNALED(status) ? "%s: ended by signal %d" : "%s: ended with status %d", argv[0],
              WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
  return -1;
}

static int helper_socket = -1;
static pthread_mutex_t helper_lock = PTHREAD_MUTEX_INITIALIZER; /* held from a request to its answer */
static helper_run *const *helper_runs;
static size_t helper_count;

/* ---- the helper ---- */

/* Receives number and descriptors of the next request; 0 where the peer is gone. */
static int helper_receive(int socket, unsigned char *number, int fds[3]) {
  char room[CMSG_SPACE(3 * sizeof(int))];
  struct iovec part = {number, 1};
  struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
  ssize_t n;
  while ((n = recvmsg(socket, &m, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
    ;
  const struct cmsghdr *c = n > 0 ? CMSG_FIRSTHDR(&m) : NULL;
  if (c == NULL || c->cmsg_type != SCM_RIGHTS || c->cmsg_len != CMSG_LEN(3 * sizeof(int)))
    return 0;
  memcpy(fds, CMSG_DATA(c), 3 * sizeof(int));
  return 1;
}

/* Waits for the child and returns its status; a byte on the socket, or its end, kills the child.  SIGCHLD is blocked but in
 * ppoll(2), so that none is missed. */
static int look_after(int socket, pid_t pid) {
  int status = 0;
  sigset_t none;
  sigemptyset(&none);
  for (;;) {
    pid_t done = waitpid(pid, &status, WNOHANG);
    if (done == pid || (done < 0 && errno != EINTR))
      return status;
    struct pollfd p = {.fd = socket, .events = POLLIN};
    char byte;
    if (ppoll(&p, 1, NULL, &none) > 0) {
      kill(pid, SIGKILL);
      ssize_t n;
      while ((n = recv(socket, &byte, 1, 0)) < 0 && errno == EINTR)
        ;
      if (n <= 0)
        _exit(0);
    }
  }
}

static void child_ended(int signal) {
  (void)signal;
}

static void block_child_signals(void) {
  struct sigaction a = {.sa_handler = child_ended};
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, NULL);
  sigaction(SIGCHLD, &a, NULL);
}

/* In the child.  SIGPIPE ends it, whatever its parent does. */
static _Noreturn void helper_be_child(unsigned char number, const int fds[3]) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGCHLD, SIG_DFL);
  signal(SIGPIPE, SIG_DFL);
  if (number < helper_count)
    helper_runs[number](fds[0], fds[1], fds[2]);
  _exit(127);
}

static _Noreturn void help(int socket) {
  int fds[3], status;
  unsigned char number;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  block_child_signals();
  while (helper_receive(socket, &number, fds)) {
    pid_t pid = fork();
    if (pid == 0)
      helper_be_child(number, fds);
    for (int i = 0; i < 3; i++)
      close(fds[i]);
    status = pid > 0 ? look_after(socket, pid) : 126 << 8;
    if (slice_send(slice_of((const char *)&status, sizeof status), socket) != 0)
      break;
  }
  _exit(0);
}

void helper_take(int in, int out, int err) {
  int from = fcntl(in, F_DUPFD, 3), to = fcntl(out, F_DUPFD, 3), say = fcntl(err, F_DUPFD, 3);
  if (dup2(from, 0) < 0 || dup2(to, 1) < 0 || dup2(say, 2) < 0)
    _exit(126);
  close_range(3, ~0U, 0);
}

/* ---- the process that is helped ---- */

int helper_start(helper_run *const *runs, size_t count) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    return -1;
  helper_runs = runs;
  helper_count = count;
  pid_t pid = fork();
  if (pid == 0) {
    close_range(0, 2, 0); /* pipe ends whose closing others wait for */
    close(pair[0]);
    help(pair[1]);
  }
  close(pair[1]);
  if (pid < 0) {
    close(pair[0]);
    return -1;
  }
  helper_socket = pair[0];
  return 0;
}

static size_t helper_number(helper_run *run) {
  size_t i = 0;
  while (i < helper_count && helper_runs[i] != run)
    i++;
  return i;
}

static int helper_there(helper_run *run) {
  return helper_socket >= 0 && helper_number(run) < helper_count;
}

/* Requests a child with these descriptors, which the caller keeps.  0, or -1 with errno.  Another thread's request waits
 * until helper_end(). */
static int helper_begin(helper_run *run, int in, int out, int err) {
  unsigned char byte = (unsigned char)helper_number(run);
  char room[CMSG_SPACE(3 * sizeof(int))] = {0};
  int fds[3] = {in, out, err};
  struct iovec part = {&byte, 1};
  struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
  struct cmsghdr *c = CMSG_FIRSTHDR(&m);
  c->cmsg_level = SOL_SOCKET;
  c->cmsg_type = SCM_RIGHTS;
  c->cmsg_len = CMSG_LEN(sizeof fds);
  memcpy(CMSG_DATA(c), fds, sizeof fds);
  ssize_t n;
  pthread_mutex_lock(&helper_lock);
  while ((n = sendmsg(helper_socket, &m, MSG_NOSIGNAL)) < 0 && errno == EINTR)
    ;
  if (n != 1)
    pthread_mutex_unlock(&helper_lock);
  return n == 1 ? 0 : -1;
}

static int helper_end(int kill) {
  int status = SIGKILL;
  ssize_t n;
  if (kill)
    (void)slice_send(slice_str("k"), helper_socket);
  while ((n = recv(helper_socket, &status, sizeof status, MSG_WAITALL)) < 0 && errno == EINTR)
    ;
  pthread_mutex_unlock(&helper_lock);
  return n == sizeof status ? status : SIGKILL;
}

/* ---- one run of a child ---- */

#define READ_SIZE 65536

static void close_end(int *fd) {
  if (*fd >= 0)
    close(*fd);
  *fd = -1;
}

/* Our end of the pipe, or -1 where the child has the descriptor itself. */
static int own_end(int end, int shared) {
  if (!shared)
    return end;
  close(end);
  return -1;
}

int helper_task_start(struct helper_task *t) {
  int in[2] = {-1, -1}, out[2] = {-1, -1}, err[2] = {-1, -1};
  int failed = pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0 || pipe2(err, O_CLOEXEC) < 0;
  int to = t->text ? out[1] : STDOUT_FILENO, say = t->errors ? err[1] : STDERR_FILENO;
  if (!failed && t->argv) {
    t->pid = helper_spawn(t->argv, in[0], to, say);
    failed = t->pid < 0;
  } else if (!failed && helper_there(t->run)) {
    failed = helper_begin(t->run, in[0], to, say) != 0;
  } else if (!failed) {
    t->pid = fork();
    if (t->pid == 0) {
      t->run(in[0], to, say);
      _exit(127);
    }
    failed = t->pid < 0;
  }
  int why = errno;
  close_end(&in[0]), close_end(&out[1]), close_end(&err[1]);
  t->in = in[1], t->out = own_end(out[0], !t->text), t->err = own_end(err[0], !t->errors);
  if (!failed) {
    fcntl(t->in, F_SETFL, O_NONBLOCK);
    return 0;
  }
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
  close_end(&t->in), close_end(&t->out), close_end(&t->err);
  if (t->pid <= 0)
    return helper_end(cut);
  if (cut)
    kill(t->pid, SIGKILL);
  return helper_wait(t->pid);
}

int helper_task_do(struct helper_task *t) {
  if (helper_task_start(t) != 0)
    return -1;
  int cut = helper_task_pump(t), why = errno, status = helper_task_finish(t, cut);
  errno = why;
  return cut ? -1 : status;
}
