/* rank_postings_cache.c: what a term adds to each row, remembered from question to question of a batch.
 *
 * A term becomes known when it is first met, and its list is made when it is wanted a second time: most words
 * of a batch come again and again, and the others aren't worth the room.
 */
#include "search/rank_internal.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#define SLOTS 16384 /* a power of two */
#define PROBES 8    /* slots in which a term may lie; where all are taken it isn't remembered */
#define DENSE 8     /* from one row in so many on a list is a bit a row */

struct known {
  struct rank_term term;
  struct store_bm25 model; /* with the weight 1 */
  float exponent;
  atomic_uint wanted;
  atomic_int used; /* since the last time that room was made */
  struct rank_list *_Atomic list;
  size_t bytes; /* of the list */
};

struct rank_lists {
  size_t max;
  atomic_size_t bytes; /* of lists and terms; may be a list a thread above max */
  struct known *_Atomic slots[SLOTS];
};

struct rank_lists *rank_lists_new(size_t bytes) {
  struct rank_lists *m = xcalloc(1, sizeof *m);
  m->max = bytes;
  return m;
}

/* A term, from its slot; what it took. */
static size_t rank_postings_cache_forget(struct known *_Atomic *slot) {
  struct known *k = atomic_exchange(slot, NULL);
  size_t bytes = sizeof *k + k->bytes;
  free(atomic_load(&k->list));
  free(k);
  return bytes;
}

/* What nobody asked for since the last time goes; the words that all use stay. */
void rank_lists_tidy(struct rank_lists *m) {
  if (m == NULL || atomic_load(&m->bytes) < m->max)
    return;
  for (size_t i = 0; i < SLOTS; i++) {
    struct known *k = atomic_load(&m->slots[i]);
    if (k != NULL && atomic_exchange(&k->used, 0) == 0)
      atomic_fetch_sub(&m->bytes, rank_postings_cache_forget(&m->slots[i]));
  }
}

void rank_lists_free(struct rank_lists *m) {
  for (size_t i = 0; m != NULL && i < SLOTS; i++)
    if (atomic_load(&m->slots[i]) != NULL)
      rank_postings_cache_forget(&m->slots[i]);
  free(m);
}

/* ---- terms ---- */

uint64_t rank_total(const struct rank_scope *scope, uint64_t hash) {
  uint64_t total = 0;
  struct store_postings p;
  for (size_t s = 0; s < scope->seg_count; s++)
    if (store_postings_open(&p, &scope->segs[s], hash))
      total += p.total;
  return total;
}

uint64_t rank_frequency(const struct rank_scope *scope, uint64_t hash) {
  uint64_t total = 0;
  for (size_t s = 0; s < scope->seg_count; s++)
    total += store_df(&scope->segs[s], hash); /* removed documents must not count */
  return total;
}

/* Robertson's idf, kept above 0. */
float rank_idf(double rows, double frequency, float exponent) {
  if (frequency > rows)
    frequency = rows;
  return powf((float)log(1 + (rows - frequency + 0.5) / (frequency + 0.5)), exponent);
}

static int same_model(const struct store_bm25 *a, const struct store_bm25 *b) {
  return a->context == b->context && a->scale == b->scale && a->fixed == b->fixed && a->slope == b->slope;
}

/* Puts it into an empty slot; what another thread put there meanwhile is as good where it is the same term.
 */
static struct known *rank_postings_cache_put(struct rank_lists *m, struct known *_Atomic *slot,
                                             struct known *k) {
  struct known *there = NULL;
  if (atomic_compare_exchange_strong(slot, &there, k)) {
    atomic_fetch_add(&m->bytes, sizeof *k);
    return k;
  }
  uint64_t hash = k->term.hash;
  free(k);
  return there->term.hash == hash ? there : NULL;
}

const struct rank_term *rank_lists_term(struct rank_lists *m, const struct rank_scope *scope, uint64_t hash,
                                        uint64_t rows, const struct store_bm25 *model, float exponent) {
  struct known *_Atomic *slot = NULL, *k = NULL;
  for (size_t i = 0; i < PROBES && k == NULL; i++) {
    struct known *_Atomic *at = &m->slots[((hash >> 32) + i) % SLOTS];
    struct known *there = atomic_load_explicit(at, memory_order_acquire);
    if (there == NULL)
      slot = slot == NULL ? at : slot;
    else if (there->term.hash == hash)
      k = there;
  }
  if (k == NULL && slot != NULL && atomic_load(&m->bytes) < m->max) {
    struct known *made = xcalloc(1, sizeof *made);
    made->term.hash = hash;
    made->term.total = rank_total(scope, hash);
    made->term.frequency = rank_frequency(scope, hash);
    made->term.idf = rank_idf((double)rows, (double)made->term.frequency, exponent);
    made->model = *model;
    made->exponent = exponent;
    k = rank_postings_cache_put(m, slot, made);
  }
  if (k != NULL && !atomic_load_explicit(&k->used, memory_order_relaxed))
    atomic_store_explicit(&k->used, 1, memory_order_relaxed);
  return k != NULL && same_model(&k->model, model) && k->exponent == exponent ? &k->term : NULL;
}

