#include "net/http_retry.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int http_worth_retry(const struct http_response *r) {
  switch (r->error) {
  case HTTP_FINE:
    return r->status == 408 || r->status == 429 || (r->status >= 500 && r->status != 501 && r->status != 505);
  case HTTP_TIMED_OUT:
  case HTTP_NO_CONNECT:
  case HTTP_NO_HOST:
  case HTTP_BROKEN:
    return 1;
  default:
    return 0;
  }
}

double http_haste(void) {
  const char *to = getenv("BID_CONNECT_TO"), *set = getenv("BID_HASTE");
  double haste = to && set && strncmp(to, "127.0.0.1:", 10) == 0 ? strtod(set, NULL) : 1;
  return haste > 1 && haste <= 1000 ? haste : 1;
}

/* A fraction in [0, 1) that differs between processes and calls, for jitter. */
static double fraction(void) {
  static uint64_t state;
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  state = state * 6364136223846793005u + (uint64_t)t.tv_nsec * 2 + (uint64_t)getpid() * 4 + 1;
  return (double)(state >> 11) / 9007199254740992.0;
}

double http_backoff(const struct http_response *r, unsigned attempt, double most) {
  double ceiling = 0.5;
  if (r->retry_after >= 0)
    return r->retry_after < most ? r->retry_after : most;
  for (unsigned i = 1; i < attempt && ceiling < most; i++)
    ceiling *= 2;
  if (ceiling > most)
    ceiling = most;
  return ceiling * (0.5 + 0.5 * fraction()) / http_haste();
}
