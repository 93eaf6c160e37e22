/* rerank_cache.h: vectors that an encoder made, by the digest of what it read: $BID_CACHE/rerank/MODEL.vectors.
 *
 * The file is rows of one length: 32 bytes of digest, 8 of a checksum over the digest and the numbers, then the numbers as
 * float32, little-endian.  Rows are appended under flock(2); one that is cut or damaged is not there.  Where the file would
 * grow over RERANK_CACHE_MAX it begins anew.  Without a cache folder, or where it can't be read or written, nothing is
 * remembered: answers are the same, and slower.
 */
#ifndef BID_RERANK_CACHE_H
#define BID_RERANK_CACHE_H

#include "base/digest.h"

#include <stddef.h>

#define RERANK_CACHE_MAX ((size_t)256 << 20) /* bytes: 160,000 passages of 384 numbers */

struct rerank_cache;

/* model: name and fingerprint; never NULL. */
struct rerank_cache *rerank_cache_open(const char *model, size_t dims);
void rerank_cache_close(struct rerank_cache *c);

/* 1 with the vector in out[dims], or 0. */
int rerank_cache_get(const struct rerank_cache *c, const uint8_t key[DIGEST_SIZE], float *out);
/* Remembers rows, here and in the file. */
void rerank_cache_put(struct rerank_cache *c, uint8_t (*keys)[DIGEST_SIZE], const float *vectors,
                      size_t count);

#endif
