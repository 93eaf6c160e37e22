/* rerank.c: reranking of passages by an encoder. */
#include "search/rerank.h"

#include "base/digest.h"
#include "model/embed.h"
#include "model/embed_backend.h"
#include "search/rerank_cache.h"
#include "vector/vector.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct rerank {
  struct embedder *embedder;
  struct rerank_cache *cache; /* opened at the first question, when the dimensions are known */
  pthread_mutex_t lock;
};

struct rerank *rerank_open(const char *model, struct error_text *e) {
  struct embed_options o = {.model = model, .server = embed_child_open};
  struct embedder *embedder = embed_open(&o, e);
  if (embedder == NULL)
    return NULL;
  struct rerank *r = xcalloc(1, sizeof *r);
  r->embedder = embedder;
  pthread_mutex_init(&r->lock, NULL);
  return r;
}

void rerank_close(struct rerank *r) {
  if (r == NULL)
    return;
  rerank_cache_close(r->cache);
  embed_close(r->embedder);
  pthread_mutex_destroy(&r->lock);
  free(r);
}

/* Looks up vectors in the cache; computes and caches the missing ones. */
static int rerank_vectors(struct rerank *r, const struct slice *texts, size_t count, float *vectors,
                          struct error_text *e) {
  size_t dims = (size_t)embed_dimensions(r->embedder), wanted = 0;
  struct slice *unknown = xcalloc(count, sizeof *unknown);
  size_t *place = xcalloc(count, sizeof *place);
  uint8_t(*keys)[DIGEST_SIZE] = xcalloc(count, sizeof *keys);
  for (size_t i = 0; i < count; i++) {
    digest_of(texts[i].data, texts[i].len, keys[wanted]);
    if (rerank_cache_get(r->cache, keys[wanted], vectors + i * dims))
      continue;
    unknown[wanted] = texts[i];
    place[wanted++] = i;
  }
  float *made = xcalloc(wanted * dims + 1, sizeof *made);
  int status = wanted > 0 ? embed_encode(r->embedder, unknown, wanted, EMBED_PASSAGE, made, NULL, e) : 0;
  for (size_t i = 0; status == 0 && i < wanted; i++)
    memcpy(vectors + place[i] * dims, made + i * dims, dims * sizeof *made);
  if (status == 0)
    rerank_cache_put(r->cache, keys, made, wanted);
  free(made);
  free(keys);
  free(place);
  free(unknown);
  return status;
}

static int rerank_compare(struct rerank *r, struct slice question, const struct slice *texts, size_t count,
                          float *out, struct error_text *e) {
  if (embed_prepare(r->embedder, e) != 0)
    return -1;
  size_t dims = (size_t)embed_dimensions(r->embedder);
  if (r->cache == NULL)
    r->cache = rerank_cache_open(embed_name(r->embedder), dims);
  float *vectors = xcalloc((count + 1) * dims, sizeof *vectors), *asked = vectors + count * dims;
  int status = embed_encode(r->embedder, &question, 1, EMBED_QUERY, asked, NULL, e);
  if (status == 0)
    status = rerank_vectors(r, texts, count, vectors, e);
  for (size_t i = 0; status == 0 && i < count; i++)
    out[i] = vector_dot(asked, vectors + i * dims, dims);
  free(vectors);
  return status;
}

int rerank_likeness(struct rerank *r, struct slice question, const struct slice *texts, const size_t *of,
                    size_t count, float *out, size_t passages, struct error_text *e) {
  float worst = 2, best = -2, *cosines = xcalloc(count + 1, sizeof *cosines);
  pthread_mutex_lock(&r->lock);
  int status = rerank_compare(r, question, texts, count, cosines, e);
  pthread_mutex_unlock(&r->lock);
  for (size_t i = 0; i < passages; i++)
    out[i] = -1;
  for (size_t i = 0; i < count; i++)
    out[of[i]] = fmaxf(out[of[i]], cosines[i]);
  free(cosines);
  for (size_t i = 0; i < passages; i++) {
    worst = fminf(worst, out[i]);
    best = fmaxf(best, out[i]);
  }
  for (size_t i = 0; i < passages; i++)
    out[i] = best > worst ? (out[i] - worst) / (best - worst) : 0;
  return status;
}
