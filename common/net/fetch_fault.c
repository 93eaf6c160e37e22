/* fetch_fault.c: answers that are errors, among them the SEC's. */
#include "net/fetch_fault.h"

#include "record/error.h"

#include <stdio.h>

int fetch_fault(struct fetch_result *r, const char *category, const char *format, ...) {
  char text[sizeof r->message.text];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  error_set(&r->message, "%s", text);
  r->category = category;
  return -1;
}

static int contains(const struct buf *b, const char *text) {
  return b->len && memmem(b->data, b->len, text, strlen(text)) != NULL;
}

enum fetch_sec_answer fetch_sec_answer_of(long status, double retry_after, const struct buf *body) {
  if (status == 200 && body->len >= FETCH_OTHER_MAX)
    return SEC_PLAIN; /* its pages are about 5 KB */
  if ((status == 429 && retry_after < 0) ||
      contains(body, "<title>SEC.gov | Request Rate Threshold Exceeded"))
    return SEC_BLOCKED;
  if (contains(body, "<title>SEC.gov | Your Request Originates from an Undeclared"))
    return SEC_NAMELESS;
  if ((status == 403 && contains(body, "<Code>AccessDenied</Code>")) ||
      (status == 404 && contains(body, "<Code>NoSuchKey</Code>")))
    return SEC_MISSING;
  return SEC_PLAIN;
}

int fetch_is_sec(const struct fetch_request *q) {
  return strcmp(q->rule.domain, "sec.gov") == 0;
}

int fetch_fault_of_sec(struct fetch_result *r, const char *url, enum fetch_sec_answer what) {
  if (what == SEC_BLOCKED) {
    r->retry_after = FETCH_BLOCK_SECONDS;
    return fetch_fault(r, ERROR_RATE_LIMITED,
                       "the SEC has sent this host away for being too fast; no process will "
                       "ask it for ten minutes");
  }
  if (what == SEC_NAMELESS) {
    r->exit_status = error_kind_status(FAULT_SETTING);
    return fetch_fault(r, ERROR_AUTH_FAILED,
                       "the SEC wants a user agent with a name and an e-mail address; set "
                       "BID_USER_AGENT to 'Name name@example.org'");
  }
  r->status = 404;
  return fetch_fault(r, ERROR_NO_CONTENT,
                     "there is no such object: %.*s (the SEC's server: access denied or no such key)",
                     (int)strcspn(url, "?#"), url);
}

int fetch_fault_of_status(struct fetch_result *r, const char *url, long status, double retry_after) {
  r->retry_after = retry_after;
  if (status == 404 || status == 410)
    return fetch_fault(r, ERROR_NO_CONTENT, "there is nothing at %.*s (status %ld)", (int)strcspn(url, "?#"),
                       url, status);
  if (status == 401 || status == 403 || status == 407)
    return fetch_fault(r, ERROR_AUTH_FAILED, "the server refused access (status %ld)", status);
  if (status == 429)
    return fetch_fault(r, ERROR_RATE_LIMITED, "too many requests (status 429)");
  if (status >= 400 && status < 500)
    return fetch_fault(r, ERROR_INVALID_REQUEST, "the server refused the request (status %ld)", status);
  return fetch_fault(r, ERROR_UNAVAILABLE, "the server answered with status %ld: %.*s", status,
                     (int)strcspn(url, "?#"), url);
}

int fetch_fault_of_disk(struct fetch_result *r, const char *why) {
  r->exit_status = error_kind_status(FAULT_DISK);
  return fetch_fault(r, error_kind_category(FAULT_DISK), "%s", why);
}

int fetch_fault_of_transfer(struct fetch_result *r, const struct http_response *h) {
  return fetch_fault(r, ERROR_UNAVAILABLE, "%s", h->why.text);
}
