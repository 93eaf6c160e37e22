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
 * weights and one step a row for activations; BID_BERT may also name the instructions: amx-int8, avx512-vnni,
 * avx-vnni, avx2, base) and "float32".  Either gives the same bytes for a text whatever stands beside it and
 * however many threads there are: each row is computed by itself.
 *
 * The backend is opened by embed_bert_open() (embed_backend.h).
 */
#ifndef BID_BERT_H
#define BID_BERT_H

#include "model/bert_math.h"
#include "model/embed_backend.h"

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
