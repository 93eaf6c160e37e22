/* search_rerank.c: reorders the best hits by an encoder. */
#include "search/search_internal.h"
#include "record/error.h"
#include "record/record.h"

#include <stdlib.h>

/* Weight of the encoder's similarity relative to the model's output: chosen on the questions of
 * test/quality/RANKING.md. */
#define RERANK_WEIGHT 4.0F

int search_reranks(const struct search *s, const struct search_request *r) {
  return s->options.rerank != NULL && r->mode != RANK_VECTOR;
}

static struct rerank *search_reranker(struct search *s, struct error_text *e) {
  pthread_mutex_lock(&s->rerank_lock);
  if (s->rerank == NULL)
    s->rerank = rerank_open(s->options.rerank, e);
  pthread_mutex_unlock(&s->rerank_lock);
  return s->rerank;
}

static int by_sum(const void *a, const void *b) {
  const struct rank_hit *x = a, *y = b;
  return (x->sum < y->sum) - (x->sum > y->sum);
}

/* Sorts by the new sums.  The probability of a rank is kept: only the order has improved. */
static void search_reorder(struct rank_hit *hits, size_t count) {
  float *score = xcalloc(2 * count, sizeof *score), *relevance = score + count;
  for (size_t i = 0; i < count; i++) {
    score[i] = hits[i].score;
    relevance[i] = hits[i].relevance;
  }
  qsort(hits, count, sizeof *hits, by_sum);
  for (size_t i = 0; i < count; i++) {
    hits[i].score = score[i];
    hits[i].relevance = relevance[i];
  }
  free(score);
}

/* The texts for the encoder, concatenated in `all`; -1 with *e on an error of the store. */
static int search_texts(struct searcher *s, const struct rank_hit *hits, size_t count, struct buf *all,
                        struct slice *texts, struct error_text *e) {
  size_t *end = xcalloc(count, sizeof *end);
  int status = 0;
  for (size_t i = 0; status == 0 && i < count; i++) {
    struct store_text *t = &s->passage.text;
    status = store_get_text(s->shared->snap, hits[i].at.seg, hits[i].at.row, t, e) == STORE_OK ? 0 : -1;
    if (status == 0 && t->context.len > 0) {
      buf_add_slice(all, t->context);
      buf_add_char(all, '\n');
    }
    if (status == 0)
      buf_add_slice(all, t->text);
    end[i] = all->len;
  }
  for (size_t i = 0, from = 0; status == 0 && i < count; from = end[i++])
    texts[i] = slice_of(all->data + from, end[i] - from);
  free(end);
  return status;
}

/* Reorders the best hits by an encoder's similarity. */
int search_rerank(struct searcher *s, const struct search_request *r, struct search_fault *f) {
  struct rank_result *found = &s->answer.result;
  size_t count = found->count < SEARCH_RERANKED ? found->count : SEARCH_RERANKED;
  struct rank_hit *hits = found->hits;
  struct rerank *reranker = count > 1 ? search_reranker(s->shared, &f->e) : NULL;
  if (count < 2)
    return 0;
  struct slice texts[SEARCH_RERANKED];
  float likeness[SEARCH_RERANKED];
  struct buf all;
  buf_init(&all, RECORD_MAX);
  int status = reranker && search_texts(s, hits, count, &all, texts, &f->e) == 0
                   ? rerank_likeness(reranker, r->query, texts, count, likeness, &f->e)
                   : -1;
  buf_release(&all);
  for (size_t i = 0; status == 0 && i < count; i++) {
    hits[i].likeness = likeness[i];
    hits[i].sum += RERANK_WEIGHT * likeness[i];
  }
  if (status == 0)
    search_reorder(hits, count);
  f->category = ERROR_INTERNAL;
  f->status = 78;
  return status;
}
