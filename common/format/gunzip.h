/* gunzip.h: incremental decompression of gzip or zlib bodies that detects truncation.  libcurl's own decoder accepts
 * a stream that ends in the middle. */
#ifndef BID_GUNZIP_H
#define BID_GUNZIP_H

#include <stddef.h>
#include <stdint.h>

/* The compression ratio above which a body is treated as a decompression bomb, once GUNZIP_FREE bytes have come out.
 * Real answers stay below 30. */
#define GUNZIP_RATIO 150
#define GUNZIP_FREE ((uint64_t)128 << 20)

struct gunzip;
struct gunzip *gunzip_new(void);
void gunzip_free(struct gunzip *g); /* g may be NULL */

/* Decompresses data and passes the output to `sink` in pieces.  0; 1 where the sink returned nonzero, which ends it;
 * -1 where the stream is damaged, or something else follows than another stream and zeros. */
int gunzip_feed(struct gunzip *g, const char *data, size_t len,
                int (*sink)(void *arg, const char *data, size_t len), void *arg);

/* After -1: whether the stream was taken for a bomb. */
int gunzip_is_bomb(const struct gunzip *g);

/* After -1: whether it is what follows the stream; the stream itself is whole. */
int gunzip_has_more(const struct gunzip *g);

/* Whether the stream ended with a correct checksum, or has not begun. */
int gunzip_is_whole(const struct gunzip *g);

#endif
