/* http_tls.c: a body without a length ends when the server closes the connection.  TLS distinguishes this from a cut
 * connection by its close_notify alert, but libcurl treats both alike and has no API for it.  OpenSSL is loaded in this
 * process by libcurl, and its info callback reports the alert. */
#include "net/http_tls.h"

#include <dlfcn.h>
#include <string.h>

typedef void info_function(const void *ssl, int where, int value);
struct openssl {
  void (*set_info_callback)(void *context, info_function *f);
  int (*set_ex_data)(void *context, int index, void *data);
  void *(*get_ex_data)(const void *context, int index);
  void *(*context_of)(const void *ssl);
};

/* Looked up by name, since libcurl may use another TLS library.  0, or -1 where it does. */
static int find_openssl(struct openssl *o) {
  static const char *const names[] = {"SSL_CTX_set_info_callback", "SSL_CTX_set_ex_data",
                                      "SSL_CTX_get_ex_data", "SSL_get_SSL_CTX"};
  void *found[4];
  for (int i = 0; i < 4; i++)
    if (!(found[i] = dlsym(RTLD_DEFAULT, names[i])))
      return -1;
  memcpy(o, found, sizeof *o);
  return 0;
}

static void on_tls_event(const void *ssl, int where, int value) {
  enum { READ_ALERT = 0x4004, CLOSE_NOTIFY = 0 };
  struct openssl o;
  if (where != READ_ALERT || (value & 0xff) != CLOSE_NOTIFY || find_openssl(&o) != 0)
    return;
  struct http_tls_watch *w = o.get_ex_data(o.context_of(ssl), 0);
  if (w)
    w->closed(w->arg, ssl);
}

void http_tls_watch(void *context, struct http_tls_watch *w) {
  struct openssl o;
  if (find_openssl(&o) == 0 && o.set_ex_data(context, 0, w))
    o.set_info_callback(context, on_tls_event);
}
