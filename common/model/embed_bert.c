/* embed_bert.c: opens a BERT model and encodes texts with several threads.
 *
 * Texts are sorted by length and packed into groups of GROUP_TOKENS tokens; each thread takes the next group.  Linear
 * layers process the tokens of all texts of a group as rows of one matrix, so that weights are not read again for
 * each short text; attention processes one text at a time, so nothing is padded.
 */
#include "model/bert.h"

#include "record/json.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define GROUP_TOKENS 512
#define GROUP_TEXTS 64
#define BATCH 256 /* enough texts to give all threads groups of similar length */
#define THREADS_MAX 64

struct bert_backend {
  struct embed_backend base;
  struct model *model;
  struct bert bert;
  int32_t cls, sep;
  int32_t *prefix; /* ids prepended to a query */
  size_t prefix_len;
};

/* --- opening ----------------------------------------------------------------------------------------------
 */

/* Quantizes W [n][k] to int8 with one step per output channel and packs it for the instruction set. */
static void quantize_weights(const struct bert_math *math, struct bert_linear *w) {
  struct bert_rows rows = {.q = xmalloc(w->n * w->k)};
  rows.scale = w->scale = xreallocarray(NULL, w->n, sizeof *w->scale);
  rows.total = xreallocarray(NULL, w->n, sizeof *rows.total);
  math->quantize(w->weights, w->n, w->k, (float)math->weight_top, &rows);
  w->packed = aligned_alloc(64, (math->packed_size(w->n, w->k) + 63) / 64 * 64);
  if (w->packed == NULL)
    diag_oom();
  math->pack(w->packed, rows.q, w->n, w->k);
  free(rows.q);
  free(rows.total);
}

static const float *floats(struct model *m, const char *name, size_t count, struct error_text *e) {
  return model_array(m, name, count * sizeof(float), e);
}

/* Reads the linear layers called `name` of all encoder layers; `at` is the member's offset in struct bert_layer. */
static int read_linear(struct bert_backend *b, const char *name, size_t n, size_t k, size_t at,
                       struct error_text *e) {
  char bias_name[MODEL_SECTION_NAME];
  struct bert *t = &b->bert;
  snprintf(bias_name, sizeof bias_name, "%s-bias", name);
  const float *weights = floats(b->model, name, t->layers * n * k, e);
  const float *bias = weights ? floats(b->model, bias_name, t->layers * n, e) : NULL;
  if (bias == NULL)
    return -1;
  for (size_t i = 0; i < t->layers; i++) {
    struct bert_linear *w = (struct bert_linear *)(void *)((char *)&t->layer[i] + at);
    *w = (struct bert_linear){.n = n, .k = k, .weights = weights + i * n * k, .bias = bias + i * n};
    if (!t->in_float)
      quantize_weights(t->math, w);
  }
  return 0;
}

static int read_norms(struct bert_backend *b, struct error_text *e) {
  struct bert *t = &b->bert;
  const float *first = floats(b->model, "norm1", t->layers * 2 * t->hidden, e);
  const float *second = first ? floats(b->model, "norm2", t->layers * 2 * t->hidden, e) : NULL;
  for (size_t i = 0; second && i < t->layers; i++) {
    t->layer[i].norm1 = first + i * 2 * t->hidden;
    t->layer[i].norm2 = second + i * 2 * t->hidden;
  }
  return second ? 0 : -1;
}

static int read_weights(struct bert_backend *b, struct error_text *e) {
  struct bert *t = &b->bert;
  size_t h = t->hidden;
  t->layer = xcalloc(t->layers, sizeof *t->layer);
  t->embeddings = floats(b->model, "embeddings", t->tokens * h, e);
  t->places = t->embeddings ? floats(b->model, "positions", t->positions * h, e) : NULL;
  t->embed_norm = t->places ? floats(b->model, "embed-norm", 2 * h, e) : NULL;
  if (t->embed_norm == NULL || read_norms(b, e) != 0)
    return -1;
  return read_linear(b, "qkv", 3 * h, h, offsetof(struct bert_layer, qkv), e) ||
                 read_linear(b, "out", h, h, offsetof(struct bert_layer, out), e) ||
                 read_linear(b, "up", t->inner, h, offsetof(struct bert_layer, up), e) ||
                 read_linear(b, "down", h, t->inner, offsetof(struct bert_layer, down), e)
             ? -1
             : 0;
}

static size_t bert_number(struct slice meta, const char *name) {
  long long n = json_to_int(json_get(meta, name), 0);
  return n > 0 && n < 1 << 24 ? (size_t)n : 0;
}

