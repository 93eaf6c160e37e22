/* search_vector.c: the question's vector: with its collections' model, or given by the caller. */
#include "search/search_internal.h"
#include "base/base64.h"
#include "model/embed.h"

#include <stdlib.h>

/* The collection with most passages among those searched; its model makes the vectors.  NULL where there is none. */
static const struct store_collection *main_collection(const struct searcher *s,
                                                      const struct store_filter *f) {
  const struct store_collection *list;
  size_t n = store_collections(s->shared->snap, &list);
  uint64_t most = 0;
  const struct store_collection *chosen = NULL;
  for (size_t i = 0; i < n; i++)
    if (search_filter_has(f, list[i].id) && list[i].passages > most)
      most = list[i].passages, chosen = &list[i];
  return chosen;
}

/* Opens the model called `name` (NULL: $BID_MODEL) as the embedder for `model`: its label must be equal including the
 * fingerprint. */
static int try_embedder(struct searcher *s, const char *name, const char *model, struct error_text *e) {
  struct embed_options o = {.model = name, .threads = 1, .few = !s->shared->many};
  embed_close(s->embedder);
  s->embedder = embed_open(&o, e);
  if (s->embedder == NULL)
    return -1;
  if (strcmp(embed_name(s->embedder), model) == 0)
    return embed_prepare(s->embedder, e);
  error_set(
      e, "the collection was made with model %s, and this one is %s; name its file with --model or BID_MODEL",
      model, embed_name(s->embedder));
  return -1;
}

/* Tries the requested model, else the collection's by name, else $BID_MODEL. */
static int open_embedder(struct searcher *s, const char *model, struct error_text *e) {
  if (s->embedder != NULL && strcmp(embed_name(s->embedder), model) == 0)
    return 0;
  if (s->failed_model != NULL && strcmp(s->failed_model, model) == 0) {
    *e = s->why_failed;
    return -1;
  }
  struct embedder *ahead = search_share_ahead(&s->shared->ahead, model);
  if (ahead != NULL) {
    embed_close(s->embedder);
    s->embedder = ahead;
    return 0;
  }
  char *file = xstrndup(model, strcspn(model, "@"));
  const char *asked = s->shared->model, *other = getenv("BID_MODEL");
  int status = try_embedder(s, asked ? asked : file, model, e);
  if (status != 0 && asked == NULL && other != NULL && *other)
    status = try_embedder(s, NULL, model, e);
  free(file);
  if (status == 0)
    return 0;
  free(s->failed_model);
  s->failed_model = xstrdup(model);
  s->why_failed = *e;
  return -1;
}

static int given_vector(struct asked *a, const struct search_request *r, size_t dims, struct error_text *e) {
  struct buf bytes;
  buf_init(&bytes, VECTOR_DIMS_MAX * sizeof(float));
  int status = base64_decode(r->embedding, &bytes);
  if (status != 0 || bytes.len == 0 || bytes.len % sizeof(float) != 0) {
    error_set(e, "the question's embedding is no base64 of float32");
    status = -1;
  } else if (bytes.len != dims * sizeof *a->vector) {
    error_set(e, "the question's embedding has %zu dimensions, the collection's have %zu",
              bytes.len / sizeof *a->vector, dims);
    status = -1;
  } else {
    a->vector = xreallocarray(a->vector, bytes.len, 1);
    a->dims = dims;
    memcpy(a->vector, bytes.data, bytes.len);
  }
  buf_release(&bytes);
  return status;
}

/* The abbreviation that starts with token i, or NULL. */
static const struct query_spelling *spelling_at(const struct query *q, size_t i) {
  for (size_t k = 0; k < q->spelling_count; k++)
    if (q->spellings[k].first == i)
      return &q->spellings[k];
  return NULL;
}

/* The text to embed: the question without routed and filler words, with abbreviations spelled out. */
static void vector_text(struct searcher *s, const struct query *q) {
  buf_clear(&s->text);
  for (size_t i = 0; i < q->token_count; i++) {
    const struct query_token *t = &q->tokens[i];
    const struct query_spelling *spelled = spelling_at(q, i);
    if (t->kind == QUERY_ROUTED || t->kind == QUERY_FILLER)
      continue;
    if (s->text.len > 0)
      buf_add_char(&s->text, ' ');
    if (spelled != NULL)
      buf_add_slice(&s->text, spelled->phrase);
    else
      buf_add(&s->text, q->text.data + t->start, t->end - t->start);
    i += spelled != NULL ? spelled->count - 1U : 0;
  }
  if (s->text.len == 0)
    buf_add_slice(&s->text, buf_slice(&q->text));
}

/* wanted: dimensions of the collection's vectors.  Without thesaurus phrases: measurements showed that adding them to
 * the vector loses more than it finds. */
static int embed_question(struct searcher *s, struct asked *a, size_t wanted, struct error_text *e) {
  size_t dims = (size_t)embed_dimensions(s->embedder);
  if (dims != wanted) {
    error_set(e, "%s gives vectors of %zu dimensions, the collection's have %zu", a->model, dims, wanted);
    return -1;
  }
  a->vector = xreallocarray(a->vector, dims, sizeof *a->vector);
  vector_text(s, &a->query);
  struct slice text = buf_slice(&s->text);
  if (embed_encode(s->embedder, &text, 1, EMBED_QUERY, a->vector, NULL, e) != 0)
    return -1;
  a->dims = vector_dot(a->vector, a->vector, dims) > 0 ? dims : 0;
  return 0;
}

/* Leaves a->dims at 0 where no vector is needed.  0, or -1 with *e. */
int search_vector_make(struct searcher *s, struct asked *a, const struct search_request *r,
                       struct error_text *e) {
  const struct store_collection *of = main_collection(s, &a->options.filter);
  const char *model = a->model = of ? of->model : NULL;
  a->dims = 0;
  if (r->mode == RANK_TEXT || model == NULL)
    return 0;
  if (r->embedding.len > 0) {
    if (r->embedding_model.len > 0 && !slice_is(r->embedding_model, model)) {
      error_set(e, "the question was embedded with %.*s, the collection with %s", (int)r->embedding_model.len,
                r->embedding_model.data, model);
      return -1;
    }
    return given_vector(a, r, of->dims, e);
  }
  return open_embedder(s, model, e) == 0 ? embed_question(s, a, of->dims, e) : -1;
}
