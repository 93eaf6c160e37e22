/* rank_best.c: selects the rows with the highest BM25 scores, with a heap of their scores and rows as integers. */
#include "search/rank_internal.h"

#include <float.h>
#include <stdlib.h>

/* A row and its score as one integer: higher scores give higher numbers, ties lower rows first.  The bits of positive
 * floats sort like the floats. */
static uint64_t rank_best_key_of(float score, uint32_t row) {
  uint32_t bits;
  memcpy(&bits, &score, sizeof bits);
  return (uint64_t)bits << 32 | (UINT32_MAX - row);
}

static uint32_t row_of(uint64_t key) {
  return UINT32_MAX - (uint32_t)key;
}

static float score_of(uint64_t key) {
  uint32_t bits = (uint32_t)(key >> 32);
  float score;
  memcpy(&score, &bits, sizeof score);
  return score;
}

/* A heap with the lowest key at its root. */
struct heap {
  uint64_t *keys;
  size_t count, max;
  int tied; /* a row with the lowest kept score was left out */
};

static void rank_best_sift_down(struct heap *h, uint64_t key) {
  size_t i = 0, child;
  for (; (child = 2 * i + 1) < h->count; i = child) {
    child += child + 1 < h->count && h->keys[child + 1] < h->keys[child];
    if (h->keys[child] >= key)
      break;
    h->keys[i] = h->keys[child];
  }
  h->keys[i] = key;
}

static void sift_up(struct heap *h, size_t i, uint64_t key) {
  for (; i > 0 && key < h->keys[(i - 1) / 2]; i = (i - 1) / 2)
    h->keys[i] = h->keys[(i - 1) / 2];
  h->keys[i] = key;
}

static void offer(struct heap *h, uint64_t key) {
  if (h->count < h->max) {
    sift_up(h, h->count++, key);
    return;
  }
  if (h->count == 0)
    return;
  uint64_t lowest = h->keys[0], out = key < lowest ? key : lowest;
  if (key > lowest)
    rank_best_sift_down(h, key);
  if (out >> 32 == h->keys[0] >> 32)
    h->tied = 1;
  else if (lowest >> 32 != h->keys[0] >> 32)
    h->tied = 0;
}

/* A search for the best rows. */
struct rank_best_search {
  const struct rank_text *t;
  float least; /* rows with a lower score can be skipped */
  struct heap heap;
};

static int is_allowed(const struct rank_text *t, uint32_t row) {
  return t->required == NULL || (t->required[row / 64] >> (row % 64) & 1);
}

static void rank_best_search_all(struct rank_best_search *b, uint32_t end) {
  const struct rank_text *t = b->t;
  for (uint32_t row = 0; row < end; row++) {
    if (t->score[row] < b->least || !is_allowed(t, row))
      continue;
    offer(&b->heap, rank_best_key_of(t->score[row], row));
    if (b->heap.count == b->heap.max && score_of(b->heap.keys[0]) > b->least)
      b->least = score_of(b->heap.keys[0]);
  }
}

/* ---- rows with flags ---- */

#define RUN 32

/* Whether none of RUN rows has any of these signs. */
static int is_unsigned_run(const uint8_t *flags, unsigned signs) {
  uint64_t part[RUN / 8], some = 0;
  memcpy(part, flags, sizeof part);
  for (size_t i = 0; i < RUN / 8; i++)
    some |= part[i];
  return (some & signs * 0x0101010101010101u) == 0;
}

static void note_signed(struct rank_text *t, uint32_t row) {
  if (t->sign_count == t->sign_cap) {
    t->sign_cap = 2 * t->sign_cap + 256;
    t->sign_rows = xreallocarray(t->sign_rows, t->sign_cap, sizeof *t->sign_rows);
  }
  t->sign_rows[t->sign_count++] = row;
}

