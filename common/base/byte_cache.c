/* byte_cache.c: a table of sets of slots; in a full set the first ones stay. */
#include "base/byte_cache.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define SET 8 /* slots: a line of the processor's cache */

struct item {
  uint64_t key;
  size_t len;
  char bytes[];
};

struct byte_cache {
  size_t max, sets;    /* sets: a power of two */
  atomic_size_t bytes; /* may be an item a thread above max */
  struct item *_Atomic slots[][SET];
};

struct byte_cache *byte_cache_new(size_t bytes, size_t items) {
  size_t sets = 1;
  while (sets * SET < items)
    sets *= 2;
  struct byte_cache *m = xcalloc(1, sizeof *m + sets * sizeof *m->slots);
  m->max = bytes;
  m->sets = sets;
  return m;
}

static void byte_cache_forget(struct byte_cache *m) {
  for (size_t i = 0; i < m->sets; i++)
    for (size_t k = 0; k < SET; k++)
      free(atomic_exchange(&m->slots[i][k], NULL));
  atomic_store(&m->bytes, 0);
}

void byte_cache_free(struct byte_cache *m) {
  if (m != NULL)
    byte_cache_forget(m);
  free(m);
}

void byte_cache_tidy(struct byte_cache *m) {
  if (m != NULL && atomic_load(&m->bytes) >= m->max)
    byte_cache_forget(m);
}

static size_t set_of(const struct byte_cache *m, uint64_t key) {
  return (size_t)(key * 0x9e3779b97f4a7c15u >> 32) & (m->sets - 1);
}

struct slice byte_cache_get(const struct byte_cache *m, uint64_t key) {
  const struct item *item;
  for (size_t i = 0; m != NULL && i < SET; i++) {
    if ((item = atomic_load(&m->slots[set_of(m, key)][i])) == NULL)
      break;
    if (item->key == key)
      return slice_of(item->bytes, item->len);
  }
  return slice_of(NULL, 0);
}

void byte_cache_expect(const struct byte_cache *m, uint64_t key) {
  const struct item *first =
      m ? atomic_load_explicit(&m->slots[set_of(m, key)][0], memory_order_relaxed) : NULL;
  if (first != NULL)
    __builtin_prefetch(first);
}

void byte_cache_put(struct byte_cache *m, uint64_t key, struct slice bytes) {
  size_t i = 0;
  const struct item *other;
  if (m == NULL || atomic_load(&m->bytes) >= m->max)
    return;
  struct item *_Atomic *set = m->slots[set_of(m, key)];
  for (; i < SET && (other = atomic_load(&set[i])) != NULL; i++)
    if (other->key == key)
      return;
  if (i == SET)
    return;
  struct item *made = xmalloc(sizeof *made + bytes.len), *none = NULL;
  made->key = key;
  made->len = bytes.len;
  if (bytes.len > 0)
    memcpy(made->bytes, bytes.data, bytes.len);
  if (atomic_compare_exchange_strong(&set[i], &none, made))
    atomic_fetch_add(&m->bytes, sizeof *made + bytes.len);
  else /* another thread was faster */
    free(made);
}
