/* hash.c: the hash of some kilobytes by the processor; how often each name has come, by its hash. */
#include "base/hash.h"

#include "base/cpu.h"
#include "base/xalloc.h"

#include <stdlib.h>
#include <string.h>

uint64_t hash_block(const void *bytes, size_t len) {
  return cpu_has(CPU_AVX2) ? hash_wide(bytes, len) : hash_bytes(bytes, len);
}

/* Open addressing; an empty slot has the count 0. */
struct hash_count {
  uint64_t hash;
  unsigned count;
};

static struct hash_count *hash_counts_slot(const struct hash_counts *n, uint64_t hash) {
  size_t i = (size_t)hash & (n->size - 1);
  while (n->slots[i].count && n->slots[i].hash != hash)
    i = (i + 1) & (n->size - 1);
  n->slots[i].hash = hash;
  return &n->slots[i];
}

static void hash_counts_grow(struct hash_counts *n) {
  struct hash_counts old = *n;
  n->size = old.size ? 2 * old.size : 64; /* a power of two */
  n->slots = xcalloc(n->size, sizeof *n->slots);
  for (size_t i = 0; i < old.size; i++)
    if (old.slots[i].count)
      *hash_counts_slot(n, old.slots[i].hash) = old.slots[i];
  free(old.slots);
}

unsigned hash_counts_add(struct hash_counts *n, struct slice name) {
  if (2 * n->used >= n->size)
    hash_counts_grow(n);
  struct hash_count *slot = hash_counts_slot(n, hash_bytes(name.data, name.len));
  n->used += slot->count == 0;
  return ++slot->count;
}

unsigned hash_counts_of(const struct hash_counts *n, struct slice name) {
  return n->size ? hash_counts_slot(n, hash_bytes(name.data, name.len))->count : 0;
}

void hash_counts_release(struct hash_counts *n) {
  free(n->slots);
  memset(n, 0, sizeof *n);
}
