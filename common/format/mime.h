/* mime.h: parsing mail messages: header fields, encodings, parts.
 *
 * Formats: RFC 5322 (messages), RFC 2045 to 2047 (MIME, encoded words), RFC 4155 (mailboxes), RFC 2231 (attachment
 * names, without continuations).
 */
#ifndef BID_MIME_H
#define BID_MIME_H

#include "base/buf.h"

/* A message or a part of one, as slices of its bytes. */
struct mime_entity {
  struct slice header, body;
};

/* Whether bytes begin like a message: with header fields, among them two that every mail has (From, To, Subject,
 * Date).  Typed memoranda begin like that too, so unless the content is declared as mail, it must also have a field
 * that only mail programs write. */
int mime_is_message(struct slice bytes, int declared);

/* Whether bytes are a mailbox: a "From " line followed by a message. */
int mime_is_mailbox(struct slice bytes);

/* The next message of a mailbox; start with *at 0.  1, or 0 at the end. */
int mime_next_message(struct slice mailbox, size_t *at, struct slice *message);

/* Splits header and body at the first empty line. */
struct mime_entity mime_split(struct slice bytes);

/* Appends a field's value as UTF-8, unfolded and with encoded words decoded.  1, or 0 where it is absent. */
int mime_field(struct slice header, const char *name, struct buf *out);

/* Appends a parameter of such a value ("text/plain; charset=x"): boundary, charset, filename.  1 or 0. */
int mime_parameter(struct slice field, const char *name, struct buf *out);

/* The next part between boundaries; start with *at 0.  1, or 0 at the end. */
int mime_next_part(struct slice body, struct slice boundary, size_t *at, struct slice *part);

/* Appends a body, decoded from quoted-printable or base64 (blanks skipped), else unchanged. */
void mime_decode(struct slice body, struct slice encoding, struct buf *out);

#endif
