/* search_rerank.c: reorders the best hits by an encoder. */
#include "search/search_internal.h"
#include "record/error.h"
#include "record/record.h"

#include <stdlib.h>

/* Weight of the encoder's similarity relative to the model's output: chosen on the questions of
 * test/quality/RANKING.md. */
#define RERANK_WEIGHT 9.0F

#define HEADING_BYTES 100 /* of the heading above a sentence */
#define SENTENCE_BYTES 400

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

/* What the encoder reads: a few sentences of each hit. */
struct reading {
  struct buf all; /* the texts, one after the other */
  size_t end[SEARCH_RERANKED * RANK_NEAREST], of[SEARCH_RERANKED * RANK_NEAREST];
  size_t count;
};

/* The longest beginning of whole characters. */
static struct slice reading_beginning(struct slice text, size_t most) {
  while (most < text.len && most > 0 && ((unsigned char)text.data[most] & 0xC0) == 0x80)
    most--;
  return slice_of(text.data, most < text.len ? most : text.len);
}

/* Without the bars of table rows, which an encoder takes for words. */
static void add_sentence(struct buf *out, struct slice heading, struct slice sentence) {
  buf_add_slice(out, reading_beginning(heading, HEADING_BYTES));
  if (heading.len > 0)
    buf_add_slice(out, slice_str(": "));
  sentence = reading_beginning(sentence, SENTENCE_BYTES);
  for (size_t i = 0; i < sentence.len; i++)
    buf_add_char(out, sentence.data[i] == '|' ? ' ' : sentence.data[i]);
}

/* Adds the nearest sentences of hit i, or the whole passage where none were looked for. */
static void reading_add(struct reading *g, const struct rank_hit *h, const struct store_text *t, size_t i) {
  size_t first = g->count;
  struct slice heading = rank_heading(t->context);
  for (size_t k = 0; k < RANK_NEAREST && h->nearest[k].end > h->nearest[k].start; k++) {
    const struct rank_span *n = &h->nearest[k];
    add_sentence(&g->all, heading, slice_of(t->text.data + n->start, n->end - n->start));
    g->end[g->count++] = g->all.len;
  }
  if (g->count == first) {
    buf_add_slice(&g->all, t->context);
    buf_add_char(&g->all, '\n');
    buf_add_slice(&g->all, t->text);
    g->end[g->count++] = g->all.len;
  }
  for (size_t k = first; k < g->count; k++)
    g->of[k] = i;
}

/* -1 with *e on an error of the store. */
static int reading_fill(struct reading *g, struct searcher *s, const struct rank_hit *hits, size_t count,
                        struct error_text *e) {
  for (size_t i = 0; i < count; i++) {
    struct store_text *t = &s->passage.text;
    if (store_get_text(s->shared->snap, hits[i].at.seg, hits[i].at.row, t, e) != STORE_OK)
      return -1;
    reading_add(g, &hits[i], t, i);
  }
  return 0;
}

/* The encoder's similarities of the question with the hits. */
static int reading_likeness(const struct reading *g, struct rerank *reranker, struct slice question,
                            float *out, size_t passages, struct error_text *e) {
  struct slice texts[SEARCH_RERANKED * RANK_NEAREST];
  for (size_t i = 0, from = 0; i < g->count; from = g->end[i++])
    texts[i] = slice_of(g->all.data + from, g->end[i] - from);
  return rerank_likeness(reranker, question, texts, g->of, g->count, out, passages, e);
}

/* Reorders the best hits by an encoder's similarity. */
int search_rerank(struct searcher *s, const struct search_request *r, struct search_fault *f) {
  struct rank_result *found = &s->answer.result;
  size_t count = found->count < SEARCH_RERANKED ? found->count : SEARCH_RERANKED;
  struct rank_hit *hits = found->hits;
  if (count < 2)
    return 0;
  struct rerank *reranker = search_reranker(s->shared, &f->e);
  struct slice question = s->asked.dims > 0 && r->embedding.len == 0 ? buf_slice(&s->text) : r->query;
  struct reading g = {.count = 0};
  float likeness[SEARCH_RERANKED];
  buf_init(&g.all, RECORD_MAX);
  int status = reranker && reading_fill(&g, s, hits, count, &f->e) == 0
                   ? reading_likeness(&g, reranker, question, likeness, count, &f->e)
                   : -1;
  buf_release(&g.all);
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
