/* rank_text.c: BM25, a term at a time into one array of scores.
 *
 * Term at a time because questions are long here (ten own words and up to a hundred of the thesaurus):
 * document at a time with block-max skipping pays for two or three rare terms, not for a hundred lists of
 * which most rows of the best documents are in many.  An array of 100,000 floats stays in the L2 cache.
 * Blocks are still skipped where the filter leaves none of their rows.
 */
#include "rank_parts.h"

#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define FEW 50         /* passages that a thesaurus word may always be in */
#define LOCAL_ROWS 200 /* from so many rows on, a filter's own document frequencies count */

#define BLOCK_ROWS 256 /* that are skipped at once where none of them is good enough */

#define HUGE_PAGE ((size_t)1 << 21)

/* In huge pages where it is large: 1,000,000 rows of small ones are 1,000 page faults. */
static void reserve(struct rank_text *t, size_t rows) {
  if (rows > t->cap) {
    free(t->score);
    t->cap = rows + rows / 4 + 1024;
    size_t bytes = (t->cap * sizeof *t->score + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    t->score = bytes > HUGE_PAGE ? aligned_alloc(HUGE_PAGE, bytes) : NULL;
    if (t->score != NULL)
      madvise(t->score, bytes, MADV_HUGEPAGE);
    else
      t->score = xreallocarray(NULL, t->cap, sizeof *t->score);
  }
  if (t->block_cap < rows / BLOCK_ROWS + 1) {
    t->block_cap = rows / BLOCK_ROWS + 1;
    t->block_best = xreallocarray(t->block_best, t->block_cap, sizeof *t->block_best);
  }
  memset(t->score, 0, rows * sizeof *t->score);
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
  uint64_t total; /* postings in all segments, filter or not */
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

/* From the block at hand on to one of which a row may pass; 0 where there is none. */
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

/* Robertson's idf, kept above 0. */
static float inverse_frequency(double rows, double frequency) {
  if (frequency > rows)
    frequency = rows;
  return (float)log(1 + (rows - frequency + 0.5) / (frequency + 0.5));
}

/* Rows that lack the term leave the bitmap. */
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

/* Words of the thesaurus that are everywhere ("net", "total") cost most and say least. */
static int is_everywhere(const struct rank_scope *scope, const struct rank_tuning *tuning, uint64_t hash,
                         uint64_t all) {
  uint64_t total = 0;
  struct store_postings p;
  for (size_t s = 0; s < scope->seg_count; s++)
    if (store_postings_open(&p, &scope->segs[s], hash))
      total += p.total;
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

/* Weighs term i of which `frequency` of `rows` passages hold one. */
static float weigh(struct rank_text *t, const struct query_term *term, size_t i, double rows,
                   double frequency, const struct rank_tuning *tuning) {
  t->idf[i] = powf(inverse_frequency(rows, frequency), tuning->idf);
  float weight = (is_own(term) ? term->weight : term->weight * tuning->expansion) * t->idf[i];
  if (is_own(term))
    t->ideal += weight;
  return weight;
}

/* A term whose frequency among the rows that pass counts, or that is quoted: its postings are gathered first.
 */
static void score_gathered(struct rank_text *t, struct gathering *g, const struct query *q, size_t i,
                           uint64_t hash, int local, uint64_t all) {
  for (size_t s = 0; s < g->scope->seg_count; s++)
    gather_segment(g, hash, s);
  double rows = local ? (double)g->scope->rows : (double)all;
  double frequency = local ? (double)g->count : (double)g->total;
  float weight = weigh(t, &q->terms[i], i, rows, frequency, g->tuning);
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

/* Segment by segment: a segment's scores stay in the cache while all terms add to them. */
static void score_segments(struct rank_text *t, const struct rank_scope *scope, const uint64_t *hashes,
                           const float *weights, size_t count, struct store_bm25 m) {
  for (size_t s = 0; s < scope->seg_count; s++)
    for (size_t i = 0; scope->sel[s].count > 0 && i < count; i++)
      if (weights[i] > 0) {
        m.weight = weights[i];
        score_segment(t, scope, s, hashes[i], &m);
      }
}

static uint64_t whole_frequency(const struct rank_scope *scope, uint64_t hash) {
  uint64_t total = 0;
  for (size_t s = 0; s < scope->seg_count; s++)
    total += store_df(&scope->segs[s], hash); /* removed documents must not count */
  return total;
}

#ifdef __SSE2__
static float best_of(const float *score, size_t count) {
  __m128 best = _mm_setzero_ps();
  size_t i = 0;
  for (; i + 4 <= count; i += 4)
    best = _mm_max_ps(best, _mm_loadu_ps(score + i));
  float four[4], most;
  _mm_storeu_ps(four, best);
  most = four[0];
  for (int k = 1; k < 4; k++)
    most = four[k] > most ? four[k] : most;
  for (; i < count; i++)
    most = score[i] > most ? score[i] : most;
  return most;
}
#else
static float best_of(const float *score, size_t count) {
  float most = 0;
  for (size_t i = 0; i < count; i++)
    most = score[i] > most ? score[i] : most;
  return most;
}
#endif

/* What each block of rows has at best. */
static void find_block_best(struct rank_text *t, size_t rows) {
  t->blocks = (rows + BLOCK_ROWS - 1) / BLOCK_ROWS;
  for (size_t i = 0; i < t->blocks; i++) {
    size_t from = i * BLOCK_ROWS, left = rows - from;
    t->block_best[i] = best_of(t->score + from, left < BLOCK_ROWS ? left : BLOCK_ROWS);
  }
}

void rank_text_score(struct rank_text *t, const struct rank_scope *scope, const struct store_snapshot *snap,
                     const struct query *q, const struct rank_tuning *tuning) {
  uint64_t all, length, hashes[QUERY_TERMS];
  float weights[QUERY_TERMS];
  store_totals(snap, &all, &length);
  reserve(t, scope->base[scope->seg_count]);
  free(t->required);
  t->required = NULL;
  t->ideal = 0;
  float average = all && length > all ? (float)length / (float)all : 1;
  struct store_bm25 model = {1, tuning->context, tuning->k1 + 1, tuning->k1 * (1 - tuning->b),
                             tuning->k1 * tuning->b / average};
  int local = scope->filtered && scope->rows >= LOCAL_ROWS, gathered = local || has_quotes(q);
  memset(t->idf, 0, sizeof t->idf);
  for (size_t i = 0; i < q->term_count; i++) {
    weights[i] = 0;
    hashes[i] = terms_hash(q->terms[i].text);
    if (!is_own(&q->terms[i]) && is_everywhere(scope, tuning, hashes[i], all))
      continue;
    struct gathering g = {.t = t, .scope = scope, .tuning = tuning, .model = model};
    if (gathered)
      score_gathered(t, &g, q, i, hashes[i], local, all);
    else
      weights[i] = weigh(t, &q->terms[i], i, (double)all, (double)whole_frequency(scope, hashes[i]), tuning);
  }
  if (!gathered)
    score_segments(t, scope, hashes, weights, q->term_count, model);
  find_block_best(t, scope->base[scope->seg_count]);
}

void rank_text_release(struct rank_text *t) {
  free(t->score);
  free(t->block_best);
  free(t->required);
  free(t->postings);
}

/* ---- the best rows ---- */

/* A heap with the worst at its root. */
struct heap {
  const float *score;
  uint32_t *rows;
  size_t count, max;
};

static int worse(const struct heap *h, uint32_t a, uint32_t b) {
  float x = h->score[a], y = h->score[b];
  return x < y || (x == y && a > b);
}

static void sift_down(struct heap *h, size_t i) {
  for (;;) {
    size_t least = i, left = 2 * i + 1, right = left + 1;
    if (left < h->count && worse(h, h->rows[left], h->rows[least]))
      least = left;
    if (right < h->count && worse(h, h->rows[right], h->rows[least]))
      least = right;
    if (least == i)
      return;
    uint32_t swap = h->rows[i];
    h->rows[i] = h->rows[least];
    h->rows[least] = swap;
    i = least;
  }
}

static void sift_up(struct heap *h, size_t i) {
  while (i > 0 && worse(h, h->rows[i], h->rows[(i - 1) / 2])) {
    uint32_t swap = h->rows[i];
    h->rows[i] = h->rows[(i - 1) / 2];
    h->rows[(i - 1) / 2] = swap;
    i = (i - 1) / 2;
  }
}

static void offer(struct heap *h, uint32_t row) {
  if (h->count < h->max) {
    h->rows[h->count] = row;
    sift_up(h, h->count++);
  } else if (h->count > 0 && worse(h, h->rows[0], row)) {
    h->rows[0] = row;
    sift_down(h, 0);
  }
}

#define RUN 32

/* Whether none of RUN rows has any of these signs. */
static int is_unsigned_run(const uint8_t *flags, unsigned signs) {
  uint64_t part[RUN / 8], some = 0;
  memcpy(part, flags, sizeof part);
  for (size_t i = 0; i < RUN / 8; i++)
    some |= part[i];
  return (some & signs * 0x0101010101010101u) == 0;
}

/* A search for the best rows. */
struct search {
  const struct rank_text *t;
  unsigned signs;
  float least; /* rows that don't score more needn't be looked at */
  struct heap heap;
};

/* Rows [from, to) of segment s. */
static void look_through(struct search *b, const struct rank_scope *scope, size_t s, uint32_t from,
                         uint32_t to) {
  const struct rank_text *t = b->t;
  const uint8_t *flags = scope->segs[s].flags;
  for (uint32_t row = from; row < to; row++) {
    uint32_t own = row - scope->base[s];
    if (b->signs != 0 && to - row >= RUN && is_unsigned_run(flags + own, b->signs)) {
      row += RUN - 1;
      continue;
    }
    if (b->signs != 0 && !(flags[own] & b->signs))
      continue;
    if (!(t->score[row] > b->least) || (t->required != NULL && !(t->required[row / 64] >> (row % 64) & 1)))
      continue;
    offer(&b->heap, row);
    if (b->heap.count == b->heap.max && t->score[b->heap.rows[0]] > b->least)
      b->least = t->score[b->heap.rows[0]];
  }
}

static void search_segment(struct search *b, const struct rank_scope *scope, size_t s) {
  uint32_t from = scope->base[s] + scope->sel[s].from, end = scope->base[s] + scope->sel[s].to;
  while (from < end) {
    uint32_t to = (from / BLOCK_ROWS + 1) * BLOCK_ROWS;
    to = to < end ? to : end;
    if (b->t->block_best[from / BLOCK_ROWS] > b->least)
      look_through(b, scope, s, from, to);
    from = to;
  }
}

/* A score that at least `max` rows reach: the max-th best of the blocks' best ones.  Just below it, for those
 * that only reach it. */
static float reached(const struct rank_text *t, uint32_t *rows, size_t max) {
  struct heap h = {t->block_best, rows, 0, max};
  for (size_t i = 0; i < t->blocks; i++)
    if (h.count < max || t->block_best[i] > t->block_best[h.rows[0]])
      offer(&h, (uint32_t)i);
  float best = h.count == max && max > 0 ? t->block_best[h.rows[0]] : 0;
  return best > 0 ? nextafterf(best, 0) : 0;
}

size_t rank_text_best(const struct rank_text *t, const struct rank_scope *scope, unsigned signs,
                      uint32_t *rows, size_t max) {
  struct search b = {t, signs, 0, {t->score, rows, 0, max}};
  if (signs == 0 && t->required == NULL)
    b.least = reached(t, rows, max);
  for (size_t s = 0; s < scope->seg_count; s++)
    if (scope->sel[s].count > 0)
      search_segment(&b, scope, s);
  struct heap *h = &b.heap;
  size_t n = h->count;
  while (h->count > 1) { /* worst to the end: what is left is best first */
    uint32_t worst = h->rows[0];
    h->rows[0] = h->rows[--h->count];
    sift_down(h, 0);
    h->rows[h->count] = worst;
  }
  return n;
}
