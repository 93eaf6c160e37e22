/* embed_backend.h: the interface between embed.c and a kind of model; programs use embed.h.
 *
 * A backend is created by one of the functions below, which return NULL with *e on failure, and is freed by its own
 * close().  A backend's own struct starts with this one.
 */
#ifndef BID_EMBED_BACKEND_H
#define BID_EMBED_BACKEND_H

#include "model/embed.h"
#include "model/model.h"

struct embed_backend {
  int dimensions;
  size_t max_tokens;           /* 0: no limit */
  const char *label;           /* "NAME@FINGERPRINT", lives as long as the backend */
  struct wordpiece *tokenizer; /* owned by the backend; NULL for a server */
  const char *category;        /* of the last failure; NULL: internal */
  size_t batch;                /* recommended number of texts per encode() */

  /* As embed_encode(), with at most `threads` threads. */
  int (*encode)(struct embed_backend *b, const struct slice *texts, size_t count, enum embed_role role,
                int threads, float *out, size_t *truncated, struct error_text *e);
  /* As embed_sum_parts(); NULL where the model has no static rows. */
  int (*sum)(struct embed_backend *b, size_t dimensions, struct slice text, const struct embed_part *parts,
             size_t count, float *out, struct error_text *e);
  /* As embed_again(); NULL where there is none. */
  struct embed_backend *(*again)(const struct embed_backend *b);
  /* As embed_prepare(); NULL where nothing is needed. */
  int (*prepare)(struct embed_backend *b, struct error_text *e);
  void (*close)(struct embed_backend *b);
};

/* Both take ownership of m, even on failure. dimensions: as requested, or 0. */
struct embed_backend *embed_static_open(struct model *m, int dimensions, struct error_text *e);
struct embed_backend *embed_bert_open(struct model *m, int dimensions, struct error_text *e);

/* A server at BID_EMBED_URL; name: its name for the model, may be empty.  NULL with *e: no address, or a wrong one. */
struct embed_backend *embed_http_open(const char *name, int dimensions, struct error_text *e);

/* ---- sums of rows for static models, for embed_static.c and its tests ---- */

/* out[d] = sum over i < count of weight[i] * rows[row[i]][d], for d < dimensions.  rows: int8 [...][stride];
 * dimensions and stride are multiples of 64.  With count <= 1024 and weights of at most 16383 the sums fit into 32
 * bits.  All kernels give the same numbers. */
typedef void embed_kernel(int32_t *out, const int8_t *rows, size_t stride, size_t dimensions,
                          const int32_t *row, const int16_t *weight, size_t count);

embed_kernel embed_rows_scalar;

/* All kernels available on this machine, the scalar one first, with their names.  Returns how many (at most 4). */
int embed_static_kernels(embed_kernel *kernels[4], const char *names[4]);

#endif
