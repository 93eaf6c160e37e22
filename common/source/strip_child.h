/* strip_child.h: a body as readable text, by bid-strip as a child process: bid-fetch links no readers. */
#ifndef BID_STRIP_CHILD_H
#define BID_STRIP_CHILD_H

#include "base/buf.h"
#include "base/error_text.h"

/* Appends the text of `bytes`, whose declared type (NULL: none) decides where the bytes don't.  0, or -1 with *e: the
 * program can't be run, the type can't be read, or holds no text. */
int strip_child_text(struct slice bytes, const char *content_type, struct buf *out, struct error_text *e);

#endif
