/* gunzip.h: takes gzip or zlib off a body as it comes, and knows whether all of it came.  libcurl's own decoder takes a
 * stream that ends in the middle for a whole one. */
#ifndef BID_GUNZIP_H
#define BID_GUNZIP_H

#include <stddef.h>
#include <stdint.h>

/* Bytes that come out per byte that goes in, above which a body is a bomb once GUNZIP_FREE bytes are out.  What the
 * sources send stays below 30. */
#define GUNZIP_RATIO 150
#define GUNZIP_FREE ((uint64_t)128 << 20)

struct gunzip;
struct gunzip *gunzip_new(void);
void gunzip_free(struct gunzip *g); /* NULL allowed */

/* Hands what comes out to `sink` in pieces until that returns other than 0.  0; 1 where the sink wanted no more; -1 where
 * the stream is damaged. */
int gunzip_feed(struct gunzip *g, const char *data, size_t len,
                int (*sink)(void *arg, const char *data, size_t len), void *arg);

/* Whether that was since it is a bomb. */
int gunzip_is_bomb(const struct gunzip *g);

/* Whether the stream came to its end (its checksum was right) or has not begun. */
int gunzip_is_whole(const struct gunzip *g);

#endif
