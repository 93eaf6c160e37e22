/* bert.h: BERT sentence encoders (Devlin et al. 2019; all-MiniLM-L6-v2, bge-small-en-v1.5) on the CPU.
 *
 * Sections of the model file (model.h, kind 2) for L layers of width H, inner width I, P positions and V
 * tokens; all but the first two are little-endian float32, linear layers as [outputs][inputs]:
 *
 *     "meta"        JSON: layers, heads, hidden, intermediate, positions, tokens, epsilon, pooling ("mean" or
 *                   "cls"), queryPrefix (set in front of a query), license
 *     "vocab"       the WordPiece tokens, one a line
 *     "embeddings"  [V][H]
 *     "positions"   [P][H], the embedding of token type 0 added
 *     "embed-norm"  [2][H]: gamma, beta
 *     "qkv"         [L][3 H][H], "qkv-bias" [L][3 H]: query, key, value
 *     "out"         [L][H][H], "out-bias" [L][H]
 *     "norm1"       [L][2][H]
 *     "up"          [L][I][H], "up-bias" [L][I]
 *     "down"        [L][H][I], "down-bias" [L][H]
 *     "norm2"       [L][2][H]
 *
 * data/gen/convert_bert.py writes it.  H and I are multiples of 64.
 *
 * Two ways, which BID_BERT chooses: "int8" (the default; linear layers with one step an output channel for
 * weights and one step a row for activations; BID_BERT may also name the instructions: avx512-vnni, avx-vnni, avx2,
 * base) and "float32".  Either gives the same bytes for a text whatever stands beside it and
 * however many threads there are: each row is computed by itself.
 *
 * The backend is opened by embed_bert_open() (embed_backend.h).
 */
#ifndef BID_BERT_H
#define BID_BERT_H

#include "model/embed_backend.h"

#include <stddef.h>
#include <stdint.h>

/* ---- the arithmetic of a BERT encoder's layers, one table of functions per instruction set. ---- */

#define BERT_STEP 64
#define BERT_HEAD_MAX 128
#define BERT_TOKENS_MAX 512

/* A linear layer, y = x Wᵀ + bias: W is n rows of k.  packed holds W quantized with one step per row (output
 * channel), W[i][j] = scale[i] * q, -weight_top <= q <= weight_top, in an order specific to the instruction set. */
struct bert_linear {
  size_t n, k;
  const float *weights; /* [n][k] */
  const float *bias;    /* [n] */
  void *packed;
  float *scale; /* [n] */
};

/* Quantized activations: x[i][j] = scale[i] * q[i][j]. */
struct bert_rows {
  int8_t *q;       /* [m][k] */
  uint8_t *lifted; /* [m][k]: scratch of linear() */
  float *scale;    /* [m] */
  int32_t *total;  /* [m]: sum of q over a row */
};

struct bert_math {
  const char *name;
  int weight_top; /* 127, or less where sums of products would overflow */

  /* Size of a packed n by k matrix in bytes; and packing of q (int8 [n][k]) into out, which is 64-byte aligned. */
  size_t (*packed_size)(size_t n, size_t k);
  void (*pack)(void *out, const int8_t *q, size_t n, size_t k);

  /* out [m][n] = a Wᵀ scaled back, plus bias. */
  void (*linear)(const struct bert_rows *a, size_t m, const struct bert_linear *w, float *out);

  /* The same for float rows and weights. */
  void (*linear_float)(const float *a, size_t m, const struct bert_linear *w, float *out);

  /* Quantizes x [m][width] with one step per row, such that its largest magnitude is `top` steps, at most 127. */
  void (*quantize)(const float *x, size_t m, size_t width, float top, struct bert_rows *out);

  /* x += add, then layer normalization with gamma = norm[0..width), beta = norm[width..2 * width); add may be
   * NULL (Ba, Kiros and Hinton 2016). */
  void (*normalize)(float *x, const float *add, size_t m, size_t width, const float *norm, float epsilon);

  /* x = x Φ(x), Φ by erf (Abramowitz and Stegun 7.1.26, off by 1.5e-7 at most). */
  void (*gelu)(float *x, size_t count);

  /* Self-attention within one text: qkv [m][3 * heads * dim], out [kept][heads * dim], the first `kept` rows.
   * scratch: bert_scratch(m) floats, 64-byte aligned. */
  void (*attention)(const float *qkv, size_t m, size_t kept, size_t heads, size_t dim, float *scratch,
                    float *out);
};

/* Number of scratch floats that attention() needs for m tokens. */
static inline size_t bert_scratch(size_t m) {
  size_t padded = (m + 63) / 64 * 64;
  return 2 * BERT_HEAD_MAX * padded + 8 * padded;
}

extern const struct bert_math bert_math_base, bert_math_avx2, bert_math_avxvnni, bert_math_vnni;

/* The fastest table for this processor, or the one called name (may be NULL).  NULL where it is not available. */
const struct bert_math *bert_math_best(const char *name);

#define BERT_LAYERS_MAX 48

struct bert_layer {
  struct bert_linear qkv, out, up, down;
  const float *norm1, *norm2;
};

struct bert {
  size_t layers, heads, hidden, inner, positions, tokens;
  float epsilon;
  int cls; /* pooling: the first token instead of the mean */
  const float *embeddings, *places, *embed_norm;
  struct bert_layer *layer;
  const struct bert_math *math;
  int in_float; /* compute in float32, not in int8 */
};

/* Buffers of one thread for up to `rows` tokens at a time. */
struct bert_room {
  float *x, *qkv, *mixed, *wide, *scratch;
  struct bert_rows rows;
};
void bert_room_init(struct bert_room *r, const struct bert *b, size_t rows);
void bert_room_release(struct bert_room *r);

/* Encodes `count` texts whose ids are concatenated: text i has lengths[i] tokens including [CLS] and [SEP].  out[i]
 * points to `hidden` floats and gets a vector of length 1 (L2). */
void bert_forward(const struct bert *b, struct bert_room *r, const int32_t *ids, const size_t *lengths,
                  size_t count, float *const *out);

#endif
