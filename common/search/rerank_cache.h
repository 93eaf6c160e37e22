/* rerank_cache.h: a disk cache of an encoder's vectors, by the digest of the text encoded:
 * $BID_CACHE/rerank/MODEL.vectors.
 *
 * The file has rows of fixed length: 32 bytes of digest, 8 of a checksum over digest and numbers, then the numbers as
 * float32, little-endian.  Rows are appended under flock(2); truncated or damaged ones are ignored.  A file that
 * would exceed RERANK_CACHE_MAX is started anew.  Without a cache folder, or on I/O errors, nothing is cached, with
 * the same results.
 */
#ifndef BID_RERANK_CACHE_H
#define BID_RERANK_CACHE_H

#include "base/buf.h"
#include "base/digest.h"

#include <stddef.h>

#define RERANK_CACHE_MAX ((size_t)256 << 20) /* bytes: 160,000 passages of 384 numbers */

struct rerank_cache;

/* Appends the folder of the cache's files, which is made; 0, or -1 where there can be none. */
int rerank_cache_folder(struct buf *out);

/* model: name and fingerprint; never NULL. */
struct rerank_cache *rerank_cache_open(const char *model, size_t dims);
void rerank_cache_close(struct rerank_cache *c);

/* 1 with the vector in out[dims], or 0. */
int rerank_cache_get(const struct rerank_cache *c, const uint8_t key[DIGEST_SIZE], float *out);
/* Stores rows in memory and in the file. */
void rerank_cache_put(struct rerank_cache *c, uint8_t (*keys)[DIGEST_SIZE], const float *vectors,
                      size_t count);

#endif
