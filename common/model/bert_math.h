/* bert_math.h: the arithmetic of a BERT encoder's layers, one table of functions an instruction set.
 *
 * Matrices are row-major.  Rows are independent of each other: what comes out of a row is the same bytes
 * whatever other rows stand beside it.  Widths (k, n, hidden) are multiples of BERT_STEP, a head's dimension
 * is a multiple of 16 and at most BERT_HEAD_MAX.
 */
#ifndef BID_BERT_MATH_H
#define BID_BERT_MATH_H

#include <stddef.h>
#include <stdint.h>

#define BERT_STEP 64
#define BERT_HEAD_MAX 128
#define BERT_TOKENS_MAX 512

/* A linear layer, y = x Wᵀ + bias: W is n rows of k.  packed holds W quantized with one step a row (output
 * channel), W[i][j] = scale[i] * q, -weight_top <= q <= weight_top, in an order of the instruction set's own.
 */
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
  uint8_t *lifted; /* [m][k]: for linear()'s own use */
  float *scale;    /* [m] */
  int32_t *total;  /* [m]: sum of q over a row */
};

struct bert_math {
  const char *name;
  int weight_top; /* 127, or less where sums of products would not fit */

  /* Bytes of a packed n by k matrix, and packing of q (int8 [n][k]) into out, which is 64-byte aligned. */
  size_t (*packed_size)(size_t n, size_t k);
  void (*pack)(void *out, const int8_t *q, size_t n, size_t k);

  /* out [m][n] = a W scaled back, plus bias. */
  void (*linear)(const struct bert_rows *a, size_t m, const struct bert_linear *w, float *out);

  /* The same of float rows and weights, for where there is no BLAS. */
  void (*linear_float)(const float *a, size_t m, const struct bert_linear *w, float *out);

  /* x [m][width] quantized with one step a row, a row's largest magnitude being `top` steps, 127 at most. */
  void (*quantize)(const float *x, size_t m, size_t width, float top, struct bert_rows *out);

  /* x += add, then layer normalization with gamma = norm[0..width), beta = norm[width..2 * width); add may be
   * NULL (Ba, Kiros and Hinton 2016). */
  void (*normalize)(float *x, const float *add, size_t m, size_t width, const float *norm, float epsilon);

  /* x = x Φ(x), Φ by erf (Abramowitz and Stegun 7.1.26, off by 1.5e-7 at most). */
  void (*gelu)(float *x, size_t count);

  /* Self-attention of one text: qkv [m][3 * heads * dim], out [kept][heads * dim], its first `kept` rows.
   * scratch: bert_scratch(m) floats, 64-byte aligned. */
  void (*attention)(const float *qkv, size_t m, size_t kept, size_t heads, size_t dim, float *scratch,
                    float *out);
};

/* Floats that attention() over m tokens needs. */
static inline size_t bert_scratch(size_t m) {
  size_t padded = (m + 63) / 64 * 64;
  return 2 * BERT_HEAD_MAX * padded + 8 * padded;
}

extern const struct bert_math bert_math_base, bert_math_avx2, bert_math_avxvnni, bert_math_vnni,
    bert_math_amx;

/* The fastest that this processor has; name (may be NULL) asks for one by its name.  NULL where it is not
 * there. */
const struct bert_math *bert_math_best(const char *name);

#endif
