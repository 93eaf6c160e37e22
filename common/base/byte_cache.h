/* byte_cache.h: bytes that were made once, kept under numbers for whoever needs them again: many threads at once.
 */
#ifndef BID_BYTE_CACHE_H
#define BID_BYTE_CACHE_H

#include "base/buf.h"

#include <stdint.h>

struct byte_cache;

/* Keeps up to about so many bytes, of up to about so many items. */
struct byte_cache *byte_cache_new(size_t bytes, size_t items);
void byte_cache_free(struct byte_cache *m);

/* What was put under the key, valid until byte_cache_tidy(), at an address that is a multiple of 8; its data is NULL where
 * nothing was, or m is NULL. */
struct slice byte_cache_get(const struct byte_cache *m, uint64_t key);

/* Asks memory for what byte_cache_get() will be asked for soon; m may be NULL. */
void byte_cache_expect(const struct byte_cache *m, uint64_t key);

/* Keeps a copy, where there is room and the key has none; m may be NULL. */
void byte_cache_put(struct byte_cache *m, uint64_t key, struct slice bytes);

/* Forgets everything where it is full; while nobody else uses it, nor what it gave. */
void byte_cache_tidy(struct byte_cache *m);

#endif
