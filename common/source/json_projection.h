/* json_projection.h: extracts the requested parts of a JSON body before libjq parses it; bid-connectors(5),
 * "Narrowing". */
#ifndef BID_JSON_PROJECTION_H
#define BID_JSON_PROJECTION_H

#include "base/buf.h"
#include "base/diag.h"

/* Appends an object with the parts of `body` (valid JSON) that `select` (valid JSON) requests, with numbers marked
 * (json_numbers.h).  0, or -1 with why where select is malformed. */
int json_projection_select(struct slice body, struct slice select, struct buf *out, struct error_text *why);

/* ---- numbers ---- */

/* Preserves the digits of numbers through libjq.
 *
 * libjq 1.6 stores numbers as doubles and prints them in its own format.  A number that would be changed is passed as
 * a string that begins with U+FDD0 (a non-character, which no valid text contains) and turned back into a number when
 * a payload is written.
 */

/* Appends a valid JSON text with such numbers marked.  out->overflow tells where it doesn't fit. */
void json_numbers_mark(struct slice json, struct buf *out);

/* Appends a JSON text with marked numbers restored. */
void json_numbers_restore(struct slice json, struct buf *out);

#endif