/* ---- lists ---- */

/* A list being made. */
struct making {
  struct rank_list *list;
  const struct store_bm25 *model;
  uint32_t next, room; /* the first row that may follow; values that there is room for */
  int bad;             /* rows of a damaged file, that don't ascend */
};

/* One piece of memory, NULL where the numbers are past its. */
static struct rank_list *new_list(uint64_t rows, uint64_t count, size_t *bytes) {
  if (rows >= UINT32_MAX - RANK_CHUNK || count > rows)
    return NULL;
  size_t chunks = ((size_t)rows + RANK_CHUNK - 1) / RANK_CHUNK, behind = RANK_GROUP;
  int dense = count * DENSE >= rows;
  size_t where = dense ? chunks * (RANK_CHUNK / RANK_GROUP) : (size_t)count + behind;
  struct rank_list *l = NULL;
  *bytes = sizeof *l + ((size_t)count + behind) * sizeof *l->value + (chunks + 1) * sizeof *l->start +
           where * sizeof *l->where;
  l = xcalloc(1, *bytes);
  l->chunks = (uint32_t)chunks;
  l->dense = dense;
  l->value = (float *)(void *)(l + 1);
  l->start = (uint32_t *)(void *)(l->value + count + behind);
  l->where = (uint16_t *)(void *)(l->start + chunks + 1);
  return l;
}

static inline void rank_postings_cache_add_row(struct making *k, uint32_t row, float value) {
  struct rank_list *l = k->list;
  if (row < k->next || l->count == k->room || row / RANK_CHUNK >= l->chunks) {
    k->bad = 1;
    return;
  }
  k->next = row + 1;
  if (l->dense)
    l->where[row / RANK_GROUP] = (uint16_t)(l->where[row / RANK_GROUP] | 1u << row % RANK_GROUP);
  else
    l->where[l->count] = (uint16_t)(row % RANK_CHUNK);
  l->value[l->count++] = value;
  l->start[row / RANK_CHUNK + 1] = l->count;
}

static void rank_postings_cache_add_block(struct making *k, const struct store_postings *p, uint32_t base) {
  uint32_t rows[STORE_BLOCK];
  float values[STORE_BLOCK];
  const uint64_t *live = p->seg->live_bits;
  store_postings_values(p, k->model, rows, values);
  for (uint32_t i = 0; i < p->count; i++)
    if (live == NULL || (live[rows[i] / 64] >> (rows[i] % 64) & 1))
      rank_postings_cache_add_row(k, base + rows[i], values[i]);
}

static struct rank_list *make_list(const struct rank_scope *scope, const struct known *t, size_t *bytes) {
  struct rank_list *l = new_list(scope->base[scope->seg_count], t->term.frequency, bytes);
  struct making k = {l, &t->model, 0, (uint32_t)t->term.frequency, l == NULL};
  struct store_postings p;
  for (size_t s = 0; s < scope->seg_count && !k.bad; s++)
    for (int more = store_postings_open(&p, &scope->segs[s], t->term.hash); more && !k.bad;
         more = store_postings_next(&p))
      rank_postings_cache_add_block(&k, &p, scope->base[s]);
  if (k.bad) {
    free(l);
    return NULL;
  }
  for (size_t c = 1; c <= l->chunks; c++) /* chunks without a row */
    if (l->start[c] == 0)
      l->start[c] = l->start[c - 1];
  return l;
}

const struct rank_list *rank_lists_list(struct rank_lists *m, const struct rank_term *term,
                                        const struct rank_scope *scope) {
  struct known *k = (struct known *)(uintptr_t)term; /* its first member; made by rank_lists_term() */
  struct rank_list *l = atomic_load_explicit(&k->list, memory_order_acquire), *none = NULL;
  size_t bytes;
  if (l != NULL || atomic_fetch_add(&k->wanted, 1) == 0 || atomic_load(&m->bytes) >= m->max)
    return l;
  l = make_list(scope, k, &bytes);
  if (l == NULL)
    return NULL;
  if (atomic_compare_exchange_strong(&k->list, &none, l)) {
    k->bytes = bytes; /* read by who makes room, while nobody else is here */
    atomic_fetch_add(&m->bytes, bytes);
    return l;
  }
  free(l);
  return none;
}
