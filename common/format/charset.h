/* charset.h: bytes of a page or a text to UTF-8. */
#ifndef BID_CHARSET_H
#define BID_CHARSET_H

#include "base/buf.h"

/* The text as valid UTF-8 without a byte order mark: a slice of `bytes` itself where nothing is to be
 * changed, else of `out` (cleared first).  Never fails: a name that is not known is read as windows-1252,
 * bytes that are wrong for their encoding are read as windows-1252 or become U+FFFD, and what passes out's
 * ceiling is left out (out->overflow). */
struct slice charset_to_utf8(struct slice bytes, const char *charset, struct buf *out);

/* To be called before a sandbox is entered: afterwards an encoding that is not loaded is read as windows-1252. */
void charset_prepare(void);

#define CHARSET_NAME 40

/* The same of `bytes` whose encoding is to be found: a byte order mark, else `declared` (by the transport; may be
 * NULL), else where `markup` is true a <meta> or an XML declaration of the first 1024 bytes (the standard's own
 * limit), else what the bytes look like. */
struct slice charset_read(struct slice bytes, const char *declared, int markup, struct buf *out);

/* Appends bytes as UTF-8: as they are where they are valid UTF-8 (a byte order mark is dropped), else read as
 * windows-1252.  NUL and other control bytes but tab, CR, LF and FF, and bytes without a meaning, become spaces. */
void charset_clean(struct buf *out, struct slice bytes);

#endif
