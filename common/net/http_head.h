/* http_head.h: reads the headers of an answer, line by line: what is asked of them, and whether the end of the body will be
 * recognisable.  Private to http.c. */
#ifndef BID_HTTP_HEAD_H
#define BID_HTTP_HEAD_H

#include "net/http.h"

/* Initialised as {0}. */
struct http_head {
  size_t bytes;
  int gzip;         /* the body is packed once, by gzip */
  int unasked;      /* it has an encoding that was not requested */
  int says_framing; /* the last header concerned the framing of the body */
  int framed;       /* headers give the body's length or how it ends */
  int unchunked;    /* a Transfer-Encoding under which libcurl ignores Content-Length */
  int misframed;    /* Content-Length is invalid */
  int is_whole;     /* the end of the headers was received */
  char length[32];  /* the announced Content-Length, or "" */
};

/* Takes a line, with its end.  Earlier heads, such as 103 (Early Hints), are forgotten and trailers ignored.  HTTP_FINE,
 * HTTP_BIG_HEADER or HTTP_BROKEN. */
enum http_error http_head_line(struct http_head *h, const char *line, size_t len, struct http_response *r);

#endif
