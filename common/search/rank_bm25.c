/* rank_bm25.c: BM25, term at a time into one array of scores.
 *
 * Term at a time, since questions are long (about ten words, plus up to a hundred from the thesaurus).  Document at a
 * time with block-max skipping pays off for two or three rare terms, not for a hundred lists that share most rows of
 * the best documents.  An array of 100,000 floats stays in the L2 cache.  Blocks are still skipped where the filter
 * excludes all their rows.
 */
#include "search/rank_internal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>

#define FEW 50      /* passages that a thesaurus word may always occur in */
#define PRIOR 100.0 /* weight of the whole store's statistics beside those of the rows that pass, in rows */

/* Postings of a term in all segments, including those of removed documents. */
static uint64_t rank_total(const struct rank_scope *scope, uint64_t hash) {
  uint64_t total = 0;
  struct store_postings p;
  for (size_t s = 0; s < scope->seg_count; s++)
    if (store_postings_open(&p, &scope->segs[s], hash))
      total += p.total;
  return total;
}

/* Live rows that contain it. */
static uint64_t rank_frequency(const struct rank_scope *scope, uint64_t hash) {
  uint64_t total = 0;
  for (size_t s = 0; s < scope->seg_count; s++)
    total += store_df(&scope->segs[s], hash); /* removed documents must not count */
  return total;
}

static float rank_idf(double rows, double frequency, float exponent) {
  if (frequency > rows)
    frequency = rows;
  return powf((float)log(1 + (rows - frequency + 0.5) / (frequency + 0.5)), exponent);
}

#define HUGE_PAGE ((size_t)1 << 21)

