/* memo.h: bytes that were made once, kept under numbers for whoever needs them again: many threads at once.
 */
#ifndef BID_MEMO_H
#define BID_MEMO_H

#include "buf.h"

#include <stdint.h>

struct memo;

/* Keeps up to about so many bytes. */
struct memo *memo_new(size_t bytes);
void memo_free(struct memo *m);

/* What was put under the key, valid until memo_tidy(); its data is NULL where nothing was, or m is NULL. */
struct slice memo_get(const struct memo *m, uint64_t key);

/* Keeps a copy, where there is room and the key has none; m may be NULL. */
void memo_put(struct memo *m, uint64_t key, struct slice bytes);

/* Forgets everything where it is full; while nobody else uses it, nor what it gave. */
void memo_tidy(struct memo *m);

#endif