/* Reads the shape from "meta"; checks that the arithmetic supports every number. */
static int read_shape(struct bert_backend *b, struct slice meta, struct error_text *e) {
  struct bert *t = &b->bert;
  t->layers = bert_number(meta, "layers");
  t->heads = bert_number(meta, "heads");
  t->hidden = bert_number(meta, "hidden");
  t->inner = bert_number(meta, "intermediate");
  t->positions = bert_number(meta, "positions");
  t->tokens = bert_number(meta, "tokens");
  t->epsilon = (float)json_to_double(json_get(meta, "epsilon"), 1e-12);
  t->cls = slice_is(json_get(meta, "pooling"), "\"cls\"");
  size_t dim = t->heads ? t->hidden / t->heads : 0;
  if (t->layers && t->layers <= BERT_LAYERS_MAX && t->hidden && t->hidden % BERT_STEP == 0 &&
      t->hidden <= 4096 && t->inner && t->inner % BERT_STEP == 0 && t->inner <= 16384 &&
      dim * t->heads == t->hidden && dim % 32 == 0 && dim <= BERT_HEAD_MAX && t->positions >= 8 &&
      t->tokens == wordpiece_vocab_size(b->base.tokenizer))
    return 0;
  error_set(e, "model %s: a BERT of a shape that this program cannot run", model_label(b->model));
  return -1;
}

static int read_prefix(struct bert_backend *b, struct slice meta, struct error_text *e) {
  struct buf text;
  buf_init(&text, 4096);
  struct slice prefix = json_text(json_get(meta, "queryPrefix"), &text);
  b->cls = wordpiece_id(b->base.tokenizer, slice_str("[CLS]"));
  b->sep = wordpiece_id(b->base.tokenizer, slice_str("[SEP]"));
  b->prefix_len = wordpiece_count(b->base.tokenizer, prefix);
  b->prefix = xreallocarray(NULL, b->prefix_len + 1, sizeof *b->prefix);
  wordpiece_encode(b->base.tokenizer, prefix, b->prefix, NULL, b->prefix_len);
  buf_release(&text);
  if (b->cls >= 0 && b->sep >= 0 && b->prefix_len + 8 <= b->base.max_tokens)
    return 0;
  error_set(e, "model %s: no [CLS] or [SEP], or too long a query prefix", model_label(b->model));
  return -1;
}

static int choose_math(struct bert *t, struct error_text *e) {
  const char *way = getenv("BID_BERT");
  t->in_float = way && strcmp(way, "float32") == 0;
  t->math = bert_math_best(way && *way && !t->in_float && strcmp(way, "int8") != 0 ? way : NULL);
  if (t->math)
    return 0;
  error_set(e, "BID_BERT is \"%s\", which this machine has not; use int8 or float32", way);
  return -1;
}

static int read_model(struct bert_backend *b, int dimensions, struct error_text *e) {
  struct slice meta = model_section(b->model, "meta");
  size_t at;
  const char *why = "";
  if (json_validate(meta.data, meta.len, &at, &why) != 0 || json_kind(meta) != '{') {
    error_set(e, "model %s: its description is no JSON object: %s", model_label(b->model), why);
    return -1;
  }
  b->base.tokenizer = wordpiece_new(model_section(b->model, "vocab"), e);
  if (b->base.tokenizer == NULL || read_shape(b, meta, e) != 0)
    return -1;
  if (dimensions != 0 && (size_t)dimensions != b->bert.hidden) {
    error_set(e, "model %s: its vectors have %zu dimensions and cannot be cut", model_label(b->model),
              b->bert.hidden);
    return -1;
  }
  size_t most = model_max_tokens(b->model);
  if (most == 0 || most > b->bert.positions)
    most = b->bert.positions;
  b->base.max_tokens = most < BERT_TOKENS_MAX ? most : BERT_TOKENS_MAX;
  return choose_math(&b->bert, e) || read_prefix(b, meta, e) || read_weights(b, e) ? -1 : 0;
}

static void release_linear(struct bert_linear *w) {
  free(w->packed);
  free(w->scale);
}

static void bert_close(struct embed_backend *base) {
  struct bert_backend *b = (struct bert_backend *)(void *)base;
  for (size_t i = 0; b->bert.layer && i < b->bert.layers; i++) {
    release_linear(&b->bert.layer[i].qkv);
    release_linear(&b->bert.layer[i].out);
    release_linear(&b->bert.layer[i].up);
    release_linear(&b->bert.layer[i].down);
  }
  free(b->bert.layer);
  free(b->prefix);
  wordpiece_free(b->base.tokenizer);
  model_close(b->model);
  free(b);
}

/* --- texts over threads -----------------------------------------------------------------------------------
 */

struct text {
  size_t index;         /* index in the caller's order */
  size_t start, length; /* its ids; length 0: no tokens */
};

struct bert_group {
  size_t first, count; /* texts in sorted order */
};

struct work {
  struct bert_backend *b;
  int32_t *ids;
  struct text *texts;
  struct bert_group *groups;
  size_t group_count;
  atomic_size_t next;
  float *out;
};

