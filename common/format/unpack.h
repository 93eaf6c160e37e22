/* unpack.h: reads archives and compressed files member by member from a descriptor, in bounded memory, with
 * libarchive.  Writes nothing to disk and never uses a member's name as a path.
 *
 * Formats: zip, tar, 7zip, cpio; gzip, bzip2, xz, lzma, zstd, lz4, compress, alone or around an archive.  Anything
 * else is treated as one unnamed member with the file's own bytes.
 */
#ifndef BID_UNPACK_H
#define BID_UNPACK_H

#include "base/buf.h"
#include "base/diag.h"

#include <stdint.h>

/* The compression ratio above which an archive is treated as a decompression bomb, once UNPACK_FREE bytes have come
 * out.  Filings and facts stay below 30. */
#define UNPACK_RATIO 150
#define UNPACK_FREE ((uint64_t)1 << 30)

struct unpack;

/* Loads what names need; to be called before a sandbox in which no file can be opened, else done when needed. */
void unpack_prepare(void);

/* The caller keeps fd, which is read from its current position (zip: from the start).  NULL with why. */
struct unpack *unpack_open(int fd, struct error_text *why);
/* The same for bytes in memory, which must stay valid until unpack_close(). */
struct unpack *unpack_open_bytes(struct slice bytes, struct error_text *why);
void unpack_close(struct unpack *u);

/* Advances to the next regular file or link (a link can't be read) and skips the rest of the current one.  1, 0 at
 * the end, -1 with why: also at the end where members are missing.  *name is "" where the input is not an archive; it is valid until the next call. */
int unpack_next(struct unpack *u, const char **name, struct error_text *why);

/* The next bytes of the member in *data and *len, valid until the next call.  1, 0 at its end, -1 with why. */
int unpack_read(struct unpack *u, const void **data, size_t *len, struct error_text *why);

/* Appends the whole member to out.  0, or -1 with why (also where out's ceiling is exceeded). */
int unpack_all(struct unpack *u, struct buf *out, struct error_text *why);

/* Bytes decompressed so far. */
uint64_t unpack_bytes(const struct unpack *u);

#endif
