#include "net/http_head.h"

#include "net/http_library.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#define HEADERS_MAX ((size_t)256 << 10)
#define LENGTH_DIGITS 18 /* of Content-Length */

static const char *skip_blanks(const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\t'))
    at++;
  return at;
}

/* Copies the value of the named header, "" where it doesn't fit.  1 where it was copied, -1 where it doesn't fit, 0
 * for any other header. */
static int take_header(const char *line, size_t len, const char *name, char *out, size_t room) {
  size_t n = strlen(name);
  const char *end = line + len, *at = len > n ? skip_blanks(line + n, end) : end;
  if (at == end || *at != ':' || strncasecmp(line, name, n) != 0)
    return 0;
  at = skip_blanks(at + 1, end);
  while (end > at && strchr(" \t\r\n", end[-1]))
    end--;
  size_t size = (size_t)(end - at) < room ? (size_t)(end - at) : 0;
  memcpy(out, at, size);
  out[size] = '\0';
  return at + size == end ? 1 : -1;
}

/* Retry-After: seconds, or an HTTP date (RFC 9110, 10.2.3). */
static double retry_seconds(const char *text) {
  char *end;
  double seconds = strtod(text, &end);
  if (end != text && seconds >= 0 && isfinite(seconds))
    return seconds;
  time_t when = http_library()->getdate(text, NULL);
  if (when < 0)
    return -1;
  double left = difftime(when, time(NULL));
  return left > 0 ? left : 0;
}

/* Whether a body has an encoding other than one layer of gzip, which is undone here and the only one requested.
 * libcurl also undoes a Transfer-Encoding of gzip but accepts a truncated one. */
static int is_unasked(struct http_head *h, int packed, const char *encoding, int coded,
                      const char *transfer) {
  if (coded < 0 ||
      (*transfer && strcasecmp(transfer, "chunked") != 0 && strcasecmp(transfer, "identity") != 0))
    return 1;
  if (packed >= 0 && (!*encoding || strcasecmp(encoding, "identity") == 0))
    return 0;
  if (h->gzip || (strcasecmp(encoding, "gzip") != 0 && strcasecmp(encoding, "x-gzip") != 0))
    return 1;
  h->gzip = 1;
  return 0;
}

/* Whether libcurl would use only a part of a header about framing, or none of it: it ignores one with a blank before its
 * colon, and a length of more than 63 bits. */
static int is_misread(const char *line, size_t len, int sized, const char *length, int coded) {
  const char *colon = memchr(line, ':', len);
  return ((sized || coded) && colon && colon > line && strchr(" \t", colon[-1])) || sized < 0 ||
         length[strspn(length, "0123456789")] || strlen(length) > LENGTH_DIGITS;
}

/* Records the encoding of the body and whether its end will be recognisable.  -1 where a length is not a number or
 * contradicts an earlier one, since libcurl would use its leading digits; also for obsolete line folding (RFC 9112,
 * 5.2). */
static int on_framing(struct http_head *h, const char *line, size_t len) {
  char encoding[32] = "", length[32] = "", transfer[32] = "";
  if (h->says_framing && (line[0] == ' ' || line[0] == '\t'))
    return -1;
  int packed = take_header(line, len, "content-encoding", encoding, sizeof encoding);
  int sized = take_header(line, len, "content-length", length, sizeof length);
  int coded = take_header(line, len, "transfer-encoding", transfer, sizeof transfer);
  h->says_framing = packed || sized || coded;
  int chunked = strcasecmp(transfer, "chunked") == 0;
  h->framed |= *length || chunked;
  h->unchunked |= *transfer && !chunked;
  if (is_misread(line, len, sized, length, coded) ||
      (*length && *h->length && strcmp(length, h->length) != 0))
    return -1;
  if (*length)
    memcpy(h->length, length, sizeof length);
  h->unasked |= is_unasked(h, packed, encoding, coded, transfer);
  return h->unchunked && *h->length ? -1 : 0;
}

/* The status line; earlier ones may have come before it, such as 103 (Early Hints). */
static void begin_head(struct http_head *h, struct http_response *r) {
  *h = (struct http_head){.bytes = h->bytes};
  r->content_type[0] = r->etag[0] = r->last_modified[0] = '\0';
}

enum http_error http_head_line(struct http_head *h, const char *line, size_t len, struct http_response *r) {
  char retry[64] = "";
  int first = h->bytes == 0 || h->is_whole;
  h->bytes += len;
  if (h->bytes > HEADERS_MAX)
    return HTTP_BIG_HEADER;
  if (first && len >= 5 && memcmp(line, "HTTP/", 5) == 0)
    begin_head(h, r);
  else if (h->is_whole) /* a trailer after the body: ignored */
    return HTTP_FINE;
  h->is_whole = len <= 2 && (line[0] == '\r' || line[0] == '\n');
  h->misframed = on_framing(h, line, len) != 0;
  if (h->misframed)
    return HTTP_BROKEN;
  take_header(line, len, "content-type", r->content_type, sizeof r->content_type);
  take_header(line, len, "etag", r->etag, sizeof r->etag);
  take_header(line, len, "last-modified", r->last_modified, sizeof r->last_modified);
  take_header(line, len, "retry-after", retry, sizeof retry);
  if (*retry)
    r->retry_after = retry_seconds(retry);
  return HTTP_FINE;
}
