#include "compare/passage_diff.h"

#include "compare/passage_diff_text.h"

#include <ctype.h>
#include <stdlib.h>

#define DIFF_BEGIN 0.2  /* added to the similarity where the first words are equal, to choose between pairs */
#define DIFF_PLACE 0.15 /* added where both have the same position between the same paragraphs */

const char *passage_diff_name(enum diff_kind kind) {
  static const char *const names[] = {"same", "moved", "spans", "numbers", "changed", "added", "dropped"};
  return names[kind];
}

/* ---- pairs of equal keys ---- */

struct diff_order {
  uint64_t key;
  uint32_t at;
};

static int by_key_and_place(const void *a, const void *b) {
  const struct diff_order *x = a, *y = b;
  return x->key != y->key ? (x->key < y->key ? -1 : 1) : (x->at > y->at) - (x->at < y->at);
}

/* The hashes by which paragraphs are paired. */
enum diff_hash { HASH_KEY, HASH_SHAPE, HASH_UNDATED };

static uint64_t hash_of(const struct diff_paragraph *p, enum diff_hash by) {
  return by == HASH_KEY ? p->key : by == HASH_SHAPE ? p->shape : p->undated;
}

static struct diff_order *ordered(const struct diff_text *t, enum diff_hash by, size_t *count) {
  struct diff_order *list = xmalloc((t->count + 1) * sizeof *list);
  *count = 0;
  for (size_t i = 0; i < t->count; i++)
    if (t->list[i].pair < 0)
      list[(*count)++] = (struct diff_order){hash_of(&t->list[i], by), (uint32_t)i};
  qsort(list, *count, sizeof *list, by_key_and_place);
  return list;
}

static void diff_join(struct passage_diff *d, size_t was, size_t is, enum diff_kind kind) {
  d->was.list[was].pair = (int32_t)is;
  d->is.list[is].pair = (int32_t)was;
  d->was.list[was].kind = d->is.list[is].kind = kind;
}

/* Whether two paragraphs have enough in common without their numbers: rows have their label, and a paragraph between
 * the same neighbours in both texts has its position. */
static int tells_enough(const struct passage_diff *d, size_t was, size_t is, enum diff_hash by) {
  const struct diff_paragraph *p = &d->was.list[was];
  return by == HASH_KEY || p->words >= (p->text.data[0] == '|' ? 1U : 2U) || p->gap == d->is.list[is].gap;
}

/* Pairs the n-th paragraph with a hash with the n-th one with the same hash; with in_gap, only within the same gap. */
static void pair_equal(struct passage_diff *d, enum diff_hash by, int in_gap, enum diff_kind kind) {
  size_t n, m;
  struct diff_order *a = ordered(&d->was, by, &n), *b = ordered(&d->is, by, &m);
  for (size_t i = 0, k = 0; i < n && k < m;) {
    const struct diff_paragraph *p = &d->was.list[a[i].at], *q = &d->is.list[b[k].at];
    if (a[i].key < b[k].key || (a[i].key == b[k].key && in_gap && p->gap < q->gap))
      i++;
    else if (a[i].key > b[k].key || (in_gap && p->gap > q->gap))
      k++;
    else {
      if (tells_enough(d, a[i].at, b[k].at, by))
        diff_join(d, a[i].at, b[k].at, kind);
      i++, k++;
    }
  }
  free(a);
  free(b);
}

/* Numbers the gaps between the unchanged paragraphs, consistently in both texts, and sets positions in them. */
static void find_gaps(struct diff_text *t) {
  uint32_t gap = 0;
  size_t start = 0;
  for (size_t i = 0; i <= t->count; i++) {
    if (i < t->count && (t->list[i].pair < 0 || t->list[i].kind != DIFF_SAME))
      continue;
    for (size_t k = start; k < i; k++) {
      t->list[k].gap = gap;
      t->list[k].place = (float)(k - start) / (float)(i - start);
    }
    gap++;
    start = i + 1;
  }
}

/* The longest sequence of equal paragraphs in the same order stays in place; the others have moved. */
static void find_moved(struct passage_diff *d) {
  size_t n = d->is.count, length = 0;
  uint32_t *tail = xmalloc((n + 1) * sizeof *tail), *before = xmalloc((n + 1) * sizeof *before);
  for (size_t i = 0; i < n; i++) {
    if (d->is.list[i].pair < 0)
      continue;
    size_t low = 0, high = length;
    while (low < high) {
      size_t mid = (low + high) / 2;
      if (d->is.list[tail[mid]].pair < d->is.list[i].pair)
        low = mid + 1;
      else
        high = mid;
    }
    before[i] = low ? tail[low - 1] : UINT32_MAX;
    tail[low] = (uint32_t)i;
    length = low == length ? length + 1 : length;
  }
  for (size_t i = 0; i < n; i++)
    if (d->is.list[i].pair >= 0)
      d->is.list[i].kind = DIFF_MOVED;
  for (uint32_t i = length ? tail[length - 1] : UINT32_MAX; i != UINT32_MAX; i = before[i])
    d->is.list[i].kind = DIFF_SAME;
  for (size_t i = 0; i < n; i++)
    if (d->is.list[i].pair >= 0)
      d->was.list[d->is.list[i].pair].kind = d->is.list[i].kind;
  free(tail);
  free(before);
}

/* ---- pairs of similar words ---- */

