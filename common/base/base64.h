/* base64.h: RFC 4648 section 4, with padding, no line breaks. */
#ifndef BID_BASE64_H
#define BID_BASE64_H

#include "base/buf.h"

/* Appends the encoding of data. */
void base64_add(struct buf *out, const void *data, size_t len);

/* Appends the decoded bytes.  0, or -1 on a byte outside the alphabet, wrong padding or wrong length; out is then
 * unchanged. */
int base64_decode(struct slice text, struct buf *out);

#endif
