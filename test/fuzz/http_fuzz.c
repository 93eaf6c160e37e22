/* http_fuzz.c: any bytes as a server's answer, over a real connection: it ends as an answer or with a reason, no field is
 * longer than its room, and a second answer on the same client is read as it is.  Behind a byte 1 at the start what follows
 * is one Retry-After alone, so that dates are reached at once. */
#include "net/fetch.h"
#include "net/http.h"

#include <math.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static struct http *client;
static struct {
  int listener;
  unsigned port;
  pthread_mutex_t lock; /* of answer: the client may open another connection after it has failed */
  struct buf answer;
} server = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Reads a request's head, gives the answer, closes. */
static void *serve(void *arg) {
  char head[8192];
  for (;;) {
    int fd = accept(server.listener, NULL, NULL);
    if (fd < 0)
      return arg;
    for (size_t n = 0; n + 4 < sizeof head && (n < 4 || memcmp(head + n - 4, "\r\n\r\n", 4) != 0);) {
      ssize_t got = read(fd, head + n, 1);
      if (got <= 0)
        break;
      n += (size_t)got;
    }
    pthread_mutex_lock(&server.lock);
    send(fd, server.answer.data, server.answer.len, MSG_NOSIGNAL);
    pthread_mutex_unlock(&server.lock);
    close(fd);
  }
}

static void start(void) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t len = sizeof at;
  pthread_t thread;
  server.listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (bind(server.listener, (const void *)&at, sizeof at) != 0 || listen(server.listener, 16) != 0 ||
      getsockname(server.listener, (void *)&at, &len) != 0 || pthread_create(&thread, NULL, serve, NULL) != 0)
    abort();
  server.port = ntohs(at.sin_port);
  buf_init(&server.answer, 1 << 20);
  client = http_new();
}

static void ask(struct http_response *r) {
  char url[64];
  snprintf(url, sizeof url, "http://127.0.0.1:%u/x", server.port);
  struct http_request q = {.url = url, .max_body = 65536, .allow_plain = 1, .allow_private = 1, .timeout = 5};
  http_perform(client, &q, r);
}

static void check(const struct http_response *r) {
  if (r->body.len > 65536 || strlen(r->content_type) >= sizeof r->content_type ||
      strlen(r->etag) >= sizeof r->etag || strlen(r->redirect) >= sizeof r->redirect)
    abort();
  if (r->error == HTTP_FINE ? r->status < 100 || r->status > 999 : !r->why.text[0])
    abort();
  if (isnan(r->retry_after) || (r->retry_after < 0 && r->retry_after != -1))
    abort();
  double wait = http_backoff(r, 3, FETCH_RETRY_MOST);
  if (!(wait >= 0 && wait <= FETCH_RETRY_MOST))
    abort();
}

static void answer_with(const char *head, const void *rest, size_t len, const char *tail) {
  pthread_mutex_lock(&server.lock);
  buf_clear(&server.answer);
  buf_add_str(&server.answer, head);
  buf_add(&server.answer, rest, len);
  buf_add_str(&server.answer, tail);
  pthread_mutex_unlock(&server.lock);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct http_response r;
  if (!server.port)
    start();
  http_response_init(&r);
  if (size && data[0] == 1)
    answer_with("HTTP/1.1 503 x\r\nContent-Length: 0\r\nRetry-After: ", data + 1, size - 1, "\r\n\r\n");
  else
    answer_with("", data, size, "");
  ask(&r);
  check(&r);
  answer_with("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", "hello", 5, "");
  ask(&r);
  if (r.error != HTTP_FINE || r.status != 200 || r.body.len != 5)
    abort();
  http_response_release(&r);
  return 0;
}