/* Uses huge pages for large arrays: with small ones 1,000,000 rows cause 1,000 page faults. */
static void rank_bm25_reserve(struct rank_text *t, size_t rows) {
  t->rows = rows;
  if (rows <= t->cap)
    return;
  free(t->score);
  t->cap = rows + rows / 4;
  size_t bytes = (t->cap * sizeof *t->score + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
  t->score = bytes > HUGE_PAGE ? aligned_alloc(HUGE_PAGE, bytes) : NULL;
  if (t->score != NULL)
    madvise(t->score, bytes, MADV_HUGEPAGE);
  else
    t->score = xreallocarray(NULL, t->cap, sizeof *t->score);
}

static void reserve_postings(struct rank_text *t, size_t count) {
  if (count <= t->posting_cap)
    return;
  t->posting_cap = 2 * count + 4096;
  t->postings = xreallocarray(t->postings, t->posting_cap, sizeof *t->postings);
}

struct gathering {
  struct rank_text *t;
  const struct rank_scope *scope;
  const struct rank_tuning *tuning;
  struct store_bm25 model;
  size_t count;   /* of t->postings */
  uint64_t total; /* postings in all segments, regardless of the filter */
};

static void gather_block(struct gathering *g, const struct store_postings *p, size_t s) {
  uint32_t rows[STORE_BLOCK];
  uint8_t text_tf[STORE_BLOCK], context_tf[STORE_BLOCK];
  const struct store_selection *sel = &g->scope->sel[s];
  const struct store_segment *seg = &g->scope->segs[s];
  store_postings_decode(p, rows, text_tf, context_tf);
  reserve_postings(g->t, g->count + STORE_BLOCK);
  for (uint32_t i = 0; i < p->count; i++) {
    if (!store_selected(sel, rows[i]))
      continue;
    float tf = (float)text_tf[i] + g->model.context * (float)context_tf[i];
    g->t->postings[g->count++] = (struct rank_posting){
        g->scope->base[s] + rows[i], store_bm25(&g->model, tf, (float)seg->length[rows[i]])};
  }
}

/* Whether any row of [from, to] passes. */
static int any_selected(const struct store_selection *sel, uint32_t from, uint32_t to) {
  if (from < sel->from)
    from = sel->from;
  if (to >= sel->to)
    to = sel->to - 1;
  if (from > to || sel->bits == NULL)
    return from <= to;
  uint32_t first = from / 64, last = to / 64;
  uint64_t head = ~0ULL << (from % 64), tail = ~0ULL >> (63 - to % 64);
  if (first == last)
    return (sel->bits[first] & head & tail) != 0;
  for (uint32_t i = first + 1; i < last; i++)
    if (sel->bits[i] != 0)
      return 1;
  return (sel->bits[first] & head) != 0 || (sel->bits[last] & tail) != 0;
}

/* Advances to the next block with a row that may pass; 0 where there is none. */
static int to_selected(struct store_postings *p, const struct store_selection *sel) {
  do {
    uint32_t first = p->before == UINT32_MAX ? 0 : p->before + 1;
    if (first >= sel->to)
      return 0;
    if (any_selected(sel, first, p->last))
      return 1;
  } while (store_postings_next(p));
  return 0;
}

static int first_selected(struct store_postings *p, const struct store_segment *seg, uint64_t hash,
                          const struct store_selection *sel) {
  return store_postings_open(p, seg, hash) && store_postings_seek(p, sel->from) && to_selected(p, sel);
}

static int next_selected(struct store_postings *p, const struct store_selection *sel) {
  return store_postings_next(p) && to_selected(p, sel);
}

static void gather_segment(struct gathering *g, uint64_t hash, size_t s) {
  const struct store_selection *sel = &g->scope->sel[s];
  const struct store_segment *seg = &g->scope->segs[s];
  struct store_postings p;
  g->total += store_df(seg, hash); /* removed documents must not count */
  for (int more = sel->count > 0 && first_selected(&p, seg, hash, sel); more; more = next_selected(&p, sel))
    gather_block(g, &p, s);
}

/* Removes rows without the term from the bitmap. */
static void require(struct rank_text *t, const struct gathering *g) {
  size_t words = (g->scope->base[g->scope->seg_count] + 63) / 64;
  uint64_t *with = xcalloc(words + 1, sizeof *with);
  for (size_t i = 0; i < g->count; i++)
    with[t->postings[i].row / 64] |= 1ULL << (t->postings[i].row % 64);
  if (t->required == NULL) {
    t->required = with;
    return;
  }
  for (size_t i = 0; i < words; i++)
    t->required[i] &= with[i];
  free(with);
}

/* Frequent words of the thesaurus ("net", "total") cost most and contribute least. */
static int is_everywhere(uint64_t total, const struct rank_tuning *tuning, uint64_t all) {
  return total > FEW && (float)total > tuning->everywhere * (float)all;
}

static int is_quoted(const struct query *q, struct slice term) {
  for (size_t p = 0; p < q->phrase_count; p++)
    for (size_t k = 0; q->phrases[p].quoted && k < q->phrases[p].count; k++)
      if (slice_eq(q->sequence[q->phrases[p].first + k], term))
        return 1;
  return 0;
}

static int is_own(const struct query_term *t) {
  return t->kind != QUERY_EXPANSION;
}

static int has_quotes(const struct query *q) {
  for (size_t p = 0; p < q->phrase_count; p++)
    if (q->phrases[p].quoted)
      return 1;
  return 0;
}

static float weigh(struct rank_text *t, const struct query_term *term, size_t i, float idf,
                   const struct rank_tuning *tuning) {
  t->idf[i] = idf;
  return (is_own(term) ? term->weight : term->weight * tuning->expansion) * idf;
}

/* Scores a term whose frequency among the passing rows matters, or that is quoted: its postings are collected first. */
static void score_gathered(struct rank_text *t, struct gathering *g, const struct query *q, size_t i,
                           uint64_t hash, uint64_t all) {
  for (size_t s = 0; s < g->scope->seg_count; s++)
    gather_segment(g, hash, s);
  double rows = (double)all, frequency = (double)g->total;
  t->frequency[i] = g->count;
  if (g->scope->filtered) {
    double prior = rows < PRIOR ? rows : PRIOR;
    rows = (double)g->scope->rows + prior;
    frequency = (double)g->count + prior * (double)rank_frequency(g->scope, hash) / (double)all;
  }
  float weight = weigh(t, &q->terms[i], i, rank_idf(rows, frequency, g->tuning->idf), g->tuning);
  for (size_t k = 0; k < g->count; k++)
    t->score[t->postings[k].row] += weight * t->postings[k].tf;
  if (is_quoted(q, q->terms[i].text))
    require(t, g);
}

static void score_selected(const struct store_postings *p, const struct store_selection *sel,
                           const struct store_bm25 *m, float *score) {
  uint32_t rows[STORE_BLOCK];
  uint8_t text[STORE_BLOCK], context[STORE_BLOCK];
  store_postings_decode(p, rows, text, context);
  for (uint32_t i = 0; i < p->count; i++)
    if (store_selected(sel, rows[i])) {
      float tf = (float)text[i] + m->context * (float)context[i];
      score[rows[i]] += m->weight * store_bm25(m, tf, (float)p->seg->length[rows[i]]);
    }
}

static void score_segment(struct rank_text *t, const struct rank_scope *scope, size_t s, uint64_t hash,
                          const struct store_bm25 *m) {
  const struct store_selection *sel = &scope->sel[s];
  const struct store_segment *seg = &scope->segs[s];
  float *score = t->score + scope->base[s];
  int whole = sel->bits == NULL && sel->from == 0 && sel->to == seg->rows;
  struct store_postings p;
  for (int more = first_selected(&p, seg, hash, sel); more; more = next_selected(&p, sel)) {
    if (whole)
      store_postings_score(&p, m, score);
    else
      score_selected(&p, sel, m, score);
  }
}

/* Contributions of the terms in order; a term without weight adds nothing. */
struct sum {
  size_t count;
  struct store_bm25 model;
  uint64_t hash[QUERY_TERMS];
  float weight[QUERY_TERMS];
};

/* Segment by segment, so that a segment's scores stay in the cache while all terms are added. */
static void score_segments(struct rank_text *t, const struct rank_scope *scope, struct sum *a) {
  for (size_t s = 0; s < scope->seg_count; s++)
    for (size_t i = 0; scope->sel[s].count > 0 && i < a->count; i++)
      if (a->weight[i] > 0) {
        a->model.weight = a->weight[i];
        score_segment(t, scope, s, a->hash[i], &a->model);
      }
}

/* The weight of each term among all rows; 0 for words that occur everywhere. */
static void weigh_all(struct rank_text *t, const struct rank_scope *scope, const struct query *q,
                      const struct rank_tuning *tuning, uint64_t all, struct sum *a) {
  for (size_t i = 0; i < a->count; i++) {
    const struct query_term *term = &q->terms[i];
    a->weight[i] = 0;
    if (!is_own(term) && is_everywhere(rank_total(scope, a->hash[i]), tuning, all))
      continue;
    t->frequency[i] = rank_frequency(scope, a->hash[i]);
    float idf = rank_idf((double)all, (double)t->frequency[i], tuning->idf);
    a->weight[i] = weigh(t, term, i, idf, tuning);
  }
}

static void gather_all(struct rank_text *t, const struct rank_scope *scope, const struct query *q,
                       const struct rank_tuning *tuning, uint64_t all, const struct sum *a) {
  for (size_t i = 0; i < a->count; i++) {
    if (!is_own(&q->terms[i]) && is_everywhere(rank_total(scope, a->hash[i]), tuning, all))
      continue;
    struct gathering g = {.t = t, .scope = scope, .tuning = tuning, .model = a->model};
    score_gathered(t, &g, q, i, a->hash[i], all);
  }
}

static void rank_bm25_begin(struct rank_text *t, const struct rank_scope *scope) {
  rank_bm25_reserve(t, scope->base[scope->seg_count]);
  free(t->required);
  t->required = NULL;
  memset(t->idf, 0, sizeof t->idf);
  memset(t->frequency, 0, sizeof t->frequency);
  memset(t->score, 0, t->rows * sizeof *t->score);
}

void rank_text_score(struct rank_text *t, const struct rank_scope *scope, const struct store_snapshot *snap,
                     const struct query *q, const struct rank_tuning *tuning) {
  uint64_t all, length;
  struct sum a;
  store_totals(snap, &all, &length);
  rank_bm25_begin(t, scope);
  float average = all && length > all ? (float)length / (float)all : 1;
  a.model = (struct store_bm25){1, tuning->context, tuning->k1 + 1, tuning->k1 * (1 - tuning->b),
                                tuning->k1 * tuning->b / average};
  a.count = q->term_count;
  for (size_t i = 0; i < a.count; i++)
    a.hash[i] = terms_hash(q->terms[i].text);
  if (scope->filtered || has_quotes(q)) {
    gather_all(t, scope, q, tuning, all, &a);
  } else {
    weigh_all(t, scope, q, tuning, all, &a);
    score_segments(t, scope, &a);
  }
}

void rank_text_release(struct rank_text *t) {
  free(t->score);
  free(t->keys);
  free(t->required);
  free(t->postings);
}

/* ---- the best rows ---- */

/* The rows with the highest BM25 scores are selected with a heap of their scores and rows as integers. */

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

/* The first row from `row` on with a score of at least `least`, or end.  Most rows have less: they are passed by the dozen. */
static uint32_t next_reaching(const float *score, float least, uint32_t row, uint32_t end) {
  typedef float run __attribute__((vector_size(16)));
  for (run x[4]; row + 16 <= end; row += 16) {
    memcpy(x, score + row, sizeof x);
    __typeof__(x[0] >= least) any = (x[0] >= least) | (x[1] >= least) | (x[2] >= least) | (x[3] >= least);
    if (any[0] | any[1] | any[2] | any[3])
      break;
  }
  while (row < end && score[row] < least)
    row++;
  return row;
}

static void rank_best_search_all(struct rank_best_search *b, uint32_t end) {
  const struct rank_text *t = b->t;
  for (uint32_t row = 0; (row = next_reaching(t->score, b->least, row, end)) < end; row++) {
    if (!is_allowed(t, row))
      continue;
    offer(&b->heap, rank_best_key_of(t->score[row], row));
    if (b->heap.count == b->heap.max && score_of(b->heap.keys[0]) > b->least)
      b->least = score_of(b->heap.keys[0]);
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
static size_t find_tied(const struct rank_text *t, const struct rank_scope *scope, float score,
                        struct tied **list) {
  size_t count = 0, cap = 0;
  *list = NULL;
  for (size_t s = 0; s < scope->seg_count; s++)
    for (uint32_t row = scope->base[s]; row < scope->base[s + 1]; row++) {
      uint32_t own = row - scope->base[s];
      if (t->score[row] != score || !is_allowed(t, row))
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
static void choose_tied(const struct rank_text *t, const struct rank_scope *scope, uint32_t *rows, size_t n) {
  struct tied *list;
  float score = t->score[rows[n - 1]];
  size_t first = n - 1, count = find_tied(t, scope, score, &list);
  while (first > 0 && t->score[rows[first - 1]] == score)
    first--;
  qsort(list, count, sizeof *list, by_id);
  for (size_t i = 0; first + i < n; i++)
    rows[first + i] = list[i].row;
  free(list);
}

size_t rank_text_best(struct rank_text *t, const struct rank_scope *scope, uint32_t *rows, size_t max) {
  if (max > t->key_cap) {
    t->key_cap = max;
    t->keys = xreallocarray(t->keys, t->key_cap, sizeof *t->keys);
  }
  struct rank_best_search b = {t, FLT_TRUE_MIN, {t->keys, 0, max, 0}}; /* score 0: no term matches */
  rank_best_search_all(&b, max > 0 ? scope->base[scope->seg_count] : 0);
  size_t n = b.heap.count;
  while (b.heap.count > 0) { /* removes the lowest first, so the rest is best first */
    rows[b.heap.count - 1] = row_of(b.heap.keys[0]);
    uint64_t last = b.heap.keys[--b.heap.count];
    if (b.heap.count > 0)
      rank_best_sift_down(&b.heap, last);
  }
  if (b.heap.tied)
    choose_tied(t, scope, rows, n);
  return n;
}