struct alike_pair {
  uint32_t was, is;
  float score; /* similarity */
  float rank;  /* similarity and other evidence for the pair */
};

static struct slice first_word(struct slice s) {
  while (s.len && !isalnum((unsigned char)s.data[0]))
    s = slice_of(s.data + 1, s.len - 1);
  size_t n = 0;
  while (n < s.len && !isspace((unsigned char)s.data[n]))
    n++;
  return slice_of(s.data, n);
}

/* Among similar pairs, prefers equal first words and equal positions. */
static float rank_pair(const struct diff_paragraph *a, const struct diff_paragraph *b, float score) {
  float off = a->place > b->place ? a->place - b->place : b->place - a->place;
  return score + (slice_eq(first_word(a->text), first_word(b->text)) ? (float)DIFF_BEGIN : 0) +
         (a->gap == b->gap ? (float)DIFF_PLACE * (1 - off) : 0);
}

static int by_score(const void *a, const void *b) {
  const struct alike_pair *x = a, *y = b;
  if (x->rank < y->rank || x->rank > y->rank)
    return x->rank > y->rank ? -1 : 1;
  return x->is != y->is ? (x->is > y->is) - (x->is < y->is) : (x->was > y->was) - (x->was < y->was);
}

static uint32_t *unpaired(const struct diff_text *t, struct passage_diff_bag **bags, size_t *count) {
  uint32_t *list = xmalloc((t->count + 1) * sizeof *list);
  *bags = xmalloc((t->count + 1) * sizeof **bags);
  *count = 0;
  for (size_t i = 0; i < t->count; i++)
    if (t->list[i].pair < 0) {
      (*bags)[*count] = passage_diff_bag(t->list[i].text);
      list[(*count)++] = (uint32_t)i;
    }
  return list;
}

static void bags_free(struct passage_diff_bag *bags, size_t count) {
  for (size_t i = 0; i < count; i++)
    free(bags[i].words);
  free(bags);
}

static void pair_alike(struct passage_diff *d) {
  struct passage_diff_bag *wb, *ib;
  size_t n, m, count = 0, cap = 0;
  uint32_t *was = unpaired(&d->was, &wb, &n), *is = unpaired(&d->is, &ib, &m);
  struct alike_pair *pairs = NULL;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < m && i * m + k < DIFF_PAIRS; k++) {
      float score = passage_diff_may_match(&wb[i], &ib[k]) ? passage_diff_alike(&wb[i], &ib[k]) : 0;
      if (score < (float)DIFF_ALIKE)
        continue;
      if (count == cap) {
        cap = cap ? 2 * cap : 256;
        pairs = xreallocarray(pairs, cap, sizeof *pairs);
      }
      pairs[count++] = (struct alike_pair){was[i], is[k], score,
                                           rank_pair(&d->was.list[was[i]], &d->is.list[is[k]], score)};
    }
  if (count)
    qsort(pairs, count, sizeof *pairs, by_score);
  for (size_t i = 0; i < count; i++)
    if (d->was.list[pairs[i].was].pair < 0 && d->is.list[pairs[i].is].pair < 0) {
      diff_join(d, pairs[i].was, pairs[i].is, DIFF_CHANGED);
      d->is.list[pairs[i].is].alike = d->was.list[pairs[i].was].alike = pairs[i].score;
    }
  bags_free(wb, n);
  bags_free(ib, m);
  free(pairs);
  free(was);
  free(is);
}

/* Numbers of six months and of nine tell of no change. */
static void part_spans(struct passage_diff *d) {
  for (size_t i = 0; i < d->is.count; i++) {
    struct diff_paragraph *is = &d->is.list[i];
    struct diff_paragraph *was = is->pair >= 0 ? &d->was.list[is->pair] : NULL;
    if (was && is->kind == DIFF_NUMBERS && is->months && was->months && is->months != was->months)
      is->kind = was->kind = DIFF_SPANS;
  }
}

void passage_diff_make(struct passage_diff *d, struct slice was, struct slice is) {
  passage_diff_split(&d->was, was);
  passage_diff_split(&d->is, is);
  pair_equal(d, HASH_KEY, 0, DIFF_SAME);
  find_moved(d);
  find_gaps(&d->was);
  find_gaps(&d->is);
  pair_equal(d, HASH_SHAPE, 1, DIFF_NUMBERS);
  pair_equal(d, HASH_SHAPE, 0, DIFF_NUMBERS);
  pair_equal(d, HASH_UNDATED, 1, DIFF_CHANGED);
  pair_alike(d);
  part_spans(d);
  for (size_t i = 0; i < d->was.count; i++)
    if (d->was.list[i].pair < 0)
      d->was.list[i].kind = DIFF_DROPPED;
  for (size_t i = 0; i < d->is.count; i++)
    if (d->is.list[i].pair < 0)
      d->is.list[i].kind = DIFF_ADDED;
}

void passage_diff_release(struct passage_diff *d) {
  free(d->was.list);
  free(d->is.list);
  *d = (struct passage_diff){0};
}

void passage_diff_count(const struct passage_diff *d, size_t counts[DIFF_DROPPED + 1]) {
  memset(counts, 0, (DIFF_DROPPED + 1) * sizeof *counts);
  for (size_t i = 0; i < d->is.count; i++)
    counts[d->is.list[i].kind]++;
  for (size_t i = 0; i < d->was.count; i++)
    counts[DIFF_DROPPED] += d->was.list[i].kind == DIFF_DROPPED;
}
