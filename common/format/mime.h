/* mime.h: mail messages taken apart: header fields, encodings, parts.
 *
 * Formats: RFC 5322 (messages), RFC 2045 to 2047 (MIME, encoded words), RFC 4155 (mailboxes), RFC 2231 (names of
 * attachments, without continuations).
 */
#ifndef BID_MIME_H
#define BID_MIME_H

#include "base/buf.h"

/* A message or a part of one; slices of its bytes. */
struct mime_entity {
  struct slice header, body;
};

/* Whether bytes begin as a message does: with lines of fields, among them two that every mail has (From, To, Subject,
 * Date).  A memorandum begins so too: unless it is declared a mail, one has to be there that only programs write. */
int mime_is_message(struct slice bytes, int declared);

/* Whether bytes are a mailbox: "From " at the start, and a message behind that line. */
int mime_is_mailbox(struct slice bytes);

/* The next message of a mailbox; *at is 0 at first.  1, or 0 at the end. */
int mime_next_message(struct slice mailbox, size_t *at, struct slice *message);

/* Header and body, separated by the first empty line. */
struct mime_entity mime_split(struct slice bytes);

/* Appends a field's text as UTF-8, unfolded, encoded words decoded.  1, or 0 where it is absent. */
int mime_field(struct slice header, const char *name, struct buf *out);

/* Appends a parameter of such a field's text ("text/plain; charset=x"): boundary, charset, filename.  1 or 0. */
int mime_parameter(struct slice field, const char *name, struct buf *out);

/* The next part between boundaries; *at is 0 at first.  1, or 0 at the end. */
int mime_next_part(struct slice body, struct slice boundary, size_t *at, struct slice *part);

/* Appends a body decoded from quoted-printable, base64 (blanks skipped) or as it is. */
void mime_decode(struct slice body, struct slice encoding, struct buf *out);

#endif
