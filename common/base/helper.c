#include "base/helper.h"

#include "base/slice.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

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

int helper_there(helper_run *run) {
  return helper_socket >= 0 && helper_number(run) < helper_count;
}

int helper_begin(helper_run *run, int in, int out, int err) {
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

int helper_end(int kill) {
  int status = SIGKILL;
  ssize_t n;
  if (kill)
    (void)slice_send(slice_str("k"), helper_socket);
  while ((n = recv(helper_socket, &status, sizeof status, MSG_WAITALL)) < 0 && errno == EINTR)
    ;
  pthread_mutex_unlock(&helper_lock);
  return n == sizeof status ? status : SIGKILL;
}
