#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define NAME_ROOM 64

int child_path(const char *name, char path[PATH_MAX]) {
  ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - NAME_ROOM);
  while (n > 0 && path[n - 1] != '/')
    n--;
  snprintf(path + (n > 0 ? n : 0), NAME_ROOM, "%s", name);
  if (n > 0 && access(path, X_OK) == 0)
    return 0;
  snprintf(path, NAME_ROOM, "%s", name);
  return -1;
}

static pid_t child_spawn(char *const argv[], int theirs, struct error_text *e) {
  posix_spawn_file_actions_t actions;
  pid_t pid = 0;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, theirs, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, theirs, STDOUT_FILENO);
  int failed = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed)
    error_set(e, "%s: %s", argv[0], strerror(failed));
  return failed ? -1 : pid;
}

/* Sends as much as the socket accepts, and shuts it down after the last byte. */
static void child_send(int fd, struct slice *in) {
  ssize_t n = send(fd, in->data, in->len, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (n > 0)
    *in = slice_of(in->data + n, in->len - (size_t)n);
  else if (n < 0 && errno != EAGAIN && errno != EINTR)
    in->len = 0; /* it stopped reading: its own message says why */
  if (in->len == 0)
    shutdown(fd, SHUT_WR);
}

/* Sends and receives until the child's end is closed.  0, or -1 with *e where not all that it wrote is in out. */
static int child_talk(int fd, struct slice in, struct buf *out, struct error_text *e) {
  char part[65536];
  if (in.len == 0)
    shutdown(fd, SHUT_WR);
  for (;;) {
    struct pollfd p = {.fd = fd, .events = (short)(POLLIN | (in.len > 0 ? POLLOUT : 0))};
    if (poll(&p, 1, -1) < 0 && errno != EINTR)
      break;
    if (p.revents & POLLOUT)
      child_send(fd, &in);
    if (!(p.revents & (POLLIN | POLLHUP | POLLERR)))
      continue;
    ssize_t n = recv(fd, part, sizeof part, MSG_DONTWAIT);
    if (n == 0 || (n < 0 && errno == ECONNRESET)) /* it ended without reading all */
      return 0;
    if (n < 0 && errno != EAGAIN && errno != EINTR)
      break;
    if (n > 0 && buf_add(out, part, (size_t)n) != 0) {
      error_set(e, "the output has more than %zu bytes", out->max);
      return -1;
    }
  }
  error_set(e, "%s", strerror(errno));
  return -1;
}

int child_filter(char *const argv[], struct slice in, struct buf *out, struct error_text *e) {
  struct error_text why = {""};
  int pair[2], status = -1, cut = 0;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
    error_set(e, "no socket: %s", strerror(errno));
    return -1;
  }
  pid_t pid = child_spawn(argv, pair[1], e);
  close(pair[1]);
  if (pid > 0)
    cut = child_talk(pair[0], in, out, &why);
  close(pair[0]);
  if (pid < 0)
    return -1;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
    ;
  if (cut)
    error_set(e, "%s: %s", argv[0], why.text);
  else if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return 0;
  else
    error_set(e, WIFSIGNALED(status) ? "%s: ended by signal %d" : "%s: ended with status %d", argv[0],
              WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
  return -1;
}
