/* fetch_secret.h: API keys in addresses, and out of everything that is printed or stored. */
#ifndef BID_FETCH_SECRET_H
#define BID_FETCH_SECRET_H

#include "base/buf.h"

/* Appends text percent-encoded, as a value in a URL's query. */
void fetch_secret_escape(struct buf *out, const char *text);

/* Replaces every occurrence of the secret in b by "REDACTED": in either case, and as addresses, JSON and HTML escape it.
 * NULL and secrets of a byte or two, which would mutilate words, are no secrets. */
void fetch_redact(struct buf *b, const char *secret);

/* The same in a body that was truncated, whose end may be the beginning of the secret. */
void fetch_redact_cut(struct buf *b, const char *secret);

int fetch_secret_is_in(const char *text, const char *secret);

/* The same in a string of `room` bytes; truncated where it grows beyond them. */
void fetch_redact_text(char *text, size_t room, const char *secret);

#endif
