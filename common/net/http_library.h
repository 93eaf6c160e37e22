/* http_library.h: libcurl, loaded at the first transfer.
 *
 * Programs that rarely contact a server (bid-search, bid-index) would otherwise load it and its forty libraries at
 * every start: 5 of 7 ms of `bid-search --version`.  Only the files of http.h include this.
 */
#ifndef BID_HTTP_LIBRARY_H
#define BID_HTTP_LIBRARY_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

/* The functions of libcurl that are called, without their prefix "curl_". */
#define HTTP_LIBRARY(F)                                                                                      \
  F(easy_cleanup)                                                                                            \
  F(easy_getinfo)                                                                                            \
  F(easy_init)                                                                                               \
  F(easy_setopt)                                                                                             \
  F(easy_strerror)                                                                                           \
  F(getdate)                                                                                                 \
  F(global_init)                                                                                             \
  F(multi_add_handle)                                                                                        \
  F(multi_cleanup)                                                                                           \
  F(multi_info_read)                                                                                         \
  F(multi_init)                                                                                              \
  F(multi_perform)                                                                                           \
  F(multi_poll)                                                                                              \
  F(multi_remove_handle)                                                                                     \
  F(slist_append)                                                                                            \
  F(slist_free_all)

struct http_library {
#define F(name) __typeof__(curl_##name) *name;
  HTTP_LIBRARY(F)
#undef F
};

/* Loads the library once; ends the program with a message (EX_UNAVAILABLE) where it can't be loaded. */
const struct http_library *http_library(void);

#endif
