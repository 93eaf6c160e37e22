/* rerank.h: how like a question passages are to an encoder that reads them, for the order of the best few.
 *
 * It reads the few sentences of a passage that may answer, not all of it: a vector of 512 tokens says what a passage is
 * about, and the one sentence that answers is lost in it.  An encoder reads some hundred sentences a second on a core,
 * so what it made of a text is kept in a file of $BID_CACHE (struct rerank_cache): a text costs its time once.
 * Threads may share a reranker; they wait for each other.
 */
#ifndef BID_RERANK_H
#define BID_RERANK_H

#include "base/buf.h"
#include "base/diag.h"
#include "base/digest.h"
#include <stddef.h>

struct rerank;

/* model: as in embed.h.  NULL with *e. */
struct rerank *rerank_open(const char *model, struct error_text *e);
void rerank_close(struct rerank *r);

/* Cosines of the question with passages, between their worst (0) and their best (1), into out[passages]; of fewer
 * than two: 0.  A passage's is that of its nearest text: texts[i] is of passage of[i], and each passage has one.  0, or
 * -1 with *e. */
int rerank_likeness(struct rerank *r, struct slice question, const struct slice *texts, const size_t *of,
                    size_t count, float *out, size_t passages, struct error_text *e);

/* ---- the cache ---- */

/* A disk cache of an encoder's vectors, by the digest of the text encoded:
 * $BID_CACHE/rerank/MODEL.vectors.
 *
 * The file has rows of fixed length: 32 bytes of digest, 8 of a checksum over digest and numbers, then the numbers as
 * float32, little-endian.  Rows are appended under flock(2); truncated or damaged ones are ignored.  A file that
 * would exceed RERANK_CACHE_MAX is started anew.  Without a cache folder, or on I/O errors, nothing is cached, with
 * the same results.
 */

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