static int longer_first(const void *a, const void *b) {
  const struct text *x = a, *y = b;
  if (x->length != y->length)
    return x->length < y->length ? 1 : -1;
  return x->index < y->index ? -1 : x->index > y->index;
}

static void run_group(const struct work *w, struct bert_room *room, const struct bert_group *g) {
  int32_t ids[GROUP_TOKENS];
  size_t lengths[GROUP_TEXTS], total = 0;
  float *out[GROUP_TEXTS];
  for (size_t i = 0; i < g->count; i++) {
    const struct text *t = &w->texts[g->first + i];
    memcpy(ids + total, w->ids + t->start, t->length * sizeof *ids);
    total += t->length;
    lengths[i] = t->length;
    out[i] = w->out + t->index * w->b->bert.hidden;
  }
  bert_forward(&w->b->bert, room, ids, lengths, g->count, out);
}

static void *work_thread(void *arg) {
  struct work *w = arg;
  struct bert_room room;
  bert_room_init(&room, &w->b->bert, GROUP_TOKENS);
  for (size_t i; (i = atomic_fetch_add(&w->next, 1)) < w->group_count;)
    run_group(w, &room, &w->groups[i]);
  bert_room_release(&room);
  return NULL;
}

/* Adds [CLS], the query's prefix, the text and [SEP]; the text is truncated to fit. */
static int add_ids(struct bert_backend *b, struct slice text, enum embed_role role, int32_t *ids,
                   struct text *t) {
  size_t prefix = role == EMBED_QUERY ? b->prefix_len : 0, room = b->base.max_tokens - 2 - prefix;
  size_t n = wordpiece_encode(b->base.tokenizer, text, ids + 1 + prefix, NULL, room);
  size_t kept = n < room ? n : room;
  t->length = n ? kept + prefix + 2 : 0;
  ids[0] = b->cls;
  memcpy(ids + 1, b->prefix, prefix * sizeof *ids);
  ids[1 + prefix + kept] = b->sep;
  return n > room;
}

static void make_groups(struct work *w, size_t count) {
  size_t tokens = 0;
  for (size_t i = 0; i < count && w->texts[i].length; i++) {
    struct bert_group *g = w->group_count ? &w->groups[w->group_count - 1] : NULL;
    if (g == NULL || g->count == GROUP_TEXTS || tokens + w->texts[i].length > GROUP_TOKENS) {
      g = &w->groups[w->group_count++];
      *g = (struct bert_group){i, 0};
      tokens = 0;
    }
    g->count++;
    tokens += w->texts[i].length;
  }
}

static void run_threads(struct work *w, int threads) {
  pthread_t other[THREADS_MAX];
  size_t started = 0, wanted = threads > THREADS_MAX ? THREADS_MAX : (size_t)threads;
  if (wanted > w->group_count)
    wanted = w->group_count;
  while (started + 1 < wanted && pthread_create(&other[started], NULL, work_thread, w) == 0)
    started++;
  work_thread(w);
  while (started > 0)
    pthread_join(other[--started], NULL);
}

static int bert_encode(struct embed_backend *base, const struct slice *texts, size_t count,
                       enum embed_role role, int threads, float *out, size_t *truncated,
                       struct error_text *e) {
  struct bert_backend *b = (struct bert_backend *)(void *)base;
  struct work w = {.b = b, .out = out};
  (void)e;
  w.ids = xreallocarray(NULL, count * base->max_tokens + 1, sizeof *w.ids);
  w.texts = xreallocarray(NULL, count + 1, sizeof *w.texts);
  w.groups = xreallocarray(NULL, count + 1, sizeof *w.groups);
  memset(out, 0, count * b->bert.hidden * sizeof *out);
  for (size_t i = 0; i < count; i++) {
    w.texts[i] = (struct text){i, i * base->max_tokens, 0};
    int cut = add_ids(b, texts[i], role, w.ids + w.texts[i].start, &w.texts[i]);
    if (truncated)
      *truncated += (size_t)cut;
  }
  qsort(w.texts, count, sizeof *w.texts, longer_first);
  make_groups(&w, count);
  run_threads(&w, threads);
  free(w.ids);
  free(w.texts);
  free(w.groups);
  return 0;
}

struct embed_backend *embed_bert_open(struct model *m, int dimensions, struct error_text *e) {
  struct bert_backend *b = xcalloc(1, sizeof *b);
  b->model = m;
  b->base.close = bert_close;
  b->base.encode = bert_encode;
  b->base.label = model_label(m);
  b->base.batch = BATCH;
  if (read_model(b, dimensions, e) != 0) {
    bert_close(&b->base);
    return NULL;
  }
  b->base.dimensions = (int)b->bert.hidden;
  return &b->base;
}
