/* record_text.h: reads the text of a document record, or one of its items, from a file. */
#ifndef BID_RECORD_TEXT_H
#define BID_RECORD_TEXT_H

#include "base/buf.h"
#include "base/diag.h"

/* Reads a file that holds text, or a document record on its first line.  item: as in bid-strip's --items, only for
 * records; NULL for all.  text gets the text, json the record's line without its text.  0, or -1 with why. */
int record_text_read(int fd, const char *item, struct buf *text, struct buf *json, struct error_text *why);

#endif