/* Few rows are statements or covers, so they are found once. */
static void find_signed(struct rank_text *t, const struct rank_scope *scope, unsigned signs) {
  if ((t->signs & signs) == signs)
    return;
  t->signs |= signs;
  t->sign_count = 0;
  for (size_t s = 0; s < scope->seg_count; s++) {
    const struct store_segment *seg = &scope->segs[s];
    for (uint32_t row = 0; row < seg->rows; row++) {
      if (seg->rows - row >= RUN && is_unsigned_run(seg->flags + row, t->signs))
        row += RUN - 1;
      else if (seg->flags[row] & t->signs)
        note_signed(t, scope->base[s] + row);
    }
  }
}

static void search_signed(struct rank_best_search *b, const struct rank_scope *scope, unsigned signs) {
  const struct rank_text *t = b->t;
  size_t s = 0;
  for (size_t i = 0; i < t->sign_count; i++) {
    uint32_t row = t->sign_rows[i];
    while (row >= scope->base[s + 1])
      s++;
    if (t->score[row] >= b->least && (scope->segs[s].flags[row - scope->base[s]] & signs) &&
        is_allowed(t, row))
      offer(&b->heap, rank_best_key_of(t->score[row], row));
  }
}

/* ---- ties for the last rank ---- */

struct tied {
  uint32_t row;
  const uint8_t *id;
};

static int by_id(const void *a, const void *b) {
  const struct tied *x = a, *y = b;
  return memcmp(x->id, y->id, STORE_ID_BYTES);
}

/* Finds all rows with the same score as the last one. */
static size_t find_tied(const struct rank_text *t, const struct rank_scope *scope, unsigned signs,
                        float score, struct tied **list) {
  size_t count = 0, cap = 0;
  *list = NULL;
  for (size_t s = 0; s < scope->seg_count; s++)
    for (uint32_t row = scope->base[s]; row < scope->base[s + 1]; row++) {
      uint32_t own = row - scope->base[s];
      if (t->score[row] != score || !is_allowed(t, row) || (signs && !(scope->segs[s].flags[own] & signs)))
        continue;
      if (count == cap) {
        cap = 2 * cap + 64;
        *list = xreallocarray(*list, cap, sizeof **list);
      }
      (*list)[count++] = (struct tied){row, store_row_id(&scope->segs[s], own)};
    }
  return count;
}

/* Selects among them by passage id, since row numbers depend on the order in which the store was filled. */
static void choose_tied(const struct rank_text *t, const struct rank_scope *scope, unsigned signs,
                        uint32_t *rows, size_t n) {
  struct tied *list;
  float score = t->score[rows[n - 1]];
  size_t first = n - 1, count = find_tied(t, scope, signs, score, &list);
  while (first > 0 && t->score[rows[first - 1]] == score)
    first--;
  qsort(list, count, sizeof *list, by_id);
  for (size_t i = 0; first + i < n; i++)
    rows[first + i] = list[i].row;
  free(list);
}

size_t rank_text_best(struct rank_text *t, const struct rank_scope *scope, unsigned signs, uint32_t *rows,
                      size_t max) {
  if (max > t->key_cap) {
    t->key_cap = max;
    t->keys = xreallocarray(t->keys, t->key_cap, sizeof *t->keys);
  }
  struct rank_best_search b = {t, FLT_TRUE_MIN, {t->keys, 0, max, 0}}; /* score 0: no term matches */
  if (signs != 0) {
    find_signed(t, scope, signs);
    search_signed(&b, scope, signs);
  } else {
    rank_best_search_all(&b, max > 0 ? scope->base[scope->seg_count] : 0);
  }
  size_t n = b.heap.count;
  while (b.heap.count > 0) { /* removes the lowest first, so the rest is best first */
    rows[b.heap.count - 1] = row_of(b.heap.keys[0]);
    uint64_t last = b.heap.keys[--b.heap.count];
    if (b.heap.count > 0)
      rank_best_sift_down(&b.heap, last);
  }
  if (b.heap.tied)
    choose_tied(t, scope, signs, rows, n);
  return n;
}
