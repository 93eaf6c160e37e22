/* file_url.h: a local file as the URL by which its document is known.
 *
 * "file://" and the absolute path as it is, but for '%', '#' and bytes that are not UTF-8, which are percent-encoded: a
 * '#' begins the name of a part, and JSON has no other bytes, so that two files would have one URL.
 */
#ifndef BID_FILE_URL_H
#define BID_FILE_URL_H

#include "base/buf.h"

/* Appends the URL of the file at path. */
void file_url_add(struct buf *out, const char *path);

/* Appends text with the bytes percent-encoded that are not UTF-8, or that are in `also`. */
void file_url_escape(struct buf *out, const char *text, const char *also);

/* Whether this is the URL of a local file. */
int file_url_is(struct slice url);

/* The path of the file that a URL of file_url_add() names, also with a part behind '#'; any other text as it is.
 * Allocated. */
char *file_url_path(struct slice url);

#endif
