/* bert_forward.c: the forward pass of a BERT encoder, by the fastest arithmetic that the processor has. */
#include "base/cpu.h"
#include "model/bert.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const struct bert_math *bert_math_best(const char *name) {
  static const struct {
    const struct bert_math *math;
    unsigned features;
  } kinds[] = {
#if defined(__x86_64__)
    {&bert_math_vnni, CPU_AVX512_VNNI},
    {&bert_math_avxvnni, CPU_AVXVNNI},
    {&bert_math_avx2, CPU_AVX2},
#endif
    {&bert_math_base, 0}
  };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if ((name == NULL || strcmp(name, kinds[i].math->name) == 0) && cpu_has(kinds[i].features))
      return kinds[i].math;
  return NULL;
}

/* ---- the encoder's forward pass ---- */

#define TILE 64 /* rows passed through the wide layers at a time, to stay in the cache */

static void *room(size_t bytes) {
  void *p = aligned_alloc(64, (bytes + 127) / 64 * 64);
  if (p == NULL)
    diag_oom();
  return p;
}

void bert_room_init(struct bert_room *r, const struct bert *b, size_t rows) {
  size_t widest = b->inner > b->hidden ? b->inner : b->hidden;
  r->x = room(rows * b->hidden * sizeof *r->x);
  r->qkv = room(rows * 3 * b->hidden * sizeof *r->qkv);
  r->mixed = room(rows * b->hidden * sizeof *r->mixed);
  r->wide = room(TILE * b->inner * sizeof *r->wide);
  r->scratch = room(bert_scratch(rows) * sizeof *r->scratch);
  r->rows.q = room(rows * b->hidden + TILE * widest);
  r->rows.lifted = room(rows * b->hidden + TILE * widest);
  r->rows.scale = room((rows + TILE) * sizeof *r->rows.scale);
  r->rows.total = room((rows + TILE) * sizeof *r->rows.total);
}

void bert_room_release(struct bert_room *r) {
  free(r->x);
  free(r->qkv);
  free(r->mixed);
  free(r->wide);
  free(r->scratch);
  free(r->rows.q);
  free(r->rows.lifted);
  free(r->rows.scale);
  free(r->rows.total);
}

/* y [m][w->n] = x [m][w->k] Wᵀ + bias. */
static void apply(const struct bert *b, struct bert_room *r, const struct bert_linear *w, const float *x,
                  size_t m, float *y) {
  if (b->in_float) {
    b->math->linear_float(x, m, w, y);
    return;
  }
  b->math->quantize(x, m, w->k, 127, &r->rows);
  b->math->linear(&r->rows, m, w, y);
}

/* x [total][H]: the sum of token and position embeddings. */
static void embed(const struct bert *b, struct bert_room *r, const int32_t *ids, const size_t *lengths,
                  size_t count) {
  float *x = r->x;
  size_t total = 0;
  for (size_t i = 0; i < count; i++) {
    for (size_t place = 0; place < lengths[i]; place++, x += b->hidden) {
      const float *token = b->embeddings + (size_t)ids[total + place] * b->hidden;
      for (size_t d = 0; d < b->hidden; d++)
        x[d] = token[d] + b->places[place * b->hidden + d];
    }
    total += lengths[i];
  }
  b->math->normalize(r->x, NULL, total, b->hidden, b->embed_norm, b->epsilon);
}

/* Attention with its input and output projections.  With `firsts`, only the first row of each text is kept: x then
 * has one row per text. */
static void attend(const struct bert *b, struct bert_room *r, const struct bert_layer *l,
                   const size_t *lengths, size_t count, size_t total, int firsts) {
  size_t width = b->hidden, to = 0;
  apply(b, r, &l->qkv, r->x, total, r->qkv);
  for (size_t i = 0, at = 0; i < count; at += lengths[i++]) {
    size_t kept = firsts ? 1 : lengths[i];
    b->math->attention(r->qkv + at * 3 * width, lengths[i], kept, b->heads, width / b->heads, r->scratch,
                       r->mixed + to * width);
    if (to != at)
      memcpy(r->x + to * width, r->x + at * width, kept * width * sizeof *r->x);
    to += kept;
  }
  apply(b, r, &l->out, r->mixed, to, r->qkv);
  b->math->normalize(r->x, r->qkv, to, width, l->norm1, b->epsilon);
}

/* The position-wise feed-forward network, TILE rows at a time. */
static void widen(const struct bert *b, struct bert_room *r, const struct bert_layer *l, size_t total) {
  for (size_t at = 0, n; at < total; at += n) {
    n = total - at < TILE ? total - at : TILE;
    float *x = r->x + at * b->hidden;
    apply(b, r, &l->up, x, n, r->wide);
    b->math->gelu(r->wide, n * b->inner);
    apply(b, r, &l->down, r->wide, n, r->mixed);
    b->math->normalize(x, r->mixed, n, b->hidden, l->norm2, b->epsilon);
  }
}

/* out [H]: the mean of the rows of x, normalised to length 1. */
static void pool(const struct bert *b, const float *x, size_t rows, float *out) {
  double squares = 0;
  for (size_t d = 0; d < b->hidden; d++) {
    double sum = 0;
    for (size_t i = 0; i < rows; i++)
      sum += (double)x[i * b->hidden + d];
    out[d] = (float)(sum / (double)rows);
    squares += (double)out[d] * (double)out[d];
  }
  double scale = squares > 0 ? 1 / sqrt(squares) : 0;
  for (size_t d = 0; d < b->hidden; d++)
    out[d] = (float)((double)out[d] * scale);
}

void bert_forward(const struct bert *b, struct bert_room *r, const int32_t *ids, const size_t *lengths,
                  size_t count, float *const *out) {
  size_t total = 0;
  for (size_t i = 0; i < count; i++)
    total += lengths[i];
  embed(b, r, ids, lengths, count);
  for (size_t i = 0; i < b->layers; i++) {
    int firsts = b->cls && i + 1 == b->layers;
    attend(b, r, &b->layer[i], lengths, count, total, firsts);
    widen(b, r, &b->layer[i], firsts ? count : total);
  }
  for (size_t i = 0, at = 0; i < count; i++) {
    size_t rows = b->cls ? 1 : lengths[i];
    pool(b, r->x + at * b->hidden, rows, out[i]);
    at += rows;
  }
}
