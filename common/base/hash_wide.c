/* hash_wide.c: the hash of hash.h, compiled for AVX2, by which some kilobytes are hashed in half the time. */
#if defined __x86_64__ && !defined __clang__ /* clang has no such pragma: there it is the ordinary one */
#pragma GCC target("avx2")
#endif
#include "base/hash.h"

uint64_t hash_wide(const void *bytes, size_t len) {
  return hash_bytes(bytes, len);
}
