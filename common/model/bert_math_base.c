/* bert_math_base.c: for any processor; the oracle that the other implementations are tested against. */
#ifdef __GNUC__
#ifndef __clang__
#pragma GCC optimize("O3")
#endif
#endif
#define LANES 4
#include "model/bert_kernels.h"

static size_t packed_size(size_t n, size_t k) {
  return n * k;
}

static void bert_math_base_pack(void *out, const int8_t *q, size_t n, size_t k) {
  memcpy(out, q, n * k);
}

static void linear(const struct bert_rows *a, size_t m, const struct bert_linear *w, float *out) {
  const int8_t *b = w->packed;
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < w->n; j++) {
      int32_t sum = 0;
      for (size_t k = 0; k < w->k; k++)
        sum += a->q[i * w->k + k] * b[j * w->k + k];
      out[i * w->n + j] = (float)sum * (a->scale[i] * w->scale[j]) + w->bias[j];
    }
}

const struct bert_math bert_math_base = {"base", 127,          packed_size, bert_math_base_pack,
                                         linear, linear_float, quantize,    bert_kernels_normalize,
                                         gelu,   attention};
