/* charset.h: decodes pages and texts of any character encoding to UTF-8. */
#ifndef BID_CHARSET_H
#define BID_CHARSET_H

#include "base/buf.h"

/* Decodes bytes in a known encoding to valid UTF-8 without a byte order mark: a slice of `bytes` itself where nothing
 * changes, else of `out` (cleared first).  Never fails: an unknown encoding name means windows-1252, invalid bytes
 * are read as windows-1252 or become U+FFFD, and text beyond out's ceiling is dropped (out->overflow). */
struct slice charset_to_utf8(struct slice bytes, const char *charset, struct buf *out);

/* Loads encoding tables; call before entering a sandbox.  Afterwards an encoding that is not loaded is read as
 * windows-1252. */
void charset_prepare(void);

#define CHARSET_NAME 40

/* The same, detecting the encoding: a byte order mark, else `declared` (by the transport; may be NULL), else, with
 * `markup`, a <meta> or XML declaration in the first 1024 bytes (the standard's limit), else a guess from the bytes. */
struct slice charset_read(struct slice bytes, const char *declared, int markup, struct buf *out);

/* "UTF-16LE" or "UTF-16BE" if the bytes are such text, judging by their byte order mark or their first
 * characters; else NULL. */
const char *charset_utf16(struct slice bytes);

/* Appends bytes as UTF-8: unchanged where they are valid UTF-8 (without a byte order mark), else read as
 * windows-1252.  NUL bytes go; control characters except tab, CR, LF and FF become spaces. */
void charset_clean(struct buf *out, struct slice bytes);

#endif
