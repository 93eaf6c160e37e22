/* http_tls.h: whether the other side has ended a TLS connection properly. */
#ifndef BID_HTTP_TLS_H
#define BID_HTTP_TLS_H

struct http_tls_watch {
  void (*closed)(void *arg, const void *connection);
  void *arg;
};

/* Calls w->closed() whenever a close_notify alert arrives on a connection of this TLS context, as libcurl gives it to
 * CURLOPT_SSL_CTX_FUNCTION; *w must outlive the context.  Does nothing where libcurl uses another library than
 * OpenSSL. */
void http_tls_watch(void *context, struct http_tls_watch *w);

#endif
