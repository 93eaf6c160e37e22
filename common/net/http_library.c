/* http_library.c: loads libcurl on first use. */
#include "net/http_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sysexits.h>

#include "base/diag.h"

static struct http_library loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void http_library_load(void) {
  /* RTLD_GLOBAL, since http_tls.c looks up functions of the TLS library by name. */
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_GLOBAL);
  if (!library) {
    diag_warn("libcurl can't be loaded (%s): install it, in Debian the package libcurl4", dlerror());
    exit(EX_UNAVAILABLE);
  }
#define F(name)                                                                                              \
  *(void **)&loaded.name = dlsym(library, "curl_" #name);                                                    \
  if (!loaded.name) {                                                                                        \
    diag_warn("libcurl has no curl_" #name ": install a newer one");                                         \
    exit(EX_UNAVAILABLE);                                                                                    \
  }
  HTTP_LIBRARY(F)
#undef F
}

const struct http_library *http_library(void) {
  pthread_once(&once, http_library_load);
  return &loaded;
}
