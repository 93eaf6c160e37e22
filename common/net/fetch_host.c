#include "net/fetch_host.h"
#include "net/fetch.h"

#include <ctype.h>
#include <string.h>

static int host_end(char c) {
  return c == '\0' || c == '/' || c == '?' || c == '#';
}

int fetch_host(const char *url, char *host, size_t room) {
  size_t n = 0, len = strlen(url);
  if (strncmp(url, "https://", 8) != 0 || len >= FETCH_URL_MAX)
    return -1;
  for (const char *p = url; *p; p++)
    if ((unsigned char)*p <= ' ' || *p == 0x7f || *p == '\\')
      return -1;
  const char *p = url + 8;
  for (; !host_end(*p) && *p != ':'; p++) {
    if ((!isalnum((unsigned char)*p) && *p != '-' && *p != '.') || n + 1 >= room)
      return -1;
    if (*p == '.' && (n == 0 || host[n - 1] == '.'))
      return -1;
    host[n++] = (char)tolower((unsigned char)*p);
  }
  host[n] = '\0';
  if (n > 0 && host[n - 1] == '.') /* a trailing dot names the same host but would bypass its rate limit */
    return -1;
  if (strncmp(p, ":443", 4) == 0)
    p += 4;
  return n > 0 && host_end(*p) ? 0 : -1;
}

static int ends_in(const char *host, const char *tail) {
  size_t a = strlen(host), b = strlen(tail);
  return a > b && strcmp(host + a - b, tail) == 0;
}

int fetch_host_declared(const char *host, const char *const *hosts) {
  for (; hosts && *hosts; hosts++)
    if (strcmp(host, *hosts) == 0 || ((*hosts)[0] == '*' && (*hosts)[1] == '.' && ends_in(host, *hosts + 1)))
      return 1;
  return 0;
}

int fetch_host_same(const char *a, const char *b) {
  char x[256], y[256];
  return fetch_host(a, x, sizeof x) == 0 && fetch_host(b, y, sizeof y) == 0 && strcmp(x, y) == 0;
}

int fetch_host_is_in(const char *host, const char *domain) {
  size_t a = strlen(host), b = strlen(domain);
  return strcmp(host, domain) == 0 || (ends_in(host, domain) && host[a - b - 1] == '.');
}
