#include "front/doctor_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

static void doctor_become(const char *const *argv, const int out[2], const int error[2]) {
  int null = open("/dev/null", O_RDONLY);
  dup2(null, STDIN_FILENO);
  dup2(out[1], STDOUT_FILENO);
  dup2(error[1], STDERR_FILENO);
  close(out[0]);
  close(error[0]);
  execvp(argv[0], (char *const *)(uintptr_t)argv);
  dprintf(STDERR_FILENO, "%s: %s\n", argv[0], strerror(errno));
  _exit(127);
}

/* Reads both pipes to their end.  -1 after the time limit. */
static int doctor_read_child(struct doctor_child *c, int out, int error, double until) {
  struct pollfd p[2] = {{.fd = out, .events = POLLIN}, {.fd = error, .events = POLLIN}};
  struct buf *to[2] = {&c->out, &c->error};
  char bytes[4096];
  while (p[0].fd >= 0 || p[1].fd >= 0) {
    double left = until - clock_monotonic();
    if (left <= 0 || poll(p, 2, (int)(left * 1000) + 1) == 0)
      return -1;
    for (int i = 0; i < 2; i++) {
      if (p[i].fd < 0 || !p[i].revents)
        continue;
      ssize_t n = read(p[i].fd, bytes, sizeof bytes);
      if (n > 0)
        buf_add(to[i], bytes, (size_t)n);
      else if (n == 0 || errno != EINTR)
        p[i].fd = -1;
    }
  }
  return 0;
}

void doctor_child_run(struct doctor_child *c, const char *const *argv, int seconds) {
  int out[2], error[2], status = 0;
  buf_init(&c->out, 65536);
  buf_init(&c->error, 65536);
  c->status = 127;
  if (pipe2(out, O_CLOEXEC) != 0)
    return;
  if (pipe2(error, O_CLOEXEC) != 0) {
    close(out[0]);
    close(out[1]);
    return;
  }
  pid_t pid = fork();
  if (pid == 0)
    doctor_become(argv, out, error);
  close(out[1]);
  close(error[1]);
  if (pid > 0) {
    if (doctor_read_child(c, out[0], error[0], clock_monotonic() + seconds) != 0)
      kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
      ;
    c->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  close(out[0]);
  close(error[0]);
}

void doctor_child_release(struct doctor_child *c) {
  buf_release(&c->out);
  buf_release(&c->error);
}

void doctor_child_line(const struct doctor_child *c, char *line, size_t room) {
  const struct buf *b = c->error.len ? &c->error : &c->out;
  snprintf(line, room, "%.*s", (int)strcspn(b->len ? b->data : "", "\n"), b->len ? b->data : "");
}
