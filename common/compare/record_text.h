/* record_text.h: the text of a document record, or an item of it, out of a file. */
#ifndef BID_RECORD_TEXT_H
#define BID_RECORD_TEXT_H

#include "base/buf.h"
#include "base/diag.h"

/* Reads a file that holds a document record on its first line, or text.  item: as in bid-strip's --items, of records
 * only; NULL for all.  text gets the text, json the record's line without its text.  0, or -1 with why. */
int record_text_read(int fd, const char *item, struct buf *text, struct buf *json, struct error_text *why);

#endif
