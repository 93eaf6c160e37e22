/* json_numbers.h: preserves the digits of numbers through libjq.
 *
 * libjq 1.6 stores numbers as doubles and prints them in its own format.  A number that would be changed is passed as
 * a string that begins with U+FDD0 (a non-character, which no valid text contains) and turned back into a number when
 * a payload is written.
 */
#ifndef BID_JSON_NUMBERS_H
#define BID_JSON_NUMBERS_H

#include "base/buf.h"

/* Appends a valid JSON text with such numbers marked.  out->overflow tells where it doesn't fit. */
void json_numbers_mark(struct slice json, struct buf *out);

/* Appends a JSON text with marked numbers restored. */
void json_numbers_restore(struct slice json, struct buf *out);

#endif
