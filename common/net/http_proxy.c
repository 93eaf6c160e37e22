#include "net/http_proxy.h"

#include "base/slice.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *first_set(const char *const names[]) {
  for (; *names; names++) {
    const char *value = getenv(*names);
    if (value && *value)
      return value;
  }
  return NULL;
}

static struct slice host_of(const char *url) {
  const char *host = strstr(url, "://");
  host = host ? host + 3 : url;
  size_t len = *host == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":/?#");
  while (len > 0 && host[len - 1] == '.')
    len--;
  return slice_of(host, len);
}

/* Whether the host is the name, or ends in it after a dot. */
static int is_within(struct slice host, const char *name, size_t len) {
  for (; len > 0 && *name == '.'; len--)
    name++;
  for (; len > 0 && name[len - 1] == '.'; len--)
    ;
  if (len == 0 || len > host.len || strncasecmp(host.data + host.len - len, name, len) != 0)
    return 0;
  return len == host.len || host.data[host.len - len - 1] == '.';
}

int http_goes_by_proxy(const char *url) {
  if (!first_set((const char *const[]){"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", NULL}))
    return 0;
  const char *but = first_set((const char *const[]){"no_proxy", "NO_PROXY", NULL});
  struct slice host = host_of(url);
  if (but && strcmp(but, "*") == 0)
    return 0;
  for (; but && *but; but += strspn(but, ", ")) {
    size_t len = strcspn(but, ", ");
    if (is_within(host, but, len))
      return 0;
    but += len;
  }
  return 1;
}
