/* bert_math.h: the arithmetic of a BERT encoder's layers, one table of functions per instruction set.
 *
 * Matrices are row-major.  Rows are independent: a row's result is the same bytes whatever other rows are processed
 * with it.  Widths (k, n, hidden) are multiples of BERT_STEP; a head's dimension is a multiple of 16 and at most
 * BERT_HEAD_MAX.
 */
#ifndef BID_BERT_MATH_H
#define BID_BERT_MATH_H

#include <stddef.h>
#include <stdint.h>

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

extern const struct bert_math bert_math_base, bert_math_avx2, bert_math_avxvnni, bert_math_vnni,
    bert_math_amx;

/* The fastest table for this processor, or the one called name (may be NULL).  NULL where it is not available. */
const struct bert_math *bert_math_best(const char *name);

#endif
