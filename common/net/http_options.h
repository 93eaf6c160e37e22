/* http_options.h: what libcurl is told of a request.  Private to http.c. */
#ifndef BID_HTTP_OPTIONS_H
#define BID_HTTP_OPTIONS_H

#include "net/http.h"
#include "net/http_library.h"

/* Limit of the answer's body in bytes. */
uint64_t http_options_body_ceiling(const struct http_request *q);

/* The way to the host: through the user's proxy, or else to public addresses alone, setting *is_private where the host has
 * none. */
void http_options_set_way(CURL *e, const struct http_request *q, int *is_private);

/* The URL, what is sent, and the limits.  Returns the header lines, to be freed after the transfer. */
struct curl_slist *http_options_set(CURL *e, const struct http_request *q);

#endif
