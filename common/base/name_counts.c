#include "base/name_counts.h"

#include "base/hash.h"
#include "base/xalloc.h"

#include <stdlib.h>
#include <string.h>

/* Open addressing; an empty slot has the count 0. */
struct name_count {
  uint64_t hash;
  unsigned count;
};

static struct name_count *name_counts_slot(const struct name_counts *n, uint64_t hash) {
  size_t i = (size_t)hash & (n->size - 1);
  while (n->slots[i].count && n->slots[i].hash != hash)
    i = (i + 1) & (n->size - 1);
  n->slots[i].hash = hash;
  return &n->slots[i];
}

static void name_counts_grow(struct name_counts *n) {
  struct name_counts old = *n;
  n->size = old.size ? 2 * old.size : 64; /* a power of two */
  n->slots = xcalloc(n->size, sizeof *n->slots);
  for (size_t i = 0; i < old.size; i++)
    if (old.slots[i].count)
      *name_counts_slot(n, old.slots[i].hash) = old.slots[i];
  free(old.slots);
}

unsigned name_counts_add(struct name_counts *n, struct slice name) {
  if (2 * n->used >= n->size)
    name_counts_grow(n);
  struct name_count *slot = name_counts_slot(n, hash_bytes(name.data, name.len));
  n->used += slot->count == 0;
  return ++slot->count;
}

void name_counts_release(struct name_counts *n) {
  free(n->slots);
  memset(n, 0, sizeof *n);
}
