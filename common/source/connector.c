#include "source/connector.h"
#include "source/connector_process.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static void stop(struct connector *c) {
  if (c->pid <= 0)
    return;
  close(c->socket);
  kill((pid_t)c->pid, SIGKILL);
  while (waitpid((pid_t)c->pid, NULL, 0) < 0 && errno == EINTR)
    ;
  c->pid = 0;
  c->socket = -1;
}

/* Starts a process for that function unless one is running. */
static int connector_start_for(struct connector *c, enum connector_function f) {
  int declares = f == CONNECTOR_DECLARE;
  if (c->pid > 0 && c->declares == declares)
    return 0;
  stop(c);
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    return -1;
  int size = 1 << 20;
  setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  setsockopt(pair[1], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  pid_t pid = fork();
  if (pid == 0)
    connector_serve(c->path, declares, pair[1]);
  close(pair[1]);
  if (pid < 0) {
    close(pair[0]);
    return -1;
  }
  c->pid = pid;
  c->declares = declares;
  c->socket = pair[0];
  return 0;
}

static void answer_key(const struct connector *c, enum connector_function f, struct slice input,
                       char key[DIGEST_HEX]) {
  struct digest d;
  uint8_t digest[DIGEST_SIZE];
  char function = (char)f;
  digest_start(&d);
  digest_add(&d, "answer", 7);
  digest_add(&d, c->fingerprint, DIGEST_HEX);
  digest_add(&d, &function, 1);
  digest_add(&d, input.data, input.len);
  digest_end(&d, digest);
  digest_hex(digest, DIGEST_SIZE, key);
}

static int take_kept(const struct connector *c, const char *key, struct buf *out) {
  struct cache_entry e;
  int found = c->kept && cache_find(c->kept, key, &e) && cache_read(c->kept, &e, out) == 0;
  if (!found)
    buf_clear(out);
  return found;
}

/* Failing to cache an answer is harmless. */
static void connector_keep(struct connector *c, const char *key, const struct buf *answer) {
  struct cache_writer w;
  struct cache_entry e = {.content_type = "application/json"};
  struct error_text why;
  if (!c->kept || answer->len > CONNECTOR_KEPT_MAX || cache_write_start(c->kept, &w, &why) != 0)
    return;
  if (cache_write(&w, answer->data, answer->len) == 0)
    cache_write_commit(c->kept, &w, key, "", &e, &why);
  cache_write_drop(&w);
}

struct connector *connector_open(const char *name, const char *path, struct cache *kept) {
  struct connector *c = xcalloc(1, sizeof *c);
  c->name = xstrdup(name);
  c->path = xstrdup(path);
  c->socket = -1;
  if (connector_fingerprint(c) == 0)
    c->kept = kept; /* otherwise it would be given what another connector declared or returned */
  return c;
}

void connector_start(struct connector *c) {
  char key[DIGEST_HEX];
  struct cache_entry e;
  answer_key(c, CONNECTOR_DECLARE, slice_str("null"), key);
  if (!(c->kept && cache_find(c->kept, key, &e)))
    connector_start_for(c, CONNECTOR_DECLARE);
}

void connector_close(struct connector *c) {
  if (!c)
    return;
  stop(c);
  free(c->name);
  free(c->path);
  free(c);
}

/* Whether the process exceeds its memory limit; only needed where RLIMIT_AS can't be set. */
static int too_large(const struct connector *c) {
  char path[64], text[128] = "";
  unsigned long long pages = 0;
  snprintf(path, sizeof path, "/proc/%ld/statm", c->pid);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
  if (fd >= 0)
    close(fd);
  return n > 0 && sscanf(text, "%*u %llu", &pages) == 1 &&
         pages * (unsigned long long)sysconf(_SC_PAGESIZE) > CONNECTOR_MEMORY;
}

/* Waits for input until the deadline.  1, 0 after the deadline, -1 on an error. */
static int wait_readable(const struct connector *c, double deadline) {
  for (;;) {
    double left = deadline - clock_monotonic();
    struct pollfd p = {c->socket, POLLIN, 0};
    int n = left > 0 ? poll(&p, 1, left < 0.2 ? (int)(left * 1000) + 1 : 200) : 0;
    if (n > 0 || left <= 0)
      return n;
    if ((n < 0 && errno != EINTR) || (n == 0 && too_large(c)))
      return -1;
  }
}

static int receive(struct connector *c, void *data, size_t len, double deadline) {
  for (char *at = data; len > 0;) {
    int ready = wait_readable(c, deadline);
    if (ready <= 0)
      return ready == 0 ? 0 : -1;
    ssize_t n = read(c->socket, at, len);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return -1;
    at += n;
    len -= (size_t)n;
  }
  return 1;
}

/* Sends a call and reads its answer.  1, 0 after the deadline, -1 where the process died. */
static int exchange(struct connector *c, enum connector_function f, struct slice input,
                    struct connector_message *m, struct buf *out) {
  struct connector_message ask = {input.len, (int32_t)f, 0};
  if (slice_send(slice_of((const char *)&ask, sizeof ask), c->socket) != 0 ||
      slice_send(input, c->socket) != 0)
    return -1;
  double deadline = clock_monotonic() + CONNECTOR_SECONDS;
  int got = receive(c, m, sizeof *m, deadline);
  if (got != 1 || m->len > CONNECTOR_ANSWER_MAX || buf_reserve(out, m->len) != 0)
    return got == 1 ? -1 : got;
  got = receive(c, out->data, m->len, deadline);
  out->len = got == 1 ? m->len : 0;
  if (out->data)
    out->data[out->len] = '\0';
  return got;
}

static void cut_out(char *text, const char *what) {
  char *at = strstr(text, what);
  if (at)
    memmove(at, at + strlen(what), strlen(at + strlen(what)) + 1);
}

/* Removes the parts of libjq's message that only concern its command line. */
static void say_fault(struct buf *text, struct error_text *why) {
  char empty[1] = "", *at = text->data ? text->data : empty;
  char *end = strstr(at, "; jq: 1 compile error");
  if (end)
    *end = '\0';
  if (*at) {
    char *ours = strstr(at, CONNECTOR_CHOICE), *comma = ours;
    while (comma && comma > at && *comma != ',')
      comma--;
    if (ours)
      memmove(comma, "; is its last definition complete?", sizeof "; is its last definition complete?");
    cut_out(at, "jq: error: ");
    cut_out(at, " (Unix shell quoting issues?)");
    cut_out(at, " at <top-level>");
  }
  for (char *p = at; *p; p++)
    if (*p == '\n' || *p == '\t')
      *p = ' ';
  for (size_t len = strlen(at); len > 0 && at[len - 1] == ' '; len--)
    at[len - 1] = '\0';
  error_set(why, "broken connector: %s", at);
}

int connector_call(struct connector *c, enum connector_function f, struct slice input, struct buf *out,
                   struct error_text *why) {
  struct connector_message m;
  char key[DIGEST_HEX];
  buf_clear(out);
  if (f != CONNECTOR_ROW) { /* rows are too many to cache, and cheap */
    answer_key(c, f, input, key);
    if (take_kept(c, key, out))
      return 0;
  }
  if (connector_start_for(c, f) != 0) {
    error_set(why, "the connector's process cannot start: %s", strerror(errno));
    return -1;
  }
  int got = exchange(c, f, input, &m, out);
  if (got == 1 && m.what == 0) {
    if (f != CONNECTOR_ROW)
      connector_keep(c, key, out);
    return 0;
  }
  if (got == 1) {
    say_fault(out, why);
    return -1;
  }
  stop(c);
  if (got == 0)
    error_set(why, "the connector gave no answer within %d seconds", CONNECTOR_SECONDS);
  else
    error_set(why, "the connector's process died (out of memory, or too deep)");
  return -1;
}
