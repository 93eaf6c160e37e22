/* hash.h: the one non-cryptographic hash, for hash tables, terms and checksums: XXH3, 64 bits (xxHash 0.8, BSD).
 *
 * Hash values are stored (postings, documents, model files), so changing the hash needs a new file format.  It does
 * not resist deliberate collisions: where keys may be hostile, compare the keys too or use digest.h.
 */
#ifndef BID_HASH_H
#define BID_HASH_H

#include "base/buf.h"
#include "base/slice.h"

#include <stdint.h>

/* Inlined, since most hashed keys are short. */
#define XXH_INLINE_ALL
#include <xxhash.h>

static inline uint64_t hash_bytes(const void *bytes, size_t len) {
  return XXH3_64bits(bytes, len);
}

/* The same: hash_block() in half the time for some kilobytes, by hash_wide() where the processor has AVX2. */
uint64_t hash_block(const void *bytes, size_t len);
uint64_t hash_wide(const void *bytes, size_t len);

static inline uint64_t hash_seeded(const void *bytes, size_t len, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes, len, seed);
}

/* ---- how often each name has come, so that things of one name can be told apart ---- */

struct hash_counts {
  struct hash_count *slots; /* NULL: empty */
  size_t size, used;
};

/* 1 where no name like this came before, 2 for the second, and so on.  Names are told apart by 64 bits of hash: two that
 * share it count as one. */
unsigned hash_counts_add(struct hash_counts *n, struct slice name);

/* How often it has come. */
unsigned hash_counts_of(const struct hash_counts *n, struct slice name);

/* Forgets all names. */
void hash_counts_release(struct hash_counts *n);

#endif
