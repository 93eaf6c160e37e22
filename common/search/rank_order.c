/* rank_order.c: sorts candidates.
 *
 * A merge sort over runs made by insertion sort.  Candidates are sorted three times per question, the second and
 * third time after only the first few have changed, which is almost free.  Keys are integers beside the items;
 * qsort() would call a function that dereferences two candidates per comparison.
 */
#include "search/rank_internal.h"

#include <string.h>

#define RUN 16

uint64_t rank_key(float score, uint32_t row) {
  uint32_t bits;
  score += 0.0F; /* negative zero equals zero */
  memcpy(&bits, &score, sizeof bits);
  bits = bits >> 31 ? bits : ~bits ^ 0x80000000; /* IEEE 754: ascending where scores descend */
  return (uint64_t)bits << 32 | row;
}

static void rank_order_insert(struct rank_item *items, size_t n) {
  for (size_t i = 1; i < n; i++) {
    struct rank_item item = items[i];
    size_t k = i;
    for (; k > 0 && item.key < items[k - 1].key; k--)
      items[k] = items[k - 1];
    items[k] = item;
  }
}

/* Merges two sorted parts of n items, the first of length `half`. */
static void merge(struct rank_item *items, struct rank_item *scratch, size_t half, size_t n) {
  size_t a = 0, b = half, to = 0;
  if (items[half - 1].key <= items[half].key)
    return;
  memcpy(scratch, items, half * sizeof *items);
  while (a < half && b < n) {
    int second = items[b].key < scratch[a].key;
    items[to++] = second ? items[b] : scratch[a];
    a += !second;
    b += (size_t)second;
  }
  memcpy(items + to, scratch + a, (half - a) * sizeof *items);
}

void rank_sort(struct rank_item *items, struct rank_item *scratch, size_t n) {
  for (size_t i = 0; i < n; i += RUN)
    rank_order_insert(items + i, n - i < RUN ? n - i : RUN);
  for (size_t half = RUN; half < n; half *= 2)
    for (size_t i = 0; i + half < n; i += 2 * half)
      merge(items + i, scratch, half, n - i < 2 * half ? n - i : 2 * half);
}
