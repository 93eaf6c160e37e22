/* json_projection.h: cutting the asked-for parts out of a JSON body before libjq sees it, and keeping the digits of
 * numbers through libjq; bid-connectors(5), "Narrowing".
 *
 * libjq 1.6 holds numbers as doubles and prints them in its own way.  A number that would not come out as it
 * went in is handed over as a string that begins with U+FDD0 (a non-character, so no text of a source has
 * it by right), and becomes the number again when a payload is written.
 */
#ifndef BID_JSON_PROJECTION_H
#define BID_JSON_PROJECTION_H

#include "base/buf.h"
#include "base/diag.h"

/* Appends a valid JSON text with its delicate numbers marked. */
void json_projection_copy(struct slice json, struct buf *out);

/* Appends the object of the parts that `select` (valid JSON) asks for, out of `body` (valid JSON), marked.
 * 0, or -1 with why where select is malformed. */
int json_projection_select(struct slice body, struct slice select, struct buf *out, struct error_text *why);

/* Appends a JSON text with marked numbers turned back. */
void json_projection_unmark(struct slice json, struct buf *out);

#endif
