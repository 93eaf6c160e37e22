#include "reader/pdf_helper.h"

#include "base/slice.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define TICK_MS 20 /* interval of checking the child while the socket is silent */

static int helper_socket = -1;

/* Receives tool and descriptors of the next request; 0 where the peer is gone. */
static int pdf_helper_receive(int socket, unsigned char *tool, int fds[3]) {
  char room[CMSG_SPACE(3 * sizeof(int))];
  struct iovec part = {tool, 1};
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

/* Waits for the child and returns its status; a byte on the socket, or its end, kills the child. */
static int look_after(int socket, pid_t pid) {
  int status = 0;
  for (;;) {
    pid_t done = waitpid(pid, &status, WNOHANG);
    if (done == pid || (done < 0 && errno != EINTR))
      return status;
    struct pollfd p = {.fd = socket, .events = POLLIN};
    char byte;
    if (poll(&p, 1, TICK_MS) > 0) {
      kill(pid, SIGKILL);
      ssize_t n;
      while ((n = recv(socket, &byte, 1, 0)) < 0 && errno == EINTR)
        ;
      if (n <= 0)
        _exit(0);
    }
  }
}

static _Noreturn void help(int socket, pdf_helper_run *run) {
  int fds[3], status;
  unsigned char tool;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  while (pdf_helper_receive(socket, &tool, fds)) {
    pid_t pid = fork();
    if (pid == 0) {
      run(tool, fds[0], fds[1], fds[2]);
      _exit(127);
    }
    for (int i = 0; i < 3; i++)
      close(fds[i]);
    status = pid > 0 ? look_after(socket, pid) : 126 << 8;
    if (slice_send(slice_of((const char *)&status, sizeof status), socket) != 0)
      break;
  }
  _exit(0);
}

int pdf_helper_start(pdf_helper_run *run) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    return -1;
  pid_t pid = fork();
  if (pid == 0) {
    close_range(0, 2, 0); /* pipe ends whose closing others wait for */
    close(pair[0]);
    help(pair[1], run);
  }
  close(pair[1]);
  if (pid < 0) {
    close(pair[0]);
    return -1;
  }
  helper_socket = pair[0];
  return 0;
}

int pdf_helper_there(void) {
  return helper_socket >= 0;
}

int pdf_helper_begin(int tool, int in, int out, int err) {
  unsigned char byte = (unsigned char)tool;
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
  while ((n = sendmsg(helper_socket, &m, MSG_NOSIGNAL)) < 0 && errno == EINTR)
    ;
  return n == 1 ? 0 : -1;
}

int pdf_helper_end(int kill) {
  int status = SIGKILL;
  ssize_t n;
  if (kill)
    (void)slice_send(slice_str("k"), helper_socket);
  while ((n = recv(helper_socket, &status, sizeof status, MSG_WAITALL)) < 0 && errno == EINTR)
    ;
  return n == sizeof status ? status : SIGKILL;
}
