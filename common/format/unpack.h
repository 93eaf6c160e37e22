/* unpack.h: reading archives and compressed files member by member, in bounded memory, from a descriptor;
 * by libarchive.  Nothing is written to disk and no name of a member is ever used as a path.
 *
 * Known: zip, tar, 7zip, cpio; gzip, bzip2, xz, lzma, zstd, lz4, compress, alone or around those.  Anything
 * else is one member without a name, as it is.
 */
#ifndef BID_UNPACK_H
#define BID_UNPACK_H

#include "base/buf.h"
#include "base/diag.h"

#include <stdint.h>

/* Bytes that come out per byte that goes in, above which an archive is a bomb once UNPACK_FREE bytes are out.
 * Filings and facts stay below 30. */
#define UNPACK_RATIO 150
#define UNPACK_FREE ((uint64_t)1 << 30)

struct unpack;

/* fd stays the caller's, and is read from where it stands (from its start for zip).  NULL with why. */
struct unpack *unpack_open(int fd, struct error_text *why);
/* The same of bytes in memory, which live until unpack_close(). */
struct unpack *unpack_open_bytes(struct slice bytes, struct error_text *why);
void unpack_close(struct unpack *u);

/* The next regular file, or link, which can't be read.  1, 0 at the end, -1 with why.  *name is "" for the lone member of what is no
 * archive; it lives until the next call.  What was not read of the last one is skipped. */
int unpack_next(struct unpack *u, const char **name, struct error_text *why);

/* The next bytes of the member: *data and *len, which live until the next call.  1, 0 at its end, -1 with
 * why. */
int unpack_read(struct unpack *u, const void **data, size_t *len, struct error_text *why);

/* The whole member into out (appended).  0, or -1 with why (also past out's ceiling). */
int unpack_all(struct unpack *u, struct buf *out, struct error_text *why);

/* Bytes that came out so far. */
uint64_t unpack_bytes(const struct unpack *u);

#endif
