/* hash.h: the one hash of hash tables, of terms and of checks for damage: XXH3, 64 bits (xxHash 0.8, BSD).
 *
 * Its values are stored (postings, documents, model files), so it can't change without a new format.  Not for keeping
 * apart texts that an enemy made: those that must differ are compared too, or hashed by digest.h.
 */
#ifndef BID_HASH_H
#define BID_HASH_H

#include "base/buf.h"

#include <stdint.h>

/* Inlined, since most of what is hashed is short. */
#define XXH_INLINE_ALL
#include <xxhash.h>

static inline uint64_t hash_bytes(const void *bytes, size_t len) {
  return XXH3_64bits(bytes, len);
}

static inline uint64_t hash_seeded(const void *bytes, size_t len, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes, len, seed);
}

#endif
