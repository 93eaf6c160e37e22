#include "html/html_known.h"

#include "base/hash.h"

uint64_t html_known_hash(struct slice s) {
  return hash_bytes(s.data, s.len);
}
