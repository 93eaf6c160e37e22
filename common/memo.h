/* memo.h: bytes that were made once, kept under numbers for whoever needs them again: many threads at once.
 */
#ifndef BID_MEMO_H
#define BID_MEMO_H

#include "buf.h"

#include <stdint.h>

struct memo;

/* Keeps up to about so many bytes, of up to about so many items. */
struct memo *memo_new(size_t bytes, size_t items);
void memo_free(struct memo *m);

/* What was put under the key, valid until memo_tidy(), at an address that is a multiple of 8; its data is NULL where
 * nothing was, or m is NULL. */
struct slice memo_get(const struct memo *m, uint64_t key);

/* Asks memory for what memo_get() will be asked for soon; m may be NULL. */
void memo_expect(const struct memo *m, uint64_t key);

/* Keeps a copy, where there is room and the key has none; m may be NULL. */
void memo_put(struct memo *m, uint64_t key, struct slice bytes);

/* Forgets everything where it is full; while nobody else uses it, nor what it gave. */
void memo_tidy(struct memo *m);

#endif
